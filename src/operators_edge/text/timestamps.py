"""Times as they are kept: ISO 8601 texts, in which people and older versions leave the zone out."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(text: object) -> datetime | None:
    """The time that a kept text names, in UTC where it names no zone; None for what is no time."""
    try:
        when = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)
