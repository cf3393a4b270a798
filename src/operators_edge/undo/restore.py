"""Restoring: what snapshots contain, how the working tree differs from one, and applying one.

Owns what applying a snapshot may change: files of the working tree, never the index, HEAD or a branch, and
only files that a new snapshot contains by then. Does not own how snapshots are taken (``undo.snapshots``) or
how files are written (``undo.worktree``).
"""

from __future__ import annotations

import json
import os
import shlex

from operators_edge.contexts import contextmanager, suppress
from operators_edge.datetimes import UTC, datetime
from operators_edge.errors import AnswerIsNo
from operators_edge.gate.paths import is_host_settings
from operators_edge.git.commands import GitFailed, TooSlow
from operators_edge.git.objects import NAMESPACE
from operators_edge.locations import is_within
from operators_edge.project import Project, wall_clock
from operators_edge.tuples import NamedTuple
from operators_edge.undo import attributes, git_state, repositories, worktree
from operators_edge.undo.ignored import parents
from operators_edge.undo.snapshots import Bounds, SnapshotResult, details, is_used, opened
from operators_edge.undo.view import viewed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from operators_edge.git.commands import Change
    from operators_edge.git.objects import Kept
    from operators_edge.undo.attributes import Attributes
    from operators_edge.undo.snapshots import Clock, SnapshotReason, StoredTree, WorkingTree

    T = TypeVar("T")
    Differences = list["Difference"]

NEWEST = 50
_UNHURRIED = Bounds(
    seconds=300.0, ignored_file=1 << 62, ignored_bytes=1 << 62, ignored_files=1 << 62
)


def unhurried(root: str) -> Bounds:
    """For a command that a person waits for, and that overwrites nothing it could not store."""
    return _UNHURRIED._replace(total=Project(root, is_set_up=True).undo_megabytes << 20)


_Outcomes = tuple[tuple[str, str], ...]


class Difference(NamedTuple):
    """A snapshot, how many files differ from it now, and which branches, tags and stashes are gone."""

    kept: Kept
    differs: int
    gone: tuple[str, ...] = ()


class Space(NamedTuple):
    """How many snapshots of a repository there are, their bytes, and what was removed for its size."""

    snapshots: int
    size: int
    removed: tuple[dict[str, Any], ...]


