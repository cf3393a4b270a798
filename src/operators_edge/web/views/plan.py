"""What the person wants, and the steps to it, each with its claim beside the evidence."""

from __future__ import annotations

from operators_edge.reports import service as reports_service
from operators_edge.reports.html import Html, Node, tag
from operators_edge.state import schema
from operators_edge.text.wording import as_text
from operators_edge.web import parts
from operators_edge.web.parts import badge, text
from operators_edge.web.views import proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from operators_edge.reports.proof_ledger import Row
    from operators_edge.web.projects_service import Place

_TONES = {"completed": "good", "in_progress": "wait", "blocked": "bad"}
_NOTES = (
    ("Constraints", "constraints"),
    ("Risks", "risks"),
    ("Open questions", "open_questions"),
    ("Mismatches", "mismatches"),
    ("Notes", "notes"),
)


def show(place: Place, _asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    project = place.opened()
    state = project.state.read()
    rows = {row.step: row for row in reports_service.proof_ledger_of(project).rows}
    steps = [each for each in state.get("plan") or [] if isinstance(each, dict)]
    current = schema.current_step(state)
    none = tag("p", "There is no plan.", class_="card quiet")
    return parts.page(
        f"Plan of {place.name}",
        parts.card("What you want", "wanted", _wanted(state)),
        tag(
            "ol",
            *(
                _step(place, number, each, rows.get(number), is_now=number == current)
                for number, each in enumerate(steps, 1)
            ),
            class_="list stack",
        )
        if steps
        else none,
        *(_notes(label, key, state.get(key)) for label, key in _NOTES),
    )


def _wanted(state: Mapping[str, Any]) -> Html:
    intent = state.get("intent")
    pairs: list[tuple[str, Node]] = [("Objective", text(state.get("objective") or "none yet"))]
    if isinstance(intent, dict):
        named = ((str(name).replace("_", " ").capitalize(), each) for name, each in intent.items())
        pairs += [(name, text(as_text(each))) for name, each in named if as_text(each)]
    if as_text(state.get("next_action")):
        pairs.append(("Next", text(state["next_action"])))
    return parts.rows(pairs)


def _step(
    place: Place, number: int, step: Mapping[str, Any], row: Row | None, *, is_now: bool
) -> Html:
    status = as_text(step.get("status")) or "pending"
    verification = as_text(step.get("verification"))
    claimed = as_text(step.get("proof"))
    marks = [
        badge(status.replace("_", " "), _TONES.get(status, "")),
        badge(row.verdict, row.tone) if row else None,
        badge("now", "wait") if is_now and status != "in_progress" else None,
    ]
    pairs: list[tuple[str, Node]] = [("Verify", text(verification) if verification else "")]
    pairs += proof.evidence(place, row) if row else [("Proof", text(claimed) if claimed else "")]
    return tag(
        "li",
        parts.line(tag("h2", parts.words(f"{number}. {as_text(step.get('description'))}")), *marks),
        parts.rows(pairs),
        class_="card",
        data_item=True,
        tabindex="-1",
        id=f"s-{place.id}-{number}",
    )


def _notes(label: str, key: str, value: object) -> Node:
    if not isinstance(value, list) or not value:
        return None
    items = [text(each) if isinstance(each, str) else _fields(each) for each in value]
    return parts.card(label, key, parts.listed(items))


def _fields(value: object) -> Html:
    if not isinstance(value, dict):
        return text(as_text(value))
    pairs: Sequence[tuple[str, Node]] = [
        (str(name).replace("_", " ").capitalize(), text(as_text(each)))
        for name, each in value.items()
        if as_text(each)
    ]
    return parts.rows(pairs)


# end of module
