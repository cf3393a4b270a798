"""Taking a rehearsal's changes over: exactly these, into a project that is as it was.

A snapshot for undo is taken first, and nothing is overwritten or deleted that is not in it. Files are reached
folder by folder, never through a link: what another process puts in the way ends it.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress

from operators_edge.errors import AnswerIsNo
from operators_edge.project import wall_clock
from operators_edge.rehearsal.effects import folded, sorted_by_place
from operators_edge.system.project_root import top_of
from operators_edge.tuples import NamedTuple
from operators_edge.undo import worktree
from operators_edge.undo.restore import unhurried
from operators_edge.undo.snapshots import SnapshotReason, SnapshotResult, opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from operators_edge.rehearsal.effects import Change, Surroundings
    from operators_edge.rehearsal.service import Rehearsal

_PIECE = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_AGAIN = "rehearse it again, or let it run for real"
_MAX_BYTES = 1 << 30


class TakenOver(NamedTuple):
    """``saved`` is the snapshot with what was there before; its id is 0 if nothing of it was lost."""

    done: tuple[Change, ...]
    saved: SnapshotResult


def why_not(changes: Sequence[Change], around: Surroundings, *, cut: str, is_whole: bool) -> str:
    """Why these changes cannot be taken over, whatever the project is like; "" if they can. Pure."""
    groups = sorted_by_place(changes, around)
    if cut or not is_whole:
        return "the rehearsal is incomplete"
    moved = [
        each
        for each in groups.get("repository", [])
        if not each.is_folder and os.path.basename(each.path) not in ("index", "index.lock")
    ]
    if moved:
        return "it changes the repository itself; let it run for real"
    project = groups.get("project", [])
    if not project:
        return "it changes no file of the project"
    kinds = (stat.S_ISREG, stat.S_ISLNK, stat.S_ISDIR)
    odd = [
        each.path
        for each in project
        if not any(is_(each.new_mode or each.old_mode) for is_ in kinds)
    ]
    if odd:
        return f"{os.path.relpath(odd[0], around.project)} is no file, folder or link"
    if sum(each.size for each in project if each.what != "deleted") > _MAX_BYTES:
        return "it is too much"
    return ""


def take_over(
    rehearsal: Rehearsal,
    changes: Sequence[Change],
    around: Surroundings,
    *,
    env: Mapping[str, str] = os.environ,
    clock: Callable[[], datetime] = wall_clock,
) -> TakenOver:
    """Make the project's part of the changes; AnswerIsNo, and nothing is done, if it changed meanwhile."""
    wanted = sorted_by_place(changes, around).get("project", [])
    _require_unchanged(around, rehearsal.started)
    saved = _save(rehearsal, wanted, env, clock)
    _require_unchanged(around, rehearsal.started)
    uppers = {each.path: each.upper for each in rehearsal.layers}
    done: list[Change] = []
    try:
        with _writing(around.project, wanted, env):
            for each in _in_order(wanted):
                _apply(each, around.project, uppers)
                done.append(each)
            for each in reversed(done):
                if each.what == "created" and each.is_folder:
                    _apply(each._replace(what="mode"), around.project, uppers)
    except OSError as error:
        why = f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ")
        back = f"edge undo apply {saved.id} --exact" if saved.id else "edge undo list"
        text = f"only {len(done)} of {len(wanted)} changes could be taken over: {why}"
        raise AnswerIsNo(text, hint=back) from error
    return TakenOver(tuple(folded(done)), saved)


@contextmanager
def _writing(project: str, wanted: Sequence[Change], env: Mapping[str, str]) -> Iterator[None]:
    """If this process is killed, the next snapshot removes what it left; where there are snapshots."""
    if not top_of(project):
        yield
        return
    with (
        opened(project, project, env, unhurried(project)) as work,
        work.writing(os.path.relpath(each.path, work.top) for each in wanted),
    ):
        yield


def _in_order(wanted: Sequence[Change]) -> list[Change]:
    """Deletions first, then folders before what is in them."""
    deleted = [each for each in wanted if each.what == "deleted"]
    return [
        *deleted,
        *sorted((each for each in wanted if each.what != "deleted"), key=lambda x: x.path),
    ]


def _require_unchanged(around: Surroundings, started: int) -> None:
    """Nothing in the project changed since the rehearsal began, not even what the command only read."""
    skipped = {*around.repositories, os.path.join(around.project, ".proof")}
    left = [around.project]
    while left:
        folder = left.pop()
        if _is_new(os.lstat(folder), started) and folder != around.project:
            _refuse(folder, around)
        with os.scandir(folder) as entries:
            for each in entries:
                if each.path in skipped or each.name == ".git":
                    continue
                if each.is_dir(follow_symlinks=False):
                    left.append(each.path)
                elif _is_new(each.stat(follow_symlinks=False), started):
                    _refuse(each.path, around)


