"""Where a text holds any of many words: with what Python brings, or all at once with the ``fast`` extra.

Owns the search only. Does not own which words (``redaction.detector``).
"""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    Found = tuple[int, int, int]
    """The number of a word, where it begins and where it ends."""

    _Word = tuple[int, bytes, int]
    """Its number, the word, and where in it the run begins by which it is looked up."""

    Search = Callable[[bytes], Iterable[Found]]
    """Where words are in a lowered text, in any order."""

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
    part = text[max(0, at - most) : at]
    if part.isascii():
        return part[len(part.rstrip(signs_of(signs))) :]
    found = pattern(f"[{signs}]*").match(part[::-1])
    return found.group()[::-1] if found else ""


@cache
def signs_of(signs: str) -> str:
    """Those of ASCII that such a pattern means."""
    return "".join(re.findall(f"[{signs}]", "".join(map(chr, range(128)))))


_ENDINGS = b"_-.:=$/*~"
"""Signs that are kept with the run before them, so that fewer words are looked for in the text itself."""

_IN_RUNS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789" + _ENDINGS)
_TO_RUNS = bytes(code if code in _IN_RUNS else 32 for code in range(256))


class Runs:
    """A lowered text by its different runs of letters and digits, with a sign of ``_ENDINGS`` behind each."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    @cached_property
    def all(self) -> set[bytes]:
        return set(_runs_in(self.text))

    @cached_property
    def joined(self) -> bytes:
        return b" %b " % b" ".join(self.all)


def _runs_in(text: bytes) -> list[bytes]:
    text = text.translate(_TO_RUNS)
    for code in _ENDINGS:
        text = text.replace(b"%c" % code, b"%c " % code)
    return text.split()


class Words:
    """Some words that are searched for together in lowered texts.

    ``whole``: those that matter only where no letter or digit stands before them. So do ``names``, and
    ``-`` in one stands for any of some signs or none; their numbers are above those of the words. ``is_hot``:
    so much is searched that loading the library is worth it.
    """

    def __init__(
        self, words: Iterable[str], *, whole: Iterable[str] = (), names: Iterable[bytes] = ()
    ) -> None:
        self._words = _all_lowered(words)
        self._whole = frozenset(_all_lowered(whole))
        self._names = tuple(names)
        self._left = _WITHOUT_INDEX

    def found_in(self, runs: Runs, *, is_hot: bool = False) -> Iterable[Found]:
        """Each place of each word that matters there, and perhaps others."""
        if is_hot and (search := self._all_at_once):
            return search(runs.text)
        self._left -= len(runs.text)
        return self._each_of(runs.text) if self._left > 0 else self._one_by_one(runs)

    def _each_of(self, text: bytes) -> Iterator[Found]:
        begins = {text[at : at + _EDGE] for at in range(len(text))}
        for number, word in enumerate(self._words):
            if (word[:_EDGE] in begins or len(word) < _EDGE) and word in text:
                yield from _places(number, word, text)
        most = len(self._words)
        for name in self._names:
            first = name.partition(b"-")[0]
            if (first[:_EDGE] in begins or len(first) < _EDGE) and first in text:
                for word in _spellings(name):
                    yield from _places(most, word, text)

    def may_be_in(self, runs: Runs, *, is_hot: bool = False) -> bool:
        """Whether any of them is."""
        search = self._any_at_once if is_hot else None
        return any(search(runs.text) if search else self.found_in(runs))

    @cached_property
    def _spelled(self) -> list[bytes]:
        return [each for name in self._names for each in _spellings(name)]

    @cached_property
    def _one_by_one(self) -> Callable[[Runs], Iterable[Found]]:
        whole = self._whole.union(self._spelled)
        return one_by_one([*self._words, *self._spelled], whole)

    @cached_property
    def _all_at_once(self) -> Search | None:
        return all_at_once([*self._words, *self._spelled])

    @cached_property
    def _any_at_once(self) -> Search | None:
        return all_at_once(self._words, is_overlapping=False)


_WITHOUT_INDEX = 4096
"""How much is searched for each word by itself: most hooks end before an index of the words is worth it."""


def _all_lowered(words: Iterable[str]) -> list[bytes]:
    return lowered("\0".join(words)).split(b"\0")


_SIGNS_IN_NAMES = (b"", b"-", b"_", b".", b" ")


def _spellings(name: bytes) -> list[bytes]:
    """The name with each sign that may be in it."""
    return [name.replace(b"-", sign) for sign in _SIGNS_IN_NAMES] if b"-" in name else [name]


def _places(number: int, word: bytes, text: bytes) -> Iterator[Found]:
    size = len(word)
    at = text.find(word)
    while at >= 0:
        yield number, at, at + size
        at = text.find(word, at + 1)


# -- one by one ------------------------------------------------------------------------------------

_RUN = re.compile(rb"[0-9a-z]+")
_EDGE = 3
"""Signs at an edge of a run by which words are looked up."""

_MAX_DULL = 65536
"""Runs that are known at most; then all are forgotten."""

_FEW = 5
"""Words that are looked for one by one, rather than by what they have in common."""


@lru_cache(maxsize=8192)
def _parts(word: bytes) -> tuple[list[bytes], list[bytes]]:
    """What the joined runs of a text hold that holds the word, and its other signs, some of which are rare.

    Runs at its edges may go on.
    """
    runs = _runs_in(word)
    is_begun, is_ended, last = word[0] not in _IN_RUNS, not word[-1:].isalnum(), len(runs) - 1
    runs = [
        b" " * (at > 0 or is_begun) + run + b" " * (at < last or is_ended)
        for at, run in enumerate(runs)
    ]
    return runs, [b"%c" % code for code in set(word) if not chr(code).isalnum()]


def _places_of(run: bytes, words: list[_Word], text: bytes, joined: bytes) -> Iterator[Found]:
    """Where words are that have the same run: that is looked for once for all of them if they are many."""
    if len(words) <= _FEW:
        for number, word, _ in words:
            runs, signs = _parts(word)
            if all(map(joined.__contains__, runs)) and all(map(text.__contains__, signs)):
                yield from _places(number, word, text)
        return
    size = len(run)
    behind: dict[bytes, list[_Word]] = {}
    for given in words:
        end = given[2] + size
        behind.setdefault(given[1][end : end + 1], []).append(given)
    always = behind.get(b"", [])
    for _, at, end in _places(0, run, text):
        some = behind.get(text[end : end + 1], always)
        for number, word, offset in some if some is always else always + some:
            begin = at - offset
            if begin >= 0 and text.startswith(word, begin):
                yield number, begin, begin + len(word)


class _Anchors:
    """Words by one run of each, which tells whether a text may hold the word.

    ``exact``: signs bound the run in the word on both sides, so it is a run of the text. ``starts``,
    ``ends``: one of the text begins or ends so. ``inside``: one holds it; a space stands for an edge there.
    """

    def __init__(self) -> None:
        self._exact: dict[bytes, list[_Word]] = {}
        self._starts: dict[bytes, list[_Word]] = {}
        self._ends: dict[bytes, list[_Word]] = {}
        self._inside: dict[bytes, list[_Word]] = {}
        self._dull: set[bytes] = set()
        """Runs that texts had and in which none of these is, but for exact ones: logs repeat themselves."""

    def add_whole(self, number: int, word: bytes) -> None:
        """One that matters only where no letter or digit stands before it."""
        found = _RUN.match(word)
        if found is None:
            self.add(number, word)
            return
        size = found.end()
        if size == len(word):
            groups = self._starts if size >= _EDGE else self._inside
            anchor = word if size >= _EDGE else b" " + word
        else:
            groups = self._exact
            anchor = word[: size + 1] if word[size] in _ENDINGS else word[:size]
        if anchor in groups:
            groups[anchor].append((number, word, 0))
        else:
            groups[anchor] = [(number, word, 0)]

    def add(self, number: int, word: bytes) -> None:
        groups, anchor, offset, most = self._inside, word, 0, 0
        for found in _RUN.finditer(word):
            begin, end = found.span()
            is_begun, is_ended = begin > 0, end < len(word)
            rank = end - begin + 2 * (is_begun + is_ended)
            if rank > most and (end - begin >= _EDGE or (is_begun and is_ended)):
                most, offset = rank, begin
                anchor = (
                    word[begin : end + 1] if is_ended and word[end] in _ENDINGS else found.group()
                )
                if is_begun:
                    groups = self._exact if is_ended else self._starts
                else:
                    groups = self._ends if is_ended else self._inside
        if most == 0:
            anchor = max(_parts(word)[0], key=len, default=b"")
            offset = word.find(anchor.strip())
        groups.setdefault(anchor, []).append((number, word, offset))

    @cached_property
    def _edges(self) -> tuple[dict[bytes, list[bytes]], dict[bytes, list[bytes]]]:
        """How runs begin and end, by the first and the last signs of that."""
        starts: dict[bytes, list[bytes]] = {}
        ends: dict[bytes, list[bytes]] = {}
        for start in self._starts:
            starts.setdefault(start[:_EDGE], []).append(start)
        for end in self._ends:
            ends.setdefault(end[-_EDGE:], []).append(end)
        return starts, ends

    def in_text(self, runs: set[bytes]) -> Iterator[tuple[bytes, list[_Word]]]:
        """Runs with their words that a text of such runs may hold."""
        for run in self._exact.keys() & runs:
            yield run, self._exact[run]
        if len(self._dull) > _MAX_DULL:
            self._dull.clear()
        runs = runs - self._dull
        starts, ends = self._edges
        begun: set[bytes] = set()
        ended: set[bytes] = set()
        telling: set[bytes] = set()
        for run in runs:
            some = [*filter(run.startswith, starts.get(run[:_EDGE], ()))]
            others = [*filter(run.endswith, ends.get(run[-_EDGE:], ()))]
            if some or others:
                telling.add(run)
                begun.update(some)
                ended.update(others)
        yield from ((run, self._starts[run]) for run in begun)
        yield from ((run, self._ends[run]) for run in ended)
        joined = b" %b " % b" ".join(runs)
        for part, words in self._inside.items():
            if part in joined:
                yield part.strip(), words
                if part:  # else one without a run, which tells nothing
                    telling.update(run for run in runs if part in b" %b " % run)
        self._dull |= runs - telling


def one_by_one(
    words: Sequence[bytes], whole: Container[bytes] = ()
) -> Callable[[Runs], Iterator[Found]]:
    """A search with what Python brings: for the few words that the runs of the text allow.

    A text has fewer different runs of letters and digits than runs. Of each word one run is looked up among
    those; the text itself is searched for what was found there only.
    """
    anchors = _Anchors()
    for number, word in enumerate(words):
        if word in whole:
            anchors.add_whole(number, word)
        else:
            anchors.add(number, word)

    def search(runs: Runs) -> Iterator[Found]:
        for run, some in anchors.in_text(runs.all):
            yield from _places_of(run, some, runs.text, runs.joined)

    return search


# -- all at once -----------------------------------------------------------------------------------


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

    def search(text: bytes) -> Iterable[Found]:
        found: list[Found] = table.find_matches_as_indexes(text, overlapping=is_overlapping)
        return found

    return search if is_right else None


# end of module
