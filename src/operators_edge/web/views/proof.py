"""The proof ledger: each claim with its verdict, why, and what clears it."""

from __future__ import annotations

from operators_edge.reports import service as reports_service
from operators_edge.reports.html import Html, Node, tag, together
from operators_edge.text.wording import many
from operators_edge.web import parts
from operators_edge.web.parts import badge, code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.reports.proof_ledger import Row
    from operators_edge.web.projects_service import Place


def show(place: Place, _asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    found = reports_service.proof_ledger_of(place.opened())
    return parts.page(
        f"Proof ledger of {place.name}",
        tag("p", found.counted),
        tag("ul", *(_claim(place, each) for each in found.rows), class_="list stack"),
    )


def _claim(place: Place, row: Row) -> Html:
    mark = together(tag("span", row.mark, aria_hidden="true"), " ", badge(row.verdict, row.tone))
    return tag(
        "li",
        parts.line(tag("h3", parts.words(f"{row.step}. {row.text}")), mark),
        parts.rows(evidence(place, row)),
        class_="card",
        data_tone=row.tone or None,
        data_item=True,
        tabindex="-1",
        id=f"c-{place.id}-{row.step}",
    )


def evidence(place: Place, row: Row) -> list[tuple[str, Node]]:
    """A claim's proof in its own words, beside what was observed."""
    files = [each for name in row.files for each in (code(name), " ")]
    return [
        ("Claimed", text(row.proof) if row.proof else "without a proof of its own"),
        ("Why", text(row.why)),
        (
            "Check",
            together(code(row.check), " ", _entry(place, row.check_entry)) if row.check else "",
        ),
        ("Clear it", code(row.run) if row.run else ""),
        *(("Beside", text(each)) for each in row.beside),
        ("Changed since", together(*files) if files else ""),
        ("Worked on in", _range(place, row.seen)),
    ]


def _entry(place: Place, number: int) -> Node:
    return parts.link(f"#{number}", parts.address("entry", place.id, n=number)) if number else None


def _range(place: Place, seen: tuple[int, int] | None) -> Node:
    if seen is None:
        return ""
    first, last = seen
    count = f" ({many(last - first + 1, 'entry')})"
    return together(_entry(place, first), " to ", _entry(place, last), count)


# end of module
