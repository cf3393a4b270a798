"""The reference of the command line, from its parser: a page for each noun.

Does not own what a command takes (``operators_edge.cli``).
"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.cli import nouns, parsers
from tests.reference.markdown import block, code, page, plain, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.cli.parser import Parser

FOLDER = "reference/commands"

COMMON = (
    "--help",
    *dict.fromkeys(each.option_strings[0] for each in parsers.common_options().values()),
)
"""What every command takes: described once, on the first page."""

WIDTH = 88

EXIT_CODES = {
    0: "It is done, or the answer is yes.",
    1: "The answer is no: a check did not hold, a person has to do it, there is no such thing.",
    3: "A person has to decide first.",
    4: "Not set up here: `edge init`.",
    5: "The state or the log is damaged, or another process holds its lock.",
    64: "The command was not understood, or a configuration file is wrong.",
    70: "A bug of ours. The error names the report that was written.",
    130: "Interrupted.",
}
"""Never 2: the client reads it as "block"."""


class Documented(NamedTuple):
    """One command: its words, its parser, and the line that lists it."""

    words: str
    parser: Parser
    about: str


def documented() -> list[Documented]:
    """Every command that the help lists."""
    return list(_below(parsers.parser_of(), ()))


def _below(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[Documented]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action._choices_actions:
                if each.help and each.help != argparse.SUPPRESS:
                    words = (*path, each.dest)
                    child = action.choices[each.dest]
                    yield Documented(" ".join(words), child, each.help)
                    yield from _below(child, words)


def arguments(parser: Parser) -> list[argparse.Action]:
    """What a command takes of its own."""
    return [
        each
        for each in parser._actions
        if not isinstance(each, argparse._SubParsersAction)
        and each.help != argparse.SUPPRESS
        and each.dest != "help"
        and not parser.common.intersection(each.option_strings)
    ]


def runs(parser: Parser) -> bool:
    """Whether the words alone are a command, and not only the beginning of others."""
    return parser.get_default("run") is not None


def example(parser: Parser) -> str:
    """The command lines of its help's example, "" without one."""
    text = (parser.epilog or "").replace("%(prog)s", parser.prog)
    found = re.search(r"^Examples?: *(.+(?:\n {2,}.+)*)", text, re.MULTILINE)
    return found[1] if found else ""


def problems(found: list[Documented]) -> Iterator[str]:
    """Commands without an example, and arguments without a description."""
    for words, parser, _ in found:
        if not example(parser):
            yield f"edge {words}: no example"
        for action in arguments(parser):
            if not action.help:
                yield f"edge {words}: {_names(action)}: not described"


def pages() -> Mapping[str, str]:
    """Each page of the reference by its path: an overview, and one for each noun."""
    found = documented()
    made = {f"{FOLDER}/index.md": _overview(found)}
    for each in found:
        if " " not in each.words:
            verbs = [verb for verb in found if verb.words.startswith(f"{each.words} ")]
            made[f"{FOLDER}/{each.words}.md"] = _page(each, verbs)
    return made


def _overview(found: list[Documented]) -> str:
    common = {
        name: each
        for each in [*found[0].parser._actions, *parsers.common_options().values()]
        for name in each.option_strings
    }
    return page(
        "Commands",
        f"`edge --help` lists them, `edge COMMAND --help` explains one. There are {len(found)} here, "
        "made from the parser that reads them. What you type in the client after `/edge` is the same.",
        table(
            ("command", "what it does"),
            ((f"[`edge {n.words}`]({n.words}.md)", plain(n.about)) for n in found if _is_noun(n)),
        ),
        "## Every command takes",
        table(
            ("option", "what it does"),
            ((code(_names(common[name])), plain(common[name].help or "")) for name in COMMON),
        ),
        "## Exit codes",
        table(("code", "means"), ((str(number), text) for number, text in EXIT_CODES.items())),
        "2 is never used: the client reads it as *block*. With `--json` an error also has a "
        "[code](../errors.md) that does not change.",
    )


def _is_noun(each: Documented) -> bool:
    return " " not in each.words and each.words in nouns.HELP


def _page(noun: Documented, verbs: list[Documented]) -> str:
    parts = [_section(noun, is_noun=True)] if runs(noun.parser) else []
    if verbs:
        parts = parts or [_sentence(noun.about)]
        rows = ((f"[`{verb.words}`](#{_anchor(verb.words)})", plain(verb.about)) for verb in verbs)
        parts.append(table(("command", "what it does"), rows))
    parts += [_section(verb) for verb in verbs]
    parts.append("[What every command takes, and exit codes](index.md#every-command-takes)")
    return page(f"edge {noun.words}", *parts)


def _section(each: Documented, *, is_noun: bool = False) -> str:
    text = each.parser.description or _sentence(each.about)
    parts = [] if is_noun else [f"## edge {each.words} {{ #{_anchor(each.words)} }}"]
    parts += [plain(text), block([_usage(each.parser)])]
    rows = [(code(_names(action)), plain(action.help or "")) for action in arguments(each.parser)]
    parts.append(table(("argument", "what it is"), rows))
    if example(each.parser):
        parts.append(f"**Example**\n\n{block([example(each.parser)], 'sh')}")
    return "\n\n".join(part.strip("\n") for part in parts if part)


def _anchor(words: str) -> str:
    return words.replace(" ", "-")


def _sentence(about: str) -> str:
    return plain(f"{about[0].upper()}{about[1:]}.")


def _usage(parser: Parser) -> str:
    """The usage without what every command takes, on lines that fit a page."""
    formatter = argparse.HelpFormatter(parser.prog, width=WIDTH)
    groups = parser._mutually_exclusive_groups
    verbs = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    formatter.add_usage(None, [*arguments(parser), *verbs], groups, prefix="")
    return formatter.format_help().strip()


def _names(action: argparse.Action) -> str:
    """An argument as its usage writes it: ``-n N``, ``--why T``, ``[CHECK ...]``."""
    formatter = argparse.HelpFormatter("")
    if not action.option_strings:
        return formatter._format_args(action, formatter._get_default_metavar_for_positional(action))
    text = ", ".join(action.option_strings)
    if action.nargs == 0:
        return text
    default = formatter._get_default_metavar_for_optional(action)
    return f"{text} {formatter._format_args(action, default)}"


# end of module
