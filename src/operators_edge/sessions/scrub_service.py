"""Taking secrets out of what is kept of a project: those that an older version wrote, or did not know.

Owns which files are looked at and how each kind is changed. Shows where secrets are, never one. Does not own
what a secret is (``redaction``), how files are replaced at once (``storage.scrub``) or who may order it
(``cli.commands.proof_scrub``).
"""

from __future__ import annotations

import json
import os
from collections import Counter

from operators_edge import jsons
from operators_edge.errors import EdgeError
from operators_edge.evidence import checkpoint_store
from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, REPORTS_DIR, STATE_FILE
from operators_edge.redaction.redact import findings, redact, strings_in
from operators_edge.storage import files, keys, segments
from operators_edge.system.project_root import git_folder
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple
from operators_edge.undo.restore import Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.state.transaction import Transaction
    from operators_edge.storage.scrub import Staging

LOG, STATE = "the log", STATE_FILE

MAX_NAMED = 200
"""Numbers of entries that the log's own note names."""

_FIXED = ("seq", "timestamp", "event", "session", "tool", "tool_use_id", "prev", "tx")
"""Fields of an entry that identify it."""

_CACHE = f"{PROOF_DIR}/cache"
_SEALED = f"{PROOF_DIR}/{segments.SEALED_DIR}"
_NOT_READ = (_CACHE, f"{PROOF_DIR}/scrub")
_NOT_TEXT = (".lock", ".tmp", ".sqlite", ".db", ".checkpoint")
_OF_BRIDGE = ("results", "logs", "meta")
"""Folders of the Bridge with what it wrote."""

_USED = ("tasks", "running", "pending", "failed", "patches")
"""Its folders with files that are used as they are."""
_REPORT = pattern(r"(?:edge_digest_|proof_).*\.(?:md|html)\Z")
_BATCH = 200
_BATCH_CHARACTERS = 128 * 1024
_WHOLE_VALUE = pattern(r"(?m)^(\s*(?:- )*(?:[\w.-]+: +)?)(\[REDACTED(?::[\w-]+)?\])(?=\s*$)")
_SHOWN = 3


class Item(NamedTuple):
    """Secrets in one file or in the log: how many of which kinds, and where, as far as it is named."""

    what: str
    number: int
    kinds: dict[str, int]
    where: list[str]


class Search(NamedTuple):
    items: list[Item]
    unread: list[str]
    """What could not be read, and why: nothing is known of it."""
    snapshots: int
    """Of undo, whose description holds one: they are named, and not changed."""
    kept: list[Item]
    """Tasks and patches, which are used as they are: they are named, and not changed."""


class _Seen:
    def __init__(self, what: str) -> None:
        self.what = what
        self.kinds = Counter[str]()
        self.where: dict[str, None] = {}

    def add(self, text: str, where: str, secrets: tuple[str, ...]) -> None:
        for each in findings(text, values=secrets):
            self.kinds[each.kind or "secret"] += 1
            self.where[where] = None

    def item(self) -> Item:
        named = list(self.where)
        more = [f"and {len(named) - _SHOWN} more"] if len(named) > _SHOWN else []
        return Item(self.what, sum(self.kinds.values()), dict(self.kinds), named[:_SHOWN] + more)


# -- looking ---------------------------------------------------------------------------------------


def found(project: Project, secrets: tuple[str, ...]) -> Search:
    """Where there are secrets. What cannot be read is named, too."""
    unread: list[str] = []
    seen = [_in_log(project, secrets), _in_state(project, secrets)]
    seen += _in_files(project.root, _files(project.root), secrets, unread)
    items = [each.item() for each in seen if each.kinds]
    used = _in_files(project.root, _used(project.root), secrets, unread)
    kept = [each.item() for each in used if each.kinds]
    return Search(items, unread, _snapshots(project, secrets), kept)


