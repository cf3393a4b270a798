"""Whether the databases of a Python program are all its own, as far as one file of it tells.

Owns what parsing shows of that, with the constants computed. Does not own which calls connect
(``shell.code.python.twins``), or what is an address of its own (``shell.code.own_databases``). Loaded for
code that changes a database.
"""

from __future__ import annotations

import ast

from operators_edge.shell.code.own_databases import ATTACHES, LINKS
from operators_edge.shell.code.python import code as python_code, library_twins, twins
from operators_edge.text import python_source
from operators_edge.text.patterns import pattern

_OTHER_PLACE = pattern(r"\btempfile\.tempdir\b|\bexec\(\s*open\(|\bglobals\(\)|\bsetattr\(")
"""What may give the names of a program, or its temporary folder, another meaning."""


def are_own(code: str) -> bool:
    """Whether all databases of a Python program are its own, as far as its own file tells."""
    if ATTACHES.search(code) or LINKS.search(code) or _OTHER_PLACE.search(code):
        return False
    try:
        tree = python_source.parse(python_code.fold(code).code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    plain = python_source.parse(code)
    if _connects_otherwise(plain):
        return False
    return not _is_given(plain) and twins.uses_own_databases(tree)


def _connects_otherwise(tree: ast.AST) -> bool:
    """Whether something else connects than the address says."""
    return any(
        (isinstance(one, ast.keyword) and one.arg in library_twins.CONNECTS_BY)
        or (
            isinstance(one, ast.Attribute)
            and isinstance(one.ctx, ast.Store)
            and one.attr in library_twins.CONNECTS
        )
        for one in ast.walk(tree)
    )


def _is_given(tree: ast.AST) -> bool:
    """Whether a function connects to a database that it is given: it may be called with others, too."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        given = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
        calls = [one for one in ast.walk(function) if isinstance(one, ast.Call)]
        for call in calls:
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            words = [*call.args, *(one.value for one in call.keywords)]
            used = {
                each.id for one in words for each in ast.walk(one) if isinstance(each, ast.Name)
            }
            if name in library_twins.CONNECTS and used & given:
                return True
    return False


# end of module
