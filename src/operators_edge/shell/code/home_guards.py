"""Branches of a program that go to the home for a path with ``~`` before it, while no path of it has one.

A program that deletes what a file of settings lists, and reads nothing else, deletes nothing in the home if
the file names only places below its folder. Owns when that is certain, in rarer languages. Pure. Does not own
what a program deletes (``shell.code.deleted_paths``). Loaded for programs with such a branch.
"""

from __future__ import annotations

import re

from operators_edge.shell.code import bracketed
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_GUARDS = pattern(
    r"\bif\s*\(?\s*(?:strings\.HasPrefix\(\s*\w+\s*,\s*\"~/?\"\s*\)"
    r"|\w+\.(?:startsWith|StartsWith|hasPrefix|starts_with)\(\s*\"~/?\"\s*\)|let\s+Some\(\w+\)\s*=\s*\w+\.strip_prefix\(\s*\"~/?\"\s*\))\s*\)?\s*\{"
)
_OTHER_INPUT = pattern(
    r"\bos\.(?:Args|Stdin|Getenv|LookupEnv|Environ)\b|\bflag\.|\b(?:bufio|embed|http|net|sql|exec|Command)\b"
    r"|\benv::(?:args|var|vars)|\bstdin\b|\bargs\b|\bgetenv\b|\breadln?\b|\breadLine\b|\bProcessInfo\b|\bEnvironment\b"
    r"|\bcobra\b|\bviper\b|\bclap\b|\breqwest\b|\bConsole\.Read"
)
"""What a program may have a path from, besides files."""
_READS = pattern(
    r"\b(?:ReadFile|Open|OpenFile|ReadAll|ReadDir|read_to_string|open|readText|readLines|readAllLines|readString"
    r"|ReadAllText|ReadAllLines|contentsOfFile|newBufferedReader|FileReader|Scanner|include_str!)\((?P<given>[^()\n]*)"
)
_LITERAL = pattern(r"\s*(?:\w+:\s*)?\"(?P<name>[\w./-]+)\"\s*(?:,[^\"]*)?\Z")
_LEADS_OUT = pattern(r"~|\.\.|\$|%|\\|(?:^|[\"'\s:,\[(=-])/|(?m:^)[ \t]*[A-Za-z]:")
"""What in a file may name a place that is not below its folder."""
_MAX_FILES = 4


def has_guard(text: str) -> bool:
    return '"~' in text and _GUARDS.search(text) is not None


def without_idle(files: Sequence[str], read: Callable[[str], str | None]) -> list[str]:
    """Return the files of a program without branches for ``~`` that no path of it takes; lines keep numbers.

    ``read`` returns the text of a file of settings by its name, if it is known.
    """
    left = [_without_guards(one) for one in files]
    code = "\n".join(left)
    if left == list(files) or _OTHER_INPUT.search(code) or "~" in code:
        return list(files)
    given = [_LITERAL.match(one["given"]) for one in _READS.finditer(code)]
    names = {one["name"] for one in given if one}
    if None in given or not 0 < len(names) <= _MAX_FILES:
        return list(files)
    texts = [read(name) for name in names]
    is_known = all(one is not None and not _LEADS_OUT.search(one) for one in texts)
    return left if is_known else list(files)


def _without_guards(text: str) -> str:
    for one in reversed(list(_GUARDS.finditer(text))):
        end = one.end() + len(bracketed.upto(text, "}", one.end()))
        text = (
            text[: one.start()]
            + re.sub(r"[^\n]", " ", text[one.start() : end + 1])
            + text[end + 1 :]
        )
    return text


# end of module
