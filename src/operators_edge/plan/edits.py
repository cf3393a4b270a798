"""Edits of objective, intent, next action, plan and steps.

Pure: an edit changes the state that is passed in, which is the caller's copy, and returns what to show and
to log; it raises UsageError if the arguments do not fit the state. Steps are identified by their numbers from
1, as they are shown. Does not own the lists next to the plan (``plan.notes``), the writing (``plan.service``)
or what follows from a changed plan (``plan.modes``, ``quality.checks``).
"""

from __future__ import annotations

from operators_edge.errors import UsageError
from operators_edge.evidence import progress
from operators_edge.state import schema
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.model import State

    Step = dict[str, Any]

MAX_TEXT = 10_000
"""Characters of one text: every session reads the whole state, so long output belongs in a file."""

SHORT_LINE = 160

ADD = 'edge plan add "write the parser"'
SHOW = "edge plan show"


class EditResult(NamedTuple):
    """What an edit did: text for a person, data for a program, events for the log, remarks."""

    text: str
    data: dict[str, Any]
    events: tuple[tuple[str, dict[str, Any]], ...] = ()
    remarks: tuple[str, ...] = ()


def checked_text(text: str, what: str, *, most: int = MAX_TEXT) -> str:
    """The text as it is stored; UsageError if it is not acceptable. ``what`` names it: "a step".

    White space around it is removed, and line ends become LF. Everything else is stored, even what a terminal
    would act on: the file has it escaped, and whatever shows it makes it harmless.
    """
    stored = text.replace("\r\n", "\n").strip()
    if not stored:
        raise UsageError(
            f"{what} needs text, and this one is empty",
            hint="put it in quotes after the command",
        )
    if len(stored) > most:
        raise UsageError(
            f"{what} has {len(stored):,} characters; the limit is {most:,}",
            hint="put it into a file and give its name",
        )
    if any("\ud800" <= sign <= "\udfff" for sign in stored):
        raise UsageError(f"{what} is not UTF-8 text", hint="write it in UTF-8")
    return stored


def short_line(text: object) -> str:
    """A text on one line of limited length."""
    return one_line(text, SHORT_LINE)


def numbered(texts: Iterable[object]) -> list[str]:
    """Each text on one line, with its number from 1."""
    return [f"  {number}. {short_line(each)}" for number, each in enumerate(texts, 1)]


def entries(state: State, key: str) -> list[Any]:
    """The list under a key, empty if there is none; UsageError if a person wrote something else there."""
    value = state.get(key)
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise UsageError(
        f"{key} in active_context.yaml is not a list, so nothing can be added or removed",
        hint=f"make it a list there, each entry on a line that begins with a dash; or {key}: []",
    )


# -- objective, intent, next action ----------------------------------------------------------------


def set_objective(state: State, text: str | None) -> EditResult:
    """Set the objective, or clear it with None."""
    kept = checked_text(text, "the objective") if text is not None else None
    before = state.get("objective")
    state["objective"] = kept
    remarks = []
    if before and kept != before and (steps := _steps(state)):
        remarks.append(f"the plan keeps its {many(len(steps), 'step')} from the previous objective")
    text_line = f"Objective: {short_line(kept)}" if kept else "There is no objective now."
    return EditResult(text_line, {"objective": kept}, remarks=tuple(remarks))


def set_intent(state: State, text: str | None, *, success: str | None = None) -> EditResult:
    """Record what the person wants, and what success looks like; None for both clears it."""
    if text is None and success is None:
        state.pop("intent", None)
        return EditResult(
            "There is no intent now.", {"intent": None}, (("intent", {"intent": None}),)
        )
    before = state.get("intent")
    intent = dict(before) if isinstance(before, dict) else {}
    if isinstance(before, str) and before.strip():
        intent["user_wants"] = before
    if text is not None:
        intent["user_wants"] = checked_text(text, "the intent")
    if success is not None:
        intent["success_looks_like"] = checked_text(success, "what success looks like")
    state["intent"] = intent
    text_line = f"Intent: {short_line(intent.get('user_wants', ''))}"
    if intent.get("success_looks_like"):
        text_line += f"\nSuccess: {short_line(intent['success_looks_like'])}"
    return EditResult(text_line, {"intent": intent}, (("intent", {"intent": intent}),))


