"""Tests that pytest runs: which functions of a file it calls, and what answers for other machines.

A test that asks ``requests_mock``, a fixture that replaces ``stripe.Refund.create``, a decorator of
``responses``: what it calls then is not the library. Only what certainly stands in for the whole test counts:
what is set up before its first other statement, by a fixture that it names or that is used for every test.

Owns reading fixtures, decorators and first statements. Does not own the walk (``shell.code.python.trace``).
Pure; loaded for test files alone.
"""

from __future__ import annotations

import ast
import os.path
import re
from typing import Any

from operators_edge.contexts import contextmanager
from operators_edge.shell.code.python.values import Class, FilePath, Function, Module, Symbol
from operators_edge.shell.commands import OWN_PATH
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.shell.code.python.trace import Walk

_COLLECTED = re.compile(r"_?(?:test|pytest_|setup|teardown|load_tests)|Test")
_MAX_FOLDERS = 12
_MAX_CHAIN = 20
LETS_THROUGH = re.compile(
    r"(?i)passthr|pass_?through|real_http|allow_net_connect|non_mocked_hosts|should_mock|enable_socket"
    r"|socket_enabled|allow_hosts|real_network|enable_network|\.undo\(|stopall|\.stop\(\)|_remove_restrictions"
    r"|\.mount\(|\btransport\s*=|\breload\(|\bsys\.modules\b|(?<![\w.])setattr\(|true_socket|socket\.socket\s*="
    r"|\bpytest_plugins\b|__setattr__|__dict__"
)
"""In a module's text: what stands in may hand something on, or be taken away."""
ANSWERED = {
    # a library for tests → whose requests it answers; what it does not know of is an error
    "responses": ("requests.",),
    "requests_mock": ("requests.",),
    "respx": ("httpx.",),
    "pytest_httpx": ("httpx.",),
    "aioresponses": ("aiohttp.",),
    "pytest_socket": (
        *("requests.", "httpx.", "urllib.", "urllib3.", "http.client.", "aiohttp.", "smtplib."),
        *(
            "stripe.",
            "boto3.",
            "botocore.",
            "twilio.",
            "slack_sdk.",
            "openai.",
            "github.",
            "paypalrestsdk.",
        ),
    ),
}
_BY_FIXTURE = {
    "requests_mock": "requests_mock",
    "respx_mock": "respx",
    "httpx_mock": "pytest_httpx",
    "socket_disabled": "pytest_socket",
}
_STARTS = re.compile(
    r"responses\.(?:activate|RequestsMock)|requests_mock\.(?:Mocker|mock)|respx\.(?:mock|MockRouter)"
    r"|aioresponses\.aioresponses"
)
_MADE = re.compile(
    r"(?:\w+\.)*(?:Magic|Async|NonCallable|Property)?Mock|(?:\w+\.)*(?:create_autospec|SimpleNamespace)"
)


class StandIns(NamedTuple):
    """What does not reach what it is called.

    ``libraries`` begin the names of calls that are answered, whatever way leads to them. ``names`` are
    attributes of libraries, ``inside`` names in a module of the program (its path), ``methods`` those of a
    class: something else was put there, so only what asks for them now gets it. ``values`` are names in
    modules that have another value then: a path in pytest's temporary folder.
    """

    libraries: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    inside: tuple[tuple[str, str], ...] = ()
    methods: tuple[tuple[Class, str], ...] = ()
    around: tuple[ast.expr, ...] = ()
    values: tuple[tuple[Module, str, FilePath | str], ...] = ()

    def plus(self, other: StandIns) -> StandIns:
        return StandIns(
            self.libraries + other.libraries,
            self.names + other.names,
            self.inside + other.inside,
            self.methods + other.methods,
            self.around + other.around,
            self.values + other.values,
        )

    def put(self) -> set[str]:
        """The last names of what was put in the place of something."""
        given = (*self.names, *(name for _, name in (*self.inside, *self.methods)))
        return {one.rpartition(".")[2] for one in given}


NONE = StandIns()


def run(walk: Walk, module: Module) -> None:
    """Have pytest call what it finds in a module."""
    for name, value in list(module.scope.names.items()):
        if isinstance(value, Function) and not _COLLECTED.match(name):
            continue
        is_bare = isinstance(value, Class) and not any(one.foreign for one in value.lineage())
        if is_bare and not _COLLECTED.match(name):
            continue
        walk.escape(value)
    walk.suite = Suite(walk, module)


