"""What is secret in a text: tokens by their looks, values by what stands around them, in each of their forms.

Owns how the words of ``formats``, ``names``, ``vendor_lines`` and ``places`` are searched for together, and
the order of decoding. Does not own marks and previews (``redaction.redact``). Pure.
"""

from __future__ import annotations

import re
from functools import cache

from operators_edge.redaction import (
    names,
    secret_names,
    sentences,
    unmistakable,
    urls,
    vendor_lines,
    views,
)
from operators_edge.redaction.finding import Finding, merged
from operators_edge.redaction.formats import (
    columns,
    format_at,
    pattern_of,
    refused_after,
    vendors,
)
from operators_edge.redaction.places import PLACES, beside
from operators_edge.redaction.randomness import is_hex, is_identifier, is_placeholder, is_random
from operators_edge.redaction.scanner import (
    Runs,
    Words,
    all_at_once,
    holds_any,
    lowered,
    pattern,
    run_before,
)
from operators_edge.redaction.wrapped import unwrapped
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.redaction.formats import Format
    from operators_edge.redaction.place import Look
    from operators_edge.redaction.scanner import Search
    from operators_edge.redaction.wrapped import Unwrapped


_LAYERS = 3
"""JSON in JSON in a URL is as deep as it is looked into."""

_NEAR = 100
"""Signs before a token among which a word of its row has to stand."""

_WORD_SIGNS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")


class _Entry(NamedTuple):
    """What is looked at where a word occurs."""

    refused: frozenset[str]
    """Signs of which none may follow the word."""
    looks: tuple[tuple[Look, bool], ...]
    """Each with whether no letter or digit may stand before the word."""


_OF_VENDORS = _Entry(frozenset(), ((vendor_lines.behind_vendor, True),))


class _Words(dict[int, _Entry]):
    """All words, and by the number of one what is looked at there: made when it occurs, as a hook knows all."""

    def __init__(self) -> None:
        looks_at: dict[str, list[Look | int]] = {}
        partial: set[str] = set()
        for number, (start, rest, near) in enumerate(columns()):
            words = _anchors(start, rest, () if near == "-" else near.split(","))
            if not _is_whole(start, words):
                partial.update(words)
            for word in words:
                looks_at.setdefault(word, []).append(number)
        for some, look in (
            (secret_names.TELLING, names.telling),
            (secret_names.WEAK, names.weak),
            *PLACES,
        ):
            partial.update(some)
            for word in some:
                looks_at.setdefault(word, []).append(look)
        self._looks_at = list(looks_at.items())
        self.words = Words(looks_at, whole=looks_at.keys() - partial, names=vendors())

    def __missing__(self, number: int) -> _Entry:
        is_name = number >= len(self._looks_at)
        entry = self[number] = _OF_VENDORS if is_name else self._entry(*self._looks_at[number])
        return entry

    def _entry(self, word: str, given: list[Look | int]) -> _Entry:
        looks: list[tuple[Look, bool]] = []
        refused = _ASCII
        for each in given:
            if isinstance(each, int):
                row = format_at(each)
                words = _anchors(row.start, row.rest, row.near)
                is_near = not set(words).isdisjoint(row.near)
                looks.append(
                    (_behind_word(row) if is_near else _at_start(row), _is_whole(row.start, words))
                )
                refused &= (
                    refused_after(row) if word == row.start.lower() and not is_near else set()
                )
            else:
                looks.append((each, False))
                refused &= names.REFUSED if each in _OF_NAMES and word in _TELLING else set()
        return _Entry(frozenset(refused), tuple(looks))


_OF_NAMES = (names.telling, beside)
"""Looks at parts of names, which do not go on as other words."""
_TELLING = frozenset(secret_names.TELLING)

_ASCII = frozenset(map(chr, range(128)))
_NEVER_REFUSED = "\xff"
"""What follows a text when signs are looked up: no word refuses a sign beyond ASCII."""


def _is_whole(start: str, words: Sequence[str]) -> bool:
    """Whether no letter or digit may stand before the words of a row; one may before a long clear start."""
    return words[0][0].isalnum() and not (len(start) > _LONG_START and start[-1] == "_")


@cache
def _words() -> _Words:
    return _Words()


# fmt: off
_COMMON = frozenset((
    "account api app auth bot client console credentials db docker endpoint key live login password pat private registry "
    "secret sid system tenant test token"
).split())
"""Words that too many lines hold.

A row with such a start, or such a word near, is looked for behind its other words only. Where the start is
all that a row has, it is no part of a name with dashes.
"""
# fmt: on
_LONG_START = 3
_HEX_DIGITS = "0123456789abcdef"


def _anchors(start: str, rest: str, near: Sequence[str]) -> Sequence[str]:
    """The words where a row's look is tried: its start, or those that stand near.

    A start that many lines have is looked for with its first digit.
    """
    start = start.lower()
    is_dull = start in _COMMON if not near else len(start) == _LONG_START - 1
    if is_dull and rest.startswith("{hex"):
        return tuple(start + digit for digit in _HEX_DIGITS)
    if not near or (len(start) >= _LONG_START and start.strip("_-") not in _COMMON):
        return (start,)
    return tuple(word for word in near if word not in _COMMON) or near


def _at_start(row: Format) -> Look:
    """What has the look of a token where its start is."""
    kind, size, source = row.kind, len(row.start), pattern_of(row.shape)
    is_common = row.start.rstrip("_-").lower() in _COMMON
    is_plain = row.start.isalnum()  # base64 of something else may hold it

    def look(text: str, at: int, _end: int) -> Iterable[Finding]:
        before = text[at - 1 : at]
        if before in {"-", "_"} and (
            is_common or pattern(_DIGEST).search(text, max(0, at - 96), at)
        ):
            return ()
        if before in {"+", "/"} and is_plain:
            run = run_before("0-9A-Za-z+/", text, at, 96)
            if is_random(run, least=_LONG_RUN):
                return ()
        found = pattern(source).match(text, at)
        body = found.group()[size:] if found is not None else ""
        if found is None or is_placeholder(body) or is_identifier(body):
            return ()
        if before.islower() and body.islower() and is_hex(body):
            return ()  # a word and a digest: ``transition_...``
        return (Finding(*found.span("value"), kind, "format"),)

    return look


