"""Where a text holds any of many words: with what Python brings, or all at once with the ``fast`` extra.

Owns the search only. Does not own which words (``redaction.detector``).
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    Search = Callable[[bytes], Iterable[tuple[int, int, int]]]
    """Where words are in a lowered text, in any order: the word's number, its begin and its end."""

ODD_CASE = "\u0130\u0131\u017f\u212a"
"""A pattern that ignores case takes these for `i`, `i`, `s` and `k`."""

_TO_ASCII = str.maketrans(ODD_CASE, "iisk")


@cache
def pattern(source: str) -> re.Pattern[str]:
    """Compiled when it is first needed: most hooks end before that."""
    return re.compile(source)


def lowered(text: str) -> bytes:
    """The text in lower case, a byte for each character: a question mark for what is not ASCII."""
    if not text.isascii() and any(sign in text for sign in ODD_CASE):
        text = text.translate(_TO_ASCII)
    return text.encode("ascii", "replace").lower()


def run_before(signs: str, text: str, at: int, most: int) -> str:
    """What ends at ``at`` and consists of such signs (as between the brackets of a pattern)."""
    found = pattern(f"[{signs}]*").match(text[max(0, at - most) : at][::-1])
    return found.group()[::-1] if found else ""


class Words:
    """Some words that are searched for together in lowered texts.

    ``whole``: those of them that matter only where no letter or digit stands before them.
    ``is_hot``: so much is searched that loading the library is worth it.
    """

    def __init__(
        self, words: Iterable[str], *, whole: Container[str] = (), is_lowered: bool = True
    ) -> None:
        self._words = [lowered(word) if is_lowered else word.encode() for word in words]
        self._whole = frozenset(lowered(word) for word in words if word in whole)

    def found_in(self, text: bytes, *, is_hot: bool = False) -> Iterable[tuple[int, int, int]]:
        """Each place of each word that matters there, and perhaps others; see ``Search``."""
        return self._search_all_at_once(text) if is_hot else self._search_one_by_one(text)

    def may_be_in(self, text: bytes, *, is_hot: bool = False) -> bool:
        """Whether any of them is."""
        search = self._search_for_any if is_hot else self._search_one_by_one
        return any(search(text))

    @cached_property
    def _search_one_by_one(self) -> Search:
        return one_by_one(self._words, self._whole)

    @cached_property
    def _search_all_at_once(self) -> Search:
        return all_at_once(self._words) or self._search_one_by_one

    @cached_property
    def _search_for_any(self) -> Search:
        return all_at_once(self._words, is_overlapping=False) or self._search_one_by_one


_RUN = re.compile(rb"[0-9a-z]+")
_FIRST = 3
_FEW = 4


def one_by_one(words: Sequence[bytes], whole: Container[bytes] = ()) -> Search:
    """A search with what Python brings: for the few words that the vocabulary of the text allows.

    A text has fewer different runs of letters and digits than runs. Whole words are looked up among those,
    all others are looked for in those; the text itself is searched for what was found there only.
    """
    by_run: dict[bytes, list[int]] = {}
    by_first: dict[bytes, list[int]] = {}
    anywhere: dict[bytes, list[int]] = {}
    for number, word in enumerate(words):
        run = _RUN.match(word)
        if word in whole and run is not None and run.end() < len(word):
            by_run.setdefault(run.group(), []).append(number)
        elif word in whole and run is not None and len(word) >= _FIRST:
            by_first.setdefault(word[:_FIRST], []).append(number)
        else:
            longest = max(_RUN.findall(word), key=len, default=b"")
            anywhere.setdefault(longest, []).append(number)

    def search(text: bytes) -> Iterator[tuple[int, int, int]]:
        runs = set(_RUN.findall(text))
        vocabulary = b" ".join(runs)
        firsts = {run[:_FIRST] for run in runs}
        numbers = [each for run in by_run.keys() & runs for each in by_run[run]]
        numbers += [each for first in by_first.keys() & firsts for each in by_first[first]]
        for number in numbers:
            word = words[number]
            for at in _places_of(word, text):
                yield number, at, at + len(word)
        for run, some in anywhere.items():
            if run in vocabulary:
                yield from _around(run, text, [(number, words[number]) for number in some])

    return search


def _places_of(word: bytes, text: bytes) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _around(
    run: bytes, text: bytes, words: Sequence[tuple[int, bytes]]
) -> Iterator[tuple[int, int, int]]:
    """Where words are that have the same run of letters, which is looked for once if that is seldom."""
    if len(words) < _FEW or len(run) < _FIRST:
        for number, word in words:
            for place in _places_of(word, text):
                yield number, place, place + len(word)
        return
    behind: dict[int, list[tuple[int, bytes, int]]] = {}
    others = []
    for number, word in words:
        offset = word.find(run)
        if offset == 0 and len(word) > len(run):
            behind.setdefault(word[len(run)], []).append((number, word, 0))
        else:
            others.append((number, word, offset))
    size, last = len(run), len(text) - len(run)
    for place in _places_of(run, text):
        some = behind.get(text[place + size], ()) if place < last else ()
        for number, word, offset in (*some, *others):
            if text.startswith(word, place - offset) and place >= offset:
                yield number, place - offset, place - offset + len(word)


def all_at_once(words: Sequence[bytes], *, is_overlapping: bool = True) -> Search | None:
    """The same with the library; None where that is absent or broken, or does not find each word.

    Without those that overlap with others it is several times as fast, and tells whether there is any.
    """
    try:
        from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind  # noqa: PLC0415 - an extra

        kind = MatchKind.Standard if is_overlapping else MatchKind.LeftmostFirst
        table = BytesAhoCorasick(words, matchkind=kind, implementation=Implementation.DFA)
        is_right = all(
            table.find_matches_as_indexes(b" " + word + b" ", overlapping=is_overlapping)
            for word in words
        )
    except (ImportError, AttributeError, TypeError, ValueError, OSError, RuntimeError):
        return None

    def search(text: bytes) -> Iterable[tuple[int, int, int]]:
        found: list[tuple[int, int, int]] = table.find_matches_as_indexes(
            text, overlapping=is_overlapping
        )
        return found

    return search if is_right else None


# end of module
