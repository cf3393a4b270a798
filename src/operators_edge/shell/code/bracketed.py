"""Code of Node, Ruby, Perl and PHP, cut where its brackets and strings allow it.

Owns where strings end and brackets close. Does not own comments, or what the parts mean.
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
QUOTED = pattern(
    r"(?P<quote>['\"`])(?P<text>(?:(?!(?P=quote))[^\\]|\\.)*)(?P=quote)"
    r"|\bqq?(?:\{(?P<q>[^{}]*)\}|\((?P<p>[^()]*)\)|\[(?P<b>[^\[\]]*)\])",
    re.DOTALL,
)


def upto(text: str, closing: str) -> str:
    """What stands before the bracket that closes here."""
    return next(
        (text[:at] for at, mark, level in marks(text) if mark == closing and level < 0), text
    )


def split(text: str, separators: str) -> list[str]:
    """The parts of a text between such marks outside of brackets and strings."""
    parts, start = [], 0
    for at, mark, level in marks(text):
        if level == 0 and mark in separators:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def marks(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield the characters outside of strings, each with its place and the brackets open after it."""
    level = at = 0
    while at < len(text):
        quoted = QUOTED.match(text, at) if text[at] in "'\"`q" else None
        if quoted is not None and not text[at - 1 : at].isalnum():
            at = quoted.end()
            continue
        level += (text[at] in _BRACKETS) - (text[at] in _BRACKETS.values())
        yield at, text[at], level
        at += 1


# end of module
