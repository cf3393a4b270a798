"""Adapting the plan to a mismatch: revise the step, insert or replace one, or ask the person.

Pure. Owns the edit that changes the plan and resolves the mismatch by that. Does not own mismatches
(``memory.mismatches``), the plan's edits (``plan.edits``) or questions, constraints and risks
(``plan.notes``).
"""

from __future__ import annotations

from operators_edge.errors import UsageError
from operators_edge.memory import mismatches
from operators_edge.plan import edits as plan_edits, notes as plan_notes
from operators_edge.plan.edits import EditResult, entries, short_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from operators_edge.model import State


class Adaptation(NamedTuple):
    """One way to adapt the plan: its verb, what it does, and the resolution it leads to, if any."""

    verb: str
    about: str
    resolution: str = ""


REVISE = Adaptation("revise", "change the text of the step", "the step was revised")
INSERT = Adaptation("insert", "add a step before it", "a step comes first")
REPLACE = Adaptation("replace", "put another step in its place", "replaced")
ESCALATE = Adaptation("escalate", "ask the person: a blocking question")
ADAPTATIONS = (REVISE, INSERT, REPLACE, ESCALATE)


class Learned(NamedTuple):
    """What is kept from a mismatch: a constraint or risk for the rest of the work, and a lesson."""

    constraint: str | None = None
    risk: str | None = None
    trigger: str | None = None
    lesson: str | None = None


NOTHING_LEARNED = Learned()


def adapt(
    state: State,
    name: str | int,
    way: Adaptation,
    text: str,
    *,
    now: datetime,
    step: int | None = None,
    learned: Learned = NOTHING_LEARNED,
) -> EditResult:
    """Change the plan because of an open mismatch, and resolve the mismatch.

    ``step`` is the step to change if the mismatch names none, or one that has moved. An escalated mismatch
    stays open until the person answers.
    """
    number, entry = mismatches.find(state, name)
    if not mismatches.is_open(entry):
        raise UsageError(f"mismatch {number} is already resolved", hint=mismatches.LIST)
    if way is ESCALATE and (learned.trigger is not None or learned.lesson is not None):
        raise UsageError(
            "an escalated mismatch stays open, and its lesson comes with the answer",
            hint=f'later: edge mismatch resolve {number} "…" --trigger "…" --lesson "…"',
        )
    if way is ESCALATE:
        remark = f"mismatch {number} stays open until the question is answered"
        parts = [
            _escalate(state, number, text, step, now=now),
            *_add_limits(state, learned),
            EditResult("", {}, (), (remark,)),
        ]
    else:
        parts = [
            _change_plan(state, _target_step(state, entry, step), way, text),
            *_add_limits(state, learned),
        ]
        resolution = f"{way.resolution}: {text.strip()}"
        parts.append(
            mismatches.resolve(
                state, number, resolution, now=now, trigger=learned.trigger, lesson=learned.lesson
            )
        )
    return _combined(parts, {"mismatch": mismatches.name_of(number, entry), "way": way.verb})


def open_lines(state: State) -> list[str]:
    """Each open mismatch with the commands that adapt the plan to it."""
    lines: list[str] = []
    for number, entry in mismatches.unresolved(state):
        about = _named_step(state, entry)
        step = _step_of(state, about) if about else None
        lines += ["", f"Mismatch {number}: {short_line(mismatches.text_of(entry))}"]
        if step is not None:
            lines.append(f"  step {about}: {short_line(step)}")
        step_option = "" if step is not None else " --step N"
        for way in ADAPTATIONS:
            is_escalation = way is ESCALATE
            lines.append(f"  {way.verb:<9} {way.about}")
            lines.append(
                f'    edge adapt {number} {way.verb}{"" if is_escalation else step_option} "…"'
            )
    if lines:
        lines += [
            "",
            'to keep what was learned: --trigger "…" [--lesson "…"], --constraint "…", --risk "…"',
        ]
        lines += ['If nothing in the plan has to change: edge mismatch resolve N "…"']
    return lines[1:]


def as_data(state: State) -> list[dict[str, Any]]:
    """The same for a program."""
    return [
        {
            "number": number,
            "mismatch": mismatches.name_of(number, entry),
            "text": mismatches.text_of(entry),
            "step": _named_step(state, entry),
            "ways": [way.verb for way in ADAPTATIONS],
        }
        for number, entry in mismatches.unresolved(state)
    ]


# -- the adaptations -------------------------------------------------------------------------------


def _change_plan(state: State, number: int, way: Adaptation, text: str) -> EditResult:
    if way is INSERT:
        return plan_edits.add_steps(state, [text], at=number, fields=None)
    if way is REVISE:
        parts = [plan_edits.edit_step(state, number, text)]
        status = entries(state, "plan")[number - 1].get("status")
        if status in ("blocked", "completed"):
            parts.append(plan_edits.reopen(state, number))
        return _combined(parts, parts[0].data)
    parts = [plan_edits.remove_steps(state, [number], force=True)]
    parts.append(plan_edits.add_steps(state, [text], at=number, fields=None))
    return _combined(parts, parts[1].data)


def _escalate(
    state: State, number: int, text: str, step: int | None, *, now: datetime
) -> EditResult:
    _, entry = mismatches.find(state, number)
    context = mismatches.text_of(entry)
    parts = [plan_notes.ask(state, [text], blocking=True, context=context, now=now)]
    target = step if step is not None else _named_step(state, entry)
    steps = entries(state, "plan")
    if target and 1 <= target <= len(steps) and steps[target - 1].get("status") != "completed":
        why = f"mismatch {mismatches.name_of(number, entry)}: {text.strip()}"
        parts.append(plan_edits.block(state, target, why, {}))
    return _combined(parts, parts[0].data)


def _add_limits(state: State, learned: Learned) -> list[EditResult]:
    parts = []
    if learned.constraint is not None:
        parts.append(plan_notes.add(state, plan_notes.CONSTRAINT, [learned.constraint]))
    if learned.risk is not None:
        parts.append(plan_notes.add(state, plan_notes.RISK, [learned.risk], status="active"))
    return parts


# -- small parts -----------------------------------------------------------------------------------


def _target_step(state: State, entry: Any, step: int | None) -> int:
    """The number of the step to change."""
    number = step if step is not None else _named_step(state, entry)
    if number is None:
        raise UsageError(
            "the mismatch belongs to no step, so there is no step to change",
            hint='--step N, or: edge mismatch resolve N "what was done"',
        )
    plan_edits.step_at(state, number)
    return number


def _named_step(state: State, entry: Any) -> int | None:
    """The step that the mismatch names, if the plan has a step with that number."""
    number = entry.get("step") if isinstance(entry, dict) else None
    plan = state.get("plan")
    count = len(plan) if isinstance(plan, list) else 0
    exists = type(number) is int and 1 <= number <= count
    return number if exists else None


def _step_of(state: State, number: int) -> str | None:
    step = state["plan"][number - 1]
    return str(step.get("description") or "") if isinstance(step, dict) else str(step)


def _combined(parts: list[EditResult], data: dict[str, Any]) -> EditResult:
    return EditResult(
        "\n".join(part.text for part in parts if part.text),
        {**data, "lesson": next((p.data["lesson"] for p in parts if "lesson" in p.data), None)},
        tuple(event for part in parts for event in part.events),
        tuple(remark for part in parts for remark in part.remarks),
    )


# end of module
