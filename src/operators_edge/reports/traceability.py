"""Traceability (CTI): the share of the calls that name a file or belong to a step, and its drift (RE-3).

Pure. Owns what counts as tied, the rows of the history and what a change between two of them is called.
Does not own how an entry reads (``reports.entries``) or where the history is (``reports.history_store``).
"""

from __future__ import annotations

import math

from operators_edge.reports import entries as told
from operators_edge.text import timestamps
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import TypedDict

    from operators_edge.records import LogEntry
    from operators_edge.reports.entries import Line

    class Counts(TypedDict):
        """Stored in ``.proof/cache/traceability.json``.

        ``step`` is the one in progress after the last entry.
        """

        root: str
        calls: int
        tied: int
        judged: int
        succeeded: int
        step: int | None


DRIFT_POINTS = 5.0
"""A larger fall is a drift, any other one is slipping."""

HEADER = "timestamp,events,cti,success_rate"

_PATH = pattern(
    r"""(?:^|[\s='"(<>])(?!\w+://|-)"""
    r"""(?:[\w.@+~-]*/[\w.@+*?{},/-]*\w|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7})"""
    r"""(?=$|[\s:;,'")<>|&])"""
)
"""A word that looks like a path: it has a slash, or an ending."""


def new_counts(root: str) -> Counts:
    return {"root": root, "calls": 0, "tied": 0, "judged": 0, "succeeded": 0, "step": None}


def fold(counts: Counts, entries: Iterable[LogEntry]) -> Counts:
    """Add entries to the counts, in the log's order."""
    for entry in entries:
        counts["step"] = told.step_after(entry, counts["step"])
        add(counts, told.line(entry, step=counts["step"]))
    return counts


def add(counts: Counts, line: Line) -> None:
    """Add one line, which has the step that was in progress."""
    if not is_call(line):
        return
    counts["calls"] += 1
    counts["tied"] += is_tied(line)
    if line.outcome in ("ok", "failed"):
        counts["judged"] += 1
        counts["succeeded"] += line.outcome == "ok"


def is_call(line: Line) -> bool:
    """Whether a line is a call of a tool; files that only the tree showed as changed are none."""
    return line.event == "tool"


def is_tied(line: Line) -> bool:
    """Whether a call names a file, or ran while a step was in progress."""
    return bool(line.file) or line.step is not None or bool(_PATH.search(line.subject))


def cti(counts: Counts) -> float:
    """Percent; 100 if there is no call."""
    return _percent(counts["tied"], counts["calls"])


def success_rate(counts: Counts) -> float:
    """Percent of the calls whose outcome is known; 100 if there is none."""
    return _percent(counts["succeeded"], counts["judged"])


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 100.0


# -- the history -----------------------------------------------------------------------------------


class Row(NamedTuple):
    """One row of the history: when, how many calls there were until then, and both shares in percent."""

    at: datetime
    events: int
    cti: float
    success_rate: float

    def as_text(self) -> str:
        when = self.at.isoformat(timespec="seconds")
        return f"{when},{self.events},{self.cti:.1f},{self.success_rate:.1f}"


def row_of(counts: Counts, at: datetime) -> Row:
    """The row of the history for these counts."""
    return Row(at, counts["calls"], cti(counts), success_rate(counts))


def rows(text: str) -> list[Row]:
    """The rows of a history, also of older versions; a line that is none is passed over."""
    return [row for line in text.splitlines() if (row := _row(line)) is not None]


def _row(line: str) -> Row | None:
    fields = line.split(",")
    at = timestamps.parse(fields[0].strip())
    try:
        events, share, rate = int(fields[1]), float(fields[2]), float(fields[3])
    except (ValueError, IndexError):
        return None
    if at is None or not (math.isfinite(share) and math.isfinite(rate)):
        return None
    return Row(at, events, share, rate)


class Drift(NamedTuple):
    """The change between the last two rows. ``fall`` is in points; below zero the CTI has risen."""

    before: Row
    now: Row

    @property
    def fall(self) -> float:
        return round(self.before.cti - self.now.cti, 1)

    @property
    def name(self) -> str:
        if self.fall > DRIFT_POINTS:
            return "drift"
        if self.fall > 0:
            return "slipping"
        return "improving" if self.fall < 0 else "stable"

    def text(self) -> str:
        """One sentence: "drift: 82.0 % to 71.4 %, down 10.6 points since 2026-11-22"."""
        since = f"since {self.before.at:%Y-%m-%d %H:%M}"
        if self.name == "stable":
            return f"stable at {self.now.cti:.1f} % {since}"
        way = "down" if self.fall > 0 else "up"
        points = f"{abs(self.fall):.1f} {'point' if abs(self.fall) == 1 else 'points'}"
        return (
            f"{self.name}: {self.before.cti:.1f} % to {self.now.cti:.1f} %, {way} {points} {since}"
        )


def drift(history: Sequence[Row]) -> Drift | None:
    """The change between the last two rows; None with fewer."""
    return Drift(history[-2], history[-1]) if len(history) > 1 else None


def summary(history: Sequence[Row]) -> str:
    """The last row, and how it has changed."""
    if history and not history[-1].events:
        return "no call so far"
    found = drift(history)
    if found is not None:
        return found.text()
    if history:
        calls = many(history[-1].events, "call")
        return f"{history[-1].cti:.1f} % of {calls}; a change shows from the second run on"
    return "no history yet"


_BARS = "▁▂▃▄▅▆▇█"


def sparkline(history: Sequence[Row], count: int = 24) -> str:
    """The last values as bars, from 0 to 100 percent."""
    values = (min(100.0, max(0.0, row.cti)) for row in history[-count:])
    return "".join(_BARS[min(len(_BARS) - 1, int(each / 100 * len(_BARS)))] for each in values)


# end of module
