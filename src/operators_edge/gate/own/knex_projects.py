"""Whether the migrations of knex work in databases for tests alone, by their ``knexfile``.

Owns reading that file, as far as it is plain data: texts, and values of JSON files of the project. Does not
own what a name says of a database (``gate.known_names``). Pure but for ``Facts``. Loaded for such commands.
"""

from __future__ import annotations

import os.path
import re
from typing import Any

from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.code.comments import JAVASCRIPT, without_comments
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_MAX_TEXT = 64 * 1024
_FILES = ("knexfile.js", "knexfile.cjs", "knexfile.mjs", "knexfile.ts")
_OPTIONS = frozenset(("--all", "--verbose", "--debug"))
_JSON = pattern(
    r"(?m)^[ \t]*(?:const|let|var)\s+(\w+)\s*=\s*require\(\s*(['\"])(\.{1,2}/[\w./-]+\.json)\2\s*\);?[ \t]*$"
)
_FRAME = pattern(
    r"(?m)^[ \t]*(?:(['\"])use strict\1;?|require\(\s*['\"]dotenv['\"]\s*\)\.config\(\s*\);?"
    r"|(?:const|let|var)\s+path\s*=\s*require\(\s*['\"](?:node:)?path['\"]\s*\);?"
    r"|import\s+(?:type\s+)?\{\s*Knex\s*\}\s+from\s+['\"]knex['\"];?"
    r"|(?:module\.exports|export\s+default|(?:const|let)\s+config\b[^={\n]*(?:\{[^{}=\n]*\})?)\s*=?\s*(?=\{)"
    r"|(?:module\.exports\s*=|export\s+default)\s*config;?)[ \t]*"
)
"""What stands around the object in such a file."""
_PLACE = pattern(r"\bpath\.(?:join|resolve)\(\s*__dirname\s*(?:,\s*['\"][\w./-]*['\"]\s*)*\)")
_STRING = pattern(r"'[^'\\\n]*'|\"[^\"\\\n]*\"")
_CONNECTION = pattern(
    r"(?<![\w.])(['\"]?)connection\1\s*:\s*(?P<value>\{[^{}]*\}|'[^'\\\n]*'|\"[^\"\\\n]*\"|[\w.]+)"
)
_PAIR = pattern(
    r"\s*(['\"]?)(?P<key>\w+)\1\s*:\s*(?P<value>'[^'\\\n]*'|\"[^\"\\\n]*\"|[\w.]+)\s*(?:,|\Z)"
)
_CLIENT = pattern(r"(?<![\w.])(['\"]?)client\1\s*:\s*(['\"])(?P<name>[\w-]+)\2")
_CLIENTS = {
    **dict.fromkeys(("pg", "postgres", "postgresql"), "postgres"),
    **dict.fromkeys(("mysql", "mysql2"), "mysql"),
    **dict.fromkeys(("sqlite3", "better-sqlite3"), "sqlite"),
}
_KEYS = frozenset(("host", "port", "user", "password", "database", "filename", "charset"))
_REACHES = pattern(
    r"\brequire\s*\(|\bimport\b|process\.|\bfetch\s*\(|\beval\b|\bnew\s+\w*(?:Client|Pool|Connection|Function)\b"
)
"""What a migration may do to another database, or with other code."""
_FOLDERS = (
    "migrations",
    "seeds",
    "db/migrations",
    "db/seeds",
    "database/migrations",
    "database/seeds",
)


def has_test_databases(
    inv: Invocation, context: CallContext, is_for_tests: Callable[[str], bool]
) -> bool:
    """Whether all databases of the project's ``knexfile`` are for tests; ``is_for_tests`` says so of one."""
    folder = inv.working_folder(context)
    words = [word.text for word in inv.command.argv[1:]]
    chosen = ""
    if "--env" in words[:-1]:
        at = words.index("--env")
        chosen = words[at + 1]
        words[at : at + 2] = []
    is_plain = all(one in _OPTIONS for one in words if one[:1] == "-")
    is_plain &= all(word.is_known for word in inv.command.argv)
    if folder is None or not is_plain or context.arrivals or context.moved:
        return False
    names = [one for one in _FILES if one in (context.facts.names(folder) or ())]
    code = _text(f"{folder}/{names[0]}", context) if len(names) == 1 else None
    if code is None or not _stay(folder, code, context):
        return False
    found = list(_databases(code, folder, context, chosen))
    return bool(found) and all(found_ and is_for_tests(found_) for found_ in found)


