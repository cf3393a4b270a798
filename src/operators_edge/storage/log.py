"""The proof log: an append-only chain of lines, each with the hash of the line before it.

Owns appending, sealing of full segments and repair after a crash. The log's head (number and hash of its last
line, and the lines being written) is recorded in the registry, outside the project, before the lines are
written: a process that dies in between loses nothing, and a truncated log is noticed. Does not own reading
files (``storage.segments``), checking the chain (``storage.verify``) or what entries mean
(``evidence.session_facts``).
"""

from __future__ import annotations

import errno
import os
import sys

from operators_edge import jsons
from operators_edge.contexts import contextmanager
from operators_edge.errors import EdgeError, StateError
from operators_edge.model import NEW_SESSION
from operators_edge.redaction.redact import clean, preview, preview_json
from operators_edge.storage import segments
from operators_edge.storage.files import (
    UNCHANGED,
    Lock,
    ensure_private_dir,
    failure,
    write_all,
)
from operators_edge.storage.segments import End
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from typing import Any

    from operators_edge.records import LogEntry
    from operators_edge.storage.registry import Head, Registry
    from operators_edge.storage.scrub import Chain, Staging
    from operators_edge.storage.segments import Position

SEGMENT_BYTES = 16 * 1024 * 1024
"""After so many bytes a segment is sealed: see ``evidence.checkpoint_store`` for what that bounds."""
INPUT_LIMIT = 500
OUTPUT_LIMIT = 1000
DATA_LIMIT = 4000
LINE_LIMIT = 128 * 1024

HEAD_EVENTS = (
    "log_anchored",
    "log_head_unreadable",
    "log_replaced",
    "log_tail_missing",
    "log_unanchored",
)
"""Events that the log writes when it and its recorded head disagree."""

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


