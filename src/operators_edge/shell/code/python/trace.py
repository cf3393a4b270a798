"""What a Python program calls outside its own modules, followed from its first statement through all of them.

``python -m store gc`` runs ``main``, which hands the words of the command to a parser, which chooses
``gc.run``, which deletes the files below a path of a third module: what is left of that is one statement,
``pathlib.Path("/project/snapshots/a.tar").unlink()``, at its place in ``store/gc.py``. Such statements are
what the readers of one file are given in the place of the files.

The program is walked like by an interpreter whose values are partly unknown: both branches of a condition
that is not known are taken, a loop of unknown length twice. What is handed to code from elsewhere may be
called by it at any time. ``is_whole`` is False if something else than what was walked may run, too.

Owns the order of the walk, and what changes on its way. Does not own values (``shell.code.python.values``),
what statements and assignments do (``shell.code.python.statements``, ``shell.code.python.assignments``),
calls of its own functions (``shell.code.python.functions``) and of known libraries
(``shell.code.python.library``), or the words of the command (``shell.code.python.arguments``). Nothing is
run. Slow to import: for files alone.
"""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from typing import Any

from operators_edge.shell.code.python import (
    attributes,
    classes,
    commands,
    expressions,
    fixtures,
    functions,
    library,
    operations,
    settings,
    statements,
)
from operators_edge.shell.code.python.arguments import Command, NotReadError
from operators_edge.shell.code.python.residue import Residue
from operators_edge.shell.code.python.values import (
    ABSENT,
    BY_REACH,
    MAX_OPTIONS,
    NORMAL,
    RAISE,
    UNKNOWN,
    Box,
    Cell,
    Choice,
    Class,
    FilePath,
    Frame,
    Function,
    Held,
    Instance,
    Many,
    Module,
    Native,
    Raised,
    Symbol,
    TooLongError,
    either,
    is_constant,
    joined_cells,
    options_of,
)
from operators_edge.text import python_source
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from operators_edge.shell.code.python.residue import Part
    from operators_edge.shell.code.python.stand_ins import StandIns, Suite

_FRAMEWORKS = frozenset(["django", "django-tests", "flask"])
_MAX_STEPS = 6_000
_MAX_NODES = 100
"""Parts of one expression; what is larger is not known."""
_MAX_ABOVE = 6
"""Folders above a file of tests in which fixtures are looked for."""
_OF_CLASSES = frozenset(
    "__name__ __qualname__ __module__ __doc__ __annotations__ __init__ __new__ __members__".split()  # noqa: SIM905
)
_CHANGES_SEARCH = re.compile(
    r"\bsys\b[^\n]{0,200}\bpath\b|\b(?:meta_path|path_hooks|path_importer_cache|addsitedir|__path__)\b"
)
"""In a module's text: it may have Python look for modules elsewhere."""


_MODEL = re.compile(
    r"django\.(?:contrib\.(?:gis\.)?)?db\.models\.Model|django\.contrib\.auth\.\w+\.\w+User\w*"
)

_FAULTS = (
    *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError),
    *(NotReadError, Raised, RuntimeError, SyntaxError, MemoryError),
)
"""What a mistake of ours raises. What the program's own values raise is caught where they are computed."""


class Trace(NamedTuple):
    """What is left of a program, by the file that it is in."""

    parts: dict[str, Part]
    is_whole: bool
    called: frozenset[str]
    """The dotted names of all that it calls."""


class Start(NamedTuple):
    """Where a program begins: a file that is run, or a function of it; ``words`` are ``sys.argv``.

    ``kind`` is "script", "function" with a ``name``, "tests", "pytest", "django" for a management command,
    "django-tests" for the settings of a run of tests, with the ``name`` of a runner that is given, or "flask"
    for the ``name`` of an application, with the words of its command.
    ``environment`` are variables that it may get; if it ``is_contained``, in no other way. It gets those
    in ``given`` in any case, and unknown values of those that ``unknown`` names: ANY_NAME for any.
    ``answers`` are the libraries that reach no other machine while a test of pytest runs.
    ``settings`` is the module that a program of Django has its settings from.
    """

    path: str
    text: str
    folder: str
    words: tuple[str, ...] | None = None
    kind: str = "script"
    name: str = ""
    package: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    is_contained: bool = False
    answers: tuple[str, ...] = ()
    settings: str = ""


def trace(
    start: Start,
    find: Callable[[str, str], tuple[str, str] | None],
    read: Callable[[str], str | None],
) -> Trace | None:
    """Follow a program; None if that is too long.

    ``find`` returns the file of a module from its name and a folder, ``read`` the text of any other file.
    """
    try:
        return followed(start, find, read)
    except (TooLongError, RecursionError):
        return None
    except _FAULTS:
        return None  # must not stop the gate: the files are judged one by one