class Applied(NamedTuple):
    """``done`` and ``left`` are pairs of what was done, or why not, and a path; ``saved`` was taken first.

    ``others`` are sentences about the index, branches and stashes, which were left as they are.
    """

    id: int
    saved: SnapshotResult
    done: _Outcomes
    left: _Outcomes
    others: tuple[str, ...] = ()


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

    def list(self, limit: int | None = NEWEST) -> Differences:
        """The newest snapshots of this working tree, the newest first; each is compared with the files."""
        return self._of_all(lambda work, every: self._newest(work, every, limit), [])

    def space(self) -> Space:
        """What the snapshots of the repository take, and which were removed to keep within the limit."""
        return self._of_all(_space, _NO_SPACE)

    def overview(self, limit: int | None = NEWEST) -> tuple[Differences, Space]:
        """What ``list`` and ``space`` say, of one look."""
        nothing: tuple[Differences, Space] = ([], _NO_SPACE)
        return self._of_all(
            lambda work, every: (self._newest(work, every, limit), _space(work, every)),
            nothing,
        )

    def _of_all(self, tell: Callable[[WorkingTree, Sequence[Kept]], T], nothing: T) -> T:
        """What there is to tell of every snapshot of the repository; ``nothing`` if it never had one."""
        if not is_used(self._folder, self._env):
            return nothing
        with self._work(is_view=True) as work:
            return tell(work, work.shadow.kept())

    def _newest(self, work: WorkingTree, every: Sequence[Kept], limit: int | None) -> Differences:
        kept = _of_this_tree(work, every)[:limit]
        if not kept:
            return []  # without reading a tree that may be large
        now = self._now(work, [each.tree for each in kept]).tree
        of_git = git_state.read(work.shadow)
        return [
            Difference(
                each,
                len(work.shadow.changes(now, each.tree)),
                tuple(git_state.gone(_State.of(work, each).git, of_git)),
            )
            for each in kept
        ]

    def show(
        self, number: int | None, paths: Sequence[str], *, stat_only: bool
    ) -> tuple[Kept, str, tuple[str, ...]]:
        """A snapshot, the diff from it to the current working tree, and what differs in git itself."""
        with self._work(is_view=True) as work:
            kept = _chosen(work, number)
            now = self._now(work, [kept.tree]).tree
            below = [self._relative(work, path) for path in paths]
            state = _State.of(work, kept)
            of_git = git_state.differences(state.git, git_state.read(work.shadow))
            if not state.is_genuine:
                of_git = ["it is not as it was taken: somebody else wrote or changed it"]
            return kept, work.shadow.diff(kept.tree, now, *below, stat=stat_only), tuple(of_git)

    def apply(
        self,
        number: int | None,
        paths: Sequence[str],
        *,
        reason: SnapshotReason,
        exact: bool = False,
        with_git: bool = False,
        dry_run: bool = False,
    ) -> Applied:
        """Restore files from the snapshot, after storing the current ones in a new snapshot.

        Files created since are kept, unless ``exact``. Nothing is overwritten that could not be stored first.
        The index, HEAD, branches, tags and stashes are left alone, unless ``with_git``.
        """
        with self._work(is_view=dry_run) as work:
            kept = _chosen(work, number)
            below = [self._relative(work, path) for path in paths]
            if below and not exact:
                _require_in_snapshot(work, kept, below)
            seen = self._now(work, [kept.tree])
            state = _State.of(work, kept)
            if not state.is_genuine:
                raise AnswerIsNo(
                    f"snapshot {kept.id} is not as it was taken: somebody else wrote or changed it",
                    hint=f"edge undo show {kept.id}; single files: git show {NAMESPACE}{kept.id}:FILE",
                )
            changes = work.shadow.changes(seen.tree, kept.tree, *below)
            plan = _Plan(work, state, below, changes, is_exact=exact, with_git=with_git)
            applied = plan.nothing_yet(kept)
            if dry_run:
                return applied._replace(done=plan.described())
            if plan.is_empty():
                return applied
            saved = work.keep(seen, reason, self._clock)
            with work.writing(plan.paths(), is_of_git=with_git):
                done, failed = plan.carry_out(saved.tree)
            others = () if with_git else applied.others
            return applied._replace(
                saved=saved, done=done, left=applied.left + failed, others=others
            )

    @contextmanager
    def _work(self, *, is_view: bool = False) -> Iterator[WorkingTree]:
        """The working tree to restore in; or a view of it, for which nothing is written."""
        if path := repositories.empty_submodule(self._folder):
            raise AnswerIsNo(
                f"{self._folder} is a submodule that is not checked out",
                hint=f"git submodule update --init {shlex.quote(path)}, then repeat",
            )
        enter = viewed if is_view else opened
        with enter(self._folder, self._root, self._env, unhurried(self._root)) as work:
            yield work

    def _now(self, work: WorkingTree, trees: Iterable[str]) -> StoredTree:
        """The current tree, including ignored files that are in one of the given trees."""
        try:
            return self._captured(work, trees)
        except TooSlow:
            raise
        except GitFailed as error:
            raise AnswerIsNo(
                "the current files could not be stored, to compare them; nothing was changed",
                detail=str(error),
                hint=f"{error.hint} A single file: git show {NAMESPACE}ID:FILE".strip(),
            ) from error

    def _captured(self, work: WorkingTree, trees: Iterable[str]) -> StoredTree:
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


_NO_SPACE = Space(0, 0, ())


def _space(work: WorkingTree, every: Sequence[Kept]) -> Space:
    removed = [each for each in work.sizes.records() if each["why"] == "space"]
    return Space(len(every), work.shadow.size_of(each.commit for each in every), tuple(removed))


