"""What the functions of make give that work on words alone: ``$(addprefix gi,t)``.

Pure. Does not own what they are given (``gate.disk.makefiles``).
"""

from __future__ import annotations

import re
from itertools import zip_longest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def of_words(function: str, given: Sequence[str]) -> str:
    """What a function makes of a list of words."""
    first, words = given[0].strip(), given[-1].split()
    found = {
        "strip": lambda: words,
        "sort": lambda: sorted(set(words)),
        "firstword": lambda: words[:1],
        "lastword": lambda: words[-1:],
        "word": lambda: words[int(first) - 1 : int(first)] if first.isdigit() else words,
        "addprefix": lambda: [first + one for one in words],
        "addsuffix": lambda: [one + first for one in words],
        "notdir": lambda: [one.rpartition("/")[2] for one in words],
        "dir": lambda: [one.rpartition("/")[0] + "/" if "/" in one else "./" for one in words],
        "basename": lambda: [re.sub(r"\.[^./]*$", "", one) for one in words],
        "join": lambda: [a + b for a, b in zip_longest(given[0].split(), words, fillvalue="")],
        "subst": lambda: [given[-1].replace(given[0], given[1])] if len(given) > 2 else words,
        "patsubst": lambda: [_patsubst(one, first, given[1].strip()) for one in words],
        "filter": lambda: [one for one in words if _fits(one, first)],
        "filter-out": lambda: [one for one in words if not _fits(one, first)],
    }
    return " ".join(found[function]())


def _fits(word: str, patterns: str) -> bool:
    parts = (one.partition("%") for one in patterns.split())
    return any(
        word.startswith(start) and word.endswith(end) if mark else word == start
        for start, mark, end in parts
    )


def _patsubst(word: str, pattern: str, new: str) -> str:
    if not _fits(word, pattern):
        return word
    start, mark, end = pattern.partition("%")
    return new.replace("%", word[len(start) : len(word) - len(end)], 1) if mark else new


# end of module
