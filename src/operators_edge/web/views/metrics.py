"""How often things happened: in the latest session and in the project."""

from __future__ import annotations

from operators_edge.evidence.metrics import counts
from operators_edge.evidence.metrics.render_text import verdict
from operators_edge.reports.html import Html, tag
from operators_edge.text.wording import many
from operators_edge.web import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.web.projects_service import Place


def show(place: Place, _asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    project = place.opened()
    record = project.evidence.metrics()
    whole, one = counts.of_project(record), counts.of_session(record, project.latest_session())
    missing = project.log.missing_end()
    tables = [
        parts.card(
            group.replace("_", " ").capitalize(),
            f"m-{group}",
            parts.table(
                ("", "Session", "Project"),
                [
                    (
                        name.replace("_", " "),
                        f"{one[group][name]:,}" if one else "",
                        f"{whole[group][name]:,}",
                    )
                    for name in names
                ],
                about=group.replace("_", " "),
            ),
        )
        for group, names in counts.GROUPS.items()
    ]
    entries, sessions = whole["record"]["entries"], whole["record"]["sessions"]
    return parts.page(
        f"Metrics of {place.name}",
        tag(
            "p", f"{many(entries, 'entry')}, {many(sessions, 'session')}. {verdict(whole, missing)}"
        ),
        tag("div", *tables, class_="grid"),
    )


# end of module
