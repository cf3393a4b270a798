"""What is secret in a text: tokens by their looks, values by what stands around them, in each of their forms.

Owns how the words of ``formats``, ``names``, ``vendor_lines`` and ``places`` are searched for together, and
the order of decoding. Does not own marks and previews (``redaction.redact``). Pure.
"""

from __future__ import annotations

import re
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING

from operators_edge.redaction import names, secret_names, vendor_lines, views
from operators_edge.redaction.finding import Finding, merged
from operators_edge.redaction.formats import formats, pattern_of, vendors
from operators_edge.redaction.places import PLACES
from operators_edge.redaction.randomness import is_identifier, is_placeholder, is_random
from operators_edge.redaction.scanner import Words, lowered, pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.redaction.formats import Format
    from operators_edge.redaction.places import Look


_LAYERS = 3
"""JSON in JSON in a URL is as deep as it is looked into."""

_NEAR = 100
"""Signs before a token among which a word of its row has to stand."""

_WORD_SIGNS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")


class _Words:
    """All words, and what is looked at where one occurs."""

    def __init__(self) -> None:
        self._looks_at: dict[str, tuple[tuple[Look, bool], ...]] = {}
        partial: set[str] = set()
        for each in formats():
            anchors = _anchors(each)
            is_clear = (
                len(each.start) > _LONG_START and each.start[-1] == "_"
            )  # also behind letters
            is_whole = anchors[0][0].isalnum() and not is_clear
            self._add(anchors, _format(each), is_whole=is_whole)
            if not is_whole:
                partial.update(anchors)
        self._add(_spellings(vendors()), vendor_lines.behind_vendor, is_whole=True)
        for words, look in (
            (secret_names.TELLING, names.telling),
            (secret_names.WEAK, names.weak),
            *PLACES,
        ):
            self._add(words, look)
            partial.update(words)
        self.looks = list(self._looks_at.values())
        """For each word what is looked at, and whether no letter or digit may stand before it."""
        self.words_searched = tuple(self._looks_at)
        self.words = Words(self._looks_at, whole=self._looks_at.keys() - partial, is_lowered=False)
        self.encoded = Words(views.ENCODED, is_lowered=False)

    def _add(self, words: Iterable[str], look: Look, *, is_whole: bool = False) -> None:
        looks_at, given = self._looks_at, ((look, is_whole),)
        for word in words:
            looks_at[word] = looks_at[word] + given if word in looks_at else given


def _spellings(vendor_names: Iterable[str]) -> Iterator[str]:
    """Each of the names with each sign that may be in it."""
    for name in vendor_names:
        if "-" in name:
            for sign in ("", "-", "_", ".", " "):
                yield name.replace("-", sign)
        else:
            yield name


@cache
def _words() -> _Words:
    return _Words()


# fmt: off
_COMMON = frozenset((
    "account api app auth bot client credentials docker endpoint key live login password pat registry secret sid "
    "system tenant test token"
).split())
"""Near words that too many lines hold: a row that has others is looked for behind those only."""
# fmt: on
_LONG_START = 3
_HEX_DIGITS = "0123456789abcdef"


def _anchors(row: Format) -> tuple[str, ...]:
    """The words where the row's look is tried: its start, or those that stand near."""
    start = row.start.lower()
    if not row.near or (len(start) >= _LONG_START and start.strip("_-") not in _COMMON):
        return (start,)
    if len(start) == _LONG_START - 1 and row.rest.startswith("{hex"):
        return tuple(start + digit for digit in _HEX_DIGITS)
    return tuple(word for word in row.near if word not in _COMMON) or row.near


