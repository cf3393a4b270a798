"""What Python's operators and its lists do to the values of a program that is followed.

Owns texts, sums, comparisons, items and paths that are put together. Does not own attributes and methods
(``shell.code.python.attributes``), nor calls (``shell.code.python.library``).
"""

from __future__ import annotations

import ast
import posixpath
import string
from typing import Any

from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    Choice,
    Class,
    FilePath,
    Function,
    Instance,
    Many,
    Module,
    Native,
    Symbol,
    either,
    is_constant,
)
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.python.trace import Walk

ANY_KEY = Native(lambda _, __: None)
"""The key of what a dictionary may hold under any name."""


OTHERS = "**"
"""The name of arguments that are not known by their names."""


_MAX_TEXT = 16 * 1024


MAX_ITEMS = 32
"""Items of a loop, a range or a text that are walked one by one."""


class Rest(NamedTuple):
    """Arguments of which the number is not known."""

    value: Any


class Slice(NamedTuple):
    """The key of a part; None if its bounds are not known."""

    bounds: slice | None


class Shown(NamedTuple):
    """A value in a text, in a form that is not computed."""

    value: Any


class Declared(NamedTuple):
    """``typer.Option(default, "--name")``."""

    is_argument: bool
    default: Any
    names: tuple[str, ...]


class Template(NamedTuple):
    """``string.Template(text)``."""

    text: str


def filled(walk: Walk, template: Template, words: list[Any], named: dict[str, Any]) -> Any:
    """Return what ``substitute`` and ``safe_substitute`` make of a template."""
    given = words[0] if words else Box({})
    if not isinstance(given, Box) or not given.is_dict or OTHERS in named:
        return UNKNOWN
    values = {**given.cell["items"], **named}
    parts: list[Any] = []
    end = 0
    for one in string.Template.pattern.finditer(template.text):
        parts.append(template.text[end : one.start()])
        end = one.end()
        name = one["named"] or one["braced"]
        if name in values:
            parts.append(text_of(values[name]))
        elif name and given.is_open:
            parts.append(Shown(UNKNOWN))
        else:
            parts.append("$" if one["escaped"] is not None else one[0])
    return formatted(walk, [*parts, template.text[end:]])


def builtin(_: Walk, name: str) -> Any:
    """Return what a name stands for that the program does not set."""
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    return Symbol(ast.Name(name, ast.Load()))


_CONSTANTS: dict[str, Any] = {"__debug__": True, "NotImplemented": UNKNOWN}


def import_all(walk: Walk, base: str) -> None:
    """``from library import *``: the names that are asked for later may be its own."""
    from operators_edge.shell.code.languages import CALLS  # noqa: PLC0415 - few programs do so

    names = {name.removeprefix(f"{base}.") for name in CALLS if name.startswith(f"{base}.")}
    for name in sorted(names):
        if name.isidentifier():
            walk.write(walk.frame.scope.names, name, walk.residue.library(f"{base}.{name}", base))
    walk.is_whole = False


def text_of(value: Any) -> Any:
    """Return a constant as it is shown in a text; any other value as it is."""
    if isinstance(value, FilePath):
        return value.text
    return str(value) if is_constant(value) else Shown(value)


def formatted(walk: Walk, parts: list[Any]) -> Any:
    if all(isinstance(one, str) for one in parts):
        return "".join(parts)[:_MAX_TEXT]
    values: list[ast.expr] = []
    for one in parts:
        shown = ast.Constant(one) if isinstance(one, str) else walk.expr(one.value)
        if isinstance(shown, ast.JoinedStr):  # a text in a text
            values += shown.values
        elif isinstance(one, str):
            values.append(shown)
        else:
            values.append(ast.FormattedValue(shown, -1, None))
    return walk.symbol(ast.JoinedStr(values))


