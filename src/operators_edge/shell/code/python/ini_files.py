"""Parsers of ``.ini`` files in a Python program that is followed.

Owns what a ``ConfigParser`` holds: the values of a file of the project; of any other file, its text, by which
it is seen where its values go. Does not own other settings (``shell.code.python.settings``).
"""

from __future__ import annotations

import ast
from typing import Any

from operators_edge.shell.code.python.operations import ANY_KEY, as_value, is_path, path_text
from operators_edge.shell.code.python.settings import content_of_path, without_local
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    FilePath,
    Native,
    Symbol,
    either,
    is_constant,
    options_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.python.trace import Walk


def _ini(text: str) -> dict[str, dict[str, Any]]:
    import configparser  # noqa: PLC0415 - few programs read it

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return {
        name: {key: UNKNOWN if "%(" in one else one for key, one in parser[name].items()}
        for name in parser
    }


class Ini(Box):
    """A ``ConfigParser``; ``ANY_KEY`` has the text of the files that it has read and that are not known."""


def _note_unread(walk: Walk, holder: Ini, given: Any) -> None:
    if is_path(given):
        path = walk.expr(FilePath(path_text(given)))
        text = walk.symbol(ast.Call(ast.Attribute(path, "read_text", ast.Load()), [], []))
    elif isinstance(given, Symbol) and given is not UNKNOWN:
        text = given
    else:
        return
    items = holder.cell["items"]
    walk.write(holder.cell, "items", {**items, ANY_KEY: either([items.get(ANY_KEY, ABSENT), text])})


def _parser_of_ini(_: Walk, __: list[Any], ___: dict[str, Any]) -> Any:
    return Ini({}, is_open=True)


def _read(walk: Walk, holder: Ini, name: str, words: list[Any], _: dict[str, Any]) -> Any:
    given = words[0] if words else UNKNOWN
    for one in given.values if isinstance(given, Box) else options_of(given):
        text = one if name == "read_string" else content_of_path(walk, one)
        found = as_value(without_local(_ini(text))) if isinstance(text, str) else None
        if text is None:
            _note_unread(walk, holder, one)
        if isinstance(found, Box):
            walk.write(holder.cell, "items", {**holder.cell["items"], **found.cell["items"]})
    return UNKNOWN


def _gotten(walk: Walk, holder: Ini, name: str, words: list[Any], named: dict[str, Any]) -> Any:
    items = holder.cell["items"]
    is_text = name == "get"  # the others give a number or a truth
    texts = [
        walk.symbol(ast.Subscript(one.expr, walk.expr(key), ast.Load()))
        for one in options_of(items.get(ANY_KEY, ABSENT) if is_text else ABSENT)
        for key in words[1:2]
        if isinstance(one, Symbol)
    ]
    section = items.get(words[0]) if words and isinstance(words[0], str) else None
    key = words[1] if len(words) > 1 else None
    if is_text and isinstance(section, Box) and isinstance(key, str):
        found = section.cell["items"].get(key.lower(), ABSENT)
        if found is not ABSENT:
            return found
    if isinstance(section, Box) and isinstance(key, str) and name in _CONVERTS:
        value = section.cell["items"].get(key.lower(), ABSENT)
        if isinstance(value, str):
            return _CONVERTS[name](value.strip().lower())
    return either([UNKNOWN, *texts, *([named["fallback"]] if "fallback" in named else [])])


def _pairs(walk: Walk, holder: Ini, name: str, words: list[Any], _: dict[str, Any]) -> Any:
    every = holder.cell["items"]
    parts = [every.get(one, ABSENT) for one in words[:1] if is_constant(one)]
    parts = [*parts, every.get(ANY_KEY, ABSENT)] if words else [Box(every, is_open=True)]
    found = [
        one if isinstance(one, Symbol) else walk.call(walk.attribute(one, name), [], {}, None)
        for each in parts
        for one in options_of(each)
        if one is not ABSENT
    ]
    return either(found or [UNKNOWN])


def _number(text: str, convert: Callable[[str], object]) -> Any:
    try:
        return convert(text)
    except ValueError:
        return UNKNOWN


_TRUTHS = {
    **dict.fromkeys(("1", "yes", "true", "on"), True),
    **dict.fromkeys(("0", "no", "false", "off"), False),
}
_CONVERTS: dict[str, Callable[[str], Any]] = {
    "getboolean": lambda text: _TRUTHS.get(text, UNKNOWN),
    "getint": lambda text: _number(text, int),
    "getfloat": lambda text: _number(text, float),
}


_METHODS: dict[str, Callable[[Walk, Ini, str, list[Any], dict[str, Any]], Any]] = {
    **dict.fromkeys(("read", "read_file", "read_string"), _read),
    **dict.fromkeys(("get", "getint", "getfloat", "getboolean"), _gotten),
    "items": _pairs,
}


def attribute_of_ini(walk: Walk, holder: Ini, name: str) -> Any:
    """``read``, ``get`` and its like; ABSENT for what a dictionary has, too."""
    method = _METHODS.get(name)
    if method is None:
        return ABSENT
    return Native(lambda words, named: method(walk, holder, name, words, named))


KNOWN: dict[str, Callable[[Walk, list[Any], dict[str, Any]], Any]] = dict.fromkeys(
    (f"configparser.{name}" for name in ("ConfigParser", "RawConfigParser", "SafeConfigParser")),
    _parser_of_ini,
)
"""Calls that make a parser."""


# end of module
