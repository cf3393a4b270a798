"""Migration from the versions before 4 to one state file, in the phases of ``edge migrate``.

Owns which files are detected, and what each phase changes. Does not own the meaning of old keys
(``migration.legacy_state``), which files older versions wrote (``migration.legacy_files``), or settings files
(``migration.legacy_settings``).

Nothing is deleted. Migrated files stay in place as ``.bak``; removed files are moved to ``.proof/legacy``
under their old path. Each phase detects first, so a second run changes nothing.
"""

from __future__ import annotations

import json
import os

from operators_edge.datetimes import datetime
from operators_edge.errors import StateDamaged, StateError
from operators_edge.gate.fingerprint import canonical
from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.migration import legacy_files, legacy_state
from operators_edge.state import schema
from operators_edge.storage import files, log as proof_log, segments
from operators_edge.storage.keys import is_genuine
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

    Step = dict[str, Any]

STATE_DIR = ".claude/state"
HOOKS_DIR = ".claude/hooks"
COMMANDS_DIR = ".claude/commands"
LEGACY_DIR = f"{PROOF_DIR}/legacy"
LOG = f"{PROOF_DIR}/{segments.LOG_NAME}"
SESSIONS = f"{PROOF_DIR}/sessions"

MAX_SIDE_BYTES = 256 * 1024
"""A larger side file would use up the space in the state file."""

_MAX_SOURCE_BYTES = 2 << 20
_MAX_LOG_ENTRIES = 5000
"""Latest entries of the log among which a shadow run searches for an equal one."""


class SideFile(NamedTuple):
    """One file below ``.claude/state``; ``problem``: why it cannot be read, with line and column."""

    name: str
    value: dict[str, Any]
    problem: str = ""

    @property
    def path(self) -> str:
        return f"{STATE_DIR}/{self.name}"


class LegacyFiles(NamedTuple):
    """The files of older versions in the project. Paths are below the root, with ``/``.

    ``log`` is the kind of the proof log: ours (""), ``lines`` of an older version, or a ``link`` of one.
    ``kept_hooks``: a sentence for each hook file that is kept because other files import it. ``blocked``:
    why nothing can be moved, "" if it can.
    """

    sides: tuple[SideFile, ...]
    session_files: tuple[str, ...]
    backups: tuple[str, ...]
    log: str
    sessions: str
    hooks: tuple[str, ...]
    commands: tuple[str, ...]
    kept_hooks: tuple[str, ...]
    blocked: str = ""

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(f"{each.path}: {each.problem}" for each in self.sides if each.problem)


class Difference(NamedTuple):
    """One key of the state that would change, and the source of its new value."""

    key: str
    before: Any
    after: Any
    source: str


class Outcome(NamedTuple):
    """What a phase does, or would do. ``moved``: pairs of paths; ``dropped``: sentences."""

    differences: tuple[Difference, ...] = ()
    dropped: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_logged: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.differences or self.moved or self.written)


# -- detection -------------------------------------------------------------------------------------


def detect(root: str) -> LegacyFiles:
    """Detect files of older versions. A folder that cannot be listed is an error, never an empty folder."""
    names = _list_names(root, STATE_DIR)
    hooks, kept_hooks = _hook_files(root)
    return LegacyFiles(
        sides=tuple(
            _read_side_file(root, name) for name in names if name in legacy_state.SIDE_FILES
        ),
        session_files=tuple(f"{STATE_DIR}/{name}" for name in names if _is_of_session(name)),
        backups=tuple(f"{STATE_DIR}/{name}" for name in names if _is_backup(name)),
        log=_log_kind(root),
        sessions=SESSIONS if _has_sessions(root) else "",
        hooks=hooks,
        commands=_files_of_older_versions(root, COMMANDS_DIR, legacy_files.is_command_file),
        kept_hooks=kept_hooks,
        blocked=_blocked(root),
    )


def _list_names(root: str, folder: str) -> list[str]:
    path = _full(root, folder)
    try:
        return sorted(os.listdir(path))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise files.failure("list", path, error) from error


def _full(root: str, path: str) -> str:
    return os.path.join(root, *path.split("/"))


def _is_of_session(name: str) -> bool:
    return name in legacy_state.SESSION_FILES or name.endswith(".lock")


def _is_backup(name: str) -> bool:
    base, mark, _ = name.partition(".bak")
    return bool(mark) and (base in legacy_state.SIDE_FILES or _is_of_session(base))


def _read_side_file(root: str, name: str) -> SideFile:
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
    """The object in a side file, or why there is none."""
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
        return {}, "line 1, column 1: is not a JSON object"
    return value, ""


def _log_kind(root: str) -> str:
    path = _full(root, LOG)
    if os.path.islink(path):
        return "link" if segments.is_alias(path) else ""
    with segments.Opened(path) as fd:
        if fd is None or segments.end_of(fd, os.fstat(fd).st_size).seq:
            return ""
        first = next((line for line, _ in segments.lines(fd, 0, None) if line.strip()), b"")
    return "lines" if proof_log.is_older_line(first) else ""