def _of_this_tree(work: WorkingTree, every: Iterable[Kept]) -> list[Kept]:
    """The snapshots of this working tree, the newest first; those too that were taken before it was moved."""
    moved: dict[str, bool] = {}
    found = []
    for each in every:
        top = _top_of(work, each)
        if top != work.top and top not in moved:
            is_gone = not os.path.lexists(os.path.join(top, ".git"))
            moved[top] = is_gone and work.common_at(top) != work.shadow.repository.common
            moved[top] = moved[top] and _State.of(work, each).is_genuine
        if top == work.top or moved[top]:
            found.append(each)
    return found


def _top_of(work: WorkingTree, kept: Kept) -> str:
    return str(details(kept).get("top") or work.top)


def _occupants(top: str, path: str) -> Iterator[str]:
    """What exists where the path would be written: itself, or a file or link in place of a folder."""
    while path:
        full = os.path.join(top, path)
        if os.path.islink(full) or (os.path.lexists(full) and not os.path.isdir(full)):
            yield path
        path = os.path.dirname(path)


def _chosen(work: WorkingTree, number: int | None) -> Kept:
    every = work.shadow.kept()
    for each in _of_this_tree(work, every):
        if number is None or each.id == number:
            return each
    for other in every:
        if other.id == number:
            top = _top_of(work, other)
            hint = f"edge -C {shlex.quote(top)} undo apply {number}"
            if not os.path.lexists(top):
                hint = f"{_adding(work, other, top)}; then: {hint}"
            raise AnswerIsNo(f"snapshot {number} is of another working tree: {top}", hint=hint)
    for gone in work.sizes.records():
        if gone["id"] == number:
            raise AnswerIsNo(
                f"snapshot {number} was removed on {_day(gone['at'])} {_WHY_REMOVED[gone['why']]}",
                hint=f"until git collects garbage it can still be there: git show {gone['commit'][:12]}",
            )
    what = "no snapshot yet" if number is None else f"no snapshot {number}"
    raise AnswerIsNo(f"there is {what} of {work.top}", hint="edge undo list")


def _adding(work: WorkingTree, kept: Kept, top: str) -> str:
    """The command that makes a working tree again which is gone."""
    of_git = _State.of(work, kept, work.top).git
    branch = str(of_git.get("head", "")).removeprefix(f"ref: {git_state.HEADS}")
    return shlex.join(("git", "worktree", "add", "-f", top, branch or str(of_git.get("at", ""))))


_WHY_REMOVED = {
    "space": "to keep within undo_megabytes",
    "age": "as one beyond the newest and older than a day",
}


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def _require_in_snapshot(work: WorkingTree, kept: Kept, below: list[str]) -> None:
    entries = set(work.shadow.entries(kept.tree))
    entries |= parents(entries) | {"."}
    for path in below:
        if path not in entries:
            raise AnswerIsNo(
                f"snapshot {kept.id} does not contain {path}",
                hint=f"edge undo show {kept.id} --stat",
            )


_REMOVED, _MODE, _FOLDER, _NAMES, _TIME = "removed", "permissions", "folder", "joined", "time"
_PLANNED = {
    "brought back": "bring back",
    _REMOVED: "remove",
    "restored": "restore",
    _MODE: "permissions of",
    _FOLDER: "folder",
    _NAMES: "join the names of",
    _TIME: "time of",
}
"""What a dry run calls what would be done."""


def _verb(change: Change) -> str:
    return {"A": "brought back", "D": _REMOVED}.get(change.status, "restored")


def _refusal(work: WorkingTree, change: Change) -> str:
    """Why a path is not restored, whatever the snapshot contains; "" if it is."""
    if not worktree.is_safe(change.path):
        return "is not a path in a working tree"
    if change.status != "D" and change.mode not in worktree.MODES:
        return "is a repository of its own"
    if work.is_own(change.path) or is_host_settings(f"/{change.path}"):
        return "guards this project; only a person restores it (see docs/undo.md)"
    return ""