def set_next(state: State, text: str | None) -> EditResult:
    """Set the next action, or clear it with None."""
    kept = checked_text(text, "the next action") if text is not None else None
    state["next_action"] = kept
    text_line = f"Next: {short_line(kept)}" if kept else "There is no next action now."
    return EditResult(text_line, {"next_action": kept}, (("next", {"next_action": kept}),))


# -- the plan --------------------------------------------------------------------------------------

FIELDS = {
    "expected": "what is expected",
    "verification": "the verification",
    "is_verification": "",
}
"""A step's fields besides its description, and how a message names each."""


def add_steps(
    state: State, texts: Sequence[str], *, at: int | None = None, fields: Mapping[str, Any] | None
) -> EditResult:
    """Add pending steps at the end, or before step ``at``; ``fields`` is for one step alone."""
    if not texts:
        raise UsageError("a step needs a description", hint=ADD)
    kept = [checked_text(each, "a step") for each in texts]
    given = _fields(fields or {})
    if given and len(kept) > 1:
        raise UsageError(
            f"{', '.join(map(_option, given))} belongs to one step, and these are {len(kept)}",
            hint="add that step alone",
        )
    steps = _steps(state)
    first = len(steps) + 1 if at is None else at
    if not 1 <= first <= len(steps) + 1:
        raise _not_a_position(first, len(steps) + 1)
    new = [{"description": text, "status": "pending", **given} for text in kept]
    with_them = [*steps[: first - 1], *new, *steps[first - 1 :]]
    _replace(state, with_them)
    numbers = list(range(first, first + len(new)))
    lines = [f"Step {n}: {short_line(text)}" for n, text in zip(numbers, kept, strict=True)]
    return EditResult("\n".join(lines), {"step": numbers[0], "steps": numbers})


def add_missing(state: State, texts: Sequence[str]) -> EditResult:
    """Add at the end the steps that the plan does not have yet."""
    planned = {str(each.get("description")) for each in schema.maps(state.get("plan"))}
    new = [each for each in texts if each not in planned]
    if not new:
        return EditResult("The plan says all of it already.", {"steps": []})
    return add_steps(state, new, fields=None)


def edit_step(
    state: State, number: int, text: str | None, *, fields: Mapping[str, Any] | None = None
) -> EditResult:
    """Change fields of a step. An empty text removes the field; other fields are unchanged."""
    step = step_at(state, number)
    changes: dict[str, Any] = _fields(fields or {}, may_clear=True)
    if text is not None:
        changes["description"] = checked_text(text, "a step")
    if not changes:
        raise UsageError(
            f"no change of step {number} was given",
            hint=f'edge plan edit {number} "the new text" --expected "what it should do"',
        )
    remarks = []
    if text is not None and step.get("status") == "completed":
        remarks.append(f"step {number} is completed: its proof now counts for the new text")
    for name, value in changes.items():
        if value is None:
            step.pop(name, None)
        else:
            step[name] = value
    text_line = f"Step {number}: {short_line(step.get('description', ''))}"
    return EditResult(
        text_line, {"step": number, "changed": sorted(changes)}, remarks=tuple(remarks)
    )


def move_step(state: State, number: int, to: int) -> EditResult:
    """Move a step so that its number becomes ``to``."""
    step = step_at(state, number)
    steps = _steps(state)
    if not 1 <= to <= len(steps):
        raise _not_a_position(to, len(steps))
    rest = [*steps[: number - 1], *steps[number:]]
    _replace(state, [*rest[: to - 1], step, *rest[to - 1 :]])
    text_line = f"Step {number} is step {to} now: {short_line(step.get('description', ''))}"
    return EditResult(text_line, {"step": to, "before": number})


