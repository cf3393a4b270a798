"""Where a text holds any of many words: with what Python brings, or all at once with the ``fast`` extra.

Owns the search only. Does not own which words (``redaction.detector``).
"""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from itertools import chain

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
    part = text[at - most if at > most else 0 : at]
    if part.isascii():
        return part[len(part.rstrip(signs_of(signs))) :]
    found = pattern(f"[{signs}]*").match(part[::-1])
    return found.group()[::-1] if found else ""


@cache
def signs_of(signs: str) -> str:
    """Those of ASCII that such a pattern means."""
    return "".join(re.findall(f"[{signs}]", "".join(map(chr, range(128)))))


@cache
def _any_of(words: tuple[bytes, ...]) -> Search | None:
    return all_at_once(words, is_overlapping=False)


def holds_any(text: bytes, *words: bytes, is_hot: bool = False) -> bool:
    """Whether any of a few words is in it: with the library in a tenth of the time."""
    search = _any_of(words) if is_hot else None
    return bool(search(text)) if search else any(word in text for word in words)


_ENDINGS = b"_-.:=$/*~"
"""Signs that are kept with the run before them, so that fewer words are looked for in the text itself."""

_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_TO_TOKENS = bytes(
    code if code in _LETTERS + _ENDINGS else 48 if code in b"0123456789" else 32
    for code in range(256)
)
"""One digit stands for all: of numbers and times there are few then."""


_SIGNS = tuple(code for code in range(128) if not chr(code).isalnum())


_OPTION = re.compile(rb" --?[a-z]")


