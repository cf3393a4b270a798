"""The test cases of a Python file, by Python's own grammar.

Owns what is a test, a skip and an assertion for pytest and unittest. A text that cannot be parsed is skipped.
"""

from __future__ import annotations

import ast
import re

from operators_edge.evidence.tamper.model import Case, Suite
from operators_edge.text import python_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SKIP = re.compile(
    r"\b(?:pytest\.)?mark\.(?:skipif|skip|xfail)\b|\b(?:unittest\.)?(?:skipIf|skipUnless|skip|expectedFailure)\b"
)
_SKIP_CALL = re.compile(r"^(?:pytest\.(?:skip|xfail)|self\.skipTest|unittest\.SkipTest|SkipTest)\b")
_ASSERTING = re.compile(
    r"(?:^|\.)(?:assert\w*|expect\w*|fail\w*|raises|warns|deprecated_call|verify\w*|check_\w+)$"
)
_CATCHING = frozenset({"Exception", "BaseException", "AssertionError"})

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def suite(text: str) -> Suite | None:
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    cases = [_module(tree), *_cases(tree)]
    helpers = frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, _Function) and not node.name.startswith("test") and _assertions(node)
    )
    return Suite(tuple(cases), tuple(_assertions(tree)), helpers)


def _module(tree: ast.Module) -> Case:
    """What skips the whole file."""
    skips = []
    for node in tree.body:
        text = ""
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {each.id for each in targets if isinstance(each, ast.Name)}
            text = ast.unparse(node.value) if "pytestmark" in names else ""
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            found = _SKIP_CALL.match(ast.unparse(node.value))
            skips += [found[0]] if found else []
        skips += _SKIP.findall(text)
    return Case("", is_group=True, skips=tuple(skips))


def _cases(tree: ast.AST, group: str = "") -> Iterator[Case]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield _test(node, group)
        elif isinstance(node, ast.ClassDef):
            skips = tuple(_decorated(node.decorator_list))
            yield Case(node.name, is_group=True, group=group, skips=skips)
            yield from _cases(node, f"{group}::{node.name}".removeprefix("::"))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _cases(node, group)


def _test(node: _Function, group: str) -> Case:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return Case(
        node.name,
        group=group,
        is_table="parametrize" in "".join(map(ast.unparse, node.decorator_list)),
        lines=tuple(
            line.strip()
            for each in (*node.decorator_list, *body)
            for line in ast.unparse(each).split("\n")
        ),
        assertions=tuple(_assertions(node)),
        skips=(*_decorated(node.decorator_list), *_skipped_inside(node)),
        calls=frozenset(_calls(node)),
        returns_first=bool(body) and isinstance(body[0], ast.Return) and len(body) > 1,
        suppressed=sum(_suppresses(each) for each in ast.walk(node) if isinstance(each, ast.Try)),
    )


def _decorated(decorators: Iterable[ast.expr]) -> list[str]:
    return [found for each in decorators for found in _SKIP.findall(ast.unparse(each))]


def _skipped_inside(node: _Function) -> list[str]:
    calls = (ast.unparse(each.func) for each in ast.walk(node) if isinstance(each, ast.Call))
    return [match[0] for match in map(_SKIP_CALL.match, calls) if match]


def _calls(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            yield ast.unparse(each.func).rpartition(".")[2]


def _assertions(node: ast.AST) -> list[str]:
    found: list[tuple[int, int, str]] = []
    for each in ast.walk(node):
        if isinstance(each, ast.Assert):
            found.append((each.lineno, each.col_offset, f"assert {ast.unparse(each.test)}"))
        elif isinstance(each, ast.Call) and _ASSERTING.search(ast.unparse(each.func)):
            found.append((each.lineno, each.col_offset, ast.unparse(each)))
    return [text for *_, text in sorted(found)]


def _suppresses(node: ast.Try) -> bool:
    """Whether an assertion is inside, whose failure is caught and dropped."""
    inside = any(_assertions(each) for each in node.body)
    return inside and any(_drops(handler) for handler in node.handlers)


def _drops(handler: ast.ExceptHandler) -> bool:
    kinds = {each.id for each in ast.walk(handler.type or ast.Pass()) if isinstance(each, ast.Name)}
    is_wide = handler.type is None or bool(kinds & _CATCHING)
    is_answered = any(isinstance(each, ast.Raise | ast.Assert) for each in ast.walk(handler))
    return is_wide and not is_answered and not _assertions(handler)


# end of module
