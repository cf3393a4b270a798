"""Reads a project for its digest, and adds a row to the history of its traceability.

Owns how much of the log is read for it. Does not own what it shows (``reports.digest``) or counted
(``reports.traceability``).
"""

from __future__ import annotations

import os

from operators_edge.datetimes import timedelta
from operators_edge.errors import EdgeError
from operators_edge.reports import digest, entries, history_store, service, traceability
from operators_edge.sessions import tasks
from operators_edge.text import timestamps
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import TypeVar

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.reports.digest import Day, Digest
    from operators_edge.reports.traceability import Counts, Row

    T = TypeVar("T")

HOURS = 24
MAX_ENTRIES = 20_000
"""Of a busier day only the last entries are read, and the digest says so."""

_FIRST_READ = 1_000
_NOTHING: tuple[list[LogEntry], bool] = ([], False)


def digest_of(project: Project, *, hours: int = HOURS) -> Digest:
    """The digest of the last hours. What cannot be read is named in it."""
    return digest.digest(day_of(project, hours=hours))


def day_of(project: Project, *, hours: int = HOURS, most: int = MAX_ENTRIES) -> Day:
    """What the digest is made of."""
    problems: list[str] = []

    def tried(what: str, read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except EdgeError as error:
            problems.append(f"{what}: {error.message}")
            return otherwise

    until = project.clock()
    since = until - timedelta(hours=hours)
    found, is_cut = tried("the log", lambda: _since(project, since, most), _NOTHING)
    unreadable = sum(each.get("event") == "log_unreadable" for each in found)
    if unreadable:
        problems.append(f"{many(unreadable, 'line')} of the log: edge log verify")
    state: State = tried("the state", project.state.read, {})
    claims = tried("the claims", lambda: service.proof_ledger_of(project), None)
    plan = [each for each in state.get("plan") or [] if isinstance(each, dict)]
    bridge = tasks.gather(project.root) or {"waiting": [], "problem": ""}
    if bridge["problem"]:
        problems.append(f"the tasks of the Bridge: {bridge['problem']}")
    return digest.Day(
        name=os.path.basename(project.root) or project.root,
        root=project.root,
        since=since,
        until=until,
        entries=found,
        lines=[*entries.lines(found)],
        is_cut=is_cut,
        objective=str(state.get("objective") or ""),
        steps=(sum(each.get("status") == "completed" for each in plan), len(plan)),
        claims=claims.rows if claims is not None else (),
        open=[*open_questions(state), *(f"task {each['id']}" for each in bridge["waiting"])],
        history=tried("the history", lambda: history_store.rows(project.root), []),
        problems=problems,
    )


def open_questions(state: State) -> list[str]:
    """The questions that wait for a person, the pending one first."""
    pending, left = state.get("junction"), state.get("left_questions")
    asked = [pending, *(left if isinstance(left, list) else [])]
    return [
        str(each.get("shown") or each.get("reason") or each.get("type"))
        for each in asked
        if isinstance(each, dict)
    ]


def _since(project: Project, since: datetime, most: int) -> tuple[list[LogEntry], bool]:
    """The entries from that time on, found from the end of the log; and whether there are more."""
    count = min(most, _FIRST_READ)
    while True:
        found = project.log.tail(count)
        is_whole = len(found) < count
        first = next((when for each in found if (when := _when(each))), None)
        if is_whole or count >= most or (first is not None and first < since):
            kept = [each for each in found if (_when(each) or since) >= since]
            return kept, len(kept) == len(found) and not is_whole
        count = min(most, count * 4)


def _when(entry: LogEntry) -> datetime | None:
    return timestamps.parse(entry.get("timestamp"))


# -- traceability ----------------------------------------------------------------------------------


def counts_of(project: Project) -> Counts:
    """How many calls there were so far, and how many are tied; only what was added since is read."""
    return project.evidence.folded(
        "traceability",
        empty=lambda: traceability.new_counts(project.root),
        fold=traceability.fold,
    )


def note_history(project: Project) -> list[Row]:
    """Add the present row to the history; returns the history with it."""
    row = traceability.row_of(counts_of(project), project.clock())
    history_store.append(project.root, row)
    return history_store.rows(project.root)


# end of module