class Suite:
    """The fixtures that the tests of one file can name."""

    def __init__(self, walk: Walk, module: Module) -> None:
        self.walk = walk
        self.module = module
        self.fixtures: dict[str, Function] = {}
        self.known: dict[str, StandIns] = {}
        for one in (*reversed(list(self._set_ups())), module):
            for value in one.scope.names.values():
                if isinstance(value, Function) and _fixture_of(value) is not None:
                    self.fixtures[_named(value)] = value

    def _set_ups(self) -> Iterator[Module]:
        """The modules named conftest.py around the file, the nearest first."""
        folder = os.path.dirname(self.module.path)
        for _ in range(_MAX_FOLDERS):
            found = self.walk.find("conftest", folder or ".")
            if found is not None and os.path.dirname(found[0]) == folder:
                made = self.walk.module_of("conftest", *found)
                if made is not None:
                    yield made
            if os.path.dirname(folder) == folder:
                return
            folder = os.path.dirname(folder)

    def of(self, function: Function) -> StandIns:
        """What stands in while a test runs; nothing for any other function."""
        node = function.node
        if isinstance(node, ast.Lambda) or not re.match(r"_?test", node.name):
            return NONE
        if function.module is not self.module:
            return NONE
        found = NONE
        of_class = self._of_class(function) if function.owner is not None else {}
        for name, fixture in (*self.fixtures.items(), *of_class.items()):
            given = _fixture_of(fixture)
            if given is not None and _is_automatic(given):
                found = found.plus(self._of_fixture(name, (), of_class))
        for name in self._used(function):
            found = found.plus(self._of_fixture(name, (), of_class))
        around = function.owner.decorators if function.owner is not None else []
        for decorator in (*node.decorator_list, *around):
            found = found.plus(self._of_call(decorator, function))
        before = function.owner.find("setUp") if function.owner is not None else None
        if isinstance(before, Function) and before.module is self.module:
            found = found.plus(self._started_in(before))
        return found.plus(self._of_body(function))

    def names_around(self, function: Function, named: Sequence[str]) -> set[str]:
        """The functions that run as fixtures around a test, by name; ``named`` are some for all tests."""
        of_class = self._of_class(function) if function.owner is not None else {}
        every = {**self.fixtures, **of_class}
        left = [*self._used(function), *named]
        for name, fixture in every.items():
            given = _fixture_of(fixture)
            left += [name] if given is not None and _is_automatic(given) else []
        found: dict[str, str] = {}
        while left:
            name = left.pop()
            if name in every and name not in found:
                found[name] = every[name].node.name
                left += self._used(every[name])
        return set(found.values())

    @staticmethod
    def _of_class(function: Function) -> dict[str, Function]:
        """The fixtures that are methods of the test's own class."""
        members = function.owner.methods() if function.owner is not None else ()
        return {
            _named(one): one
            for _, one in members
            if isinstance(one, Function) and _fixture_of(one) is not None
        }

    def _started_in(self, function: Function) -> StandIns:
        """What ``setUp`` starts before it does anything else: ``patcher = patch(…); patcher.start()``."""
        found = NONE
        made: dict[str, ast.Call] = {}
        for statement in function.node.body:
            value = getattr(statement, "value", None)
            if not isinstance(statement, ast.Assign | ast.Expr) or not isinstance(value, ast.Call):
                break
            name = _dotted(value.func)
            if name in _SET_UP:
                continue
            if isinstance(value.func, ast.Attribute) and value.func.attr == "start":
                held = value.func.value
                patch = made.get(_dotted(held), held)
                found = found.plus(self._of_call(patch, function))
            elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                made[_dotted(statement.targets[0])] = value
                if self._of_call(value, function) == NONE and not self._is_harmless(value):
                    break
            else:
                break
        return found

    def _used(self, function: Function) -> list[str]:
        given = function.node.args
        names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        for decorator in function.node.decorator_list:
            if isinstance(decorator, ast.Call) and _dotted(decorator.func).endswith(
                "mark.usefixtures"
            ):
                names += [one.value for one in decorator.args if isinstance(one, ast.Constant)]
        return [one for one in names if isinstance(one, str)]

    def _of_fixture(
        self, name: str, above: tuple[str, ...], of_class: dict[str, Function] | None = None
    ) -> StandIns:
        own = (of_class or {}).get(name)
        if own is not None:
            found = self._of_body(own)
            for used in self._used(own):
                found = found.plus(self._of_fixture(used, (*above, name)))
            return found
        fixture = self.fixtures.get(name)
        if fixture is None:
            library = _BY_FIXTURE.get(name, "")
            return StandIns(libraries=ANSWERED[library]) if library else NONE
        if name in above:
            return NONE
        if name not in self.known:
            found = self._of_body(fixture).plus(self._moved_by(fixture))
            for used in self._used(fixture):
                found = found.plus(self._of_fixture(used, (*above, name)))
            self.known[name] = found
        return self.known[name]

    def _of_body(self, function: Function) -> StandIns:
        """What a function replaces for all that comes after, before it does anything else."""
        found = NONE
        for statement in function.node.body:
            if isinstance(statement, ast.With) and _yields_once(statement):
                for item in statement.items:
                    found = found.plus(self._of_call(item.context_expr, function))
                return found.plus(self._of_statements(statement.body, function))
            if not self._is_plain(statement):
                return found
            found = found.plus(self._of_statement(statement, function))
        return found

    def _of_statements(self, body: Sequence[ast.stmt], function: Function) -> StandIns:
        found = NONE
        for statement in body:
            if not self._is_plain(statement):
                break
            found = found.plus(self._of_statement(statement, function))
        return found

    def _is_plain(self, statement: ast.stmt) -> bool:
        """Whether nothing of the program runs in a statement, and what follows it does."""
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return not statement.decorator_list
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass):
            return True
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            calls = [one for one in ast.walk(statement) if isinstance(one, ast.Call)]
            return all(self._is_harmless(one) for one in calls)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return self._is_harmless(statement.value)
        return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)

    @staticmethod
    def _is_harmless(call: ast.Call) -> bool:
        name = _dotted(call.func)
        first = name.partition(".")[0]
        return first in {"monkeypatch", "mocker", "itertools", "collections", "copy", "json"} or (
            name
            in {"dict", "list", "set", "iter", "tuple", "os.environ.pop", "os.environ.setdefault"}
            or _MADE.fullmatch(name) is not None
        )

    def _of_statement(self, statement: ast.stmt, function: Function) -> StandIns:
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.Call):
            return NONE
        name = _dotted(value.func)
        holder = name.partition(".")[0]
        given = function.node.args
        if holder not in {one.arg for one in (*given.posonlyargs, *given.args)}:
            return NONE
        if holder in self.fixtures:  # one of the project's own
            return NONE
        if name == "monkeypatch.setattr":
            return self._replaced(value.args, value.keywords, function)
        if name == "mocker.patch":
            return self._replaced(
                [*value.args[:1], *value.args[1:]], value.keywords, function, made=True
            )
        if name == "mocker.patch.object":
            return self._replaced(value.args, value.keywords, function, made=True)
        return NONE

    def _of_call(self, node: ast.expr, function: Function) -> StandIns:
        """What a decorator, or what ``with`` opens, stands in for."""
        call = node.func if isinstance(node, ast.Call) else node
        name = self._known_as(call, function)
        if name.startswith("moto.mock_"):
            expr = self._value(call, function)
            return StandIns(around=(expr.expr,)) if isinstance(expr, Symbol) else NONE
        library = name.partition(".")[0]
        if _STARTS.fullmatch(name):
            return StandIns(libraries=ANSWERED[library])
        if isinstance(node, ast.Call) and name in {"unittest.mock.patch", "mock.patch"}:
            return self._replaced(node.args, node.keywords, function, made=True)
        if isinstance(node, ast.Call) and name in {
            "unittest.mock.patch.object",
            "mock.patch.object",
        }:
            return self._replaced(node.args, node.keywords, function, made=True)
        return NONE

    def _replaced(
        self,
        words: list[ast.expr],
        keywords: list[ast.keyword],
        function: Function,
        *,
        made: bool = False,
    ) -> StandIns:
        """What ``monkeypatch.setattr`` or ``patch`` puts something else in the place of."""
        texts = [one.value if isinstance(one, ast.Constant) else None for one in words]
        is_path = bool(texts) and isinstance(texts[0], str)
        rest = words[1:] if is_path else words[2:]
        rest += [
            one.value for one in keywords if one.arg in {"new", "value", "wraps", "side_effect"}
        ]
        rest += [one.value for one in keywords if one.arg is None]
        moved = self._moved(words, rest[0], function) if len(rest) == 1 else NONE
        if moved.values:
            return moved
        if not all(self._is_other(one, function) for one in rest) or (not rest and not made):
            return NONE
        if any(one.arg in {"wraps", "new_callable", None} for one in keywords):
            return NONE
        if is_path:
            return self._of_path(str(texts[0]))
        if len(words) < 2 or not isinstance(texts[1], str):
            return NONE
        return self._of_attribute(self._value(words[0], function), texts[1])

    def _moved_by(self, fixture: Function) -> StandIns:
        """What a fixture moves into pytest's temporary folder, on its way to the test."""
        found = NONE
        for statement in fixture.node.body:
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Call) and _dotted(value.func) == "monkeypatch.setattr":
                is_path = len(value.args) == 2
                if is_path or len(value.args) == 3:
                    found = found.plus(self._moved(value.args, value.args[-1], fixture))
            if any(isinstance(one, _LEAVES) for one in ast.walk(statement)):
                break
        return found

    def _moved(self, words: list[ast.expr], value: ast.expr, function: Function) -> StandIns:
        """The name in a module that is given a path in pytest's temporary folder."""
        path = self._temporary(value, function)
        if not path or any(map(LETS_THROUGH.search, self.walk.texts)):
            return NONE
        texts = [one.value if isinstance(one, ast.Constant) else None for one in words]
        if isinstance(texts[0], str):
            put = self._of_path(texts[0]).inside
        elif len(words) > 1 and isinstance(texts[1], str):
            put = self._of_attribute(self._value(words[0], function), texts[1]).inside
        else:
            return NONE
        is_text = isinstance(value, ast.Call) and _dotted(value.func) in _TEXTS
        moved = path if is_text else FilePath(path)
        modules = ((self.walk.modules.get(one), name) for one, name in put)
        return StandIns(values=tuple((one, name, moved) for one, name in modules if one))

    def _temporary(self, node: ast.expr, function: Function) -> str:
        """The path of an expression below pytest's temporary folder; "" for any other."""
        if isinstance(node, ast.Name):
            given = {one.arg for one in function.node.args.args}
            if node.id == "tmp_path" and node.id in given and node.id not in self.fixtures:
                return f"{OWN_PATH}/{node.id}"
            bound = [
                one
                for one in ast.walk(function.node)
                if isinstance(one, ast.Name) and one.id == node.id and not _is_load(one)
            ]
            sets = [
                one.value
                for one in function.node.body
                if isinstance(one, ast.Assign) and one.targets == bound
            ]
            is_free = node.id not in given and len(bound) == 1
            return self._temporary(sets[0], function) if is_free and sets else ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return _below(self._temporary(node.left, function), [node.right])
        if isinstance(node, ast.Call) and not node.keywords and node.args:
            name = _dotted(node.func)
            if name in _SAME_PATH:
                return _below(self._temporary(node.args[0], function), node.args[1:])
            if isinstance(node.func, ast.Attribute) and node.func.attr == "joinpath":
                return _below(self._temporary(node.func.value, function), node.args)
        return ""

    def _of_attribute(self, holder: Any, name: str) -> StandIns:
        if isinstance(holder, Module) and name in holder.scope.names:
            return StandIns(inside=((holder.path, name),))
        if isinstance(holder, Class) and isinstance(holder.scope.names.get(name), Function):
            return StandIns(methods=((holder, name),))
        if isinstance(holder, Symbol) and "." not in name and holder.known_as:
            return StandIns(names=(f"{holder.known_as}.{name}",))
        return NONE

    def _of_path(self, path: str) -> StandIns:
        """``patch("shop.client.requests.post")``: by way of a module of the program, or of a library."""
        parts = path.split(".")
        folder = os.path.dirname(self.module.path)
        for count in range(len(parts) - 1, 0, -1):
            found = self.walk.find(".".join(parts[:count]), folder)
            if found is None:
                continue
            module = self.walk.modules.get(found[0])
            holder: Any = module
            for part in parts[count:-1]:
                holder = holder and self._member(holder, part)
            return self._of_attribute(holder, parts[-1]) if holder is not None else NONE
        return StandIns(names=(path,)) if len(parts) > 1 else NONE

    @staticmethod
    def _member(holder: Any, name: str) -> Any:
        if isinstance(holder, Module | Class):
            return holder.scope.names.get(name)
        if isinstance(holder, Symbol) and holder.known_as:
            return Symbol(ast.Attribute(holder.expr, name, ast.Load()))
        return None

    def _is_other(self, node: ast.expr, function: Function) -> bool:
        """Whether a value is certainly not the library's own function in another place."""
        if isinstance(node, ast.Constant | ast.Lambda):
            return True
        if isinstance(node, ast.List | ast.Tuple):
            return all(self._is_other(one, function) for one in node.elts)
        if isinstance(node, ast.Call):
            given = [one for one in node.keywords if one.arg in {"wraps", "side_effect", None}]
            is_own = isinstance(self._value(node.func, function), Class)
            is_made = is_own or _MADE.fullmatch(_dotted(node.func)) is not None
            return is_made and all(
                one.arg == "side_effect" and self._is_other(one.value, function) for one in given
            )
        if isinstance(node, ast.Name):
            inside = {
                one.name
                for one in function.node.body
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            }
            is_known = isinstance(self._value(node, function), Function | Class)
            return node.id in inside or is_known or self._is_made_here(node.id, function)
        return False

    def _is_made_here(self, name: str, function: Function) -> bool:
        """Whether a name of a function is set once, to a stand-in that is not told to call another one."""
        nodes = list(ast.walk(function.node))
        stores = [
            one
            for one in nodes
            if isinstance(one, ast.Name) and one.id == name and not _is_load(one)
        ]
        sets = [
            one
            for one in function.node.body
            if isinstance(one, ast.Assign) and one.targets == stores
        ]
        if len(stores) != 1 or not sets or not isinstance(sets[0].value, ast.Call):
            return False
        changes = [
            one.value
            for one in nodes
            if isinstance(one, ast.Assign)
            for target in one.targets
            if isinstance(target, ast.Attribute)
            and target.attr in {"side_effect", "_mock_wraps", "__call__"}
        ]
        is_set = any(
            isinstance(one, ast.Attribute) and one.attr in {"configure_mock", "attach_mock"}
            for one in nodes
        )
        makes = sets[0].value
        return not is_set and all(self._is_other(one, function) for one in (makes, *changes))

    def _known_as(self, node: ast.expr, function: Function) -> str:
        value = self._value(node, function)
        return value.known_as if isinstance(value, Symbol) else ""

    def _value(self, node: ast.expr, function: Function) -> Any:
        """The value of a dotted name as the module of a function has it."""
        if isinstance(node, ast.Attribute):
            return self._member(self._value(node.value, function), node.attr)
        if not isinstance(node, ast.Name):
            return None
        given = function.node.args
        if node.id in {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}:
            return None
        return function.module.scope.names.get(node.id)


