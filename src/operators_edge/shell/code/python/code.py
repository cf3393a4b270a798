"""Python programs, constants computed: ``getattr(os, "sys" + "tem")`` is ``os.system``.

Owns folding: names followed to their values, and attributes, modules and names given as strings. Nothing is
run. Does not own what is computed of constants (``shell.code.python.constants``) and of paths
(``shell.code.python.paths``), nor which calls count (``shell.code.programs``, which reads the result). Slow
to import: only for programs that look as if they compute something.
"""

from __future__ import annotations

import ast
import copy
import posixpath
from collections import Counter

from operators_edge.shell.code.languages import CALLS
from operators_edge.shell.code.python import constants, paths, twins as python_twins
from operators_edge.shell.code.python.constants import (
    are_constant,
    is_constant,
    is_text,
    name_of,
    value_of,
)
from operators_edge.shell.code.python.library_twins import dotted
from operators_edge.shell.commands import HOLE, OWN_PATH
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.text import python_source
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_MAX_NODES = 20_000
_MAX_ROUNDS = 16
"""Times that the body of a loop, or of a function, is read with other values."""

_DANGEROUS = frozenset(["os", "shutil", "subprocess", "pty", "builtins", "__builtins__"])
_TEXT_METHODS = frozenset(
    "join format replace lower upper strip lstrip rstrip split encode decode hex title".split()  # noqa: SIM905
)
_PARTIAL = frozenset(["partial", "functools.partial"])
_DELETING = frozenset(["os.remove", "os.unlink"])
_OF_PATHS = frozenset(["os.path", "posixpath", "pathlib"])
_SAME_PATH = frozenset(["expanduser", "resolve", "absolute"])
_NATIVE = frozenset(["system", "unlink", "remove", "rmdir", "popen", "truncate", "execv"])


class Folded(NamedTuple):
    """A program with its constants computed, and the files that it runs; ``is_unknown`` if more runs.

    ``twins`` are the commands that do what its calls of libraries do.
    """

    code: str
    files: tuple[str, ...] = ()
    is_unknown: bool = False
    twins: tuple[python_twins.Twin, ...] = ()


def fold(code: str) -> Folded:
    """Return the program with constants computed; unchanged if it is no valid Python."""
    if len(code) > constants.MAX_TEXT or HOLE in code:
        return Folded(code)
    try:
        tree, left_out = python_source.parse_most(code)
        given = _given_to_functions(tree)
        folder = _Folder(given, _set_once(tree), has_own_places=not _redefines_places(code, tree))
        tree = ast.fix_missing_locations(folder.visit(tree))
        twins = python_twins.find(tree)
        text = "\n".join([python_source.unparse(tree), *left_out])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Folded(code)
    return Folded(text, tuple(folder.files), folder.is_unknown, tuple(twins))


def _set_once(tree: ast.Module) -> frozenset[str]:
    """The names that the program sets in one place alone."""
    stored = Counter(
        one.id
        for one in ast.walk(tree)
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)
    )
    return frozenset(name for name, count in stored.items() if count == 1)


_MAKES_PLACES = frozenset(
    ["mkdtemp", "mkstemp", "mktemp", "TemporaryDirectory", "NamedTemporaryFile", "TemporaryFile"]
)
"""Functions of ``tempfile`` that make a file or a folder of their own."""


def _redefines_places(code: str, tree: ast.Module) -> bool:
    """Whether the names of ``tempfile`` may mean something else in the program."""
    if "tempfile" not in code:
        return True
    names = {"tempfile", *_MAKES_PLACES}
    for one in ast.walk(tree):
        is_set = isinstance(one, (ast.Name, ast.Attribute)) and not isinstance(one.ctx, ast.Load)
        name = getattr(one, "id", getattr(one, "attr", "")) if is_set else ""
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = one.name
        elif isinstance(one, ast.arg):
            name = one.arg
        elif isinstance(one, ast.alias):
            name = one.asname or ""
        elif isinstance(one, ast.Constant):
            name = one.value if isinstance(one.value, str) else ""
        if name in names:
            return True
    return False


_Given = dict[str, list[dict[str, ast.expr]]]
"""Function → for each call with known arguments, the values of its parameters."""


def _given_to_functions(tree: ast.Module) -> _Given:
    """Return what the program gives to its own functions, where that can be computed."""
    functions = dict(_functions_of(tree))
    if not functions:
        return {}
    folder = _Folder({})
    folded = ast.fix_missing_locations(folder.visit(copy.deepcopy(tree)))
    found: _Given = {}
    for node in ast.walk(folded):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
        values = _bound(*functions[name], node) if name in functions else {}
        if values and len(found.setdefault(name, [])) < _MAX_ROUNDS:
            found[name].append(values)
    return found