def _format(row: Format) -> Look:
    """What has the look of a token: where its start is, or behind a word that has to stand near."""
    shape, kind, size = row.shape, row.kind, len(row.start)

    def at_start(text: str, at: int, _end: int) -> Iterator[Finding]:
        found = pattern(pattern_of(shape)).match(text, at)
        body = found.group()[size:] if found is not None else ""
        if found is not None and not is_placeholder(body) and not is_identifier(body):
            yield Finding(*found.span("value"), kind, "format")

    def behind_word(text: str, _at: int, end: int) -> Iterator[Finding]:
        if text[end : end + 1].islower():
            return
        stop = text.find("\n", end, end + _NEAR)
        whole = rf"(?<![0-9A-Za-z]){pattern_of(shape)}(?![0-9A-Za-z])"
        for found in pattern(whole).finditer(text, end, stop if stop >= 0 else end + 4 * _NEAR):
            value = found["value"]
            if found.start() > end + _NEAR:
                return
            if (is_random(value) or value.isdigit()) and not is_placeholder(value):
                yield Finding(*found.span("value"), kind, "format")
                return

    return behind_word if set(_anchors(row)) & set(row.near) else at_start


_MARK = re.compile(rb"\[redacted(?::[\w-]+)?\]")


def found_in(text: str, *, is_hot: bool = False) -> list[Finding]:
    """Every secret in the text, in order, none within another."""
    return merged(_all_in(text, _LAYERS, is_hot=is_hot))


def _all_in(text: str, layers: int, *, is_hot: bool) -> Iterator[Finding]:
    joints: set[int] = set()
    plain = list(_plainly_in(text, joints, is_hot=is_hot))
    yield from plain
    begins = {each.begin for each in plain}
    for at in sorted(joints):
        if at + 1 not in begins and (view := views.joined(text, at)) is not None:
            found = _from(view, _plainly_in(view.text, set(), is_hot=is_hot))
            yield from (each for each in found if each.begin < at < each.end)
    if layers == 0:
        return
    yield from _encoded_in(text, layers, is_hot=is_hot)
    if (view := views.decoded(text)) is not None:
        yield from _from(view, _all_in(view.text, layers - 1, is_hot=is_hot))


def _from(view: views.View, findings: Iterable[Finding]) -> Iterator[Finding]:
    for each in findings:
        begin, end = view.origin(each.begin, each.end)
        yield each._replace(begin=begin, end=end)


def _plainly_in(text: str, joints: set[int], *, is_hot: bool) -> Iterator[Finding]:
    """What is secret in the text as it stands; adds the ends of lines across which more may be."""
    words = _words()
    low = lowered(text)
    if b"[redacted" in low:
        low = _MARK.sub(lambda mark: b" " * len(mark.group()), low)
    looks_at = words.looks
    ends: dict[Look, int] = {}
    for number, at, end in sorted(words.words.found_in(low, is_hot=is_hot), key=_BY_PLACE):
        for look, is_whole in looks_at[number]:
            if is_whole and at and low[at - 1] in _WORD_SIGNS:
                continue
            if at < ends.get(look, 0):
                continue
            for each in look(text, at, end):
                ends[look] = each.end
                if not each.why:  # there is none up to there
                    continue
                if each.kind == "private-key" or "[REDACTED" not in text[each.begin : each.end]:
                    yield each
                    if text[each.end : each.end + 1] in _LINE_ENDS:
                        joints.add(text.find("\n", each.end, each.end + 2))


_BY_PLACE = itemgetter(1, 2)
_LINE_ENDS = ("\n", "\r")


def _encoded_in(text: str, layers: int, *, is_hot: bool) -> Iterator[Finding]:
    classes = text.encode("ascii", "replace").translate(views.CLASSES)
    places = sorted(at for _, at, _ in _words().encoded.found_in(classes, is_hot=is_hot))
    for begin, end, plain in views.encoded(text, places):
        inner = next(_all_in(plain, layers - 1, is_hot=is_hot), None)
        if inner is not None:
            yield Finding(begin, end, inner.kind, "encoded")
        elif (
            len(plain) >= _SHORTEST_ENCODED
            and is_random(plain)
            and not any(map(str.isspace, plain))
        ):
            yield Finding(begin, end, "", "encoded")


_SHORTEST_ENCODED = 16

# end of module
