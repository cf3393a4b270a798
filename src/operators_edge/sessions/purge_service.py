"""Removing a project's data permanently: all of it, or what is older than a day.

Nothing stays half removed: what is to go is noted in the person's folder first, and a purge that was
interrupted is finished by the next one. Does not own the notes that explain a purge (``storage.purges``) or
who may order one (``cli.commands.purge``).
"""

from __future__ import annotations

import os
from contextlib import suppress

from operators_edge import jsons
from operators_edge.errors import AnswerIsNo, StateError
from operators_edge.git import commands as git
from operators_edge.git.objects import find
from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, STATE_FILE, is_within
from operators_edge.sessions import live
from operators_edge.storage import archive, bindings, files, purges, verify
from operators_edge.system.project_root import git_folder
from operators_edge.system.user_dirs import binding_path, project_id, undo_dir, user_dir
from operators_edge.text import timestamps
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from typing import Any

    from operators_edge.git.objects import Repository
    from operators_edge.project import Project
    from operators_edge.records import LogEntry

REFS = "refs/operators-edge/"
KEPT = ("edge.toml", "edge.proof.json", "reports")
"""What a person or the repository owns: a purge names it, and leaves it."""

_HISTORY = f"{PROOF_DIR}/history"
_EVALS = f"{PROOF_DIR}/evals"


class Item(NamedTuple):
    """One part that goes: ``what`` it is, where, how many files or entries, and their bytes."""

    what: str
    path: str
    number: int
    size: int


# -- everything ------------------------------------------------------------------------------------


def everything(root: str, env: Mapping[str, str]) -> list[Item]:
    """All that the product keeps of a project, as far as it exists."""
    found = [_measured(what, path) for what, path in _places(root, env)]
    names = _refs(root)
    refs = [Item("snapshots and work of the Bridge in git", REFS, len(names), 0)] if names else []
    return [each for each in found if each.number] + refs


def _places(root: str, env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    own, name = user_dir(env), project_id(root)
    yield "objective, plan, lessons, notes", os.path.join(root, STATE_FILE)
    yield "log, archive, earlier versions", os.path.join(root, PROOF_DIR)
    yield "tasks of the Bridge", os.path.join(root, HANDOFF_DIR)
    yield "grants and decisions", os.path.join(own, "projects", name)
    yield "trash", os.path.join(own, "trash", name)
    for each in bindings.session_bindings(env=env):
        if os.path.realpath(str(each.get("root"))) == os.path.realpath(root):
            yield "the folder of a session", binding_path(str(each["session"]), env)
    if git_folder(root):
        repository = find(root, git.Budget(5.0))
        yield "snapshots for undo", _undo_folder(repository, env)


def _undo_folder(repository: Repository, env: Mapping[str, str]) -> str:
    """What undo keeps of this working tree, or of the repository if that has no other one."""
    shared = undo_dir(repository.common, env)
    own = undo_dir(repository.common, env, repository.top)
    with suppress(FileNotFoundError), os.scandir(shared) as found:
        if all(each.path == own for each in found if each.is_dir()):
            return shared
    return own


def _refs(root: str) -> list[str]:
    if not git_folder(root):
        return []
    listed = git.Budget(5.0).run(root, "for-each-ref", "--format=%(refname)", REFS)
    return os.fsdecode(listed).split()


def _measured(what: str, path: str) -> Item:
    count = size = 0
    for each in _files(path):
        count += 1
        size += os.lstat(each).st_size
    return Item(what, path, count, size)


def _files(path: str) -> Iterator[str]:
    if os.path.isdir(path) and not os.path.islink(path):
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in names)
    elif os.path.lexists(path):
        yield path


def remove_everything(
    root: str, items: list[Item], env: Mapping[str, str], *, by: str, at: str, entries: int
) -> None:
    """Remove these parts permanently; a signed note stays in the person's folder."""
    mark = os.urandom(6).hex()
    note = {"by": by, "at": at, "entries": entries, "root": os.path.realpath(root)}
    paths = [[each.path, f"{each.path}.{mark}.purged"] for each in items if each.path != REFS]
    purges.keep(root, {**note, "left": paths}, env)
    _finish(root, paths, env)
    purges.keep(root, note, env)


def finish_interrupted(root: str, env: Mapping[str, str]) -> bool:
    """Finish a whole purge that was interrupted; False if none was."""
    note = purges.kept(root, env)
    if note is None or "left" not in note:
        return False
    _finish(root, note["left"], env)
    purges.keep(root, {k: v for k, v in note.items() if k not in ("left", "mac")}, env)
    return True


def _finish(root: str, paths: list[list[str]], env: Mapping[str, str]) -> None:
    """Each part goes out of its place at once, and is deleted there, with the folders that are empty then."""
    for path, doomed in paths:
        if os.path.lexists(path) and not os.path.lexists(doomed):
            os.rename(path, doomed)
    for name in _refs(root):
        git.ask(root, "update-ref", "-d", name)
    if left := _refs(root):
        raise StateError(f"git did not remove {left[0]}", hint="edge purge")
    for _, doomed in paths:
        if os.path.lexists(doomed):
            files.remove_tree(doomed)
        if os.path.lexists(doomed):
            raise StateError(f"{doomed} could not be removed", hint="edge purge")
        if is_within(doomed, own := user_dir(env)):
            files.remove_empty_folders(own, os.path.dirname(os.path.relpath(doomed, own)))


