"""The screen that people read on: how wide it is, and how a text stands behind its head.

Owns the width. Does not own where a text may break (``card.marked``) or what is said.
"""

from __future__ import annotations

WIDTH = 80
"""Columns of a terminal that nobody has widened."""


def under(head: str, text: str, indent: int | None = None) -> list[str]:
    """The text behind its head, its further lines below where the head ends, or at the indent."""
    from operators_edge.text.markup import wrapped  # noqa: PLC0415 - the width alone costs nothing

    first, *rest = wrapped(text, WIDTH - len(head))
    below = " " * (len(head) if indent is None else indent)
    return [head + first, *(below + each for each in rest)]
