"""The checks of a command line: those of the table, and those that the project configures.

Does not own the words of a command (``evidence.checks.programs``) or what the rest of the line means
(``evidence.checks.attribution``).
"""

from __future__ import annotations

from operators_edge.evidence.checks.attribution import Line, unwrapped
from operators_edge.evidence.checks.model import Check
from operators_edge.evidence.checks.programs import checks_of_command
from operators_edge.shell.evaluate import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.shell.commands import Command, Script

_SHELLS = frozenset({"sh", "bash", "zsh", "dash"})


def checks_of(text: str, custom: Sequence[str]) -> tuple[Check, ...]:
    """As ``detect.checks_of``, of a text that may hold a check."""
    text = unwrapped(text)
    script = parse(text)
    line = Line(text, script)
    found: dict[tuple[object, ...], Check] = {}
    configured = [(each, _configured(each, custom)) for each in script.commands]
    # What a configured check runs inside is part of it.
    spans = {command.span for command, check in configured if check is not None}
    for command, check in configured:
        if check is None and (command.span in spans or _is_of_variable(command)):
            continue
        for each in checks_of_command(command) if check is None else [check]:
            key = (command.span, each.kind, each.name.rsplit("/", 1)[-1], each.scope)
            is_alone = _is_alone(script, command)
            found.setdefault(key, each._replace(place=line.place(command), is_alone=is_alone))
    return tuple(found.values())


def _is_of_variable(command: Command) -> bool:
    """Whether it is what a program runs by the options in a variable: its own command has them too."""
    return any(each.isupper() and each.isidentifier() for each in command.through[-1:])


def _is_alone(script: Script, command: Command) -> bool:
    return all(
        each.span == command.span or not each.argv or each.argv[0].text == "cd"
        for each in script.commands
    )


def _configured(command: Command, custom: Sequence[str]) -> Check | None:
    """The configured check that the command runs; further arguments narrow it.

    It judges the project even in a container, because the project's configuration says so.
    """
    words = [word.text for word in command.argv]
    if len(words) > 1 and words[0].rsplit("/", 1)[-1] in _SHELLS:
        words = words[1:]
    for text in custom:
        expected = text.split()
        if len(words) < len(expected) or words[1 : len(expected)] != expected[1:]:
            continue
        if words[0].removeprefix("./") == expected[0].removeprefix("./"):
            known = checks_of_command(command)[:1]
            kind, readers = (known[0].kind, known[0].readers) if known else ("custom", ())
            scope = tuple(words[len(expected) :])
            return Check(kind, text, scope, command.cwd or "", readers)
    return None


# end of module
