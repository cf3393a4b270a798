"""Program code given on a command line: the files named in it, where it also writes.

Owns that reading. Does not own the commands that code starts: the shell parser reports those. This
reads code as text, on purpose: what it cannot see, a person's review of the script has to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.gate.regexes import compiled, found_in

if TYPE_CHECKING:
    import re

_LITERAL = r"(?s)'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`"
_WRITES = (
    r"write|unlink|remove|rename|replace|truncate|rmtree|move|copy|dump|touch|symlink|chmod|append"
    r"|open\s*\([^)]*,\s*(mode\s*=\s*)?['\"][^'\"]*[wax+>]|['\"]\s*>|rm(Sync)?\b|print\s*>|delete"
)
_MAX_LITERALS = 200


def find_written_paths(text: str) -> list[str]:
    """String literals of code that also writes, moves or deletes files."""
    if not found_in(_WRITES, text):
        return []
    found = compiled(_LITERAL).findall(text)[:_MAX_LITERALS]
    return ["".join(groups) for groups in found]


# In one pass, so that a quote in a comment opens no literal and a dash in a literal no comment.
# MySQL runs what stands in /*! ... */.
_NOT_RUN = (
    r"(?s)/\*!(?P<run>.*?)\*/|/\*.*?(?:\*/|\Z)|--[^\n]*|(?P<text>'(?:[^'\\]|''|\\.)*'|\"[^\"]*\")"
)


# A plan is only shown, unless it is asked to be run and measured.
_EXPLAINED = r"(?is)\bexplain\s+(?!\(|analy[sz]e\b|verbose\s+analy)[^;]*"


def reduce_sql(text: str) -> str:
    """The statements with comments as a blank and literals as '', and without what is only explained."""
    return compiled(_EXPLAINED).sub("explain", compiled(_NOT_RUN).sub(_replace_part, text))


def _replace_part(match: re.Match[str]) -> str:
    if match.group("run") is not None:
        return f" {reduce_sql(match.group('run').lstrip('0123456789'))} "
    return "''" if match.group("text") is not None else " "
