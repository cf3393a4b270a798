"""Which databases the migrations of Alembic change: only one that is nobody else's, or another one.

That is one that they make for themselves, one for tests, or a file of the project to which they only add.
Owns reading ``alembic.ini``, its ``env.py`` and the migrations. Does not own which databases a Python program
has (``shell.code.python.databases``). Pure but for ``Facts``. Loaded for such commands.
"""

from __future__ import annotations

import ast
import configparser
import os.path
import re
import sys

from operators_edge.shell.code.python.library_twins import dotted
from operators_edge.text import python_source
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_MAX_TEXT = 64 * 1024
_KNOWN = frozenset(("alembic", "sqlalchemy", *sys.stdlib_module_names))
_SETS_ANOTHER = pattern(
    r"\bset_(?:main|section)_option\b|\.attributes\b|\bcmd_opts\b|\b(?:exec|eval|getattr|setattr|globals)\("
    r"|\bfile_config\b|\bset_section|\bcreator\b|\blistens_for\b"
)
_CONNECTS = pattern(
    r"\b(?:create_(?:async_)?engine|engine_from_config)\b|\.connect\(|\b(?:getattr|globals|vars)\(|__\w*dict__|\b(?:psycopg\w*|asyncpg|pg8000|pymysql|MySQLdb|pymongo|redis|cx_Oracle|oracledb|pyodbc)\b"
    r"|\b(?:subprocess|popen|socket|requests|httpx|urllib|importlib|__import__|exec|eval)\b|\bos\.(?:system|exec\w*|spawn\w*)\b"
)
"""What a migration does elsewhere than in the database that it is run on."""
_PLAIN_KEYS = frozenset(("prefix", "poolclass", "future", "echo", "pool_pre_ping"))
_IN_FILE = pattern(r"sqlite:///([\w./-]+)")
_IN_MEMORY = "sqlite://"
_DRIVER = pattern(r"\+\w+(?=://)")
_LOSES = pattern(r"(?i)drop|delete|truncate|\bexecute\b|\bexec_driver_sql\b|remove|unlink|rmtree")
"""What ``env.py`` may do itself to a database or its file."""
_ADDS = frozenset(
    (
        *("create_table", "add_column", "create_index", "bulk_insert", "batch_alter_table", "f"),
        *("create_unique_constraint", "create_foreign_key", "create_check_constraint"),
        *("create_primary_key", "alter_column", "drop_index", "drop_constraint"),
    )
)
"""Operations that lose no rows and no columns."""
_DESCRIBES = frozenset(("sa", "sqlalchemy", "sqlmodel"))
_OF_MIGRATIONS = frozenset(
    ("alembic", "sqlalchemy", "sqlmodel", "typing", "collections", "__future__")
)
_COMPUTES = frozenset(
    (
        *("datetime", "dataclasses", "decimal", "enum", "functools", "itertools", "json"),
        *("logging", "math", "re", "string", "textwrap", "time", "uuid"),
    )
)
"""Modules that reach nothing outside of the program."""
_ELSEWHERE = frozenset(("version_locations", "recursive_version_locations"))
_FROM_SETTINGS = ("engine_from_config", "async_engine_from_config")


def has_own_database(
    inv: Invocation, context: CallContext, is_for_tests: Callable[[str], bool]
) -> bool:
    """Whether the only database of the migrations is their own, for tests, or a file that they add to.

    ``is_for_tests`` says so of an address.
    """
    folder = inv.working_folder(context)
    named = inv.values(("-c", "--config"))
    path = context.resolve(named[0].text if named else "alembic.ini", folder)
    text = _text(path, context)
    sections = [one.text for one in inv.values(("-n", "--name"))] or ["alembic"]
    if path is None or text is None or len(named) > 1 or len(sections) > 1:
        return False
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
        options = dict(parser.items(sections[0]))
    except configparser.Error:
        return False
    here = os.path.dirname(path)
    place = options.get("script_location", "").replace("%(here)s", here)
    env = context.resolve(os.path.join(place, "env.py"), folder) if place else None
    code = _text(env, context)
    if "ALEMBIC_CONFIG" in inv.command.environment or not _ELSEWHERE.isdisjoint(options):
        return False
    if place and not _are_plain(context.resolve(place, folder), folder, context):
        return False
    address = options.get("sqlalchemy.url", "").replace("%(here)s", here)
    versions = context.resolve(place, folder) if place else None
    if is_for_tests(_DRIVER.sub("", address)) or (
        not _LOSES.search(code or "") and _is_only_added_to(address, versions, inv, context)
    ):
        address = _IN_MEMORY  # which is as good as one that is nobody else's
    pairs = [one.text.partition("=") for one in inv.values(("-x",))]
    given = {name: value for name, equals, value in pairs if equals}
    return code is not None and _is_own(code, address, sections[0], given)