def remove_steps(state: State, numbers: Sequence[int], *, force: bool = False) -> EditResult:
    """Remove steps, identified by the numbers they had before."""
    gone = {number: step_at(state, number) for number in numbers}
    for number, step in gone.items():
        if step.get("status") == "completed" and not force:
            raise UsageError(
                f"step {number} is completed, and its proof would leave the plan with it",
                hint=f"edge plan rm {number} --force",
            )
    kept = [each for n, each in enumerate(_steps(state), 1) if n not in gone]
    _replace(state, kept)
    lines = [
        f"Removed step {n}: {short_line(each.get('description', ''))}" for n, each in gone.items()
    ]
    return EditResult("\n".join(lines), {"removed": list(gone), "steps": len(kept)})


MARKS = {"completed": "x", "in_progress": ">", "blocked": "!", "pending": " "}

_DETAILS = ("blocked_by", "expected", "verification", "proof", "actual", "delta", "source")


def lines(state: State) -> list[str]:
    """Every step with its number and all its fields."""
    lines_of_steps = []
    for number, step in _numbered(state):
        mark = MARKS.get(str(step.get("status") or "pending"), "?")
        verifies = " (verification)" if step.get("is_verification") is True else ""
        lines_of_steps.append(
            f"[{mark}] {number}. {short_line(step.get('description') or '')}{verifies}"
        )
        lines_of_steps += [
            f"      {name.replace('_', ' ')}: {short_line(step[name])}"
            for name in _DETAILS
            if step.get(name) not in (None, "")
        ]
    return lines_of_steps


# -- progress --------------------------------------------------------------------------------------

NOTES = {"proof": "the proof", "actual": "what happened", "delta": "the difference"}
"""What can be recorded about a step's outcome, and how a message names each."""


def start(state: State, number: int | None) -> EditResult:
    """Start a step; without a number, the current one."""
    number, step = _chosen(state, number)
    others = [
        n for n, each in _numbered(state) if each.get("status") == "in_progress" and n != number
    ]
    remarks = [f"step {n} is still in progress" for n in others]
    if step.get("status") == "completed":
        remarks.append(f"step {number} was completed; it is open again, with its proof")
    step["status"] = "in_progress"
    step.pop("blocked_by", None)
    state["current_step"] = number
    return _step_result(state, number, {}, remarks)


def finish(state: State, number: int | None, notes: Mapping[str, str | None]) -> EditResult:
    """Complete a step; without a number, the current one."""
    number, step = _chosen(state, number)
    is_again = step.get("status") == "completed"
    remarks = [f"step {number} was completed already"] if is_again else []
    given = _store_notes(step, notes)
    step["status"] = "completed"
    step.pop("blocked_by", None)
    _advance(state, number)
    return _step_result(state, number, given, remarks, is_again=is_again)


def block(
    state: State, number: int | None, why: str | None, notes: Mapping[str, str | None]
) -> EditResult:
    """Mark a step as blocked, because of ``why``."""
    number, step = _chosen(state, number)
    reason = checked_text(why, "the reason") if why is not None else None
    given = _store_notes(step, notes)
    remarks = []
    if step.get("status") == "completed":
        remarks.append(f"step {number} was completed; it is open again, with its proof")
    step["status"] = "blocked"
    if reason is not None:
        step["blocked_by"] = reason
        given["why"] = reason
    _advance(state, number)
    return _step_result(state, number, given, remarks)


def reopen(state: State, number: int) -> EditResult:
    """Set a step back to pending; its proof is kept until a new one replaces it."""
    step = step_at(state, number)
    step["status"] = "pending"
    step.pop("blocked_by", None)
    return _step_result(state, number, {})


def prove(state: State, number: int, notes: Mapping[str, str | None]) -> EditResult:
    """Record the proof of a step, without changing its status."""
    step = step_at(state, number)
    given = _store_notes(step, notes)
    remarks = []
    if step.get("status") != "completed":
        remarks.append(f"step {number} is not completed: edge step done {number}")
    text_line = f"Step {number} has its proof: {short_line(given['proof'])}"
    return _step_result(state, number, given, remarks, is_again=True)._replace(text=text_line)


