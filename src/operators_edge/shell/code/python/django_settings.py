"""The database of a Django program, as its settings name it: the models' methods act there.

Owns finding the module of settings, the address in its ``DATABASES``, and whether a runner of tests works on
that database instead of one for tests. A database on this machine, and one that is not known, says nothing.
Does not own what the methods do (``shell.code.python.twins``), nor other
settings (``shell.code.python.settings``). Loaded for programs of Django alone.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    Class,
    Function,
    Module,
    options_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.python.trace import Walk

CONNECTS = "django.db.connections.configure"
"""The call that stands for it in what is left of a program."""
_DATABASE = "default"
_SCHEMES = {"mysql": "mysql", "oracle": "oracle", "postgis": "postgresql"}


def note_database(walk: Walk, module: str) -> None:
    """Walk the settings, and leave the address of a database that is elsewhere."""
    settings = walk.load(module, walk.start.folder, module) if module else None
    if settings is None:
        return
    for address in dict.fromkeys(_addresses(settings.scope.find("DATABASES"))):
        called = walk.residue.library(CONNECTS, "django.db").expr
        call = ast.Expr(ast.Call(called, [ast.Constant(address)], []))
        walk.residue.add(call, settings.path, 1)
        walk.residue.add(call, walk.start.path, 1)


def _addresses(databases: Any) -> list[str]:
    return [address for one in _default_databases(databases) for address in _of_database(one)]


def _default_databases(databases: Any) -> list[Any]:
    return [
        database
        for every in options_of(databases)
        if isinstance(every, Box) and every.is_dict
        for database in options_of(every.cell["items"].get(_DATABASE, ABSENT))
    ]


def _of_database(database: Any) -> list[str]:
    if isinstance(database, str):  # `env.db()`, `dj_database_url.config()`
        return [database] if is_elsewhere(database, "database") else []
    if not isinstance(database, Box) or not database.is_dict:
        return []
    items = database.cell["items"]
    hosts = options_of(items.get("HOST", UNKNOWN))
    engine = next((one for one in options_of(items.get("ENGINE", "")) if isinstance(one, str)), "")
    name = next((one for one in options_of(items.get("NAME", "")) if isinstance(one, str)), "")
    scheme = _SCHEMES.get(engine.rpartition(".")[2], "postgresql")
    return [
        f"{scheme}://{host}/{name}"
        for host in hosts
        if isinstance(host, str) and is_elsewhere(host, "host")
    ]


# -- tests -----------------------------------------------------------------------------------------

_SETS_UP = "setup_databases"


def run_tests(walk: Walk, settings: Module) -> None:
    """Walk what ``manage.py test`` does to the database of the settings before it has made one for tests."""
    for database in _default_databases(settings.scope.find("DATABASES")):
        _note_same_name(walk, settings, database)
    named = walk.start.name or settings.scope.find("TEST_RUNNER")
    for one in options_of(named):
        module, _, name = one.rpartition(".") if isinstance(one, str) else ("", "", "")
        found = walk.load(module, walk.start.folder, module) if module else None
        runner = found.scope.find(name) if found is not None else ABSENT
        if isinstance(runner, Class):
            _run_with(walk, runner)


def _run_with(walk: Walk, runner: Class) -> None:
    sets_up = runner.find(_SETS_UP)
    if not isinstance(sets_up, Function):
        return  # Django makes one first
    first = _before_own(sets_up.node)
    if first is None or any(_ACTS.search(ast.unparse(one)) for one in first):
        # Code from elsewhere calls all methods of the class, and so they are walked.
        note_database(walk, walk.settings)


_ACTS = re.compile(r"\bcall_command\(|\.(?:execute\w*|delete)\(")


def _before_own(node: ast.FunctionDef) -> list[ast.stmt] | None:
    """What a method does before Django makes a database for tests; None if it never does."""
    for at, statement in enumerate(node.body):
        value = getattr(statement, "value", None)
        func = value.func if isinstance(value, ast.Call) else None
        is_own = isinstance(func, ast.Attribute) and func.attr == _SETS_UP
        if is_own and isinstance(statement, ast.Assign | ast.Expr | ast.Return):
            return node.body[:at]
    return None


def _note_same_name(walk: Walk, settings: Module, database: Any) -> None:
    """A database for tests of the same name is the database itself, which is dropped and made again."""
    items = database.cell["items"] if isinstance(database, Box) and database.is_dict else {}
    tests = items.get("TEST")
    given = tests.cell["items"].get("NAME") if isinstance(tests, Box) and tests.is_dict else None
    if not isinstance(given, str) or given != items.get("NAME"):
        return
    for address in _of_database(database):
        connects = walk.residue.library(CONNECTS, "django.db").expr
        runs = walk.residue.library("django.core.management.call_command", "django.core.management")
        calls = ((connects, address), (runs.expr, "reset_db"))
        for called, word in calls:
            call = ast.Expr(ast.Call(called, [ast.Constant(word)], []))
            walk.residue.add(call, settings.path, 1)


# end of module
