"""The phases of a session: runs of calls with the same purpose, such as exploring or building.

Pure. A failed call is debugging, whatever it was for; fewer than three calls of a kind, and then phases of
fewer than ten calls, belong to what is beside them.
"""

from __future__ import annotations

from operators_edge.reports import traceability
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

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
    runs: list[_Run] = []
    for line in lines:
        if traceability.is_call(line):
            purpose = purpose_of(line)
            if not runs or runs[-1].purpose != purpose:
                runs.append(_Run(purpose, line))
            runs[-1].add(line)
    streaks = _merged([each.phase() for each in runs], least=STREAK)
    return tuple(_merged(streaks, least=SHORTEST))


class _Run:
    """Calls in a row with one purpose, while they come."""

    __slots__ = ("_calls", "_failed", "_first", "_last", "_tied", "purpose")

    def __init__(self, purpose: Purpose, first: Line) -> None:
        self.purpose = purpose
        self._first = self._last = first
        self._calls = self._failed = self._tied = 0

    def add(self, line: Line) -> None:
        self._last = line
        self._calls += 1
        self._failed += line.outcome == "failed"
        self._tied += traceability.is_tied(line)

    def phase(self) -> Phase:
        first, last = self._first, self._last
        return Phase(
            self.purpose,
            first.seq,
            last.seq,
            first.at,
            last.at,
            self._calls,
            self._failed,
            self._tied,
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
