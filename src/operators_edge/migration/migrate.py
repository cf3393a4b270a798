"""From the versions before 4 to one state file, in the phases that ``edge migrate`` names.

Owns what is looked at, what each phase changes and in which order. Does not own what old words mean
(``migration.legacy_state``), whose a file is (``migration.legacy_files``), or settings files
(``migration.legacy_settings``).

Nothing is deleted. What was carried over keeps its place as ``.bak``; what is taken out of the way lies in
``.proof/legacy`` under its old path. Each phase looks before it acts: doing it again changes nothing.
"""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.audit import log as audit_log, segments
from operators_edge.errors import StateDamaged, StateError
from operators_edge.gate.fingerprint import canonical
from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.migration import legacy_files, legacy_state
from operators_edge.state import document, schema
from operators_edge.storage import files
from operators_edge.storage.keys import is_genuine
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

STATE_DIR = ".claude/state"
HOOKS_DIR = ".claude/hooks"
COMMANDS_DIR = ".claude/commands"
LEGACY_DIR = f"{PROOF_DIR}/legacy"
LOG = f"{PROOF_DIR}/{segments.LOG_NAME}"
SESSIONS = f"{PROOF_DIR}/sessions"

MAX_SIDE_BYTES = 256 * 1024
"""A larger side file would not leave room in the state file for what people write."""

_MAX_SOURCE_BYTES = 2 << 20
_REMEMBERED = 5000
"""Entries of the log among which a shadow run looks for the same one."""

Step = dict[str, Any]


class SideFile(NamedTuple):
    """One file below ``.claude/state``; ``problem`` says with line and column why it cannot be read."""

    name: str
    value: dict[str, Any]
    problem: str = ""

    @property
    def path(self) -> str:
        return f"{STATE_DIR}/{self.name}"


class Found(NamedTuple):
    """What of older versions is in the project. Paths are below the root, with ``/``.

    ``log`` says what the proof log is: ours (""), ``lines`` of an older version, or a ``link`` of one.
    ``strangers`` says which hook files stay, because files of others import them.
    """

    sides: tuple[SideFile, ...]
    marks: tuple[str, ...]
    carried: tuple[str, ...]
    log: str
    sessions: str
    hooks: tuple[str, ...]
    commands: tuple[str, ...]
    strangers: tuple[str, ...]
    blocked: str = ""

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(f"{each.path}: {each.problem}" for each in self.sides if each.problem)


class Difference(NamedTuple):
    """One key of the state that would change, and where its new value comes from."""

    key: str
    before: Any
    after: Any
    source: str


class Outcome(NamedTuple):
    """What a phase does, or would do. ``moved`` holds pairs of paths; ``dropped`` are sentences."""

    differences: tuple[Difference, ...] = ()
    dropped: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_logged: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.differences or self.moved or self.written)


# -- looking ---------------------------------------------------------------------------------------


def look(root: str) -> Found:
    """What is there; nothing is changed. A folder that cannot be listed is an error, never an absence."""
    names = _names(root, STATE_DIR)
    here = [name for name in names if name in legacy_state.SIDE_FILES]
    locks = [name for name in names if name.endswith(".lock")]
    marks = [name for name in names if name in legacy_state.SIDE_MARKS or name in locks]
    hooks, strangers = _hooks(root)
    return Found(
        sides=tuple(_side(root, name) for name in here),
        marks=tuple(f"{STATE_DIR}/{name}" for name in dict.fromkeys(marks)),
        carried=tuple(f"{STATE_DIR}/{name}" for name in names if _is_carried(name)),
        log=_log_kind(root),
        sessions=SESSIONS if _has_sessions(root) else "",
        hooks=hooks,
        commands=_own_files(root, COMMANDS_DIR, legacy_files.is_command_file),
        strangers=strangers,
        blocked=_blocked(root),
    )


def _names(root: str, folder: str) -> list[str]:
    path = _full(root, folder)
    try:
        return sorted(os.listdir(path))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise files.failure("list", path, error) from error


def _full(root: str, path: str) -> str:
    return os.path.join(root, *path.split("/"))


