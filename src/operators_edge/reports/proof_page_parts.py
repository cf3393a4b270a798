"""The parts that the proof page is made of: cards, lists and tables that fold, links to entries.

Pure. Does not own escaping (``reports.html``).
"""

from __future__ import annotations

from operators_edge.reports.html import Html, Node, tag, together
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHOWN = 6
"""Rows of a list that are shown at once, unless a card says otherwise; the rest can be opened."""

LISTED = 300
"""Rows of a list that the page holds at all; the timeline holds every entry."""

_TABLE_ROWS = 12


def card(ident: str, title: str, *children: Node, tone: str = "") -> Html:
    """A section with a heading, which its id leads to."""
    heading = tag("h2", title, id=f"{ident}-title")
    return tag(
        "section",
        heading,
        children,
        class_="card",
        id=ident,
        data_tone=tone or None,
        aria_labelledby=f"{ident}-title",
    )


def listed(rows: Iterable[Html], nothing: str = "", *, most: int = SHOWN) -> Html:
    """A list whose later rows are behind a switch."""
    every = list(rows)
    if not every:
        return tag("p", nothing, class_="quiet")
    shown, rest, left_out = every[:most], every[most:LISTED], max(0, len(every) - LISTED)
    more = None
    if rest:
        words = f"Show {len(rest)} more"
        ending = f"{many(left_out, 'further one')} in the timeline." if left_out else ""
        more = tag("details", tag("summary", words), tag("ul", rest, class_="plain"), ending)
    return together(tag("ul", shown, class_="plain"), more)


def table(heads: Sequence[str], rows: Sequence[Html], *, left_out: int = 0) -> Html:
    """A table whose later rows are behind a switch; ``left_out`` counts those that the page does not hold."""
    more = None
    if rows[_TABLE_ROWS:]:
        words = f"Show {len(rows) - _TABLE_ROWS} more"
        ending = f"{left_out} further ones are in the timeline." if left_out > 0 else ""
        more = tag("details", tag("summary", words), _table(heads, rows[_TABLE_ROWS:]), ending)
    return together(_table(heads, rows[:_TABLE_ROWS]), more)


def _table(heads: Sequence[str], rows: Sequence[Html]) -> Html:
    head = tag("thead", tag("tr", [tag("th", each, scope="col") for each in heads]))
    return tag(
        "div",
        tag("table", head, tag("tbody", rows)),
        class_="wide",
        tabindex="0",
        role="group",
        aria_label=heads[0],
    )


def rule(ident: str) -> Html | None:
    """A rule's id; None for ""."""
    return tag("code", tag("bdi", ident), class_="quiet") if ident else None


def entry(seq: int) -> Html:
    """A link to an entry; empty for 0."""
    return (
        tag("a", seq, href=f"#e{seq}", class_="entry number", title=f"entry {seq}")
        if seq
        else tag("span")
    )


def join(*parts: object) -> str:
    """Those that are not empty, with commas."""
    return ", ".join(str(each) for each in parts if each)


# end of module
