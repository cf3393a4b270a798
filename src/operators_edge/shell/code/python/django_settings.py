"""The database of a Django program, as its settings name it: the models' methods act there.

Owns finding the module of settings, and the address in its ``DATABASES``. A database on this machine, and one
that is not known, says nothing. Does not own what the methods do (``shell.code.python.twins``), nor other
settings (``shell.code.python.settings``). Loaded for programs of Django alone.
"""

from __future__ import annotations

import ast
from typing import Any

from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.python.values import ABSENT, UNKNOWN, Box, options_of

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
    return [
        address
        for every in options_of(databases)
        if isinstance(every, Box) and every.is_dict
        for database in options_of(every.cell["items"].get(_DATABASE, ABSENT))
        for address in _of_database(database)
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


# end of module