def followed(
    start: Start,
    find: Callable[[str, str], tuple[str, str] | None],
    read: Callable[[str], str | None],
) -> Trace:
    """Follow a program as ``trace`` does, and raise what goes wrong: tests see by it what that hides."""
    walk = Walk(start, find, read)
    walk.run()
    parts = walk.residue.parts()
    is_elsewhere = walk.changes_search and bool(walk.not_found - sys.stdlib_module_names)
    is_whole = walk.is_whole and not walk.residue.is_cut and not is_elsewhere
    if walk.is_stood_for:
        from operators_edge.shell.code.python import stand_ins  # noqa: PLC0415 - for test files alone

        is_whole &= not stand_ins.lets_through(walk)
    return Trace(parts, is_whole, walk.residue.called_names())


def _named_in_code(cls: Class) -> ast.expr:
    """What stands for a class in code: for a model of Django, the class there that it is made from."""
    bases = (each for one in cls.lineage() for each in one.foreign if isinstance(each, Symbol))
    models = (one.expr for one in bases if _MODEL.fullmatch(one.known_as))
    return next(models, ast.Name(cls.name, ast.Load()))


def value_in(
    start: Start,
    name: str,
    find: Callable[[str, str], tuple[str, str] | None],
    read: Callable[[str], str | None],
) -> list[Any] | None:
    """Return the values of a dictionary that a module sets, as Python's own; None if they are not known."""
    walk = Walk(start._replace(kind="module"), find, read)
    try:
        walk.run()
    except (TooLongError, RecursionError, *_FAULTS):
        return None
    module = walk.modules.get(start.path)
    found = module.scope.find(name) if module is not None else ABSENT
    if not walk.is_whole or not isinstance(found, Box) or not found.is_dict or found.is_open:
        return None
    values = [operations.plain(one) for one in found.values]
    return None if ABSENT in values else values


def names_in(text: str) -> dict[str, Any]:
    """Return what a text sets, as Python's own values, as far as it is known by itself.

    Of values that depend on what is not known, one that leads out of the folder counts.
    """
    walk = Walk(Start("x.py", text, "", kind="module"), lambda *_: None, lambda _: None)
    try:
        walk.run()
    except (TooLongError, RecursionError, *_FAULTS):
        return {}
    module = walk.modules.get("x.py")
    names = module.scope.names if module is not None else {}
    known = {name: _one_of(map(operations.plain, options_of(one))) for name, one in names.items()}
    return {name: one for name, one in known.items() if one is not ABSENT}


def _one_of(values: Iterable[Any]) -> Any:
    found = list(values)
    away = [
        one for one in found if isinstance(one, str) and (one[:1] in ("/", "~") or "://" in one)
    ]
    return away[0] if away else found[0] if len(found) == 1 else ABSENT


