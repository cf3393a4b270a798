"""What ``perl -pe 's#@NAME@#text#g'`` prints of a known text: a template that is filled in.

Owns substitutions of plain texts by plain texts. Anything else raises ValueError, and what is printed is then
unknown. Does not own what a program of Perl does beside printing (``shell.code.programs``).
"""

from __future__ import annotations

import re
from functools import partial

from operators_edge.shell.filters.text_lines import Filter
from operators_edge.text.patterns import pattern

_SUBSTITUTES = pattern(
    r"\s*s(?P<mark>[/#|,!])(?P<old>(?:\\.|(?!(?P=mark))[^\\\n])+)(?P=mark)"
    r"(?P<new>(?:\\.|(?!(?P=mark))[^\\\n])*)(?P=mark)(?P<flags>g?)\s*(?:;|\Z)"
)
_PLAIN = pattern(r"[\w :/#,!=%~&<>'\"-]|\\[@.{}/#|,!$()\[\]*+?^-]")
"""A character that stands for itself in a pattern, or does so behind a backslash."""
_PUT = pattern(r"[^\\@$\n]|\\[^\w\s]")
"""The same in what is put in its place."""


def perl(arguments: list[str]) -> Filter:
    options, rest = [], list(arguments)
    while rest and rest[0][:1] == "-" and rest[0] != "-":
        options.append(rest.pop(0))
    if options not in (["-pe"], ["-p", "-e"]) or not 1 <= len(rest) <= 2 or rest[1:] == ["-"]:
        raise ValueError(arguments)
    code, *files = rest
    steps: list[tuple[str, str, int]] = []
    at = 0
    while at < len(code):
        found = _SUBSTITUTES.match(code, at)
        if found is None:
            raise ValueError(code)
        old, new = _plain(found["old"], _PLAIN), _plain(found["new"], _PUT)
        steps.append((old, new, -1 if found["flags"] else 1))
        at = found.end()
    if not steps:
        raise ValueError(code)
    return Filter(partial(_filled, steps), tuple(files))


def _plain(text: str, each: re.Pattern[str]) -> str:
    parts = re.findall(r"(?s)\\.|.", text)
    if not all(map(each.fullmatch, parts)):
        raise ValueError(text)
    return "".join(one[-1] for one in parts)


def _filled(steps: list[tuple[str, str, int]], text: str) -> str:
    lines = re.findall(r"[^\n]*\n|[^\n]+\Z", text)
    for old, new, number in steps:
        lines = [one.replace(old, new, number) for one in lines]
    return "".join(lines)


# end of module
