"""Snapshots of the working tree, taken before a call that can destroy uncommitted work.

Owns when one is taken, what goes into it and how many are kept. Does not own git's plumbing
(``git.objects``), which calls destroy work (the rules), or restoring (``undo.restore``). The user's index,
HEAD, branches, stashes and configuration are never touched.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import stat
import time
from fnmatch import fnmatchcase

from operators_edge import jsons
from operators_edge.contexts import contextmanager, suppress
from operators_edge.errors import EdgeError, StateError
from operators_edge.gate.paths import fixed_part
from operators_edge.git import refs
from operators_edge.git.commands import Budget, GitFailed
from operators_edge.git.objects import (
    NAMESPACE,
    Repository,
    Shadow,
    find,
    first_files,
    require_files,
)
from operators_edge.locations import is_within
from operators_edge.model import OWN_PATHS, UNDO_MEGABYTES
from operators_edge.project import wall_clock
from operators_edge.storage import files, keys
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.project_root import (
    git_folder,
    is_of_project,
    same_place,
    shared_folder,
    top_of,
)
from operators_edge.system.user_dirs import undo_dir
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple
from operators_edge.undo import attributes, first_index, git_state, repositories, worktree
from operators_edge.undo.budget import Sizes
from operators_edge.undo.ignored import OWN, NamedFiles, parents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from typing import Any

    from operators_edge.git.objects import Kept
    from operators_edge.model import Finding

    Clock = Callable[[], datetime]

MAX_REPOSITORIES = 8
_MAX_LEFT_OUT = 20
_MAX_NAMED = 3
_LARGE = 8 << 20
_PACE = 60 << 20
"""Bytes of large files that are stored in a second, about."""

_REST = 1.0
"""Seconds that the rest of a snapshot takes, about."""

_WRITING = "writing"
"""The file that says where a process writes into the working tree."""
HELD_BY_GIT, APART = "git has them", "is a repository of its own"
"""How a remark ends about what is left out, and not lost; or kept in another snapshot, if it is at stake."""

UNREADABLE = " cannot be read"
"""How a file is left out that may not be read, behind its path."""


class Bounds(NamedTuple):
    """``seconds`` is the time for all of git's work: before a call, well below the hook's deadline of 10.

    ``keep`` is how many snapshots of a repository are kept, besides those younger than ``young`` seconds:
    many calls in a row do not push out the work of an hour ago. If those are ``most``, none is taken.
    Sizes are in bytes: all together take at most ``total``; a file larger than ``file`` is left out, and so
    are ignored files that a call names, beyond ``ignored_file`` each, and ``ignored_bytes`` and
    ``ignored_files`` in total. What is left out is reported.
    """

    seconds: float = 4.0
    keep: int = 50
    young: int = 24 * 3600
    most: int = 1_000
    total: int = UNDO_MEGABYTES << 20
    file: int = 100 << 20
    ignored_file: int = 20 << 20
    ignored_bytes: int = 100 << 20
    ignored_files: int = 2_000


BEFORE_CALL = Bounds()


class SnapshotReason(NamedTuple):
    """The call before which a snapshot is taken; ``command`` is redacted."""

    command: str
    session: str = ""
    agent: str = ""
    call: str = ""


class SnapshotResult(NamedTuple):
    """A snapshot; ``id`` is 0 if there is none, and ``missing_because`` is the reason.

    ``stored`` counts the files that had changed since the previous one; ``is_new`` is False if that one is
    the same. ``removed`` are older ones that made room. ``is_of_git``: the index, branches or stashes have
    something that the files have not. ``lacks`` are those of ``left_out`` that the call names.
    """

    id: int = 0
    top: str = ""
    tree: str = ""
    stored: int = 0
    left_out: tuple[str, ...] = ()
    is_new: bool = False
    ms: int = 0
    missing_because: str = ""
    is_of_git: bool = False
    removed: tuple[int, ...] = ()
    lacks: tuple[str, ...] = ()

    @property
    def ref(self) -> str:
        return f"{NAMESPACE}{self.id}" if self.id else ""

    def describe(self, root: str) -> str:
        """One line: how to undo the call, or why that is not possible."""
        if self.id:
            return f"To undo: {self.restore_command(root)}{self._without()}"
        where = os.path.relpath(self.top, root)
        of = "" if where == "." or where.startswith("..") else f" of {one_line(where, 100)}"
        return f"Operator's Edge has no snapshot{of} to undo this with: {self.missing_because}."

    def _without(self) -> str:
        missing = [each for each in self.left_out if not each.endswith((HELD_BY_GIT, APART))]
        more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
        named = one_line(", ".join(missing[:_MAX_NAMED]), 300)
        return f" (not in it: {named}{more})" if missing else ""

    def restore_command(self, root: str) -> str:
        """The command that applies it, for the project at ``root``."""
        words = f"edge undo apply {self.id}" + (" --git" if self.is_of_git else "")
        return words if is_within(root, self.top) else f"{words} --project {shlex.quote(self.top)}"

    def as_data(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "ref": self.ref,
            "tree": self.tree,
            "files": self.stored,
            "ms": self.ms,
            "top": self.top,
            "why_not": self.missing_because,
            "left_out": list(self.left_out[:_MAX_LEFT_OUT]),
            "removed": list(self.removed),
        }


# -- before a call ---------------------------------------------------------------------------------


def before_call(
    root: str,
    findings: Sequence[Finding],
    reason: SnapshotReason,
    *,
    env: Mapping[str, str],
    clock: Clock = wall_clock,
    bounds: Bounds = BEFORE_CALL,
) -> list[SnapshotResult]:
    """A snapshot of each repository of the project that the findings are about; never raises.

    It is the last one if nothing changed since. What the findings name is stored even if git ignores it.
    Empty if everything that they name is outside the project.
    """
    folders = _folders(root, findings)
    if folders is None:
        return []
    if not folders:
        return [SnapshotResult(top=root, missing_because="the project is not a git repository")]
    targets = tuple(dict.fromkeys(path for each in findings for path in _targets(each)))
    inside = repositories.touched(root, folders, findings)
    results: list[SnapshotResult] = []
    # Which folders go is not known of what names none, such as "git stash -u && git stash drop".
    anywhere = [""] if any(not one.targets and one.effect != "allow" for one in findings) else []
    began = time.monotonic()
    for folder in dict.fromkeys([*folders, *inside]):
        started = time.monotonic()
        left = bounds.seconds - (started - began)
        why = inside.get(folder, "")
        if len(results) >= MAX_REPOSITORIES or (results and left <= 0):
            why = why or "too many repositories are concerned"
        if why:
            results.append(SnapshotResult(top=folder, missing_because=why))
            continue
        try:
            place = root if is_within(folder, root) else same_place(root, folder) or root
            with opened(folder, place, env, bounds._replace(seconds=max(0.0, left))) as work:
                seen = work.capture(targets, folders=anywhere)
                taken = work.keep(seen, reason, clock)
            if any(each.radius == "commits" for each in findings):
                taken = taken._replace(is_of_git=True)
            taken = taken._replace(lacks=tuple(_named_of(taken.left_out, targets, folder)))
        except (EdgeError, OSError, ValueError) as error:  # ValueError: a name that no disk accepts
            why = one_line(str(error), 300)
            taken = SnapshotResult(top=folder, ms=_since(started), missing_because=why)
        results.append(taken)
    return results


def _named_of(left_out: Iterable[str], targets: Iterable[str], top: str) -> Iterator[str]:
    """The remarks about files that are among the targets, or below them."""
    named = [os.path.relpath(path, top) for path in targets]
    for remark in left_out:
        if not remark.endswith((HELD_BY_GIT, APART, OWN)) and any(
            path == "." or remark.startswith(f"{path}/") or fnmatchcase(remark, f"{path} *")
            for path in named
        ):
            yield remark


def _folders(root: str, findings: Sequence[Finding]) -> list[str] | None:
    """The top folders of the repositories concerned, the project's own first; None: all are outside."""
    existing = [_existing(start) for start in _starts(root, findings) or [root]]
    project_top = top_of(root)
    tops = {start: top_of(start) for start in existing}
    ours = [
        top
        for start, top in tops.items()
        if is_within(start, root) or (top and top != project_top and is_of_project(top, root))
    ]
    if ours:
        found = dict.fromkeys(filter(None, ours))
        return sorted(found, key=lambda top: top != project_top)
    is_around = project_top and any(is_within(start, project_top) for start in existing)
    return [project_top] if is_around else None


