"""The words of a Python program's command, as its own parser reads them.

Owns which options and subcommands ``argparse``, ``click`` and ``typer`` give to which function. A real
``argparse`` reads them, built from what the program says; where something of it is not known, so are the
values. Does not own following the functions (``shell.code.python.trace``). Slow to import.
"""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    FilePath,
    Instance,
    either,
    is_constant,
)

_MAX_COMMANDS = 60
_PLAIN_OPTIONS = frozenset(
    ("help", "description", "epilog", "usage", "aliases", "add_help", "formatter_class", "prog")
)
"""Of a parser for a subcommand: those that do not change how its words are read."""


class NotReadError(Exception):
    """The words do not fit the parser as far as it is known."""


class ShownError(Exception):
    """The words ask for the help or the version, after which the program ends."""

    def __init__(self, before: tuple[tuple[Command, dict[str, Any]], ...] = ()) -> None:
        super().__init__()
        self.before = before
        """The functions of groups that run first."""


_REFUSES = (
    NotReadError,
    argparse.ArgumentError,
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
)
"""What ``argparse`` raises for what it does not take: the program that is followed may give it anything."""


class _Real(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise NotReadError(message)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise NotReadError(message or status) if status or message else ShownError

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print nothing: what this process writes is an answer of the gate."""


def _converter(value: Any) -> Any:
    """What ``type=`` makes of a word."""
    name = getattr(value, "known_as", "")
    if name in {"int", "float", "str"}:
        return {"int": int, "float": float, "str": str}[name]
    if name == "pathlib.Path":
        return FilePath
    return None if value is ABSENT or value is None else lambda _: UNKNOWN


class Parser:
    """An ``argparse.ArgumentParser``, or a group or a subcommand of one."""

    def __init__(
        self, real: Any = None, root: Parser | None = None, *, add_help: bool = True
    ) -> None:
        self.real: Any = _Real(prog="x", add_help=add_help) if real is None else real
        self.root = root or self
        self.is_known = True
        self.given: dict[str, list[Any]] = {}
        """What may be in the result, by its name, whatever the words are."""

    def add_argument(self, words: list[Any], named: dict[str, Any]) -> Any:  # noqa: C901 - a case for each argument
        plain = {key: value for key, value in named.items() if key in _PLAIN and is_constant(value)}
        if "type" in named:
            plain["type"] = _converter(named["type"])
        for key in ("default", "const"):
            if key in named:
                value = named[key]
                plain[key] = value if not isinstance(value, Box) else list(value.values)
        action = named.get("action")
        if getattr(action, "known_as", "") == "argparse.BooleanOptionalAction":
            plain["action"] = argparse.BooleanOptionalAction
        elif action is not None and not isinstance(action, str):
            self.root.is_known = False
        choices = named.get("choices")
        if (
            isinstance(choices, Box)
            and not choices.is_open
            and all(map(is_constant, choices.values))
        ):
            plain["choices"] = list(choices.cell["items"])
        if action == "version":
            plain["version"] = ""
        if "nargs" in named and not is_constant(named["nargs"]):
            self.root.is_known = False
        if not all(isinstance(one, str) for one in words):
            self.root.is_known = False
            return UNKNOWN
        try:
            made = self.real.add_argument(*words, **plain)
        except _REFUSES:
            self.root.is_known = False
            return UNKNOWN
        self.root.given.setdefault(made.dest, []).append(made.default)
        return UNKNOWN

    def set_defaults(self, _: list[Any], named: dict[str, Any]) -> Any:
        try:
            self.real.set_defaults(**{key: _Held(value) for key, value in named.items()})
        except _REFUSES:
            self.root.is_known = False
        for key, value in named.items():
            self.root.given.setdefault(key, []).append(value)
        return None

    def add_subparsers(self, _: list[Any], named: dict[str, Any]) -> Any:
        kept = {key: value for key, value in named.items() if key in {"dest", "required"}}
        if not all(map(is_constant, kept.values())):
            self.root.is_known = False
            kept = {}
        if kept.get("dest"):
            self.root.given.setdefault(kept["dest"], [])
        try:
            made = self.real.add_subparsers(**kept, parser_class=_Real)
        except _REFUSES:
            self.root.is_known = False
            return Parser(None, self.root)
        return Parser(made, self.root)

    def add_parser(self, words: list[Any], named: dict[str, Any]) -> Any:
        if len(words) != 1 or not isinstance(words[0], str) or "parents" in named:
            self.root.is_known = False
            return Parser(None, self.root)
        aliases, add_help = named.get("aliases"), named.get("add_help", True)
        names = aliases.values if isinstance(aliases, Box) else []
        self.root.is_known &= isinstance(add_help, bool) and _PLAIN_OPTIONS.issuperset(named)
        try:
            made = self.real.add_parser(
                words[0],
                aliases=[one for one in names if isinstance(one, str)],
                add_help=add_help is True,
            )
        except _REFUSES:
            self.root.is_known = False
            return Parser(None, self.root)
        return Parser(made, self.root)

    def group(self, _: list[Any], __: dict[str, Any]) -> Any:
        try:
            made = self.real.add_argument_group()
        except _REFUSES:
            self.root.is_known = False
            return Parser(None, self.root)
        return Parser(made, self.root)

    def read(self, words: list[str] | None, *, is_loose: bool = False) -> Instance:
        """Return the result of reading the words; of unknown ones, what it may be."""
        found = Instance(None, is_open=True)
        if words is not None and self.root.is_known:
            try:
                known, left = self.real.parse_known_args(words)
                if left and not is_loose:
                    raise NotReadError(left)
                found.attributes.update((key, _plain(value)) for key, value in vars(known).items())
                found.is_open = False
            except _REFUSES:
                found.attributes.clear()
            else:
                return found
        for key, values in self.root.given.items():
            found.attributes[key] = either([*map(_plain, values), UNKNOWN])
        return found


class _Held:
    """A default that is not to be read like a word."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _plain(value: Any) -> Any:
    if isinstance(value, _Held):
        return value.value
    return Box(map(_plain, value)) if type(value) is list else value


_PLAIN = frozenset(["action", "nargs", "dest", "required"])


class Command:
    """A command of ``click`` or ``typer``; a group has others in it."""

    def __init__(
        self, function: Any = None, *, is_group: bool = False, is_typer: bool = False
    ) -> None:
        self.function = function
        self.is_group = is_group
        self.is_typer = is_typer
        self.is_eager = False
        """Whether a group's own function runs without a subcommand, too."""
        self.has_help = True
        """Whether ``--help`` surely shows its help and ends the program."""
        self.options: list[tuple[list[Any], dict[str, Any], bool]] = []
        self.passed: list[str] = []
        self.commands: dict[str, Command] = {}
        self.unnamed: list[Command] = []
        self.label: Any = None
        """The name that it was made with."""

    def add(self, name: Any, command: Command) -> None:
        if isinstance(name, str) and len(self.commands) < _MAX_COMMANDS:
            self.commands[name] = command
        else:
            self.unnamed.append(command)

    def every(self) -> list[Command]:
        inner = [each for one in (*self.commands.values(), *self.unnamed) for each in one.every()]
        return [self, *inner]

    def chosen(self, words: list[str] | None) -> list[tuple[Command, dict[str, Any]]] | None:  # noqa: C901 - a case for each kind of command
        """Return the functions that run one after another, with what each is given; None if unknown.

        Raise ShownError for words that ask for help.
        """
        if words is None:
            return None
        if self.is_typer and self.is_group and len(self.commands) == 1 and self.function is None:
            return next(iter(self.commands.values())).chosen(words)
        parser = _Real(prog="x", allow_abbrev=False, add_help=False)
        types: dict[str, Any] = {}
        try:
            if self.has_help:
                parser.add_argument("--help", action="help")
            are_known = all(
                _add(parser, names, named, types, is_argument=is_argument)
                for names, named, is_argument in self.options
            )
        except _REFUSES:
            return None
        if not are_known:
            return None
        if not self.is_group:
            return self._read(parser, words, types)
        rest = parser.add_argument("the_rest_", nargs=argparse.REMAINDER).dest
        mine = self._read(parser, words, types)
        if mine is None:
            return None
        left = mine[0][1].pop(rest, None)
        left = list(left.values) if isinstance(left, Box) else []
        left = left[1:] if left[:1] == ["--"] else left
        if not left:
            return mine if self.is_eager else []
        if self.unnamed or left[0] not in self.commands:
            return None
        try:
            inner = self.commands[left[0]].chosen(left[1:])
        except ShownError as shown:
            raise ShownError((*mine, *shown.before)) from None
        return None if inner is None else [*mine, *inner]

    def _read(
        self, parser: _Real, words: list[str], types: dict[str, Any]
    ) -> list[tuple[Command, dict[str, Any]]] | None:
        try:
            found = vars(parser.parse_args(words))
        except _REFUSES:
            return None
        values = {key: _plain(value) for key, value in found.items()}
        return [(self, {key: _as_type(one, types.get(key)) for key, one in values.items()})]


def _as_type(value: Any, type_: Any) -> Any:
    return value if not isinstance(value, str) or type_ is None else type_(value)


def _add(  # noqa: C901 - a case for each kind of value
    parser: _Real,
    names: list[Any],
    named: dict[str, Any],
    types: dict[str, Any],
    *,
    is_argument: bool,
) -> bool:
    """Add an option of click to a parser; False if what it does is not known."""
    if not all(isinstance(one, str) for one in names) or not names:
        return False
    flags = [one for one in names if one[:1] == "-"]
    plain = [one for one in names if one[:1] != "-"]
    default = named.get("default", ABSENT)
    multiple, count = named.get("multiple", False), named.get("nargs", ABSENT)
    if {"is_eager", "cls", "expose_value"} & set(named) or named.get("count"):
        return False
    given: dict[str, Any] = {"default": None if default is ABSENT else _Held(default)}
    if is_argument:
        dest = plain[0].lower().replace("-", "_")
        if count == -1:
            given["nargs"] = "*"
        elif isinstance(count, int) and count > 1:
            given["nargs"] = count
        elif default is not ABSENT or named.get("required") is False:
            given["nargs"] = "?"
        parser.add_argument(dest, **given)
        types[dest] = _converter(named.get("type"))
        return True
    longest = max(flags, key=len, default="")
    dest = (plain[0] if plain else longest.partition("/")[0].lstrip("-")).replace("-", "_").lower()
    switches = any("/" in one for one in flags)
    if named.get("is_flag") is True or switches or isinstance(default, bool):
        given["default"] = _Held(False if default is ABSENT else default)
        if "flag_value" in named:
            return False
        offs = [one.partition("/")[2].strip() for one in flags if "/" in one]
        ons = [one.partition("/")[0].strip() for one in flags]
        parser.add_argument(*ons, dest=dest, action="store_true", **given)
        if any(offs):
            parser.add_argument(*filter(None, offs), dest=dest, action="store_false", **given)
        return True
    if multiple is not False:
        given = {
            "action": "append",
            "default": _Held(Box([])) if default is ABSENT else _Held(default),
        }
    elif count is not ABSENT:
        return False
    if named.get("required") is True:
        given["required"] = True
    parser.add_argument(*flags, dest=dest, **given)
    types[dest] = _converter(named.get("type"))
    return True


# end of module
