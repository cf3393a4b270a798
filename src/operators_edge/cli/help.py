"""The text of ``--help``: what a command is for, how it is written, what it takes, an example.

Owns how a parser reads as help. Does not own the parsers (``cli.parser``) or the topics (``cli.topics``).
"""

from __future__ import annotations

import argparse
from itertools import groupby

from operators_edge.cli import layout
from operators_edge.cli.nouns import GROUPS
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from operators_edge.cli.parser import Parser

_SECOND = pattern(r" {3}\(or: (.*)\)")
"""A second example: on a line of its own."""

_LEFT = 24
"""Columns of names, at most a third of the screen; a longer name has its text on the next line."""

_NAMES = 12

_WIDEST = 100

COMMON = "Also: --json[=FIELDS], --project DIR, -C DIR, -q, -y, …: edge help options"


def width() -> int:
    """The columns of the terminal, as far as lines of text are pleasant to read."""
    return min(layout.columns(), _WIDEST)


def of_all(parser: Parser) -> str:
    """The nouns by group, and where more is said."""
    lines = [*_paragraphs(str(parser.description)), "", f"Usage: {parser.prog} COMMAND [OPTIONS]"]
    for title, nouns in GROUPS.items():
        lines += ["", title, *named_rows(nouns)]
    lines += [
        "",
        "Help",
        *named_rows(
            {
                "help COMMAND": "what a command takes, with an example",
                "help TOPIC": "decisions, profiles, exit-codes, json, environment, …",
                "--version": "the version",
            }
        ),
    ]
    return "\n".join([*lines, "", *_paragraphs(str(parser.epilog))]) + "\n"


def of_command(parser: Parser) -> str:
    """One command's help."""
    lines = [*_paragraphs(str(parser.description or "")), "", f"Usage: {usage(parser)}"]
    own = [each for each in parser.own_actions() if each.help != argparse.SUPPRESS]
    places = [each for each in own if not each.option_strings and not _is_verbs(each)]
    for title, rows in (
        ("", [(_place(each), str(each.help)) for each in places if each.help]),
        ("Commands", list(parser.abouts.items())),
        ("Options", _options(own)),
    ):
        if rows:
            lines += ["", *([title] if title else []), *_rows(rows)]
    if parser.prog.startswith("/"):
        pass  # typed in a client, where none of them counts
    elif parser.has_common:
        lines += ["", *_paragraphs(COMMON)]
    else:
        lines += ["", f"What one takes: {parser.prog} COMMAND --help"]
    epilog = str(parser.epilog or "").replace("%(prog)s", parser.prog)
    epilog = _SECOND.sub(r"\n         \1", epilog)
    return "\n".join([*lines, *([""] if epilog else []), *epilog.splitlines()]) + "\n"


def _options(own: Iterable[argparse.Action]) -> list[tuple[str, str]]:
    """The options with their texts; those that follow each other with one text are in one row."""
    listed = (each for each in own if each.option_strings)
    return [
        (", ".join(map(_option, alike)), text)
        for text, alike in groupby(listed, key=lambda each: str(each.help))
    ]


def usage(parser: Parser) -> str:
    """How the command is written."""
    own = parser.own_actions()
    words = [parser.prog]
    if parser.abouts:
        words.append("COMMAND" if parser.needs_verb else "[COMMAND]")
    words += [_place(each) for each in own if not each.option_strings and not _is_verbs(each)]
    return " ".join([*words, "[OPTIONS]"])


def _is_verbs(action: argparse.Action) -> bool:
    return isinstance(action.choices, dict)


def _place(action: argparse.Action) -> str:
    choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else ""
    name = str(action.metavar or choices or action.dest.upper())
    many = "..." if action.nargs in ("*", "+") else ""
    return f"[{name}{many}]" if action.nargs in ("?", "*") else f"{name}{many}"


def _option(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings)
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return names
    return f"{names} {_place(action)}"


def named_rows(rows: Mapping[str, str]) -> Iterator[str]:
    """Names of commands and topics with their lines, in columns that are the same in each group."""
    return _rows(rows.items(), least=_NAMES)


def _rows(rows: Iterable[tuple[str, str]], least: int = 0) -> Iterator[str]:
    """Names and their texts in two columns; the names as narrow as they are."""
    listed = list(rows)
    widest = min(_LEFT, width() // 3)
    fitting = [len(name) for name, _ in listed if len(name) <= widest]
    room = max([*fitting, least]) + 4
    for name, text in listed:
        told = layout.folded(text.replace("%%", "%"), width() - room)
        first = f"  {name}".ljust(room)
        if len(name) + 4 > room:
            yield from (f"  {line}" for line in layout.folded(name, width() - 2))
            first = " " * room
        yield first + "".join(told[:1])
        yield from (" " * room + line for line in told[1:])


def _paragraphs(text: str) -> list[str]:
    return [line for each in text.splitlines() for line in layout.folded(each, width())]


# end of module
