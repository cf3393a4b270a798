"""What a file with the commands of named targets gives, and what a run wants of it.

Owns these types, their limits and what several formats share. Pure. Does not own a format
(``gate.disk.recipe_formats``, ``gate.disk.makefiles``, ``gate.disk.justfiles``, ``gate.disk.taskfiles``,
``gate.disk.toml_tasks``).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_RECIPES = 200
"""Lines of commands that are returned for one run."""
MAX_TARGETS = 200
MAX_VALUE = 8_192


class Recipe(NamedTuple):
    """A shell text, and the number of the line that it begins on, or ``numbers``, those of all its lines.

    ``is_sure``: if all of them before it in the order of the run have succeeded, it surely runs.
    ``is_awaited``: it surely runs, and the run succeeds only if it does.
    ``environment``: the variables that the file gives it; those in ``doubtful`` may have other values.
    ``is_opaque``: it is what a program prints, or a function gives that is not known.
    """

    text: str
    line: int
    numbers: tuple[int, ...] = ()
    is_sure: bool = False
    is_awaited: bool = False
    environment: tuple[tuple[str, str], ...] = ()
    doubtful: frozenset[str] = frozenset()
    is_opaque: bool = False


class Included(NamedTuple):
    """The path of another file of the same format, and what comes before the names of its targets.

    ``folder`` is where these run, from the file that includes it; None for where the other file is.
    """

    path: str
    prefix: str = ""
    folder: str | None = None


class Wanted(NamedTuple):
    """What a run asks for: the targets by name (none for the default), and variables that it sets."""

    targets: Sequence[str] = ()
    variables: Mapping[str, str] = {}
    is_dry: bool = False
    """Whether the run only prints: then what reading the file starts counts, and little else."""
    environment: Mapping[str, str] = {}
    """Variables that it gets from the shell: they count where the file does not say otherwise."""
    is_included: bool = False
    """Whether another file includes it, which may set its variables."""
    runs_hooks: bool = False
    """Whether the scripts surely run that are called as another one of a package, with ``pre`` before it."""


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


def closure(names: Sequence[str], needs: Mapping[str, list[str]]) -> list[str]:
    """The named targets and all that they need in turn."""
    found: list[str] = []
    left = list(names)
    while left and len(found) < MAX_TARGETS:
        name = left.pop(0)
        if name not in found:
            found.append(name)
            left += needs.get(name, ())
    return found


def in_order(names: Sequence[str], needs: Mapping[str, Sequence[str]]) -> list[str]:
    """The same names, each behind those that it needs."""
    found: dict[str, None] = {}
    begun: set[str] = set()
    left = [(name, False) for name in reversed(names)]
    while left:
        name, is_done = left.pop()
        if is_done:
            found[name] = None
        elif name not in begun:
            begun.add(name)
            left.append((name, True))
            left += [(one, False) for one in reversed(needs.get(name, ()))]
    return [name for name in found if name in set(names)]


def items_of(text: str) -> list[str]:
    """The items of ``["a", 'b', c]``; another text is its own item."""
    if text[:1] != "[":
        return [text]
    return [one or other or bare.strip() for one, other, bare in _ITEM.findall(text.strip("[]"))]


_ITEM = pattern(r"'([^'\n]*)'|\"((?:[^\"\\\n]|\\.)*)\"|([^\s,'\"][^,\n]*)")


# end of module
