"""What an attempt changed: complete patches between snapshots of a working tree, and restoring one.

New, deleted, renamed, binary and mode-changed files are all in a patch; the user's index is not touched, and
nothing that the repository configures is run. Snapshots are stored as those of ``undo.snapshots`` are.
Uncommitted work of before is in none of an attempt's patches.

Does not own when a snapshot is taken (``bridge.watcher``) or commits on a branch (``bridge.branches``).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.bridge import strays
from operators_edge.git.commands import Budget
from operators_edge.git.objects import find
from operators_edge.undo import restore
from operators_edge.undo.snapshots import UNREADABLE, Bounds, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping
    from datetime import datetime

    from operators_edge.git.commands import Change
    from operators_edge.git.objects import Repository
    from operators_edge.undo.snapshots import WorkingTree

NAMESPACE = "refs/operators-edge/bridge/"
BOUNDS = Bounds(seconds=300.0, file=1 << 62)
"""Nobody waits for a prompt here: everything is stored, however long it takes."""


class TreeSnapshot(NamedTuple):
    """The working tree at one time; ``left_out`` says what could not be stored."""

    tree: str
    left_out: tuple[str, ...] = ()


class Patch(NamedTuple):
    """The difference of two moments: for ``git apply``, in one line, and file by file."""

    data: bytes
    stat: str
    changes: tuple[Change, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(each.path for each in self.changes)


def _made_readable(top: str, left_out: Iterable[str], before: Container[str]) -> bool:
    """Whether there were files without permission to read that were not so before, and now have it."""
    paths = [each.removesuffix(UNREADABLE) for each in left_out if each not in before]
    closed = [each for each in paths if each not in left_out]
    opened = [strays.open_one(os.path.join(top, path)) for path in closed]
    return any(opened)


class Audit:
    """The working tree around ``root``. Every method raises GitFailed, LockHeld or StateError.

    Where its repository lies and how it is set is asked once, before an agent could change it.
    """

    def __init__(self, root: str, *, env: Mapping[str, str] = os.environ) -> None:
        self._root = root
        self._env = env
        self._repository: Repository | None = None
        self._patches: dict[tuple[str, str], Patch] = {}
        """The last one: most often verification changes nothing more."""

    @property
    def repository(self) -> Repository:
        if self._repository is None:
            self._repository = find(self._root, Budget(BOUNDS.seconds))
        return self._repository

    @contextmanager
    def _opened(self) -> Iterator[WorkingTree]:
        with opened(self._root, self._root, self._env, BOUNDS, known=self.repository) as work:
            yield work

    def snapshot(self, *, since: TreeSnapshot | None = None) -> TreeSnapshot:
        """The tree as it is; files that cannot be read, and could ``since``, are made readable."""
        with self._opened() as work:
            seen = work.capture()
            if since is not None and _made_readable(work.top, seen.left_out, since.left_out):
                seen = work.capture()
            return TreeSnapshot(seen.tree, seen.left_out)

    def patch(self, before: TreeSnapshot, after: TreeSnapshot) -> Patch:
        """What turned one snapshot into the other."""
        trees = (before.tree, after.tree)
        if trees not in self._patches:
            self._patches = {trees: self._made_patch(*trees)}
        return self._patches[trees]

    def _made_patch(self, before: str, after: str) -> Patch:
        with self._opened() as work:
            found = work.shadow.difference(before, after)
        return Patch(found.patch, found.stat, found.changes)

    def keep(
        self,
        stem: str,
        attempt: int | str,
        snapshot: TreeSnapshot,
        clock: Callable[[], datetime],
        message: str,
    ) -> str:
        """Keep a snapshot as a commit on a side ref, which no command shows or pushes; returns the ref."""
        ref = f"{NAMESPACE}{stem}/{attempt}"
        with self._opened() as work:
            commit = work.shadow.commit(snapshot.tree, message, int(clock().timestamp()))
            work.shadow.keep_at(ref, commit)
        return ref

    def put_back(self, wanted: TreeSnapshot) -> tuple[str, ...]:
        """Make the working tree as it was then; returns the paths that could not be, with the reason.

        The caller has kept the present one: what is not in ``wanted`` is deleted.
        """
        with self._opened() as work:
            now = work.capture().tree
            changes = work.shadow.changes(now, wanted.tree)
            _, left = restore.write_back(work, now, changes)
        return tuple(f"{path}: {why}" for why, path in left)


# end of module