def _has_sessions(root: str) -> bool:
    names = [name for name in _list_names(root, SESSIONS) if name.endswith(".jsonl")]
    return bool(names) and not os.path.islink(_full(root, SESSIONS))


def _files_of_older_versions(root: str, folder: str, is_own: Any) -> tuple[str, ...]:
    found = ((name, _text(root, f"{folder}/{name}")) for name in _list_names(root, folder))
    return tuple(f"{folder}/{n}" for n, text in found if text is not None and is_own(n, text))


def _text(root: str, path: str) -> str | None:
    """The content of a small text file; None for folders, links and large files, which we never wrote."""
    full = _full(root, path)
    if os.path.islink(full) or not os.path.isfile(full):
        return None
    if os.path.getsize(full) > _MAX_SOURCE_BYTES:
        return None
    return (files.read_bytes(full) or b"").decode("utf-8", "replace")


def _hook_files(root: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The hook files of older versions to remove, and a sentence for each that another file needs."""
    removable = _files_of_older_versions(root, HOOKS_DIR, legacy_files.is_hook_file)
    kept = _needed_modules(root, removable)
    sentences = tuple(f"{each} is kept: {path} imports it" for each, path in kept.items())
    return tuple(each for each in removable if each not in kept), sentences


def _needed_modules(root: str, removable: Sequence[str]) -> dict[str, str]:
    """Which of these files other hooks import, also through each other, and a file that does."""
    names = (name for name in _list_names(root, HOOKS_DIR) if name.endswith(".py"))
    needing = [path for name in names if (path := f"{HOOKS_DIR}/{name}") not in removable]
    needed: dict[str, str] = {}
    for path in needing:  # grows with each module that is needed
        for name in legacy_files.imports(_text(root, path) or ""):
            module = f"{HOOKS_DIR}/{name}.py"
            if module in removable and module not in needed:
                needed[module] = path
                needing.append(module)
    return needed


def _blocked(root: str) -> str:
    """Why files here must not be moved: a symbolic link means that they are elsewhere."""
    for folder in (".claude", STATE_DIR, HOOKS_DIR, COMMANDS_DIR, PROOF_DIR, SESSIONS):
        path = _full(root, folder)
        if os.path.islink(path):
            return f"{path} is a symbolic link to {os.readlink(path)}"
    return ""


# -- shadow and apply ------------------------------------------------------------------------------


def local_offset(text: str) -> str:
    """The offset of this machine at a time without a zone; "" if it is not a valid time."""
    try:
        offset = datetime.fromisoformat(text).astimezone().strftime("%z")
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{offset[:3]}:{offset[3:5]}"


def preview(project: Project, found: LegacyFiles, skip: Sequence[str] = ()) -> Outcome:
    """What ``apply`` would do; nothing is changed."""
    return _outcome(project, found, skip, project.state.read())


def shadow(project: Project, found: LegacyFiles, skip: Sequence[str] = ()) -> Outcome:
    """Log what ``apply`` would do, once for equal differences. Nothing else changes."""
    outcome = preview(project, found, skip)
    data = _as_data(outcome) | {"digest": sha256_hex(canonical(_as_data(outcome)))}
    if found.log:
        note = (
            f"not logged: {LOG} belongs to the older version, and is not changed until --apply moves it to "
            f"{LEGACY_DIR}"
        )
        return outcome._replace(notes=(*outcome.notes, note))
    if outcome.is_empty:
        return outcome
    known = (
        (entry.get("data") or {}).get("digest")
        for entry in project.log.tail(_MAX_LOG_ENTRIES)
        if entry.get("event") == "migration_shadow"
    )
    if data["digest"] not in known:
        project.log.append({"event": "migration_shadow", "data": data})
    return outcome._replace(is_logged=True)


def apply(project: Project, found: LegacyFiles, skip: Sequence[str] = ()) -> Outcome:
    """Merge the side files into the state, rename them to ``.bak``, and move the old log away.

    One transaction. Raises StateDamaged for a side file that cannot be read and is not in ``skip``, and
    StateError if one of the folders is a link.
    """
    _require_readable(found, skip)
    if found.blocked:
        raise StateError(
            found.blocked,
            hint="Replace the link by the folder itself and repeat: the target may be shared.",
        )
    outcome = preview(project, found, skip)
    if outcome.is_empty and found.log != "link":
        return outcome
    _make_room(project.root, outcome)

    def change(tx: Transaction) -> Outcome:
        current = _outcome(project, found, skip, tx.state)
        merged = _merged_state(project, found, skip, tx.state)
        tx.state.clear()
        tx.state.update(merged.state)
        for old, new in current.moved:
            tx.rename(old, new)
        for path in current.written:
            tx.write(path, files.read_bytes(project.state.path) or b"")
        tx.log("migration_applied", _as_data(current))
        return current

    return project.transact(change, command="migrate --apply")


def _require_readable(found: LegacyFiles, skip: Sequence[str]) -> None:
    for each in found.sides:
        if each.problem and each.name not in skip and each.path not in skip:
            raise StateDamaged(
                each.path,
                each.problem,
                hint=f"fix it, or leave it out: edge migrate --apply --skip {each.name}",
            )


def _merged_state(
    project: Project, found: LegacyFiles, skip: Sequence[str], state: State
) -> legacy_state.Merged:
    sides = {e.name: e.value for e in found.sides if not _is_skipped(e, skip) and not e.problem}
    return legacy_state.merge(
        state,
        sides,
        now=project.clock().isoformat(),
        offset=local_offset,
        is_genuine=lambda grant: is_genuine(project.root, grant),
    )


def _is_skipped(side: SideFile, skip: Sequence[str]) -> bool:
    return side.name in skip or side.path in skip


def _outcome(project: Project, found: LegacyFiles, skip: Sequence[str], state: State) -> Outcome:
    merged = _merged_state(project, found, skip, state)
    differences = tuple(_differences(state, merged))
    moved = _moves(project.root, found)
    written = (f"{LEGACY_DIR}/{STATE_FILE}",) if differences else ()
    if written and os.path.lexists(_full(project.root, written[0])):
        written = ()
    left_out = tuple(
        f"{e.path} is left out; it is kept as .bak" for e in found.sides if _is_skipped(e, skip)
    )
    notes = [*left_out, *_log_notes(project.root, found)]
    return Outcome(differences, merged.dropped, moved, written, tuple(notes))


def _differences(state: State, merged: legacy_state.Merged) -> Iterator[Difference]:
    for key in dict.fromkeys([*merged.sources, *merged.state, *state]):
        before, after = state.get(key), merged.state.get(key)
        if not schema.is_same(before, after):
            yield Difference(key, before, after, merged.sources.get(key, ""))


def _moves(root: str, found: LegacyFiles) -> tuple[tuple[str, str], ...]:
    moves = [(each.path, _unused_path(root, f"{each.path}.bak")) for each in found.sides]
    moves += [(path, _unused_path(root, f"{path}.bak")) for path in found.session_files]
    if found.log == "lines":
        moves.append((LOG, _unused_path(root, f"{LEGACY_DIR}/{segments.LOG_NAME}")))
    if found.sessions:
        moves.append((SESSIONS, _unused_path(root, f"{LEGACY_DIR}/sessions")))
    return tuple(moves)


def _unused_path(root: str, path: str) -> str:
    """The path, with a number if it exists already: nothing is overwritten."""
    number, free = 1, path
    while os.path.lexists(_full(root, free)):
        number += 1
        free = f"{path}.{number}"
    return free


def _log_notes(root: str, found: LegacyFiles) -> Iterator[str]:
    if found.log == "link":
        target = os.readlink(_full(root, LOG))
        yield f"{LOG} is an older version's link to {target}; the link is removed, its target is kept"
    for name in _list_names(root, f"{PROOF_DIR}/{segments.SEALED_DIR}"):
        if name.startswith("foreign-"):
            yield f"{PROOF_DIR}/log/{name} holds lines of an older version's log, moved there earlier"


def _make_room(root: str, outcome: Outcome) -> None:
    """Create the target folders of the moves."""
    for _, new in outcome.moved:
        files.ensure_private_dir(os.path.dirname(_full(root, new)))


def _as_data(outcome: Outcome) -> dict[str, Any]:
    return {
        "changes": [{"key": d.key, "from": d.source} for d in outcome.differences],
        "dropped": list(outcome.dropped),
        "moved": [list(pair) for pair in outcome.moved],
    }


# -- cleanup ---------------------------------------------------------------------------------------


def cleanup_moves(root: str, found: LegacyFiles) -> tuple[tuple[str, str], ...]:
    """What ``cleanup`` moves, and where to."""
    paths = (*found.hooks, *found.commands, *found.backups)
    return tuple((path, _unused_path(root, _legacy_path(path))) for path in paths)


def cleanup(
    project: Project,
    moves: Sequence[tuple[str, str]],
    settings: Sequence[tuple[str, bytes, bytes]],
) -> None:
    """Move the files and write the settings; ``settings`` are path, content before and after.

    One transaction. Folders that become empty are removed.
    """
    kept = [(path, _unused_path(project.root, _legacy_path(path))) for path, _, _ in settings]
    for _, new in (*moves, *kept):
        files.ensure_private_dir(os.path.dirname(_full(project.root, new)))

    def change(tx: Transaction) -> None:
        for (path, before, after), (_, copy) in zip(settings, kept, strict=True):
            if files.read_bytes(_full(project.root, path)) != before:
                raise StateError(
                    f"{path} was changed in the meantime; nothing was written",
                    hint="repeat the command",
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


def _legacy_path(path: str) -> str:
    return f"{LEGACY_DIR}/{path.removeprefix('.')}"


# end of module
