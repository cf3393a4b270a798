"""``edge why``: what led to an entry, a call or a decision, on a few lines."""

from __future__ import annotations

from operators_edge.cli.command import Answer, arg, command
from operators_edge.cli.layout import columns, paragraph
from operators_edge.reports import why_service
from operators_edge.text.timestamps import parse
from operators_edge.text.wording import WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.cli.command import Args
    from operators_edge.reports.why import Row

_LABEL = 11
_NUMBER = 7
_WIDEST = 110


@command(
    "why",
    arg(
        "[ID]",
        "an entry's number; the id of a call, a junction, a grant or a lesson; or last, the default",
        default=why_service.LAST,
    ),
    description="Show what led to it: request, call, rule, who decided, what ran, the checks after.",
    example="42",
)
def _why(args: Args) -> Answer:
    found = why_service.explain(args.project, args.id)
    width = min(_WIDEST, columns()) if not args.asking else WIDTH
    data = {"entry": found.entry.get("seq"), "chain": [each.as_data() for each in found.rows]}
    return Answer(data, [line for row in found.rows for line in _lines(row, width)])


def _lines(row: Row, width: int) -> Iterator[str]:
    """The label, the entry's number and time, and the text beside them."""
    when = parse(row.at)
    at = when.astimezone().strftime("%H:%M") if when else ""
    head = f"{row.label:<{_LABEL}}{row.seq or '':>{_NUMBER}} {at:<5}  "
    yield from paragraph(head, row.text, len(head), width)


# end of module
