"""Attributes and methods of values that are no objects of a program that is followed.

Owns those of paths, texts, lists, functions and parsers of words; of anything else an attribute
is what it is called. Does not own calls of libraries (``shell.code.python.library``).
"""

from __future__ import annotations

import ast
import posixpath
from typing import Any

from operators_edge.shell.code.python import ini_files, settings
from operators_edge.shell.code.python.arguments import Command, Parser
from operators_edge.shell.code.python.commands import attribute_of_command, read_words
from operators_edge.shell.code.python.operations import (
    ANY_KEY,
    MAX_ITEMS,
    OTHERS,
    Rest,
    Template,
    extend,
    filled,
    given_names,
    given_words,
    item_of,
    items_of,
    joined_paths,
    loosen,
    plain,
    safely,
)
from operators_edge.shell.code.python.paths import folder_above
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    FilePath,
    Function,
    Many,
    Native,
    Symbol,
    either,
    is_constant,
    options_of,
)
from operators_edge.shell.commands import OWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.python.trace import Walk


def attribute(walk: Walk, holder: Any, name: str) -> Any:  # noqa: C901, PLR0912 - a case for each kind of value
    """An attribute of what is no object of the program."""
    if isinstance(holder, FilePath):
        return _of_path(walk, holder, name)
    if isinstance(holder, ini_files.Ini):
        found = ini_files.attribute_of_ini(walk, holder, name)
        if found is not ABSENT:
            return found
    if isinstance(holder, settings.Variables):
        return settings.attribute_of_variables(walk, holder, name)
    if isinstance(holder, Template):
        return _of_template(walk, holder, name)
    if isinstance(holder, Box):
        return _of_box(walk, holder, name)
    if isinstance(holder, Parser):
        method = {
            "add_argument_group": holder.group,
            "add_mutually_exclusive_group": holder.group,
            "parse_args": lambda words, named: read_words(walk, holder, words, named),
            "parse_known_args": lambda words, named: (
                read_words(walk, holder, words, named, is_loose=True),
                Many(UNKNOWN),
            ),
            "error": lambda _, __: walk.leave(),
            "exit": lambda _, __: walk.leave(),
        }.get(name) or (getattr(holder, name) if name in _OF_PARSERS else None)
        if method is None:
            return UNKNOWN

        def added(words: list[Any], named: dict[str, Any]) -> Any:
            for key in ("type", "action"):  # it calls these while it reads the words
                walk.escape(named.get(key))
            return method(words, named)

        return Native(added)
    if isinstance(holder, Command):
        return attribute_of_command(walk, holder, name)
    if isinstance(holder, Function):
        return _of_function(walk, holder, name)
    if isinstance(holder, (str, bytes)):
        if name in _OF_MEMBERS:
            return holder
        return Native(lambda words, named: _text_method(walk, holder, name, words, named))
    if isinstance(holder, Symbol):
        if holder is UNKNOWN:
            return walk.symbol(ast.Attribute(holder.expr, name, ast.Load()))
        made = walk.residue.resolved(holder.expr)
        if name == "cli" and walk.start.kind == "flask":
            from operators_edge.shell.code.python import flask_apps  # noqa: PLC0415 - for few programs

            commands = flask_apps.commands_of(walk, holder)
            if commands is not None:
                return commands
        if name == "name" and isinstance(made, ast.Call):
            if Symbol(made.func).known_as == "tempfile.NamedTemporaryFile":
                return OWN_PATH
            if Symbol(made.func).known_as == "tempfile.TemporaryDirectory":
                return OWN_PATH
        found = walk.symbol(ast.Attribute(holder.expr, name, ast.Load()))
        if found.known_as == "sys.argv":
            return Many(UNKNOWN) if walk.words is None else walk.argv
        return found
    if isinstance(holder, (Native, Many)) or is_constant(holder) or type(holder) is tuple:
        return UNKNOWN
    walk.is_whole = False
    return UNKNOWN


_OF_MEMBERS = frozenset(["value", "_value_"])
"""What a member of an enumeration has that a plain text has not."""
_OF_PARSERS = frozenset(["add_argument", "set_defaults", "add_subparsers", "add_parser"])


def _of_template(walk: Walk, holder: Template, name: str) -> Any:
    if name in {"substitute", "safe_substitute"}:
        return Native(lambda words, named: filled(walk, holder, words, named))
    return holder.text if name == "template" else UNKNOWN


