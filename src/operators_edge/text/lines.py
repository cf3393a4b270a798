"""Which line of a text a position is in. Pure."""

from __future__ import annotations


def line_at(text: str, at: int) -> int:
    """Return the number of the line, from 1, that holds the character at a position."""
    return text.count("\n", 0, at) + 1


# end of module