def _is_carried(name: str) -> bool:
    base = name.partition(".bak")[0] if ".bak" in name else ""
    return (
        base in legacy_state.SIDE_FILES or base in legacy_state.SIDE_MARKS or base.endswith(".lock")
    )


def _side(root: str, name: str) -> SideFile:
    path = os.path.join(_full(root, STATE_DIR), name)
    if os.path.islink(path):
        return SideFile(name, {}, f"is a symbolic link to {os.readlink(path)}")
    try:
        size = os.stat(path).st_size
    except OSError as error:
        raise files.failure("read", path, error) from error
    if size > MAX_SIDE_BYTES:
        return SideFile(name, {}, f"has {size:,} bytes, more than {MAX_SIDE_BYTES:,}")
    return SideFile(name, *_parsed(files.read_bytes(path) or b""))


def _parsed(data: bytes) -> tuple[dict[str, Any], str]:
    """The object that a side file holds, or why it is none."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        return {}, f"line {line}, column {column}: is not UTF-8"
    except json.JSONDecodeError as error:
        return {}, f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        return {}, "is nested too deeply"
    if not isinstance(value, dict):
        return {}, "line 1, column 1: holds no JSON object"
    return value, ""


def _log_kind(root: str) -> str:
    path = _full(root, LOG)
    if os.path.islink(path):
        return "link" if segments.is_alias(path) else ""
    try:
        fd = segments.open_log(path)
    except FileNotFoundError:
        return ""
    try:
        if segments.end_of(fd, os.fstat(fd).st_size).seq:
            return ""
        first = next((line for line, _ in segments.lines(fd, 0, None) if line.strip()), b"")
    finally:
        os.close(fd)
    return "lines" if audit_log.is_older_line(first) else ""


def _has_sessions(root: str) -> bool:
    names = [name for name in _names(root, SESSIONS) if name.endswith(".jsonl")]
    return bool(names) and not os.path.islink(_full(root, SESSIONS))


def _own_files(root: str, folder: str, is_own: Any) -> tuple[str, ...]:
    found = ((name, _text(root, f"{folder}/{name}")) for name in _names(root, folder))
    return tuple(f"{folder}/{n}" for n, text in found if text is not None and is_own(n, text))


def _text(root: str, path: str) -> str | None:
    """A small text file's content; None for folders, links and large files, which nobody of us wrote."""
    full = _full(root, path)
    if os.path.islink(full) or not os.path.isfile(full):
        return None
    if os.path.getsize(full) > _MAX_SOURCE_BYTES:
        return None
    return (files.read_bytes(full) or b"").decode("utf-8", "replace")