def _is_only_added_to(
    address: str, place: str | None, inv: Invocation, context: CallContext
) -> bool:
    """Whether it is a file of the project, and no migration takes anything from it."""
    file = _IN_FILE.fullmatch(address)
    path = context.resolve(file[1], inv.working_folder(context)) if file else None
    is_upgrade = [one.text for one in inv.operands[:1]] == ["upgrade"]
    if path is None or place is None or not is_upgrade:
        return False
    if not context.is_inside(context.real(path), (context.root,)):
        return False
    return all(one is not None and _only_adds(one) for one in _versions(place, context))


def _versions(place: str, context: CallContext) -> list[str | None]:
    folder = os.path.join(place, "versions")
    names = context.facts.names(folder) or ()
    return [_text(os.path.join(folder, one), context) for one in names if one.endswith(".py")]


def _only_adds(code: str) -> bool:
    """Whether a migration, on its way up, calls nothing but what adds to a database."""
    try:
        tree = python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    tree.body = [one for one in tree.body if getattr(one, "name", "") != "downgrade"]
    named = {"op"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if not all(_module_of(node, one) <= _OF_MIGRATIONS for one in node.names):
                return False
        elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            made = node.context_expr
            if dotted(getattr(made, "func", made)) != "op.batch_alter_table":
                return False
            named.add(node.optional_vars.id)
        elif isinstance(node, ast.ClassDef | ast.AsyncFunctionDef | ast.Lambda | ast.Delete):
            return False
    return all(_is_addition(one, named) for one in ast.walk(tree))


def _is_addition(node: ast.AST, named: set[str]) -> bool:
    """Whether a node gives no name another meaning, and calls nothing else than what describes or adds."""
    if isinstance(node, ast.FunctionDef):
        return node.name == "upgrade" and not node.decorator_list
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return isinstance(node, ast.Name) and node.id not in {"op", *_DESCRIBES}
    if isinstance(node, ast.Call):
        first, _, rest = dotted(node.func).partition(".")
        is_described = first in _DESCRIBES and not rest.startswith(("event", "create_"))
        return is_described or (first in named and rest in _ADDS)
    if isinstance(node, ast.keyword):
        return node.arg not in (None, "copy_from")  # a table may be made again without a column
    if isinstance(node, ast.alias) and node.asname in {"op", *_DESCRIBES}:
        return node.name == "sqlalchemy"
    return True


def _are_plain(place: str | None, folder: str | None, context: CallContext) -> bool:
    """Whether no migration reaches another database, and no file of the project stands for a library."""
    facts = context.facts
    names = facts.names(folder or "") or ()
    settings = facts.text(os.path.join(folder or "", "pyproject.toml"), _MAX_TEXT) or ""
    if "tool.alembic" in settings or any(one.partition(".")[0] == "sqlalchemy" for one in names):
        return False
    if place is None or "__init__.py" in (facts.names(os.path.join(folder or "", "alembic")) or ()):
        return False
    texts = _versions(place, context)
    return all(one is not None and _is_plain(one) for one in texts)


def _is_plain(code: str) -> bool:
    """Whether a migration has only the database that it is run on."""
    try:
        tree = python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.Import | ast.ImportFrom)]
    modules = [(node, one) for node in imports for one in node.names]
    is_known = all(
        _module_of(node, one) <= _OF_MIGRATIONS or _full_name(node, one) in _COMPUTES
        for node, one in modules
    )
    return is_known and not _CONNECTS.search(code)


def _text(path: str | None, context: CallContext) -> str | None:
    """The text of a file of the project that the line leaves as it is."""
    if path is None or context.is_changed(path) or context.arrivals or context.moved:
        return None
    if not context.is_inside(context.real(path), (context.root,)):
        return None
    return context.facts.text(path, _MAX_TEXT)


def _is_own(code: str, address: str, section: str, given: dict[str, str]) -> bool:
    """Whether ``env.py`` connects to its own database alone.

    ``address`` is that of the ``section`` of the settings, ``given`` are the words of ``-x``.
    """
    from operators_edge.shell.code.python import databases  # noqa: PLC0415 - parses code again

    if _SETS_ANOTHER.search(code):
        return False
    try:
        tree = python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if not _has_known_engine(tree):
        return False
    tree = ast.fix_missing_locations(_Settings(address, section, given).visit(tree))
    if _X_ARGUMENT in code:
        computed = _Computing(tree).computed()
        if computed is None:
            return False
        tree = computed
    return databases.are_own(f"from sqlalchemy import create_engine\n{python_source.unparse(tree)}")


def _has_known_engine(tree: ast.Module) -> bool:
    """Whether nothing from the project's modules is used but the description of its tables."""
    foreign = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if not _module_of(node, alias) & _KNOWN
    }
    held = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and re.search(r"metadata\Z|\A[A-Z]\w*\Z|\Amodels\Z", node.attr)
    }
    return "*" not in foreign and not any(
        isinstance(node, ast.Name) and node.id in foreign and id(node) not in held
        for node in ast.walk(tree)
        if isinstance(getattr(node, "ctx", None), ast.Load)
    )


