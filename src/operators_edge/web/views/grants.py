"""What a person allowed and still counts, each to be revoked, and the decisions so far."""

from __future__ import annotations

from operators_edge.reports import entries
from operators_edge.reports.html import Html, Node, tag, together
from operators_edge.sessions import status
from operators_edge.sessions.grants import classify_grants
from operators_edge.state import schema
from operators_edge.text.wording import as_text
from operators_edge.web import parts
from operators_edge.web.parts import badge, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.project import Project
    from operators_edge.web.projects_service import Place

_TONES = {
    "approved": "good",
    "dismissed": "good",
    "refused": "bad",
    "never": "bad",
    "revoke": "bad",
}
_RECENT = 2_000
"""Entries of the log among which revocations are looked for."""


def show(place: Place, _asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    project = place.opened()
    state = project.state.read()
    counting, ignored = classify_grants(project, state)
    grants = status.with_lapsed(counting, state, schema.latest_session(state))
    answered = schema.maps(state.get("junction_history"))
    history = sorted([*answered, *_revoked(project)], key=lambda each: str(each.get("decided_at")))
    none = parts.quiet("Nothing is allowed ahead.")
    return parts.page(
        f"Grants in {place.name}",
        parts.card(
            "What counts now",
            "grants",
            tag("ul", *(_grant(place, each) for each in grants), class_="list") if grants else none,
            [
                tag("div", badge("ignored", "note"), " A grant in the state: ", text(why))
                for why in ignored
            ],
        ),
        parts.card("Decisions so far", "history", _history(history[::-1])),
    )


def _grant(place: Place, grant: Mapping[str, Any]) -> Html:
    what = status.granted(dict(grant))
    until: list[Node] = []
    if grant.get("expires_at"):
        until = [", until ", parts.local_time(grant["expires_at"])]
    why = f", because {grant['reason']}" if grant.get("reason") else ""
    lapsed = grant.get("lapsed")
    form = parts.answer(
        f"g-{grant['id']}",
        place.id,
        tag(
            "div",
            tag("strong", text(what, 300)),
            together(" ", badge(f"lapsed: for another {lapsed}", "note")) if lapsed else None,
            parts.small(parts.words(f"by {as_text(grant.get('by'))}{why}"), *until),
            class_="grow",
        ),
        parts.button(together("Revoke", parts.unseen(f" {what}")), "revoke"),
        kind="row",
        grant=str(grant["id"]),
    )
    return tag("li", form, id=f"l-{grant['id']}", data_item=True, tabindex="-1")


def _revoked(project: Project) -> list[dict[str, Any]]:
    """The grants that were revoked lately, as decisions; the state only has answers to questions."""
    return [
        {
            **each["data"],
            "decision": "revoke",
            "decided_at": each.get("timestamp"),
            "type": " ".join(as_text(each["data"].get(name)) for name in ("kind", "rule")),
        }
        for each in map(entries.sound, project.log.tail(_RECENT))
        if each.get("event") == "grant_revoked"
    ]


def _history(history: list[dict[str, Any]]) -> Html:
    if not history:
        return parts.quiet("None yet.")
    lines = [
        (
            parts.local_time(each.get("decided_at")),
            badge(status.decided(each) or "?", _TONES.get(status.decided(each), "")),
            [
                text(each.get("shown") or each.get("type"), 200),
                parts.small(parts.words(as_text(each.get("rule")))) if each.get("rule") else None,
            ],
            parts.words(as_text(each.get("by"))),
        )
        for each in history
    ]
    return parts.table(("When", "Decision", "What", "By"), lines, about="Decisions so far")


# end of module
