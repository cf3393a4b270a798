"""``edge help``: the help of a command by its words, and topics that concern several commands."""

from __future__ import annotations

from operators_edge.cli import parsers
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.help import named_rows
from operators_edge.cli.layout import folded
from operators_edge.cli.nouns import GROUPS, HELP, HIDDEN
from operators_edge.cli.reading import meant_by
from operators_edge.cli.topics import TOPICS
from operators_edge.errors import UsageError
from operators_edge.text.command_names import renamed
from operators_edge.text.wording import WIDTH, screen_width


@command(
    "help",
    arg("[WORD...]", "a command, or a topic"),
    example="rules show   (or: %(prog)s exit-codes)",
)
def _help(args: Args) -> Answer:
    words = list(args.word)
    if not words or words == ["topics"]:
        return Answer({"text": parsers.parser_of(["--help"]).format_help()}, _topics())
    topic = TOPICS.get("-".join(words).lower().replace("_", "-"))
    if topic is not None:
        return Answer({"topic": words[0], "text": topic.text}, _refilled(topic.text))
    if words == ["commands"]:
        return Answer({"commands": HELP}, [*_all()])
    words = renamed(words)
    if words[0] not in HELP:
        meant = meant_by(words[0], [*HELP, *TOPICS, "commands"])
        raise UsageError(f"no command or topic {words[0]!r}{meant}", hint="edge help")
    parser = parsers.parser_of(words[:1])
    for word in words:
        verbs = parser.verbs()
        if word not in verbs:
            meant = meant_by(word, verbs)
            raise UsageError(f"{parser.prog} has no {word!r}{meant}", hint=f"{parser.prog} --help")
        parser = verbs[word]
    text = parser.format_help().rstrip("\n")
    return Answer({"command": " ".join(words), "text": text}, text)


def _refilled(text: str) -> str:
    """The text with its paragraphs filled again for a narrow screen; rows in columns stay."""
    width = screen_width()
    if width == WIDTH:
        return text
    blocks = (
        each if "  " in each else "\n".join(folded(each, width)) for each in text.split("\n\n")
    )
    return "\n\n".join(blocks)


def _topics() -> list[str]:
    topics = {name: each.about for name, each in TOPICS.items()}
    return [
        "edge help COMMAND explains a command, edge --help lists them.",
        "",
        "Topics: edge help TOPIC",
        *named_rows(
            {"commands": "every command, with those that agents and programs run", **topics}
        ),
    ]


def _all() -> list[str]:
    lines: list[str] = []
    for title, nouns in {**GROUPS, "For agents and programs": HIDDEN}.items():
        lines += [*([""] if lines else []), title, *named_rows(nouns)]
    return lines


# end of module
