"""A secret that was found in a text.

Owns where it is, its kind and why it was taken for one. Does not own how it is found or shown. Pure.
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WHY = ("value", "pattern", "format", "encoded", "header", "command", "vendor", "url", "name")
"""Why something is taken for a secret, the surest first.

A known value; a pattern of the project; the look of a token; what decoding shows; an HTTP header; a program's
argument; a random value behind a vendor's name; the password of a URL; a value behind a telling name.
"""


LEAD = r"(?:\d{1,6}(?:[\t→:|]| {1,2})|[+-])?"
"""What a pager or a diff puts before a line, in a pattern."""


class Finding(NamedTuple):
    begin: int
    end: int
    kind: str
    """Of token or place: "github", "private-key"; "" when only a name told, or the value is known."""
    why: str
    """One of ``WHY``."""


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """In order, those that overlap as one, of the surest kind."""
    whole: list[Finding] = []
    for each in sorted(findings, key=lambda found: (found.begin, -found.end)):
        if whole and each.begin < whole[-1].end:
            last = whole[-1]
            surest = min(last, each, key=lambda found: WHY.index(found.why))
            whole[-1] = surest._replace(begin=last.begin, end=max(last.end, each.end))
        elif each.begin < each.end:
            whole.append(each)
    return whole


# end of module
