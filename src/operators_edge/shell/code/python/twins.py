"""Calls of Python libraries that act on other machines, as the command lines that do the same.

Owns which library and which object a method belongs to, and what a program says of its databases. Does not
own what the calls of a library do (``shell.code.python.library_twins``), computing constants
(``shell.code.python.code``, whose tree this reads) or what is dangerous (the packs).
"""

from __future__ import annotations

import ast
import sys

from operators_edge.shell.code.addresses import client_of
from operators_edge.shell.code.own_databases import is_own_address
from operators_edge.shell.code.python import platforms, services
from operators_edge.shell.code.python.library_twins import (
    ACTS,
    RUN_SQL,
    SQL_CLIENTS,
    SQL_OPTION,
    Call,
    commands,
    dotted,
    is_deletion,
    library_of,
    text_of,
)
from operators_edge.shell.code.twins import STATEMENT
from operators_edge.shell.commands import OWN_PATH
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TWINS = 60
_MAX_PARTS = 12
_MOCKS = frozenset(
    [
        "responses",
        "requests_mock",
        "respx",
        "httpretty",
        "mock",
        "vcr",
        "moto",
        "pook",
        "pytest_httpx",
    ]
)
"""Libraries that answer requests in the place of other machines."""
_ANSWERS = pattern(r"(?i)mock|fake|stub|dummy|moto\b|urlparse|urlsplit|make_url|print|log")
"""Names of what opens no connection to the address that it gets."""
MODELS = frozenset(["flask_sqlalchemy", "sqlmodel", "mongoengine", "tortoise", "peewee"])
"""Libraries whose models have the methods that drop what they are kept in."""
_DROPS_TABLES = frozenset(["drop_all", "drop_tables", "drop_table", "_drop_databases"])
_DROPS_COLLECTIONS = frozenset(["drop_collection", "drop_database", "delete_many"])
_FLUSHES = frozenset(["flushall", "flushdb"])
_OF_SQL = frozenset(["psql", "mysql", "sqlcmd", "snowsql"])
_LINKS = frozenset(["symlink", "link", "symlink_to", "hardlink_to", "link_to"])


class Twin(NamedTuple):
    """A command line, as words or as a text, and the line of the call in the code."""

    line: int
    words: tuple[str, ...] = ()
    text: str | None = None


def find(tree: ast.AST) -> list[Twin]:
    """Return the commands that the calls of a program amount to, in the order of the text."""
    reader = Reader(tree)
    reader.of_models = _models_of(tree)
    reader.visit(tree)
    return reader.found[:MAX_TWINS]


def _models_of(tree: ast.AST) -> str:
    """The address of the database of Django's models."""
    for one in getattr(tree, "body", ()):
        call = one.value if isinstance(one, ast.Expr) else None
        if isinstance(call, ast.Call) and dotted(call.func) == "django.db.connections.configure":
            return text_of(call.args[0]) if call.args else ""
    return ""


