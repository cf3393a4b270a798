"""What a file with the commands of named targets gives, and what a run wants of it.

Owns these types, their limits and the joining of lines. Pure. Does not own a format (``gate.recipes``,
``gate.makefiles``).
"""

from __future__ import annotations

import re

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_RECIPES = 200
"""Lines of commands that are returned for one run."""
MAX_TARGETS = 200
MAX_VALUE = 8_192


class Recipe(NamedTuple):
    """A shell text, and the number of the line that it begins on."""

    text: str
    line: int


class Included(NamedTuple):
    """The path of another file of the same format, and what comes before the names of its targets."""

    path: str
    prefix: str = ""


class Wanted(NamedTuple):
    """What a run asks for: the targets by name (none for the default), and variables that it sets."""

    targets: Sequence[str] = ()
    variables: Mapping[str, str] = {}
    is_dry: bool = False
    """Whether the run only prints: then what reading the file starts counts, and little else."""


def logical_lines(text: str) -> list[tuple[int, str]]:
    """Return lines joined at a backslash, each with the number of its first line."""
    found: list[tuple[int, str]] = []
    pending, start = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        start = start if pending else number
        pending += line
        if line.endswith("\\"):
            pending += "\n"
            continue
        is_recipe = pending[:1] == "\t"
        found.append((start, pending if is_recipe else re.sub(r"\\\n\s*", " ", pending)))
        pending = ""
    return [*found, (start, pending)] if pending else found


# end of module