_SET_UP = frozenset(["super.setUp", "self.addCleanup"])
_TEXTS = frozenset(["str", "os.path.join", "os.fspath"])
_SAME_PATH = _TEXTS | {"pathlib.Path", "Path"}
_LEAVES = (ast.Return, ast.Yield, ast.YieldFrom, ast.Raise, ast.Assert)


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _below(folder: str, parts: list[ast.expr]) -> str:
    """A path in a folder; "" if its parts may lead to another place."""
    names = [one.value if isinstance(one, ast.Constant) else None for one in parts]
    is_below = all(isinstance(one, str) and one[:1] != "/" and ".." not in one for one in names)
    return "/".join([folder, *map(str, names)]) if folder and is_below else ""


@contextmanager
def standing_in(walk: Walk, function: Function) -> Iterator[None]:
    """Walk a function with what stands in for others while it runs."""
    found = walk.suite.of(function) if walk.suite is not None else NONE
    if walk.start.answers and re.match(r"_?test", getattr(function.node, "name", "")):
        found = found.plus(StandIns(libraries=walk.start.answers))
    before = walk.stand_ins
    walk.stand_ins = before.plus(found) if before is not None else found
    walk.residue.around += found.around
    moved = [(one.scope.names, name, one.scope.names.get(name)) for one, name, _ in found.values]
    for one, name, value in found.values:
        walk.write(one.scope.names, name, value)
    try:
        yield
    finally:
        for names, name, was in moved:
            walk.write(names, name, was)
        walk.stand_ins = before
        if found.around:
            del walk.residue.around[-len(found.around) :]


