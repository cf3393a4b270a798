"""What the commands that write intent have in common: words that may be left out, one way to answer."""

from __future__ import annotations

import sys

from operators_edge.cli.command import Answer
from operators_edge.errors import UsageError
from operators_edge.hosts import typed_line
from operators_edge.plan import service as plan_service
from operators_edge.text.wording import amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from operators_edge.cli.command import Args
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult


def one_text(words: Sequence[str]) -> str | None:
    """The words that a shell has cut, as the one text that they are; None where there are none."""
    return " ".join(words) if words else None


def texts(words: Sequence[str]) -> list[str]:
    """One text each, as it was quoted; words of which none was quoted are one text."""
    return list(words) if are_quoted(words) else [" ".join(words)]


def are_quoted(words: Sequence[str]) -> bool:
    """Whether somebody put a text in quotes: it holds a blank, or it still tells that it was."""
    return any(
        word.is_quoted if isinstance(word, typed_line.Word) else len(word.split()) != 1
        for word in words
    )


def intent_of(state: State) -> dict[str, Any]:
    """The intent by its parts; a text in its place is its first part."""
    intent = state.get("intent")
    return intent if isinstance(intent, dict) else {"user_wants": intent}


def given(args: Args, path: str, *, most: int, what: str, hint: str) -> str:
    """The text of a file, or of what is piped in where the path is "-"; at most so many bytes of UTF-8.

    ``what`` names it in an error (UsageError), ``hint`` is the way on then.
    """
    if path == "-" and args.asking:
        raise UsageError(f"nothing is piped into a typed line, so {what} is missing", hint=hint)
    try:
        if path == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise UsageError(
            f"{what} could not be read: {error.strerror or error}", hint=hint
        ) from error
    if len(data) > most:
        raise UsageError(f"{what} is larger than {amount(most)}", hint=hint)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{what} is not UTF-8 text", hint="save it as UTF-8") from error


def given_or_pasted(args: Args, *, most: int, what: str, hint: str) -> str:
    """The text of ``--file``, or of what is piped in; at a terminal it is asked for."""
    if not args.file and not args.asking and sys.stdin.isatty():
        args.terminal.aside(f"Paste {what}, then Ctrl-D on a line of its own.")
    return given(args, args.file or "-", most=most, what=what, hint=hint)


def write(args: Args, edit: Callable[[State], EditResult], *, command: str = "") -> Answer:
    """Write what an edit makes of the state; ``command`` is the name in the log, else the words."""
    return answer_of(plan_service.write(args.project, edit, command=command or args.words))


def write_plan(args: Args, edit: Callable[[State], EditResult], *, command: str = "") -> Answer:
    """The same for an edit of the plan: the quality gate is asked about it afterwards."""
    from operators_edge.quality import service as quality_service  # noqa: PLC0415 - a note needs none of it

    return answer_of(quality_service.write_plan(args.project, edit, command=command or args.words))


def answer_of(said: EditResult) -> Answer:
    """The result of an edit as the answer of the command that asked for it."""
    return Answer(said.data, said.text, remarks=said.remarks)


# end of module