def _store_notes(step: Step, notes: Mapping[str, str | None]) -> dict[str, Any]:
    """Store the notes in the step; all texts are checked first."""
    given = {
        name: checked_text(text, NOTES[name]) for name, text in notes.items() if text is not None
    }
    step.update(given)
    return dict(given)


def _step_result(
    state: State,
    number: int,
    given: Mapping[str, Any],
    remarks: Sequence[str] = (),
    *,
    is_again: bool = False,
) -> EditResult:
    """The result of an edit of one step: its number, its key in the log, its status and its notes.

    ``is_again``: the status did not change. The log records that, or each proof would count as a completion.
    """
    steps = _steps(state)
    text = steps[number - 1].get("description", "")
    key = progress.keys_of(each.get("description") for each in steps)[number - 1]
    status = steps[number - 1].get("status", "pending")
    again = {"again": True} if is_again else {}
    entry = ("step", {"step": number, "key": key, "to": status, **given, **again})
    text_line = f"Step {number} is {status}: {short_line(text)}"
    data = {"step": number, "key": key, "status": status, **given}
    return EditResult(text_line, data, (entry,), tuple(remarks))


def _advance(state: State, number: int) -> None:
    """Move the current step, if it was this one, to the next step that can be worked on."""
    if schema.current_step(state) not in (number, 0, len(_steps(state)) + 1):
        return
    open_ones = {n: each.get("status") for n, each in _numbered(state) if n != number}
    in_turn = sorted(open_ones, key=lambda n: (n < number, n))
    for wanted in (("in_progress",), ("pending", None)):
        for n in in_turn:
            if open_ones[n] in wanted:
                state["current_step"] = n
                return
    state["current_step"] = None


# -- small parts -----------------------------------------------------------------------------------


def _steps(state: State) -> list[Step]:
    return entries(state, "plan")


def _numbered(state: State) -> list[tuple[int, Step]]:
    return list(enumerate(_steps(state), 1))


def step_at(state: State, number: int) -> Step:
    """The step with that number, from 1; UsageError if there is none."""
    steps = _steps(state)
    if 1 <= number <= len(steps):
        return steps[number - 1]
    if not steps:
        raise UsageError(f"there is no step {number}: the plan is empty", hint=ADD)
    raise UsageError(
        f"there is no step {number}: the plan has {many(len(steps), 'step')}, counted from 1",
        hint=SHOW,
    )


def _chosen(state: State, number: int | None) -> tuple[int, Step]:
    """The step with that number, or the current one."""
    if number is not None:
        return number, step_at(state, number)
    current = schema.current_step(state)
    if current > len(_steps(state)):
        raise UsageError("every step is completed", hint=ADD)
    if current == 0:
        raise UsageError("the plan is empty", hint=ADD)
    return current, step_at(state, current)


def _replace(state: State, steps: list[Step]) -> None:
    """Store the plan in a new order; the current step remains the same step."""
    before, at = _steps(state), schema.current_step(state)
    here = before[at - 1] if 1 <= at <= len(before) else None
    state["plan"] = steps
    numbers = [n for n, each in enumerate(steps, 1) if each is here]
    state["current_step"] = numbers[0] if numbers else None


def _not_a_position(number: int, last: int) -> UsageError:
    return UsageError(f"{number} is not a position in the plan: it can be 1 to {last}", hint=SHOW)


def _fields(fields: Mapping[str, Any], *, may_clear: bool = False) -> dict[str, Any]:
    """The given fields as they are stored; None for a field to remove."""
    kept: dict[str, Any] = {}
    for name, value in fields.items():
        if value is None:
            continue
        if name == "is_verification":
            kept[name] = bool(value)
        elif may_clear and not value.strip():
            kept[name] = None
        else:
            kept[name] = checked_text(value, FIELDS[name])
    return kept


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


# end of module