def is_answered(walk: Walk, called: Any, node: ast.AST | None) -> bool:
    """Whether something stands in for what is called by this expression."""
    found = walk.stand_ins
    if found is None or not isinstance(called, Symbol | Function):
        return False
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(called, Function):
        is_put = _is_put_in_module(walk, found, func) or _is_put_in_class(called, found, func)
    else:
        name = walk.residue.whole_name(called.expr, _MAX_CHAIN)
        is_put = any(name.startswith(one) for one in found.libraries)
        is_put |= _is_put_in_library(walk, found, func) or _is_put_in_module(walk, found, func)
    if is_put:
        walk.put |= found.put()
    return is_put


def lets_through(walk: Walk) -> bool:
    """Whether what stands in may hand something on, or be taken away while a test runs."""
    # The real one is kept under another name, or another one is put there.
    kept = [
        re.compile(
            rf"\.{one}\s*=(?!=|\s*[\w.]+\.start\(\))|=[ \t]*(?:\w+\.)+{one}[ \t]*(?:[,;)#]|$)",
            re.MULTILINE,
        )
        for one in walk.put
    ]
    return any(
        LETS_THROUGH.search(text) or any(one.search(text) for one in kept) for text in walk.texts
    )


def _chain(walk: Walk, func: ast.expr | None) -> tuple[Any, str, list[str]]:
    """What a dotted name begins with here, by which name, and the attributes that it asks for."""
    rest: list[str] = []
    while isinstance(func, ast.Attribute):
        rest.append(func.attr)
        func = func.value
    if not isinstance(func, ast.Name):
        return None, "", []
    return walk.frame.scope.find(func.id), func.id, rest[::-1]


