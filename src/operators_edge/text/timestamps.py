"""Stored times: ISO 8601 texts. People and older versions leave the zone out."""

from __future__ import annotations

from operators_edge.datetimes import UTC, datetime
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_DAY_MINUTES = 24 * 60

UNITS = {"m": 1, "h": 60, "d": _DAY_MINUTES}
"""The units of a duration, in minutes."""

_DURATION = pattern(r"(\d{1,5})([a-z]*)")


def minutes(text: str, units: Mapping[str, int] = UNITS) -> int | None:
    """A duration, as ``30m``, ``2h`` or ``1d``, in minutes; None for anything else."""
    found = _DURATION.fullmatch(text)
    unit = units.get(found[2]) if found is not None else None
    return None if found is None or unit is None else int(found[1]) * unit


def parse(text: object) -> datetime | None:
    """The time that a stored text names, in UTC if it names no zone; None for anything else."""
    try:
        when = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def local(value: object, now: datetime) -> str:
    """A stored time as a person here reads it: "14:03" today, "20 Nov 14:03", "2025-11-20 14:03"."""
    when = parse(value)
    if when is None:
        return one_line(value, 40)
    here, today = when.astimezone(), now.astimezone()
    if here.date() == today.date():
        return f"{here:%H:%M}"
    return f"{here.day} {here:%b %H:%M}" if here.year == today.year else f"{here:%Y-%m-%d %H:%M}"


def ago(value: object, now: datetime) -> str:
    """How long it is since a stored time: "just now", "5 minutes ago"; after a day, when it was."""
    when = parse(value)
    if when is None:
        return one_line(value, 40)
    minutes = int((now - when).total_seconds() // 60)
    if not 0 <= minutes < _DAY_MINUTES:
        return local(value, now)
    if minutes == 0:
        return "just now"
    return f"{many(minutes, 'minute') if minutes < 60 else many(minutes // 60, 'hour')} ago"


# end of module
