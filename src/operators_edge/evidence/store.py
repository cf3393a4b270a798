"""What was done, kept beside the log so that asking costs only what was added since.

Owns ``.proof/cache/sessions`` (what each session did), ``.proof/cache/work.json`` (what all of them did since
the objective was set) and ``.proof/cache/metrics.json`` (how often what happened). They can be deleted at any
time: a record is then folded again from the log. Does not own what entries mean (``core``).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.audit import segments
from operators_edge.evidence import session_facts
from operators_edge.storage import files
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.audit.segments import Position
    from operators_edge.evidence.objective_facts import Work
    from operators_edge.evidence.session_facts import Record
    from operators_edge.records import LogEntry

VERSION = 2

KEEP_EVERY = 20_000
"""Entries folded in one go after which the record is kept: who is stopped midway has not worked in vain."""

OBJECTIVE = b',"event":"objective","session":'
"""How a line that sets the objective is known without reading it; a text inside of one has escaped quotes."""


class Session:
    """One session as its log shows it."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def observations(self) -> dict[str, Any]:
        return session_facts.observations(self.record)

    def was_refused(self, exact: str, agent: str = "") -> bool:
        """True when a person was asked for exactly this call and did not let it run."""
        return session_facts.was_refused(self.record, exact, agent)


class _Cache(NamedTuple):
    """One record's file, and how it is folded. ``mark`` stands in every line that belongs to it."""

    root: str
    path: str
    empty: Callable[[], Record]
    fold: Callable[[Record, list[LogEntry]], Record]
    mark: bytes = b""
    start: Callable[[str], Position | None] = lambda _: None

    def current(self) -> Record:
        """Fold what the log has gained since the last time, and keep the result."""
        record, where = self._kept()
        if where is None:
            where = self.start(self.root)
        try:
            return self._caught_up(record, where)
        except segments.PositionLost:
            return self._caught_up(self.empty(), self.start(self.root))

    def _caught_up(self, record: Record, before: Position | None) -> Record:
        folded = 0
        last: tuple[bytes, tuple[int, int]] | None = None
        # Lines of others are passed over, most of them without even being told from one another.
        for last in segments.all_lines(self.root, before, mark=self.mark):
            entry = segments.parsed(last[0]) if self.mark in last[0] else None
            if entry is not None:
                self.fold(record, [entry])
                folded += 1
                if folded % KEEP_EVERY == 0:
                    self.keep(record, segments.position(*last))
        if last is not None:
            self.keep(record, segments.position(*last))
        return record

    def _kept(self) -> tuple[Record, Position | None]:
        """The kept record and where it ends; an empty one where there is none that can be used."""
        empty = self.empty()
        try:
            with open(self.path, "rb") as file:
                kept = json.load(file)
            record, (first, offset, digest) = kept["record"], kept["position"]
            is_ours = kept["version"] == VERSION and record.keys() == empty.keys()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return empty, None  # a cache: the log has it all
        same = ("root", "session")
        if not is_ours or any(record.get(name) != empty.get(name) for name in same):
            return empty, None
        return record, (int(first), int(offset), str(digest))

    def keep(self, record: Record, where: Position) -> None:
        data = json.dumps({"version": VERSION, "position": where, "record": record}).encode()
        files.write_cache(self.path, data)


class EvidenceStore:
    """What the log of the project at ``root`` adds up to; each answer costs what was added since the last."""

    def __init__(self, root: str) -> None:
        self.root = root

    def begin(self, session: str, where: Position | None) -> None:
        """Start a new session's record at the log's end, so that the old entries are not searched."""
        cache = _of_session(self.root, session)
        if where is not None and not os.path.lexists(cache.path):
            cache.keep(cache.empty(), where)

    def session(self, session: str) -> Session:
        """What one session did."""
        return Session(_of_session(self.root, session).current())

    def observations(self, session: str) -> dict[str, Any]:
        """The state's ``observations`` of a session."""
        return self.session(session).observations()

    def work(self) -> Work:
        """What all sessions did since the objective was set (QG-2), or since the log began."""
        from operators_edge.evidence import objective_facts as work  # noqa: PLC0415 - not where one session is asked for

        return _Cache(
            self.root,
            os.path.join(segments.folder_of(self.root), "cache", "work.json"),
            empty=lambda: work.new_work(self.root),
            fold=work.fold_work,
            start=_objective_set,
        ).current()

    def metrics(self, session: str = "") -> dict[str, Any]:
        """How often what happened, in the project and its last sessions; ``session`` is included if older."""
        from operators_edge.evidence.metrics import counts as metrics  # noqa: PLC0415 - for one command

        record = _Cache(
            self.root,
            os.path.join(segments.folder_of(self.root), "cache", "metrics.json"),
            empty=lambda: metrics.new_record(self.root),
            fold=metrics.fold,
        ).current()
        if session and session not in record["sessions"]:
            record["sessions"] |= self._metrics_of(session)["sessions"]
        return record

    def _metrics_of(self, session: str) -> dict[str, Any]:
        """The same of one session that is not kept any more: the log is read again, and nothing is kept."""
        from operators_edge.evidence.metrics import counts as metrics  # noqa: PLC0415 - see above

        marks = [json.dumps(session, ensure_ascii=False).encode("utf-8", "backslashreplace")]
        marks += [b'"event":"%s"' % event.encode() for event in metrics.EXPLAINING]
        record = metrics.new_record(self.root, only=session)
        for line, _ in segments.all_lines(self.root, None):
            entry = segments.parsed(line) if any(mark in line for mark in marks) else None
            if entry is not None:
                metrics.fold(record, [entry])
        return record


def _of_session(root: str, session: str) -> _Cache:
    name = sha256_hex(session.encode("utf-8", "backslashreplace"))[:32]
    return _Cache(
        root,
        os.path.join(segments.folder_of(root), "cache", "sessions", f"{name}.json"),
        empty=lambda: session_facts.new_record(session, root),
        fold=session_facts.fold,
        mark=json.dumps(session, ensure_ascii=False).encode("utf-8", "backslashreplace"),
    )


def _objective_set(root: str) -> Position | None:
    """The place of the last entry that set the objective, found from the log's end."""
    places: list[tuple[int | None, str]] = [*segments.sealed(root)]
    places.append((None, segments.current_path(root)))
    for first, path in reversed(places):
        try:
            fd = segments.open_log(path)
        except FileNotFoundError:
            continue
        try:
            at = segments.last_with(fd, OBJECTIVE, "objective")
            if at is not None:
                number = segments.first_seq(fd) if first is None else first
                before = segments.last_lines(fd, at, 1) if at else []
                return None if number is None else (number, at, sha256_hex(b"".join(before)))
        finally:
            os.close(fd)
    return None
