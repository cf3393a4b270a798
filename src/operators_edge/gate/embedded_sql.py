"""SQL without what is only said in it: comments and literals taken out before a rule looks.

Owns the reduction of SQL text. Does not own which statements are dangerous: the database pack does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.gate.regexes import compiled

if TYPE_CHECKING:
    import re

# In one pass, so that a quote in a comment opens no literal and a dash in a literal no comment.
# MySQL runs what stands in /*! ... */.
_SAID = (
    r"(?s)/\*!(?P<run>.*?)\*/|/\*.*?(?:\*/|\Z)|--[^\n]*|(?P<text>'(?:[^'\\]|''|\\.)*'|\"[^\"]*\")"
)


# A plan is only shown, unless it is asked to be run and measured.
_SHOWN = r"(?is)\bexplain\s+(?!\(|analy[sz]e\b|verbose\s+analy)[^;]*"


def bare(text: str) -> str:
    """The statements with comments as a blank and literals as '', and without what is only explained."""
    return compiled(_SHOWN).sub("explain", compiled(_SAID).sub(_reduced, text))


def _reduced(match: re.Match[str]) -> str:
    if match.group("run") is not None:
        return f" {bare(match.group('run').lstrip('0123456789'))} "
    return "''" if match.group("text") is not None else " "