def _is_new(info: os.stat_result, started: int) -> bool:
    return info.st_ctime_ns > started


def _refuse(path: str, around: Surroundings) -> None:
    name = os.path.relpath(path, around.project)
    raise AnswerIsNo(
        f"nothing was taken over: {name} changed since the rehearsal began", hint=_AGAIN
    )


def _save(
    rehearsal: Rehearsal,
    wanted: Sequence[Change],
    env: Mapping[str, str],
    clock: Callable[[], datetime],
) -> SnapshotResult:
    """A snapshot with everything that would be lost; AnswerIsNo if it cannot hold all of it."""
    lost = [each for each in wanted if each.what in ("deleted", "changed")]
    if not lost:
        return SnapshotResult()
    reason = SnapshotReason(f"edge rehearse {rehearsal.command}")
    with opened(rehearsal.project, rehearsal.project, env, unhurried(rehearsal.project)) as work:
        seen = work.capture([each.path for each in lost])
        kept = set(work.shadow.entries(seen.tree))
        for each in lost:
            for path in _files_of(each):
                below = os.path.relpath(path, work.top)
                if below not in kept:
                    text = f"nothing was taken over: undo cannot keep {below}"
                    raise AnswerIsNo(text, hint="let it run for real")
        return work.keep(seen, reason, clock)


def _files_of(change: Change) -> Iterator[str]:
    if not change.is_folder or change.what != "deleted":
        yield change.path
        return
    for base, _, names in os.walk(change.path):
        yield from (os.path.join(base, name) for name in names)


# -- one change ------------------------------------------------------------------------------------


@contextmanager
def _folder_of(top: str, path: str) -> Iterator[tuple[int, str]]:
    """The folder of a path below ``top``, opened without following a link, and its last component."""
    *folders, name = os.path.relpath(path, top).split(os.sep)
    here = os.open(top, _FOLDER)
    try:
        for each in folders:
            inner = os.open(each, _FOLDER, dir_fd=here)
            os.close(here)
            here = inner
        yield here, name
    finally:
        os.close(here)


def _apply(change: Change, project: str, uppers: Mapping[str, int]) -> None:
    with _folder_of(project, change.path) as (folder, name):
        if change.what == "deleted":
            _remove(folder, name)
        elif change.what == "mode":
            _set_mode(folder, name, change.new_mode)
        elif change.is_folder:
            os.mkdir(name, 0o700, dir_fd=folder)  # its own mode may forbid to write in it
        else:
            _write(change, folder, name, uppers)


def _remove(folder: int, name: str) -> None:
    if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=folder)
        return
    inner = os.open(name, _FOLDER, dir_fd=folder)
    try:
        for each in os.listdir(inner):
            _remove(inner, each)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=folder)


def _set_mode(folder: int, name: str, mode: int) -> None:
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        os.fchmod(file, stat.S_IMODE(mode))
    finally:
        os.close(file)


def _write(change: Change, folder: int, name: str, uppers: Mapping[str, int]) -> None:
    """Put a file or link in place at once; what is there is in the snapshot."""
    draft = worktree.draft_name()
    layer = max(
        (each for each in uppers if change.path.startswith(f"{each.rstrip('/')}/")), key=len
    )
    path = os.path.relpath(change.path, layer)
    with _folder_below(uppers[layer], os.path.dirname(path)) as source:
        try:
            if change.is_link:
                os.symlink(os.readlink(os.path.basename(path), dir_fd=source), draft, dir_fd=folder)
            else:
                _copy(source, os.path.basename(path), folder, draft, change.new_mode)
            os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):  # it may never have been made
                os.unlink(draft, dir_fd=folder)
            raise


@contextmanager
def _folder_below(top: int, path: str) -> Iterator[int]:
    here = os.dup(top)
    try:
        for each in filter(None, path.split(os.sep)):
            inner = os.open(each, _FOLDER, dir_fd=here)
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)


def _copy(source: int, name: str, folder: int, draft: str, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    reading = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=source)
    with (
        os.fdopen(reading, "rb") as given,
        os.fdopen(os.open(draft, flags, 0o600, dir_fd=folder), "wb") as file,
    ):
        while piece := given.read(_PIECE):
            file.write(piece)
        os.fchmod(file.fileno(), stat.S_IMODE(mode))


# end of module
