"""Paths in the syntax of Python: ``Path("x") / "y"``, what a loop over the files of a folder stands for.

Owns expressions whose value is a known path. Does not own names and their values
(``shell.code.python.code``), nor other constants (``shell.code.python.constants``). Slow to import.
"""

from __future__ import annotations

import ast
import posixpath

from operators_edge.shell.code.python.constants import (
    are_constant,
    is_constant,
    is_text,
    name_of,
    value_of,
)
from operators_edge.shell.code.python.library_twins import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

_MAX_ABOVE = 16
"""Folders above a path that are followed."""


def is_path(node: ast.expr) -> TypeGuard[ast.Call]:
    """Whether it is ``Path("…")``."""
    is_call = isinstance(node, ast.Call) and len(node.args) > 0
    return is_call and dotted(node.func).rpartition(".")[2] == "Path"  # type: ignore[attr-defined]


def as_text(node: ast.expr) -> ast.expr:
    """``Path("x")`` as text; any other expression as it is."""
    is_path = isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] == "Path"
    is_known = (
        is_path and isinstance(node, ast.Call) and len(node.args) == 1 and is_text(node.args[0])
    )
    return node.args[0] if is_known and isinstance(node, ast.Call) else node


def is_value(node: ast.expr) -> bool:
    """Whether it is a constant or a known path."""
    return is_constant(node) or as_text(node) is not node


def joined_path(left: ast.expr, right: list[ast.expr]) -> ast.expr | None:
    if not (is_path(left) and are_constant(left.args + right)):
        return None
    parts = [str(value_of(one)) for one in (*left.args, *right)]
    return ast.Call(left.func, [ast.Constant("/".join(parts))], [])


def folder_above(text: str) -> str:
    """The folder that a path is in, up to where it begins; the working folder is in one, too."""
    if text == "." or posixpath.basename(text) == "..":
        return posixpath.normpath(f"{text}/..")
    return posixpath.dirname(text.rstrip("/")) or "."


def above(path: ast.Call, levels: int) -> ast.expr:
    """``Path("a/b").parent``."""
    text = begin = str(value_of(path.args[0]))
    for _ in range(min(levels, _MAX_ABOVE)):
        text = text if text == "." != begin else folder_above(text)
    return ast.Call(path.func, [ast.Constant(text)], [])


def _path_text(node: ast.expr) -> ast.expr | None:
    """Return a path that is known, with the home folder as ``~``."""
    is_expanded = isinstance(node, ast.Call) and dotted(node.func) == "os.path.expanduser"
    inner = node.args[0] if is_expanded and isinstance(node, ast.Call) and node.args else node
    return inner if is_text(inner) else None


def listed(call: ast.Call, *, is_kept: bool) -> ast.expr | None:
    """Return the path that stands for what a loop over the files of a folder gets first.

    ``is_kept`` if the loop's variable is never set to anything else.
    """
    name = dotted(call.func)
    if name == "os.walk" and call.args:
        return _path_text(call.args[0])
    if name in {"glob.glob", "glob.iglob", "glob", "iglob"} and call.args:
        path = _path_text(call.args[0])
        is_plain = is_kept and {one.arg for one in call.keywords} <= {"recursive"}
        return ast.Constant(_Listed(value_of(path))) if path is not None and is_plain else path
    if isinstance(call.func, ast.Attribute) and call.func.attr in {"rglob", "glob", "iterdir"}:
        pattern = call.args[0] if call.args and is_text(call.args[0]) else ast.Constant("*")
        below = [ast.Constant("**")] if call.func.attr == "rglob" else []
        path = joined_path(call.func.value, [*below, pattern])
        if isinstance(path, ast.Call) and is_kept:
            path.args = [ast.Constant(_Listed(value_of(path.args[0])))]
        return path
    return None


class _Listed(str):
    """A pattern for all that a listing gives, as long as nothing is computed from it."""

    __slots__ = ()


def each_file(node: ast.expr) -> ast.expr:
    """Leave what a loop deletes unknown, unless a pattern stands for just that."""
    is_computed = (
        is_text(node) and "*" in value_of(node) and not isinstance(value_of(node), _Listed)
    )
    return name_of("each") if is_computed else node


def file_read(node: ast.expr | None) -> str:
    """Return the path in ``open(path).read()`` and ``Path(path).read_text()``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    opened = node.func.value
    if not isinstance(opened, ast.Call) or node.func.attr not in {
        "read",
        "read_text",
        "read_bytes",
    }:
        return ""
    path = opened.args[0] if opened.args else None
    is_file = dotted(opened.func).rpartition(".")[2] in {"open", "Path"}
    return str(value_of(path)) if path is not None and is_file and is_constant(path) else ""


# end of module