class _State:
    """What a snapshot holds besides files."""

    def __init__(self, work: WorkingTree, data: dict[str, Any]) -> None:
        self._work = work
        self.is_genuine = bool(data)
        """Nothing is taken from one that the person's key has not signed."""
        self.git: dict[str, Any] = data.get("git") or {}
        self._folders = attributes.stored_folders(data.get("folders", {}), data.get("extended"))
        self._empty: list[str] = data.get("empty", [])
        self._usual = int(data.get("usual", 0))
        self._list = str(data.get("list", ""))
        self._changed: dict[str, Any] = data.get("changed", {})
        self._all: dict[str, Attributes] | None = None

    @classmethod
    def of(cls, work: WorkingTree, kept: Kept, top: str = "") -> _State:
        """``top`` is a working tree of the repository as it is now, if not the one that it was taken of."""
        ident = str(details(kept).get("state") or "")
        data = _data(work, ident) if ident else {}
        is_genuine = work.is_genuine(data, kept.tree, top or _top_of(work, kept))
        return cls(work, data if is_genuine else {})

    def files(self) -> dict[str, Attributes]:
        """Of every file that the snapshot holds."""
        if self._all is None:
            listed = {**(_data(self._work, self._list) if self._list else {}), **self._changed}
            self._all = {
                path: attributes.stored(each)
                for path, each in listed.items()
                if each and self._may_change(path)
            }
        return self._all

    def parted(self, below: Sequence[str]) -> list[str]:
        """The names of one file that are those of several now, with the same content."""
        groups: dict[str, list[str]] = {}
        for path in filter(lambda each: _is_wanted(each, below), self.joined()):
            groups.setdefault(self.files()[path].links, []).append(path)
        top = self._work.top
        return [path for names in groups.values() for path in attributes.parted(top, names)]

    def joined(self) -> list[str]:
        """The files that had several names."""
        return [path for path, each in self.files().items() if each.links]

    def _may_change(self, path: str) -> bool:
        """Whether it is a path in the working tree itself, and none of what guards the project."""
        is_guard = self._work.is_own(path) or is_host_settings(f"/{path}")
        return (
            worktree.is_safe(path)
            and not is_guard
            and not worktree.has_linked_parent(self._work.top, path)
        )

    def other_attributes(
        self, below: Sequence[str], changed: Iterable[str]
    ) -> tuple[list[str], list[str]]:
        """The files with the same content as in the snapshot and other permissions; and with another time
        or other attributes.
        """
        skipped, modes, times = set(changed), [], []
        for path, wanted in self.files().items():
            if path in skipped or not _is_wanted(path, below):
                continue
            now = attributes.of_file(os.path.join(self._work.top, path))
            if now is None or bool(now.mode) != bool(wanted.mode):
                continue
            if now.mode != wanted.mode:
                modes.append(path)
            if now._replace(mode=wanted.mode, links=wanted.links) != wanted:
                times.append(path)
        return modes, times

    def missing_folders(self, below: Sequence[str]) -> list[str]:
        return [
            each
            for each in self._empty
            if _is_wanted(each, below)
            and self._may_change(each)
            and not os.path.lexists(os.path.join(self._work.top, each))
        ]

    def other_folders(
        self, below: Sequence[str]
    ) -> Iterator[tuple[str, int, tuple[tuple[str, str], ...]]]:
        """The folders with other permissions or attributes than they had, and those; "" is the top."""
        for folder in {"", *parents(self.files()), *parents(self._empty), *self._empty}:
            full = os.path.join(self._work.top, folder)
            may_change = not folder or self._may_change(folder)
            if not _is_wanted(folder, below) or not may_change or os.path.islink(full):
                continue
            with suppress(OSError):
                now = os.lstat(full).st_mode
                wanted = self._folders.wanted(folder, self._usual, now)
                had = has = attributes.extended_of(full)
                if self._folders.extended is not None:
                    had = self._folders.extended.get(folder, ())
                if now & attributes.FOLDER_MODE != wanted or set(had) != set(has):
                    yield folder, wanted, had

    def give_back(self, below: Sequence[str], written: list[str], modes: list[str]) -> _Outcomes:
        """Permissions, times, names of the same file and empty folders, once the files are there."""
        self._all = None  # where a link was, there is a folder again
        known, done = self.files(), []
        for path in modes:
            with suppress(OSError):
                if path in known:
                    attributes.restore_file(
                        os.path.join(self._work.top, path), known[path], is_time=False
                    )
                done.append((_MODE, path))
        there = {path: known[path] for path in written if path in known}
        self._restore_each(there)
        names = {each.links for each in there.values()} - {""}
        joined = {path: each for path, each in known.items() if each.links in names}
        with suppress(OSError):
            attributes.restore_links(self._work.top, joined)
        self._restore_each({path: each for path, each in there.items() if each.links})
        made = self.missing_folders(below)
        with suppress(OSError):
            attributes.restore_empty(self._work.top, made)
            inner_first = sorted(self.other_folders(below), reverse=True)
            for folder, mode, had in inner_first:
                attributes.restore_folder(os.path.join(self._work.top, folder), mode, had)
        done += [
            (_FOLDER, each) for each in made if os.path.isdir(os.path.join(self._work.top, each))
        ]
        return tuple(done)

    def _restore_each(self, wanted: dict[str, Attributes]) -> None:
        for path, each in wanted.items():
            with suppress(OSError):
                attributes.restore_file(os.path.join(self._work.top, path), each, is_time=True)