# -- what is old -----------------------------------------------------------------------------------


class Old(NamedTuple):
    """What is older than a time: log entries before number ``seq`` (0: none), and the parts."""

    seq: int
    items: list[Item]
    kept_for: str
    """Why older log entries stay; "" if none does."""


def older(project: Project, before: datetime) -> Old:
    """What a purge of old data would remove. The log keeps the current objective and running sessions."""
    seq, kept_for = _first_kept(project, before)
    log = [_of_log(project, seq)] if seq > 1 else []
    old = [entry for entry in archive.read(project.root).entries if _is_before(entry, before)]
    size = sum(len(jsons.dumps(each)) for each in old)
    parts = [Item("entries of the archive", archive.PATH, len(old), size)]
    for what, name in (("earlier versions of the state", _HISTORY), ("runs of invariants", _EVALS)):
        gone = _old_files(os.path.join(project.root, name), before)
        parts.append(Item(what, name, len(gone), sum(os.lstat(each).st_size for each in gone)))
    return Old(seq, [*log, *(each for each in parts if each.number)], kept_for)


def _first_kept(project: Project, before: datetime) -> tuple[int, str]:
    entries = [each for each, _ in project.log.entries() if isinstance(each.get("seq"), int)]
    recent = (each["seq"] for each in entries if not _is_before(each, before))
    by_time = next(recent, entries[-1]["seq"] if entries else 0)
    needed = {by_time: ""}
    work = project.evidence.work()
    if work["since"] is not None:
        needed.setdefault(work["since"]["seq"], "the current objective")
    for session in live.running(project, [str(each) for each in work["sessions"]], ""):
        first = next((each["seq"] for each in entries if each.get("session") == session), by_time)
        needed.setdefault(first, "a session that runs")
    seq = min(needed)
    first_there = entries[0]["seq"] if entries else 0
    return (seq if seq > first_there else 0), needed[seq]


def _of_log(project: Project, seq: int) -> Item:
    lines = [
        len(jsons.dumps(each))
        for each, _ in project.log.entries()
        if int(each.get("seq") or 0) < seq
    ]
    return Item("entries of the log", f"{PROOF_DIR}/session_log.jsonl", len(lines), sum(lines))


def _is_before(entry: Mapping[str, Any], before: datetime) -> bool:
    when = timestamps.parse(entry.get("timestamp"))
    return when is not None and when < before


def _old_files(folder: str, before: datetime) -> list[str]:
    """Every file that was last written before, but not the newest of them all."""
    there = sorted((os.lstat(each).st_mtime, each) for each in _files(folder))
    return [path for when, path in there[:-1] if when < before.timestamp()]


def remove_older(project: Project, old: Old, before: datetime, *, by: str, days: int) -> None:
    """Remove it; the log keeps a signed entry that says what is missing."""
    report = verify.verify(project.log)
    if old.seq:
        project.log.cut(old.seq, _note(project, old, report.problems[:10], by=by, days=days))
        project.evidence.forget()  # what was folded from the removed entries
    with files.Lock(os.path.join(project.root, PROOF_DIR, "lock"), command="purge"):
        _shorten_archive(project.root, before)
        for name in (_HISTORY, _EVALS):
            folder = os.path.join(project.root, name)
            for path in _old_files(folder, before):
                os.unlink(path)
                inner = os.path.relpath(os.path.dirname(path), folder)
                if inner != ".":
                    files.remove_empty_folders(folder, inner)


def _note(
    project: Project, old: Old, problems: list[str], *, by: str, days: int
) -> Callable[[LogEntry, str], LogEntry]:
    def entry(last: LogEntry, digest: str) -> LogEntry:
        data = {
            "up_to": last["seq"],
            "hash": digest,
            "until": last.get("timestamp"),
            "older_than": days,
            "removed": {each.what: each.number for each in old.items},
            "by": by,
            **({"problems": problems} if problems else {}),
        }
        signed = purges.signed(project.root, data, project.registry.env)
        return {"event": "log_purged", "session": project.latest_session(), "data": signed}

    return entry


def _shorten_archive(root: str, before: datetime) -> None:
    path = os.path.join(root, archive.PATH)
    data = files.read_bytes(path)
    if data is None:
        return
    kept = [line for line in data.splitlines(keepends=True) if not _is_old_line(line, before)]
    if len(kept) < len(data.splitlines()):
        files.write_durable(path, b"".join(kept))


def _is_old_line(line: bytes, before: datetime) -> bool:
    try:
        entry = jsons.loads(line)
    except (ValueError, RecursionError):
        return False  # what is damaged is not known to be old
    return isinstance(entry, dict) and _is_before(entry, before)


def require_no_session(project: Project) -> None:
    """A session that runs would begin another record."""
    work = project.evidence.work()
    if live.running(project, live.recent(project.state.read(), work), ""):
        raise AnswerIsNo("a session runs in this project; end it first", hint="edge purge")


# end of module
