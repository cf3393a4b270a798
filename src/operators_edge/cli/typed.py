"""A line typed in a client, run as the command of the same name: one grammar for both places.

Owns the difference between a shell and a prompt: text needs no quotes, the output is returned, and what asks
for confirmation is typed again with a code. Splitting a line into words is in ``hosts.typed_line``.
"""

from __future__ import annotations

import contextlib
import io
import re

from operators_edge.cli import person
from operators_edge.cli.command import execute
from operators_edge.cli.parser import Parser
from operators_edge.cli.parsers import parser_of
from operators_edge.cli.terminal import Terminal
from operators_edge.errors import UsageError
from operators_edge.hosts.typed_line import ENDLESS, NOT_TYPED, Typed, Word, joined, words
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import NoReturn

_HIDDEN = ("--json", "--project", "--debug")
_TEXT_NAMES = ("TEXT", "COMMAND", "T")
_CODE = pattern(r"\s--confirm[\s=]+(\S+)\s*\Z")


def run(typed: Typed) -> str:
    """Run the words for the one who typed them; returns the output. Raises EdgeError as the command would."""
    found = _CODE.search(typed.words)
    code = found[1] if found else ""
    line = typed.words[: found.start()] if found else typed.words
    argv = words(line)
    noun = str(argv[0]) if argv else ""
    if noun in NOT_TYPED or (*map(str, argv[:2]),) == ENDLESS:
        what = noun if noun in NOT_TYPED else " ".join(ENDLESS)
        raise UsageError(
            f"{what} cannot be typed here", hint=f"edge {line}   (in your own terminal)"
        )
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(out=out, err=err)
    terminal.is_in_client = True
    terminal.words = argv
    try:
        with person.speaking_as(typed._replace(words=line), code):
            given = parser_of(argv, _TypedParser, prog="/edge").parse_args(argv)
            with contextlib.chdir(typed.project.root):
                execute(given, terminal, asking=typed.session)
    except _ParserOutput as output:
        return str(output)
    warnings = (f"warning: {each}" for each in terminal.warnings)
    return "\n".join([out.getvalue().rstrip("\n"), *warnings]).strip("\n")


class _ParserOutput(Exception):
    """What a parser printed before it would have exited."""


class _TypedParser(Parser):
    """The command line's own parsers, for words that were not split by a shell."""

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002 - argparse's signature
        raise _ParserOutput(self.format_help().rstrip("\n"))

    def _print_message(self, message: str, file: object = None) -> NoReturn:  # noqa: ARG002
        raise _ParserOutput(message.rstrip("\n"))

    def _options_first(self, given: list[str]) -> list[str]:
        """The words in the order that argparse needs: options, ``--``, then each text as one word."""
        text = self._text_action()
        options: list[str] = []
        rest: list[str] = []
        left = list(given)
        while left:
            word = left.pop(0)
            action = self._option(word)
            if action is None:
                rest.append(word)
            else:
                options += self._with_value(word, action, left)
        if self.behind and rest:
            number, behind = self._number(rest)
            option = [f"{self.behind}={joined(behind)}"] if behind else []
            return [*options, *option, "--", *number]
        if text is None:
            refused = [each for each in rest if each.split("=", 1)[0] in _HIDDEN]
            if refused:
                self.error(f"{refused[0]} is for programs and terminals, not for a typed line")
            return [*options, *rest]
        lead = self._lead(text, rest)
        behind = rest[lead:]
        are_several = len(behind) > 1 and all(_is_quoted(each) for each in behind)
        texts = behind if are_several or not behind else [joined(behind)]
        return [*options, "--", *rest[:lead], *texts]

    def _option(self, word: str) -> argparse.Action | None:
        name = word.split("=", 1)[0]
        if _is_quoted(word) or name in _HIDDEN or not name.startswith("-"):
            return None
        return self._option_string_actions.get(name)

    def _with_value(self, word: str, action: argparse.Action, left: list[str]) -> list[str]:
        """An option and its value: text ends at the next option, or at its closing quote."""
        if action.nargs == 0 or "=" in word or not left or self._option(left[0]):
            return [word]
        taken = [left.pop(0)]
        if _is_text(action) and not _is_quoted(taken[0]):
            while left and not self._option(left[0]):
                taken.append(left.pop(0))
        value = joined(taken)
        return [f"{word}={value}"] if word.startswith("--") else [word, value]

    def _text_action(self) -> argparse.Action | None:
        """The last positional argument, if it is text."""
        places = self._get_positional_actions()
        return places[-1] if places and _is_text(places[-1]) else None

    def _lead(self, text: argparse.Action, rest: Sequence[str]) -> int:
        """How many words belong to the positional arguments before the text."""
        lead = 0
        for action in self._get_positional_actions():
            if action is text or lead >= len(rest):
                break
            is_there = action.nargs is None or not action.type or _is_number(rest[lead])
            lead += is_there
        return lead

    @staticmethod
    def _number(rest: list[str]) -> tuple[list[str], list[str]]:
        return (rest[:1], rest[1:]) if _is_number(rest[0]) else ([], rest)


def _is_text(action: argparse.Action) -> bool:
    is_plain = action.type is None and action.choices is None and action.nargs != 0
    return is_plain and action.metavar in _TEXT_NAMES


def _is_quoted(word: str) -> bool:
    return isinstance(word, Word) and word.is_quoted


def _is_number(word: str) -> bool:
    return bool(re.fullmatch(r"-?[0-9]{1,9}", word))


# end of module
