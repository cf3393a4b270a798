"""The folder that a Python program takes if nothing sets a variable: ``os.environ.get("D", home / "notes")``.

Such a value is one of two: unknown, or the default. Owns in which programs the default counts: where nothing
known sets the variable, in tests no fixture of the test that reads it either. Does not own the values of
variables (``shell.code.python.settings``). Pure; loaded for programs that give a variable a path as default.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from operators_edge.shell.code.python.operations import is_path, path_text
from operators_edge.shell.code.python.values import ANY_NAME, options_of
from operators_edge.shell.commands import HOLE
from operators_edge.text import python_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.shell.code.python.trace import Walk
    from operators_edge.shell.code.python.values import Function

_TEMPORARY = ("/tmp", "/var/tmp", "/dev")  # noqa: S108 - names
_SETTINGS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_USES = re.compile(r"usefixtures\W+([^)\n]*)")
_TEST = re.compile(r"_?test")


def counts(walk: Walk, name: str, default: Any) -> bool:
    """Whether a program may have a default: a path outside of the project, or the name of the real thing."""
    paths = [path_text(one) for one in options_of(default) if is_path(one)]
    if not any(one[:1] not in {"~", "/"} or _is_outside(walk, one) for one in paths):
        return False
    names = {name, *(["HOME", "USERPROFILE"] if any(one[:1] == "~" for one in paths) else [])}
    if not walk.set_variables.isdisjoint({*names, ANY_NAME}):
        return False
    if walk.start.kind not in {"tests", "pytest"}:
        return True
    return not any(_may_be_set(walk, one) for one in names)


def _is_outside(walk: Walk, path: str) -> bool:
    if HOLE in path or path[:1] not in {"~", "/"}:
        return False
    here = (*_TEMPORARY, walk.start.folder.rstrip("/") or "/")
    return not any(path == one or path.startswith(f"{one}/") for one in here)


def _may_be_set(walk: Walk, name: str) -> bool:
    """Whether a file of a suite may set a variable for the test that is walked."""
    texts = [one for one in walk.texts if name in one]
    if any(name in (walk.read(one) or "") for one in _SETTINGS):
        return True
    places = [place for text in texts for place in _setters(text, name)]
    if not places:
        return False
    test = next((one.function for one in walk.frames if _is_test(one.function)), None)
    if test is None or walk.suite is None:
        return True
    applied = _fixtures_of(walk, test)
    return any(not (is_fixture and one not in applied) for one, is_fixture in places)


def _is_test(function: Function | None) -> bool:
    return function is not None and _TEST.match(getattr(function.node, "name", "")) is not None


def _fixtures_of(walk: Walk, test: Function) -> set[str]:
    """The names of the functions that pytest runs around a test as fixtures."""
    named = [
        name
        for text in (*walk.texts, *(walk.read(one) or "" for one in _SETTINGS))
        for found in _USES.findall(text)
        for name in re.findall(r"\w+", found)
    ]
    return walk.suite.names_around(test, named) if walk.suite is not None else set()


def _setters(text: str, name: str) -> Iterator[tuple[str, bool]]:
    """Where a module may set a variable: the outermost function, and whether that is a fixture."""
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        yield "", False
        return
    for top in tree.body:
        inside = top.body if isinstance(top, ast.ClassDef) else [top]
        for one in inside:
            if any(_names(each, name) for each in _nodes(one)):
                yield getattr(one, "name", ""), _is_fixture(one)


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All parts but those that only ask for a variable."""
    left = [node]
    while left:
        one = left.pop()
        yield one
        parts = list(ast.iter_child_nodes(one))
        if isinstance(one, ast.Call) and one.args and _last(one.func) in {"get", "getenv"}:
            parts = [each for each in parts if each is not one.args[0]]
        if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load):
            parts = [one.value]
        left += parts


def _last(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _names(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg == name
    return isinstance(node, ast.Constant) and node.value == name


def _is_fixture(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    made = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return any(_last(one) == "fixture" for one in made)


# end of module