def _starts(root: str, findings: Sequence[Finding]) -> list[str]:
    """The folders in whose repositories the findings are."""
    starts = [one for each in findings for path in each.targets for one in _starts_of(path, root)]
    return [*starts, *(each.cwd or root for each in findings if not _names_all(each))]


def _names_all(finding: Finding) -> bool:
    """Whether it is about what it names and nothing else: no word of the command is unknown."""
    return bool(finding.targets) and "text" not in dict(finding.detail)


def _targets(finding: Finding) -> tuple[str, ...]:
    """What the finding names; its working folder, if it is about files and names none."""
    if finding.targets or finding.radius != "files" or not finding.cwd:
        return finding.targets
    return (finding.cwd,)


def _starts_of(target: str, root: str) -> list[str]:
    """The folders whose repositories lose the target: the project's, if the target contains all of that.

    A repository is lost to itself, and to the one around it.
    """
    path = fixed_part(target)
    holds_all = os.path.isdir(path) and is_within(root, os.path.realpath(path))
    around = root if holds_all else os.path.dirname(path)
    return [path, around] if os.path.lexists(os.path.join(path, ".git")) else [around]


def _existing(path: str) -> str:
    """The nearest existing folder, with links resolved."""
    while path != os.path.dirname(path) and not os.path.isdir(path):
        path = os.path.dirname(path)
    return os.path.realpath(path)


