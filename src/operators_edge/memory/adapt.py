"""What follows from a mismatch: a revised step, one more step, another step, or a question to the person.

Pure. Owns how an open mismatch changes the plan and is resolved by that, in one edit. Does not own mismatches
(``memory.mismatches``), the plan's edits (``plan.edits``) or questions and bounds (``plan.notes``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import UsageError
from operators_edge.memory import mismatches
from operators_edge.plan import edits as plan_edits, notes as plan_notes
from operators_edge.plan.edits import EditResult, entries, short_line

if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.model import State


class Way(NamedTuple):
    """One way to go on: its verb, what it does, and how it resolves the mismatch, if it does."""

    verb: str
    about: str
    resolution: str = ""


REVISE = Way("revise", "the step says something else", "the step was revised")
INSERT = Way("insert", "a step has to come before it", "a step comes first")
REPLACE = Way("replace", "another step takes its place", "replaced")
ESCALATE = Way("escalate", "a person has to decide: a blocking question")
WAYS = (REVISE, INSERT, REPLACE, ESCALATE)


class Learned(NamedTuple):
    """What else is kept: bounds for the rest of the work, and what makes the lesson."""

    constraint: str | None = None
    risk: str | None = None
    trigger: str | None = None
    lesson: str | None = None


NOTHING = Learned()


def adapt(
    state: State,
    name: str | int,
    way: Way,
    text: str,
    *,
    now: datetime,
    step: int | None = None,
    learned: Learned = NOTHING,
) -> EditResult:
    """Go on from an open mismatch; what it changes it does at once, or not at all.

    ``step`` is the step it is about where the mismatch names none, or names one that has moved. Escalated
    ones stay open: nobody has said yet what is to be done.
    """
    number, entry = mismatches.find(state, name)
    if not mismatches.is_open(entry):
        raise UsageError(f"mismatch {number} is resolved already", hint=mismatches.LIST)
    if way is ESCALATE and (learned.trigger is not None or learned.lesson is not None):
        raise UsageError(
            "what is escalated stays open, and its lesson comes with the answer",
            hint=f'later: edge mismatch resolve {number} "…" --trigger "…" --lesson "…"',
        )
    if way is ESCALATE:
        remark = f"mismatch {number} stays open until the question is answered"
        parts = [
            _escalated(state, number, text, step, now=now),
            *_bounds(state, learned),
            EditResult("", {}, (), (remark,)),
        ]
    else:
        parts = [_changed(state, _about(state, entry, step), way, text), *_bounds(state, learned)]
        resolution = f"{way.resolution}: {text.strip()}"
        parts.append(
            mismatches.resolve(
                state, number, resolution, now=now, trigger=learned.trigger, lesson=learned.lesson
            )
        )
    return _together(parts, {"mismatch": mismatches.name_of(number, entry), "way": way.verb})


def walk(state: State) -> list[str]:
    """Each open mismatch, and what can be done about it, ready to be typed."""
    found: list[str] = []
    for number, entry in mismatches.unresolved(state):
        about = _number_in(state, entry)
        step = _step_of(state, about) if about else None
        found += ["", f"Mismatch {number}: {short_line(mismatches.text_of(entry))}"]
        if step is not None:
            found.append(f"  step {about}: {short_line(step)}")
        more = "" if step is not None else " --step N"
        for way in WAYS:
            is_plain = way is ESCALATE
            found.append(f"  {way.verb:<9} {way.about}")
            found.append(f'    edge adapt {number} {way.verb}{"" if is_plain else more} "…"')
    if found:
        found += [
            "",
            'and what is learned: --trigger "…" [--lesson "…"], --constraint "…", --risk "…"',
        ]
        found += ['Only wrong, nothing to change in the plan: edge mismatch resolve N "…"']
    return found[1:]


def as_data(state: State) -> list[dict[str, Any]]:
    """The same for a program."""
    return [
        {
            "number": number,
            "mismatch": mismatches.name_of(number, entry),
            "text": mismatches.text_of(entry),
            "step": _number_in(state, entry),
            "ways": [way.verb for way in WAYS],
        }
        for number, entry in mismatches.unresolved(state)
    ]


# -- the ways --------------------------------------------------------------------------------------


def _changed(state: State, number: int, way: Way, text: str) -> EditResult:
    if way is INSERT:
        return plan_edits.add_steps(state, [text], at=number, fields=None)
    if way is REVISE:
        parts = [plan_edits.edit_step(state, number, text)]
        status = entries(state, "plan")[number - 1].get("status")
        if status in ("blocked", "completed"):
            parts.append(plan_edits.reopen(state, number))
        return _together(parts, parts[0].data)
    parts = [plan_edits.remove_steps(state, [number], force=True)]
    parts.append(plan_edits.add_steps(state, [text], at=number, fields=None))
    return _together(parts, parts[1].data)


def _escalated(
    state: State, number: int, text: str, step: int | None, *, now: datetime
) -> EditResult:
    _, entry = mismatches.find(state, number)
    told = mismatches.text_of(entry)
    parts = [plan_notes.ask(state, [text], blocking=True, context=told, now=now)]
    about = step if step is not None else _number_in(state, entry)
    steps = entries(state, "plan")
    if about and 1 <= about <= len(steps) and steps[about - 1].get("status") != "completed":
        why = f"mismatch {mismatches.name_of(number, entry)}: {text.strip()}"
        parts.append(plan_edits.block(state, about, why, {}))
    return _together(parts, parts[0].data)


def _bounds(state: State, learned: Learned) -> list[EditResult]:
    parts = []
    if learned.constraint is not None:
        parts.append(plan_notes.add(state, plan_notes.CONSTRAINT, [learned.constraint]))
    if learned.risk is not None:
        parts.append(plan_notes.add(state, plan_notes.RISK, [learned.risk], status="active"))
    return parts


# -- small parts -----------------------------------------------------------------------------------


def _about(state: State, entry: Any, step: int | None) -> int:
    """The number of the step that is changed."""
    number = step if step is not None else _number_in(state, entry)
    if number is None:
        raise UsageError(
            "the mismatch belongs to no step, so there is none to change",
            hint='--step N, or: edge mismatch resolve N "what was done"',
        )
    plan_edits.step_at(state, number)
    return number


def _number_in(state: State, entry: Any) -> int | None:
    """The step that the mismatch names, where the plan still has one of that number."""
    said = entry.get("step") if isinstance(entry, dict) else None
    plan = state.get("plan")
    count = len(plan) if isinstance(plan, list) else 0
    is_there = type(said) is int and 1 <= said <= count
    return said if is_there else None


def _step_of(state: State, number: int) -> str | None:
    step = state["plan"][number - 1]
    return str(step.get("description") or "") if isinstance(step, dict) else str(step)


def _together(parts: list[EditResult], data: dict[str, Any]) -> EditResult:
    return EditResult(
        "\n".join(part.text for part in parts if part.text),
        {**data, "lesson": next((p.data["lesson"] for p in parts if "lesson" in p.data), None)},
        tuple(event for part in parts for event in part.events),
        tuple(remark for part in parts for remark in part.remarks),
    )