def _is_put_in_library(walk: Walk, found: StandIns, func: ast.expr | None) -> bool:
    """Whether an attribute of a library is asked for where something else was put."""
    first, _, rest = _chain(walk, func)
    if not isinstance(first, Symbol) or not first.known_as:
        return False
    parts = [*first.known_as.split("."), *rest]
    own = len(parts) - len(rest)
    return any(
        own < len(name.split(".")) <= len(parts)
        and parts[: len(name.split("."))] == name.split(".")
        for name in found.names
    )


def _is_put_in_module(walk: Walk, found: StandIns, func: ast.expr | None) -> bool:
    """Whether a name of a module of the program is asked for where something else was put."""
    first, name, rest = _chain(walk, func)
    if first is None:
        return False
    for path, put in found.inside:
        module = walk.modules.get(path)
        if module is None:
            continue
        is_here = walk.frame.module is module and name == put
        if is_here and first is module.scope.names.get(name):
            return True
        if first is module and rest[:1] == [put]:
            return True
    return False


def _is_put_in_class(called: Function, found: StandIns, func: ast.expr | None) -> bool:
    """Whether a method of a class is asked for where something else was put."""
    if called.holder is None or not isinstance(func, ast.Attribute):
        return False
    return any(
        called.owner is cls and func.attr == name and called.node.name == name
        for cls, name in found.methods
    )


def _fixture_of(function: Function) -> ast.expr | None:
    """The decorator that makes a function a fixture."""
    if isinstance(function.node, ast.Lambda):
        return None
    for one in function.node.decorator_list:
        made = one.func if isinstance(one, ast.Call) else one
        if _dotted(made).rpartition(".")[2] == "fixture":
            return one  # type: ignore[no-any-return]
    return None


def _named(function: Function) -> str:
    given = _fixture_of(function)
    for one in given.keywords if isinstance(given, ast.Call) else ():
        if one.arg == "name" and isinstance(one.value, ast.Constant):
            return str(one.value.value)
    return str(function.node.name)


def _is_automatic(given: ast.expr) -> bool:
    return isinstance(given, ast.Call) and any(
        one.arg == "autouse" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in given.keywords
    )


def _yields_once(node: ast.With) -> bool:
    """Whether the body of ``with`` hands over to the test, once."""
    return sum(isinstance(one, ast.Yield) for one in ast.walk(node)) == 1


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (holder := _dotted(node.value)):
        return f"{holder}.{node.attr}"
    return ""


# end of module