def _module_of(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> set[str]:
    is_from = isinstance(node, ast.ImportFrom)
    name = (node.module or "") if isinstance(node, ast.ImportFrom) and not node.level else ""
    return {(name if is_from else alias.name).partition(".")[0]}


def _full_name(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """The module that is imported, with those around it; "" for one of the project's by its place."""
    if isinstance(node, ast.Import):
        return alias.name
    return "" if node.level else node.module or ""


class _Settings(ast.NodeTransformer):
    """Writes the address of the settings where code asks for it."""

    def __init__(self, address: str, section: str, given: dict[str, str]) -> None:
        self.address = address
        self.section = section
        self.given = given

    def _is_own_section(self, call: ast.expr | None) -> bool:
        """Whether the part of the settings is taken that the words of the command choose."""
        given = call.args[:1] if isinstance(call, ast.Call) else []
        names = [getattr(one, "value", None) == self.section for one in given]
        return any(names) or [dotted(one).endswith(".config_ini_section") for one in given] == [
            True
        ]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = dotted(node.func).rpartition(".")[2]
        first = node.args[0] if node.args else None
        section = dotted(first.func) if isinstance(first, ast.Call) else ""
        is_plain = all(one.arg in _PLAIN_KEYS for one in node.keywords) and len(node.args) < 3
        if (
            name in _FROM_SETTINGS
            and section.endswith(".get_section")
            and self._is_own_section(first)
            and is_plain
            and not _has_prefix(node)
        ):
            made = ast.Name("create_engine", ast.Load())
            return ast.Call(made, [ast.Constant(self.address)], [])
        is_table = [(one.arg, getattr(one.value, "value", None)) for one in node.keywords]
        if name == _X_ARGUMENT and not node.args and is_table == [("as_dictionary", True)]:
            keys: list[ast.expr | None] = [ast.Constant(one) for one in self.given]
            return ast.Dict(keys, [ast.Constant(one) for one in self.given.values()])
        is_address = isinstance(first, ast.Constant) and first.value == "sqlalchemy.url"
        if name == "get_main_option" and is_address and len(node.args) == 1:
            return ast.Constant(self.address)
        return node


_X_ARGUMENT = "get_x_argument"


class _Computing(ast.NodeTransformer):
    """Writes what ``env.py`` takes of the words of ``-x``, and what its functions return of them."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        stores = [
            one.id
            for one in ast.walk(tree)
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)
        ]
        self.tables = {
            one.targets[0].id: ast.literal_eval(one.value)
            for one in ast.walk(tree)
            if isinstance(one, ast.Assign)
            and isinstance(one.value, ast.Dict)
            and all(isinstance(each, ast.Constant) for each in (*one.value.keys, *one.value.values))
            and isinstance(one.targets[0], ast.Name)
            and stores.count(one.targets[0].id) == 1
        }
        self.returned: dict[str, ast.Constant] = {}

    def computed(self) -> ast.Module | None:
        """The program; None if it may do something else with the words."""
        tree: ast.Module = self.visit(self.tree)
        named = [one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
        left = [one.id for one in ast.walk(tree) if isinstance(one, ast.Name)]
        if any(left.count(one) != 1 for one in self.tables) or _X_ARGUMENT in ast.unparse(tree):
            return None
        for one in ast.walk(tree):
            if isinstance(one, ast.FunctionDef) and not (one.args.args or one.decorator_list):
                returns = [each.value for each in ast.walk(one) if isinstance(each, ast.Return)]
                is_only = len(returns) == 1 and named.count(one.name) == 1
                if is_only and isinstance(returns[0], ast.Constant):
                    self.returned[one.name] = returns[0]
        again: ast.Module = self.visit(tree)
        return ast.fix_missing_locations(again)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        holder, _, name = dotted(node.func).rpartition(".")
        if not holder and name in self.returned and not (node.args or node.keywords):
            return self.returned[name]
        key = node.args[0] if node.args else None
        if holder in self.tables and name == "get" and isinstance(key, ast.Constant):
            default = node.args[1] if node.args[1:] else ast.Constant(None)
            found = self.tables[holder].get(key.value)
            return default if found is None else ast.Constant(found)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        table = self.tables.get(dotted(node.value), {})
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return ast.Constant(table[key]) if key in table else node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        first = node.values[0]
        if not isinstance(node.op, ast.Or) or not isinstance(first, ast.Constant):
            return node
        rest = node.values[1:]
        return first if first.value else rest[0] if len(rest) == 1 else ast.BoolOp(ast.Or(), rest)


def _has_prefix(node: ast.Call) -> bool:
    """Whether another setting than ``sqlalchemy.url`` is taken."""
    prefixes = [one.value for one in node.keywords if one.arg in ("prefix", None)]
    return any(
        not (isinstance(one, ast.Constant) and one.value == "sqlalchemy.") for one in prefixes
    )


# end of module
