"""What filters of lines have in common: their options, lines, and patterns that mean the same to all of them.

Owns the small part of regular expressions that sed, grep and awk read as Python does; anything else raises
ValueError, and what is printed is then unknown. Does not own what a filter does
(``shell.filters.text_filters``).
"""

from __future__ import annotations

import re
from itertools import pairwise

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Filter(NamedTuple):
    """What a filter does, and the files that it reads; without any it reads its input.

    ``is_committed``: it reads them as the last commit has them.
    """

    apply: Callable[[str], str | None]
    files: tuple[str, ...]
    is_committed: bool = False


def lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def options_of(
    arguments: Sequence[str], plain: str, valued: str = ""
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the options of one letter with their values, and the operands; other options raise."""
    found: dict[str, list[str]] = {}
    operands: list[str] = []
    rest = list(arguments)
    while rest:
        text = rest.pop(0)
        if text == "--":
            return found, operands + rest
        if text[:1] != "-" or text == "-":
            operands.append(text)
            continue
        letters = text[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in valued:
                found.setdefault(letter, []).append(letters or rest.pop(0))
                letters = ""
            elif letter in plain:
                found[letter] = []
            else:
                raise ValueError(text)
    return found, operands


_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": " \t\r\f\v",
    "blank": " \t",
}
_BRACKET = pattern(r"\[(\^?)(\]?(?:\[:[a-z]+:\]|[^\]\[\\])*)\]")
_IN_BRACKET = pattern(r"\[:([a-z]+):\]|([a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9])|(.)", re.DOTALL)
_PLAIN = pattern(r"[\w\t @%/:,=#\"'!&~<>;`-]")
_ESCAPED = pattern(r"\\([./*\[\]$^\\])")
_SIGNS = "+?(){}|"
"""Signs of extended expressions; basic ones take them as they are, and have groups by ``\\(`` and ``\\)``."""
_MAX_STARS = 4
_MAX_LINE = 2_000
"""Repetitions in one pattern and characters of a line: with more, Python may need a long time."""


class LinePattern(NamedTuple):
    """A pattern of sed, grep or awk. ``is_extent_known``: what it matches, beyond whether it does."""

    compiled: re.Pattern[str]
    is_extent_known: bool
    counts_characters: bool

    def finds(self, line: str) -> bool:
        return self.search(line) is not None

    def search(self, line: str, *, is_whole: bool = False) -> re.Match[str] | None:
        """Return a match; a line in which the locale says what a character is raises ValueError."""
        if len(line) > _MAX_LINE or (self.counts_characters and not line.isascii()):
            raise ValueError(line)
        return self.compiled.fullmatch(line) if is_whole else self.compiled.search(line)


def line_pattern(
    source: str, *, ignores_case: bool = False, is_extended: bool = False
) -> LinePattern:
    """Compile a pattern, if each sign of it has a meaning that all programs agree on."""
    body = source.removeprefix("^")
    is_ended = body.endswith("$") and not body.endswith("\\$")
    body = body[:-1] if is_ended else body
    parts = _parts(body, is_extended=is_extended)
    ends = [at + 1 for at, (one, two) in enumerate(pairwise(parts)) if one == ")" and two in "*+?"]
    repeats = [at for at, one in enumerate(parts) if one in ("*", "+")]
    is_nested = bool(ends) and bool(repeats) and repeats[0] < ends[-1] - 1
    if not source or len(repeats) > _MAX_STARS or is_nested:
        raise ValueError(source)
    counts = any(
        one[0] in ".[" and following not in ("*", "+")
        for one, following in zip(parts, [*parts, ""][1:], strict=True)
    )
    text = "^" * source.startswith("^") + "".join(parts) + "$" * is_ended
    flags = (re.IGNORECASE if ignores_case else 0) | re.ASCII
    return LinePattern(
        re.compile(text, flags), not ends and _has_one_way("".join(parts)), counts or ignores_case
    )


def _has_one_way(text: str) -> bool:
    """Whether at most one alternative of each group can match at a place: programs take the longest one."""
    groups: list[str] = re.findall(r"\(([\w :#@/=-]+(?:\|[\w :#@/=-]+)+)\)", text)
    if text.count("|") > sum(group.count("|") for group in groups):
        return False
    each = [group.split("|") for group in groups]
    return not any(
        one.startswith(other)
        for names in each
        for at, one in enumerate(names)
        for other in (*names[:at], *names[at + 1 :])
    )


def _parts(body: str, *, is_extended: bool) -> list[str]:
    """Translate the signs of a pattern one by one."""
    parts: list[str] = []
    at = 0
    while at < len(body):
        if is_extended and _is_anchor(body, at):
            one, width = body[at], 1
        else:
            one, width = _part(body, at, is_extended=is_extended)
        if one in _REPEATS and (not parts or parts[-1] in (*_REPEATS, "(", "|", "^", "$")):
            raise ValueError(body)
        parts.append(one)
        at += width
    return parts


def _is_anchor(body: str, at: int) -> bool:
    """Whether an alternative begins or ends here: ``(^|,)``, ``^#|^$``."""
    if body[at] == "^":
        return body[:at].endswith(("(", "|")) and not body[:at].endswith(("\\(", "\\|"))
    return body[at] == "$" and body[at + 1 : at + 2] in (")", "|")


_REPEATS = ("*", "+", "?")


def _part(body: str, at: int, *, is_extended: bool) -> tuple[str, int]:
    """Return Python's spelling of the sign here, and its width."""
    sign, following = body[at], body[at + 1 : at + 2]
    if found := _ESCAPED.match(body, at):
        return re.escape(found[1]), 2
    if found := _BRACKET.match(body, at):
        return _bracket(found), len(found[0])
    if sign in ".*" or _PLAIN.match(sign):
        return sign, 1
    if sign in _SIGNS and not is_extended:
        return re.escape(sign), 1
    if sign in "+?()|":
        return sign, 1
    if sign == "\\" and following in (_SIGNS if is_extended else "()") and following:
        return (re.escape(following) if is_extended else following), 2
    raise ValueError(body)


def _bracket(found: re.Match[str]) -> str:
    inside = ""
    for one in _IN_BRACKET.finditer(found[2]):
        name, span, sign = one.groups()
        if sign == "-" and one.start() and one.end() < len(found[2]):
            raise ValueError(found[0])
        inside += _CLASSES[name] if name else span or re.escape(sign)
    if not inside:
        raise ValueError(found[0])
    return f"[{found[1]}{inside}]"


# end of module
