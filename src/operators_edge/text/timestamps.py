"""Stored times: ISO 8601 texts. People and older versions leave the zone out."""

from __future__ import annotations

from datetime import UTC, datetime


def parse(text: object) -> datetime | None:
    """The time that a stored text names, in UTC if it names no zone; None for anything else."""
    try:
        when = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


# end of module
