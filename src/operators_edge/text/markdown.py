"""Text of others in Markdown: shown as it is, never markup, a link, a mention or a command there."""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern
from operators_edge.text.wording import escaped, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ACTIVE = pattern(r"[\\`*_{}\[\]<>()#+!|@&~$]|:(?=/)|(?<=\bwww)\.", re.IGNORECASE)


def plain(value: object, size: int = 300) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", escaped(one_line(str(value), size)))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, most: int = 60) -> list[str]:
    """The lines of a table, whose cells are Markdown already; [] without a row."""
    if not rows:
        return []
    more = [f"\nand {len(rows) - most} more"] if len(rows) > most else []
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows[:most])]
    return [*lines, *more]


# end of module