class Runs:
    """A lowered text by its different tokens: letters, digits and ``_ENDINGS``, with no other sign."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    @cached_property
    def tokens(self) -> set[bytes]:
        return set(self.text.translate(_TO_TOKENS).split())

    @cached_property
    def joined(self) -> bytes:
        return b" %b " % b" ".join(self.tokens)

    @cached_property
    def signs(self) -> frozenset[int]:
        """The signs of ASCII in the text that are neither letters nor digits."""
        return frozenset(filter(self.text.__contains__, _SIGNS))

    def has_options(self, *, is_hot: bool = False) -> bool:
        """Whether a token may be the option of a program, in quotes or in a list of YAML."""
        if "tokens" in self.__dict__ and _OPTION.search(self.joined) is None:
            return False
        return holds_any(self.text, b'"-', b"'-", b"- -", is_hot=is_hot)

    def longer(self, least: int) -> bytes:
        """What holds each token of so many signs: those tokens, where they were needed; else the text."""
        if "tokens" not in self.__dict__:
            return self.text
        return b" ".join([token for token in self.tokens if len(token) >= least])


def _runs_in(tokens: bytes) -> list[bytes]:
    """The runs of letters and digits in tokens, each with a sign of ``_ENDINGS`` behind it."""
    for code in _ENDINGS:
        tokens = tokens.replace(b"%c" % code, b"%c " % code)
    return tokens.split()


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
        self._partial = frozenset(self._words).difference(_all_lowered(whole))
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
        whole = {*self._words, *self._spelled} - self._partial  # a name may be a word that is not
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

_RUN = re.compile(rb"[0-9a-z]*[-_.:=$/*~]|[0-9a-z]+")
_EDGE = 3
"""Signs at an edge of a run by which words are looked up."""

_MAX_KNOWN = 65536
"""Tokens that are known at most; then all are forgotten."""

_LONGEST_KNOWN = 128

_FEW = 5
"""Words that are looked for one by one, rather than by what they have in common."""

_SPACE = ord(" ")


@lru_cache(maxsize=8192)
def _parts(word: bytes, at: int) -> tuple[bytes, bytes, list[bytes], list[bytes]]:
    """What the tokens of a text hold that holds the word, whose run begins at a place.

    The run; the part of which it is one, with a space where a token begins or ends; of the other parts those
    that are tokens, and those at the edges, where a token may go on. Nothing for a word without a run.
    """
    run = _RUN.match(word, at)
    if run is None:
        return b"", b"", [], []
    plain = word.translate(_TO_TOKENS)
    parts = [b" %b " % part for part in plain.split()]
    if plain[0] != _SPACE:
        parts[0] = parts[0][1:]
    if plain[-1] != _SPACE:
        parts[-1] = parts[-1][:-1]
    own = parts.pop(len(plain[: at + 1].split()) - 1)
    whole = [part[1:-1] for part in parts if part[0] == part[-1] == _SPACE]
    open_parts = [part for part in parts if part[0] != _SPACE or part[-1] != _SPACE]
    return run.group(), own, whole, open_parts


@lru_cache(maxsize=8192)
def _signs(word: bytes) -> frozenset[int]:
    """Its signs, some of which are rare."""
    return frozenset(code for code in word if not chr(code).isalnum())


def _places_of(run: bytes, words: list[_Word], runs: Runs) -> Iterator[Found]:
    """Where words are that have the same run: that is looked for once for all of them if they are many."""
    text = runs.text
    if len(words) <= _FEW:
        for number, word, _ in words:
            if _signs(word) <= runs.signs:
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

    A space in an anchor stands for an edge of a run of the text, a zero for any digit.
    """

    def __init__(self) -> None:
        self._words: dict[bytes, list[_Word]] = {}
        self._always: list[_Word] = []
        self._dull: set[bytes] = set()
        """Tokens that texts had and in which none of these is: logs repeat themselves."""
        self._telling: dict[bytes, list[_Word]] = {}
        """The other ones, with the words that a text with such a token may hold."""

    def add(self, number: int, word: bytes, *, is_whole: bool) -> None:
        """``is_whole``: it matters only where no letter or digit stands before it."""
        first = _RUN.match(word) if is_whole and word[:1].isalnum() else None
        spans = [each.span() for each in ([first] if first else _RUN.finditer(word))]
        if not spans:
            self._always.append((number, word, 0))
            return
        begin, end = max(spans, key=lambda span: _clearness(word, *span))
        run = word[begin:end].translate(_TO_TOKENS)
        is_begun = first is not None or begin > 0
        anchor = b" " * is_begun + run + b" " * _is_ended(word, end)
        self._words.setdefault(anchor, []).append((number, word, begin))

    @cached_property
    def _index(self) -> tuple[dict[bytes, list[bytes]], dict[bytes, list[bytes]], list[bytes]]:
        """Anchors by their first and by their last signs, and those that may stand anywhere in a run."""
        starts: dict[bytes, list[bytes]] = {}
        ends: dict[bytes, list[bytes]] = {}
        inside: list[bytes] = []
        for anchor in self._words:
            if anchor[0] == _SPACE and len(anchor) > _EDGE:
                starts.setdefault(anchor[: _EDGE + 1], []).append(anchor)
            elif anchor[-1] == _SPACE and len(anchor) > _EDGE:
                ends.setdefault(anchor[-_EDGE - 1 :], []).append(anchor)
            else:
                inside.append(anchor)
        return starts, ends, inside

    def in_text(self, runs: Runs) -> dict[bytes, list[_Word]]:
        """Words that a text of such tokens may hold, by their runs."""
        if len(self._dull) + len(self._telling) > _MAX_KNOWN:
            self._dull.clear()
            self._telling.clear()
        tokens = runs.tokens - self._dull
        telling = [self._telling[token] for token in tokens & self._telling.keys()]
        # Not ``-``, which would go through all that are known.
        telling += self._learned(tokens.difference(self._telling))
        words: dict[bytes, list[_Word]] = {}
        for given in {*self._always, *chain.from_iterable(telling)}:
            run, _, whole, open_parts = _parts(given[1], given[2])
            if whole and not runs.tokens.issuperset(whole):
                continue
            if not open_parts or all(map(runs.joined.__contains__, open_parts)):
                words.setdefault(run, []).append(given)
        return words

    def _learned(self, tokens: set[bytes]) -> Iterator[list[_Word]]:
        """The words of new tokens."""
        anchors = self._in_runs(set(_runs_in(b" ".join(tokens)))) if tokens else {}
        for token in tokens:
            some = anchors.keys() & _runs_in(token) if anchors else ()
            whole = b" %b " % token
            words = [
                given
                for anchor in {each for run in some for each in anchors[run]}
                for given in self._words[anchor]
                if _parts(*given[1:])[1] in whole
            ]
            if words:
                yield words
            if len(token) > _LONGEST_KNOWN:
                continue
            if words:
                self._telling[token] = words
            else:
                self._dull.add(token)

    def _in_runs(self, runs: set[bytes]) -> dict[bytes, list[bytes]]:
        """The anchors in each of some runs that holds any."""
        starts, ends, inside = self._index
        found: dict[bytes, list[bytes]] = {}
        for run in runs:
            whole = b" %b " % run
            some = [*filter(whole.startswith, starts.get(whole[: _EDGE + 1], ()))]
            some += filter(whole.endswith, ends.get(whole[-_EDGE - 1 :], ()))
            if some:
                found[run] = some
        joined = b" %b " % b" ".join(runs)
        for anchor in filter(joined.__contains__, inside):
            for run in runs:
                if anchor in b" %b " % run:
                    found.setdefault(run, []).append(anchor)
        return found


def _clearness(word: bytes, begin: int, end: int) -> tuple[bool, int]:
    """How well a run of a word tells it from others: by its size and by its edges in any text."""
    size = len(word[begin:end].rstrip(_ENDINGS))
    edges = (begin > 0) + _is_ended(word, end)
    return size >= _EDGE or edges == 2, size + 2 * edges


def _is_ended(word: bytes, end: int) -> bool:
    return end < len(word) or word[end - 1] in _ENDINGS


def one_by_one(
    words: Sequence[bytes], whole: Container[bytes] = ()
) -> Callable[[Runs], Iterator[Found]]:
    """A search with what Python brings: for the few words that the tokens of the text allow.

    A text has fewer different tokens than tokens. Of each word one run is looked up in those; the text itself
    is searched for what was found there only.
    """
    anchors = _Anchors()
    for number, word in enumerate(words):
        anchors.add(number, word, is_whole=word in whole)

    def search(runs: Runs) -> Iterator[Found]:
        for run, some in anchors.in_text(runs).items():
            yield from _places_of(run, some, runs)

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