class _Plan:
    """What restoring a snapshot changes: found by comparison first, then described or carried out."""

    def __init__(
        self,
        work: WorkingTree,
        state: _State,
        below: Sequence[str],
        changes: Sequence[Change],
        *,
        is_exact: bool,
        with_git: bool,
    ) -> None:
        self._work = work
        self._state = state
        self._below = below
        self._with_git = with_git
        asked = [(_refusal(work, each), each) for each in changes if is_exact or each.status != "D"]
        self._wanted = [each for why, each in asked if not why]
        self._refused = tuple((why, each.path) for why, each in asked if why)
        self._git_now = git_state.read(work.shadow)
        self._in_git = git_state.differences(state.git, self._git_now)
        modes, self._times = state.other_attributes(below, [each.path for each in changes])
        self._modes = [*modes, *(each or "." for each, *_ in state.other_folders(below))]
        self._folders = state.missing_folders(below)
        self._parted = state.parted(below)

    def nothing_yet(self, kept: Kept) -> Applied:
        """The answer as long as nothing is restored."""
        saved = SnapshotResult(top=self._work.top)
        return Applied(kept.id, saved, (), self._refused, tuple(self._in_git))

    def is_empty(self) -> bool:
        of_files = (self._wanted, self._modes, self._times, self._parted, self._folders)
        return not (any(of_files) or (self._with_git and self._in_git))

    def described(self) -> _Outcomes:
        """What a dry run says would be done."""
        parts = (
            *((_verb(each), each.path) for each in self._wanted),
            *((_MODE, path) for path in self._modes),
            *((_NAMES, path) for path in self._parted),
            *((_FOLDER, path) for path in self._folders),
            *((_TIME, path) for path in self._times),
            *(("restored", each) for each in self._in_git if self._with_git),
        )
        return tuple((_PLANNED[what], path) for what, path in parts)

    def paths(self) -> list[str]:
        """Every file that may be written."""
        return [*(each.path for each in self._wanted), *self._state.joined()]

    def carry_out(self, saved: str) -> tuple[_Outcomes, _Outcomes]:
        """Restore; what was done, and what was not, and why. ``saved`` is the tree as it was until now."""
        done, left = write_back(self._work, saved, self._wanted)
        written = [path for what, path in done if what != _REMOVED]
        paths = [*written, *self._parted, *self._times]
        done += self._state.give_back(self._below, paths, self._modes)
        done += tuple((_NAMES, path) for path in self._parted if path not in written)
        done += tuple((_TIME, path) for path in self._times if path not in self._parted)
        if self._with_git:
            outcomes = list(git_state.restore(self._work.shadow, self._state.git, self._git_now))
            done += tuple((what, name) for what, name, _ in outcomes if what)
            left += tuple((why, name) for _, name, why in outcomes if why)
        return done, left


def _data(work: WorkingTree, ident: str) -> dict[str, Any]:
    try:
        with work.shadow.blobs() as blobs:
            data = json.loads(b"".join(blobs.read(ident)))
    except (GitFailed, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _is_wanted(path: str, below: Sequence[str]) -> bool:
    return not below or any(one == "." or is_within(path, one) for one in below)


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
