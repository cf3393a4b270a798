"""What ``python3 -c`` and ``node -p`` print of a file of data: words that a line then runs.

Owns the few forms of such programs that load one document and print texts out of it. Anything else raises
ValueError, and what is printed is then unknown. Does not own what else a program does (``shell.programs``).
"""

from __future__ import annotations

import ast
import json
import re

from operators_edge.shell.jq import text_of, yaml_of
from operators_edge.shell.text_lines import Filter
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MAX_STEPS = 2_000
_MODULES = frozenset(("json", "sys", "yaml", "pathlib"))
_LOADERS: dict[str, Callable[[str], Any]] = {
    "json.load": json.loads,
    "json.loads": json.loads,
    "yaml.safe_load": yaml_of,
}
_OPENED = pattern(
    r"open\((?P<q>['\"])(?P<a>[^'\"\\]+)(?P=q)(?:, ?['\"]r['\"])?\)(?:\.read\(\))?"
    r"|(?:pathlib\.)?Path\((?P<p>['\"])(?P<b>[^'\"\\]+)(?P=p)\)\.read_text\(\)"
    r"|sys\.stdin(?:\.read\(\))?"
)


def python(arguments: list[str]) -> Filter:
    """``python3 -c 'import json; print(json.load(open("F"))["a"])'``."""
    if len(arguments) != 2 or arguments[0] != "-c":
        raise ValueError(arguments)
    try:
        tree = ast.parse(arguments[1])
    except SyntaxError as problem:
        raise ValueError(problem) from problem
    calls = (ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call))
    files = {one["a"] or one["b"] for one in map(_OPENED.fullmatch, calls) if one}
    if len(files) > 1 or (files and "stdin" in arguments[1]):
        raise ValueError(files)
    return Filter(lambda text: _Program(text).run(tree), tuple(files))


class _Program:
    """A run of a program over one document."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.names: dict[str, Any] = {}
        self.printed: list[str] = []
        self.steps = 0

    def run(self, tree: ast.Module) -> str:
        self._body(tree.body)
        return "".join(self.printed)

    def _body(self, body: list[ast.stmt]) -> None:
        for one in body:
            self._statement(one)

    def _statement(self, one: ast.stmt) -> None:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise ValueError(self.steps)
        if isinstance(one, ast.Import):
            if any(name.name not in _MODULES or name.asname for name in one.names):
                raise ValueError(one)
        elif isinstance(one, ast.ImportFrom):
            if one.module != "pathlib" or [name.name for name in one.names] != ["Path"]:
                raise ValueError(one)
        elif isinstance(one, ast.Assign) and len(one.targets) == 1:
            self._set(one.targets[0], self._value(one.value))
        elif isinstance(one, ast.For) and not one.orelse:
            for value in self._items(one.iter):
                self._set(one.target, value)
                self._body(one.body)
        elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
            self._print(one.value)
        else:
            raise ValueError(one)

    def _set(self, target: ast.expr, value: Any) -> None:
        if not isinstance(target, ast.Name) or target.id in {*_MODULES, "open", "print", "Path"}:
            raise ValueError(target)
        self.names[target.id] = value

    def _items(self, node: ast.expr) -> list[Any]:
        value = self._value(node)
        if not isinstance(value, (list, dict)):
            raise ValueError(value)  # noqa: TRY004 - as above
        return list(value)

    def _print(self, call: ast.Call) -> None:
        if ast.unparse(call.func) != "print":
            raise ValueError(call)
        options = {one.arg: self._value(one.value) for one in call.keywords}
        if not options.keys() <= {"sep", "end"}:
            raise ValueError(options)
        values: list[Any] = []
        for one in call.args:
            if isinstance(one, ast.Starred):
                values += self._items(one.value)
            else:
                values.append(self._value(one))
        mark, end = options.get("sep", " "), options.get("end", "\n")
        if not all(isinstance(one, str) or type(one) is int for one in values):
            raise ValueError(values)
        self.printed.append("".join((str.join(mark, map(text_of, values)), end)))

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)):
            return node.value
        if isinstance(node, ast.Name):
            return self.names[node.id]
        if isinstance(node, ast.Subscript):
            return self._value(node.value)[self._value(node.slice)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return "".join((self._value(node.left), self._value(node.right)))
        if isinstance(node, ast.JoinedStr):
            return "".join(map(self._part, node.values))
        if isinstance(node, ast.Call):
            return self._call(node)
        raise ValueError(node)

    def _part(self, node: ast.expr) -> str:
        if isinstance(node, ast.FormattedValue):
            value = self._value(node.value)
            if node.conversion != -1 or node.format_spec or not isinstance(value, str):
                raise ValueError(node)
            return value
        return str(self._value(node))

    def _call(self, node: ast.Call) -> Any:
        name = ast.unparse(node.func)
        if name in _LOADERS and len(node.args) == 1 and not node.keywords:
            if not _OPENED.fullmatch(ast.unparse(node.args[0])):
                raise ValueError(name)
            return _LOADERS[name](self.document)
        if not isinstance(node.func, ast.Attribute) or node.keywords:
            raise ValueError(name)
        owner = self._value(node.func.value)
        given = [self._value(one) for one in node.args]
        method = node.func.attr
        if isinstance(owner, str) and method == "join" and len(given) == 1:
            return owner.join(given[0])
        if isinstance(owner, str) and method in ("split", "strip") and not given:
            return owner.split() if method == "split" else owner.strip()
        if isinstance(owner, dict) and method == "get" and len(given) in (1, 2):
            return owner.get(*given)
        raise ValueError(method)


_REQUIRED = pattern(
    r"(?:require\((?P<q>['\"])(?P<a>\.{1,2}/[^'\"\\]+\.json)(?P=q)\)"
    r"|JSON\.parse\((?:require\(['\"](?:node:)?fs['\"]\)|fs)\.readFileSync\((?P<p>['\"])(?P<b>[^'\"\\]+)(?P=p)"
    r"(?:, ?['\"]utf-?8['\"])?\)\))(?P<path>(?:\.[A-Za-z_$][\w$]*|\[\d{1,4}\]|\[['\"][^'\"\\]+['\"]\])*?)"
    r"(?:\.join\((?P<j>['\"])(?P<mark>[^'\"\\]*)(?P=j)\))?;?"
)
_STEP = pattern(r"\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[['\"]([^'\"]+)['\"]\]")
_LOGGED = pattern(r"console\.log\((.*)\);?", re.DOTALL)


def node(arguments: list[str]) -> Filter:
    """``node -p "require('./F.json').a.b"``, or the same with ``-e`` and ``console.log``."""
    option, code = arguments
    logged = _LOGGED.fullmatch(code.strip()) if option in ("-e", "--eval") else None
    if not (logged or option in ("-p", "--print", "-pe")):
        raise ValueError(arguments)
    found = _REQUIRED.fullmatch((logged[1] if logged else code).strip())
    if found is None:
        raise ValueError(code)

    def apply(text: str) -> str:
        value = json.loads(text)
        for name, index, quoted in _STEP.findall(found["path"]):
            value = value[int(index)] if index else value[name or quoted]
        if found["mark"] is not None:
            if not isinstance(value, list):
                raise ValueError(value)
            value = found["mark"].join("" if one is None else text_of(one) for one in value)
        if not (isinstance(value, str) or type(value) is int):
            raise ValueError(value)
        return text_of(value) + "\n"

    return Filter(apply, (found["a"] or found["b"],))


# end of module