def _functions_of(tree: ast.Module) -> Iterator[tuple[str, tuple[list[str], str]]]:
    """Yield each function with its parameters and the one for the rest; a class for its ``__init__``."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, (_parameters(node), _rest(node))
        if isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                    yield node.name, (_parameters(one), _rest(one))


def _rest(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return node.args.vararg.arg if node.args.vararg else ""


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _bound(parameters: list[str], rest: str, call: ast.Call) -> dict[str, ast.expr]:
    given = dict(zip(parameters, call.args, strict=False))
    if rest:
        given[rest] = ast.Tuple(call.args[len(parameters) :], ast.Load())
    given |= {one.arg: one.value for one in call.keywords if one.arg in parameters}
    return {name: value for name, value in given.items() if paths.is_value(value)}


_INTERPRETER = ast.Constant("python3")
"""What ``sys.executable`` stands for: code that runs Python again is read like a command that does."""


class _Folder(ast.NodeTransformer):
    """Computes bottom-up; names are followed from their last assignment in the text."""

    def __init__(
        self,
        given: _Given,
        set_once: frozenset[str] = frozenset(),
        *,
        has_own_places: bool = False,
    ) -> None:
        self.set_once = set_once
        self.has_own_places = has_own_places
        self.names: dict[str, ast.expr] = {"sys.executable": _INTERPRETER}
        self.given = given
        self.owner = ""
        self.files: list[str] = []
        self.is_unknown = False
        self.nodes = 0

    def visit(self, node: ast.AST) -> Any:
        self.nodes += 1
        if self.nodes > _MAX_NODES:
            raise ValueError(node)
        return super().visit(node)

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            if alias.asname and alias.name in _OF_PATHS:
                self.names[alias.asname] = name_of(alias.name)
            if alias.name == "sys" and alias.asname:
                self.names[f"{alias.asname}.executable"] = _INTERPRETER
            if alias.name in constants.MODULES:
                alias.asname = alias.asname or alias.name
                alias.name = constants.MODULES[alias.name]
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        module = constants.MODULES.get(node.module or "", node.module or "")
        node.module = module
        for alias in node.names:
            if alias.asname and module in _OF_PATHS:
                self.names[alias.asname] = name_of(f"{module}.{alias.name}")
            if (module, alias.name) == ("sys", "executable"):
                self.names[alias.asname or alias.name] = _INTERPRETER
        if node.names[0].name == "*":
            known = [
                name.removeprefix(f"{module}.") for name in CALLS if name.startswith(f"{module}.")
            ]
            names = [name for name in known if name.isidentifier()]
            node.names = [ast.alias(name) for name in names] or node.names
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        for target in node.targets:
            self._assign(target, node.value)
        return node

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        """Remember the value of a name, of ``self.x``, or of each name of a tuple."""
        if isinstance(target, ast.Tuple) and isinstance(value, (ast.Tuple, ast.List)):
            for one, part in zip(target.elts, value.elts, strict=False):
                self._assign(one, part)
            return
        name = dotted(target)
        self.names.pop(name, None)
        if isinstance(value, ast.Call) and dotted(value.func) in _PARTIAL and value.args:
            value = value.args[0]
        if name and (paths.is_value(value) or (dotted(value) and dotted(value) != name)):
            self.names[name] = value

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None:
            self._assign(node.target, node.value)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        owner, self.owner = self.owner, node.name
        self.generic_visit(node)
        self.owner = owner
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | list[ast.AST]:
        """Read a function once for each call whose arguments are known."""
        name = self.owner if node.name == "__init__" else node.name
        parameters = _parameters(node)
        defaults = zip(reversed(parameters), reversed(node.args.defaults), strict=False)
        usual = {key: value for key, value in defaults if paths.is_value(value)}
        rounds = self.given.get(name) or [usual]
        read: list[ast.AST] = []
        for values in rounds:
            one = copy.deepcopy(node) if len(rounds) > 1 else node
            outside = {key: self.names.pop(key, None) for key in (*parameters, _rest(node))}
            self.names |= {**usual, **values}
            read.append(self.generic_visit(one))
            for key, before in outside.items():
                self.names.pop(key, None)
                self.names |= {key: before} if before is not None else {}
        return read[0] if len(read) == 1 else read

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]  # noqa: N815 - named by the base class

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.AST]:
        node.iter = self.visit(node.iter)
        items = constants.items_of(node.iter)
        if 0 < len(items) <= _MAX_ROUNDS and all(map(paths.is_value, items)):
            return self._unrolled(node, items)
        self._bind(node.target, node.iter)
        node.body = self._each_statement(node.body)
        node.orelse = self._each_statement(node.orelse)
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        """``with TemporaryDirectory() as name``, and the name of a temporary file."""
        for item in node.items:
            item.context_expr = self.visit(item.context_expr)
            name = dotted(item.optional_vars) if item.optional_vars is not None else ""
            self.names.pop(name, None)
            made = self._made_by(item.context_expr)
            if name and made == "TemporaryDirectory":
                self.names[name] = ast.Constant(OWN_PATH)
            elif name and made:
                self.names[f"{name}.name"] = ast.Constant(OWN_PATH)
        node.body = self._each_statement(node.body)
        return node

    def _made_by(self, node: ast.AST) -> str:
        """Return the function that makes a temporary file or folder here; "" for anything else."""
        name = dotted(node.func) if isinstance(node, ast.Call) else ""
        module, _, function = name.rpartition(".")
        is_own = self.has_own_places and module in {"", "tempfile"}
        return function if is_own and function in _MAKES_PLACES else ""

    def _each_statement(self, body: list[ast.stmt]) -> list[Any]:
        read: list[Any] = []
        for one in body:
            got = self.visit(one)
            read += got if isinstance(got, list) else [got]
        return read

    def _unrolled(self, node: ast.For, items: list[ast.expr]) -> list[ast.AST]:
        """The body of a loop over known values, once for each of them."""
        read: list[ast.AST] = []
        for item in items:
            self._assign(node.target, item)
            read += self._each_statement(copy.deepcopy(node.body))
        return [*read, *self._each_statement(node.orelse)]

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self.visit(node.iter)
        self._bind(node.target, node.iter)
        node.ifs = [self.visit(one) for one in node.ifs]
        return node

    def _bind(self, target: ast.expr, items: ast.expr) -> None:
        """The names of a loop: what goes through the files of a folder is a path in it."""
        names = [one.id for one in ast.walk(target) if isinstance(one, ast.Name)]
        for name in names:
            self.names.pop(name, None)
        path = None
        if isinstance(items, ast.Call) and names:
            path = paths.listed(items, is_kept=self.set_once.issuperset(names))
        if path is not None:
            self.names[names[0]] = path

    def visit_List(self, node: ast.List | ast.Tuple) -> ast.AST:
        """``["git", *words]``: with the words that are known."""
        self.generic_visit(node)
        items: list[ast.expr] = []
        for one in node.elts:
            inner = one.value if isinstance(one, ast.Starred) else None
            items += inner.elts if isinstance(inner, (ast.List, ast.Tuple)) else [one]
        node.elts = items
        return node

    visit_Tuple = visit_List  # noqa: N815 - named by the base class

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.names.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        known = self.names.get(dotted(node)) if isinstance(node.ctx, ast.Load) else None
        if known is not None:
            return known
        self.generic_visit(node)
        if node.attr == "parent" and paths.is_path(node.value) and are_constant(node.value.args):
            return paths.above(node.value, 1)
        if node.attr == "name" and self._made_by(node.value):
            return ast.Constant(OWN_PATH)
        if node.attr == "hex" and getattr(node.value, "value", "") == OWN_NUMBER:
            return node.value
        is_builtin = dotted(node.value) in {"builtins", "__builtins__"}
        if is_builtin and node.attr != "__dict__":
            return name_of(node.attr)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        parts = [
            paths.as_text(one.value) if isinstance(one, ast.FormattedValue) else one
            for one in node.values
        ]
        texts = [str(one.value) for one in parts if isinstance(one, ast.Constant)]
        if len(texts) == len(parts):
            return ast.Constant("".join(texts))
        node.values = [
            ast.Constant(str(one.value)) if isinstance(one, ast.Constant) else whole
            for one, whole in zip(parts, node.values, strict=True)
        ]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return paths.joined_path(node.left, [node.right]) or node
        if not (is_constant(node.left) and is_constant(node.right)):
            return node
        left, right = value_of(node.left), value_of(node.right)
        operation = constants.OPERATIONS.get(type(node.op))
        return constants.computed(lambda: operation(left, right), node) if operation else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        holder, index = node.value, node.slice
        path = holder.value if isinstance(holder, ast.Attribute) else None
        if path is not None and paths.is_path(path) and holder.attr == "parents":  # type: ignore[attr-defined]
            level = index.value if isinstance(index, ast.Constant) else None
            is_known = are_constant(path.args) and isinstance(level, int)
            return paths.above(path, level + 1) if is_known else node  # type: ignore[operator, arg-type]  # a number
        if is_constant(holder) and isinstance(index, (ast.Constant, ast.Slice, ast.UnaryOp)):
            value = value_of(holder)
            return constants.computed(lambda: value[constants.index_of(index)], node)
        name = index.value if isinstance(index, ast.Constant) else None
        if not isinstance(name, str):
            return node
        if isinstance(holder, ast.Attribute) and holder.attr == "__dict__":
            return self.visit_Attribute(ast.Attribute(holder.value, name, ast.Load()))
        if isinstance(holder, ast.Call) and dotted(holder.func) in {"globals", "locals", "vars"}:
            return self._member(holder.args, name)
        return name_of(name) if dotted(holder) == "sys.modules" else node

    def _member(self, holders: list[ast.expr], name: str) -> ast.AST:
        if holders:
            return self.visit_Attribute(ast.Attribute(holders[0], name, ast.Load()))
        return self.names.get(name) or name_of(name)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = dotted(node.func)
        if name in _DELETING and node.args:
            node.args[0] = paths.each_file(node.args[0])
        special = _CALLS.get(name)
        if special is not None:
            return special(self, node)
        if (made := self._made_by(node)) in {"mkdtemp", "mktemp", "mkstemp"}:
            path = ast.Constant(OWN_PATH)
            return ast.Tuple([name_of("fd"), path], ast.Load()) if made == "mkstemp" else path
        if isinstance(node.func, ast.Attribute):
            return self._method(node, node.func)
        return node

    def _method(self, node: ast.Call, method: ast.Attribute) -> ast.AST:
        arguments = node.args
        if method.attr == "unlink" and isinstance(method.value, ast.Call):
            method.value.args = [paths.each_file(one) for one in method.value.args]
        if (
            method.attr in _NATIVE
            and arguments
            and isinstance(constants.bytes_of(arguments[0]), bytes)
        ):
            # The C library's function of that name.
            text = ast.Constant(constants.text_of(constants.bytes_of(arguments[0])))
            return ast.Call(ast.Attribute(name_of("os"), method.attr, ast.Load()), [text], [])
        if method.attr in _SAME_PATH and paths.is_path(method.value):
            return method.value
        if method.attr == "open" and paths.is_path(method.value):
            return ast.Call(name_of("open"), [method.value.args[0], *arguments], node.keywords)
        if method.attr == "joinpath":
            return paths.joined_path(method.value, arguments) or node
        if method.attr in _TEXT_METHODS and is_constant(method.value) and are_constant(arguments):
            value, given = (
                value_of(method.value),
                [value_of(one) for one in arguments],
            )
            return constants.computed(lambda: getattr(value, method.attr)(*given), node)
        return node

    def run_code(self, node: ast.Call) -> ast.AST:
        """``exec`` and ``eval``: of a text, of a file, or of what cannot be known."""
        code = node.args[0] if node.args else None
        if isinstance(code, ast.Constant):
            node.args[0] = ast.Constant(constants.text_of(code.value))
        elif file := paths.file_read(code):
            self.files.append(file)
        elif code is not None:
            self.is_unknown = True
        return node

    def run_file(self, node: ast.Call) -> ast.AST:
        file = node.args[0] if node.args else None
        is_known = isinstance(file, ast.Constant) and isinstance(file.value, str)
        self.files.append(str(value_of(file)) if file and is_known else HOLE)
        return node

    def attribute(self, node: ast.Call) -> ast.AST:
        """``getattr(os, "system")``."""
        holder, name = [*node.args, None, None][:2]
        if holder is None or name is None:
            return node
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return self.visit_Attribute(ast.Attribute(holder, name.value, ast.Load()))
        self.is_unknown |= dotted(holder) in _DANGEROUS
        return node

    def imported(self, node: ast.Call) -> ast.AST:
        name = node.args[0] if node.args else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return name_of(name.value)
        self.is_unknown = True
        return node

    def first(self, node: ast.Call) -> ast.AST:
        """``compile(code, …)``, ``list(…)``: as good as the first argument."""
        return node.args[0] if node.args else node

    def same_path(self, node: ast.Call) -> ast.AST:
        if not node.args or not is_text(node.args[0]):
            return node
        is_here = dotted(node.func) in _OF_HERE and value_of(node.args[0]) == ""
        return ast.Constant(".") if is_here else node.args[0]

    def with_home(self, node: ast.Call) -> ast.AST:
        is_known = len(node.args) == 1 and is_text(node.args[0])
        text = constants.with_home(value_of(node.args[0])) if is_known else None
        return node if text is None else ast.Constant(text)

    def computed(self, node: ast.Call) -> ast.AST:
        if not node.args or not are_constant(node.args):
            return node
        given = [value_of(one) for one in node.args]
        return constants.computed(lambda: constants.FUNCTIONS[dotted(node.func)](*given), node)

    def joined(self, node: ast.Call) -> ast.AST:
        """``os.path.join("docs", name)``: some path in the folder, if the rest is not known."""
        known = 0
        while known < len(node.args) and is_text(node.args[known]):
            known += 1
        if not known:
            return node
        rest = ["*"] if known < len(node.args) else []
        return ast.Constant(posixpath.join(*(value_of(one) for one in node.args[:known]), *rest))

    def mapped(self, node: ast.Call) -> ast.AST:
        """``map(chr, [114, 109])``."""
        function = constants.FUNCTIONS.get(dotted(node.args[0])) if len(node.args) == 2 else None
        if function is None or not is_constant(node.args[1]):
            return node
        items = value_of(node.args[1])
        return constants.computed(lambda: [function(one) for one in items], node)

    def folder_of(self, node: ast.Call) -> ast.AST:
        """``os.path.dirname(path)``."""
        first = node.args[0] if node.args else node
        return ast.Constant(posixpath.dirname(value_of(first))) if is_text(first) else node

    def here(self, node: ast.Call) -> ast.AST:
        folder = ast.Constant(".")
        is_path = dotted(node.func).startswith(("Path.", "pathlib."))
        return ast.Call(name_of("Path"), [folder], []) if is_path else folder

    def home(self, _: ast.Call) -> ast.AST:
        return ast.Call(name_of("Path"), [ast.Constant("~")], [])

    def _each(self, node: ast.GeneratorExp | ast.ListComp) -> ast.AST:
        """``chr(c) for c in [114, 109]``."""
        first = node.generators[0]
        node.generators = [self.visit(one) for one in node.generators]
        node.elt = self.visit(node.elt)
        is_plain = (
            len(node.generators) == 1 and not first.ifs and isinstance(first.target, ast.Name)
        )
        called = node.elt
        if not (is_plain and is_constant(first.iter) and isinstance(called, ast.Call)):
            return node
        function = constants.FUNCTIONS.get(dotted(called.func))
        is_same = len(called.args) == 1 and dotted(called.args[0]) == dotted(first.target)
        if function is None or not is_same:
            return node
        items = value_of(first.iter)
        return constants.computed(lambda: [function(one) for one in items], node)

    visit_GeneratorExp = visit_ListComp = _each  # noqa: N815 - named by the base class


_OF_HERE = frozenset(("os.path.abspath", "os.path.realpath", "os.path.normpath"))
"""What takes an empty path for the folder that it is in."""
_CALLS: dict[str, Callable[[_Folder, ast.Call], ast.AST]] = {
    **dict.fromkeys(constants.FUNCTIONS, _Folder.computed),
    **dict.fromkeys(("exec", "eval"), _Folder.run_code),
    **dict.fromkeys(("runpy.run_path", "execfile"), _Folder.run_file),
    **dict.fromkeys(("__import__", "importlib.import_module", "import_module"), _Folder.imported),
    **dict.fromkeys(("compile", "list", "tuple", "sorted", "iter"), _Folder.first),
    "os.path.join": _Folder.joined,
    **dict.fromkeys(
        (
            *("os.path.expanduser", "os.path.abspath", "os.path.realpath", "os.path.normpath"),
            "os.fspath",
        ),
        _Folder.same_path,
    ),
    "os.path.expandvars": _Folder.with_home,
    "os.path.dirname": _Folder.folder_of,
    **dict.fromkeys(("os.getcwd", "Path.cwd", "pathlib.Path.cwd"), _Folder.here),
    "getattr": _Folder.attribute,
    "map": _Folder.mapped,
    "os.getpid": lambda *_: ast.Constant(int(OWN_NUMBER)),
    **dict.fromkeys(("uuid.uuid4", "secrets.token_hex"), lambda *_: ast.Constant(OWN_NUMBER)),
    "Path.home": _Folder.home,
    "pathlib.Path.home": _Folder.home,
}


# end of module
