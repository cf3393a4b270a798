"""The way back: what snapshots hold, how the work tree differs from one, and bringing files back.

Owns what applying a snapshot may touch: files of the work tree, never the index, HEAD or a branch, and
nothing that is not in a snapshot itself by then. Does not own how snapshots are taken (``undo.snapshots``)
or how files are written (``undo.worktree``).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import AnswerIsNo
from operators_edge.gate.paths import is_host_settings
from operators_edge.git.objects import GitFailed
from operators_edge.project import wall_clock
from operators_edge.undo import worktree
from operators_edge.undo.ignored import parents
from operators_edge.undo.snapshots import Bounds, SnapshotResult, meaning, opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from operators_edge.git.objects import Change, Kept
    from operators_edge.undo.snapshots import Clock, Seen, SnapshotReason, Work

PATIENT = Bounds(seconds=300.0, ignored_file=1 << 62, ignored_bytes=1 << 62, ignored_files=1 << 62)
"""For a command that somebody waits for, and that overwrites nothing it could not save."""


class Difference(NamedTuple):
    """A snapshot and how many files differ from it now."""

    kept: Kept
    differs: int


class Applied(NamedTuple):
    """``done`` and ``left`` are (what, path); ``saved`` is the snapshot taken first."""

    id: int
    saved: SnapshotResult
    done: tuple[tuple[str, str], ...]
    left: tuple[tuple[str, str], ...]


class Undo:
    """The snapshots of the repository around a folder. ``root``: the project, for its own files."""

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

    def list(self) -> list[Difference]:
        """Those of this work tree, the newest first."""
        with self._work() as work:
            kept = [each for each in work.shadow.kept() if _is_of(work, each)]
            now = self._now(work, [each.tree for each in kept]).tree
            return [Difference(each, len(work.shadow.changes(now, each.tree))) for each in kept]

    def show(
        self, number: int | None, paths: Sequence[str], *, stat_only: bool
    ) -> tuple[Kept, str]:
        """A snapshot and the way from it to the work tree as it is now, as a diff."""
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
        about: SnapshotReason,
        exact: bool = False,
        dry_run: bool = False,
    ) -> Applied:
        """Bring files back as the snapshot holds them; the present ones are in a snapshot then.

        Files made since stay, but with ``exact``. Of what could not be saved first, nothing is
        overwritten.
        """
        with self._work() as work:
            kept = _chosen(work, number)
            below = [self._relative(work, path) for path in paths]
            if below and not exact:
                _require_known(work, kept, below)
            seen = self._now(work, [kept.tree])
            changes = work.shadow.changes(seen.tree, kept.tree, *below)
            wanted = [each for each in changes if exact or each.status != "D"]
            left = tuple((why, each.path) for each in wanted if (why := _refused(work, each)))
            wanted = [each for each in wanted if not _refused(work, each)]
            if dry_run or not wanted:
                done = tuple((_verb(each), each.path) for each in wanted)
                return Applied(kept.id, SnapshotResult(top=work.top), done, left)
            saved = work.keep(seen, about, self._clock)
            done, failed = _Restoring(work, saved.tree).restore(wanted)
            return Applied(kept.id, saved, done, left + failed)

    @contextmanager
    def _work(self) -> Iterator[Work]:
        with opened(self._folder, self._root, self._env, PATIENT) as work:
            yield work

    def _now(self, work: Work, trees: Iterable[str]) -> Seen:
        """The tree now, with what the given ones hold although git ignores it."""
        seen = work.look()
        also: dict[str, None] = {}
        for tree in dict.fromkeys(trees):
            for change in work.shadow.changes(seen.tree, tree):
                if change.status == "A" and worktree.is_safe(change.path):
                    also.update(dict.fromkeys(_in_its_place(work.top, change.path)))
        return work.look(also=also) if also else seen

    def _relative(self, work: Work, path: str) -> str:
        full = os.path.join(self._folder, path)
        real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
        below = os.path.relpath(os.path.normpath(real), work.top).replace(os.sep, "/")
        if below == ".." or below.startswith("../"):
            raise AnswerIsNo(f"{path} is outside {work.top}", hint="edge undo list")
        return below


def _is_of(work: Work, kept: Kept) -> bool:
    return bool(meaning(kept).get("top", work.top) == work.top)


def _in_its_place(top: str, path: str) -> Iterator[str]:
    """What stands where the path would be: itself, or a file or link in the place of a folder."""
    while path:
        full = os.path.join(top, path)
        if os.path.islink(full) or (os.path.lexists(full) and not os.path.isdir(full)):
            yield path
        path = os.path.dirname(path)


def _chosen(work: Work, number: int | None) -> Kept:
    kept = [each for each in work.shadow.kept() if _is_of(work, each)]
    for each in kept:
        if number is None or each.id == number:
            return each
    what = "no snapshot yet" if number is None else f"no snapshot {number}"
    raise AnswerIsNo(f"there is {what} of {work.top}", hint="edge undo list")


def _require_known(work: Work, kept: Kept, below: list[str]) -> None:
    entries = set(work.shadow.entries(kept.tree))
    entries |= parents(entries) | {"."}
    for path in below:
        if path not in entries:
            raise AnswerIsNo(
                f"snapshot {kept.id} holds no {path}", hint=f"edge undo show {kept.id} --stat"
            )


def _verb(change: Change) -> str:
    return {"A": "brought back", "D": "removed"}.get(change.status, "restored")


def _refused(work: Work, change: Change) -> str:
    """Why a path is not brought back, whatever the snapshot holds; "" when it is."""
    if not worktree.is_safe(change.path):
        return "is no path of a work tree"
    if change.mode and change.mode not in worktree.MODES:
        return "is a repository of its own"
    if work.is_own(change.path) or is_host_settings(f"/{change.path}"):
        return "guards this project, and is a person's to bring back (see docs/undo.md)"
    return ""


class _Restoring:
    """Files written as the snapshot holds them."""

    def __init__(self, work: Work, saved: str) -> None:
        self._work = work
        self._saved = set(work.shadow.entries(saved))

    def restore(
        self, changes: list[Change]
    ) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
        done, left = [], []
        private = self._ignored([each.path for each in changes if each.status == "A"])
        # Removals first: a file made since may stand where a folder has to be.
        with self._work.shadow.blobs() as blobs:
            for change in sorted(changes, key=lambda each: each.status != "D"):
                try:
                    if change.status == "D":
                        worktree.remove(self._work.top, change.path)
                    else:
                        worktree.put(
                            self._work.top,
                            change.path,
                            change.mode,
                            blobs.read(change.blob),
                            saved=self._saved,
                            is_private=change.path in private,
                        )
                except (worktree.InTheWay, GitFailed) as error:
                    left.append((str(error), change.path))
                except OSError as error:
                    left.append((error.strerror or str(error), change.path))
                else:
                    done.append((_verb(change), change.path))
        return tuple(done), tuple(left)

    def _ignored(self, paths: list[str]) -> set[str]:
        """What git ignores is often what holds secrets: it comes back for its owner alone."""
        try:
            return self._work.shadow.ignored(paths) if paths else set()
        except GitFailed:
            return set(paths)