# -- one working tree ---------------------------------------------------------------------------------


class StoredTree(NamedTuple):
    tree: str
    stored: int
    left_out: tuple[str, ...]
    named: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    """Empty folders in what the call names."""


@contextmanager
def opened(
    folder: str,
    root: str,
    env: Mapping[str, str],
    bounds: Bounds,
    *,
    known: Repository | None = None,
) -> Iterator[WorkingTree]:
    """The working tree around the folder, locked for this process; ``known`` if git was asked before."""
    started = time.monotonic()
    budget = Budget(bounds.seconds)
    repository = known or find(folder, budget)
    # One lock for all working trees of a repository: they share the numbers.
    shared = undo_dir(repository.common, env)
    make_user_dir(env, "undo")
    files.ensure_private_dir(shared)
    lock = os.path.join(shared, "lock")
    with files.Lock(lock, command="edge undo", limit=budget.require_left()):
        own = undo_dir(repository.common, env, repository.top)
        prepare(repository, own)
        shadow = Shadow(repository, own, budget)
        yield WorkingTree(shadow, root, bounds, started, env)


def is_used(folder: str, env: Mapping[str, str]) -> bool:
    """Whether there may be snapshots of the repository around the folder; looking prepares nothing."""
    common = shared_folder(git_folder(os.path.realpath(folder)))
    if common and os.path.isdir(undo_dir(common, env)):
        return True
    require_files(folder)
    if common and refs.has_none(common, NAMESPACE):
        return False
    return bool(Budget().ask(folder, "for-each-ref", "--count=1", NAMESPACE))  # it was moved


def forget(common: str, top: str, env: Mapping[str, str]) -> None:
    """Remove what is kept of a working tree that is gone; its snapshots stay. Raises OSError.

    ``common`` is the folder that the repository's worktrees share.
    """
    folder = undo_dir(common, env, top)
    if os.path.isdir(folder):
        shutil.rmtree(folder)


def prepare(repository: Repository, folder: str) -> None:
    """Complete the shadow folder, and remove what a killed process left in it."""
    for name, text in first_files(repository.form).items():
        path = os.path.join(folder, name)
        if not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            files.write_durable(path, text.encode())
    ignored = files.read_bytes(repository.exclude) or b""
    path = os.path.join(folder, "info", "exclude")
    if files.read_bytes(path) != ignored:
        files.write_durable(path, ignored)
    worktree.sweep(os.path.join(folder, _WRITING))
    for name in ("index.lock", "index.draft", "index.draft.lock", "named", "named.lock"):
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))


