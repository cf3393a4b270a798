"""Snapshots of the work tree, taken before a call that can destroy what is not committed.

Owns when one is taken, what goes into it and how many are kept. Does not own git's plumbing
(``git.objects``), which calls destroy (the rules), or the way back (``undo.restore``). The user's
index, HEAD, branches, stashes and configuration are never touched.
"""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import EdgeError
from operators_edge.gate.paths import fixed_part, is_within
from operators_edge.git.objects import (
    NAMESPACE,
    Deadline,
    GitFailed,
    Repository,
    Shadow,
    find,
    first_files,
)
from operators_edge.model import OWN_PATHS
from operators_edge.project import wall_clock
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.user_dirs import project_id
from operators_edge.text.wording import one_line
from operators_edge.undo.ignored import Named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from operators_edge.git.objects import Kept
    from operators_edge.model import Finding

    Clock = Callable[[], datetime]

MAX_REPOSITORIES = 3
_SHOWN_LEFT_OUT = 20


class Bounds(NamedTuple):
    """``seconds`` are for all of git's work: before a call well below the hook's deadline of 10.

    ``kept`` snapshots of a repository stay. Sizes are in bytes: a larger ``file`` is left out, and so
    is what git ignores and a call names, beyond ``ignored_file`` each and ``ignored_bytes`` and
    ``ignored_files`` together. What is left out is said.
    """

    seconds: float = 4.0
    kept: int = 50
    file: int = 100 << 20
    ignored_file: int = 20 << 20
    ignored_bytes: int = 100 << 20
    ignored_files: int = 2_000


BEFORE_CALL = Bounds()


class SnapshotReason(NamedTuple):
    """What a snapshot is taken before; ``command`` is redacted."""

    command: str
    session: str = ""
    agent: str = ""
    call: str = ""


class SnapshotResult(NamedTuple):
    """``id`` is 0 where there is none, and ``why_not`` says why. ``stored`` counts files that had
    changed since the one before; ``is_new`` is False where that one holds the same tree.
    """

    id: int = 0
    top: str = ""
    tree: str = ""
    stored: int = 0
    left_out: tuple[str, ...] = ()
    is_new: bool = False
    ms: int = 0
    why_not: str = ""

    @property
    def ref(self) -> str:
        return f"{NAMESPACE}{self.id}" if self.id else ""

    def told(self, root: str) -> str:
        """One line for whoever may need it."""
        if self.id:
            return f"To undo: {self.way_back(root)}"
        return f"Operator's Edge has no snapshot to undo this with: {self.why_not}."

    def way_back(self, root: str) -> str:
        """The command that applies it, from the project at ``root``."""
        if is_within(root, self.top):
            return f"edge undo apply {self.id}"
        import shlex  # noqa: PLC0415 - for repositories inside repositories

        return f"edge undo apply {self.id} --project {shlex.quote(self.top)}"

    def as_data(self) -> dict[str, Any]:
        told = {"id": self.id, "ref": self.ref, "tree": self.tree, "files": self.stored}
        told |= {"ms": self.ms, "top": self.top, "why_not": self.why_not}
        return told | {"left_out": list(self.left_out[:_SHOWN_LEFT_OUT])}


# -- before a call ---------------------------------------------------------------------------------


def before_call(
    root: str,
    findings: Sequence[Finding],
    about: SnapshotReason,
    *,
    env: Mapping[str, str],
    clock: Clock = wall_clock,
    bounds: Bounds = BEFORE_CALL,
) -> list[SnapshotResult]:
    """A snapshot of each repository of the project that the findings are about; never raises.

    Empty where what they name lies outside the project: there is nothing of it to lose.
    """
    folders = _folders(root, findings)
    if folders is None:
        return []
    if not folders:
        return [SnapshotResult(top=root, why_not="the project is no git repository")]
    targets = tuple(dict.fromkeys(path for each in findings for path in _targets(each)))
    return [
        _safely(
            folder, root=root, targets=targets, about=about, env=env, clock=clock, bounds=bounds
        )
        for folder in folders[:MAX_REPOSITORIES]
    ]


def _safely(folder: str, **how: Any) -> SnapshotResult:
    started = time.monotonic()
    try:
        return take(folder, **how)
    except EdgeError as error:
        why = error.message
    except (OSError, ValueError) as error:  # also a name that no file system takes
        why = str(error)
    return SnapshotResult(top=folder, ms=_since(started), why_not=one_line(why, 300))


def _folders(root: str, findings: Sequence[Finding]) -> list[str] | None:
    """The tops of the repositories in question, the project's own first; None: all is outside."""
    named = [path for each in findings for path in each.targets]
    starts = [_start_of(path, root) for path in named]
    starts += [each.cwd or root for each in findings if not each.targets]
    ours = [start for start in starts or [root] if is_within(_existing(start), root)]
    project_top = _top(root)
    if not ours:
        is_around = project_top and any(is_within(_existing(s), project_top) for s in starts)
        return [project_top] if is_around else None
    tops = dict.fromkeys(top for start in ours if (top := _top(_existing(start))))
    return sorted(tops, key=lambda top: top != project_top)


