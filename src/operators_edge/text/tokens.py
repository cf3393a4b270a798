"""The words of a text in the form in which they are compared: lower case, identifiers split, endings removed.

Pure. Does not own ranking (``memory.store``) or the similarity of lessons (``memory.similarity``).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD = pattern(r"\w+(?:'\w+)?")
_PARTS = pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NO_SPACES = pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Scripts without spaces between words: each pair of characters counts as a word."""

_STOP = (
    "a an and are as at be been but by can could did do does for from had has have he her his how i"
    " if in into is it its may more most no not of on one or our out over own s she should so some"
    " such t than that the their them then there these they this those to too under up use used"
    " using very was we were what when where which while who why will with would you your"
)
STOP = frozenset(_STOP.split())
"""Words that are too common to distinguish lessons."""


class Term(NamedTuple):
    """``text`` is compared, ``word`` is what was written; ``is_part``: a part of an identifier."""

    text: str
    word: str
    is_part: bool = False


def terms(text: str) -> Iterator[Term]:
    """Each word that is not a stop word.

    An identifier counts as a whole and in parts: ``getUserName`` is also ``get``, ``user`` and ``name``.
    """
    for found in _WORD.finditer(text):
        word = found.group()
        if not word.isascii() and _NO_SPACES.search(word):
            pairs = [word[at : at + 2] for at in range(max(1, len(word) - 1))]
            yield from (Term(pair.lower(), pair) for pair in pairs)
            continue
        parts = _PARTS.findall(word) if word.isascii() else word.split("_")
        is_compound = len(parts) > 1
        if is_compound:
            yield Term(word.lower().replace("'", ""), word)
        for part in parts or [word]:
            low = part.lower()
            if low and low not in STOP:
                yield Term(stem(low), word, is_compound)


_NUMBERED = pattern(r"(?:[A-Za-z]+-?)?0*(\d{1,9})")


def last_number(idents: Iterable[object]) -> int:
    """The highest number among ids like R001 or mismatch-003; 0 where there is none."""
    found = (_NUMBERED.fullmatch(str(each)) for each in idents)
    return max((int(match[1]) for match in found if match), default=0)


def numbered_id(prefix: str, text: str) -> str:
    """The id that is meant, as it is stored: "r1", "R01" and "1" mean R001; "" where it is none."""
    match = re.fullmatch(rf"(?:{prefix})?0*(\d{{1,9}})", text.strip(), re.IGNORECASE)
    return f"{prefix}{int(match[1]):03}" if match else ""


def stem(word: str) -> str:
    """The word without inflectional endings: a few English ones; short words are unchanged."""
    if len(word) < 4 or not word.isascii():
        return word
    for ending, replacement in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(replacement) >= 3:
            word = word[: len(word) - len(ending)] + replacement
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


_ENDINGS = (
    ("ations", "at"),
    ("ation", "at"),
    ("ingly", ""),
    ("sses", "ss"),
    ("ies", "y"),
    ("ied", "y"),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ss", "ss"),
    ("us", "us"),
    ("s", ""),
)

# end of module
