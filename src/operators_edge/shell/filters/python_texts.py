"""What a small program of Python prints of texts that it knows: a script, or words that a line then runs.

Owns the part of the language that such programs are written in: constants, lists, loops, functions,
f-strings, and documents that they load. Anything else raises ValueError, and what is printed is then unknown.
Does not own following whole programs (``shell.code.python.trace``).
"""

from __future__ import annotations

import ast
import contextlib
import json
import shlex
from itertools import chain

from operators_edge.shell.commands import HOLE
from operators_edge.shell.filters.jq import text_of
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import yaml_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Read = Callable[[str], str | None]

_MAX_STEPS = 20_000
_MAX_LENGTH = 65_536
MODULES = frozenset(("json", "sys", "yaml", "pathlib", "shlex"))
"""Modules that such programs import: nothing of the same name may lie beside them."""
_LOADERS: dict[str, Callable[[str], Any]] = {
    "json.load": json.loads,
    "json.loads": json.loads,
    "yaml.safe_load": yaml_of,
}
_OPENED = pattern(
    r"open\((?P<q>['\"])(?P<a>[^'\"\\]+)(?P=q)(?:, ?['\"]r['\"])?"
    r"(?:, ?encoding=['\"]utf-?8['\"])?\)(?:\.read\(\))?"
    r"|(?:pathlib\.)?Path\((?P<p>['\"])(?P<b>[^'\"\\]+)(?P=p)\)\.read_text\((?:encoding=['\"]utf-?8['\"])?\)"
    r"|sys\.stdin(?:\.read\(\))?"
)
_UNSURE = pattern(rf"[{HOLE}\r\ud800-\udfff]")
"""What a program may read as something else, or what is not known."""
_TAKEN = frozenset(
    ("open", "print", "Path", "str", "len", "sorted", "enumerate", "range", *MODULES)
)
"""Names that mean the same in the whole program."""


def files_of(tree: ast.Module) -> tuple[set[str], bool]:
    """The files that a program opens by name, and whether it reads its input."""
    found = [
        one
        for node in ast.walk(tree)
        if isinstance(node, (ast.Call, ast.Attribute))
        and (one := _OPENED.fullmatch(ast.unparse(node)))
    ]
    files = {str(one["a"] or one["b"]) for one in found if one["a"] or one["b"]}
    return files, any(one[0].startswith("sys") for one in found)


def printed(tree: ast.Module, read: Read) -> str:
    """Return what a program prints; ``read`` gives the text of a file, or of the input for ""."""
    program = _Program(read)
    with contextlib.suppress(_Exit):
        program.body(tree.body, program.names)
    return "".join(program.printed)


class _Exit(Exception):
    """The end of the program."""


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


def _bounded(value: Any) -> Any:
    if isinstance(value, (str, list)) and len(value) > _MAX_LENGTH:
        raise ValueError(len(value))
    return value