def _of_function(walk: Walk, holder: Function, name: str) -> Any:
    if name in {"setter", "deleter"}:

        def keep(words: list[Any], _: dict[str, Any]) -> Any:
            for one in words:
                walk.escape(one)
            return holder

        return Native(keep)
    if name == "__name__":
        return getattr(holder.node, "name", "")
    if name in {"delay", "apply_async", "remote", "submit", "send", "s", "si", "map", "spawn"}:
        return Native(lambda words, named: walk.call(holder, words, named, None))
    return walk.symbol(ast.Attribute(walk.expr(holder), name, ast.Load()))


def _of_path(walk: Walk, holder: FilePath, name: str) -> Any:
    text = holder.text
    if name == "parent":
        return FilePath(folder_above(text))
    if name == "parents":
        found: list[FilePath] = []
        above = text.rstrip("/")
        while above not in {"", "/", "."} and len(found) < MAX_ITEMS:
            above = posixpath.dirname(above) or "."
            found.append(FilePath(above))
        return tuple(found)
    if name in {"name", "stem", "suffix"}:
        base = posixpath.basename(text)
        stem, ending = posixpath.splitext(base)
        return {"name": base, "stem": stem, "suffix": ending}[name]
    computed: dict[str, Callable[[list[Any], dict[str, Any]], Any]] = {
        "resolve": lambda _, __: holder,
        "absolute": lambda _, __: holder,
        "expanduser": lambda _, __: holder,
        "as_posix": lambda _, __: text,
        "__str__": lambda _, __: text,
        "joinpath": lambda words, _: joined_paths(walk, [holder, *words], as_path=True),
        "with_name": lambda words, _: _beside(walk, holder, words, "with_name"),
        "with_suffix": lambda words, _: _beside(walk, holder, words, "with_suffix"),
        **{
            one: lambda words, _, one=one: Many(  # type: ignore[misc]
                walk.residue.each(
                    ast.Call(
                        ast.Attribute(walk.expr(holder), one, ast.Load()),
                        [walk.expr(each) for each in words if not isinstance(each, Rest)],
                        [],
                    )
                )
            )
            for one in ("glob", "rglob", "iterdir")
        },
    }
    if name in computed:
        return Native(computed[name])
    return walk.symbol(ast.Attribute(walk.expr(holder), name, ast.Load()))


def _beside(walk: Walk, holder: FilePath, words: list[Any], method: str) -> Any:
    first = words[0] if words else UNKNOWN
    folder, base = posixpath.split(holder.text)
    if not isinstance(first, str):
        made = ast.Attribute(walk.expr(holder), method, ast.Load())
        return walk.symbol(ast.Call(made, [walk.expr(first)], []))
    name = first if method == "with_name" else posixpath.splitext(base)[0] + first
    return FilePath(posixpath.join(folder, name))


def _of_box(walk: Walk, box: Box, name: str) -> Any:
    method = _BOX_METHODS.get(name)
    if method is None:
        return Native(lambda words, _: _lost(walk, box, words))
    return Native(lambda words, named: method(walk, box, words, named))


def _lost(walk: Walk, box: Box, words: list[Any]) -> Any:
    """A method of a list or a dictionary of which the effect is not known."""
    walk.write(box.cell, "is_open", True)
    walk.escape(tuple(one for one in words if not isinstance(one, Rest)))
    return UNKNOWN


def _appended(walk: Walk, box: Box, words: list[Any], _: dict[str, Any]) -> Any:
    if box.is_dict or not words:
        return _lost(walk, box, words)
    walk.write(box.cell, "items", (*box.cell["items"], words[-1]))
    return None


def _inserted(walk: Walk, box: Box, words: list[Any], named: dict[str, Any]) -> Any:
    if len(words) == 2 and words[0] == 0 and not box.is_dict:
        walk.write(box.cell, "items", (words[1], *box.cell["items"]))
        return None
    walk.write(box.cell, "is_open", True)
    return _appended(walk, box, words, named)


