"""The work so far in one text: for a new session, another agent, or a person who takes over (LC-7).

Pure. Markdown, complete where the briefing is short, each text on one line of limited length. Does not own
what the log adds to the state (``sessions.start``). The caller redacts secrets before it prints the text.
"""

from __future__ import annotations

from operators_edge.memory import mismatches
from operators_edge.plan import modes, notes as plan_notes
from operators_edge.plan.edits import MARKS
from operators_edge.sessions import briefing, exchange
from operators_edge.state import lesson, schema
from operators_edge.text.wording import as_text, many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Any

    from operators_edge.model import State
    from operators_edge.sessions.briefing import RecordFacts

_LINE = 600
_LESSONS = 10
_STEPS = 60


def text(state: State, known: RecordFacts, *, now: datetime) -> str:
    """The whole text; if there is nothing to hand over, it says so."""
    objective = as_text(state.get("objective")) or "no objective is set"
    when = now.isoformat(timespec="minutes")
    head = [f"# Handoff: {_line(objective)}", "", f"Mode {modes.current(state)}, written {when}."]
    head += map(_line, briefing.wanted(state))
    parts = [
        ("Next", _next(state)),
        ("Plan", _plan(state)),
        ("Evidence", _evidence(known)),
        ("Said", _exchange(known)),
        ("Waits for a person", _waiting(state)),
        ("Tasks", [known.tasks]),
        ("Open mismatches", (mismatches.text_of(each) for _, each in mismatches.unresolved(state))),
        ("Open questions", _questions(state)),
        ("Decided", _decided(state, known)),
        ("Constraints", plan_notes.texts(state, plan_notes.CONSTRAINT)),
        ("Risks", plan_notes.texts(state, plan_notes.RISK)),
        ("Last session", briefing.activity_lines(known)),
        ("Lessons", _lessons(state)),
        ("Notes", plan_notes.texts(state, plan_notes.NOTE)),
    ]
    lines = [line for title, entries in parts for line in _section(title, entries)]
    foot = ["", "The record behind this: `edge status`, `edge log claims`, `edge plan show`."]
    return "\n".join([*head, *lines, *foot])


def _section(title: str, entries: Iterable[str]) -> list[str]:
    items = [f"- {_line(each.strip())}" for each in entries if each.strip()]
    return ["", f"## {title}", "", *items] if items else []


def _next(state: State) -> Iterator[str]:
    number, plan = schema.current_step(state), state.get("plan") or []
    if 1 <= number <= len(plan):
        step = schema.step_of(plan[number - 1])
        yield f"Step {number} of {len(plan)}: {step.get('description')}"
        if as_text(step.get("expected")):
            yield f"Expected of it: {step['expected']}"
    if as_text(state.get("next_action")):
        yield str(state["next_action"])


def _plan(state: State) -> Iterator[str]:
    plan = state.get("plan") or []
    for number, entry in enumerate(plan[:_STEPS], 1):
        step = schema.step_of(entry)
        status = step.get("status", "pending")
        is_open = status != "completed"
        expected = (
            f"; expected: {step['expected']}" if is_open and as_text(step.get("expected")) else ""
        )
        proof = f"; proof: {step['proof']}" if as_text(step.get("proof")) else ""
        why = f"; because: {step['blocked_by']}" if as_text(step.get("blocked_by")) else ""
        delta = f"; differs: {step['delta']}" if as_text(step.get("delta")) else ""
        text = f"{step.get('description')} ({status}{why}{expected}{proof}{delta})"
        yield f"[{MARKS.get(status, '?')}] {number}. {text}"
    if len(plan) > _STEPS:
        yield f"and {many(len(plan) - _STEPS, 'step')} more: edge plan show"


def _evidence(known: RecordFacts) -> Iterator[str]:
    if known.verified:
        yield known.verified
    yield from known.doubts
    yield from (f"Fails: {each}" for each in known.failing)


def _exchange(known: RecordFacts) -> Iterator[str]:
    for each in exchange.lines(known.said):
        yield f'{each.head}: "{each.text}"'


def _decided(state: State, known: RecordFacts) -> Iterator[str]:
    yield from plan_notes.answered(state)
    yield from (f"Refused by a person: {each}" for each in known.refused)


def _waiting(state: State) -> Iterator[str]:
    junction = state.get("junction")
    if isinstance(junction, dict) and junction:
        yield _question_of(junction)
    for each in schema.maps(state.get("left_questions")):
        yield f"{_question_of(each)} (asked in a session that ended)"


def _question_of(junction: Mapping[str, Any]) -> str:
    return f"{junction.get('type')}: {junction.get('shown') or junction.get('reason') or ''}"


def _questions(state: State) -> Iterator[str]:
    for each in plan_notes.open_questions(state):
        yield f"{each.text}{' (blocking)' if each.is_blocking else ''}"
    for topic in schema.maps(state.get("research")):
        text = as_text(topic.get("topic"))
        if text and topic.get("status") not in ("completed", "cancelled"):
            is_critical = topic.get("priority") == "critical"
            yield f"{'Critical research' if is_critical else 'Research'}: {text}"


def _lessons(state: State) -> Iterator[str]:
    listed = [each for each in lesson.listed(state.get("memory")) if each["lesson"]]
    best = sorted(listed, key=briefing.lesson_rank, reverse=True)
    for each in best[:_LESSONS]:
        yield f"{each['trigger']}: {each['lesson']}" if each["trigger"] else each["lesson"]
    if len(best) > _LESSONS:
        yield f"and {many(len(best) - _LESSONS, 'lesson')} more: edge lesson list"


def _line(value: object) -> str:
    return one_line(value, _LINE)


# end of module
