"""Files of SQL that a program reads and runs.

Owns where a statement ends. Pure, text to text. Does not own which of them lose something
(``shell.code.client_calls``), nor finding the files (``gate.disk.whole_programs``).
"""

from __future__ import annotations

from operators_edge.text.patterns import blanked, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_COMMENT = pattern(r"--[^\n]*|/\*[\s\S]*?\*/|'(?:[^']|'')*'")
_STATEMENT = pattern(r"(?:[^;'\"]|'[^']*'|\"[^\"]*\"|['\"])+;?")
_SPACE = pattern(r"\s+")


def in_lines(text: str) -> str:
    """Return SQL without comments, each statement in the line where it begins; lines keep their numbers."""
    plain = _COMMENT.sub(lambda one: one[0] if one[0][0] == "'" else blanked(one[0]), text)
    return _STATEMENT.sub(_in_line, plain)


def _in_line(found: re.Match[str]) -> str:
    body = found[0].lstrip()
    before = found[0][: len(found[0]) - len(body)].count("\n")
    one = _SPACE.sub(" ", body).strip()
    return "\n" * before + one + "\n" * body.count("\n")


# end of module
