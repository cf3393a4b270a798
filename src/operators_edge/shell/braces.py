"""Brace expansion: ``{a,b}`` and ``{1..3}`` in a raw word, before anything else is expanded.

Owns the bounds on how many words one may become. Does not own what the words mean (``shell.words``).
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from operators_edge.shell.commands import HOLE
from operators_edge.shell.quoting import UnclosedError, end_of_paren, end_of_quote

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BRACES = 64
"""Words one brace expansion may become; a larger one is a hole."""
MAX_BRACE_DEPTH = 8

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})\Z|([a-zA-Z])\.\.([a-zA-Z])\Z")


def braces(raw: str) -> list[str]:
    """Return the raw words that brace expansion makes of one raw word."""
    if raw.count("{") > MAX_BRACES:
        return [HOLE]
    try:
        words = list(_braced(raw, MAX_BRACES))
    except UnclosedError:
        return [raw]
    return words if len(words) <= MAX_BRACES else [HOLE]


def _braced(raw: str, limit: int, depth: int = 0) -> Iterator[str]:
    found = _first_braces(raw)
    if found and depth >= MAX_BRACE_DEPTH:
        raw, found = HOLE, None
    if found is None:
        yield raw
        return
    start, end, choices = found
    for tail in _braced(raw[end:], limit, depth + 1):
        for choice in choices:
            for middle in _braced(choice, limit, depth + 1):
                limit -= 1
                # One more than allowed, so that the caller sees there were too many.
                if limit < -1:
                    return
                yield raw[:start] + middle + tail


def _first_braces(raw: str) -> tuple[int, int, list[str]] | None:
    """Return the range of the leftmost ``{…}`` that expands, and its choices."""
    best: tuple[int, int, list[str]] | None = None
    opened: list[list[int]] = []
    at = 0
    while at < len(raw):
        char = raw[at]
        if char in "'\"\\`$":
            at = end_of_quote(raw, at)
            continue
        if char in "<>" and raw.startswith("(", at + 1):
            at = end_of_paren(raw, at + 2)
            continue
        if char == "{":
            opened.append([at + 1])
        elif char == "," and opened:
            opened[-1].append(at + 1)
        elif char == "}" and opened:
            cuts = [*opened.pop(), at + 1]
            choices = [raw[start : end - 1] for start, end in pairwise(cuts)]
            if len(choices) == 1:
                choices = _range(choices[0])
            if choices and (best is None or cuts[0] - 1 < best[0]):
                best = (cuts[0] - 1, at + 1, choices)
        at += 1
    return best


def _range(inside: str) -> list[str]:
    match = _RANGE.match(inside)
    if match is None:
        return []
    first, last = (int(match[1]), int(match[2])) if match[1] else (ord(match[3]), ord(match[4]))
    step = 1 if first <= last else -1
    if abs(last - first) >= MAX_BRACES:
        return [HOLE]
    return [str(n) if match[1] else chr(n) for n in range(first, last + step, step)]