def operated(walk: Walk, left: Any, op: ast.operator, right: Any) -> Any:  # noqa: C901 - a case for each kind of value
    is_path_op = isinstance(op, ast.Div) and is_path(left) and is_path(right)
    if is_path_op and FilePath in {type(left), type(right)}:
        return FilePath(path_of(path_text(left), path_text(right)))
    if is_constant(left) and is_constant(right):
        return _computed(op, left, right)
    if isinstance(op, ast.Mod) and isinstance(left, str):
        shown = plain(right) if isinstance(right, Box) else ABSENT
        if type(right) is tuple and all(
            isinstance(one, FilePath) or is_constant(one) for one in right
        ):
            shown = tuple(path_text(one) if isinstance(one, FilePath) else one for one in right)
        if isinstance(shown, (dict, tuple)):
            return safely(lambda: left % shown)
    if isinstance(op, ast.Add):
        first, second = items_of(walk, left), items_of(walk, right)
        is_list = all(isinstance(one, Box) or type(one) is tuple for one in (left, right))
        if is_list and first is not None and second is not None:
            whole = [*first, *second]
            return tuple(whole) if isinstance(left, tuple) else Box(whole)
        if isinstance(left, (Box, Many)) or isinstance(right, (Box, Many)):
            found = [*(first or [item_of(walk, left)]), *(second or [item_of(walk, right)])]
            return Box(found, is_open=True)
    are_boxes = isinstance(left, Box) and isinstance(right, Box)
    if isinstance(op, ast.BitOr) and are_boxes and left.is_dict and right.is_dict:
        merged = {**left.cell["items"], **right.cell["items"]}
        return Box(merged, is_open=left.is_open or right.is_open)
    if isinstance(left, Instance) or isinstance(right, Instance):
        walk.escape((left, right))
        return UNKNOWN
    if isinstance(left, Symbol) and left is UNKNOWN and isinstance(right, Symbol):
        return UNKNOWN
    return walk.symbol(ast.BinOp(walk.expr(left), op, walk.expr(right)))


def _computed(op: ast.operator, left: Any, right: Any) -> Any:
    is_number = isinstance(left, (int, float)) and isinstance(right, (int, float))
    if isinstance(op, ast.Add):
        return safely(lambda: left + right)
    if isinstance(op, ast.Mod):
        return safely(lambda: left % right)
    if isinstance(op, ast.Mult) and (is_number or (isinstance(right, int) and right < 65)):
        return safely(lambda: left * right)
    if is_number and isinstance(op, ast.Sub):
        return safely(lambda: left - right)
    if is_number and isinstance(op, (ast.Div, ast.FloorDiv)):
        return safely(lambda: left / right if isinstance(op, ast.Div) else left // right)
    if is_number and isinstance(op, (ast.BitOr, ast.BitAnd)):
        return safely(lambda: left | right if isinstance(op, ast.BitOr) else left & right)
    return UNKNOWN


def safely(compute: Callable[[], Any]) -> Any:
    try:
        value = compute()
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
        return UNKNOWN
    return value if len(repr(value)) <= _MAX_TEXT else UNKNOWN


def compared(left: Any, op: ast.cmpop, right: Any) -> bool | None:
    """Whether two values compare so; None if that is not known."""
    if isinstance(op, (ast.In, ast.NotIn)):
        found = _is_in(left, right)
        return None if found is None else found is isinstance(op, ast.In)
    if is_constant(left) and is_constant(right):
        if isinstance(op, (ast.Eq, ast.Is)):
            return bool(left == right)
        if isinstance(op, (ast.NotEq, ast.IsNot)):
            return bool(left != right)
        try:
            return _ORDERS[type(op)](left, right)
        except (TypeError, KeyError):
            return None
    own = (Function, Class, Instance, Box, tuple, FilePath, Many, Module, Native)
    is_none = left is None or right is None
    other = right if left is None else left
    is_own = isinstance(other, own) and not isinstance(other, (Symbol, Choice))
    if is_none and is_own and isinstance(op, (ast.Is, ast.IsNot)):
        return isinstance(op, ast.IsNot)
    return None


_ORDERS: dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: lambda left, right: bool(left < right),
    ast.LtE: lambda left, right: bool(left <= right),
    ast.Gt: lambda left, right: bool(left > right),
    ast.GtE: lambda left, right: bool(left >= right),
}


