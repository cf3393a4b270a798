"""Restoring: what snapshots contain, how the working tree differs from one, and applying one.

Owns what applying a snapshot may change: files of the working tree, never the index, HEAD or a branch, and
only files that a new snapshot contains by then. Does not own how snapshots are taken (``undo.snapshots``) or
how files are written (``undo.worktree``).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import AnswerIsNo
from operators_edge.gate.paths import is_host_settings
from operators_edge.git.commands import GitFailed
from operators_edge.project import wall_clock
from operators_edge.undo import worktree
from operators_edge.undo.ignored import parents
from operators_edge.undo.snapshots import Bounds, SnapshotResult, details, opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from operators_edge.git.commands import Change
    from operators_edge.git.objects import Kept
    from operators_edge.undo.snapshots import Clock, SnapshotReason, StoredTree, WorkingTree

NEWEST = 50
UNHURRIED = Bounds(
    seconds=300.0, ignored_file=1 << 62, ignored_bytes=1 << 62, ignored_files=1 << 62
)
"""For a command that a person waits for, and that overwrites nothing it could not store."""


_Outcomes = tuple[tuple[str, str], ...]


class Difference(NamedTuple):
    """A snapshot, and how many files differ from it now."""

    kept: Kept
    differs: int


class Applied(NamedTuple):
    """``done`` and ``left`` are pairs of what was done, or why not, and a path; ``saved`` was taken first."""

    id: int
    saved: SnapshotResult
    done: _Outcomes
    left: _Outcomes


class Undo:
    """The snapshots of the repository around a folder; ``root`` is the project."""

    def __init__(
        self,
        folder: str,
        *,
        root: str,
        env: Mapping[str, str] = os.environ,
        clock: Clock = wall_clock,
    ) -> None:
        self._folder = folder
        self._root = root
        self._env = env
        self._clock = clock

    def list(self, limit: int | None = NEWEST) -> list[Difference]:
        """The newest snapshots of this working tree, the newest first; each is compared with the files."""
        with self._work() as work:
            kept = [each for each in work.shadow.kept() if _belongs_to(work, each)][:limit]
            now = self._now(work, [each.tree for each in kept]).tree
            return [Difference(each, len(work.shadow.changes(now, each.tree))) for each in kept]

    def show(
        self, number: int | None, paths: Sequence[str], *, stat_only: bool
    ) -> tuple[Kept, str]:
        """A snapshot, and the diff from it to the current working tree."""
        with self._work() as work:
            kept = _chosen(work, number)
            now = self._now(work, [kept.tree]).tree
            below = [self._relative(work, path) for path in paths]
            return kept, work.shadow.diff(kept.tree, now, *below, stat=stat_only)

    def apply(
        self,
        number: int | None,
        paths: Sequence[str],
        *,
        reason: SnapshotReason,
        exact: bool = False,
        dry_run: bool = False,
    ) -> Applied:
        """Restore files from the snapshot, after storing the current ones in a new snapshot.

        Files created since are kept, unless ``exact``. Nothing is overwritten that could not be stored first.
        """
        with self._work() as work:
            kept = _chosen(work, number)
            below = [self._relative(work, path) for path in paths]
            if below and not exact:
                _require_in_snapshot(work, kept, below)
            seen = self._now(work, [kept.tree])
            changes = work.shadow.changes(seen.tree, kept.tree, *below)
            wanted = [each for each in changes if exact or each.status != "D"]
            refused = [(_refusal(work, each), each) for each in wanted]
            left = tuple((why, each.path) for why, each in refused if why)
            wanted = [each for why, each in refused if not why]
            if dry_run or not wanted:
                done = tuple((_verb(each), each.path) for each in wanted)
                return Applied(kept.id, SnapshotResult(top=work.top), done, left)
            saved = work.keep(seen, reason, self._clock)
            done, failed = write_back(work, saved.tree, wanted)
            return Applied(kept.id, saved, done, left + failed)

    @contextmanager
    def _work(self) -> Iterator[WorkingTree]:
        with opened(self._folder, self._root, self._env, UNHURRIED) as work:
            yield work

    def _now(self, work: WorkingTree, trees: Iterable[str]) -> StoredTree:
        """The current tree, including ignored files that are in one of the given trees."""
        seen = work.capture()
        also: dict[str, None] = {}
        for tree in dict.fromkeys(trees):
            for change in work.shadow.changes(seen.tree, tree):
                if change.status == "A" and worktree.is_safe(change.path):
                    also.update(dict.fromkeys(_occupants(work.top, change.path)))
        return work.capture(also=also) if also else seen

    def _relative(self, work: WorkingTree, path: str) -> str:
        below = worktree.path_below(work.top, os.path.join(self._folder, path))
        if below is None:
            raise AnswerIsNo(f"{path} is outside {work.top}", hint="edge undo list")
        return below


def _belongs_to(work: WorkingTree, kept: Kept) -> bool:
    return bool(details(kept).get("top", work.top) == work.top)


def _occupants(top: str, path: str) -> Iterator[str]:
    """What exists where the path would be written: itself, or a file or link in place of a folder."""
    while path:
        full = os.path.join(top, path)
        if os.path.islink(full) or (os.path.lexists(full) and not os.path.isdir(full)):
            yield path
        path = os.path.dirname(path)


def _chosen(work: WorkingTree, number: int | None) -> Kept:
    kept = [each for each in work.shadow.kept() if _belongs_to(work, each)]
    for each in kept:
        if number is None or each.id == number:
            return each
    what = "no snapshot yet" if number is None else f"no snapshot {number}"
    raise AnswerIsNo(f"there is {what} of {work.top}", hint="edge undo list")


def _require_in_snapshot(work: WorkingTree, kept: Kept, below: list[str]) -> None:
    entries = set(work.shadow.entries(kept.tree))
    entries |= parents(entries) | {"."}
    for path in below:
        if path not in entries:
            raise AnswerIsNo(
                f"snapshot {kept.id} does not contain {path}",
                hint=f"edge undo show {kept.id} --stat",
            )


def _verb(change: Change) -> str:
    return {"A": "brought back", "D": "removed"}.get(change.status, "restored")


def _refusal(work: WorkingTree, change: Change) -> str:
    """Why a path is not restored, whatever the snapshot contains; "" if it is."""
    if not worktree.is_safe(change.path):
        return "is not a path in a working tree"
    if change.status != "D" and change.mode not in worktree.MODES:
        return "is a repository of its own"
    if work.is_own(change.path) or is_host_settings(f"/{change.path}"):
        return "guards this project; only a person restores it (see docs/undo.md)"
    return ""


def write_back(work: WorkingTree, saved: str, changes: list[Change]) -> tuple[_Outcomes, _Outcomes]:
    """Write files as a stored tree contains them; what could be restored, and what could not.

    ``saved`` is a tree with everything that may be overwritten.
    """
    done, left = [], []
    safe = set(work.shadow.entries(saved))
    private = _ignored(work, [each.path for each in changes if each.status == "A"])
    with work.shadow.blobs() as blobs:
        # Removals first: a file created since may be where a folder must be.
        for change in sorted(changes, key=lambda each: each.status != "D"):
            path = change.path
            try:
                if change.status == "D":
                    worktree.remove(work.top, path)
                else:
                    worktree.write(
                        work.top,
                        path,
                        change.mode,
                        blobs.read(change.id),
                        saved=safe,
                        is_private=path in private,
                    )
            except (worktree.Occupied, GitFailed) as error:
                left.append((str(error), path))
            except OSError as error:
                left.append((error.strerror or str(error), path))
            else:
                done.append((_verb(change), path))
    return tuple(done), tuple(left)


def _ignored(work: WorkingTree, paths: list[str]) -> set[str]:
    """Ignored files often contain secrets: they are restored readable by their owner alone."""
    try:
        return work.shadow.ignored(paths) if paths else set()
    except GitFailed:
        return set(paths)


# end of module
