"""What a name can stand for while a Python program is followed through its modules.

Owns the values, how two of them become one where paths meet, and the expression that stands for a value in
code. Constants are Python's own. Does not own following (``shell.code.python.trace``). Pure.
"""

from __future__ import annotations

import ast
from typing import Any

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_OPTIONS = 8
"""Values that a name may have at once; of more, only that it has some value is known."""
_CONSTANTS = (str, int, float, bool, bytes, type(None), type(Ellipsis))


NORMAL, NEXT, LEAVE, RETURN, RAISE = "", "continue", "break", "return", "raise"
BY_REACH = (NORMAL, NEXT, LEAVE, RETURN, RAISE)
"""How a statement ends: first those after which most may run."""


class TooLongError(Exception):
    """There is more to walk than the bounds allow."""


class Raised(Exception):
    """The program ends its walk here, up to what may catch it."""


class Symbol(NamedTuple):
    """What is not the program's own: the expression that it is in code."""

    expr: ast.expr

    @property
    def known_as(self) -> str:
        """Its dotted name; "" if it has none."""
        names: list[str] = []
        node = self.expr
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


UNKNOWN = Symbol(ast.Name("unknown_value", ast.Load()))
ANY_NAME = "*"
"""Among the variables that a program sets: it may be any."""
ABSENT: Any = object()
"""What a name stands for that is not set."""


class FilePath(NamedTuple):
    """A ``pathlib.Path`` that is known."""

    text: str


class Many(NamedTuple):
    """Items of which the number is not known, each of them like ``item``."""

    item: Any


class Choice(NamedTuple):
    """One of several values."""

    options: tuple[Any, ...]


class Native(NamedTuple):
    """A function whose effect is known here."""

    run: Callable[[list[Any], dict[str, Any]], Any]


class Cell(dict[str, Any]):
    """What an object holds that can change: its attributes, or what is in a list or a dictionary."""

    __hash__ = object.__hash__  # type: ignore[assignment]  # each one is another place


class Held(Cell):
    """What is in a list or a dictionary: ``items``, and ``is_open`` if there may be more."""


class Box:
    """A list, a set or a dictionary; it is open if it may hold more than is known."""

    def __init__(self, items: Iterable[Any] | dict[Any, Any], *, is_open: bool = False) -> None:
        kept = dict(items) if isinstance(items, dict) else tuple(items)
        self.cell = Held(items=kept, is_open=is_open)

    @property
    def is_open(self) -> bool:
        return bool(self.cell["is_open"])

    @property
    def is_dict(self) -> bool:
        return isinstance(self.cell["items"], dict)

    @property
    def values(self) -> list[Any]:
        items = self.cell["items"]
        return list(items.values()) if isinstance(items, dict) else list(items)


class Scope:
    """The names of a module, a function or a class; ``module`` is None for that of a module itself."""

    def __init__(self, parent: Scope | None, module: Module | None = None) -> None:
        self.names = Cell()
        self.parent = parent
        self.module = module
        self.outer: dict[str, Scope] = {}
        """Names that ``global`` or ``nonlocal`` says are another scope's."""

    def find(self, name: str) -> Any:
        scope: Scope | None = self.outer.get(name, self)
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return ABSENT


class Module:
    """A module of the project."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path
        self.scope = Scope(None)


class Function:
    """A function of the program; ``holder`` is the object that a method belongs to."""

    def __init__(self, node: Any, scope: Scope, module: Module, defaults: list[Any]) -> None:
        self.node = node
        self.scope = scope
        self.module = module
        self.defaults = defaults
        self.keyword_defaults: list[Any] = []
        self.kind = ""
        self.holder: Any = None
        self.owner: Class | None = None
        self.around: tuple[ast.expr, ...] = ()

    def bound_to(self, holder: Any) -> Function:
        one = Function(self.node, self.scope, self.module, self.defaults)
        one.keyword_defaults, one.kind = self.keyword_defaults, self.kind
        one.holder, one.owner, one.around = holder, self.owner, self.around
        return one


class Class:
    """A class of the program; it is foreign if code from elsewhere may call its methods."""

    def __init__(self, name: str, bases: list[Any], scope: Scope) -> None:
        self.name = name
        self.bases = [one for one in bases if isinstance(one, Class)]
        self.foreign = [one for one in bases if not isinstance(one, Class)]
        self.scope = scope
        self.decorators: list[ast.expr] = []
        self.noted: list[tuple[str, Any]] = []
        """Its fields, with what they are at first."""
        self.fields: list[tuple[str, Any]] | None = None
        """The same, if its constructor is made from them."""
        self.masked: set[str] = set()
        """Those of which nothing is seen when they are printed."""
        self.unshown: set[str] = set()
        """Those that are left out when the whole record is printed."""

    def lineage(self) -> Iterator[Class]:
        yield self
        for one in self.bases:
            yield from one.lineage()

    def find(self, name: str, *, after: Class | None = None) -> Any:
        """Return a member of the class; with ``after``, of what comes after that class in its lineage."""
        is_reached = after is None
        for one in self.lineage():
            if is_reached and name in one.scope.names:
                return one.scope.names[name]
            is_reached |= one is after
        return ABSENT

    def methods(self) -> Iterator[tuple[str, Any]]:
        for one in self.lineage():
            yield from list(one.scope.names.items())


class Instance:
    """An object of a class of the program, or of a library's one that is known here (``cls`` is None)."""

    def __init__(self, cls: Class | None, *, is_open: bool = False) -> None:
        self.cls = cls
        self.attributes = Cell()
        self.is_open = is_open
        self.real: Instance = self
        """The object itself, if this is it as its parent class has it."""


