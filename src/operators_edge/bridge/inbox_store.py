"""The task files in ``.ai-handoff``: which are new, and each as it is now, a task or what is wrong with it.

Does not own what follows from a file (``bridge.queue_store``) or what a task is (``bridge.task``).
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import ids, layout
from operators_edge.bridge.json_text import MAX_BYTES, NotJson, read_object
from operators_edge.bridge.locks_store import open_plain
from operators_edge.bridge.queue import TaskFile
from operators_edge.bridge.task import Problem, problems_with, with_defaults
from operators_edge.datetimes import UTC, datetime, timedelta
from operators_edge.errors import StateError
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import journal

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from operators_edge.bridge.layout import Folder
    from operators_edge.bridge.queue import Stamps, TaskRow

SETTLES = timedelta(seconds=5)
"""A file that does not parse holds back those behind it for so long after its last change."""

GIVEN_UP = timedelta(seconds=60)
"""After so long without a change it is not being written: it is no task."""

_LOOKING_SHARE = 20
"""The inbox is looked through for at most one part in so many of the time."""

REFUSED = "refused: "
"""An origin that starts so names why the file's name cannot be that of a task."""


class Inbox:
    """The folder ``tasks/``. ``known``: the queue has them; ``skipped``: it was said that they are over."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._look_again = 0.0
        self.known: set[str] = set()
        self.skipped: set[str] = set()

    def new(self, *, at_once: bool) -> list[str]:
        """The files that are not known, by name. A large folder is read only so often, unless ``at_once``."""
        started = time.monotonic()
        if started < self._look_again and not at_once:
            return []
        found = set(stems(self._root, "tasks"))
        new = found - self.known
        self.known &= found
        self.skipped &= found
        ended = time.monotonic()
        self._look_again = ended + (ended - started) * _LOOKING_SHARE
        return sorted(new)


def stems(root: str, folder: Folder) -> list[str]:
    """The stems of the task files in a folder."""
    names = os.listdir(_folder(root, folder))
    return list(filter(None, map(layout.stem_of, names)))


def read_task(
    root: str,
    row: TaskRow,
    folder: Folder = "tasks",
    *,
    defaults: Mapping[str, Any] = MappingProxyType({}),
) -> TaskFile:
    """Never raises for what is in the file. ``defaults`` are those of the settings."""
    try:
        raw, modified = _content(journal.place(root, layout.task_file(folder, row.stem)))
    except (OSError, StateError) as error:
        why = error.message if isinstance(error, StateError) else error.strerror or str(error)
        is_gone = isinstance(error, FileNotFoundError)
        return TaskFile(row, b"", None, (f"its file cannot be read: {why}",), is_gone=is_gone)
    try:
        value = read_object(raw)
    except NotJson as error:
        return TaskFile(row, raw, None, (str(error),), unsettled=modified)
    problems = problems_with(value, stem=row.stem, defaults=defaults)
    unsafe = row.origin.removeprefix(REFUSED) if row.origin.startswith(REFUSED) else ""
    unsafe = unsafe or ids.problem_with(row.stem)
    if unsafe:
        problems.insert(0, Problem("file name", unsafe))
    task = None if problems else with_defaults(value, defaults)
    return TaskFile(row, raw, task, tuple(map(str, problems)))


def _content(path: str) -> tuple[bytes, datetime]:
    """A regular file's content, a little more than a task may have at most, and when it changed."""
    with open(path, "rb", opener=open_plain) as file:
        modified = os.fstat(file.fileno()).st_mtime
        return file.read(MAX_BYTES + 1), datetime.fromtimestamp(modified, UTC)


def stamps(root: str) -> Stamps:
    """The task files that wait."""
    found = {}
    with (
        suppress(FileNotFoundError, NotADirectoryError),
        os.scandir(_folder(root, "tasks")) as entries,
    ):
        for each in entries:
            stem = layout.stem_of(each.name)
            if stem:
                info = each.stat(follow_symlinks=False)
                found[stem] = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
    return found


def is_gone_or_one_of(root: str, path: str, digests: Container[str]) -> bool:
    """Whether a file is gone, or has one of these contents."""
    try:
        with open(journal.place(root, path), "rb", opener=open_plain) as file:
            return hashlib.file_digest(file, "sha256").hexdigest() in digests
    except FileNotFoundError:
        return True
    except (OSError, StateError):
        return False


def _folder(root: str, name: Folder) -> str:
    return journal.target(root, f"{HANDOFF_DIR}/{name}")


# end of module
