"""What each of the last sessions did, in one record for a checkpoint of the log.

Pure. Does not own what a session's facts are (``evidence.session_facts``) or where the record is kept
(``evidence.checkpoint_store``).
"""

from __future__ import annotations

from operators_edge.evidence import session_facts
from operators_edge.model import NEW_SESSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypedDict

    from operators_edge.evidence.session_facts import SessionFacts
    from operators_edge.records import LogEntry

    class LastSessions(TypedDict):
        """``known``: each session's facts, the latest last; None if its beginning may have been dropped."""

        root: str
        known: dict[str, SessionFacts | None]
        has_dropped: bool


SESSIONS_KEPT = 100
"""As many as the work record names; an older one is searched in the log."""


def new_facts(root: str) -> LastSessions:
    """The record of an empty log."""
    return {"root": root, "known": {}, "has_dropped": False}


def fold(kept: LastSessions, entries: Iterable[LogEntry]) -> LastSessions:
    """Add entries of any session to the record, in the log's order."""
    for entry in entries:
        session = entry.get("session")
        if session and isinstance(session, str):
            _fold_one(kept, session, entry)
    return kept


def _fold_one(kept: LastSessions, session: str, entry: LogEntry) -> None:
    known = kept["known"]
    if session in known:
        facts = known.pop(session)
    elif kept["has_dropped"] and not _is_beginning(entry):
        facts = None  # it may be one that was dropped
    else:
        facts = session_facts.new_facts(session, kept["root"])
    known[session] = facts
    if facts is not None:
        session_facts.fold(facts, [entry])
    if len(known) > SESSIONS_KEPT:
        del known[next(iter(known))]
        kept["has_dropped"] = True


def _is_beginning(entry: LogEntry) -> bool:
    data = entry.get("data") or {}
    return entry.get("event") == "session_start" and data.get("source") in NEW_SESSION


def facts_of(kept: LastSessions, session: str) -> SessionFacts | None:
    """What a session did; None if that is not known here."""
    if session in kept["known"]:
        return kept["known"][session]
    return None if kept["has_dropped"] else session_facts.new_facts(session, kept["root"])


# end of module
