"""What a path with wildcards may name, as a shell expands it: compared with a path, part by part.

Pure, and errs towards a match. Does not own which paths matter (``gate.paths``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.text.patterns import compiled, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Literal

    Relation = Literal["same", "above", "below"]
    """What a pattern may name: the path itself, a folder that holds it, or something in it."""


_WILD = pattern(r"[*?\[]|[+@!]\(")
_EXTENDED = {"?(": ")?", "*(": ")*", "+(": ")+", "@(": ")"}
_SET = pattern(r"\[([!^]?\]?(?:\[[:.=][^\]]*\]|[^\]])*)\]")
_MAX_PARTS = 64


def has_wildcard(text: str) -> bool:
    return _WILD.search(text) is not None


def relations(pattern: str, path: str, *, has_dotglob: bool = False) -> set[Relation]:
    """How what an absolute pattern may name is related to an absolute path; empty if not at all.

    ``has_dotglob``: the shell is set so that wildcards stand for a leading dot too.
    """
    parts, names = _parts(pattern), _parts(path)
    if len(parts) > _MAX_PARTS:
        return {"same", "above", "below"}
    if has_dotglob:
        parts = [part.removeprefix(".") for part in parts]
        names = [name.removeprefix(".") for name in names]
    return set(_relations(parts, names))


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _relations(parts: Sequence[str], names: Sequence[str]) -> Iterator[Relation]:
    """Compare part by part; ``**`` also stands for any number of folders that are not hidden."""
    at = 0
    while at < len(parts) and at < len(names):
        if parts[at] == "**":
            yield from _relations(parts[at + 1 :], names[at:])
            if names[at].startswith("."):
                return
            yield from _relations(parts[at:], names[at + 1 :])
            return
        if not may_be(parts[at], names[at]):
            return
        at += 1
    if len(parts) == len(names):
        yield "same"
    elif at == len(parts):
        yield "above"
    else:
        yield "below"


def may_be(part: str, name: str) -> bool:
    """Whether one part of a pattern may name it; a leading dot must be written (Bash, without dotglob)."""
    if not has_wildcard(part):
        return part == name
    is_hidden = name.startswith(".")
    is_dot_written = part.startswith(".") or part[1:3] == "(."
    if is_hidden and not is_dot_written:
        return False
    return compiled(_expression(part)).fullmatch(name) is not None


@lru_cache(maxsize=256)
def _expression(part: str) -> str:
    """The regular expression of one part of a pattern."""
    made, at, closing = "(?s)", 0, [""]
    while at < len(part):
        opening = part[at : at + 2]
        if opening == "!(":
            return "(?s).*"
        if opening in _EXTENDED:
            closing.append(_EXTENDED[opening])
            made += "(?:"
            at += 2
            continue
        one, at = _next(part, at, is_in_group=len(closing) > 1)
        made += closing.pop() if one == ")" and len(closing) > 1 else one
    return made if len(closing) == 1 else "(?s).*"


def _next(part: str, at: int, *, is_in_group: bool) -> tuple[str, int]:
    """The expression of what begins at ``at``, and where it ends."""
    one = part[at]
    if one == "*":
        return ".*", at + 1
    if one == "?":
        return ".", at + 1
    if is_in_group and one in "|)":
        return one, at + 1
    found = _SET.match(part, at)
    if found is not None and found.group(1):  # `[]` is two characters
        return _set(found.group(1)), found.end()
    return re.escape(one), at + 1


def _set(listed: str) -> str:
    """The expression of a set; one with a class of characters (``[[:alpha:]]``) stands for any.

    So does one with two dashes, which ``re`` may read as a difference of sets some day, and warns of.
    """
    if "[" in listed or "--" in listed:
        return "."
    negated, rest = ("^", listed[1:]) if listed[0] in "!^" else ("", listed)
    expression = "[" + negated + re.sub(r"([\\\]^&~|])", r"\\\1", rest) + "]"
    try:
        re.compile(expression)
    except re.error:
        return "."
    return expression


# end of module
