"""What each session did, kept beside the log so that asking costs only what was added since.

Owns ``.proof/cache/sessions``. It can be deleted at any time: a record is then folded again from
the log. Does not own what entries mean (``core.evidence``).
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from operators_edge.core import evidence
from operators_edge.core.digest import sha256_hex
from operators_edge.core.work import fold_work, new_work
from operators_edge.errors import StateError
from operators_edge.store import segments
from operators_edge.store.files import ensure_private_dir
from operators_edge.store.proof import PositionLost, segments_lines

if TYPE_CHECKING:
    from operators_edge.core.evidence import Record
    from operators_edge.core.work import Work
    from operators_edge.store.proof import Position

VERSION = 1


class Session:
    """One session as its log shows it."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def observations(self) -> dict[str, Any]:
        return evidence.observations(self.record)

    def was_refused(self, exact: str, agent: str = "") -> bool:
        """True when a person was asked for exactly this call and did not let it run."""
        return evidence.was_refused(self.record, exact, agent)


def session_record(root: str, session: str) -> Session:
    """Fold what the log has gained since the last time, and keep the result."""
    record, where = _kept(root, session)
    before = where
    try:
        where = _catch_up(root, record, where)
    except PositionLost:
        record, before = evidence.new_record(session, root), None
        where = _catch_up(root, record, None)
    if where != before and where is not None:
        _keep(root, session, record, where)
    return Session(record)


def work_record(root: str) -> Work:
    """What all sessions did since the objective was set."""
    return fold_work(new_work(root), [])


def begin(root: str, session: str, where: Position | None) -> None:
    """Start a new session's record at the log's end, so that the old entries are not searched."""
    if where is not None and not os.path.lexists(_path(root, session)):
        _keep(root, session, evidence.new_record(session, root), where)


def _catch_up(root: str, record: Record, where: Position | None) -> Position | None:
    # Other sessions' lines are passed over without reading them as JSON.
    mark = json.dumps(record["session"], ensure_ascii=False).encode("utf-8", "backslashreplace")
    raw = segments_lines(root, where)
    for line, behind in raw:
        where = behind
        if mark in line:
            entry = segments.parsed(line)
            if entry is not None:
                evidence.fold(record, [entry])
    return where


def _kept(root: str, session: str) -> tuple[Record, Position | None]:
    """The kept record and where it ends; an empty one where there is none that can be used."""
    empty = evidence.new_record(session, root)
    try:
        with open(_path(root, session), "rb") as file:
            kept = json.load(file)
        record, (first, offset, digest) = kept["record"], kept["position"]
        is_ours = kept["version"] == VERSION and record.keys() == empty.keys()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return empty, None  # a cache: the log has it all
    if not is_ours or record["session"] != session or record["root"] != root:
        return empty, None
    return record, (int(first), int(offset), str(digest))


def _keep(root: str, session: str, record: Record, where: Position) -> None:
    data = json.dumps({"version": VERSION, "position": where, "record": record}).encode()
    path = _path(root, session)
    temp = f"{path}.{os.getpid()}.tmp"
    # A cache that cannot be written (a full disk, a read-only project) costs time and nothing else.
    with suppress(OSError, StateError):
        ensure_private_dir(os.path.dirname(path))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        fd = os.open(temp, flags | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        os.replace(temp, path)


def _path(root: str, session: str) -> str:
    name = sha256_hex(session.encode("utf-8", "backslashreplace"))[:32]
    return os.path.join(segments.folder_of(root), "cache", "sessions", f"{name}.json")
