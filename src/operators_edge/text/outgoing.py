"""The one door for text that leaves: to a terminal, a page, a program or a client.

Any of it may quote a file, a commit or an agent. No character that moves a cursor, changes the direction of
what follows, breaks a line or cannot be seen reaches a reader as it is. Owns which characters those are.
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping
    from typing import Any

_UNSEEN = (
    "\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
"""Controls, marks of direction, separators of lines, invisible and lone characters; not an emoji's joiner."""

_FOR_TERMINAL = pattern(rf"\x1b(?!\[[0-9;]*m)|[\x00-\x08{_UNSEEN}]")
_FOR_READER = pattern(rf"[\x00-\x08\x1b{_UNSEEN}]")
_FOR_PROGRAM = pattern(f"[{_UNSEEN}]")

_TEXT_KEYS = (
    "additionalContext",
    "permissionDecisionReason",
    "reason",
    "stopReason",
    "systemMessage",
)
"""What a client shows of a hook's answer, to a person or to the model; the rest it acts on, as it is."""


def to_terminal(text: str) -> str:
    """The text with a blank for each such character; line ends, tabs and colours stay."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # as a rule: spares the pattern
        return text
    return _FOR_TERMINAL.sub(" ", text)


def to_stderr(text: str) -> None:
    """One line about a problem that changes nothing else; if nobody can read it, neither does that."""
    with suppress(OSError):  # closed, or a file on a full disk
        os.write(2, f"operators-edge: {to_terminal(text)}\n".encode("utf-8", "replace"))


def to_page(text: str) -> str:
    """The text with a visible escape for each such character: nothing is hidden; line ends and tabs stay."""
    return _FOR_READER.sub(_visible, text.replace("\r\n", "\n"))


def to_program(value: Any, *, is_compact: bool = False) -> str:
    """The value as JSON on one line, with an escape for each such character: nothing is lost."""
    separators = (",", ":") if is_compact else (", ", ": ")
    return _FOR_PROGRAM.sub(_escape, jsons.dumps(value, ensure_ascii=False, separators=separators))


def to_client(answer: Mapping[str, Any]) -> str:
    """A hook's answer as JSON, with a blank for each such character in what is shown; line ends stay."""
    return jsons.dumps(_cleaned(answer))


def _cleaned(answer: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in answer.items():
        if key == "hookSpecificOutput":
            found[key] = _cleaned(value)
        elif key in _TEXT_KEYS and isinstance(value, str):
            found[key] = _FOR_READER.sub(" ", value)
        else:
            found[key] = value
    return found


def _visible(match: re.Match[str]) -> str:
    return escaped(match[0])


def _escape(match: re.Match[str]) -> str:
    return jsons.dumps(match[0])[1:-1]


# end of module