def _hooks(root: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The older versions' hook files that can go, and a sentence for those that somebody's file needs."""
    going = _own_files(root, HOOKS_DIR, legacy_files.is_hook_file)
    modules = {os.path.basename(each).removesuffix(".py"): each for each in going}
    waiting = [f"{HOOKS_DIR}/{n}" for n in _names(root, HOOKS_DIR) if n.endswith(".py")]
    waiting = [each for each in waiting if each not in going]
    kept: dict[str, str] = {}
    while waiting:
        path = waiting.pop()
        for name in legacy_files.imports(_text(root, path) or ""):
            if name in modules and modules[name] not in kept:
                kept[modules[name]] = path
                waiting.append(modules[name])
    told = tuple(f"{each} stays: {path} imports it" for each, path in kept.items())
    return tuple(each for each in going if each not in kept), told


def _blocked(root: str) -> str:
    """Why files here must not be moved: they are elsewhere than they seem."""
    for folder in (".claude", STATE_DIR, HOOKS_DIR, COMMANDS_DIR, PROOF_DIR, SESSIONS):
        path = _full(root, folder)
        if os.path.islink(path):
            return f"{path} is a symbolic link to {os.readlink(path)}"
    return ""


# -- shadow and apply ------------------------------------------------------------------------------


def local_offset(text: str) -> str:
    """The offset that this machine had at a time without a zone; "" where that is no time."""
    try:
        offset = datetime.fromisoformat(text).astimezone().strftime("%z")
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{offset[:3]}:{offset[3:5]}"


def preview(project: Project, found: Found, skip: Sequence[str] = ()) -> Outcome:
    """What ``apply`` would do; nothing is changed."""
    return _outcome(project, found, skip, project.state.read())


def shadow(project: Project, found: Found, skip: Sequence[str] = ()) -> Outcome:
    """Log what ``apply`` would do, once for the same differences. Nothing else changes."""
    outcome = preview(project, found, skip)
    data = _as_data(outcome) | {"digest": sha256_hex(canonical(_as_data(outcome)))}
    if found.log:
        note = (
            f"not logged: {LOG} is the older version's, and stays whole until --apply moves it to "
            f"{LEGACY_DIR}"
        )
        return outcome._replace(notes=(*outcome.notes, note))
    if outcome.is_empty:
        return outcome
    known = (
        (entry.get("data") or {}).get("digest")
        for entry in project.log.tail(_REMEMBERED)
        if entry.get("event") == "migration_shadow"
    )
    if data["digest"] not in known:
        project.log.append({"event": "migration_shadow", "data": data})
    return outcome._replace(is_logged=True)


def apply(project: Project, found: Found, skip: Sequence[str] = ()) -> Outcome:
    """Everything of the side files into the state, the files to ``.bak``, the old log out of the way.

    One transaction. Raises StateDamaged for a side file that cannot be read and is not in ``skip``, and
    StateError where something of it lies behind a link.
    """
    _require_readable(found, skip)
    if found.blocked:
        raise StateError(
            found.blocked,
            hint="Put the folder itself there, then repeat: what is behind it may be shared.",
        )
    outcome = preview(project, found, skip)
    if outcome.is_empty and found.log != "link":
        return outcome
    _make_room(project.root, outcome)

    def change(tx: Transaction) -> Outcome:
        now = _outcome(project, found, skip, tx.state)
        carried = _carried(project, found, skip, tx.state)
        tx.state.clear()
        tx.state.update(carried.state)
        for old, new in now.moved:
            tx.rename(old, new)
        for path in now.written:
            tx.write(path, files.read_bytes(project.state.path) or b"")
        tx.log("migration_applied", _as_data(now))
        return now

    return project.transact(change, command="migrate --apply")


def _require_readable(found: Found, skip: Sequence[str]) -> None:
    for each in found.sides:
        if each.problem and each.name not in skip and each.path not in skip:
            raise StateDamaged(
                each.path,
                each.problem,
                hint=f"mend it, or leave it out: edge migrate --apply --skip {each.name}",
            )


def _carried(
    project: Project, found: Found, skip: Sequence[str], state: State
) -> legacy_state.Carried:
    sides = {e.name: e.value for e in found.sides if not _is_skipped(e, skip) and not e.problem}
    return legacy_state.carried(
        state,
        sides,
        now=project.clock().isoformat(),
        offset=local_offset,
        is_genuine=lambda grant: is_genuine(project.root, grant),
    )


def _is_skipped(side: SideFile, skip: Sequence[str]) -> bool:
    return side.name in skip or side.path in skip


def _outcome(project: Project, found: Found, skip: Sequence[str], state: State) -> Outcome:
    carried = _carried(project, found, skip, state)
    differences = tuple(_differences(state, carried))
    _require_room(carried.state)
    moved = _moved(project.root, found)
    written = (f"{LEGACY_DIR}/{STATE_FILE}",) if differences else ()
    if written and os.path.lexists(_full(project.root, written[0])):
        written = ()
    left_out = tuple(
        f"{e.path} is left out; it stays as .bak" for e in found.sides if _is_skipped(e, skip)
    )
    notes = [*left_out, *_log_notes(project.root, found)]
    return Outcome(differences, carried.dropped, moved, written, tuple(notes))


def _differences(state: State, carried: legacy_state.Carried) -> Iterator[Difference]:
    for key in dict.fromkeys([*carried.sources, *carried.state, *state]):
        before, after = state.get(key), carried.state.get(key)
        if not schema.is_same(before, after):
            yield Difference(key, before, after, carried.sources.get(key, ""))


def _require_room(state: State) -> None:
    """A state file too large to be read again would be damage of our own making."""
    size = len(json.dumps(state, ensure_ascii=False).encode("utf-8", "replace"))
    if size > document.MAX_BYTES:
        raise StateError(
            f"the state would have {size:,} bytes, more than {document.MAX_BYTES:,}",
            hint=f"leave the largest file of {STATE_DIR} out: edge migrate --apply --skip NAME",
        )


def _moved(root: str, found: Found) -> tuple[tuple[str, str], ...]:
    moves = [(each.path, _free(root, f"{each.path}.bak")) for each in found.sides]
    moves += [(path, _free(root, f"{path}.bak")) for path in found.marks]
    if found.log == "lines":
        moves.append((LOG, _free(root, f"{LEGACY_DIR}/{segments.LOG_NAME}")))
    if found.sessions:
        moves.append((SESSIONS, _free(root, f"{LEGACY_DIR}/sessions")))
    return tuple(moves)


def _free(root: str, path: str) -> str:
    """The path, or the first of its numbered neighbours that is free: nothing is overwritten."""
    number, free = 1, path
    while os.path.lexists(_full(root, free)):
        number += 1
        free = f"{path}.{number}"
    return free


def _log_notes(root: str, found: Found) -> Iterator[str]:
    if found.log == "link":
        target = os.readlink(_full(root, LOG))
        yield f"{LOG} is an older version's link to {target}; the link goes, what it names stays"
    for name in _names(root, f"{PROOF_DIR}/{segments.SEALED_DIR}"):
        if name.startswith("foreign-"):
            yield f"{PROOF_DIR}/log/{name} holds lines of an older version's log, set aside earlier"


def _make_room(root: str, outcome: Outcome) -> None:
    """The folders that moves lead to; one without content changes nothing for anybody."""
    for _, new in outcome.moved:
        files.ensure_private_dir(os.path.dirname(_full(root, new)))


def _as_data(outcome: Outcome) -> dict[str, Any]:
    return {
        "changes": [{"key": d.key, "from": d.source} for d in outcome.differences],
        "dropped": list(outcome.dropped),
        "moved": [list(pair) for pair in outcome.moved],
    }


# -- cleanup ---------------------------------------------------------------------------------------


def cleanup_moves(root: str, found: Found) -> tuple[tuple[str, str], ...]:
    """What ``cleanup`` takes out of the way, and where it lies then."""
    going = (*found.hooks, *found.commands, *found.carried)
    return tuple((path, _free(root, _kept_at(path))) for path in going)


def cleanup(
    project: Project,
    moves: Sequence[tuple[str, str]],
    settings: Sequence[tuple[str, bytes, bytes]],
) -> None:
    """Take the files out of the way and write the settings; ``settings`` are path, before and after.

    One transaction. Folders that this empties go, too.
    """
    kept = [(path, _free(project.root, _kept_at(path))) for path, _, _ in settings]
    for _, new in (*moves, *kept):
        files.ensure_private_dir(os.path.dirname(_full(project.root, new)))

    def change(tx: Transaction) -> None:
        for (path, before, after), (_, copy) in zip(settings, kept, strict=True):
            if files.read_bytes(_full(project.root, path)) != before:
                raise StateError(
                    f"{path} was changed meanwhile; nothing was written", hint="repeat the command"
                )
            tx.write(copy, before)
            tx.write(path, after)
        for old, new in moves:
            tx.rename(old, new)
        tx.log(
            "migration_cleaned",
            {"moved": [list(pair) for pair in moves], "settings": [each[0] for each in settings]},
        )

    if moves or settings:
        project.transact(change, command="migrate --cleanup")
    for folder in (STATE_DIR, HOOKS_DIR, COMMANDS_DIR):
        path = _full(project.root, folder)
        if os.path.isdir(path) and not os.listdir(path):
            os.rmdir(path)


def _kept_at(path: str) -> str:
    return f"{LEGACY_DIR}/{path.removeprefix('.')}"
