"""The files that a runner of tests runs by itself: those of the tests that a command names, and around them.

Owns which of them a command runs, the bound on that included. Pure but for ``Facts``. Does not own what the
tests do (``gate.disk.suites``), nor how such files are called (``project_files`` in the packs).
"""

from __future__ import annotations

import os.path
from fnmatch import fnmatch

from operators_edge.gate.disk.search import MAX_FILES
from operators_edge.locations import is_within
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.disk.search import Search

MAX_TESTS = 40
"""Files of tests, if a command names a folder or nothing."""
_MAY_HOLD_TESTS = pattern(
    r"(?!(?:node_modules|v?env|build|dist|out|site-packages|__pycache__)$)[^.]+"
)


def paths(search: Search, names: list[str], *, runs_all: bool) -> list[str]:
    """Return the files with one of these names, as far as the command runs them.

    Those without a wildcard in all folders around what it names, the others, tests, only if it names them
    or a folder around them, or nothing at all. ``runs_all``: a command that names nothing runs all tests of
    its folder.
    """
    return list(dict.fromkeys(_paths(search, names, runs_all=runs_all)))


def _paths(search: Search, names: list[str], *, runs_all: bool) -> Iterator[str]:
    facts, root = search.context.facts, search.context.root
    always = [name for name in names if "*" not in name]
    given = [search.path(word.text.split("::")[0]) for word in search.inv.operands]
    files = [one for one in given if one and facts.size(one) is not None]
    folders = [one for one in given if one and facts.names(one) is not None]
    if not files and not folders and runs_all:
        folders = [search.folder or root]
    around = {search.folder or root, root}
    for one in (*map(os.path.dirname, files), *folders):
        above = one
        while is_within(above, root) and above not in around:
            around.add(above)
            above = os.path.dirname(above)
    for folder in sorted(around):
        yield from (os.path.join(folder, name) for name in always)
    yield from files
    for folder in folders:
        yield from _below(search, folder, names)


def brought(search: Search, names: list[str]) -> dict[str, str]:
    """Return the files that the call fetches where the command looks for tests, each with its client."""
    given = [search.path(word.text.split("::")[0]) for word in search.inv.operands]
    places = [one for one in given if one] or [search.folder or search.context.root]
    return {
        one.place: one.program
        for one in search.context.arrivals
        for name in names
        if one.kind == "unseen"
        and fnmatch(os.path.basename(one.place), name)
        and ("*" not in name or any(is_within(one.place, place) for place in places))
    }


def _below(search: Search, folder: str, names: list[str]) -> Iterator[str]:
    """The files with such names below a folder, the nearest first; of a large suite only some."""
    left, count = [folder], 0
    for here in left:
        found = search.matching(here, [name for name in names if "/" not in name])
        count += len(found)
        yield from (os.path.join(here, name) for name in found)
        if count > MAX_TESTS or len(left) > MAX_FILES:
            return
        inside = search.follower.names(here, search.context)
        left += [os.path.join(here, one) for one in inside if _MAY_HOLD_TESTS.fullmatch(one)]


# end of module
