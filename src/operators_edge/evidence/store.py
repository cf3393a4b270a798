"""What the log adds up to, cached so that only what was added since must be read.

Owns ``.proof/cache/sessions`` (what each session did), ``.proof/cache/work.json`` (what all of them did since
the objective was set) and records of the whole log, such as ``.proof/cache/metrics.json``. They can be
deleted at any time and are then folded again from the log. Does not own what entries mean
(``session_facts``, ``objective_facts``, ``metrics``).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from operators_edge.evidence import session_facts
from operators_edge.storage import files, segments
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.evidence.metrics.counts import Record
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.evidence.session_facts import SessionFacts
    from operators_edge.records import LogEntry
    from operators_edge.storage.segments import Position

T = TypeVar("T", bound="Mapping[str, Any]")

VERSION = 6

KEEP_EVERY = 20_000
"""Entries after which the record is written in between: a stopped process has not read them in vain."""

OBJECTIVE = b',"event":"objective","session":'
"""In every line that sets the objective, and in no other: inside a text the quotes are escaped."""


class _Cache(NamedTuple, Generic[T]):
    """The file of one record, and how it is folded. ``mark`` is in every log line that belongs to it."""

    root: str
    path: str
    empty: Callable[[], T]
    fold: Callable[[T, list[LogEntry]], T]
    mark: bytes = b""
    start: Callable[[str], Position | None] = lambda _: None

    def current(self) -> T:
        """Fold what was added to the log since the last time, and write the result."""
        record, where = self._load()
        if where is None:
            where = self.start(self.root)
        try:
            return self._catch_up(record, where)
        except segments.PositionLost:
            return self._catch_up(self.empty(), self.start(self.root))

    def _catch_up(self, record: T, before: Position | None) -> T:
        folded = 0
        last: tuple[bytes, tuple[int, int]] | None = None
        # Lines of other sessions are skipped, most of them without being split.
        for last in segments.all_lines(self.root, before, mark=self.mark):
            entry = segments.parsed(last[0]) if self.mark in last[0] else None
            if entry is not None:
                self.fold(record, [entry])
                folded += 1
                if folded % KEEP_EVERY == 0:
                    self.write(record, segments.position(*last))
        if last is not None:
            self.write(record, segments.position(*last))
        return record

    def _load(self) -> tuple[T, Position | None]:
        """The stored record and where it ends; an empty one if there is none that can be used."""
        empty = self.empty()
        try:
            with open(self.path, "rb") as file:
                kept = json.load(file)
            record, (first, offset, digest) = kept["record"], kept["position"]
            expected: dict[str, Any] = dict(empty)
            is_ours = kept["version"] == VERSION and record.keys() == expected.keys()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return empty, None  # a cache: the log has it all
        same = ("root", "session")
        if not is_ours or any(record.get(name) != expected.get(name) for name in same):
            return empty, None
        return record, (int(first), int(offset), str(digest))

    def write(self, record: T, where: Position) -> None:
        data = json.dumps({"version": VERSION, "position": where, "record": record}).encode()
        files.write_cache(self.path, data)


class EvidenceStore:
    """What the log of the project at ``root`` adds up to."""

    def __init__(self, root: str) -> None:
        self.root = root

    def begin(self, session: str, where: Position | None) -> None:
        """Start a new session's record at the end of the log, so that old entries are not searched."""
        cache = _of_session(self.root, session)
        if where is not None and not os.path.lexists(cache.path):
            cache.write(cache.empty(), where)

    def session(self, session: str) -> SessionFacts:
        """What one session did."""
        return _of_session(self.root, session).current()

    def observations(self, session: str) -> dict[str, Any]:
        """The state's ``observations`` of a session."""
        return session_facts.observations(self.session(session))

    def work(self) -> ObjectiveFacts:
        """What all sessions did since the objective was set (QG-2), or since the log began."""
        from operators_edge.evidence import objective_facts  # noqa: PLC0415 - not for one session

        return _Cache(
            self.root,
            os.path.join(segments.folder_of(self.root), "cache", "work.json"),
            empty=lambda: objective_facts.new_facts(self.root),
            fold=objective_facts.fold,
            start=_objective_set,
        ).current()

    def metrics(self) -> Record:
        """How often what happened, in the project and in each of its last sessions."""
        from operators_edge.evidence.metrics import counts as metrics  # noqa: PLC0415 - for one command

        return self.folded("metrics", lambda: metrics.new_record(self.root), metrics.fold)

    def folded(
        self, name: str, empty: Callable[[], T], fold: Callable[[T, list[LogEntry]], T]
    ) -> T:
        """What the whole log adds up to, as ``.proof/cache/NAME.json``; an empty one has its ``root``."""
        path = os.path.join(segments.folder_of(self.root), "cache", f"{name}.json")
        return _Cache(self.root, path, empty, fold).current()


def _of_session(root: str, session: str) -> _Cache[SessionFacts]:
    name = sha256_hex(session.encode("utf-8", "backslashreplace"))[:32]
    return _Cache(
        root,
        os.path.join(segments.folder_of(root), "cache", "sessions", f"{name}.json"),
        empty=lambda: session_facts.new_facts(session, root),
        fold=session_facts.fold,
        mark=json.dumps(session, ensure_ascii=False).encode("utf-8", "backslashreplace"),
    )


def _objective_set(root: str) -> Position | None:
    """The position of the last entry that set the objective, searched from the end of the log."""
    places: list[tuple[int | None, str]] = [*segments.sealed(root)]
    places.append((None, segments.current_path(root)))
    for first, path in reversed(places):
        with segments.opened(path) as fd:
            at = None if fd is None else segments.last_with(fd, OBJECTIVE, "objective")
            if fd is not None and at is not None:
                number = segments.first_seq(fd) if first is None else first
                before = segments.last_lines(fd, at, 1) if at else []
                return None if number is None else (number, at, sha256_hex(b"".join(before)))
    return None


# end of module
