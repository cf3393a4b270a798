"""Text of others made fit to be shown: one line, bounded, nothing that a terminal would obey."""

from __future__ import annotations


def one_line(value: object, limit: int) -> str:
    """The value as one printable line of at most ``limit`` characters; a cut ends in an ellipsis."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