class Walk:
    """One walk through a program."""

    def __init__(
        self,
        start: Start,
        find: Callable[[str, str], tuple[str, str] | None],
        read: Callable[[str], str | None],
    ) -> None:
        self.start = start
        self.find = find
        self.is_whole = True
        self.changes_search = False
        self.not_found: set[str] = set()
        """Names of modules that are not the project's."""
        self.unsure = 0
        """How many parts of the program are walked around this that may not run, or not to their end."""
        self.residue = Residue()
        self.suite: Suite | None = None
        self.stand_ins: StandIns | None = None
        self.is_stood_for = False
        """Whether a call was left out because something stands in for it."""
        self.put: set[str] = set()
        self.texts: list[str] = []
        self.steps = 0
        self.log: list[tuple[Cell, str, Any]] = []
        self.modules: dict[str, Module | None] = {}
        self.frames: list[Frame] = []
        self.escaped: set[tuple[int, int]] = set()
        self.kept: list[Any] = []
        """What has escaped, so that nothing else gets its identity."""
        self.waiting: list[Any] = []
        self.fields: dict[str, tuple[Any, Any]] = {}
        """``dataclasses.field(…)`` by a name: its value, and what makes it."""
        self.options: dict[int, tuple[list[Any], list[str]]] = {}
        """What click's decorators say of a function that is not a command yet."""
        self.read = read
        words = start.words
        self.words = None if words is None or any("\0" in one for one in words) else list(words)
        self.argv = Box(self.words or ())
        self.commands = Command(is_group=True)
        """Those of an application of Flask."""
        self.settings = start.settings
        """The module of settings of a program of Django."""
        self.databases: Any = ABSENT
        self.is_routed = False
        """What these have as ``DATABASES``, and whether something chooses between them."""
        self.environ = Cell()
        """Variables of which something is known."""
        self.set_variables: set[str] = set()
        """Names of variables that the program may get from the line, from files, or from itself."""
        self.set_on_libraries = Cell(dict.fromkeys(library.BASES, UNKNOWN))
        """What the program sets there: ``stripe.api_base``."""
        self.fixtures: dict[str, Function] = {}
        """Functions of which pytest gives the values to those that name them."""
        self.asked: list[Function] = []
        """The fixtures whose values are being made."""
        settings.begin(self)

    # -- a program --------------------------------------------------------------------------------

    def run(self) -> None:
        start = self.start
        name = "__main__" if start.kind == "script" else posixpath.basename(start.path)[:-3]
        if start.kind in {"tests", "pytest"}:
            self._load_fixtures(posixpath.dirname(start.path))
            settings.note_real_database(self)
        module = self.module_of(name, start.path, start.text, package=start.package)
        if module is None:
            self.is_whole = False
            return
        try:
            if start.kind == "function":
                self.frames.append(Frame(module.scope, module))
                found = module.scope.find(start.name)
                if found is ABSENT:
                    self.is_whole = False
                else:
                    self.call(found, [], {}, None)
            elif start.kind in _FRAMEWORKS:
                self._run_by_framework(module)
            elif start.kind == "pytest":
                from operators_edge.shell.code.python import stand_ins  # noqa: PLC0415 - for test files alone

                stand_ins.run(self, module)
            elif start.kind == "tests":
                self.escape(tuple(module.scope.names.values()))
        except Raised:
            pass
        self._run_waiting()

    def _run_by_framework(self, module: Module) -> None:
        """Walk what the program of a framework runs of the project."""
        if self.start.kind == "django":
            from operators_edge.shell.code.python import django_settings  # noqa: PLC0415 - for few programs

            settings.note_django(self)
            commands.run_django(self, module)
            django_settings.note_others(self)
        elif self.start.kind == "django-tests":
            from operators_edge.shell.code.python import django_settings  # noqa: PLC0415 - as above

            django_settings.run_tests(self, module)
        else:
            from operators_edge.shell.code.python import flask_apps  # noqa: PLC0415 - for few programs

            flask_apps.run(self, module)

    def _load_fixtures(self, folder: str) -> None:
        """Walk the files of fixtures above a file of tests."""
        for _ in range(_MAX_ABOVE):
            found = self.find(".conftest", folder)
            if found is not None and found[0] != self.start.path:
                self.module_of("conftest", *found, package=folder)
            if folder in {"", "/", "."}:
                break
            folder = posixpath.dirname(folder)

    def _run_waiting(self) -> None:
        """Walk what code from elsewhere may call at any time."""
        if self.suite is None:
            # what waits may have been called before something was set
            self.set_on_libraries.update(dict.fromkeys(self.set_on_libraries, UNKNOWN))
        while self.waiting:
            value = self.waiting.pop(0)
            self.repeated(lambda value=value: self._called_by_others(value))  # type: ignore[misc]

    def _called_by_others(self, value: Any) -> str:
        count = 0
        node = value.node
        if not isinstance(node, ast.Lambda):
            count = len(node.args.posonlyargs) + len(node.args.args) - (value.holder is not None)
        else:
            count = len(node.args.args)
        given = [UNKNOWN] * max(count, 0)
        if self.fixtures and value.holder is None:
            names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
            given = [fixtures.given_by_pytest(self, one) for one in names]
        if self.suite is None:
            self.call(value, given, {}, None)
            return NORMAL
        from operators_edge.shell.code.python import stand_ins  # noqa: PLC0415 - for test files alone

        with stand_ins.standing_in(self, value):
            self.call(value, given, {}, None)
        return NORMAL

    def module_of(self, name: str, path: str, text: str, *, package: str = "") -> Module | None:
        if path in self.modules:
            return self.modules[path]
        module = Module(name, path)
        self.modules[path] = module
        self.changes_search |= _CHANGES_SEARCH.search(text) is not None
        self.texts.append(text)
        try:
            tree, left_out = python_source.parse_most(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.modules[path] = None
            self.is_whole = False
            return None
        self.is_whole &= not left_out
        scope = module.scope
        scope.names.update({"__name__": name, "__file__": path, "__doc__": UNKNOWN})
        scope.names["__package__"] = package
        self.residue.add_file(path)
        self.frames.append(Frame(scope, module))
        try:
            self.block(tree.body)
        except Raised:
            pass
        finally:
            self.frames.pop()
        return module

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def leave(self) -> Any:
        """The program ends here."""
        raise Raised

    # -- what changes -----------------------------------------------------------------------------

    def write(self, cell: Cell, key: str, value: Any) -> None:
        self.step()
        self.log.append((cell, key, cell.get(key, ABSENT)))
        if value is ABSENT:
            cell.pop(key, None)
        else:
            cell[key] = value

    def branch(self, *runs: Callable[[], str]) -> str:
        """Walk texts of which one will run; what they change may then be either."""
        ends: list[str] = []
        states: list[dict[tuple[int, str], tuple[Cell, str, Any]]] = []
        for run in runs:
            mark = len(self.log)
            self.unsure += 1
            try:
                ends.append(run())
            except Raised:
                ends.append(RAISE)
            finally:
                self.unsure -= 1
            entries = self.log[mark:]
            states.append(
                {(id(cell), key): (cell, key, cell.get(key, ABSENT)) for cell, key, _ in entries}
            )
            for cell, key, before in reversed(entries):
                if before is ABSENT:
                    cell.pop(key, None)
                else:
                    cell[key] = before
            del self.log[mark:]
        for place in dict.fromkeys(each for state in states for each in state):
            cell, key, _ = next(state[place] for state in states if place in state)
            before = cell.get(key, ABSENT)
            self.merge(
                cell, key, [state[place][2] if place in state else before for state in states]
            )
        return min(ends, key=BY_REACH.index)

    def merge(self, cell: Cell, key: str, values: list[Any]) -> None:
        if isinstance(cell, Held):
            if key == "items":
                items, is_open = joined_cells([(one, True) for one in values])
                self.write(cell, "items", items)
                self.write(cell, "is_open", is_open)
            return
        value = either(values)
        if isinstance(value, Choice) and len(value.options) > MAX_OPTIONS:
            self.escape(value.options)
            value = UNKNOWN
        self.write(cell, key, value)

    def repeated(self, run: Callable[[], str]) -> str:
        """Walk what may run any number of times."""
        mark = len(self.log)
        end = self.branch(run, lambda: NORMAL)
        for cell, key in dict.fromkeys((one, key) for one, key, _ in self.log[mark:]):
            value = cell.get(key, ABSENT)
            if isinstance(cell, Held):
                self.write(cell, "is_open", True)
            elif value is not ABSENT:
                self.write(cell, key, either([value, UNKNOWN]))
        return min(end, self.branch(run, lambda: NORMAL), key=BY_REACH.index)

    # -- what code from elsewhere gets ------------------------------------------------------------

    def escape(self, value: Any) -> None:  # noqa: C901 - a case for each kind of value
        """Note what code from elsewhere may call now."""
        for one in options_of(value):
            mark = (id(one), id(getattr(one, "node", None)))
            if is_constant(one) or isinstance(one, (Symbol, FilePath)) or mark in self.escaped:
                continue
            self.kept.append(one)
            self.escaped.add(mark)
            if isinstance(one, Function):
                same = (id(one.node), id(one.holder))
                if same not in self.escaped:
                    self.escaped.add(same)
                    self.waiting.append(one)
            elif isinstance(one, Class):
                self._escape_methods(one, Instance(one, is_open=True))
            elif isinstance(one, Instance):
                for each in list(one.attributes.values()):
                    self.escape(each)
                if one.cls is not None:
                    self._escape_methods(one.cls, one)
            elif isinstance(one, Box) or type(one) is tuple:
                for each in one.values if isinstance(one, Box) else one:
                    self.escape(each)
            elif isinstance(one, Many):
                self.escape(one.item)
            else:
                classes.escape(self, one)

    def _escape_methods(self, cls: Class, holder: Instance) -> None:
        for _, member in cls.methods():
            for one in options_of(member):
                if isinstance(one, Function):
                    self.escape(one if one.kind == "static" else one.bound_to(holder))

    # -- statements -------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> str:
        for statement in body:
            end = self.statement(statement)
            if end:
                return end
        return NORMAL

    def statement(self, node: ast.stmt) -> str:
        self.step()
        handler = statements.STATEMENTS.get(type(node))
        if handler is None:
            self.is_whole = False
            return NORMAL
        return handler(self, node) or NORMAL

    def step(self) -> None:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise TooLongError

    def load(self, name: str, folder: str, dotted: str) -> Module | None:
        found = self.find(name, folder)
        if found is None:
            return None
        path, text = found
        return self.module_of(dotted, path, text, package=posixpath.dirname(path))

    # -- expressions ------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Any:
        self.step()
        handler = expressions.EXPRESSIONS.get(type(node))
        if handler is None:
            self.is_whole = False
            return UNKNOWN
        return handler(self, node)

    def symbol(self, expr: ast.expr) -> Symbol:
        """Return the value of an expression; of a large one, only that it has some value."""
        left: list[ast.AST] = [expr]
        count = 0
        while left and count <= _MAX_NODES:
            node = left.pop()
            count += 1
            left += ast.iter_child_nodes(node)
        if count <= _MAX_NODES:
            return Symbol(expr)
        self.residue.is_cut = True
        return UNKNOWN

    def expr(self, value: Any) -> ast.expr:
        """Return the expression that stands for a value; what is the program's own escapes."""
        return self.residue.expr(value, self.escape)

    def attribute(self, holder: Any, name: str, node: ast.AST | None = None) -> Any:
        if isinstance(holder, Instance):
            return self._attribute_of(holder, name, node)
        if isinstance(holder, Class):
            found = holder.find(name)
            if isinstance(found, Function) and found.kind == "class":
                return found.bound_to(holder)
            if found is not ABSENT:
                return found
            if name[:2] != "__" and any(one.foreign for one in holder.lineage()):
                return self.symbol(ast.Attribute(_named_in_code(holder), name, ast.Load()))
            if name[:2] == "__" and name not in _OF_CLASSES:
                self.is_whole = False  # it may lead to other classes
            return holder.name if name == "__name__" else UNKNOWN
        if isinstance(holder, Module):
            found = holder.scope.find(name)
            if found is ABSENT:
                inner = self.load(f".{name}", posixpath.dirname(holder.path), name)
                found = inner if inner is not None else ABSENT
            if found is ABSENT:
                self.is_whole = False
                return UNKNOWN
            return found
        return attributes.attribute(self, holder, name)

    def _attribute_of(self, holder: Instance, name: str, node: ast.AST | None) -> Any:  # noqa: C901 - a case for each kind of value
        own = holder.attributes.get(name, ABSENT)
        if own is not ABSENT:
            return either([own, UNKNOWN]) if holder.is_open and holder.cls is not None else own
        found = holder.cls.find(name) if holder.cls is not None else ABSENT
        members = []
        for one in options_of(found):
            if isinstance(one, Function):
                if one.kind == "property":
                    members.append(self.call(one.bound_to(holder.real), [], {}, node))
                elif one.kind == "static":
                    members.append(one)
                else:
                    members.append(one.bound_to(holder.cls if one.kind == "class" else holder.real))
            elif one is not ABSENT:
                members.append(one)
        if members:
            return either(members)
        if holder.cls is not None and holder.cls.find("__getattr__") is not ABSENT:
            method = self.attribute(holder, "__getattr__")
            return self.call(method, [name], {}, node)
        if name == "__class__" and holder.cls is not None:
            return holder.cls
        if (table := classes.attribute_of_record(self, holder, name)) is not ABSENT:
            return table
        if holder.cls is not None and holder.cls.foreign:
            return self.symbol(ast.Attribute(self.expr(holder.cls.foreign[0]), name, ast.Load()))
        return UNKNOWN

    def call(  # noqa: C901 - a case for each kind of value
        self, called: Any, words: list[Any], named: dict[str, Any], node: ast.AST | None
    ) -> Any:
        """Walk a call, and return what it gives."""
        if isinstance(called, Choice):
            results: list[Any] = []

            def one_of(one: Any) -> str:
                results.append(self.call(one, words, named, node))
                return NORMAL

            end = self.branch(*(lambda one=one: one_of(one) for one in called.options))
            if end == RAISE:
                raise Raised
            return either(results) if results else UNKNOWN
        if self.stand_ins is not None and self._is_answered(called, node):
            for value in (*words, *named.values()):
                self.escape(value.value if isinstance(value, operations.Rest) else value)
            return UNKNOWN
        if isinstance(called, Function):
            return functions.call(self, called, words, named)
        if isinstance(called, Class):
            return functions.instance_of(self, called, words, named)
        if isinstance(called, Native):
            return called.run(words, named)
        if isinstance(called, Instance) and called.cls is not None:
            method = self.attribute(called, "__call__")
            if isinstance(method, Function):
                return functions.call(self, method, words, named)
        return library.call(self, called, words, named, node)

    def _is_answered(self, called: Any, node: ast.AST | None) -> bool:
        from operators_edge.shell.code.python import stand_ins  # noqa: PLC0415 - for test files alone

        is_answered = stand_ins.is_answered(self, called, node)
        self.is_stood_for |= is_answered
        return is_answered


# end of module