def _targets(finding: Finding) -> tuple[str, ...]:
    """What the finding names; the folder it works in, when that is about files and names none."""
    if finding.targets or finding.radius != "files" or not finding.cwd:
        return finding.targets
    return (finding.cwd,)


def _start_of(target: str, root: str) -> str:
    """The folder whose repository loses the target: the project's, where it holds all of that."""
    path = fixed_part(target)
    holds_all = os.path.isdir(path) and is_within(root, os.path.realpath(path))
    return root if holds_all else os.path.dirname(path)


def _existing(path: str) -> str:
    """The nearest folder that is there, links followed."""
    while path != os.path.dirname(path) and not os.path.isdir(path):
        path = os.path.dirname(path)
    return os.path.realpath(path)


def _top(folder: str) -> str:
    """The folder with ``.git`` at or above; "" for none. Git itself is asked later."""
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def take(
    folder: str,
    *,
    root: str,
    about: SnapshotReason,
    targets: Iterable[str] = (),
    env: Mapping[str, str] = os.environ,
    clock: Clock = wall_clock,
    bounds: Bounds = BEFORE_CALL,
) -> SnapshotResult:
    """A snapshot of the repository around the folder, or the last one when nothing changed since.

    ``targets`` are absolute paths, with globs, that are stored also where git ignores them. Raises
    EdgeError or OSError when there can be none.
    """
    with opened(folder, root, env, bounds) as work:
        return work.keep(work.look(targets), about, clock)


# -- one work tree ---------------------------------------------------------------------------------


class Seen(NamedTuple):
    tree: str
    stored: int
    left_out: tuple[str, ...]
    named: tuple[str, ...] = ()


@contextmanager
def opened(folder: str, root: str, env: Mapping[str, str], bounds: Bounds) -> Iterator[Work]:
    """The work tree around the folder, for this process alone."""
    started = time.monotonic()
    deadline = Deadline(bounds.seconds)
    repository = find(folder, deadline)
    # One lock for all work trees of a repository: they share the numbers.
    shared = make_user_dir(env, "undo", project_id(repository.common))
    lock = os.path.join(shared, "lock")
    with files.Lock(lock, command="edge undo", limit=deadline.left()):
        own = os.path.join(shared, project_id(repository.top))
        _prepare(repository, own)
        yield Work(Shadow(repository, own, deadline), root, bounds, started)


def _prepare(repository: Repository, folder: str) -> None:
    """Make the shadow folder whole, and take away what a killed process left in it."""
    for name, text in first_files(repository.form).items():
        path = os.path.join(folder, name)
        if not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            files.write_durable(path, text.encode())
    ignored = files.read_bytes(repository.exclude) or b""
    path = os.path.join(folder, "info", "exclude")
    if files.read_bytes(path) != ignored:
        files.write_durable(path, ignored)
    for name in ("index.lock", "named", "named.lock"):
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))