_DIGEST = r"sha\d{1,3}[=-][\w-]{0,88}\Z"
"""The beginning of a digest in base64 of URLs."""
_LONG_RUN = 48

_PUBLIC = r"(?i)(?:(?:site|public|publishable|pub)[-_ ]?key|render)\\{0,4}[\"']?[\s:=(]{0,8}\\{0,4}[\"']?\Z"
"""Names of keys that stand in pages for anybody."""


def _behind_word(row: Format) -> Look:
    """What has the look of a token behind a word that has to stand near."""
    kind, source = row.kind, rf"(?<![0-9A-Za-z]){pattern_of(row.shape)}(?![0-9A-Za-z])"

    def look(text: str, at: int, end: int) -> Iterator[Finding]:
        if text[end : end + 1].islower():
            return
        stop = text.find("\n", end, end + _NEAR)
        for found in pattern(source).finditer(text, end, stop if stop >= 0 else end + 4 * _NEAR):
            value = found["value"]
            if found.start() > end + _NEAR or pattern(_PUBLIC).search(text, at, found.start()):
                return
            if (is_random(value) or value.isdigit()) and not is_placeholder(value):
                yield Finding(*found.span("value"), kind, "format")
                return

    return look


_MARK = re.compile(rb"\[redacted(?::[\w-]+)?\]")


def found_in(
    text: str,
    *,
    is_hot: bool = False,
    runs: Runs | None = None,
    whole: Unwrapped | None = None,
) -> list[Finding]:
    """Every secret in the text, in order, none within another.

    ``runs``: those of the lowered text. ``whole``: what of it was wrapped.
    """
    found = list(_in_lines(text, _LAYERS, is_hot=is_hot, runs=runs))
    if whole is not None:
        found += whole.in_lines(_in_lines(whole.view.text, _LAYERS, is_hot=is_hot))
    return merged(found)


def _all_in(text: str, layers: int, *, is_hot: bool) -> Iterator[Finding]:
    yield from _in_lines(text, layers, is_hot=is_hot)
    if layers and (whole := unwrapped(text)) is not None:
        yield from whole.in_lines(_in_lines(whole.view.text, layers - 1, is_hot=is_hot))


def _in_lines(
    text: str, layers: int, *, is_hot: bool, runs: Runs | None = None
) -> Iterator[Finding]:
    """What is secret in each line as it stands, and when it is decoded."""
    runs = runs or Runs(lowered(text))
    yield from _plainly_in(text, is_hot=is_hot, runs=runs)
    if layers == 0:
        return
    yield from _encoded_in(text, layers, is_hot=is_hot)
    if runs.has_options(is_hot=is_hot) and (view := views.arguments(text)) is not None:
        yield from _from(view, _plainly_in(view.text, is_hot=is_hot))
    if (view := views.decoded(text)) is not None:
        yield from _from(view, _all_in(view.text, layers - 1, is_hot=is_hot))


def _from(view: views.View, findings: Iterable[Finding]) -> Iterator[Finding]:
    for each in findings:
        begin, end = view.origin(each.begin, each.end)
        yield each._replace(begin=begin, end=end)


def _plainly_in(text: str, *, is_hot: bool, runs: Runs | None = None) -> Iterator[Finding]:
    """What is secret in the text as it stands."""
    words = _words()
    runs = runs or Runs(lowered(text))
    low = runs.text
    if holds_any(low, b"[redacted", is_hot=is_hot):
        low = _MARK.sub(lambda mark: b" " * len(mark.group()), low)
        runs = Runs(low)
    if not text.isascii():
        yield from sentences.foreign(text)
    yield from urls.before_hosts(text)
    ends: dict[Look, int] = {}
    found = words.words.found_in(runs, is_hot=is_hot)
    signs = text + _NEVER_REFUSED
    places = [
        (at, end, number) for number, at, end in found if signs[end] not in words[number].refused
    ]
    yield from unmistakable.grouped(text, runs, is_hot=is_hot)
    for at, end, number in sorted(places):
        for look, is_whole in words[number].looks:
            if is_whole and at > 0 and low[at - 1] in _WORD_SIGNS:
                continue
            if ends and at < ends.get(look, 0):
                continue
            for each in look(text, at, end):
                ends[look] = each.end
                if not each.why:  # there is none up to there
                    continue
                if each.kind == "private-key" or "[REDACTED" not in text[each.begin : each.end]:
                    yield each


def _encoded_in(text: str, layers: int, *, is_hot: bool) -> Iterator[Finding]:
    for begin, end, plain in views.encoded(text, _mixed() if is_hot else None):
        sure = unmistakable.at_run(text, begin, end, plain)
        if sure is not None:
            yield sure
        if sure is not None or not plain:
            continue
        inner = next(_all_in(plain, layers - 1, is_hot=is_hot), None)
        if inner is not None:
            yield Finding(begin, end, inner.kind, "encoded")
        elif (
            len(plain) >= _SHORTEST_ENCODED
            and is_random(plain)
            and not any(map(str.isspace, plain))
            and "%20" not in plain
        ):
            yield Finding(begin, end, "", "encoded")


_SHORTEST_ENCODED = 16


@cache
def _mixed() -> Search | None:
    return all_at_once(views.MIXED, is_overlapping=False)


# end of module