class Frame:
    """A function, a class or a module that is being walked."""

    def __init__(self, scope: Scope, module: Module, function: Function | None = None) -> None:
        self.scope = scope
        self.module = module
        self.function = function
        self.returned: list[Any] = []
        self.yielded: list[Any] = []


def spelled(expr: ast.expr) -> str:
    """The text by which an expression is the same as another; kept, as it is asked for again and again."""
    known: str | None = getattr(expr, "spelled", None)
    if known is None:
        known = ast.dump(expr)
        expr.spelled = known  # type: ignore[attr-defined]
    return known


def is_constant(value: Any) -> bool:
    return isinstance(value, _CONSTANTS)


def options_of(value: Any) -> tuple[Any, ...]:
    return value.options if isinstance(value, Choice) else (value,)


def either(values: Iterable[Any]) -> Any:
    """Return one value for all of them; the same one counts once."""
    found: list[Any] = []
    plain = 0
    for value in values:
        for one in options_of(value):
            if one is ABSENT or any(is_same(one, each) for each in found):
                continue
            is_plain = is_constant(one) or isinstance(one, (Symbol, FilePath))
            plain += is_plain
            if not is_plain or plain <= MAX_OPTIONS:
                found.append(one)
    if plain > MAX_OPTIONS and not any(one is UNKNOWN for one in found):
        found.append(UNKNOWN)
    if not found:
        return ABSENT
    return found[0] if len(found) == 1 else Choice(tuple(found))


def is_same(left: Any, right: Any) -> bool:
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if is_constant(left) or isinstance(left, FilePath):
        return bool(left == right)
    if isinstance(left, Symbol):
        return left.expr is right.expr or spelled(left.expr) == spelled(right.expr)
    if isinstance(left, Function):
        return left.node is right.node and left.holder is right.holder
    if isinstance(left, tuple) and type(left) is tuple:
        return len(left) == len(right) and all(map(is_same, left, right))
    return False


def joined_cells(held: list[tuple[Any, bool]]) -> tuple[Any, bool]:
    """Return what a list or a dictionary holds where paths meet that left it in these states."""
    held = [(items, is_open) for items, is_open in held if items is not ABSENT]
    if all(isinstance(items, dict) for items, _ in held):
        keys = dict.fromkeys(key for items, _ in held for key in items)
        merged = {key: either(items.get(key, ABSENT) for items, _ in held) for key in keys}
        return merged, True
    found: list[Any] = []
    for items, _ in held:
        for one in items.values() if isinstance(items, dict) else items:
            if not any(is_same(one, each) for each in found):
                found.append(one)
    return tuple(found), True


def truth(value: Any) -> bool | None:
    """Whether a value counts as true; None if that is not known."""
    if isinstance(value, Choice):
        found = {truth(one) for one in value.options}
        return found.pop() if len(found) == 1 else None
    if is_constant(value) or type(value) is tuple:
        return bool(value)
    if isinstance(value, Box):
        return None if value.is_open else bool(value.cell["items"])
    if isinstance(value, (Function, Class, Module, Native, FilePath)):
        return True
    if isinstance(value, Instance) and value.cls is not None and not value.cls.foreign:
        own = (value.cls.find(name) for name in ("__bool__", "__len__"))
        return True if all(one is ABSENT for one in own) else None
    return None


# end of module
