"""What the unknown words of a command in a file may stand for.

Owns the words that are tried in their place: what is found with each of them does not rest on what is
unknown. Pure. Does not own what counts as unknown (``shell``), nor what follows (``gate.assessment``).
"""

from __future__ import annotations

from operators_edge.shell.commands import HOLE, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.commands import Command

ASSUMED = ("localhost", "4711", "build")
"""A host, a number and a folder about which no rule asks."""


def with_assumed(command: Command, text: str) -> Command:
    """Return the command with this text for what it does not know; an unknown folder is the current one."""
    more = (Word(text, command.span),) if command.has_more_words else ()
    return command._replace(
        argv=(*(_known(word, text) for word in command.argv), *more),
        assigns=tuple((name, _known(value, text)) for name, value in command.assigns),
        redirects=tuple(one._replace(target=_known(one.target, text)) for one in command.redirects),
        cwd="" if command.cwd is None else command.cwd.replace(HOLE, text),
        has_more_words=False,
    )


def _known(word: Word, text: str) -> Word:
    return word if word.is_known else word._replace(text=word.text.replace(HOLE, text))


# end of module
