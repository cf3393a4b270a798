"""Words of which each match of a pattern holds one: looking for them first is far quicker.

Found in the parsed pattern, so they are right by construction, whatever it says. Pure.
"""

from __future__ import annotations

import re
from re import _constants as codes, _parser as parser  # type: ignore[attr-defined]  # no public one

from operators_edge.cached import lru_cache
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


class Needed(NamedTuple):
    """Words of which each match holds one, none if some match has none.

    They are as the pattern writes them; if any part of it ``folds`` case, they are in lower case, as the text
    has to be then.
    """

    words: tuple[str, ...]
    folds: bool


@lru_cache(maxsize=512)
def needed_words(source: str, flags: int = 0) -> Needed:
    folds = "(?i" in source or bool(flags & re.IGNORECASE)
    return Needed(_shortest(_in_sequence(parser.parse(source, flags), folds=folds)), folds)


def may_be_in(source: str, text: str, lower: str) -> bool:
    """Whether a text may hold a match; ``lower`` is the same text in lower case."""
    words, folds = needed_words(source)
    searched = lower if folds else text
    return not words or any(word in searched for word in words)


def _in_sequence(items: Iterable[tuple[Any, Any]], *, folds: bool) -> tuple[str, ...]:
    """The words of the most telling item of those that must all match."""
    found: list[tuple[str, ...]] = [()]
    word = ""
    for code, given in items:
        if code is codes.LITERAL and given < 128:
            word += chr(given).lower() if folds else chr(given)
            continue
        found += [(word,), _of(code, given, folds=folds)]
        word = ""
    return max((*found, (word,)), key=lambda words: min(map(len, words), default=0))


def _of(code: Any, given: Any, *, folds: bool) -> tuple[str, ...]:
    """The words of an item that is no single sign."""
    if code is codes.BRANCH:
        each = [_in_sequence(one, folds=folds) for one in given[1]]
        return tuple(word for words in each for word in words) if all(each) else ()
    if code is codes.SUBPATTERN:
        return _in_sequence(given[3], folds=folds)
    if code in _REPEATS and given[0] > 0:
        return _in_sequence(given[2], folds=folds)
    return _in_sequence(given, folds=folds) if code is codes.ATOMIC_GROUP else ()


def _shortest(words: Iterable[str]) -> tuple[str, ...]:
    """The words without those that hold another one of them."""
    unique = sorted({one for one in words if one}, key=lambda one: (len(one), one))
    return tuple(
        one for at, one in enumerate(unique) if not any(other in one for other in unique[:at])
    )


# end of module
