"""Rules that replace what they match in a text, each tried only at the positions where a match can begin.

Owns the search for words, one by one or all at once with the library of the ``fast`` extra, and where the
positions are after an edit. Does not own the rules (``redaction.redact``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from operators_edge.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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


class Words:
    """Some words that are searched for together, whatever their case.

    ``is_hot``: so much is searched that loading the library is worth it.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = [lowered(word) for word in words]

    def found_in(self, text: str, *, is_hot: bool = False) -> Iterable[tuple[int, int, int]]:
        """See ``Search``."""
        search = self._search_all_at_once if is_hot else self._search_one_by_one
        return search(lowered(text))

    def may_be_in(self, text: str, *, is_hot: bool = False) -> bool:
        """Whether any of them is, or is but for its case and what is not ASCII."""
        search = self._search_for_any if is_hot else self._search_one_by_one
        return any(search(lowered(text)))

    @cached_property
    def _search_one_by_one(self) -> Search:
        return one_by_one(self._words)

    @cached_property
    def _search_all_at_once(self) -> Search:
        return all_at_once(self._words) or self._search_one_by_one

    @cached_property
    def _search_for_any(self) -> Search:
        return all_at_once(self._words, is_overlapping=False) or self._search_one_by_one


def one_by_one(words: Sequence[bytes]) -> Search:
    """A search with what Python brings."""

    def search(text: bytes) -> Iterator[tuple[int, int, int]]:
        for number, word in enumerate(words):
            at = text.find(word)
            while at >= 0:
                yield number, at, at + len(word)
                at = text.find(word, at + 1)

    return search


def all_at_once(words: Sequence[bytes], *, is_overlapping: bool = True) -> Search | None:
    """The same with the library; None where that is absent or broken, or does not find each word.

    Without those that overlap with others it is several times as fast, and tells whether there is any.
    """
    try:
        from ahocorasick_rs import BytesAhoCorasick, MatchKind  # noqa: PLC0415 - an extra

        kind = MatchKind.Standard if is_overlapping else MatchKind.LeftmostFirst
        find = BytesAhoCorasick(words, matchkind=kind).find_matches_as_indexes
        search = partial(find, overlapping=is_overlapping)
        is_right = all(search(b" " + word + b" ") for word in words)
    except (ImportError, AttributeError, TypeError, ValueError, OSError, RuntimeError):
        return None
    return search if is_right else None


class Rule(NamedTuple):
    starts: tuple[str, ...]
    """Each match begins with one of them, whatever the case."""
    source: str | Callable[[], str]
    """A regular expression, or what makes it when a start has been found."""
    replacement: str | Callable[[re.Match[str]], str]
    """A mark in brackets; or what changes nothing but the group ``value``, which ends the match, to one."""
    is_behind: bool = False
    """Each match begins behind a start instead."""

    def pattern(self) -> re.Pattern[str]:
        return pattern(self.source if isinstance(self.source, str) else self.source())

    def replaced(self, match: re.Match[str]) -> str:
        return self.replacement if isinstance(self.replacement, str) else self.replacement(match)

    def matches(self, text: str, positions: Iterable[int]) -> Iterator[re.Match[str]]:
        """What the pattern finds in the text, given every place where a match can begin, in order."""
        match_at = self.pattern().match
        end = 0
        for at in positions:
            match = match_at(text, at) if at >= end else None
            if match is not None:
                end = match.end()
                yield match


class _Edit(NamedTuple):
    start: int
    stop: int
    new: str
    """No start reaches across its ends: it opens with a quote or a bracket, and closes with a bracket."""


class Rules:
    """Some rules in their order: each sees what those before it made of the text."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        begun: dict[str, list[tuple[int, int]]] = {}
        for number, rule in enumerate(rules):
            for word in rule.starts:
                begun.setdefault(word, []).append((number, len(word) if rule.is_behind else 0))
        self._begun_by = list(begun.values())
        """For each word the rules that it begins, and how far behind its own begin."""
        self._words = Words(begun)
        self._positions_in_mark = lru_cache(maxsize=64)(self._positions_of)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def applied(self, text: str, *, is_hot: bool = False) -> str:
        """What the rules make of the text; ``is_hot`` as for ``Words``."""
        positions_of = self._positions_of(text, is_hot=is_hot)
        for number, rule in enumerate(self._rules):
            if positions := positions_of.pop(number, None):
                changed, edits = _edited(rule, text, positions)
                if edits:
                    text = changed
                    self._move(positions_of, edits)
        return text

    def matches(self, text: str) -> Iterator[tuple[Rule, re.Match[str]]]:
        """What each rule matches in the text as it is."""
        positions_of = self._positions_of(text)
        for number, rule in enumerate(self._rules):
            for match in rule.matches(text, positions_of.get(number, ())):
                yield rule, match

    def _positions_of(self, text: str, *, is_hot: bool = False) -> dict[int, list[int]]:
        """Where each rule may begin, in order, by the rule's number."""
        positions_of: dict[int, list[int]] = {}
        for word, at, _ in self._words.found_in(text, is_hot=is_hot):
            for number, reach in self._begun_by[word]:
                positions_of.setdefault(number, []).append(at + reach)
        for positions in positions_of.values():
            positions.sort()
        return positions_of

    def _move(self, positions_of: dict[int, list[int]], edits: Sequence[_Edit]) -> None:
        """Take the positions along: without those in what went, with those in what came."""
        came = {new: self._positions_in_mark(new) for new in {edit.new for edit in edits}}
        for number in {*positions_of, *(each for positions in came.values() for each in positions)}:
            positions = positions_of.get(number, [])
            moved: list[int] = []
            index = shift = 0
            for start, stop, new in edits:
                first, index = index, bisect_right(positions, start, index)
                moved += [at + shift for at in positions[first:index]]
                index = bisect_left(positions, stop, index)
                moved += [start + shift + at for at in came[new].get(number, ())]
                shift += len(new) - (stop - start)
            positions_of[number] = moved + [at + shift for at in positions[index:]]


def _edited(rule: Rule, text: str, positions: Iterable[int]) -> tuple[str, list[_Edit]]:
    """The text with the rule's matches replaced, and where that changed it."""
    edits: list[_Edit] = []
    pieces: list[str] = []
    copied = 0
    for match in rule.matches(text, positions):
        new = rule.replaced(match)
        if new == match.group():
            continue
        # What stands before the value stays, and what begins there with it.
        start = match.start() if isinstance(rule.replacement, str) else match.start("value")
        edits.append(_Edit(start, match.end(), new[start - match.start() :]))
        pieces += (text[copied:start], edits[-1].new)
        copied = match.end()
    return "".join((*pieces, text[copied:])), edits


# end of module
