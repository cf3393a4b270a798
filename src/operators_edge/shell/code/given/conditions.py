"""The value of a condition, as far as it is known: and, or, not, comparisons, and what is chosen by them.

Owns the operators. Does not own what names and calls stand for, which the reader of a language knows
(``atom``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.given import masks
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Atom = Callable[[str], object]

MAX_DEPTH = 12
_MAX_LENGTH = 1_000
"""Characters of an expression."""


class _Some(NamedTuple):
    """A value of which only that is known; ``truth`` is None if nothing is."""

    truth: bool | None


class Each(NamedTuple):
    """Any of several texts: what a loop goes through."""

    words: tuple[str, ...]


UNKNOWN, TRUE_LIKE, EMPTY = _Some(None), _Some(truth=True), _Some(truth=False)
"""Any value; one that holds; one that does not: false, nothing, or an empty text."""
_LEVELS = (
    pattern(r"\|\||\?\?|\?:|\bor\b"),
    pattern(r"&&|\band\b"),
    pattern(r"[=!]==?"),
    pattern(r"(?<![=-])>=?|<=?"),
)
_NO_VALUE = pattern(r"[,;]|=>|(?<![=!<>])=(?![=>])")
"""What is a function, sets something, or is several values."""


def truth(value: object) -> bool | None:
    """Whether a value holds as a condition; None if that is not known."""
    if isinstance(value, Each):
        return None
    return value.truth if isinstance(value, _Some) else bool(value) or isinstance(value, list)


def value_of(text: str, kind: str, atom: Atom, depth: int = 0) -> object:
    """The value of an expression; ``atom`` gives that of a part without operators."""
    text = text.strip()
    code = masks.read(text, kind) if 0 < len(text) <= _MAX_LENGTH and depth < MAX_DEPTH else None
    if code is None or any(_is_top(code, one.start()) for one in _NO_VALUE.finditer(code.mask)):
        return UNKNOWN
    if text[0] == "(" and code.pairs[0] == len(text) - 1:
        return value_of(text[1:-1], kind, atom, depth + 1)

    def inner(part: str) -> object:
        return value_of(part, kind, atom, depth + 1)

    chosen = _choice(code)
    if chosen is not None:
        holds = truth(inner(chosen[0]))
        return UNKNOWN if holds is None else inner(chosen[1 if holds else 2])
    for number, level in enumerate(_LEVELS):
        parts, marks = _split(code, level)
        if len(parts) > 1:
            return _JOINS[number](parts, marks, inner)
    negated = re.match(r"(?:!(?!=)|not\b)", text)
    if negated:
        holds = truth(inner(text[negated.end() :]))
        return UNKNOWN if holds is None else not holds
    return atom(text)


def _choice(code: masks.Code) -> tuple[str, str, str] | None:
    """``a ? b : c``"""
    asked = [
        one.start()
        for one in re.finditer(r"(?<!\?)\?(?![?.:])", code.mask)
        if _is_top(code, one.start())
    ]
    if not asked:
        return None
    at, level = asked[0], 0
    for one in re.finditer(r"(?<!\?)\?(?![?.:])|(?<!:):(?!:)", code.mask[at:]):
        if _is_top(code, at + one.start()):
            level += 1 if one[0] == "?" else -1
            if level == 0:
                end = at + one.start()
                return code.text[:at], code.text[at + 1 : end], code.text[end + 1 :]
    return None


def _is_top(code: masks.Code, at: int) -> bool:
    return next(code.enclosing(at), None) is None


def _split(code: masks.Code, level: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """The parts between such operators outside of brackets, and the operators."""
    parts, marks, at = [], [], 0
    for one in level.finditer(code.mask):
        if _is_top(code, one.start()):
            parts.append(code.text[at : one.start()])
            marks.append(one[0])
            at = one.end()
    return [*parts, code.text[at:]], marks


def _any_of(parts: list[str], marks: list[str], inner: Atom) -> object:
    value = inner(parts[0])
    for mark, part in zip(marks, parts[1:], strict=True):
        holds = truth(value)
        if mark == "??":
            if value is None:
                value = inner(part)
            elif isinstance(value, _Some) and value.truth is not True:
                other = truth(inner(part))
                value = EMPTY if other is False and holds is False else UNKNOWN
        elif holds is False:
            value = inner(part)
        elif holds is None:
            value = TRUE_LIKE if truth(inner(part)) else UNKNOWN
    return value


def _all_of(parts: list[str], _: list[str], inner: Atom) -> object:
    value: object = TRUE_LIKE
    is_sure = True
    for part in parts:
        value = inner(part)
        holds = truth(value)
        if holds is False:
            return value if is_sure else EMPTY
        is_sure &= holds is True
    return value if is_sure else UNKNOWN


def _compared(parts: list[str], marks: list[str], inner: Atom) -> object:
    if len(parts) != 2:
        return UNKNOWN
    same = _is_same(*map(inner, parts))
    return UNKNOWN if same is None else same is (marks[0][0] == "=")


def _is_same(one: object, other: object) -> bool | None:
    if isinstance(other, (_Some, Each)):
        one, other = other, one
    if isinstance(one, Each):
        return False if isinstance(other, str) and other not in one.words else None
    if not isinstance(one, _Some):
        plain = (str, bool, int, type(None))
        if not (isinstance(one, plain) and isinstance(other, plain)):
            return None
        return (
            one == other
            if type(one) is type(other)
            else (False if (one and other is None) or (other and one is None) else None)
        )
    # What does not hold is not a text with something in it, and what holds is not nothing.
    differs = (
        not isinstance(other, _Some) and one.truth is not None and one.truth is not truth(other)
    )
    return False if differs else None


def _ordered(parts: list[str], marks: list[str], inner: Atom) -> object:
    values = [inner(part) for part in parts]
    numbers = [one for one in values if isinstance(one, int) and not isinstance(one, bool)]
    if len(values) != 2 or len(numbers) != 2:
        return UNKNOWN
    first, second = numbers
    return {"<": first < second, "<=": first <= second, ">": first > second, ">=": first >= second}[
        marks[0]
    ]


_JOINS = (_any_of, _all_of, _compared, _ordered)


# end of module