class WorkingTree:
    """One working tree and the shadow index that stores it."""

    def __init__(
        self,
        shadow: Shadow,
        root: str,
        bounds: Bounds,
        started: float,
        env: Mapping[str, str],
    ) -> None:
        self._env = env
        self.shadow = shadow
        self.sizes = Sizes(os.path.dirname(shadow.folder), shadow, bounds.total)
        self._added = 0
        self.bounds = bounds
        self.top = shadow.repository.top
        self._started = started
        below = os.path.relpath(os.path.realpath(root), self.top).replace(os.sep, "/")
        base = "" if below == "." else f"{below}/"
        self._own = () if below.startswith("..") else tuple(base + name for name in OWN_PATHS)
        self._linked: dict[str, bool] = {}
        self._infos: dict[str, os.stat_result] = {}
        self._known = attributes.Known(shadow)

    def writing(
        self, paths: Iterable[str], *, is_of_git: bool = False
    ) -> AbstractContextManager[None]:
        """While files are written at these paths: if this process is killed, the next one tidies up."""
        record = os.path.join(self.shadow.folder, _WRITING)
        index = self.shadow.repository.users_index if is_of_git else ""
        return worktree.noted(record, self.top, paths, index)

    # -- capturing -------------------------------------------------------------------------------

    def capture(
        self,
        targets: Iterable[str] = (),
        *,
        also: Iterable[str] = (),
        folders: Iterable[str] = (),
    ) -> StoredTree:
        """Store the current tree, with these ignored files: absolute ``targets``, and relative paths.

        Empty folders are looked for in the targets and in ``folders``, relative to the top ("" is the top).
        """
        stored, left_out = self._update_index()
        named = NamedFiles(self)
        named.add_files(also)
        for target in targets:
            named.add_target(target)
        left_out += named.left_out
        empty = tuple(
            attributes.empty_folders(self.shadow, {**named.folders, **dict.fromkeys(folders)})
        )
        if not named.paths:
            return StoredTree(self.shadow.tree(), stored, tuple(left_out), empty=empty)
        apart = os.path.join(self.shadow.folder, "named")
        known = files.read_bytes(self.shadow.index)
        if known is not None:  # git reads an empty index as a damaged one
            with open(apart, "wb") as file:
                file.write(known)
        self._added += sum(self._infos[path].st_size for path in named.paths)
        self._store(named.paths, [], index=apart)
        tree = self.shadow.tree(index=apart)
        return StoredTree(tree, stored, tuple(left_out), tuple(named.paths), empty)

    def _update_index(self) -> tuple[int, list[str]]:
        """Update the shadow's index to the working tree; if a file changes meanwhile, try once more."""
        adopted = first_index.adopt(self.shadow, self._own)
        self._known.update(self._attributes(adopted))
        for attempt in (1, 2):
            changed, new = self.shadow.differences()
            stamp = self._index_stamp()
            kept = os.path.join(self.shadow.folder, "seen")
            if is_new_index := stamp != (files.read_bytes(kept) or b""):
                new = [*new, *self.shadow.tracked_although_ignored()]
            self._linked.clear()
            self._infos.clear()
            elsewhere = self.shadow.unchanged_behind_filter(new)
            new = [path for path in new if path not in elsewhere]
            paths, gone, left_out = self._partition(changed, new)
            if elsewhere:
                left_out.append(f"{len(elsewhere)} unchanged files behind a filter: {HELD_BY_GIT}")
            found = {path: self._infos[path] for path in paths}
            self._added = sum(each.st_size for each in found.values())
            self._known.update(self._attributes(found) | dict.fromkeys(gone))
            try:
                self._store(paths, gone)
            except GitFailed:
                self.shadow.budget.require_left()
                if attempt == 2:
                    raise
                continue
            if is_new_index:
                with open(kept, "wb") as file:
                    file.write(stamp)
            break
        return len(paths) + len(gone), left_out

    def _attributes(
        self, found: dict[str, os.stat_result]
    ) -> dict[str, attributes.Attributes | None]:
        return {
            path: attributes.of_info(info, f"{self.top}/{path}") for path, info in found.items()
        }

    def _store(self, paths: Iterable[str], gone: list[str], *, index: str = "") -> None:
        large = [path for path in paths if self._infos[path].st_size > _LARGE]
        apart = set(large)
        self.shadow.store([path for path in paths if path not in apart], gone, index=index)
        self.shadow.store(large, [], index=index, is_large=True)

    def _index_stamp(self) -> bytes:
        try:
            info = os.stat(self.shadow.repository.users_index)
        except OSError:
            return b""
        return f"{info.st_size} {info.st_mtime_ns} {info.st_ino}".encode()

    def _partition(
        self, changed: list[str], new: list[str]
    ) -> tuple[list[str], list[str], list[str]]:
        """Paths to store, deleted paths, and sentences about what is left out."""
        before = set(changed)
        paths, gone, left_out = [], [], []
        large = 0
        for path in dict.fromkeys([*changed, *new]):
            if self.is_own(path):
                continue
            if path.endswith("/"):
                left_out.append(f"{path} {APART}")
                continue
            why = self.refusal(path, self.bounds.file)
            if why is None and (size := self._infos[path].st_size) > _LARGE:
                if self.shadow.budget.left < _REST + (large + size) / _PACE:
                    why = f"has {size >> 20} MB, for which there was no time"
                else:
                    large += size
            if why is None:
                paths.append(path)
                continue
            if path in before:
                gone.append(path)
            if why:
                left_out.append(f"{path} {why}")
        return paths, gone, left_out

    def is_own(self, path: str) -> bool:
        """Whether it is one of the product's own files, which are restored in their own way (PR-9)."""
        return any(is_within(path.rstrip("/"), own) for own in self._own)

    def refusal(self, path: str, limit: int) -> str | None:
        """Why a path cannot be stored; None if it can, "" if there is no such file."""
        full = os.path.join(self.top, path)
        try:
            info = os.lstat(full)
        except (OSError, ValueError):
            return ""
        if self._is_below_link(os.path.dirname(path)) or stat.S_ISDIR(info.st_mode):
            return ""
        self._infos[path] = info
        if stat.S_ISLNK(info.st_mode):
            return None
        if not stat.S_ISREG(info.st_mode):
            return "is not an ordinary file"
        if info.st_size > limit:
            return f"has {info.st_size >> 20} MB"
        return None if os.access(full, os.R_OK) else UNREADABLE.lstrip()

    def _is_below_link(self, folder: str) -> bool:
        if not folder:
            return False
        known = self._linked.get(folder)
        if known is None:
            known = os.path.islink(os.path.join(self.top, folder)) or self._is_below_link(
                os.path.dirname(folder)
            )
            self._linked[folder] = known
        return known

    # -- numbering -------------------------------------------------------------------------------

    def keep(self, seen: StoredTree, reason: SnapshotReason, clock: Clock) -> SnapshotResult:
        """Store the tree as the next snapshot, unless the last one of this working tree is the same."""
        kept = self.shadow.kept()
        last = next((each for each in kept if details(each).get("top") == self.top), None)
        state = self.state(seen)
        taken = SnapshotResult(0, self.top, seen.tree, seen.stored, seen.left_out)
        taken = taken._replace(is_of_git=git_state.is_more_than_files(state["git"]))
        data = jsons.dumps(state).encode()
        ident = content_id(data, self.shadow.repository.form)
        if last is not None and (last.tree, details(last).get("state")) == (seen.tree, ident):
            return taken._replace(id=last.id, ms=_since(self._started))
        now = max(0, int(clock().timestamp()))  # git takes no time before 1970
        old = self._outdated(kept, now)
        self._require_room(kept, old)
        about = self._keep_state(data, state, now)
        text = _message(seen, reason, self.top, ident)
        parents_of = filter(None, (state["git"]["at"], about))
        commit = self.shadow.commit(seen.tree, text, now, parents_of)
        left = [each for each in kept if each not in old]
        large = self.sizes.too_old(left, self._added + len(data), commit, now)
        self.sizes.removed(old, "age", now)
        self.sizes.removed(large, "space", now)
        for attempt in (1, 2, 3):
            number = kept[0].id + 1 if kept else 1
            try:
                self.shadow.keep(number, commit, [*old, *large])
                self.sizes.added(number)
                break
            except GitFailed:
                # A process that does not see our lock, on another machine say, took the number first.
                if attempt == 3:
                    raise
                kept = self.shadow.kept()
        gone = tuple(each.id for each in large)
        return taken._replace(id=number, is_new=True, removed=gone, ms=_since(self._started))

    def state(self, seen: StoredTree) -> dict[str, Any]:
        """What a tree of git's does not hold: permissions, times, folders, and what git itself had.

        Signed: nobody else can have an undo restore something, or put another tree in its place.
        """
        listed, changed = self._known.complete()
        apart = {path: attributes.of_file(os.path.join(self.top, path)) for path in seen.named}
        folders = {*self._known.folders(), *seen.empty}
        folders |= parents(folders) | parents(seen.named)
        had = attributes.of_folders(self.top, sorted(folders))
        state = {
            "tree": seen.tree,
            "list": listed,
            "changed": changed | apart,
            "folders": had.modes,
            "extended": had.extended,
            "usual": attributes.usual_mode(),
            "empty": list(seen.empty),
            "git": git_state.read(self.shadow),
        }
        return keys.signed(self.shadow.repository.common, state, env=self._env)

    def is_genuine(self, state: Mapping[str, Any], tree: str, top: str) -> bool:
        """Whether this person's key signed it, for this tree, when the working tree was at ``top``."""
        is_signed = keys.is_genuine(self.common_at(top), state, env=self._env)
        return is_signed and state.get("tree") == tree

    def common_at(self, top: str) -> str:
        """Where the repository's folder was when the working tree was at ``top``: both moved together."""
        common = self.shadow.repository.common
        return (
            common
            if top == self.top
            else os.path.abspath(os.path.join(top, os.path.relpath(common, self.top)))
        )

    def _keep_state(self, data: bytes, state: dict[str, Any], now: int) -> str:
        """The commit that keeps the state, and with it all commits and contents that it names."""
        shadow = self.shadow
        staged = git_state.staged_contents(state["git"])
        held = {"state": shadow.blob(data), "list": state["list"]}
        try:
            tree = shadow.flat_tree(held | {f"staged-{each}": each for each in staged})
        except GitFailed:
            self._known.forget()  # it was removed with the snapshots that had it
            raise
        return shadow.commit(
            tree,
            "edge: what the files of a snapshot had\n",
            now,
            git_state.tips(shadow, state["git"]),
        )

    def _outdated(self, kept: Sequence[Kept], now: int) -> list[Kept]:
        """The snapshots that the next one replaces: beyond the newest, and old enough."""
        beyond = kept[self.bounds.keep - 1 :]
        return [each for each in beyond if now - each.time >= self.bounds.young]

    def _require_room(self, kept: Sequence[Kept], old: Sequence[Kept]) -> None:
        """Raise StateError rather than drop what was kept a moment ago."""
        if len(kept) - len(old) >= self.bounds.most:
            raise StateError(f"there are {len(kept)} snapshots of the last day already")


def content_id(data: bytes, form: str) -> str:
    """The id that git gives to these bytes."""
    digest = hashlib.new(form, usedforsecurity=False)
    digest.update(b"blob %d\0" % len(data) + data)
    return digest.hexdigest()


def _message(seen: StoredTree, reason: SnapshotReason, top: str, state: str) -> str:
    body = {
        "command": one_line(reason.command, 600),
        "session": reason.session,
        "agent": reason.agent,
        "call": reason.call,
        "top": top,
        "state": state,
        "left_out": list(seen.left_out[:_MAX_LEFT_OUT]),
        "more_left_out": max(0, len(seen.left_out) - _MAX_LEFT_OUT),
    }
    return f"edge: before {one_line(reason.command, 60)}\n\n{jsons.dumps(body)}\n"


def details(kept: Kept) -> dict[str, Any]:
    """The data in a snapshot's message; {} if it is not ours."""
    try:
        body = jsons.loads(kept.message.partition("\n\n")[2])
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


# end of module
