"""What is left of a program that is followed: the statements that call what is not its own.

Owns the expressions for values, and the text of each file's part with the numbers of its lines. What was
computed before gets a name there (``value_3``), or is written out in another file. Pure.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from operators_edge.shell.code.python.values import (
    UNKNOWN,
    Box,
    Choice,
    FilePath,
    Instance,
    Many,
    Symbol,
    is_constant,
    options_of,
    spelled,
)
from operators_edge.text import python_source
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_MAX_STATEMENTS = 400
_MAX_INLINED = 20
"""Names in one statement that are written out."""
_MAX_WRITTEN = 4_000
"""Such names in all statements."""
_MAX_ITEMS = 64
MAX_VARIANTS = 4
"""Values of an argument that may be one of several: a call is written with each."""


class Part(NamedTuple):
    """The statements of one file, and the number of each of its lines."""

    text: str
    numbers: tuple[int, ...]


class _Left(NamedTuple):
    statement: ast.stmt
    line: int
    around: tuple[ast.expr, ...]


class Residue:
    """The statements that are left, by file."""

    def __init__(self) -> None:
        self.around: list[ast.expr] = []
        """What stands around the statements that come now: ``with moto.mock_aws():``."""
        self.imports: dict[str, list[str]] = {}
        self.made: dict[str, ast.expr] = {}
        """A name → what it stands for."""
        self.looped: dict[str, ast.expr] = {}
        """The name of a loop → what it goes through."""
        self.statements: dict[str, list[_Left]] = {}
        self.variant = 0
        self.is_cut = False
        self.inlined = 0
        self._count = self._items = 0
        self._loops: dict[str, str] = {}
        self._calls: dict[tuple[Any, ...], str] = {}

    def add_file(self, path: str) -> None:
        self.statements.setdefault(path, [])

    def library(self, name: str, module: str = "") -> Symbol:
        """Return what is imported, by its whole name."""
        root = name.partition(".")[0]
        modules = self.imports.setdefault(root, [])
        imported = module or name
        if imported not in modules:
            modules.append(imported)
        first, *rest = name.split(".")
        found: ast.expr = ast.Name(first, ast.Load())
        for part in rest:
            found = ast.Attribute(found, part, ast.Load())
        return Symbol(found)

    def each(self, items: ast.expr) -> Symbol:
        """Return what stands for one of the items that an expression gives."""
        name = self._loops.setdefault(spelled(items), f"each_{len(self._loops) + 1}")
        self.looped[name] = items
        return Symbol(ast.Name(name, ast.Load()))

    def add(self, statement: ast.stmt, path: str, line: int) -> None:
        self._count += 1
        if self._count > _MAX_STATEMENTS:
            self.is_cut = True
            return
        self.statements.setdefault(path, []).append(_Left(statement, line, tuple(self.around)))

    def called(self, call: ast.Call, path: str, line: int) -> Symbol:
        """Leave a call, and return the name for what it gives."""
        place = (path, line, spelled(call), tuple(map(spelled, self.around)))
        known = self._calls.get(place)
        if known is not None:
            return Symbol(ast.Name(known, ast.Load()))
        name = self._calls[place] = f"value_{len(self.made) + 1}"
        self.made[name] = call
        self.add(ast.Assign([ast.Name(name, ast.Store())], call), path, line)
        return Symbol(ast.Name(name, ast.Load()))

    def resolved(self, node: ast.expr) -> ast.expr:
        while isinstance(node, ast.Name) and node.id in self.made:
            node = self.made[node.id]
        return node

    def whole_name(self, node: ast.expr, most: int) -> str:
        """The dotted name of what an expression is, by way of the calls that made its objects.

        ``flask.Flask.config``; "" if it is none, or is more than so many steps away.
        """
        rest: list[str] = []
        for _ in range(most):
            node = self.resolved(node)
            if isinstance(node, ast.Attribute):
                rest.append(node.attr)
                node = node.value
            elif isinstance(node, ast.Call):
                node = node.func
            else:
                break
        return ".".join([node.id, *reversed(rest)]) if isinstance(node, ast.Name) else ""

    def expr(self, value: Any, escape: Callable[[Any], None]) -> ast.expr:
        """Return the expression for a value; ``escape`` gets what has none."""
        if is_constant(value):
            return ast.Constant(value)
        if isinstance(value, Symbol):
            return value.expr
        if isinstance(value, FilePath):
            holder = self.library("pathlib.Path", "pathlib").expr
            return ast.Call(holder, [ast.Constant(value.text)], [])
        if isinstance(value, Choice):
            for one in value.options:
                self.expr(one, escape)
            return self.expr(value.options[self.variant % len(value.options)], escape)
        if isinstance(value, Many):
            rest = ast.Starred(UNKNOWN.expr, ast.Load())
            return ast.List([self.expr(value.item, escape), rest], ast.Load())
        if isinstance(value, Box) and value.is_dict:
            items = list(value.cell["items"].items())[:_MAX_ITEMS]
            keys = [ast.Constant(key) if is_constant(key) else UNKNOWN.expr for key, _ in items]
            return ast.Dict(list(keys), [self.expr(one, escape) for _, one in items])
        if isinstance(value, Box):
            parts = [self.expr(one, escape) for one in value.values[:_MAX_ITEMS]]
            more = [ast.Starred(UNKNOWN.expr, ast.Load())] if value.is_open else []
            return ast.List([*parts, *more], ast.Load())
        if type(value) is tuple:
            return ast.Tuple([self.expr(one, escape) for one in value[:_MAX_ITEMS]], ast.Load())
        escape(value)
        return self._as_table(value, escape)

    def _as_table(self, value: Any, escape: Callable[[Any], None]) -> ast.expr:
        """A record as the table of its fields, as it is printed, if there is something to know in them."""
        cls = value.cls if isinstance(value, Instance) else None
        shown = (
            (name, one)
            for name, one in (value.attributes.items() if cls is not None and cls.fields else ())
            if cls is not None and name not in cls.unshown
        )
        known = [
            (name, one)
            for name, each in shown
            for one in options_of(each)
            if isinstance(one, Symbol) and one is not UNKNOWN
        ]
        if not known:
            return UNKNOWN.expr
        keys: list[ast.expr | None] = [ast.Constant(name) for name, _ in known]
        return ast.Dict(keys, [self.expr(one, escape) for _, one in known])

    def called_names(self) -> frozenset[str]:
        found = set()
        for kept in self.statements.values():
            for one in kept:
                for node in ast.walk(one.statement):
                    if isinstance(node, ast.Call):
                        name = Symbol(node.func).known_as
                        found.add(name or getattr(node.func, "attr", "call"))
        return frozenset(found)

    # -- the text ---------------------------------------------------------------------------------

    def parts(self) -> dict[str, Part]:
        return {path: self._part(path) for path in self.statements}

    def _part(self, path: str) -> Part:
        kept = self.statements[path]
        known: set[str] = set()
        lines: list[tuple[str, int]] = []
        seen: set[tuple[str, int]] = set()
        roots: dict[str, None] = {}
        used = _names(
            name for one in kept for name in _used(self._value_of(one.statement), *one.around)
        )
        used |= {name for each in self._reached(used) for name in _names(_used(each))}
        for one in kept:
            target = _made_by(one.statement)
            statement = one.statement
            if target and target not in used:
                statement = ast.Expr(self.made[target])
            before, self._items = self._items, 0
            again = self._written(statement, one.around, known), one.line
            self._items = before
            text = self._written(statement, one.around, known) if again not in seen else ""
            seen.add(again)
            if target:
                known.add(target)
            if not text:
                continue
            for name in _names(_used(python_source.parse(text))):
                if name in self.imports:
                    roots[name] = None
            lines += [(line, one.line) for line in text.split("\n")]
        imports = [f"import {name}" for root in roots for name in self.imports[root]]
        head = [(line, 1) for line in imports]
        every = [*head, *lines, ("pass", lines[-1][1] if lines else 1)]
        return Part("\n".join(line for line, _ in every), tuple(number for _, number in every))

    def _value_of(self, statement: ast.stmt) -> ast.AST:
        return (
            statement.value
            if isinstance(statement, ast.Assign) and _made_by(statement)
            else statement
        )

    def _reached(self, names: set[str]) -> list[ast.expr]:
        """What the names stand for that are used, and those in it."""
        left, seen, found = list(names), set(names), []
        while left:
            name = left.pop()
            for each in (self.made.get(name), self.looped.get(name)):
                if each is not None:
                    found.append(each)
                    more = _names(_used(each)) - seen
                    seen |= more
                    left += more
        return found

    def _written(self, statement: ast.stmt, around: tuple[ast.expr, ...], known: set[str]) -> str:
        """Return a statement with all that it needs: names that are made elsewhere, and its loops."""
        made = copy.deepcopy(statement)
        made = ast.fix_missing_locations(_Inlining(self, known).visit(made))
        renamed: dict[str, str] = {}
        while names := [
            name
            for name in _names(_used(made))
            if name in self.looped and name not in renamed.values()
        ]:
            # The innermost loop first: the last one that was made.
            name = max(names, key=lambda one: int(one.rpartition("_")[2]))
            self._items += 1
            fresh = f"item_{self._items}"
            made = _Renaming(name, fresh).visit(made)
            items = _Inlining(self, known).visit(copy.deepcopy(self.looped[name]))
            made = ast.For(ast.Name(fresh, ast.Store()), items, [made], [])
        for one in reversed(around):
            made = ast.With([ast.withitem(copy.deepcopy(one))], [made])
        return python_source.unparse(made)


class _Inlining(ast.NodeTransformer):
    """Writes out what was made in another file."""

    def __init__(self, residue: Residue, known: set[str]) -> None:
        self.residue = residue
        self.known = known
        self.count = 0

    def visit_Name(self, node: ast.Name) -> ast.AST:
        made = self.residue.made.get(node.id)
        if made is None or node.id in self.known or isinstance(node.ctx, ast.Store):
            return node
        self.count += 1
        self.residue.inlined += 1
        if self.count > _MAX_INLINED or self.residue.inlined > _MAX_WRITTEN:
            self.residue.is_cut = True
            return UNKNOWN.expr
        return self.visit(copy.deepcopy(made))  # type: ignore[no-any-return]


class _Renaming(ast.NodeTransformer):
    def __init__(self, name: str, fresh: str) -> None:
        self.name = name
        self.fresh = fresh

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.fresh, node.ctx) if node.id == self.name else node


def _used(*nodes: ast.AST) -> Iterable[str]:
    return (one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name))


def _names(names: Iterable[str]) -> set[str]:
    return set(names)


def _made_by(statement: ast.stmt) -> str:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


# end of module
