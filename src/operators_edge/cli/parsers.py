"""The parser of each command, made of how it is declared: for a help, and for words that are not well-formed.

Owns which parsers there are. Does not own how argparse is used (``cli.parser``) or how a command is declared
(``cli.command``).
"""

from __future__ import annotations

import argparse

from operators_edge import __version__
from operators_edge.cli.command import (
    COMMON,
    DEBUG_HELP,
    Arg,
    commands_of,
    left_out,
    noun_first,
)
from operators_edge.cli.nouns import HELP
from operators_edge.cli.parser import Parser
from operators_edge.cli.reading import DASH, verb_first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.cli.command import Command


def parser_of(
    words: Sequence[str] | None = None,
    kind: type[Parser] = Parser,
    *,
    prog: str = "edge",
) -> Parser:
    """A parser of one kind that reads these words; without words, one that reads every command.

    Only the module of their noun is imported: the first word that is a noun, since only options stand before
    it. Unless the words begin with it, the other nouns are there by name, for ``--help`` and to say what is
    no command.
    """
    parser = kind(
        prog=prog,
        description="A gate, a record and a memory between a coding agent and your machine.",
        epilog="Start with: edge init, then start your agent as always.",
    )
    parser.add_argument("--debug", action="store_true", help=DEBUG_HELP)
    parser.add_argument(
        "--version", action="version", version=f"edge {__version__}", help="show the version"
    )
    parser.filled_in = noun_first
    filled = parser.filled_in(list(words or ()))
    noun = next((each for each in filled if each in HELP), "")
    parser.abouts = HELP
    nouns = parser.add_subparsers(dest="noun", required=True, metavar="COMMAND")
    for each, about in HELP.items():
        if words is None or each == noun:
            _add_noun(nouns, each, about)
        elif filled[0] != noun:
            nouns.add_parser(each, help=about, add_help=False)
    return parser


def common_options() -> dict[str, argparse.Action]:
    """What every command takes, by each spelling."""
    parser = Parser(add_help=False)
    for each in COMMON:
        parser.add_argument(*each.names, **each.options)
    return {
        name: each
        for name, each in parser._option_string_actions.items()  # noqa: SLF001 - named nowhere else
        if each.help != argparse.SUPPRESS
    }


def _add_noun(nouns: Any, noun: str, about: str) -> None:
    """Add the parser of a noun and its verbs. Its own help has the example of the verb that it stands for."""
    own, verbs = commands_of(noun)
    alone, implied = left_out(verbs)
    if own is not None:
        parser = _add(nouns, noun, about, own)
    else:
        main = implied or next(iter(verbs))
        epilog = _epilog(verbs[main], "" if implied else main)
        parser = nouns.add_parser(noun, help=about, description=_sentence(about), epilog=epilog)
    if verbs:
        parser.filled_in = verb_first(tuple(verbs), other=implied, alone=alone)
        parser.needs_verb = own is None and not alone
        parsers = parser.add_subparsers(dest="verb", required=own is None, metavar="VERB")
        parser.abouts = {verb: each.about for verb, each in verbs.items()}
        for verb, each in verbs.items():
            made = _add(parsers, verb, each.about, each)
            made.beside = tuple(verbs) if each.is_implied else ()
            made.siblings = parsers.choices


def _add(parsers: Any, name: str, about: str, made: Command) -> Parser:
    description = made.description or _sentence(about)
    parser: Parser = parsers.add_parser(
        name, help=about, description=description, epilog=_epilog(made)
    )
    groups = made.groups
    parser.has_common = True
    parser.common = {name for each in COMMON if [each] in groups for name in each.names}
    for group in groups:
        place = parser.add_mutually_exclusive_group() if len(group) > 1 else parser
        for each in group:
            place.add_argument(*each.names, **each.options)
    parser.behind = made.behind
    parser.set_defaults(run=made.run, draws=made.draws)
    return parser


def _sentence(about: str) -> str:
    return f"{about[0].upper()}{about[1:]}."


def _epilog(made: Command, verb: str = "") -> str:
    """The example, and how a text is given that begins with a dash."""
    text = " ".join(filter(None, ("Example: %(prog)s", verb, made.example)))
    takes_text = any(isinstance(each, Arg) and each.names == ("text",) for each in made.args)
    return f"{text}\n{DASH.capitalize()}." if takes_text else text


# end of module