def _is_in(left: Any, right: Any) -> bool | None:
    if isinstance(left, str) and isinstance(right, str):
        return left in right
    is_closed = isinstance(right, Box) and not right.is_open
    if not is_constant(left) or not (is_closed or type(right) is tuple):
        return None
    items = list(right.cell["items"]) if isinstance(right, Box) else list(right)
    if any(is_constant(one) and one == left for one in items):
        return True
    return False if all(map(is_constant, items)) else None


def items_of(_: Walk, value: Any) -> list[Any] | None:
    """The items that a loop over a value gets; None if they are not all known."""
    if type(value) is tuple:
        return list(value)
    if isinstance(value, Box) and not value.is_open:
        return list(value.cell["items"])
    if isinstance(value, str) and len(value) <= MAX_ITEMS:
        return list(value)
    if isinstance(value, Instance) and value.cls is not None and value.cls.foreign:
        is_model = value.cls.fields is not None and value.cls.find("__iter__") is ABSENT
        return list(value.attributes.items()) if is_model and not value.is_open else None
    return None


def item_of(walk: Walk, value: Any) -> Any:
    """What stands for any item of a value."""
    if isinstance(value, Choice):
        # What is empty has none.
        found = either(item_of(walk, one) for one in value.options if one != ())
        return UNKNOWN if found is ABSENT else found
    if isinstance(value, Many):
        return value.item
    if isinstance(value, Box):
        items = list(value.cell["items"])
        known = [one for one in items if one is not ANY_KEY]
        return either([*known, UNKNOWN] if value.is_open or not known else known)
    if type(value) is tuple:
        return either(value) if value else UNKNOWN
    if isinstance(value, Instance) and value.cls is not None:
        method = walk.attribute(value, "__iter__")
        if isinstance(method, Function):
            return item_of(walk, walk.call(method, [], {}, None))
    if isinstance(value, Symbol) and value is not UNKNOWN:
        return walk.residue.each(value.expr)
    return UNKNOWN


def loosen(walk: Walk, box: Box, *, is_open: bool = True) -> None:
    """Something may have moved or changed what is in it; ``is_open``: and added to it."""
    items = box.cell["items"]
    if isinstance(items, dict):
        walk.write(box.cell, "items", {key: either([one, UNKNOWN]) for key, one in items.items()})
    elif len(items) > 1 or is_open:
        any_item = either([*items, UNKNOWN] if is_open else items)
        walk.write(box.cell, "items", (any_item,) * len(items))
    if is_open:
        walk.write(box.cell, "is_open", True)


def extend(walk: Walk, box: Box, given: Any) -> None:
    items = items_of(walk, given)
    more = [item_of(walk, given)] if items is None else items
    walk.write(box.cell, "items", (*box.cell["items"], *more))
    if items is None:
        walk.write(box.cell, "is_open", True)


def item_at(walk: Walk, holder: Any, key: Any, node: ast.Subscript) -> Any:  # noqa: C901 - a case for each kind of value
    """``holder[key]``."""
    if isinstance(key, Slice):
        return _part(walk, holder, key, node)
    if isinstance(holder, Box) and holder.is_dict:
        items = holder.cell["items"]
        if is_constant(key):
            return (
                either([items.get(key, ABSENT), items.get(ANY_KEY, ABSENT)])
                if (key in items or ANY_KEY in items)
                else UNKNOWN
            )
        return either([*items.values(), UNKNOWN])
    if isinstance(holder, (Box, tuple)) and not isinstance(holder, (Symbol, FilePath, Many)):
        items = holder.values if isinstance(holder, Box) else list(holder)
        is_open = isinstance(holder, Box) and holder.is_open
        if isinstance(key, int) and not is_open:
            return items[key] if -len(items) <= key < len(items) else UNKNOWN
        return either([*items, UNKNOWN])
    if isinstance(holder, str) and isinstance(key, int):
        return safely(lambda: holder[key])
    if isinstance(holder, Many):
        return holder.item
    if isinstance(holder, Instance) and holder.cls is not None:
        method = walk.attribute(holder, "__getitem__")
        return walk.call(method, [key], {}, node) if isinstance(method, Function) else UNKNOWN
    if isinstance(holder, Symbol):
        if holder.known_as == "sys.modules":
            walk.is_whole = False
        if holder is UNKNOWN:
            return UNKNOWN
        return walk.symbol(ast.Subscript(holder.expr, walk.expr(key), ast.Load()))
    return UNKNOWN


