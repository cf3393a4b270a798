"""What git knows of a work tree: which files differ, and which have changed since an earlier look.

Owns the questions to git. Asked at a session's start and at a turn's end, never on a tool call. Does not own
what counts as work (``core.evidence``).
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.model import OWN_PATHS

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT_SECONDS = 3.0
"""A tree that git cannot look through in this time is not looked at; that is said, not guessed."""

MAX_PATHS = 400
"""More files that differ than this are too many to keep in a log line."""


_WORK = (".", *(f":(exclude){name}" for name in OWN_PATHS))
"""Everything below the root but the product's own files, which never count as work (PR-9)."""


class Tree(NamedTuple):
    """``head`` is the commit ("" before the first); ``differs`` maps each path that git reports as
    changed or new, relative to the root, to what tells one content from another ("" when gone).
    """

    head: str
    differs: dict[str, str]

    def as_data(self) -> dict[str, Any]:
        return {"head": self.head, "differs": self.differs}

    @classmethod
    def of_data(cls, data: object) -> Tree | None:
        """The tree that ``as_data`` was made of; None for anything else."""
        if not isinstance(data, dict) or not isinstance(data.get("differs"), dict):
            return None
        return cls(
            str(data.get("head") or ""), {str(k): str(v) for k, v in data["differs"].items()}
        )


def look(root: str) -> Tree | None:
    """The tree as it is now; None outside a repository, or where git could not tell in time."""
    status = _git(
        root, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", *_WORK
    )
    if status is None:
        return None
    paths = [each[3:] for each in status.split("\0") if len(each) > 3]
    if len(paths) > MAX_PATHS:
        return None
    top = _git(root, "rev-parse", "--show-toplevel")
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD") or ""
    if top is None:
        return None
    base = top.strip()
    differs = {}
    for path in paths:
        full = os.path.join(base, path)
        differs[os.path.relpath(full, os.path.realpath(root))] = _stamp(full)
    return Tree(head.strip(), differs)


def changed(root: str, before: Tree, now: Tree) -> list[str]:
    """The files that are not as they were, relative to the root, sorted; committed ones too."""
    paths = {
        path
        for path in before.differs.keys() | now.differs.keys()
        if before.differs.get(path) != now.differs.get(path)
    }
    if before.head and now.head and before.head != now.head:
        span = (before.head, now.head, "--", *_WORK)
        names = _git(root, "diff", "--name-only", "-z", "--no-renames", "--relative", *span)
        committed = {each for each in (names or "").split("\0") if each}
        # What differed before and is committed as it was has not changed.
        paths = {each for each in paths if each in now.differs or each not in committed} | {
            each
            for each in committed
            if before.differs.get(each) != _stamp(os.path.join(root, each))
        }
    return sorted(paths)


def texts(
    root: str, commit: str, paths: Sequence[str], *, limit: int
) -> dict[str, str | None] | None:
    """The files as they were in a commit: None for one that was not there; longer ones are left out.

    All in two questions. None where git could not tell in time; before the first commit nothing was there.
    """
    if not commit:
        return dict.fromkeys(paths)
    asked = [path for path in paths if "\n" not in path]
    names = "".join(f"{commit}:./{path}\n" for path in asked)
    sizes = _git(root, "cat-file", "--batch-check=%(objecttype) %(objectsize)", given=names)
    if sizes is None:
        return None
    found: dict[str, str | None] = {}
    wanted = []
    for path, line in zip(asked, sizes.split("\n"), strict=False):
        kind, _, size = line.rpartition(" ")
        if size == "missing":
            found[path] = None
        elif kind == "blob" and int(size) <= limit:
            wanted.append((path, int(size)))
    names = "".join(f"{commit}:./{path}\n" for path, _ in wanted)
    answer = _git(root, "cat-file", "--batch=%(objectsize)", given=names) if wanted else ""
    if answer is None:
        return None
    data, at = answer.encode("utf-8", "surrogateescape"), 0
    for path, length in wanted:
        at = data.index(b"\n", at) + 1
        found[path] = data[at : at + length].decode("utf-8", "replace")
        at += length + 1
    return found


def is_ignored(root: str, path: str) -> bool:
    """Whether git ignores the path and tracks nothing in it; False also where git cannot tell."""
    tracked = _git(root, "ls-files", "-z", "--", path)
    if tracked != "":
        return False
    # A pattern such as "build/" matches folders only, by their slash where there is none yet.
    return any(
        _git(root, "check-ignore", "-q", "--", one) is not None for one in (path, path + "/")
    )


def _stamp(path: str) -> str:
    try:
        found = os.lstat(path)
    except OSError:
        return ""
    return f"{found.st_size}:{found.st_mtime_ns}"


def _git(root: str, *words: str, given: str = "") -> str | None:
    """Git's answer; None also when it took too long."""
    try:
        return ask(root, *words, given=given)
    except TooSlow:
        return None


class TooSlow(Exception):
    """Git gave no answer in the time it had."""


def ask(root: str, *words: str, seconds: float = LIMIT_SECONDS, given: str = "") -> str | None:
    """Git's answer to the words, and to what it is given to read; None when it refuses.

    Nothing of the repository's own is run or locked.

    Raises TooSlow. The network is never asked: no word of ours fetches or pushes.
    """
    off = ("core.fsmonitor=false", "core.hooksPath=", "core.quotePath=false")
    quiet = [word for one in (*off, "log.showSignature=false") for word in ("-c", one)]
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1"}
    try:
        done = subprocess.run(
            ["git", *quiet, *words],
            cwd=root,
            env=env,
            input=given.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise TooSlow from error
    except OSError:
        return None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None