def _databases(code: str, folder: str, context: CallContext, chosen: str) -> Iterator[str]:
    """Yield each database that the file names, as an address; "" for one that is not known.

    If an environment is ``chosen``, only its databases count.
    """
    code = without_comments(code, JAVASCRIPT)
    values = {
        name: json_of(_text(os.path.normpath(os.path.join(folder, path)), context) or "")
        for name, _, path in _JSON.findall(code)
    }
    data = _PLACE.sub("''", _FRAME.sub("", _JSON.sub("", code))).strip().rstrip(";")
    plain = _STRING.sub("''", data)
    is_data = re.search(r"[=(`\[\\]|\.\.\.|\b(?:get|set|async)\b", plain) is None
    is_whole = data[:1] == "{" and plain.count("{") == plain.count("}")
    if chosen and is_data and is_whole:
        data = _section(data, chosen)
        plain = _STRING.sub("''", data)
    kinds = {_CLIENTS.get(one["name"], "") for one in _CLIENT.finditer(data)}
    if not (is_data and is_whole) or len(kinds) != 1:
        yield ""
        return
    count = len(re.findall(r"(?<![\w.])connection\b", data))
    found = list(_CONNECTION.finditer(data))
    if count != len(found):
        yield ""
        return
    kind = kinds.pop()
    yield from (_address(kind, one["value"], values) for one in found)


def _section(data: str, name: str) -> str:
    """The object that is the value of a key; "" if that is not there once, on the first level."""
    plain = _STRING.sub(lambda one: "'" + "_" * (len(one[0]) - 2) + "'", data)
    keys = list(re.finditer(rf"(?<![\w.])(['\"]?){re.escape(name)}\1\s*:\s*(\{{?)", data))
    if len(keys) != 1 or not keys[0][2]:
        return ""
    start = keys[0].end() - 1
    if plain[start] != "{" or plain[:start].count("{") - plain[:start].count("}") != 1:
        return ""
    end = start + 1 + len(upto(plain, "}", start + 1))
    return data[start : end + 1] if end < len(plain) else ""


def _address(kind: str, text: str, values: dict[str, Any]) -> str:
    """The address of a connection: of an object, a text, or a part of a JSON file."""
    given: Any = None
    if text[:1] == "{":
        pairs, at = {}, 0
        while (one := _PAIR.match(text[1:-1], at)) is not None and one.end() > at:
            pairs[one["key"]] = _value(one["value"], values)
            at = one.end()
        given = pairs if not text[1:-1][at:].strip() else None
    else:
        given = _value(text, values)
    if isinstance(given, str):
        return given
    if not kind or not isinstance(given, dict) or not _KEYS.issuperset(given):
        return ""
    if kind == "sqlite":
        return str(given.get("filename") or "")
    host, name = given.get("host"), given.get("database")
    return f"{kind}://{host}/{name}" if host and name and "filename" not in given else ""


def _value(text: str, values: dict[str, Any]) -> Any:
    if text[:1] in "'\"":
        return text[1:-1]
    if text.isdigit():
        return text
    first, *rest = text.split(".")
    value = values.get(first)
    for one in rest:
        value = value.get(one) if isinstance(value, dict) else None
    return value


def _stay(folder: str, code: str, context: CallContext) -> bool:
    """Whether all migrations are in the usual folders, and none of them uses other code."""
    named = re.findall(
        r"\bdirectory['\"]?\s*:\s*(?:['\"]|path\.\w+\(__dirname,\s*['\"])([\w./-]+)", code
    )
    places = [os.path.normpath(os.path.join(folder, one)) for one in (*named, *_FOLDERS)]
    if len(named) != len(re.findall(r"\bdirectory\b", code)) or "loadExtensions" in code:
        return False
    files = [
        f"{place}/{one}"
        for place in dict.fromkeys(places)
        for one in context.facts.names(place) or ()
        if one.endswith((".js", ".cjs", ".mjs", ".ts"))
    ]
    texts = [_text(one, context) for one in files]
    plain = (_without_types(one) for one in texts if one is not None)
    return None not in texts and not any(_REACHES.search(one) for one in plain)


def _without_types(code: str) -> str:
    code = re.sub(r"import\(['\"]knex['\"]\)", "", code)
    return re.sub(r"(?m)^import\s+(?:type\s+)?\{[\s\w,]*\}\s+from\s+['\"]knex['\"];?", "", code)


def _text(path: str, context: CallContext) -> str | None:
    """The text of a file of the project that the line leaves as it is."""
    if context.is_changed(path) or not context.is_inside(context.real(path), (context.root,)):
        return None
    text = context.facts.text(path, _MAX_TEXT + 1)
    return text if text is not None and len(text) <= _MAX_TEXT else None


# end of module