def extended(walk: Walk, box: Box, words: list[Any], named: dict[str, Any]) -> Any:
    if box.is_dict:
        given = words[0] if words else Box({})
        is_known = isinstance(given, Box) and given.is_dict and OTHERS not in named
        more = given.cell["items"] if isinstance(given, Box) and given.is_dict else {}
        parts = [one for one in options_of(given) if isinstance(one, Symbol) and one is not UNKNOWN]
        if parts:  # what it has is a part of that
            more = {ANY_KEY: either([box.cell["items"].get(ANY_KEY, ABSENT), *parts])}
        walk.write(box.cell, "items", {**box.cell["items"], **more, **named})
        if not is_known or given.is_open:
            walk.write(box.cell, "is_open", True)
        return None
    for one in words:
        extend(walk, box, one.value if isinstance(one, Rest) else one)
    return None


def _gotten(_: Walk, box: Box, words: list[Any], __: dict[str, Any]) -> Any:
    items = box.cell["items"]
    default = words[1] if len(words) > 1 else None
    if not box.is_dict or not words:
        return UNKNOWN
    if is_constant(words[0]):
        found = either([items.get(words[0], ABSENT), items.get(ANY_KEY, ABSENT)])
        if words[0] in items:
            return found
        return either([found, default, *([UNKNOWN] if box.is_open else [])])
    return either([*items.values(), default, UNKNOWN])


def _popped(walk: Walk, box: Box, words: list[Any], named: dict[str, Any]) -> Any:
    found = _gotten(walk, box, words, named) if box.is_dict else item_of(walk, box)
    items = box.cell["items"]
    if box.is_dict and words and is_constant(words[0]) and ANY_KEY not in items:
        left = {key: one for key, one in items.items() if key != words[0]}
        if len(left) < len(items):
            walk.write(box.cell, "items", left)
        return found
    walk.write(box.cell, "is_open", True)
    return found


def _pairs(_: Walk, box: Box, __: list[Any], ___: dict[str, Any]) -> Any:
    if not box.is_dict:
        return UNKNOWN
    pairs = [((UNKNOWN if key is ANY_KEY else key), one) for key, one in box.cell["items"].items()]
    return Box(pairs, is_open=box.is_open)


def _held(_: Walk, box: Box, __: list[Any], ___: dict[str, Any]) -> Any:
    return Box(box.values, is_open=box.is_open)


def keys_of(_: Walk, box: Box, __: list[Any], ___: dict[str, Any]) -> Any:
    return Box((one for one in box.cell["items"] if one is not ANY_KEY), is_open=box.is_open)


def copied(_: Walk, box: Box, __: list[Any], ___: dict[str, Any]) -> Any:
    return Box(box.cell["items"], is_open=box.is_open)


def _unordered(walk: Walk, box: Box, _: list[Any], named: dict[str, Any]) -> Any:
    for one in named.values():
        walk.escape(one)
    loosen(walk, box, is_open=False)
    return None


_BOX_METHODS: dict[str, Callable[[Walk, Box, list[Any], dict[str, Any]], Any]] = {
    "append": _appended,
    "add": _appended,
    "insert": _inserted,
    "extend": extended,
    "update": extended,
    "get": _gotten,
    "setdefault": _gotten,
    "pop": _popped,
    "items": _pairs,
    "values": _held,
    "keys": keys_of,
    "copy": copied,
    "sort": _unordered,
    "reverse": _unordered,
}


def _text_method(walk: Walk, text: Any, name: str, words: list[Any], named: dict[str, Any]) -> Any:
    if name == "join" and len(words) == 1 and isinstance(text, str):
        items = items_of(walk, words[0])
        if items is not None and all(isinstance(one, str) for one in items):
            return text.join(items)
    if name in _TEXT_METHODS and all(map(is_constant, [*words, *named.values()])):
        found = safely(lambda: getattr(text, name)(*words, **named))
        return Box(found) if isinstance(found, list) else found
    if name in _AS_TEXT:
        return text
    if name == "format_map" and len(words) == 1 and isinstance(text, str):
        values = plain(words[0])
        if isinstance(values, dict):
            return safely(lambda: text.format_map(values))
    made = ast.Attribute(ast.Constant(text), name, ast.Load())
    return walk.symbol(ast.Call(made, given_words(walk, words), given_names(walk, named)))


_AS_TEXT = frozenset(["as_string", "render_as_string"])
"""What gives the text of a statement that psycopg composes, or of an address of SQLAlchemy."""
_TEXT_METHODS = frozenset(
    "format replace lower upper strip lstrip rstrip split rsplit splitlines startswith endswith encode"  # noqa: SIM905
    " decode title removeprefix removesuffix partition rpartition isdigit zfill hex".split()
)


# end of module
