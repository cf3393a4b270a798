"""Classes, decorators and ``with`` in a Python program that is followed.

Owns what a decorator makes of a function, which bases call methods by themselves, and the fields of classes
that have no constructor of their own.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from operators_edge.shell.code.python import fixtures
from operators_edge.shell.code.python.arguments import Command, Parser
from operators_edge.shell.code.python.operations import OTHERS, Declared, Rest
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    Class,
    Function,
    Instance,
    Many,
    Native,
    Scope,
    Symbol,
    either,
    options_of,
)
from operators_edge.shell.commands import OWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.python.trace import Walk


def is_mock(walk: Walk, made: Symbol) -> bool:
    node = walk.residue.resolved(made.expr)
    return Symbol(node.func if isinstance(node, ast.Call) else node).known_as.startswith("moto.")


def entered(walk: Walk, made: Any, node: ast.expr) -> Any:
    """What ``with … as`` gets."""
    found = []
    for one in options_of(made):
        if isinstance(one, Instance) and one.cls is not None:
            names = ("__enter__", "__aenter__")
            methods = [walk.attribute(one, name) for name in names]
            own = next((each for each in methods if isinstance(each, Function)), None)
            found.append(walk.call(own, [], {}, node) if own is not None else one)
        elif isinstance(one, Many):
            found.append(one.item)
        elif isinstance(one, Symbol):
            call = walk.residue.resolved(one.expr)
            name = Symbol(call.func).known_as if isinstance(call, ast.Call) else ""
            found.append(OWN_PATH if name == "tempfile.TemporaryDirectory" else one)
        else:
            found.append(one)
    return either(found)


def left(walk: Walk, made: Any, node: ast.AST) -> None:
    for one in options_of(made):
        if isinstance(one, Instance) and one.cls is not None:
            for name in ("__exit__", "__aexit__"):
                method = walk.attribute(one, name)
                if isinstance(method, Function):
                    walk.call(method, [UNKNOWN] * 3, {}, node)


_PLAIN_BASES = frozenset(
    "object Exception BaseException ValueError RuntimeError KeyError TypeError OSError"  # noqa: SIM905
    " abc.ABC abc.ABCMeta enum.Enum enum.IntEnum enum.StrEnum"
    " enum.Flag typing.NamedTuple typing.Protocol typing.TypedDict typing.Generic".split()
)


_RECORDS = frozenset(
    [
        "pydantic.BaseModel",
        "typing.NamedTuple",
        "typing.TypedDict",
        "pydantic_settings.BaseSettings",
    ]
)


_DJANGO_BASES = frozenset(
    f"django.core.management.base.{name}" for name in ("BaseCommand", "AppCommand", "LabelCommand")
)


def is_plain_base(base: Any) -> bool:
    """Whether a base is known to call no method of the class by itself."""
    if isinstance(base, Symbol) and isinstance(base.expr, ast.Subscript):
        base = Symbol(base.expr.value)
    name = base.known_as if isinstance(base, Symbol) else ""
    return name in _PLAIN_BASES or name in _RECORDS or name in _DJANGO_BASES


def is_record(cls: Class) -> bool:
    return any(isinstance(one, Symbol) and one.known_as in _RECORDS for one in cls.foreign)


def note_fields(_: Walk, cls: Class, node: ast.ClassDef) -> None:
    """Remember the fields of a class that ``dataclass`` or a model makes its constructor from."""
    names = [
        one.target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ]
    before = [field for base in cls.bases for field in base.noted]
    own = [(name, cls.scope.names.get(name, ABSENT)) for name in names]
    cls.noted = [*(one for one in before if one[0] not in names), *own]
    cls.masked = {one for base in cls.bases for one in base.masked}
    cls.unshown = {one for base in cls.bases for one in base.unshown}
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            is_masked = _MASKS.search(ast.unparse(one.annotation)) is not None
            cls.masked |= {one.target.id} if is_masked else set()
            cls.unshown |= {one.target.id} if is_masked or _is_not_shown(one.value) else set()
    if is_record(cls):
        cls.fields = list(cls.noted)


_MASKS = re.compile(r"\bSecret|\bRedacted")


def _is_not_shown(default: ast.expr | None) -> bool:
    """Whether it is ``field(repr=False)``."""
    return isinstance(default, ast.Call) and any(
        one.arg == "repr" and isinstance(one.value, ast.Constant) and one.value.value is False
        for one in default.keywords
    )


def attribute_of_record(walk: Walk, holder: Instance, name: str) -> Any:
    """The fields of a record of pydantic as a table, or as a text of it; ABSENT for any other attribute."""
    if holder.cls is None or not is_record(holder.cls) or name not in _TABLES:
        return ABSENT
    table = Box(dict(holder.attributes), is_open=holder.is_open)
    if name == "__dict__":
        return table

    def dumped(_: list[Any], named: dict[str, Any]) -> Any:
        left = _without(table, named.get("exclude"))
        if name in {"model_dump", "dict"}:
            return left
        made = walk.residue.library("json.dumps", "json").expr
        return walk.symbol(ast.Call(made, [walk.expr(left)], []))

    return Native(dumped)


def _without(table: Box, excluded: Any) -> Box:
    names = excluded.cell["items"] if isinstance(excluded, Box) else ()
    items = table.cell["items"]
    return Box(
        {name: one for name, one in items.items() if name not in names}, is_open=table.is_open
    )


_TABLES = frozenset(["model_dump", "dict", "model_dump_json", "json", "__dict__"])


def set_fields(
    walk: Walk, made: Instance, cls: Class, words: list[Any], named: dict[str, Any]
) -> None:
    left_words = list(words)
    is_loose = OTHERS in named or any(isinstance(one, Rest) for one in words)
    for name, default in cls.fields or ():
        if name in named:
            value = named[name]
        elif left_words and not is_loose:
            value = left_words.pop(0)
        else:
            value = _default_of(walk, default)
        made.attributes[name] = either([value, UNKNOWN]) if is_loose else value


def _default_of(walk: Walk, default: Any) -> Any:
    if isinstance(default, Declared):
        return default.default
    if isinstance(default, Symbol) and isinstance(default.expr, ast.Name):
        made = walk.fields.get(default.expr.id)
        if made is not None:
            value, factory = made
            return walk.call(factory, [], {}, None) if factory is not ABSENT else value
    return UNKNOWN if default is ABSENT else default


def field_of(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    """``field(default=x, default_factory=list)``."""
    value = named.get("default", words[0] if words else UNKNOWN)
    name = f"field_{len(walk.fields) + 1}"
    walk.fields[name] = (value, named.get("default_factory", ABSENT))
    return Symbol(ast.Name(name, ast.Load()))


def record(walk: Walk, made: Instance, words: list[Any], named: dict[str, Any]) -> Instance:
    if made.cls is not None:
        set_fields(walk, made, made.cls, words, named)
    return made


_KEEPS = frozenset(
    "functools.lru_cache functools.cache functools.wraps contextlib.contextmanager"  # noqa: SIM905
    " contextlib.asynccontextmanager abc.abstractmethod typing.overload"
    " typing.override typing.final functools.total_ordering"
    " functools.singledispatch typing.runtime_checkable enum.unique flask.cli.with_appcontext".split()
)


_PROPERTIES = frozenset(
    ["property", "functools.cached_property", "cached_property.cached_property"]
)


_DATA = frozenset(
    "dataclasses.dataclass attr.s attr.define attrs.define attrs.frozen attr.attrs"  # noqa: SIM905
    " pydantic.dataclasses.dataclass".split()
)


def decorated(walk: Walk, decorator: Any, made: Any, node: ast.expr) -> Any:
    """What a decorator makes of a function or a class."""
    if isinstance(decorator, (Function, Class, Native)):
        return walk.call(decorator, [made], {}, node)
    name = _name_of(walk, decorator)
    if name in _KEEPS:
        return made
    if isinstance(made, Function):
        if name in _PROPERTIES:
            made.kind = "property"
            return made
        if name in {"staticmethod", "classmethod"}:
            made.kind = "static" if name == "staticmethod" else "class"
            return made
        if name.startswith("moto.") and isinstance(decorator, Symbol):
            expr = (
                decorator.expr
                if isinstance(node, ast.Name | ast.Attribute)
                else walk.residue.resolved(decorator.expr)
            )
            made.around = (*made.around, expr)
            return made
    if isinstance(made, Class) and name in _DATA:
        made.fields = list(made.noted)
        return made
    if isinstance(made, Class):
        walk.escape(made)
        return made
    if walk.start.kind == "flask" and _waits(walk, decorator):
        return made
    fixtures.note_fixture(walk, name, made)
    _wrapped(walk, decorator, made, node)
    return made


def _waits(walk: Walk, decorator: Any) -> bool:
    from operators_edge.shell.code.python import flask_apps  # noqa: PLC0415 - for few programs

    return flask_apps.waits_for_requests(walk, decorator)


def _wrapped(walk: Walk, decorator: Any, made: Any, node: ast.expr) -> None:
    """What wraps a function from elsewhere may call it, and so may the program."""
    is_test = walk.start.kind == "pytest" and isinstance(made, Function)
    if is_test:  # pytest calls it, when something may stand in for others
        walk.escape(made)
    walk.call(decorator, [UNKNOWN if is_test else made], {}, node)
    if isinstance(made, Function) and made.kind == "property":
        walk.is_whole = False


def _name_of(walk: Walk, decorator: Any) -> str:
    if not isinstance(decorator, Symbol):
        return ""
    node = walk.residue.resolved(decorator.expr)
    return decorator.known_as if not isinstance(node, ast.Call) else Symbol(node.func).known_as


def parent(walk: Walk) -> Any:
    """``super()``."""
    function = next((one.function for one in reversed(walk.frames) if one.function), None)
    if function is None or function.owner is None or not isinstance(function.holder, Instance):
        return UNKNOWN
    owner, holder = function.owner, function.holder
    made = Class(owner.name, [], Scope(None))
    cls = holder.cls
    if cls is None:
        return UNKNOWN
    for each in list(cls.lineage()):
        for name in each.scope.names:
            found = cls.find(name, after=owner)
            if found is not ABSENT:
                made.scope.names.setdefault(name, found)
    made.foreign = list(cls.foreign) or [Symbol(ast.Name("object", ast.Load()))]
    made.foreign += [one for each in cls.lineage() for one in each.foreign]
    seen = Instance(made)
    seen.attributes, seen.real = holder.attributes, holder.real
    return seen


def escape(walk: Walk, value: Any) -> None:
    """Code from elsewhere gets something of a library that is known here."""
    if isinstance(value, Command):
        for one in value.every():
            if one.function is not None:
                walk.escape(one.function)
    elif isinstance(value, Parser):
        for values in value.root.given.values():
            for each in values:
                walk.escape(each)
    elif isinstance(value, Native):
        walk.is_whole = False
    elif isinstance(value, Declared):
        walk.escape(value.default)


# end of module
