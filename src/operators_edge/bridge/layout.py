"""Where the Bridge's files are, below the project: the protocol's folders and the names in them.

Pure: names only. Names of one attempt carry its number; the protocol's names without one are the latest.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from operators_edge.locations import HANDOFF_DIR

Folder = Literal[
    "tasks", "running", "pending", "failed", "results", "patches", "locks", "logs", "meta"
]
FOLDERS: tuple[Folder, ...] = (
    *("tasks", "running", "pending", "failed"),
    *("results", "patches", "locks", "logs", "meta"),
)
WORKER_LOCK = f"{HANDOFF_DIR}/locks/__worker__.lock"
_ATTEMPT = re.compile(r"\.attempt-\d+(?:\.r\d+)?(?=[._])")
_TASK_FILE = re.compile(r"(?P<stem>.+)\.json", re.DOTALL)


def task_file(folder: Folder, stem: str) -> str:
    return f"{HANDOFF_DIR}/{folder}/{stem}.json"


def stem_of(name: str) -> str:
    """The stem of a task file's name; "" for a file that is none: hidden, temporary, of another type."""
    match = _TASK_FILE.fullmatch(name)
    return match["stem"] if match and not name.startswith((".", "~")) else ""


def lock_file(stem: str) -> str:
    return f"{HANDOFF_DIR}/locks/{stem}.lock"


def bead_file(stem: str) -> str:
    """What the tracker said when it made the task's bead."""
    return f"{HANDOFF_DIR}/meta/{stem}.bead"


def kept_task(stem: str, attempt: int) -> str:
    """The task file of an attempt that is over, redacted."""
    return f"{HANDOFF_DIR}/meta/{stem}.attempt-{attempt}.task.json"


def left_folder(stem: str, attempt: int) -> str:
    """What an attempt left in the tree that git cannot store."""
    return f"{HANDOFF_DIR}/meta/{stem}.attempt-{attempt}.left"


def result_file(stem: str) -> str:
    """The latest result."""
    return f"{HANDOFF_DIR}/results/{stem}.json"


def attempt_result(stem: str, attempt: int, status: str = "", number: int = 0) -> str:
    """The kept result of an attempt: its last one, or the ``number``-th blocked or waiting one."""
    kind = f".{status}-{number}" if status else ""
    return f"{HANDOFF_DIR}/results/{stem}.attempt-{attempt}{kind}.json"


class Artifacts(NamedTuple):
    """Names relative to ``.ai-handoff``, as a result names them."""

    patch_pre: str
    patch_post: str
    logs: str


def artifacts(stem: str, attempt: int = 0, repair: int = 0) -> Artifacts:
    """The patches and the log of an attempt and its repair round; of the latest without an attempt."""
    name = stem + (f".attempt-{attempt}" if attempt else "") + (f".r{repair}" if repair else "")
    return Artifacts(f"patches/{name}_pre.patch", f"patches/{name}_post.patch", f"logs/{name}.log")


def artifact(base: str) -> str:
    """The name, relative to ``.ai-handoff``, of the patch or log with this base name; "" for another file."""
    for ending, folder in ((".patch", "patches"), (".log", "logs")):
        if base.endswith(ending):
            return f"{folder}/{base}"
    return ""


def latest(name: str) -> str:
    """The name without its attempt: the protocol's own."""
    return _ATTEMPT.sub("", name, count=1)


def names_of(stem: str) -> tuple[str, ...]:
    """The logs, patches and other files of a task but its results, as ``FOLDER/NAME`` without an attempt."""
    patch_pre, patch_post, logs = artifacts(stem)
    patches = (patch_pre, patch_post, redacted(patch_pre), redacted(patch_post))
    meta = (bead_file(stem), latest(kept_task(stem, 1)), latest(left_folder(stem, 1)))
    return (logs, *patches, *(each.removeprefix(f"{HANDOFF_DIR}/") for each in meta))


def redacted(patch: str) -> str:
    """The redacted copy of a patch, for people."""
    return patch.removesuffix(".patch") + ".shown.patch"


# end of module
