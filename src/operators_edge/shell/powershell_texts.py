"""Texts of PowerShell in the quotes of sh, in which this package reads its commands.

In PowerShell a backslash is a plain sign and a backtick the escape; quotes are doubled, and here-strings
(``@'`` … ``'@``) hold any quote. Pure. Does not own cmdlets (``shell.runners``).
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_TOKEN = pattern(
    r"(?s)(?P<comment><#.*?#>)|@'\r?\n(?P<raw>.*?)\r?\n'@|@\"\r?\n(?P<text>.*?)\r?\n\"@"
    r"|'(?P<single>(?:[^'\u2018\u2019]|'')*)'|\"(?P<double>(?:[^\"`]|`.|\"\")*)\"|(?P<escape>`.)"
)
_INSIDE = pattern(r"(?s)`(?P<escaped>.)|(?P<quote>\"\")|(?P<sign>[\\\"])")
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "0": ""}


def in_sh(text: str) -> str:
    """The text with each string, escape and comment as sh writes it; lines keep their numbers."""
    return _TOKEN.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    groups = found.groupdict()
    if groups["comment"] is not None:
        return "\n" * found[0].count("\n")
    if groups["escape"] is not None:
        return f"\\{found[0][1]}"
    plain = groups["raw"] if groups["raw"] is not None else groups["single"]
    if plain is not None:
        plain = plain if groups["raw"] is not None else plain.replace("''", "'")
        made = "'" + plain.replace("'", "'\\''") + "'"
    else:
        inside = groups["text"] if groups["text"] is not None else groups["double"]
        made = f'"{_INSIDE.sub(_sign, inside)}"'
    return made + "\n" * (found[0].count("\n") - made.count("\n"))


def _sign(found: re.Match[str]) -> str:
    if found["quote"] or found["sign"]:
        return "\\" + (found["sign"] or '"')
    escaped = _SIGNS.get(found["escaped"], found["escaped"])
    return f"\\{escaped}" if escaped and escaped in '$"`\\' else escaped


# end of module