def _in_files(
    root: str, paths: Iterable[str], secrets: tuple[str, ...], unread: list[str]
) -> Iterator[_Seen]:
    for path in paths:
        one = _Seen(os.path.relpath(path, root))
        try:
            for number, line in enumerate(_text(path).splitlines(), 1):
                one.add(line, f"line {number}", secrets)
            if not one.kinds:
                one.add(_text(path), "over several lines", secrets)
        except (OSError, EdgeError) as error:
            unread.append(f"{one.what}: {getattr(error, 'strerror', '') or error}")
        yield one


def _in_log(project: Project, secrets: tuple[str, ...]) -> _Seen:
    seen = _Seen(LOG)
    for batch in _batches(segments.all_lines(project.root, None)):
        if findings("\n\0\n".join(map(_text_of, batch)), values=secrets):
            for line in batch:
                entry = segments.parsed(line)
                number = f"entry {entry['seq']}" if entry else "a line that is no entry"
                seen.add(_text_of(line), number, secrets)
    return seen


def _batches(lines: Iterable[tuple[bytes, object]]) -> Iterator[list[bytes]]:
    batch, size = list[bytes](), 0
    for line, _ in lines:
        batch.append(line)
        size += len(line)
        if len(batch) == _BATCH or size > _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    yield batch


def _text_of(line: bytes) -> str:
    """What is looked at in a line: the strings of an entry that do not identify it."""
    entry = segments.parsed(line)
    if entry is None:
        return line.decode("utf-8", "surrogateescape")
    return "\n\0\n".join(strings_in(_open_part(entry)))


def _open_part(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in _FIXED}


def _in_state(project: Project, secrets: tuple[str, ...]) -> _Seen:
    seen = _Seen(STATE)
    for key, value in project.state.read().items():
        for text in strings_in(value):
            seen.add(text, str(key), secrets)
    return seen


def _files(root: str) -> Iterator[str]:
    """Every other file of the record that is text."""
    tops = [os.path.join(root, PROOF_DIR)]
    tops += [os.path.join(root, HANDOFF_DIR, name) for name in _OF_BRIDGE]
    for top in tops:
        for folder, folders, names in os.walk(top):
            inner = os.path.relpath(folder, root).replace(os.sep, "/")
            if inner in _NOT_READ:
                folders.clear()
                continue
            for name in sorted(names):
                path = os.path.join(folder, name)
                if _is_text(inner, name) and not os.path.islink(path):
                    yield path
    reports = os.path.join(root, REPORTS_DIR)
    if os.path.isdir(reports):
        yield from (
            os.path.join(reports, each) for each in os.listdir(reports) if _REPORT.match(each)
        )


def _used(root: str) -> Iterator[str]:
    for each in _USED:
        for folder, _, names in os.walk(os.path.join(root, HANDOFF_DIR, each)):
            paths = (os.path.join(folder, name) for name in sorted(names))
            yield from (path for path in paths if not os.path.islink(path))


def _is_text(folder: str, name: str) -> bool:
    if folder == _SEALED:
        return name.startswith(("torn-", "foreign-"))
    if folder == PROOF_DIR and name in (segments.LOG_NAME, segments.SCRUB_LIST, "lock"):
        return False
    return not name.endswith(_NOT_TEXT)


def _text(path: str) -> str:
    return (files.read_bytes(path) or b"").decode("utf-8", "surrogateescape")


def _snapshots(project: Project, secrets: tuple[str, ...]) -> int:
    """Snapshots for undo whose description holds a secret."""
    if not git_folder(project.root):
        return 0
    listed = Undo(project.root, root=project.root).list(None)
    return sum(bool(findings(each.kept.message, values=secrets)) for each in listed)


# -- changing --------------------------------------------------------------------------------------