class Work:
    """One work tree, open."""

    def __init__(self, shadow: Shadow, root: str, bounds: Bounds, started: float) -> None:
        self.shadow = shadow
        self.bounds = bounds
        self.top = shadow.repository.top
        self._started = started
        below = os.path.relpath(os.path.realpath(root), self.top).replace(os.sep, "/")
        base = "" if below == "." else f"{below}/"
        self._own = () if below.startswith("..") else tuple(base + name for name in OWN_PATHS)
        self._linked: dict[str, bool] = {}

    # -- looking ---------------------------------------------------------------------------------

    def look(self, targets: Iterable[str] = (), *, also: Iterable[str] = ()) -> Seen:
        """The tree as it is now, stored. ``also`` are relative paths to store whatever git ignores."""
        stored, left_out = self._bring_up()
        named = Named(self)
        named.add_files(also)
        for target in targets:
            named.add_target(target)
        left_out += named.left_out
        if not named.paths:
            return Seen(self.shadow.tree(), stored, tuple(left_out))
        apart = os.path.join(self.shadow.folder, "named")
        known = files.read_bytes(self.shadow.index)
        if known is not None:  # git takes an empty file for a damaged one
            with open(apart, "wb") as file:
                file.write(known)
        self.shadow.store(list(named.paths), [], index=apart)
        tree = self.shadow.tree(index=apart)
        return Seen(tree, stored, tuple(left_out), tuple(named.paths))

    def _bring_up(self) -> tuple[int, list[str]]:
        """Bring the shadow's index to the work tree; a file that changes meanwhile is tried again."""
        for attempt in (1, 2):
            changed, new = self.shadow.differences()
            stamp = self._stamp_of_users_index()
            kept = os.path.join(self.shadow.folder, "seen")
            if is_new_index := stamp != (files.read_bytes(kept) or b""):
                new = [*new, *self.shadow.tracked_although_ignored()]
            self._linked.clear()
            elsewhere = self.shadow.unchanged_behind_filter(new)
            new = [path for path in new if path not in elsewhere]
            paths, gone, left_out = self._sorted(changed, new)
            if elsewhere:
                left_out.append(f"{len(elsewhere)} unchanged files behind a filter: git has them")
            try:
                self.shadow.store(paths, gone)
            except GitFailed:
                self.shadow.deadline.left()
                if attempt == 2:
                    raise
                continue
            if is_new_index:
                with open(kept, "wb") as file:
                    file.write(stamp)
            break
        return len(paths) + len(gone), left_out

    def _stamp_of_users_index(self) -> bytes:
        try:
            found = os.stat(self.shadow.repository.users_index)
        except OSError:
            return b""
        return f"{found.st_size} {found.st_mtime_ns} {found.st_ino}".encode()

    def _sorted(self, changed: list[str], new: list[str]) -> tuple[list[str], list[str], list[str]]:
        """Paths to store, paths that are gone, and sentences on what is left out."""
        before = set(changed)
        paths, gone, left_out = [], [], []
        for path in dict.fromkeys([*changed, *new]):
            if self.is_own(path):
                continue
            if path.endswith("/"):
                left_out.append(f"{path} is a repository of its own")
                continue
            why = self.why_not(path, self.bounds.file)
            if why is None:
                paths.append(path)
                continue
            if path in before:
                gone.append(path)
            if why:
                left_out.append(f"{path} {why}")
        return paths, gone, left_out

    def is_own(self, path: str) -> bool:
        """One of the product's own files, which have a way back of their own (PR-9)."""
        return any(is_within(path.rstrip("/"), own) for own in self._own)

    def why_not(self, path: str, limit: int) -> str | None:
        """Why a path cannot be stored; None: it can. Empty: there is no such file."""
        full = os.path.join(self.top, path)
        try:
            found = os.lstat(full)
        except (OSError, ValueError):
            return ""
        if self._is_behind_link(os.path.dirname(path)) or stat.S_ISDIR(found.st_mode):
            return ""
        if stat.S_ISLNK(found.st_mode):
            return None
        if not stat.S_ISREG(found.st_mode):
            return "is no ordinary file"
        if found.st_size > limit:
            return f"has {found.st_size >> 20} MB"
        return None if os.access(full, os.R_OK) else "cannot be read"

    def _is_behind_link(self, folder: str) -> bool:
        if not folder:
            return False
        known = self._linked.get(folder)
        if known is None:
            known = os.path.islink(os.path.join(self.top, folder)) or self._is_behind_link(
                os.path.dirname(folder)
            )
            self._linked[folder] = known
        return known

    # -- keeping ---------------------------------------------------------------------------------

    def keep(self, seen: Seen, about: SnapshotReason, clock: Clock) -> SnapshotResult:
        """Put the tree under the next number, unless the last snapshot of this work tree is it."""
        kept = self.shadow.kept()
        last = next((each for each in kept if meaning(each).get("top") == self.top), None)
        taken = SnapshotResult(0, self.top, seen.tree, seen.stored, seen.left_out)
        if last is not None and last.tree == seen.tree:
            return taken._replace(id=last.id, ms=_since(self._started))
        now = int(clock().timestamp())
        commit = self.shadow.commit(seen.tree, _message(seen, about, self.top), now)
        for attempt in (1, 2, 3):
            number = kept[0].id + 1 if kept else 1
            try:
                self.shadow.keep(number, commit, kept[self.bounds.kept - 1 :])
                break
            except GitFailed:
                # Someone without our lock, such as another machine on the same folder, was quicker.
                if attempt == 3:
                    raise
                kept = self.shadow.kept()
        return taken._replace(id=number, is_new=True, ms=_since(self._started))


def _message(seen: Seen, about: SnapshotReason, top: str) -> str:
    body = {
        "command": one_line(about.command, 600),
        "session": about.session,
        "agent": about.agent,
        "call": about.call,
        "top": top,
        "left_out": list(seen.left_out[:_SHOWN_LEFT_OUT]),
        "more_left_out": max(0, len(seen.left_out) - _SHOWN_LEFT_OUT),
    }
    return f"edge: before {one_line(about.command, 60)}\n\n{json.dumps(body)}\n"


def meaning(kept: Kept) -> dict[str, Any]:
    """What a snapshot's message says; {} for one that is not ours."""
    try:
        body = json.loads(kept.message.partition("\n\n")[2])
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
