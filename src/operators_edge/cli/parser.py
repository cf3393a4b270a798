"""argparse as ``edge`` uses it: our exit code for bad words, options and texts in any order, a verb left out.

Owns how words are read. Does not own which commands there are (``cli.nouns``).
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from types import MappingProxyType

from operators_edge.cli.command import SWITCH
from operators_edge.cli.reading import DASH, meant_by, with_fields
from operators_edge.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any, NoReturn

# What argparse says is English, as we are. To ask for a translation, several times for each parser, takes as
# long as to read the words.
setattr(argparse, "_", str)  # noqa: B010 - types do not know it

_FEW = 12
"""So many names are all listed where one was expected."""


class Parser(argparse.ArgumentParser):
    """argparse, with our exit code for bad words; options and texts may come in any order."""

    filled_in: Callable[[list[str]], list[str]] | None = None
    """Puts in a verb that may be left out."""

    behind: str = ""
    """The option whose text needs no name where it is typed in a client."""

    has_dashed = False
    """Whether a word begins with a dash and is not an option: maybe a text."""

    siblings: Mapping[str, Parser] = MappingProxyType({})
    """The parsers of its noun's verbs."""

    beside: Collection[str] = ()
    """The verbs of its noun, where this one may be left out: a misspelled one arrives here."""

    has_common = False
    """Whether it takes the options that every command takes."""

    needs_verb = True
    """Whether nothing is run without a verb."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # An option has one spelling: the gate reads these words, too.
        super().__init__(*args, **{"allow_abbrev": False, **options})
        self.register("action", SWITCH, argparse.BooleanOptionalAction)
        self.common: set[str] = set()
        self.abouts: dict[str, str] = {}
        """Each verb with its line of help."""

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Asked for with each argument; without a width it would ask the terminal each time."""
        return argparse.HelpFormatter(self.prog, width=80)

    def own_actions(self) -> list[argparse.Action]:
        """The arguments of this command alone: without --help, and what every command takes."""
        return [
            each
            for each in self._actions
            if each.dest != "help" and not self.common.intersection(each.option_strings)
        ]

    def verbs(self) -> dict[str, Parser]:
        """The parsers of its verbs, or of the nouns."""
        chosen = (each.choices for each in self._actions if isinstance(each.choices, dict))
        return {name: parser for each in chosen for name, parser in each.items()}

    def format_usage(self) -> str:
        from operators_edge.cli import help as texts  # noqa: PLC0415 - most commands print none

        return f"Usage: {texts.usage(self)}\n"

    def format_help(self) -> str:
        from operators_edge.cli import help as texts  # noqa: PLC0415 - most commands print none

        return texts.of_all(self) if " " not in self.prog else texts.of_command(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        if self.filled_in is not None:
            words = self.filled_in(words)
        words = list(with_fields(words))
        if self._subparsers is None:
            words = self._options_first(words)
        found, left = super().parse_known_args(words, namespace)
        if left and self._subparsers is None:  # said here: this help tells what it takes
            self.error(f"unrecognized arguments: {' '.join(left)}{self._meant(left[0])}")
        return found, left

    def _meant(self, word: str) -> str:
        """The options, or the verbs, that are spelled like it; then the options of the noun's other verbs."""
        name = word.split("=", 1)[0]
        is_option = name.startswith("-")
        known = [*self._option_string_actions] if is_option else list(self.beside)
        meant = meant_by(name, known, cutoff=0.7)
        if meant or not is_option:
            return meant
        others = {
            option: f"{each.prog} {option}"
            for each in self.siblings.values()
            for option in each._option_string_actions  # noqa: SLF001 - one of us
        }
        return meant_by(name, others, cutoff=0.7, shown=others)

    def _options_first(self, words: list[str]) -> list[str]:
        """Without this an optional text counts as missing once an option comes before it."""
        options: list[str] = []
        texts: list[str] = []
        self.has_dashed = False
        rest = iter(words)
        for word in rest:
            name = word.split("=", 1)[0]
            if word == "--":
                return [*options, word, *texts, *rest]
            option = self._option_string_actions.get(name)
            self.has_dashed |= word.startswith("-") and option is None
            if option is not None and option.nargs in (None, 0):
                takes_next = option.nargs is None and name == word
                options += [word, *islice(rest, int(takes_next))]
            elif option or word.startswith("--") or name[:2] in self._option_string_actions:
                return words  # argparse says what is wrong with it
            else:
                texts.append(word)
        return [*options, *texts]

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        if action.type is int:
            try:
                return int(arg_string)
            except ValueError:
                message = f"{arg_string!r} is not a number"
                raise argparse.ArgumentError(action, message) from None
        return super()._get_value(action, arg_string)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse does it, on one line: those like the one given, or all if they are few."""
        if action.choices is None or value in action.choices:
            return
        names = [str(each) for each in action.choices]
        what = str(action.metavar or action.dest).lower()
        meant = meant_by(str(value), names)
        if not meant and len(names) <= _FEW:
            meant = f"; there are {', '.join(names)}"
        self.error(f"unknown {what} {value!r}{meant}")

    def error(self, message: str) -> NoReturn:
        hint = f"{self.prog} --help"
        message = message.replace("the following arguments are required:", "missing:")
        if self.has_dashed or " -" in message:
            hint += f"   ({DASH})"
        raise UsageError(message, hint=hint)


# end of module