class Reader(ast.NodeVisitor):
    """Follows names from their imports and assignments to the calls of their methods."""

    def __init__(self, tree: ast.AST) -> None:
        self.tree = tree
        self.names: dict[str, list[str]] = {}
        """A name → the library and what was taken from it."""
        self.makers: dict[str, list[ast.Call]] = {}
        self.is_test = self.is_mocked = self.has_mocked_cloud = self.is_patched = False
        self.sql = ""
        self.addresses: list[tuple[str, str]] = []
        """The databases that it connects to: the library, and the address."""
        self.of_models = ""
        """The address of the database of Django's models, if that is on another machine."""
        self.attached = ""
        """SQL that brings another file into a database."""
        self.has_links = False
        self.elsewhere: dict[str, str] = {}
        """The client of a database → the address of one on another machine."""
        self.page = ""
        """The page on another machine that a browser shows."""
        self.queries: set[str] = set()
        """Names of queries of models."""
        self.found: list[Twin] = []

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            parts = alias.name.split(".")
            self.names[alias.asname or parts[0]] = parts if alias.asname else parts[:1]
            self._note(parts[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.is_mocked |= node.module == "unittest.mock" or any(
            one.name == "mock" for one in node.names
        )
        parts = (node.module or "").split(".") if not node.level else []
        for alias in node.names if parts else ():
            self.names[alias.asname or alias.name] = [*parts, alias.name]
            self._note(parts[0])

    def _note(self, library: str) -> None:
        self.is_test |= library in {"pytest", "unittest"}
        self.is_mocked |= library in _MOCKS
        self.sql = self.sql or SQL_CLIENTS.get(library, "")

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self.is_patched |= isinstance(target, ast.Attribute) and target.attr == "MockTransport"
            if isinstance(target, ast.Subscript):  # `app.config["SQLALCHEMY_DATABASE_URI"]`
                self._note_address(node.value)
            self._bind(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        if node.value is not None:
            self._bind(node.target, node.value)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        before = self.has_mocked_cloud
        for item in node.items:
            self.visit(item.context_expr)
            self.has_mocked_cloud |= self._mocks_cloud(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, item.context_expr)
        for one in node.body:
            self.visit(one)
        self.has_mocked_cloud = before

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        before = self.has_mocked_cloud
        self.has_mocked_cloud |= any(map(self._mocks_cloud, node.decorator_list))
        self.generic_visit(node)
        self.has_mocked_cloud = before

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - named by the base class

    def _mocks_cloud(self, node: ast.expr) -> bool:
        """Whether it is moto's ``mock_aws`` or the like, called or as a decorator."""
        names, _ = self.way(node)
        return names[:1] == ["moto"] and names[-1].startswith("mock_")

    visit_AsyncWith = visit_With  # noqa: N815 - named by the base class

    def visit_For(self, node: ast.For) -> None:
        self._bind(node.target, node.iter)
        self.generic_visit(node)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        name = dotted(target)
        names, made_by = self.way(value)
        if name and names:
            self.names[name], self.makers[name] = names, made_by
        elif name:
            self.names.pop(name, None)
        if name and self.elsewhere and self._is_query(value):
            self.queries.add(name)

    def way(self, node: ast.expr) -> tuple[list[str], list[ast.Call]]:
        """Return the library and the names from it to an expression, and the calls between them."""
        rest: list[str] = []
        calls: list[ast.Call] = []
        while len(rest) < _MAX_PARTS:
            known = self.names.get(dotted(node))
            if known:
                return [*known, *rest], [*self.makers.get(dotted(node), ()), *calls]
            if isinstance(node, ast.Attribute):
                rest, node = [node.attr, *rest], node.value
            elif isinstance(node, ast.Call):
                calls, node = [node, *calls], node.func
            elif isinstance(node, (ast.Await, ast.Subscript)):
                node = node.value
            else:
                break
        return [], []

    def is_own(self, address: str) -> bool:
        """Whether a database is the program's own, and nothing brings another one into it."""
        is_linked = self.has_links and OWN_PATH in address
        return is_own_address(address) and not self.attached and not is_linked

    def _note_address(self, node: ast.expr) -> None:
        text = text_of(node)
        if client := client_of(text):
            self.elsewhere[client] = text

    def _drops_elsewhere(self, node: ast.expr) -> Iterator[list[str]]:
        """What a method drops through a model or a collection, at the address that the program has.

        ``node`` is the method, also where it is handed on: ``c.run_sync(Base.metadata.drop_all)``.
        """
        name = node.attr if isinstance(node, ast.Attribute) else ""
        if name in _DROPS_TABLES:
            for client in sorted(_OF_SQL & self.elsewhere.keys()):
                address = [self.elsewhere[client]] if client == "psql" else []
                yield [client, *address, SQL_OPTION[client], "DROP TABLE tables"]
        if name in _DROPS_COLLECTIONS and "mongosh" in self.elsewhere:
            yield ["mongosh", self.elsewhere["mongosh"], "--eval", "db.drop()"]
        if name in _FLUSHES and "redis-cli" in self.elsewhere:
            yield ["redis-cli", "-u", self.elsewhere["redis-cli"], "FLUSHALL"]

    def _changes_elsewhere(self, call: Call) -> Iterator[list[str]]:
        """What SQL or a query does through the models of a program, at the address that it has."""
        found = sorted(_OF_SQL & self.elsewhere.keys())
        held = call.node.func.value if isinstance(call.node.func, ast.Attribute) else None
        is_of_models = call.library in (*MODELS, "pandas", "polars") or (
            held is not None and self._is_query(held)
        )
        if not found or not is_of_models or call.library in SQL_CLIENTS:
            return
        name, given = getattr(call.node.func, "attr", ""), call.argument(0, "statement")
        inner = given.args[:1] if isinstance(given, ast.Call) else []
        text = text_of(inner[0] if inner else given)
        replaces = [one for one in call.node.keywords if one.arg == "if_exists"]
        deletes = is_deletion(given) or (
            given is not None and self.way(given)[0][-1:] == ["delete"]
        )
        if name == "to_sql":
            text = (
                "DROP TABLE tables"
                if [text_of(one.value) for one in replaces] == ["replace"]
                else ""
            )
        if name == "delete" or (name in RUN_SQL and deletes):
            text = "DELETE FROM tables"
        elif name not in (*RUN_SQL, "to_sql") or not STATEMENT.match(text):
            return
        for client in found:
            address = [self.elsewhere[client]] if client == "psql" else []
            yield [client, *address, SQL_OPTION[client], text]

    def _is_query(self, node: ast.expr) -> bool:
        """Whether an expression is a query of a model, or has that name: ``Order.query.filter(…)``."""
        return dotted(node) in self.queries or any(
            isinstance(one, ast.Attribute) and one.attr == "query" for one in ast.walk(node)
        )

    def _note_published(self, names: list[str], node: ast.Call) -> None:
        published = () if self.is_test and self.is_mocked else services.published_by(names, node)
        self.found += [Twin(node.lineno, tuple(words)) for words in published]

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        names, made_by = self.way(node.func)
        if len(self.found) >= MAX_TWINS:
            return
        given = [*node.args, *(one.value for one in node.keywords)]
        for each in given if not _ANSWERS.search(".".join(names)) else ():
            self._note_address(each)
        is_known = bool(names) and names[0] in ACTS.keys() | SQL_CLIENTS.keys()
        for each in given if is_known else [node.func, *given]:
            self.found += [Twin(node.lineno, tuple(words)) for words in self._drops_elsewhere(each)]
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        self.has_links |= method in _LINKS
        self._note_published(names, node)
        if not names and method in RUN_SQL and self.sql:
            names = [library_of(self.sql), method]
        if not names:
            names, made_by = ["", *dotted(node.func).split(".")], []
        if len(names) == 1:  # another function with the name of a library
            return
        call = Call(names[0], names[1:], node, made_by)
        before = len(self.found)
        self._add_twins(call)
        self.found += [Twin(node.lineno, tuple(words)) for words in self._changes_elsewhere(call)]
        is_known = len(self.found) > before or self.is_mocked
        if names[0] in platforms.LIBRARIES and not is_known:
            runs = platforms.commands(names, node, made_by, self.tree)
            self.found += [Twin(node.lineno, text=run) for run in runs]

    def _add_twins(self, call: Call) -> None:
        for one in commands(call, self):
            text = one if isinstance(one, str) else None
            words = () if isinstance(one, str) else tuple(one)
            self.found.append(Twin(call.node.lineno, words, text))


_OTHER_DATABASES = frozenset(
    "redis valkey pymongo motor elasticsearch opensearchpy mongoengine django peewee tortoise".split()  # noqa: SIM905
)
_KNOWN = frozenset([*SQL_CLIENTS, *sys.stdlib_module_names])


def uses_own_databases(tree: ast.AST) -> bool:
    """Whether all databases that a program connects to are its own; ``tree`` has its constants computed."""
    reader = Reader(tree)
    reader.visit(tree)
    libraries = {names[0] for names in reader.names.values() if names}
    connected = {library for library, _ in reader.addresses}
    unconnected = (libraries & SQL_CLIENTS.keys()) - connected - {"sqlalchemy", "sqlite3"}
    if not connected or unconnected or libraries & _OTHER_DATABASES:
        return False
    return all(reader.is_own(one) for _, one in reader.addresses) and not any(
        _is_handed_in(one, reader) for one in ast.walk(tree)
    )


def _is_handed_in(node: ast.AST, reader: Reader) -> bool:
    """Whether it is SQL that is run by what another module gives: ``from db import con``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    names, _ = reader.way(node.func)
    return node.func.attr in RUN_SQL and bool(names) and names[0] not in _KNOWN


# end of module
