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
_EDGE = 3
"""Signs at an edge of a run by which words are looked up."""

_FEW = 2
"""Words that are looked for one by one, rather than by what they have in common."""

_ENDINGS = b"_-.:=$/"
"""Signs that are kept with the run before them, so that fewer words are looked for in the text itself."""

_TO_RUNS = bytes(
    code if chr(code).isascii() and (chr(code).isalnum() or code in _ENDINGS) else 32
    for code in range(256)
)


def _runs(text: bytes) -> set[bytes]:
    """The different runs of letters and digits in it, each with the sign of ``_ENDINGS`` behind it."""
    text = text.translate(_TO_RUNS)
    for code in _ENDINGS:
        text = text.replace(b"%c" % code, b"%c " % code)
    return set(text.split())


class _Group:
    """Words with the same run, which is looked for once for all of them."""

    def __init__(self, run: bytes) -> None:
        self.run = run
        self._words: list[tuple[int, bytes, int]] = []
        self._by_next: dict[bytes, list[tuple[int, bytes, int]]] = {}

    def add(self, number: int, word: bytes, offset: int) -> None:
        end = offset + len(self.run)
        self._words.append((number, word, offset))
        self._by_next.setdefault(word[end : end + 1], []).append((number, word, offset))

    def places_in(self, text: bytes) -> Iterator[tuple[int, int, int]]:
        if len(self._words) <= _FEW:
            for number, word, _ in self._words:
                at = text.find(word)
                while at >= 0:
                    yield number, at, at + len(word)
                    at = text.find(word, at + 1)
            return
        find, run, size, by_next = text.find, self.run, len(self.run), self._by_next
        always = by_next.get(b"", [])
        at = find(run)
        while at >= 0:
            some = by_next.get(text[at + size : at + size + 1], always)
            for number, word, offset in some if some is always else always + some:
                begin = at - offset
                if begin >= 0 and text.startswith(word, begin):
                    yield number, begin, begin + len(word)
            at = find(run, at + 1)


class _Anchors:
    """Words by one run of each, which tells whether a text may hold the word.

    ``exact``: signs bound the run in the word on both sides, so it is a run of the text. ``starts``,
    ``ends``: one of the text begins or ends so. ``inside``: one holds it.
    """

    def __init__(self) -> None:
        self._exact: dict[bytes, _Group] = {}
        self._starts: dict[bytes, dict[bytes, _Group]] = {}
        self._ends: dict[bytes, dict[bytes, _Group]] = {}
        self._inside: dict[bytes, _Group] = {}
        self._anywhere: dict[bytes, _Group] = {}

    def add(self, number: int, word: bytes, *, is_whole: bool) -> None:
        best: tuple[dict[bytes, _Group], bytes, int] = (self._anywhere, word, 0)
        most = 0
        for found in _RUN.finditer(word):
            run, offset, end = found.group(), found.start(), found.end()
            is_begun, is_ended = offset > 0 or is_whole, end < len(word)
            if is_ended and word[end] in _ENDINGS:
                run = word[offset : end + 1]
            rank = 2 * (is_begun + is_ended) + len(run)
            if rank > most and (len(run) >= _EDGE or (is_begun and is_ended)):
                most = rank
                best = self._groups_of(run, is_begun=is_begun, is_ended=is_ended), run, offset
        groups, run, offset = best
        if run not in groups:
            groups[run] = _Group(run)
        groups[run].add(number, word, offset)

    def _groups_of(self, run: bytes, *, is_begun: bool, is_ended: bool) -> dict[bytes, _Group]:
        if is_begun:
            return self._exact if is_ended else self._starts.setdefault(run[:_EDGE], {})
        return self._ends.setdefault(run[-_EDGE:], {}) if is_ended else self._inside

    def in_text(self, text: bytes) -> Iterator[_Group]:
        """Groups that the runs of the text allow."""
        runs = _runs(text)
        for run in self._exact.keys() & runs:
            yield self._exact[run]
        allowed: set[_Group] = set()
        for run in runs:
            if some := self._starts.get(run[:_EDGE]):
                allowed.update(group for start, group in some.items() if run.startswith(start))
            if some := self._ends.get(run[-_EDGE:]):
                allowed.update(group for end, group in some.items() if run.endswith(end))
        yield from allowed
        vocabulary = b" ".join(runs)
        for run, group in self._inside.items():
            if run in vocabulary:
                yield group
        yield from self._anywhere.values()


def one_by_one(words: Sequence[bytes], whole: Container[bytes] = ()) -> Search:
    """A search with what Python brings: for the few words that the vocabulary of the text allows.

    A text has fewer different runs of letters and digits than runs. Of each word one run is looked up among
    those; the text itself is searched for what was found there only.
    """
    anchors = _Anchors()
    for number, word in enumerate(words):
        anchors.add(number, word, is_whole=word in whole)

    def search(text: bytes) -> Iterator[tuple[int, int, int]]:
        for group in anchors.in_text(text):
            yield from group.places_in(text)

    return search


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