def _part(walk: Walk, holder: Any, key: Slice, node: ast.Subscript) -> Any:
    items = items_of(walk, holder)
    if isinstance(holder, str) and key.bounds is not None:
        bounds = key.bounds
        return safely(lambda: holder[bounds])
    if items is not None and key.bounds is not None and not isinstance(holder, str):
        try:
            part = items[key.bounds]
        except (TypeError, ValueError):  # a step of 0, a text as a bound
            return UNKNOWN
        return tuple(part) if type(holder) is tuple else Box(part)
    if isinstance(holder, (Box, tuple)) and not isinstance(holder, (Symbol, FilePath, Many)):
        return Box(holder.values if isinstance(holder, Box) else holder, is_open=True)
    if isinstance(holder, Symbol) and holder is not UNKNOWN:
        return (
            walk.symbol(ast.Subscript(holder.expr, node.slice, ast.Load()))
            if _is_fixed(node.slice)
            else Many(walk.residue.each(holder.expr))
        )
    return holder if isinstance(holder, Many) else UNKNOWN


def _is_fixed(node: ast.expr) -> bool:
    return not any(isinstance(one, (ast.Name, ast.Call)) for one in ast.walk(node))


def given_words(walk: Walk, words: list[Any]) -> list[ast.expr]:
    return [
        ast.Starred(walk.expr(one.value), ast.Load()) if isinstance(one, Rest) else walk.expr(one)
        for one in words
    ]


def given_names(walk: Walk, named: dict[str, Any]) -> list[ast.keyword]:
    return [
        ast.keyword(None if key == OTHERS else key, walk.expr(one)) for key, one in named.items()
    ]


def path_text(value: Any) -> str:
    return value.text if isinstance(value, FilePath) else str(value)


def path_of(first: str, *others: str) -> str:
    """Join paths; the home begins a path like a root, as ``expanduser`` makes one of it."""
    path = first
    for one in others:
        path = one if one == "~" or one[:2] == "~/" else posixpath.join(path, one)
    return path


def is_path(value: Any) -> bool:
    return isinstance(value, (str, FilePath))


def joined_paths(walk: Walk, parts: list[Any], *, as_path: bool = False) -> Any:
    if parts and all(map(is_path, parts)):
        text = path_of(*map(path_text, parts))
        return FilePath(text) if as_path else text
    if any(isinstance(one, Choice) for one in parts) and parts:
        varying = [at for at, one in enumerate(parts) if isinstance(one, Choice)]
        if len(varying) == 1:
            at = varying[0]
            return either(
                joined_paths(walk, [*parts[:at], one, *parts[at + 1 :]], as_path=as_path)
                for one in parts[at].options
            )
    if as_path:
        first = walk.expr(parts[0])
        return walk.symbol(
            ast.Call(ast.Attribute(first, "joinpath", ast.Load()), given_words(walk, parts[1:]), [])
        )
    return ABSENT


def as_value(value: Any) -> Any:
    if isinstance(value, dict):
        return Box({key: as_value(one) for key, one in value.items()})
    return Box(map(as_value, value)) if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """Return a value as Python's own; ABSENT if it is not known."""
    if isinstance(value, Box) and not value.is_open:
        if value.is_dict:
            items = {key: plain(one) for key, one in value.cell["items"].items()}
            return ABSENT if ABSENT in items.values() else items
        found = [plain(one) for one in value.values]
        return ABSENT if ABSENT in found else found
    if isinstance(value, FilePath):
        return value.text
    return value if is_constant(value) else ABSENT


# end of module