class ProofLog:
    """The log of the project at ``root``. Without a ``registry`` its head is not recorded."""

    def __init__(
        self,
        root: str,
        *,
        registry: Registry | None = None,
        clock: Callable[[], datetime],
        segment_bytes: int = SEGMENT_BYTES,
        on_session: Callable[[str, Position | None], None] | None = None,
        on_sealed: Callable[[], None] | None = None,
        secrets: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        """``secrets`` are values to hide in every entry; asked for once one is written.

        ``on_session`` is called under the lock with each session that begins and the log's end then.

        ``on_sealed`` is called without it, by the process that has sealed a segment.
        """
        self.on_session = on_session
        self.on_sealed = on_sealed
        self.root = root
        self.registry = registry
        self.clock = clock
        self.segment_bytes = segment_bytes
        self._secrets = secrets

    # -- writing ---------------------------------------------------------------------------------

    def append(self, entry: LogEntry, *, secrets: tuple[str, ...] | None = None) -> LogEntry:
        """Append one line; returns it as written. See ``append_many``."""
        return self.append_many([entry], secrets=secrets)[0]

    def append_many(
        self, entries: list[LogEntry], *, secrets: tuple[str, ...] | None = None
    ) -> list[LogEntry]:
        """Append lines in one write, redacted and bounded.

        ``secrets`` are the known values to hide, if the caller has them or its entries can hold none.

        Raises StateError if they could not be written. They may appear later anyway: lines that the registry
        has are written with the next entry.
        """
        if not entries:
            return []
        prepared = self.prepared(entries, secrets=secrets)
        with self._opened("append to the log") as (fd, end, lines, notes):
            written = self._write(fd, end, lines, [*notes, *prepared])
        return written[len(written) - len(prepared) :]

    def prepared(
        self, entries: list[LogEntry], *, secrets: tuple[str, ...] | None = None
    ) -> list[LogEntry]:
        """The entries as they are written: redacted and bounded."""
        known = self._secrets() if secrets is None and entries else secrets or ()
        return [prepared_entry(entry, known) for entry in entries]

    def append_once(self, entries: list[LogEntry], *, tx: str, after: int) -> None:
        """Append the prepared entries of a transaction, except those that the log already has.

        ``after`` is the log's last number before the transaction: none of its entries can be before that.
        When this returns they are synced to the disk.
        """
        with self._opened("append to the log") as (fd, end, lines, notes):
            present = [segments.parsed(line) for line in lines]
            present += self.tail(max(0, end.seq - after) if after <= end.seq else end.seq)
            missing = entries[sum(each is not None and each.get("tx") == tx for each in present) :]
            if missing or lines:
                self._write(fd, end, lines, [*notes, *missing])
            self._sync(fd)

    def sync(self) -> None:
        """Make every line so far, and the recorded end, survive a power loss.

        One sync for all lines of a turn: one for each would cost each tool call a wait for the disk.
        """
        try:
            fd = segments.open_log(segments.current_path(self.root), os.O_RDWR)
        except FileNotFoundError:
            return
        try:
            self._sync(fd)
        finally:
            os.close(fd)
        if self.registry is not None:
            self.registry.sync_head()

    def _sync(self, fd: int) -> None:
        try:
            os.fsync(fd)
        except OSError as error:
            raise failure("sync", segments.current_path(self.root), error) from error

    def lock(self, command: str) -> Lock:
        return Lock(os.path.join(segments.folder_of(self.root), "log.lock"), command=command)

    def recover(self) -> None:
        """Finish what a killed process left; nothing is written if it left nothing."""
        with self._opened("check the log") as (fd, end, lines, notes):
            if any(note["event"] not in HEAD_EVENTS for note in notes):
                self._write(fd, end, lines, notes)

    @contextmanager
    def _opened(self, command: str) -> Iterator[tuple[int, End, list[bytes], list[LogEntry]]]:
        """The current segment under the lock, for writing, and what ``_repaired`` says about it."""
        with self.lock(command):
            if os.path.lexists(os.path.join(segments.folder_of(self.root), segments.SCRUB_LIST)):
                from operators_edge.storage import scrub  # noqa: PLC0415 - after a crash of a rare command

                scrub.finish(self.root, self.registry)
            fd = self._open()
            try:
                end, lines, notes = self._repaired(fd)
                is_full = end.offset > 0
                fd, end = self._rolled(fd, end)
                is_sealed = is_full and end.offset == 0
                yield fd, end, lines, notes
            finally:
                os.close(fd)
        if is_sealed and self.on_sealed is not None:
            self.on_sealed()

    def _open(self) -> int:
        path = segments.current_path(self.root)
        return segments.open_log(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def _repaired(self, fd: int) -> tuple[End, list[bytes], list[LogEntry]]:
        """The log's end; recorded lines that it lacks; and notes to write with the next entries."""
        notes: list[LogEntry] = []
        size = os.fstat(fd).st_size
        end = segments.end_of(fd, size)
        if end.offset < size:
            notes.append(self._move_tail(fd, end, size))
        if end.seq == 0:
            end = self._sealed_end()
        lines: list[bytes] = []
        head, problem = self._head()
        if problem:
            notes.append(_note("log_head_unreadable", ends_at=end.seq, problem=problem))
        if head is not None:
            lines = missing_lines(head, end)
            if lines:
                notes.append(_note("log_completed", entries=len(lines), up_to=head["seq"]))
            else:
                notes += self._disagreement(head, end)
        elif end.seq and not problem and self.registry is not None:
            notes.append(_note("log_anchored", ends_at=end.seq))
        return end, lines, notes

    def _disagreement(self, head: Head, end: End) -> list[LogEntry]:
        """The note for a log that ends elsewhere than recorded."""
        if head["seq"] == end.seq:
            if head["hash"] == end.hash:
                return []
            return [_note("log_replaced", ends_at=end.seq, head=head["seq"], hash=head["hash"])]
        if head["seq"] < end.seq:
            return [_note("log_unanchored", ends_at=end.seq, head=head["seq"], hash=head["hash"])]
        note = _note("log_tail_missing", ends_at=end.seq, head=head["seq"], hash=head["hash"])
        end.seq = head["seq"]  # a number is never used twice
        return [note]

    def _head(self) -> tuple[Head | None, str]:
        """The recorded head, or the reason why it cannot be read."""
        if self.registry is None:
            return None, ""
        try:
            return self.registry.head(), ""
        except OSError as error:
            return None, str(error)
        except EdgeError as error:
            return None, error.message

    def _move_tail(self, fd: int, end: End, size: int) -> LogEntry:
        """Move what a killed or foreign writer left after the last valid line into a file of its own."""
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
            raise failure("move the torn end of the log to", path, error) from error
        return _note(f"log_{kind}", bytes=size - end.offset, kept=os.path.basename(path))

    def _sealed_end(self) -> End:
        """The end of the sealed segments; the current one is empty."""
        for _, path in reversed(segments.sealed(self.root)):
            with segments.Opened(path) as fd:
                end = segments.end_of(fd, os.fstat(fd).st_size) if fd is not None else End()
            if end.seq:
                return End(end.seq, end.hash, 0)
        return End()

    def _rolled(self, fd: int, end: End) -> tuple[int, End]:
        """The descriptor to write to; a full segment is sealed first and a new one started."""
        if end.offset < self.segment_bytes:
            return fd, end
        first = segments.first_seq(fd)
        if first is None:
            return fd, end
        path = segments.current_path(self.root)
        ensure_private_dir(segments.sealed_dir(self.root))
        target = segments.sealed_path(self.root, first)
        if os.path.lexists(target):
            raise StateError(f"{target} is there already", hint="edge log verify")
        if sys.platform == "win32":  # an open file cannot be renamed there
            os.close(fd)
        try:
            os.rename(path, target)
        except OSError:  # it is sealed later
            return (self._open() if sys.platform == "win32" else fd), end
        following = self._open()
        if sys.platform != "win32":
            os.close(fd)
        return following, End(end.seq, end.hash, 0)

    def _write(
        self, fd: int, end: End, lines: list[bytes], entries: list[LogEntry]
    ) -> list[LogEntry]:
        """Append the missing lines and then the entries; returns the entries as written."""
        for entry in filter(_begins_session, entries):
            self._begin_counting(fd, entry, end)
        written, more = self._chained(end, lines, entries)
        is_recorded = self._record_head(written[-1]["seq"], lines + more)
        if not is_recorded:
            # Notes about the head are written only together with a new head, so that each appears once.
            entries = [entry for entry in entries if entry["event"] not in HEAD_EVENTS]
            written, more = self._chained(end, lines, entries)
        data = b"".join(line + b"\n" for line in lines + more)
        try:
            _write_whole(fd, end.offset, data)
        except OSError as error:
            refusal = failure("append to", segments.current_path(self.root), error)
            if is_recorded:
                kept = "What was to be logged is kept: the next entry brings it into the log."
                refusal.hint = f"{kept} {refusal.hint.removesuffix(UNCHANGED)}".strip()
            raise refusal from error
        return written

    def _chained(
        self, end: End, missing: list[bytes], entries: list[LogEntry]
    ) -> tuple[list[LogEntry], list[bytes]]:
        """The entries as they will follow the missing lines, and their bytes."""
        seq, prev = end.seq, end.hash
        if missing:
            seq, prev = seq + len(missing), sha256_hex(missing[-1])
        written, lines = [], []
        for entry in entries:
            seq += 1
            now = self.clock().isoformat(timespec="milliseconds")
            full: LogEntry = {"seq": seq, "timestamp": now, **entry, "prev": prev}
            line = segments.encoded(full)
            prev = sha256_hex(line)
            lines.append(line)
            written.append(full)
        return written, lines

    def _record_head(self, seq: int, lines: list[bytes]) -> bool:
        """Record the head first. If that fails the log is written anyway, and ``verify`` reports it."""
        if self.registry is None:
            return False
        try:
            self.registry.write_head(seq, sha256_hex(lines[-1]), [line.decode() for line in lines])
        except (EdgeError, OSError):
            return False
        return True

    def _begin_counting(self, fd: int, entry: LogEntry, end: End) -> None:
        if self.on_session is not None:
            first = segments.first_seq(fd)
            where = (first, end.offset, end.hash) if first is not None else None
            self.on_session(str(entry["session"]), where)

    def cut(self, seq: int, note: Callable[[LogEntry, str], LogEntry]) -> None:
        """Remove every entry before a number, permanently.

        ``note`` makes the entry that says so, from the last removed entry and its hash; it is written first.
        What a killed process leaves is a whole log that begins later; ``cut`` again removes the rest.
        """
        with self._opened("purge the log") as (fd, end, lines, notes):
            last = next((each for each in self.since(seq - 1) if each.get("seq") == seq - 1), None)
            if last is None:
                raise StateError(f"the log has no entry {seq - 1}", hint="edge log verify")
            digest = next(
                sha256_hex(line)
                for line, _ in segments.lines_from(self.root, seq - 1)
                if segments.read(line).get("seq") == seq - 1
            )
            self._write(fd, end, lines, [*notes, note(last, digest)])
            self._sync(fd)
            firsts = [first for first, _ in segments.sealed(self.root)]
            for first, path in segments.sealed(self.root):
                following = next((each for each in firsts if each > first), segments.first_seq(fd))
                if following is not None and following <= seq:
                    os.unlink(path)
                elif first < seq:
                    segments.shorten(path, seq)
                    os.rename(path, segments.sealed_path(self.root, seq))
            if (segments.first_seq(fd) or seq) < seq:
                segments.shorten(segments.current_path(self.root), seq)

    def accept(self, note: Callable[[int, str], LogEntry]) -> None:
        """Append an entry that accepts all lines before it, and record it as the end; synced.

        ``note`` makes it from the number of the last of them and the digest of all. StateError if the end
        cannot be recorded: then nothing is accepted.
        """
        with self._opened("anchor the log") as (fd, end, lines, notes):
            if notes:
                self._write(fd, end, lines, notes)
                last = segments.end_of(fd, os.fstat(fd).st_size)
                end.seq, end.hash, end.offset = last.seq, last.hash, last.offset
            entry = note(end.seq, segments.digest_of_all(self.root))
            (written,) = self._write(fd, end, [], [entry])
            self._sync(fd)
            head, problem = self._head()
            if head is None or head["seq"] != written["seq"]:
                why = problem or "it is not recorded"
                raise StateError(f"Cannot record the end of the log: {why}", hint="edge doctor")

    def scrub(
        self,
        change: Callable[[LogEntry], LogEntry],
        changed_line: Callable[[bytes], bytes],
        *,
        note: Callable[[list[int]], LogEntry],
        others: Callable[[Staging], None],
    ) -> None:
        """Replace entries by what ``change`` makes of them and chain the lines again, all at once.

        ``note`` makes the last entry, from the numbers of those that were changed; ``others`` adds more files
        to what is replaced. See ``storage.scrub``.
        """
        from operators_edge.storage import scrub  # noqa: PLC0415 - a rare command

        registry = self.registry
        if registry is None:
            raise StateError("The end of this log is not recorded anywhere", hint="edge doctor")
        with self._opened("take secrets out of the log") as (fd, end, lines, notes):
            if lines or notes:
                self._write(fd, end, lines, notes)
            staging = scrub.Staging(self.root, registry.env)
            try:
                chain = scrub.Chain(self.root, change, changed_line, env=registry.env)
                for _, path in segments.sealed(self.root):
                    staging.write(path, chain.lines(segments.lines_of(path)))
                current = segments.current_path(self.root)
                ending = self._scrubbed_end(chain, segments.lines_of(current), note)
                staging.write(current, ending)
                staging.end = (chain.seq, str(chain.hash))
                others(staging)
                staging.commit(registry)
            except BaseException:
                if not scrub.is_pending(self.root):
                    staging.abandon()
                raise

    def _scrubbed_end(
        self, chain: Chain, given: Iterable[bytes], note: Callable[[list[int]], LogEntry]
    ) -> Iterator[bytes]:
        yield from chain.lines(given)
        entry = note(chain.changed)
        now = self.clock().isoformat(timespec="milliseconds")
        yield chain.add({"seq": chain.seq + 1, "timestamp": now, **entry})

    # -- reading ---------------------------------------------------------------------------------

    def tail(self, count: int) -> list[LogEntry]:
        """The last entries, oldest first."""
        lines: list[bytes] = []
        paths = [segments.current_path(self.root)]
        paths += [path for _, path in reversed(segments.sealed(self.root))]
        for path in paths:
            if len(lines) >= count:
                break
            with segments.Opened(path) as fd:
                if fd is not None:
                    size = os.fstat(fd).st_size
                    lines = segments.last_lines(fd, size, count - len(lines)) + lines
        return [segments.read(line) for line in lines]

    def entries(self, start: Position | None = None) -> Iterator[tuple[LogEntry, Position]]:
        """Every entry from a position (or the beginning), each with the position after it.

        Raises PositionLost if the log is no longer the one that the position was in. A line that is not an
        entry is returned as ``{"event": "log_unreadable"}``.
        """
        for line, place in segments.all_lines(self.root, start):
            yield segments.read(line), segments.position(line, place)

    def count(self) -> int:
        """The number of the last entry."""
        last = self.tail(1)
        return int(last[0].get("seq") or 0) if last else 0

    def missing_end(self) -> str:
        """Why the log does not reach the end that was recorded, in a sentence; "" if it does. A quick check.

        Lines that a writer is about to add are not missing.
        """
        head, problem = self._head()
        if problem:
            return problem
        last = self.count()
        if head is None or head["seq"] - len(head["lines"]) <= last:
            return ""
        return f"the log ends at entry {last}, but {head['seq']} was recorded"

    def show(self, seq: int) -> LogEntry | None:
        """The entry with that number."""
        return next((entry for entry in self.since(seq) if entry.get("seq") == seq), None)

    def since(self, seq: int) -> Iterator[LogEntry]:
        """The entries from that number on; earlier segments are not read."""
        entries = (segments.read(line) for line, _ in segments.lines_from(self.root, seq))
        return (entry for entry in entries if int(entry.get("seq") or 0) >= seq)

    def search(
        self, text: str = "", *, event: str = "", tool: str = "", session: str = ""
    ) -> Iterator[LogEntry]:
        """Entries that contain the text, ignoring case, with that event, tool and session."""
        wanted = {"event": event, "tool": tool, "session": session}
        wanted = {name: value for name, value in wanted.items() if value}
        sought = text.casefold()
        # Lines of other events are skipped without parsing: there can be a million of them.
        mark = jsons.dumps(event).encode() if event and event != segments.UNREADABLE else b""
        for line, _ in segments.all_lines(self.root, None, mark=mark):
            entry = segments.read(line)
            if any(entry.get(name) != value for name, value in wanted.items()):
                continue
            if not sought or sought in searchable(entry).casefold():
                yield entry

    def recent_of(
        self, classes: list[str], count: int, *, rule: str = "", within: int = 2000
    ) -> list[str]:
        """The last calls, as they were shown, that dismissals of these classes, or of a rule, would allow."""
        shown: dict[str, str] = {}
        for entry in self.tail(within):
            data = entry.get("data") or {}
            its = data.get("classes")
            is_covered = data.get("rule") == rule if rule else its and set(its) <= set(classes)
            if its and data.get("shown") and is_covered:
                shown[str(entry.get("tool_use_id") or entry.get("seq"))] = str(data["shown"])
        return list(shown.values())[-count:]


def searchable(entry: LogEntry) -> str:
    names = ("event", "tool", "input_preview", "output_preview", "file_touched")
    parts = [entry.get(name) for name in names]
    data = entry.get("data")
    return "\n".join([*(str(p) for p in parts if p), jsons.dumps(data, ensure_ascii=False)])


def _is_foreign(fd: int, start: int, size: int) -> bool:
    """Whether the lines there are complete and of no chain, as versions before 4 write them."""
    return is_older_line(next((line for line, _ in segments.lines(fd, start, size)), b""))


def is_older_line(line: bytes) -> bool:
    """Whether a line is from the log of an older version: a time, and no place in a chain."""
    try:
        entry = jsons.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(entry, dict) and "timestamp" in entry and not {"seq", "prev"} & entry.keys()


def missing_lines(head: Head, end: End) -> list[bytes]:
    """The recorded lines that should follow the log's end but do not; [] if they do not fit."""
    count = head["seq"] - end.seq
    if not 0 < count <= len(head["lines"]):
        return []
    lines = [str(line).encode() for line in head["lines"][-count:]]
    first = segments.parsed(lines[0])
    return lines if first is not None and first["prev"] == end.hash else []


def prepared_entry(entry: LogEntry, secrets: tuple[str, ...]) -> LogEntry:
    """The entry with its fields in order, redacted first and shortened then."""
    full: dict[str, Any] = {name: entry.get(name) for name in _FIELDS}
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
    if len(jsons.dumps(data)) > LINE_LIMIT:
        data = {"cut": preview_json(data, DATA_LIMIT, values=secrets)}
    if entry.get("tx"):
        full["tx"] = entry["tx"]
    return cast("LogEntry", {**full, "data": data})


def _note(event: str, **data: Any) -> LogEntry:
    return prepared_entry({"event": event, "data": data}, ())


def _begins_session(entry: LogEntry) -> bool:
    is_start = entry.get("event") == "session_start" and bool(entry.get("session"))
    return is_start and (entry.get("data") or {}).get("source") in NEW_SESSION


def _write_whole(fd: int, offset: int, data: bytes) -> None:
    """One write; a partial one is undone."""
    try:
        count = os.write(fd, data)
    except OSError:
        os.ftruncate(fd, offset)
        raise
    if count < len(data):
        os.ftruncate(fd, offset)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# end of module