class _Program:
    """A run of a program: what its names stand for, and what it has printed."""

    def __init__(self, read: Read) -> None:
        self.read = read
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.printed: list[str] = []
        self.steps = self.depth = 0

    def body(self, body: list[ast.stmt], names: dict[str, Any]) -> None:
        for one in body:
            self._statement(one, names)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise ValueError(self.steps)

    def _statement(self, one: ast.stmt, names: dict[str, Any]) -> None:
        self._step()
        reader = _STATEMENTS.get(type(one))
        if reader is None:
            raise ValueError(one)
        reader(self, one, names)

    def imports(self, one: ast.Import, _: dict[str, Any]) -> None:
        if any(name.name not in MODULES or name.asname for name in one.names):
            raise ValueError(one)

    def imports_from(self, one: ast.ImportFrom, _: dict[str, Any]) -> None:
        if one.module == "__future__":
            return
        if one.module != "pathlib" or [name.name for name in one.names] != ["Path"]:
            raise ValueError(one)

    def assigns(self, one: ast.Assign, names: dict[str, Any]) -> None:
        value = self.value(one.value, names)
        for target in one.targets:
            self._set(target, value, names)

    def adds(self, one: ast.AugAssign, names: dict[str, Any]) -> None:
        if not isinstance(one.op, ast.Add) or not isinstance(one.target, ast.Name):
            raise ValueError(one)  # noqa: TRY004 - what it prints is unknown
        before, more = names[one.target.id], self.value(one.value, names)
        if isinstance(before, list):  # a list grows wherever it is known
            before.extend(_bounded(more if isinstance(more, list) else self._no(more)))
        else:
            names[one.target.id] = _added(before, more)

    def loops(self, one: ast.For, names: dict[str, Any]) -> None:
        if one.orelse:
            raise ValueError(one)
        for value in self._items(one.iter, names):
            self._step()
            self._set(one.target, value, names)
            self.body(one.body, names)

    def chooses(self, one: ast.If, names: dict[str, Any]) -> None:
        self.body(one.body if self.value(one.test, names) else one.orelse, names)

    def opens(self, one: ast.With, names: dict[str, Any]) -> None:
        (item,) = one.items
        if not isinstance(item.optional_vars, ast.Name):
            raise ValueError(one)  # noqa: TRY004 - what it prints is unknown
        self._set(item.optional_vars, _Opened(self._document(item.context_expr)), names)
        self.body(one.body, names)
        del names[item.optional_vars.id]

    def defines(self, one: ast.FunctionDef, names: dict[str, Any]) -> None:
        plain = ast.arguments(
            posonlyargs=[], args=one.args.args, kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        is_plain = ast.unparse(plain) == ast.unparse(one.args) and not one.decorator_list
        if not is_plain or names is not self.names or one.name in _TAKEN or one.name in names:
            raise ValueError(one.name)
        self.functions[one.name] = one

    def returns(self, one: ast.Return, names: dict[str, Any]) -> None:
        if names is self.names:
            raise ValueError(one)
        raise _Return(self.value(one.value, names) if one.value else None)

    def calls(self, one: ast.Expr, names: dict[str, Any]) -> None:
        if isinstance(one.value, ast.Constant):
            return
        if not isinstance(one.value, ast.Call):
            raise ValueError(one)  # noqa: TRY004 - as above
        name = ast.unparse(one.value.func)
        if name == "print":
            self._print(one.value, names)
        elif name == "sys.exit":
            self._leave(one.value, names)
        elif name == "sys.stdout.write" and len(one.value.args) == 1:
            self._write(_text(self.value(one.value.args[0], names)))
        else:
            self.value(one.value, names)

    def _leave(self, call: ast.Call, names: dict[str, Any]) -> None:
        for one in call.args:
            self.value(one, names)
        raise _Exit

    def _write(self, text: str) -> None:
        self.printed.append(_bounded(text))

    def _print(self, call: ast.Call, names: dict[str, Any]) -> None:
        options = {one.arg: self.value(one.value, names) for one in call.keywords}
        if not options.keys() <= {"sep", "end"}:
            raise ValueError(options)
        values: list[Any] = []
        for one in call.args:
            if isinstance(one, ast.Starred):
                values += self._items(one.value, names)
            else:
                values.append(self.value(one, names))
        mark, end = options.get("sep", " "), options.get("end", "\n")
        self._write("".join((str.join(mark, map(_as_text, values)), end)))

    def _set(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, (list, tuple)):
            if len(target.elts) != len(value):
                raise ValueError(target)
            for one, part in zip(target.elts, value, strict=True):
                self._set(one, part, names)
            return
        if (
            not isinstance(target, ast.Name)
            or target.id in _TAKEN
            or target.id in self.functions
            or target.id == "__name__"
        ):
            raise ValueError(target)
        names[target.id] = value

    def _items(self, node: ast.expr, names: dict[str, Any]) -> list[Any]:
        value = self.value(node, names)
        if not isinstance(value, (list, tuple, dict)):
            raise ValueError(value)  # noqa: TRY004 - as above
        return list(value)

    def _no(self, value: Any) -> Any:
        raise ValueError(value)

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        self._step()
        reader = _VALUES.get(type(node))
        if reader is None:
            raise ValueError(node)
        return _bounded(reader(self, node, names))

    def constant(self, node: ast.Constant, _: dict[str, Any]) -> Any:
        if node.value is not None and not isinstance(node.value, (str, int)):
            raise ValueError(node)
        return node.value

    def named(self, node: ast.Name, names: dict[str, Any]) -> Any:
        return names[node.id] if node.id in names else self.names[node.id]

    def part(self, node: ast.Subscript, names: dict[str, Any]) -> Any:
        at = self.value(node.slice, names)
        if type(at) not in (str, int):
            raise ValueError(at)
        return self.value(node.value, names)[at]

    def summed(self, node: ast.BinOp, names: dict[str, Any]) -> Any:
        if not isinstance(node.op, ast.Add):
            raise ValueError(node)  # noqa: TRY004 - as above
        return _added(self.value(node.left, names), self.value(node.right, names))

    def filled(self, node: ast.JoinedStr, names: dict[str, Any]) -> str:
        return "".join(
            self._part(one, names)
            if isinstance(one, ast.FormattedValue)
            else str(self.value(one, names))
            for one in node.values
        )

    def _part(self, node: ast.FormattedValue, names: dict[str, Any]) -> str:
        if node.conversion != -1 or node.format_spec:
            raise ValueError(node)
        return _as_text(self.value(node.value, names))

    def paired(self, node: ast.Tuple, names: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(self.listed(node, names))

    def listed(self, node: ast.List | ast.Tuple, names: dict[str, Any]) -> list[Any]:
        return [
            *chain.from_iterable(
                self._items(one.value, names)
                if isinstance(one, ast.Starred)
                else [self.value(one, names)]
                for one in node.elts
            )
        ]

    def mapped(self, node: ast.Dict, names: dict[str, Any]) -> dict[str, Any]:
        if None in node.keys:
            raise ValueError(node)
        return {
            _text(self.value(key, names)): self.value(one, names)
            for key, one in zip(node.keys, node.values, strict=True)
            if key is not None
        }

    def compared(self, node: ast.Compare, names: dict[str, Any]) -> bool:
        test = _TESTS.get(type(node.ops[0]))
        if test is None or len(node.ops) > 1:
            raise ValueError(node)
        return test(self.value(node.left, names), self.value(node.comparators[0], names))

    def decided(self, node: ast.BoolOp, names: dict[str, Any]) -> Any:
        value = None
        for one in node.values:
            value = self.value(one, names)
            if bool(value) == isinstance(node.op, ast.Or):
                break
        return value

    def denied(self, node: ast.UnaryOp, names: dict[str, Any]) -> Any:
        value = self.value(node.operand, names)
        if isinstance(node.op, ast.USub) and type(value) is int:
            return -value
        return not value if isinstance(node.op, ast.Not) else self._no(node)

    def chosen(self, node: ast.IfExp, names: dict[str, Any]) -> Any:
        return self.value(node.body if self.value(node.test, names) else node.orelse, names)

    def collected(self, node: ast.ListComp | ast.GeneratorExp, names: dict[str, Any]) -> list[Any]:
        if len(node.generators) > 1 or node.generators[0].is_async:
            raise ValueError(node)
        each = node.generators[0]
        found: list[Any] = []
        for one in self._items(each.iter, names):
            inside = dict(names)
            self._set(each.target, one, inside)
            if all(self.value(test, inside) for test in each.ifs):
                found.append(self.value(node.elt, inside))
        return found

    def _document(self, node: ast.expr) -> str:
        found = _OPENED.fullmatch(ast.unparse(node))
        text = self.read(found["a"] or found["b"] or "") if found else None
        if text is None or _UNSURE.search(text):
            raise ValueError(node)
        return text

    def called(self, node: ast.Call, names: dict[str, Any]) -> Any:
        name = ast.unparse(node.func)
        if node.keywords and not _OPENED.fullmatch(ast.unparse(node)):
            raise ValueError(name)
        if name in _LOADERS and len(node.args) == 1:
            return _LOADERS[name](self._loaded(node.args[0], names))
        if _OPENED.fullmatch(ast.unparse(node)):
            return self._document(node)
        given = [self.value(one, names) for one in node.args]
        if name in self.functions and name not in names:
            return self._run(self.functions[name], given)
        if name in _FUNCTIONS:
            return _FUNCTIONS[name](*given)
        if not isinstance(node.func, ast.Attribute):
            raise ValueError(name)  # noqa: TRY004 - as above
        owner = self.value(node.func.value, names)
        return _METHODS[type(owner), node.func.attr](owner, *given)

    def _loaded(self, node: ast.expr, names: dict[str, Any]) -> str:
        if isinstance(node, ast.Name):
            value = names[node.id]
            return value.text if isinstance(value, _Opened) else _text(value)
        return self._document(node)

    def _run(self, function: ast.FunctionDef, given: list[Any]) -> Any:
        inside = dict(zip((one.arg for one in function.args.args), given, strict=True))
        if self.depth > 20 or not _TAKEN.isdisjoint(inside):
            raise ValueError(function.name)
        # A name that is set anywhere in a function is one of its own everywhere.
        own = {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and _is_set(one)}
        if not (own & self.names.keys()) <= inside.keys():
            raise ValueError(function.name)
        self.depth += 1
        try:
            self.body(function.body, inside)
        except _Return as left:
            return left.value
        finally:
            self.depth -= 1
        return None


class _Opened:
    """A file that is open, with its text."""

    def __init__(self, text: str) -> None:
        self.text = text


def _is_set(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - as above
    return value


def _as_text(value: Any) -> str:
    if not isinstance(value, str) and type(value) is not int:
        raise ValueError(value)
    return text_of(value)


def _added(one: Any, other: Any) -> Any:
    if type(one) is not type(other) or type(one) not in (str, int, list):
        raise ValueError(one)
    return _bounded(one + other)


def _same(one: Any, other: Any) -> bool:
    if any(isinstance(value, (list, dict)) for value in (one, other)):
        raise ValueError(one)
    return bool(one == other)


def _sorted(values: Any) -> list[Any]:
    return sorted(_text(one) for one in values)


def _replaced(value: str, old: str, new: str) -> str:
    if value.count(old) * len(new) > _MAX_LENGTH:
        raise ValueError(new)
    return value.replace(old, new)


_STATEMENTS: dict[type[ast.stmt], Callable[[_Program, Any, dict[str, Any]], None]] = {
    ast.Import: _Program.imports,
    ast.ImportFrom: _Program.imports_from,
    ast.Assign: _Program.assigns,
    ast.AugAssign: _Program.adds,
    ast.For: _Program.loops,
    ast.If: _Program.chooses,
    ast.With: _Program.opens,
    ast.FunctionDef: _Program.defines,
    ast.Return: _Program.returns,
    ast.Expr: _Program.calls,
    ast.Pass: lambda *_: None,
}
_VALUES: dict[type[ast.expr], Callable[[_Program, Any, dict[str, Any]], Any]] = {
    ast.Constant: _Program.constant,
    ast.Name: _Program.named,
    ast.Subscript: _Program.part,
    ast.BinOp: _Program.summed,
    ast.JoinedStr: _Program.filled,
    ast.List: _Program.listed,
    ast.Tuple: _Program.paired,
    ast.Dict: _Program.mapped,
    ast.Compare: _Program.compared,
    ast.BoolOp: _Program.decided,
    ast.UnaryOp: _Program.denied,
    ast.IfExp: _Program.chosen,
    ast.ListComp: _Program.collected,
    ast.GeneratorExp: _Program.collected,
    ast.Call: _Program.called,
}
_TESTS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: _same,
    ast.NotEq: lambda one, other: not _same(one, other),
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
    ast.Is: lambda one, other: one is None and other is None,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "str": _as_text,
    "len": len,
    "sorted": _sorted,
    "enumerate": lambda values, *first: [[at, one] for at, one in enumerate(values, *first)],
    "shlex.quote": lambda value: shlex.quote(_text(value)),
}
_METHODS: dict[tuple[type, str], Callable[..., Any]] = {
    (str, "join"): lambda mark, values: mark.join([*values]),
    (str, "split"): lambda value, *mark: value.split(*mark),
    (str, "splitlines"): lambda value: value.splitlines(),
    (str, "strip"): lambda value: value.strip(),
    (str, "rstrip"): lambda value: value.rstrip(),
    (str, "replace"): _replaced,
    (str, "upper"): lambda value: value.upper(),
    (str, "lower"): lambda value: value.lower(),
    (str, "startswith"): lambda value, other: value.startswith(_text(other)),
    (str, "endswith"): lambda value, other: value.endswith(_text(other)),
    (dict, "get"): lambda value, *given: value.get(*given),
    (dict, "items"): lambda value: [[key, one] for key, one in value.items()],
    (dict, "keys"): lambda value: [*value],
    (dict, "values"): lambda value: [*value.values()],
    (list, "append"): lambda value, one: _bounded(value).append(one),
    (list, "extend"): lambda value, more: _bounded(value).extend([*more]),
    (_Opened, "read"): lambda value: value.text,
}


# end of module
