"""The proof log: an append-only chain of lines, each naming the hash of the line before it.

Owns appending, sealing and what is set right after a crash. The log's head is said in the registry,
outside the project, before a line is written, with the line itself: a process that dies in between
loses nothing, and a cut tail is seen. Does not own reading files (``audit.segments``), judging the chain
(``audit.verify``) or what entries mean (``evidence.session_facts``).
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from operators_edge.audit import segments
from operators_edge.audit.segments import End
from operators_edge.errors import EdgeError, StateError
from operators_edge.redaction.redact import clean, preview, preview_json
from operators_edge.storage.files import Lock, ensure_private_dir, failure, write_all
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from operators_edge.audit.segments import Position
    from operators_edge.audit.verify import VerifyReport
    from operators_edge.storage.registry import Head, Registry

SEGMENT_BYTES = 64 * 1024 * 1024
INPUT_LIMIT = 500
OUTPUT_LIMIT = 1000
DATA_LIMIT = 4000
LINE_LIMIT = 128 * 1024

Entry = dict[str, Any]
HEAD_EVENTS = (
    "log_anchored",
    "log_head_unreadable",
    "log_replaced",
    "log_tail_missing",
    "log_unanchored",
)
"""What the log says of itself when it and its recorded head did not agree."""

_FIELDS = (
    "event",
    "session",
    "agent",
    "tool",
    "tool_use_id",
    "input_preview",
    "output_preview",
    "success",
    "file_touched",
    "diff_hash",
    "duration_ms",
    "exit_code",
)
_NEW_SESSION = ("startup", "clear", "fork")

# What a terminal, an editor or a splitter of lines would act on: kept, but as an escape.
_ACTIVE = "[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"


class ProofLog:
    """The log of the project at ``root``; without a ``registry`` its end is not anchored."""

    def __init__(
        self,
        root: str,
        *,
        registry: Registry | None = None,
        clock: Callable[[], datetime],
        segment_bytes: int = SEGMENT_BYTES,
        on_session: Callable[[str, Position | None], None] | None = None,
    ) -> None:
        """``on_session`` is called, under the lock, with each session that begins and the log's end then."""
        self.on_session = on_session
        self.root = root
        self.registry = registry
        self.clock = clock
        self.segment_bytes = segment_bytes

    # -- writing ---------------------------------------------------------------------------------

    def append(self, entry: Entry, *, secrets: Iterable[str] = ()) -> Entry:
        """Append one line; returns it as written. See ``append_many``."""
        return self.append_many([entry], secrets=secrets)[0]

    def append_many(self, entries: list[Entry], *, secrets: Iterable[str] = ()) -> list[Entry]:
        """Append lines in one write, redacted and bounded.

        Raises StateError when they could not be written. They may be in the log later all the same:
        what the registry was told is written with the next entry.
        """
        if not entries:
            return []
        prepared = [prepared_entry(entry, tuple(secrets)) for entry in entries]
        with self.lock("append to the log"):
            fd = self._open()
            try:
                end, lines, notes = self._settled(fd)
                fd, end = self._rolled(fd, end)
                for entry in entries:
                    if _begins_session(entry):
                        self._begin_counting(fd, entry, end)
                written = self._write(fd, end, lines, [*notes, *prepared])
            finally:
                os.close(fd)
        return written[len(written) - len(prepared) :]

    def append_once(self, entries: list[Entry], *, tx: str, after: int) -> None:
        """Append the prepared entries of a transaction, but those that are there already.

        ``after`` is the log's last number before the transaction: nothing of it can lie before. On the
        disk when it returns.
        """
        with self.lock("append to the log"):
            fd = self._open()
            try:
                end, lines, notes = self._settled(fd)
                there = [segments.parsed(line) for line in lines]
                there += self.tail(max(0, end.seq - after) if after <= end.seq else end.seq)
                missing = entries[
                    sum(each is not None and each.get("tx") == tx for each in there) :
                ]
                fd, end = self._rolled(fd, end)
                for entry in missing:
                    if _begins_session(entry):
                        self._begin_counting(fd, entry, end)
                if missing or lines:
                    self._write(fd, end, lines, [*notes, *missing])
                os.fsync(fd)
            finally:
                os.close(fd)

    def lock(self, command: str) -> Lock:
        return Lock(os.path.join(segments.folder_of(self.root), "log.lock"), command=command)

    def recover(self) -> None:
        """Finish what a killed process left undone; nothing is written where there is nothing."""
        with self.lock("check the log"):
            fd = self._open()
            try:
                end, lines, notes = self._settled(fd)
                if any(note["event"] not in HEAD_EVENTS for note in notes):
                    self._write(fd, end, lines, notes)
            finally:
                os.close(fd)

    def _open(self) -> int:
        path = segments.current_path(self.root)
        return segments.open_log(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def _settled(self, fd: int) -> tuple[End, list[bytes], list[Entry]]:
        """The log's end; the lines owed to it; and what has to be reported with the next write."""
        notes: list[Entry] = []
        size = os.fstat(fd).st_size
        end = segments.end_of(fd, size)
        if end.offset < size:
            notes.append(self._set_aside(fd, end, size))
        if end.seq == 0:
            end = self._sealed_end()
        lines: list[bytes] = []
        head, problem = self._head()
        if problem:
            notes.append(_note("log_head_unreadable", ends_at=end.seq, problem=problem))
        if head is not None:
            lines = owed(head, end)
            if lines:
                notes.append(_note("log_completed", entries=len(lines), up_to=head["seq"]))
            else:
                notes += self._misfit(head, end)
        elif end.seq and not problem and self.registry is not None:
            notes.append(_note("log_anchored", ends_at=end.seq))
        return end, lines, notes

    def _misfit(self, head: Head, end: End) -> list[Entry]:
        """What is wrong where log and registry do not say the same."""
        if head["seq"] == end.seq:
            if head["hash"] == end.hash:
                return []
            return [_note("log_replaced", ends_at=end.seq, head=head["seq"], hash=head["hash"])]
        if head["seq"] < end.seq:
            return [_note("log_unanchored", ends_at=end.seq, head=head["seq"], hash=head["hash"])]
        note = _note("log_tail_missing", ends_at=end.seq, head=head["seq"], hash=head["hash"])
        end.seq = head["seq"]  # a number is never given twice
        return [note]

    def _head(self) -> tuple[Head | None, str]:
        """The recorded head, or why it cannot be read."""
        if self.registry is None:
            return None, ""
        try:
            return self.registry.head(), ""
        except OSError as error:
            return None, str(error)
        except EdgeError as error:
            return None, error.message

    def _set_aside(self, fd: int, end: End, size: int) -> Entry:
        """Keep what a killed or foreign writer left behind the last good line, elsewhere."""
        folder = segments.sealed_dir(self.root)
        ensure_private_dir(folder)
        when = self.clock().strftime("%Y%m%dT%H%M%S%f")
        kind = "foreign" if _is_foreign(fd, end.offset, size) else "torn"
        path = os.path.join(folder, f"{kind}-{end.seq + 1}-{when}-{os.urandom(3).hex()}")
        try:
            os.lseek(fd, end.offset, os.SEEK_SET)
            copy = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                while block := os.read(fd, 1 << 20):
                    write_all(copy, block)
            finally:
                os.close(copy)
            os.ftruncate(fd, end.offset)
        except OSError as error:
            raise failure("set aside the torn end of the log in", path, error) from error
        return _note(f"log_{kind}", bytes=size - end.offset, kept=os.path.basename(path))

    def _sealed_end(self) -> End:
        """Where the sealed segments end; the current one is empty."""
        for _, path in reversed(segments.sealed(self.root)):
            fd = segments.open_log(path)
            try:
                end = segments.end_of(fd, os.fstat(fd).st_size)
            finally:
                os.close(fd)
            if end.seq:
                return End(end.seq, end.hash, 0)
        return End()

    def _rolled(self, fd: int, end: End) -> tuple[int, End]:
        """The descriptor to write to: a full segment is sealed and a new one begun."""
        if end.offset < self.segment_bytes:
            return fd, end
        first = segments.first_seq(fd)
        if first is None:
            return fd, end
        path = segments.current_path(self.root)
        ensure_private_dir(segments.sealed_dir(self.root))
        target = segments.sealed_path(self.root, first)
        if os.path.lexists(target):
            raise StateError(f"{target} is there already", hint="edge proof verify")
        os.close(fd)  # Windows renames no open file
        try:
            os.rename(path, target)
        except OSError as error:
            if sys.platform == "win32":  # a reader holds it open: it is sealed another time
                return self._open(), end
            raise failure("seal", path, error) from error
        return self._open(), End(end.seq, end.hash, 0)

    def _write(self, fd: int, end: End, lines: list[bytes], entries: list[Entry]) -> list[Entry]:
        """Put the lines owed and the entries behind them into the log; returns the entries."""
        written, more = self._chained(end, lines, entries)
        if not self._say_head(written[-1]["seq"], lines + more):
            # What is said about the head is said once: when a new head ends the reason for it.
            entries = [entry for entry in entries if entry["event"] not in HEAD_EVENTS]
            written, more = self._chained(end, lines, entries)
        data = b"".join(line + b"\n" for line in lines + more)
        try:
            _write_whole(fd, end.offset, data)
        except OSError as error:
            raise failure("append to", segments.current_path(self.root), error) from error
        return written

    def _chained(
        self, end: End, owing: list[bytes], entries: list[Entry]
    ) -> tuple[list[Entry], list[bytes]]:
        """The entries as they will stand behind the lines owed, and their bytes."""
        seq, prev = end.seq, end.hash
        if owing:
            seq, prev = seq + len(owing), sha256_hex(owing[-1])
        written, lines = [], []
        for entry in entries:
            seq += 1
            now = self.clock().isoformat(timespec="milliseconds")
            full = {"seq": seq, "timestamp": now, **entry, "prev": prev}
            line = _encoded(full)
            prev = sha256_hex(line)
            lines.append(line)
            written.append(full)
        return written, lines

    def _say_head(self, seq: int, lines: list[bytes]) -> bool:
        """Tell the registry first. Where that fails the log goes on, and ``verify`` says so."""
        if self.registry is None:
            return False
        try:
            self.registry.write_head(seq, sha256_hex(lines[-1]), [line.decode() for line in lines])
        except (EdgeError, OSError):
            return False
        return True

    def _begin_counting(self, fd: int, entry: Entry, end: End) -> None:
        if self.on_session is not None:
            first = segments.first_seq(fd)
            where = (first, end.offset, end.hash) if first is not None else None
            self.on_session(str(entry["session"]), where)

    # -- reading ---------------------------------------------------------------------------------

    def tail(self, count: int) -> list[Entry]:
        """The last entries, oldest first."""
        found: list[bytes] = []
        paths = [segments.current_path(self.root)]
        paths += [path for _, path in reversed(segments.sealed(self.root))]
        for path in paths:
            if len(found) >= count:
                break
            try:
                fd = segments.open_log(path)
            except FileNotFoundError:
                continue
            try:
                size = os.fstat(fd).st_size
                found = segments.last_lines(fd, size, count - len(found)) + found
            finally:
                os.close(fd)
        return [segments.read(line) for line in found]

    def entries(self, start: Position | None = None) -> Iterator[tuple[Entry, Position]]:
        """Every entry from a position (or the beginning), each with the position behind it.

        Raises PositionLost when the log is no longer the one that the position was in. A line that
        is no entry comes as ``{"event": "log_unreadable"}``.
        """
        for line, place in segments.all_lines(self.root, start):
            yield segments.read(line), segments.position(line, place)

    def count(self) -> int:
        """How many entries were written: the last one's number."""
        last = self.tail(1)
        return int(last[0].get("seq") or 0) if last else 0

    def show(self, seq: int) -> Entry | None:
        """The entry of that number."""
        start = b'{"seq":%d,' % seq
        for line, where in segments.lines_from(self.root, seq):
            if line.startswith(start):
                return segments.read(line)
            if where[0] > seq:
                break
        return None

    def since(self, seq: int) -> Iterator[Entry]:
        """The entries from that number on; what lies in segments before it costs nothing."""
        entries = (segments.read(line) for line, _ in segments.lines_from(self.root, seq))
        return (entry for entry in entries if int(entry.get("seq") or 0) >= seq)

    def search(
        self, text: str = "", *, event: str = "", tool: str = "", session: str = ""
    ) -> Iterator[Entry]:
        """Entries that hold the text, in any letter case, of that event, tool and session."""
        wanted = {"event": event, "tool": tool, "session": session}
        wanted = {name: value for name, value in wanted.items() if value}
        needle = text.casefold()
        # Lines of other events are passed over unread: there may be a million of them.
        mark = json.dumps(event).encode() if event and event != segments.UNREADABLE else b""
        for line, _ in segments.all_lines(self.root, None, mark=mark):
            entry = segments.read(line)
            if any(entry.get(name) != value for name, value in wanted.items()):
                continue
            if not needle or needle in searchable(entry).casefold():
                yield entry

    def recent_of(self, classes: list[str], count: int, *, within: int = 2000) -> list[str]:
        """The last calls, as shown then, that dismissals of these classes would let through."""
        shown: dict[str, str] = {}
        for entry in self.tail(within):
            data = entry.get("data") or {}
            its = data.get("classes")
            if its and data.get("shown") and set(its) <= set(classes):
                shown[str(entry.get("tool_use_id") or entry.get("seq"))] = str(data["shown"])
        return list(shown.values())[-count:]

    def verify(self) -> VerifyReport:
        """Whether the chain is whole and ends where the registry says."""
        from operators_edge.audit import verify  # noqa: PLC0415 - for one command

        return verify.verify(self)


def searchable(entry: Entry) -> str:
    parts = [entry.get(name) for name in ("input_preview", "output_preview", "file_touched")]
    data = entry.get("data")
    return "\n".join([*(str(p) for p in parts if p), json.dumps(data, ensure_ascii=False)])


def _is_foreign(fd: int, start: int, size: int) -> bool:
    """Whether whole lines stand there that are of no chain, as the hooks of versions before 4 write them."""
    return is_older_line(next((line for line, _ in segments.lines(fd, start, size)), b""))


def is_older_line(line: bytes) -> bool:
    """Whether a line is of an older version's log: a tool and a time, and no place in a chain."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(entry, dict) and "timestamp" in entry and not {"seq", "prev"} & entry.keys()


def owed(head: Head, end: End) -> list[bytes]:
    """The recorded lines that should follow the log's end and do not; [] when they do not fit."""
    missing = head["seq"] - end.seq
    if not 0 < missing <= len(head["lines"]):
        return []
    lines = [str(line).encode() for line in head["lines"][-missing:]]
    first = segments.parsed(lines[0])
    return lines if first is not None and first["prev"] == end.hash else []


def prepared_entry(entry: Entry, secrets: tuple[str, ...]) -> Entry:
    """The entry with its fields in their order, redacted first and cut then."""
    full = {name: entry.get(name) for name in _FIELDS}
    full["event"] = entry.get("event") or "tool"
    for name, limit in (("input_preview", INPUT_LIMIT), ("output_preview", OUTPUT_LIMIT)):
        value = full[name]
        if value is not None:
            full[name] = (preview if isinstance(value, str) else preview_json)(
                value, limit, values=secrets
            )
    for name in ("session", "agent", "tool", "tool_use_id", "file_touched", "diff_hash"):
        if full[name] is not None:
            full[name] = preview(str(full[name]), DATA_LIMIT, values=secrets)
    data = clean(entry.get("data") or {}, DATA_LIMIT, values=secrets)
    if len(json.dumps(data)) > LINE_LIMIT:
        data = {"cut": preview_json(data, DATA_LIMIT, values=secrets)}
    if entry.get("tx"):
        full["tx"] = entry["tx"]
    return {**full, "data": data}


def _encoded(entry: Entry) -> bytes:
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    if not text.isascii() or "\x7f" in text:
        text = re.sub(_ACTIVE, lambda found: f"\\u{ord(found.group()):04x}", text)
    return text.encode()


def _note(event: str, **data: Any) -> Entry:
    return prepared_entry({"event": event, "data": data}, ())


def _begins_session(entry: Entry) -> bool:
    is_start = entry.get("event") == "session_start" and bool(entry.get("session"))
    return is_start and (entry.get("data") or {}).get("source") in _NEW_SESSION


def _write_whole(fd: int, offset: int, data: bytes) -> None:
    """One write; what could be written only in part is taken back."""
    import errno  # noqa: PLC0415 - where a disk is full

    try:
        count = os.write(fd, data)
    except OSError:
        os.ftruncate(fd, offset)
        raise
    if count < len(data):
        os.ftruncate(fd, offset)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
