"""Code of Node, Ruby, Perl and PHP, cut where its brackets and strings allow it.

Owns where strings end and brackets close. Does not own comments, or what the parts mean.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENING, _CLOSING = "([{", ")]}"
_QUOTED = (
    r"(?P<quote>['\"`])(?P<text>(?:(?!(?P=quote))[^\\]|\\.)*)(?P=quote)"
    r"|\bqq?(?:\{(?P<q>[^{}]*)\}|\((?P<p>[^()]*)\)|\[(?P<b>[^\[\]]*)\])"
)
QUOTED = pattern(_QUOTED, re.DOTALL)


def upto(text: str, closing: str, start: int = 0) -> str:
    """What stands from a place on before the bracket that closes there."""
    for at, mark, level in marks(text, "", start):
        if mark == closing and level < 0:
            return text[start:at]
    return text[start:]


def split(text: str, separators: str) -> list[str]:
    """The parts of a text between such marks outside of brackets and strings."""
    parts, start = [], 0
    for at, mark, level in marks(text, separators):
        if level == 0 and mark in separators:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def marks(text: str, signs: str, start: int = 0) -> Iterator[tuple[int, str, int]]:
    """Yield the brackets and such signs outside of strings: its place, itself, the brackets open after it."""
    return _outside(_searched(rf"[()\[\]{{}}{re.escape(signs)}]"), text, start)


def characters(text: str) -> Iterator[tuple[int, str, int]]:
    """The same for each character outside of strings."""
    return _outside(_searched("."), text, 0)


def _outside(what: re.Pattern[str], text: str, start: int) -> Iterator[tuple[int, str, int]]:
    level = 0
    for found in what.finditer(text, start):
        mark = found["mark"]
        if mark is not None:
            level += (mark in _OPENING) - (mark in _CLOSING)
            yield found.start(), mark, level


@lru_cache(maxsize=16)
def _searched(mark: str) -> re.Pattern[str]:
    """A quote behind a letter or a digit begins no string: ``don't``."""
    return re.compile(rf"(?<![^\W_])(?:{_QUOTED})|(?P<mark>{mark})", re.DOTALL)


# end of module
