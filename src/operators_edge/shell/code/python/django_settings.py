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
    either,
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
    databases = _found_in(settings)
    note_databases(walk, databases, settings.path)
    walk.databases = databases
    walk.is_routed = settings.scope.find("DATABASE_ROUTERS") is not ABSENT


def _found_in(settings: Module) -> Any:
    """The databases of a module of settings, or of the classes in it that have some."""
    found = settings.scope.find("DATABASES")
    if found is not ABSENT:
        return found
    classes = (one for one in settings.scope.names.values() if isinstance(one, Class))
    return either(one.find("DATABASES") for one in classes)


def note_databases(walk: Walk, databases: Any, path: str, name: str = _DATABASE) -> None:
    """Leave the addresses of the databases of a name that are elsewhere."""
    for database in _databases(databases, name):
        for address in _of_database(database):
            note_address(walk, address, path)


def note_address(walk: Walk, address: str, path: str) -> None:
    called = walk.residue.library(CONNECTS, "django.db").expr
    call = ast.Expr(ast.Call(called, [ast.Constant(address)], []))
    for one in dict.fromkeys((path, walk.start.path)):
        walk.residue.add(call, one, 1)


def note_others(walk: Walk) -> None:
    """Leave the addresses of the other databases that the program names, or that a router may choose."""
    names = {one for text in walk.texts for found in _USES.findall(text) for one in found if one}
    for every in options_of(walk.databases):
        known = every.cell["items"] if isinstance(every, Box) and every.is_dict else {}
        for name in known:
            if name != _DATABASE and (name in names or walk.is_routed):
                note_databases(walk, walk.databases, walk.start.path, name)


_USES = re.compile(
    r"\b(?:using|db_manager)\(\s*['\"](\w+)['\"]|\bconnections\[\s*['\"](\w+)['\"]"
    r"|\b(?:using|database|alias)\s*=\s*['\"](\w+)['\"]"
)


def note_configured(walk: Walk, _: list[Any], named: dict[str, Any]) -> Any:
    """``settings.configure(DATABASES={…})``."""
    note_databases(walk, named.get("DATABASES", ABSENT), walk.frame.module.path)
    return ABSENT


def note_changed(walk: Walk, holder: ast.expr, key: Any, value: Any) -> None:
    """``settings.DATABASES["default"]["HOST"] = …``, ``connections["default"].settings_dict["HOST"] = …``."""
    if not _HOLDS_SETTINGS.search(ast.unparse(holder)):
        return
    for one in options_of(value):
        if key == "HOST" and isinstance(one, str) and is_elsewhere(one, "host"):
            note_address(walk, f"postgresql://{one}/", walk.frame.module.path)
        elif key in (_DATABASE, "DATABASES"):
            for address in _of_database(one):
                note_address(walk, address, walk.frame.module.path)


_HOLDS_SETTINGS = re.compile(
    r"\bsettings_dict$|\bDATABASES\b|\bconnections\.(?:databases|settings)\b"
)


def _databases(databases: Any, name: str = _DATABASE) -> list[Any]:
    return [
        database
        for every in options_of(databases)
        if isinstance(every, Box) and every.is_dict
        for database in options_of(every.cell["items"].get(name, ABSENT))
    ]


def _of_database(database: Any) -> list[str]:
    if isinstance(database, str):  # `env.db()`, `dj_database_url.config()`
        return [database] if is_elsewhere(database, "database") else []
    if not isinstance(database, Box) or not database.is_dict:
        return []
    items = database.cell["items"]
    more = items.get("OPTIONS")
    given = more.cell["items"] if isinstance(more, Box) and more.is_dict else {}
    hosts = (*options_of(items.get("HOST", UNKNOWN)), *options_of(given.get("host", UNKNOWN)))
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
    for database in _databases(settings.scope.find("DATABASES")):
        _note_same_name(walk, settings, database)
    named = walk.start.name or settings.scope.find("TEST_RUNNER")
    for one in options_of(named):
        module, _, name = one.rpartition(".") if isinstance(one, str) else ("", "", "")
        found = walk.load(module, walk.start.folder, module) if module else None
        runner = found.scope.find(name) if found is not None else ABSENT
        if isinstance(runner, Class):
            _run_with(walk, runner)


def _run_with(walk: Walk, runner: Class) -> None:
    if any(_acts_before(runner.find(name), name) for name in _BEFORE):
        # Code from elsewhere calls all methods of the class, and so they are walked.
        note_database(walk, walk.settings)


_ACTS = re.compile(r"\bcall_command\(|\.(?:execute\w*|delete)\(")
_RUNS = "run_tests"
"""It goes on when the database for tests is gone again."""
_BEFORE = (_SETS_UP, _RUNS, "__init__", "setup_test_environment", "build_suite", "run_checks")
"""What Django calls before there is a database for tests."""


def _acts_before(method: Any, name: str) -> bool:
    """Whether a method of a runner acts on the database of the settings, or leaves it to the tests."""
    if not isinstance(method, Function):
        return False  # Django's own one
    first = None if name == _RUNS else _before_own(method.node, name)
    if first is None and name == _SETS_UP:
        return True
    left = method.node.body if first is None else first
    return any(_ACTS.search(ast.unparse(one)) for one in left)


def _before_own(node: ast.FunctionDef, name: str) -> list[ast.stmt] | None:
    """What a method does before it calls that of its parent class; None if it never does."""
    for at, statement in enumerate(node.body):
        value = getattr(statement, "value", None)
        func = value.func if isinstance(value, ast.Call) else None
        is_own = isinstance(func, ast.Attribute) and func.attr == name
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
