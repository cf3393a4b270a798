"""The phases of a session: runs of calls with the same purpose, such as exploring or building.

Pure. A failed call is debugging, whatever it was for; fewer than three calls of a kind, and then phases of
fewer than ten calls, belong to what is beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from operators_edge.reports import traceability

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.reports.entries import Line

Purpose = Literal["exploring", "building", "running", "debugging", "mixed"]

STREAK = 3
"""Calls in a row that make a phase."""

SHORTEST = 10
"""Calls of the shortest phase beside another one."""

_READING = frozenset({"Read", "Glob", "Grep", "LSP", "LS", "NotebookRead", "WebFetch", "WebSearch"})


class Phase(NamedTuple):
    """``first``, ``last``: log entries. ``tied`` counts the traceable calls."""

    purpose: Purpose
    first: int
    last: int
    began: str
    ended: str
    calls: int
    failed: int
    tied: int


def purpose_of(line: Line) -> Purpose:
    """What a call was for."""
    if line.outcome == "failed":
        return "debugging"
    if line.tool in _READING:
        return "exploring"
    if line.kind == "edit":
        return "building"
    return "running" if line.tool == "Bash" or line.kind == "check" else "mixed"


def phases(lines: Iterable[Line]) -> tuple[Phase, ...]:
    """The phases of one session's calls, in their order; every call belongs to one."""
    runs = [_phase(line) for line in lines if line.kind in traceability.CALLS]
    streaks = _merged(runs, least=STREAK)
    return tuple(_merged(streaks, least=SHORTEST))


def _phase(line: Line) -> Phase:
    return Phase(
        purpose_of(line),
        line.seq,
        line.seq,
        line.at,
        line.at,
        1,
        int(line.outcome == "failed"),
        int(traceability.is_tied(line)),
    )


def _merged(runs: Iterable[Phase], *, least: int) -> list[Phase]:
    """Equal neighbours as one; then those with too few calls go to the one before, the first to the next."""
    joined: list[Phase] = []
    for run in _equal_joined(runs):
        if joined and (run.calls < least or joined[-1].calls < least):
            larger = max(joined[-1], run, key=lambda each: each.calls)
            joined[-1] = _together(joined[-1], run, larger.purpose)
        else:
            joined.append(run)
    return _equal_joined(joined)


def _equal_joined(runs: Iterable[Phase]) -> list[Phase]:
    joined: list[Phase] = []
    for run in runs:
        if joined and joined[-1].purpose == run.purpose:
            joined[-1] = _together(joined[-1], run, run.purpose)
        else:
            joined.append(run)
    return joined


def _together(one: Phase, other: Phase, purpose: Purpose) -> Phase:
    return Phase(
        purpose,
        one.first,
        other.last,
        one.began,
        other.ended,
        one.calls + other.calls,
        one.failed + other.failed,
        one.tied + other.tied,
    )


# end of module
