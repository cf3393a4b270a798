"""Code of languages with braces as its brackets show it: without its texts and comments, in their place.

Owns where texts, comments and patterns of a language end, and which brackets belong together. Pure. Code of
which that is not certain is None, and nothing is concluded from it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from operators_edge.text.patterns import blanked, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NODE, GO, RUST, PHP = "node", "go", "rust", "php"
"""Kinds of syntax, and the modules of this package that read what words mean."""
_DOUBLE = r"\"(?:[^\"\\\n]|\\.)*\""
_SINGLE = r"'(?:[^'\\\n]|\\.)*'"
_SLASHES = r"(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)"
_PARTS = {
    NODE: pattern(
        rf"{_SLASHES}|(?P<text>{_DOUBLE}|{_SINGLE})|(?P<open>`)|(?P<slash>/)|(?P<bad>['\"\\\u2028\u2029]|<!--|-->|\r(?!\n))"
    ),
    GO: pattern(rf"{_SLASHES}|(?P<text>{_DOUBLE}|{_SINGLE}|`[^`]*`)|(?P<bad>['\"`])"),
    RUST: pattern(
        rf"{_SLASHES}|(?P<text>\bb?r(?P<marks>#*)\"[\s\S]*?\"(?P=marks)|\"(?:[^\"\\]|\\[\s\S])*\""
        r"|'(?:[^'\\\n]|\\[^\n]{1,9}?)')|(?P<life>'[A-Za-z_]\w*)|(?P<bad>['\"])"
    ),
    PHP: pattern(
        r"(?P<comment>//[^\n]*|/\*[\s\S]*?\*/|\#(?!\[)[^\n]*)|(?P<text>\"(?:[^\"\\]|\\[\s\S])*\"|'(?:[^'\\]|\\[\s\S])*')"
        r"|(?P<bad>['\"`]|<<<|\?>)"
    ),
}
_UNSURE = pattern("[\u2028\u2029]|\r(?!\n)|/\\*|\\?>")
"""What ends a comment for some languages, or begins another one in it."""
_BRACKETS = pattern(r"[()\[\]{}]")
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_BEFORE_PATTERN = pattern(
    r"(?:^|[-+(,=:\[!&|?{};~^<>*%\n]|=>|\b(?:return|typeof|case|in|of|throw|void|else|do|await))\s*\Z"
)
_PATTERN = pattern(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_MAX_NESTED = 8
_MAX_TEXT = 2_000
"""Characters of a text into which values are put."""


class Code(NamedTuple):
    """The text of a file; ``bare`` is it without comments, ``mask`` also without what texts hold.

    ``pairs`` are the places of brackets that open, and where they close; ``around`` is the place of the one
    that is open before such a bracket, or -1.
    """

    text: str
    bare: str
    mask: str
    pairs: dict[int, int]
    around: dict[int, int]
    opens: tuple[int, ...]

    def enclosing(self, at: int) -> Iterator[int]:
        """The brackets that are open at a place, the innermost one first."""
        number = bisect_left(self.opens, at) - 1
        one = self.opens[number] if number >= 0 else -1
        while one >= 0:
            if self.pairs[one] >= at:
                yield one
            one = self.around[one]

    def block(self, at: int) -> tuple[int, int]:
        """Where what is in the innermost braces around a place begins and ends."""
        for one in self.enclosing(at):
            if self.mask[one] == "{":
                return one + 1, self.pairs[one]
        return 0, len(self.mask)


@lru_cache(maxsize=128)
def read(text: str, kind: str) -> Code | None:
    """Return code with its brackets, or None where they are not certain."""
    found = _parts(text, kind)
    if found is None:
        return None
    bare, mask = [], []
    at = 0
    for start, end, is_comment in found:
        between = text[at:start]
        part = text[start:end]
        bare += [between, blanked(part) if is_comment else part]
        mask += [between, blanked(part) if is_comment else f'"{" " * (len(part) - 2)}"']
        at = end
    code = "".join((*mask, text[at:]))
    pairs: dict[int, int] = {}
    around: dict[int, int] = {}
    left: list[int] = []
    for one in _BRACKETS.finditer(code):
        place = one.start()
        if one[0] in _CLOSES:
            around[place] = left[-1] if left else -1
            left.append(place)
        elif not left or _CLOSES[code[left[-1]]] != one[0]:
            return None
        else:
            pairs[left.pop()] = place
    if left:
        return None
    return Code(text, "".join((*bare, text[at:])), code, pairs, around, tuple(sorted(pairs)))


def _parts(text: str, kind: str) -> list[tuple[int, int, bool]] | None:
    """Where texts and comments begin and end."""
    found: list[tuple[int, int, bool]] = []
    at = 0
    while (one := _PARTS[kind].search(text, at)) is not None:
        start, at = one.span()
        groups = one.groupdict()
        if groups.get("bad") or (groups["comment"] and _UNSURE.search(one[0][2:])):
            return None
        if groups.get("open"):
            end = _end_of_template(text, at, 0)
            if end is None:
                return None
            at = end
        elif groups.get("slash"):
            before = text[max(0, start - 40) : start]
            literal = _PATTERN.match(text, start) if _BEFORE_PATTERN.search(before) else None
            if literal is None:
                # behind a bracket it may be either: what looks like a pattern is not certain
                if before.rstrip()[-1:] in (")", "}") and text[at : at + 1] not in (" ", "="):
                    return None
                continue
            at = literal.end()
        elif groups.get("life"):
            continue
        found.append((start, at, groups["comment"] is not None))
    return found


def _end_of_template(text: str, at: int, depth: int) -> int | None:
    """Where a text in backticks ends, from behind the first one on."""
    while at < len(text) and depth < _MAX_NESTED:
        if text[at] == "\\":
            at += 2
        elif text[at] == "`":
            return at + 1
        elif text.startswith("${", at):
            inside = _end_of_value(text, at + 2, depth + 1)
            if inside is None:
                return None
            at = inside
        else:
            at += 1
    return None


def is_literal(text: str, start: int, at: int) -> bool:
    """Whether a place in a text in backticks is outside of the values that are put into it."""
    place = start + 1
    while place < at <= start + _MAX_TEXT:
        if text.startswith("${", place):
            end = _end_of_value(text, place + 2, 1)
            if end is None or at < end:
                return False
            place = end
        else:
            place += 2 if text[place] == "\\" else 1
    return at <= start + _MAX_TEXT


_IN_VALUE = pattern(rf"(?P<text>{_DOUBLE}|{_SINGLE})|(?P<mark>[{{}}`])|(?P<bad>['\"/])")


def _end_of_value(text: str, at: int, depth: int) -> int | None:
    """Where what is put into such a text ends: behind its brace."""
    level = 1
    while (one := _IN_VALUE.search(text, at)) is not None:
        at = one.end()
        mark = one["mark"]
        if one["bad"] and not (one["bad"] == "/" and re.match(r"[ \d]", text[at : at + 1])):
            return None
        if mark == "`":
            end = _end_of_template(text, at, depth)
            if end is None:
                return None
            at = end
        elif mark:
            level += 1 if mark == "{" else -1
            if level == 0:
                return at
    return None


# end of module
