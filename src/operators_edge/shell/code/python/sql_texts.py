"""Statements that a Python program has from a file, or that a library gives a name.

``conn.execute(Path("wipe.sql").read_text())``, ``aiosql.from_path("queries.sql", "psycopg").wipe(conn)``,
``sql.SQL("TRUNCATE {}").format(…)``. Owns what such a text is. Does not own which of them lose something
(``shell.code.python.twins``). Loaded for programs that are followed.
"""

from __future__ import annotations

import ast
from typing import Any

from operators_edge.shell.code import sql_files
from operators_edge.shell.code.python.operations import is_path, path_text
from operators_edge.shell.code.python.settings import READS, file_read
from operators_edge.shell.code.python.values import ABSENT, UNKNOWN, Box, Instance, Native, Symbol
from operators_edge.shell.code.twins import STATEMENT
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.shell.code.python.trace import Walk

_ENDING = ".sql"
_MAX_TEXT = 64 * 1024
_MAX_NAMES = 8
_NAME = pattern(r"(?m)^[ \t]*--+[ \t]*name[ \t]*:[ \t]*([\w-]+)[^\n]*$")


def read_by(walk: Walk, called: Symbol) -> Any:
    """What a call reads from a file of SQL; ABSENT if it reads none."""
    node = called.expr
    if not isinstance(node, ast.Attribute) or node.attr not in READS:
        return ABSENT
    names = [file_read(walk, node.value)]
    if not names[0]:  # `resources.files("shop").joinpath("wipe.sql")`
        texts = list(_texts_in(walk, node.value))
        ends = [one for one in texts if one.endswith(_ENDING)]
        others = [one.replace(".", "/") for one in texts if one not in ends]
        names = [f"{one}/{two}" for one in others for two in ends] + ends
    found = (content(walk, one) for one in names[:_MAX_NAMES])
    return next((one for one in found if one is not None), ABSENT)


def _texts_in(walk: Walk, node: ast.expr) -> Iterator[str]:
    """The texts that the calls of a chain are given."""
    node = walk.residue.resolved(node)
    if isinstance(node, ast.Attribute):
        yield from _texts_in(walk, node.value)
    elif isinstance(node, ast.Call):
        yield from _texts_in(walk, node.func)
        for one in node.args:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value


def content(walk: Walk, path: str) -> str | None:
    """The text of a file of SQL, with what changes something in front; None if there is no such file."""
    text = walk.read(path) if path.endswith(_ENDING) else None
    if text is None or len(text) > _MAX_TEXT:
        return None
    statements = [one.strip() for one in sql_files.in_lines(text).split("\n") if one.strip()]
    return "\n".join(sorted(statements, key=lambda one: STATEMENT.match(one) is None))


def _named_queries(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    """An object with a method for each statement of a file, which is given the connection."""
    if not words or not is_path(words[0]):
        return ABSENT
    path = path_text(words[0])
    text = walk.read(path) if path.endswith(_ENDING) else None
    if text is None or len(text) > _MAX_TEXT:
        return ABSENT
    made = Instance(None, is_open=True)
    parts = _NAME.split(text)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        made.attributes[name.replace("-", "_")] = Native(_run(walk, " ".join(body.split())))
    return made


def _run(walk: Walk, text: str) -> Callable[[list[Any], dict[str, Any]], Any]:
    def run(words: list[Any], _: dict[str, Any]) -> Any:
        connection = words[0] if words else UNKNOWN
        called = Symbol(ast.Attribute(walk.expr(connection), "execute", ast.Load()))
        return walk.call(called, [text], {}, None)

    return run


def _text(_: Walk, words: list[Any], __: dict[str, Any]) -> Any:
    return words[0] if len(words) == 1 and isinstance(words[0], str) else ABSENT


def _split(_: Walk, words: list[Any], __: dict[str, Any]) -> Any:
    """``sqlparse.split(text)``."""
    text = words[0] if words else None
    if not isinstance(text, str):
        return ABSENT
    return Box([one.strip() for one in sql_files.in_lines(text).split("\n") if one.strip()])


CALLS: dict[str, Callable[[Walk, list[Any], dict[str, Any]], Any]] = {
    **dict.fromkeys(("aiosql.from_path", "anosql.from_path", "pugsql.module"), _named_queries),
    "sqlparse.split": _split,
    **{
        f"{library}.sql.{name}": _text
        for library in ("psycopg", "psycopg2", "psycopg_binary")
        for name in ("SQL", "Identifier")
    },
}


# end of module
