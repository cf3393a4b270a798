"""Files of settings that a shell text sources: what their variables hold is known in the rest of the text.

Owns which files those are: ones with nothing but assignments. Does not own the evaluation
(``shell.evaluate``); what any other sourced file runs is judged as a script (``gate.follow``). Pure but for
``Facts``.
"""

from __future__ import annotations

import os.path

from operators_edge.gate.search import MAX_FILE, is_binary
from operators_edge.shell.commands import SOURCING
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Script

    Settings = tuple[tuple[str, str], ...]

_VALUE = r"(?:[^\s`$;&|<>()'\"\\]|'[^'\n]*'|\"[^\"`$\\\n]*\")*"
_ASSIGNMENT = pattern(
    rf"[ \t]*(?:(?:export[ \t]+)?[A-Za-z_]\w*={_VALUE}(?:[ \t]*|[ \t]+#.*)|#.*)?\r?"
)
_MAX_FILES = 8
_ROUNDS = 2
"""How often a sourced file may name the next one by a variable."""


def known(script: Script, read: Callable[[Settings], Script], context: CallContext) -> Script:
    """Return the script with the settings known that it sources; ``read`` reads it again with them."""
    settings: Settings = ()
    for _ in range(_ROUNDS):
        found = _settings_of(script, context)
        if not found or found == settings:
            break
        settings = found
        script = read(settings)
    return script


def _settings_of(script: Script, context: CallContext) -> Settings:
    found: dict[str, str] = {}
    for command in script.commands:
        words = [word.text for word in command.argv]
        if len(words) < 2 or words[0] not in SOURCING or command.is_remote:
            continue
        if not command.argv[1].is_known or command.cwd is None:
            continue
        place = os.path.normpath(os.path.join(command.cwd, words[1]))
        path = context.resolve(place, context.cwd)
        text = _text_of(path, context) if path and len(found) < _MAX_FILES else None
        if text is not None:
            found[place] = text
    return tuple(found.items())


def _text_of(path: str, context: CallContext) -> str | None:
    changed = path in context.copies or path in context.appended or context.arrivals
    if changed or not context.is_inside(path, (context.root, *context.temp)):
        return None
    text = context.written_texts.get(path)
    text = context.facts.text(path, MAX_FILE + 1) if text is None else text
    is_known = text is not None and len(text) <= MAX_FILE and not is_binary(text)
    if text is None or not is_known or not all(map(_ASSIGNMENT.fullmatch, text.split("\n"))):
        return None
    return text


# end of module