def take_out(project: Project, secrets: tuple[str, ...], *, by: str) -> int:
    """Replace every secret by its mark; returns how many entries of the log were changed."""
    _take_out_of_state(project, secrets, by=by)
    numbers: list[int] = []
    counts = Counter[str]()

    def change(entry: LogEntry) -> LogEntry:
        if not findings("\n\0\n".join(strings_in(_open_part(entry))), values=secrets):
            return entry
        new: Any = {**entry, **_cleaned(_open_part(entry), secrets)}
        return entry if new == entry else new

    def changed_line(line: bytes) -> bytes:
        return _redacted(line, secrets).replace(b"\n", b" ")

    def others(staging: Staging) -> None:
        for path in _files(project.root):
            data = files.read_bytes(path)
            new = data if data is None else _new_content(path, data, secrets)
            if data is not None and new is not None and new != data:
                staging.write(path, [new])
                counts["files"] += 1
        staging.drop(os.path.join(project.root, _CACHE))
        for path in checkpoint_store.paths(project.root):
            staging.drop(path)

    def note(changed: list[int]) -> LogEntry:
        numbers[:] = changed
        data = {
            "by": by,
            "entries": len(changed),
            "numbers": changed[:MAX_NAMED],
            "first": changed[0] if changed else None,
        }
        signed = keys.signed(project.root, data, env=project.registry.env)
        return {"event": "log_scrubbed", "session": project.latest_session(), "data": signed}

    def run() -> None:
        project.log.scrub(change, changed_line, note=note, others=others)

    project.state.locked(run, command="proof scrub")
    return len(numbers)


def _take_out_of_state(project: Project, secrets: tuple[str, ...], *, by: str) -> None:
    def change(tx: Transaction) -> None:
        for key, value in list(tx.state.items()):
            new = _cleaned(value, secrets, project)
            if new != value:
                tx.state[key] = new
                tx.log("state_scrubbed", {"key": key, "by": by})

    project.transact(change, command="proof scrub", secrets=secrets)


def _cleaned(value: Any, secrets: tuple[str, ...], project: Project | None = None) -> Any:
    """The same without secrets; what this person signed is signed again."""
    if isinstance(value, str):
        return redact(value, values=secrets)
    if isinstance(value, list):
        return [_cleaned(each, secrets, project) for each in value]
    if not isinstance(value, dict):
        return value
    new = {
        redact(str(key), values=secrets): each if key == "mac" else _cleaned(each, secrets, project)
        for key, each in value.items()
    }
    if project is not None and "mac" in value and new != value:
        env = project.registry.env
        if keys.is_genuine(project.root, value, env=env):
            return keys.signed(project.root, new, env=env)
    return new


def _new_content(path: str, data: bytes, secrets: tuple[str, ...]) -> bytes | None:
    """The file without secrets, still of its form."""
    if path.endswith(".jsonl"):
        return b"\n".join(_json_line(each, secrets) for each in data.split(b"\n"))
    if path.endswith(".json"):
        return _json_line(data, secrets)
    new = _redacted(data, secrets)
    if path.endswith((".yaml", ".damaged")):
        text = _WHOLE_VALUE.sub(r'\1"\2"', new.decode("utf-8", "surrogateescape"))
        return text.encode("utf-8", "surrogateescape") if new != data else data
    return new


def _json_line(data: bytes, secrets: tuple[str, ...]) -> bytes:
    """A JSON text; if the marks would break it, it is written again."""
    new = _redacted(data, secrets)
    try:
        value = jsons.loads(data)
    except (ValueError, RecursionError):
        return new  # it was none before
    cleaned = _cleaned(value, secrets)
    if cleaned == value and new == data:
        return data
    indent = 1 if b"\n" in data.strip() else None
    text = json.dumps(cleaned, ensure_ascii=False, indent=indent)
    return text.encode("utf-8", "surrogateescape") + (b"\n" if data.endswith(b"\n") else b"")


def _redacted(data: bytes, secrets: tuple[str, ...]) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    return redact(text, values=secrets).encode("utf-8", "surrogateescape")


# end of module
