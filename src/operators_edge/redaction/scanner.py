"""Rules that replace what they match in a text, each tried only at the spots where a match can begin.

Owns the quick way to the same result: the search for those spots, with what Python brings or with a library
where the ``fast`` extra brought one, and their places after an edit. Does not own the rules
(``redaction.redact``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache, cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Find = Callable[[bytes], Iterator[tuple[int, int]]]
    """Where words begin in a text of small letters, in any order, each with its number."""
    _Search = Callable[[bytes], Sequence[tuple[int, int, int]]]

_MOST = 500_000
_MOST_MARKS = 64
ODD_CASE = "\u0130\u0131\u017f\u212a"
"""A pattern without case takes these for `i`, `i`, `s` and `k`; as small letters they are something else."""


@cache
def pattern(source: str) -> re.Pattern[str]:
    """Compiled when it is first needed: most hooks end before that."""
    return re.compile(source)


class Rule(NamedTuple):
    words: tuple[str, ...]
    """In lower case: in a text with none of them the rule is not tried."""
    source: str
    replacement: str | Callable[[re.Match[str]], str]
    """A mark in brackets; or what changes nothing but the group ``value``, which ends the match, to one."""
    starts: tuple[str, ...] = ()
    """In lower case: each match begins with one of them, or where that has a ``|``. Else ``words``."""

    def is_on(self, lower: str) -> bool:
        return any(word in lower for word in self.words)

    def replaced(self, match: re.Match[str]) -> str:
        return self.replacement if isinstance(self.replacement, str) else self.replacement(match)


class _Edit(NamedTuple):
    start: int
    stop: int
    new: str
    """No start reaches across its ends: it opens with a quote or a bracket, and closes with a bracket."""


class Rules:
    """Some rules in their order: each sees what those before it made of the text."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = rules
        self._came: dict[str, dict[int, list[int]]] = {}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def applied(self, text: str) -> str:
        """One rule after another, each over the whole text."""
        lower = text.lower()
        for rule in self._rules:
            if rule.is_on(lower):
                text = pattern(rule.source).sub(rule.replacement, text)
        return text

    def applied_at_spots(self, text: str, find: Find) -> str:
        """The same, for long texts in which few words are found; any other text goes the long way."""
        if not text.isascii() and any(sign in text for sign in ODD_CASE):
            return self.applied(text)
        lower = text.encode("ascii", "replace").lower()  # sign by sign as long as the text
        spots_of = self._spots_of(lower, find)
        if spots_of is None:
            return self.applied(text)
        sure = {number for number in spots_of if self._is_sure[number]}
        for number, rule in enumerate(self._rules):
            spots = spots_of.get(number)
            changed, edits = _tried(rule, text, sorted(spots)) if spots else (text, [])
            # Seldom needed and dear: whether the rule would have been tried at all.
            if edits and (number in sure or any(word.encode() in lower for word in rule.words)):
                text = changed
                self._move(spots_of, edits, number + 1)
        return text

    @cached_property
    def starts(self) -> tuple[str, ...]:
        return tuple(self._begun)

    @cached_property
    def _begun(self) -> dict[str, list[tuple[int, int]]]:
        """For each start the rules that it may begin, and how far behind its own begin."""
        begun: dict[str, list[tuple[int, int]]] = {}
        for number, rule in enumerate(self._rules):
            for start in rule.starts or rule.words:
                reach = max(start.find("|"), 0)
                begun.setdefault(start.replace("|", ""), []).append((number, reach))
        return begun

    @cached_property
    def _begun_by(self) -> list[list[tuple[int, int]]]:
        return list(self._begun.values())

    @cached_property
    def _is_sure(self) -> list[bool]:
        """A rule whose every start holds one of its words is on wherever it was found to begin."""
        return [
            all(rule.is_on(start.replace("|", "")) for start in rule.starts) for rule in self._rules
        ]

    def _spots_of(self, lower: bytes, find: Find) -> dict[int, list[int]] | None:
        """Where each rule may begin, by its number; None for more spots than a quick way is worth."""
        begun_by = self._begun_by
        most = min(len(lower) // 16 + 64, _MOST)
        found = list(islice(find(lower), most + 1))
        if len(found) > most:
            return None
        spots_of: dict[int, list[int]] = {}
        for at, word in found:
            for number, reach in begun_by[word]:
                spots_of.setdefault(number, []).append(at + reach)
        return spots_of

    def _move(self, spots_of: dict[int, list[int]], edits: list[_Edit], first: int) -> None:
        come = {new: self._spots_in(new) for new in {edit.new for edit in edits}}
        come_anywhere = set().union(*come.values())
        for number in range(first, len(self._rules)):
            spots = spots_of.get(number, [])
            if spots or number in come_anywhere:
                spots_of[number] = _moved(
                    sorted(spots), edits, {new: each.get(number, []) for new, each in come.items()}
                )

    def _spots_in(self, new: str) -> dict[int, list[int]]:
        """In what an edit put in: `[REDACTED:api-key]` has a name in it."""
        if new in self._came:
            return self._came[new]
        lower = new.lower()
        spots_of: dict[int, list[int]] = {}
        for word, begun in self._begun.items():
            for match in re.finditer(f"(?={re.escape(word)})", lower) if word in lower else ():
                for number, reach in begun:
                    spots_of.setdefault(number, []).append(match.start() + reach)
        if len(self._came) == _MOST_MARKS:
            self._came.clear()
        self._came[new] = {number: sorted(spots) for number, spots in spots_of.items()}
        return self._came[new]


def _tried(rule: Rule, text: str, spots: list[int]) -> tuple[str, list[_Edit]]:
    """What the substitution of the rule's matches makes of the text."""
    match_at = pattern(rule.source).match
    edits: list[_Edit] = []
    pieces: list[str] = []
    copied = end = 0
    for at in spots:
        match = match_at(text, at) if at >= end else None
        if match is None:
            continue
        end = match.end()
        new = rule.replaced(match)
        if new == match.group():
            continue
        # What stands before the value stays, and what begins there with it.
        start = at if isinstance(rule.replacement, str) else match.start("value")
        edits.append(_Edit(start, end, new[start - at :]))
        pieces += (text[copied:start], edits[-1].new)
        copied = end
    return ("".join((*pieces, text[copied:])) if edits else text), edits


def _moved(spots: list[int], edits: list[_Edit], come: dict[str, list[int]]) -> list[int]:
    """The spots after the edits: without those in what went, with those in what came."""
    moved: list[int] = []
    index = shift = 0
    for start, stop, new in edits:
        first, index = index, bisect_right(spots, start, index)
        moved += [at + shift for at in spots[first:index]]
        index = bisect_left(spots, stop, index)
        moved += [start + shift + at for at in come[new]]
        shift += len(new) - (stop - start)
    return moved + [at + shift for at in spots[index:]]


# Signs that ordinary text seldom has. A pattern that begins with one sign is searched for many times
# faster than one that begins with several, so a word is looked for by the first of these that it has.
_RARE = "jxzkw_-:"
_STEP = 1 << 16


class _Part(NamedTuple):
    """A word around its rare sign."""

    before: str
    after: str
    number: int

    def may_meet(self, other: _Part) -> bool:
        """Whether both can stand around one and the same sign: a pattern would tell only one of them."""
        ends = sorted((self.before, other.before), key=len)
        begins = sorted((self.after, other.after), key=len)
        return ends[1].endswith(ends[0]) and begins[1].startswith(begins[0])

    def source(self, sign: str) -> str:
        """What stands around the sign; the group tells which word it was."""
        behind = f"(?<={re.escape(self.before + sign)})" if self.before else ""
        return f"(?={re.escape(self.after)}){behind}()"


def finder(words: Sequence[str]) -> Find:
    """A search for all of ``words``, in lower case, without a library."""
    searches: list[tuple[str, list[_Part]]] = []
    whole: list[tuple[int, bytes]] = []
    for number, word in enumerate(words):
        sign = word[0] if word[0] in _RARE else next((each for each in _RARE if each in word), None)
        if sign is None:
            whole.append((number, word.encode()))
            continue
        before, _, after = word.partition(sign)
        part = _Part(before, after, number)
        for other, parts in searches:
            if other == sign and not any(map(part.may_meet, parts)):
                parts.append(part)
                break
        else:
            searches.append((sign, [part]))
    patterns = [
        (re.compile(f"{sign}(?:{'|'.join(part.source(sign) for part in parts)})".encode()), parts)
        for sign, parts in searches
    ]

    def find(text: bytes) -> Iterator[tuple[int, int]]:
        for compiled, parts in patterns:
            for match in compiled.finditer(text):
                part = parts[(match.lastindex or 1) - 1]
                yield match.start() - len(part.before), part.number
        for number, word in whole:
            at = text.find(word)
            while at >= 0:
                yield at, number
                at = text.find(word, at + 1)

    return find


def quick_finder(words: Sequence[str]) -> Find | None:
    """The same with the library; None where that is absent or broken, or does not find each word."""
    search = _searched([word.encode() for word in words], is_overlapping=True)
    if search is None:
        return None
    reach = max(map(len, words)) - 1

    def find(text: bytes) -> Iterator[tuple[int, int]]:
        for start in range(0, len(text), _STEP):  # a part at a time: a list of all could be long
            for number, at, _ in search(text[start : start + _STEP + reach]):
                if at < _STEP:
                    yield start + at, number

    return find


def quick_test(words: Sequence[str]) -> Callable[[str], bool] | None:
    """Whether a text may hold one of ``words``, as they are; None as above."""
    search = _searched([word.encode("ascii", "replace") for word in words], is_overlapping=False)
    if search is None:
        return None
    reach = max(map(len, words)) - 1

    def may_hold(text: str) -> bool:
        given = text.encode("ascii", "replace")
        for start in range(0, len(given), _STEP):  # noqa: SIM110 - see below
            if search(given[start : start + _STEP + reach]):
                return True  # not `any`: a generator costs as much as the search of a short text
        return False

    return may_hold


def _searched(words: list[bytes], *, is_overlapping: bool) -> _Search | None:
    try:
        from ahocorasick_rs import (  # noqa: PLC0415 - an extra, for a process that reads much
            BytesAhoCorasick,
            MatchKind,
        )

        # Many times as fast, and enough to know whether there is any.
        kind = MatchKind.Standard if is_overlapping else MatchKind.LeftmostFirst
        search = BytesAhoCorasick(words, matchkind=kind).find_matches_as_indexes
        search = partial(search, overlapping=is_overlapping)
        found = [search(b" " + word + b" ") for word in words]
    except (ImportError, AttributeError, TypeError, ValueError, OSError, RuntimeError):
        return None
    is_right = all(
        (number, 1, 1 + len(word)) in each if is_overlapping else each
        for number, (word, each) in enumerate(zip(words, found, strict=True))
    )
    return search if is_right else None
