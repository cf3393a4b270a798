"""Every question that waits, and every project at a glance, side by side."""

from __future__ import annotations

from operators_edge.approvals.binding import store as binding_store
from operators_edge.errors import EdgeError
from operators_edge.plan import modes
from operators_edge.reports.html import Html, Node, tag
from operators_edge.sessions import live, status
from operators_edge.state import schema
from operators_edge.text.wording import many
from operators_edge.web import parts
from operators_edge.web.parts import badge, text
from operators_edge.web.views import question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.project import Project
    from operators_edge.web.inbox_service import Inbox
    from operators_edge.web.projects_service import Place


def show(inboxes: Sequence[Inbox]) -> Html:
    """The first view."""
    waiting = [each for inbox in inboxes for each in _waiting(inbox)]
    nothing = "Nothing waits for you." if inboxes else "No project is guarded yet: edge init"
    return parts.page(
        "Decisions and projects",
        tag(
            "section",
            tag("h2", "Waiting for you", id="h-waiting"),
            tag("div", waiting or tag("p", nothing, class_="card quiet"), class_="stack"),
            aria_labelledby="h-waiting",
        ),
        tag(
            "section",
            tag("h2", "Projects", id="h-projects"),
            tag("div", [_card(each.place) for each in inboxes], class_="grid"),
            aria_labelledby="h-projects",
        )
        if inboxes
        else None,
        is_unseen=True,
    )


def _waiting(inbox: Inbox) -> list[Html]:
    place = inbox.place
    found = [question.card(each, place) for each in inbox.questions]
    for task in inbox.tasks:
        to = parts.address("bridge", place.id, task=task["id"])
        found.append(
            parts.item(
                f"b-{place.id}-{task['id']}",
                tag("h3", "A task of the Bridge waits: ", parts.words(task["id"])),
                tag("div", text(task["why"])),
                tag("p", parts.link("What it would run, and the answers", to)),
                tone="wait",
            )
        )
    if inbox.problem:
        what = f"{place.name} could not be read"
        found.append(parts.problem(what, inbox.problem, inbox.hint))
    return found


def _card(place: Place) -> Html:
    head = [
        tag("h3", parts.link(parts.words(place.name), parts.address("overview", place.id))),
        parts.small(parts.words(place.root)),
    ]
    try:
        body = _glance(_facts(place.opened()))
        tone = None
    except EdgeError as error:
        body, tone = [tag("div", text(error.message)), parts.quiet(error.hint)], "bad"
    return parts.item(f"p-{place.id}", *head, *body, tone=tone, kind="card project")


def _facts(project: Project) -> dict[str, Any]:
    state = project.state.read()
    plan = [each for each in state.get("plan") or [] if isinstance(each, dict)]
    number, latest = schema.current_step(state), project.log.tail(1)
    session = schema.latest_session(state)
    return {
        "objective": state.get("objective"),
        "mode": modes.current(state),
        "done": sum(each.get("status") == "completed" for each in plan),
        "steps": len(plan),
        "step": plan[number - 1].get("description") if 1 <= number <= len(plan) else "",
        "running": live.running(project, live.recent(state, project.evidence.work()), ""),
        "last": latest[0].get("timestamp") if latest else "",
        "entries": latest[0].get("seq") or 0 if latest else 0,
        "off": status.active_switches(project, session),
        "alarms": binding_store.alarms(project),
        "tests": project.evidence.session(session).get("tests_passed") if session else None,
    }


_TESTS = {True: ("tests passed", "good"), False: ("tests failed", "bad")}


def _glance(facts: dict[str, Any]) -> list[Node]:
    running, steps, done = facts["running"], facts["steps"], facts["done"]
    tests = _TESTS.get(facts["tests"])
    marks = [
        badge(facts["mode"]),
        f"{done} of {many(steps, 'step')} done" if steps else None,
        badge(f"{many(len(running), 'session')} running", "good") if running else None,
        badge(*tests) if tests else None,
        badge("gate switched off", "bad") if facts["off"] else None,
        badge(many(len(facts["alarms"]), "alarm"), "bad") if facts["alarms"] else None,
    ]
    objective = text(facts["objective"], 160) if facts["objective"] else "No objective."
    last = [", the last ", parts.local_time(facts["last"])] if facts["last"] else []
    return [
        tag("div", objective, class_=None if facts["objective"] else "quiet"),
        parts.line(*marks),
        tag("progress", max=str(steps), value=str(done), aria_label="Steps done")
        if steps
        else None,
        tag("div", "Now: ", text(facts["step"], 160), class_="small") if facts["step"] else None,
        parts.small(many(facts["entries"], "entry"), *last),
    ]


# end of module
