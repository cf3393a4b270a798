"""When a usage limit ends, by what a client says of it. Pure.

A client says it as a time in a field, or as text: "try again in 2h10m0s", "resets 3:28am (UTC)".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from operators_edge.datetimes import UTC, datetime, timedelta, tzinfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST = timedelta(days=31)
"""No limit lasts longer: a later time is a misunderstanding."""

_SECONDS: Mapping[str, int] = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_LENGTH = re.compile(r"(\d+(?:\.\d+)?) ?(ms|d|h|m|s)[a-z]*,? ?(?:and )?")
_IN = re.compile(rf"\b(?:in|after) ((?:{_LENGTH.pattern})+)")
_ISO = re.compile(r"\b\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?")
_EPOCH = re.compile(r"(?<![\d.])[12]\d{9}(?![\d.])")
_CLOCK = re.compile(
    r"\b(?:(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (?P<day>\d\d?)(?:st|nd|rd|th)?"
    r"(?:, (?P<year>\d{4}))?,?(?: at)? )?(?P<hour>\d\d?)(?::(?P<minute>\d\d))? ?(?P<half>[ap])m\b"
    r"(?: \((?P<zone>[a-z_/+-]+)\))?"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def ends_at(said: str, now: datetime) -> datetime | None:
    """The first time to come in these words, in UTC; None if they name none."""
    text = " ".join(said.lower().split())
    for each in (*_points(text), *_lengths(text, now), *_clocks(text, now)):
        if now < each <= now + _LONGEST:
            return each.astimezone(UTC)
    return None


def _points(text: str) -> Iterator[datetime]:
    for match in _ISO.finditer(text):
        try:
            found = datetime.fromisoformat(match[0].upper())
        except ValueError:
            continue
        yield found if found.tzinfo else found.replace(tzinfo=UTC)
    for match in _EPOCH.finditer(text):
        yield datetime.fromtimestamp(int(match[0]), UTC)


def _lengths(text: str, now: datetime) -> Iterator[datetime]:
    for match in _IN.finditer(text):
        parts = _LENGTH.findall(match[1])
        seconds = sum(float(count) * _SECONDS.get(unit, 0.001) for count, unit in parts)
        yield now + timedelta(seconds=min(seconds, 2 * _LONGEST.total_seconds()))


def _clocks(text: str, now: datetime) -> Iterator[datetime]:
    """Times of a day, in the named zone or the machine's own: the next one."""
    for match in _CLOCK.finditer(text):
        here = now.astimezone(_zone(match["zone"]))
        hour = int(match["hour"]) % 12 + (12 if match["half"] == "p" else 0)
        try:
            found = here.replace(
                hour=hour, minute=int(match["minute"] or 0), second=0, microsecond=0
            )
            if match["month"]:
                month, year = _MONTHS.index(match["month"]) + 1, int(match["year"] or here.year)
                found = found.replace(year=year, month=month, day=int(match["day"]))
        except ValueError:
            continue
        is_over = found <= now and not match["month"]
        yield found + timedelta(days=1) if is_over else found


def _zone(name: str | None) -> tzinfo | None:
    """The zone of this name; None, the machine's own, for one that is not known here."""
    wanted = "/".join(part.title() for part in (name or "").split("/"))
    try:
        return UTC if name == "utc" else ZoneInfo(wanted) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


# end of module
