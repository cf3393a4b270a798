"""Edits of what is wanted: objective, intent, next action, plan and steps.

Pure: an edit changes the state it is given, which is the caller's copy, and returns what is to be told and
logged; it raises UsageError where the words do not fit the state. Steps are named by their numbers from 1,
as they are shown. Does not own the lists beside the plan (``plan.notes``), the writing (``plan.service``)
or what follows from a changed plan (``plan.modes``, ``quality.checks``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import UsageError
from operators_edge.evidence import progress
from operators_edge.state import schema
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.model import State

MAX_TEXT = 10_000
"""Characters of one text: the state is read in full by every session, and a log belongs into a file."""

SHOWN = 160

ADD = 'edge plan add "write the parser"'
SHOW = "edge plan show"

Step = dict[str, Any]


class EditResult(NamedTuple):
    """What an edit did: words for a person, data for a program, entries for the log, remarks."""

    text: str
    data: dict[str, Any]
    events: tuple[tuple[str, dict[str, Any]], ...] = ()
    remarks: tuple[str, ...] = ()


def checked_text(text: str, what: str) -> str:
    """The text as it is kept; UsageError where it is none. ``what`` names it: "a step".

    White space around it goes, and the other kind of line end. All else is kept, also what a terminal would
    act on: the file holds it escaped, and whatever shows it makes it harmless.
    """
    kept = text.replace("\r\n", "\n").strip()
    if not kept:
        raise UsageError(
            f"{what} needs a text, and this one is empty",
            hint="put it in quotes behind the command",
        )
    if len(kept) > MAX_TEXT:
        raise UsageError(
            f"{what} has {len(kept):,} characters, and {MAX_TEXT:,} is the most",
            hint="put it into a file and name that",
        )
    if any("\ud800" <= sign <= "\udfff" for sign in kept):
        raise UsageError(f"{what} is not UTF-8 text", hint="write it in UTF-8")
    return kept


def short_line(text: object) -> str:
    """A text on one line of an answer."""
    return one_line(text, SHOWN)


def entries(state: State, key: str) -> list[Any]:
    """The list under a key, empty where there is none; a text or map of somebody's is left to them."""
    value = state.get(key)
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise UsageError(
        f"{key} in active_context.yaml is no list, so nothing can be added to it or taken out",
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
        remarks.append(f"the plan keeps its {many(len(steps), 'step')} of the objective before")
    said = f"Objective: {short_line(kept)}" if kept else "There is no objective now."
    return EditResult(said, {"objective": kept}, remarks=tuple(remarks))


def set_intent(state: State, text: str | None, *, success: str | None = None) -> EditResult:
    """Record what the person wants, and how they will know it; None for both clears it."""
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
    said = f"Intent: {short_line(intent.get('user_wants', ''))}"
    if intent.get("success_looks_like"):
        said += f"\nSuccess: {short_line(intent['success_looks_like'])}"
    return EditResult(said, {"intent": intent}, (("intent", {"intent": intent}),))


def set_next(state: State, text: str | None) -> EditResult:
    """Say what is to be done next, or with None that nothing is said."""
    kept = checked_text(text, "the next action") if text is not None else None
    state["next_action"] = kept
    said = f"Next: {short_line(kept)}" if kept else "There is no next action now."
    return EditResult(said, {"next_action": kept}, (("next", {"next_action": kept}),))


# -- the plan --------------------------------------------------------------------------------------

FIELDS = {
    "expected": "what is expected",
    "verification": "the verification",
    "is_verification": "",
}
"""What a step may say beside its description, and the words for it."""


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
        raise _no_place(first, len(steps) + 1)
    new = [{"description": text, "status": "pending", **given} for text in kept]
    with_them = [*steps[: first - 1], *new, *steps[first - 1 :]]
    _replace(state, with_them)
    numbers = list(range(first, first + len(new)))
    lines = [f"Step {n}: {short_line(text)}" for n, text in zip(numbers, kept, strict=True)]
    return EditResult("\n".join(lines), {"step": numbers[0], "steps": numbers})


def edit_step(
    state: State, number: int, text: str | None, *, fields: Mapping[str, Any] | None = None
) -> EditResult:
    """Change what a step says. An empty field is taken away; what is not named stays."""
    step = _step(state, number)
    changes: dict[str, Any] = _fields(fields or {}, may_clear=True)
    if text is not None:
        changes["description"] = checked_text(text, "a step")
    if not changes:
        raise UsageError(
            f"nothing was said that step {number} should become",
            hint=f'edge plan edit {number} "the new text" --expected "what it should do"',
        )
    remarks = []
    if text is not None and step.get("status") == "completed":
        remarks.append(f"step {number} is completed: its proof now stands for the new text")
    for name, value in changes.items():
        if value is None:
            step.pop(name, None)
        else:
            step[name] = value
    said = f"Step {number}: {short_line(step.get('description', ''))}"
    return EditResult(said, {"step": number, "changed": sorted(changes)}, remarks=tuple(remarks))


def move_step(state: State, number: int, to: int) -> EditResult:
    """Put a step where it then has the number ``to``."""
    step = _step(state, number)
    steps = _steps(state)
    if not 1 <= to <= len(steps):
        raise _no_place(to, len(steps))
    rest = [*steps[: number - 1], *steps[number:]]
    _replace(state, [*rest[: to - 1], step, *rest[to - 1 :]])
    said = f"Step {number} is step {to} now: {short_line(step.get('description', ''))}"
    return EditResult(said, {"step": to, "before": number})


def remove_steps(state: State, numbers: Sequence[int], *, force: bool = False) -> EditResult:
    """Take steps out, all named by the numbers they have before."""
    gone = {number: _step(state, number) for number in numbers}
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
    """Every step with all it says, and the number it is named by."""
    found = []
    for number, step in _numbered(state):
        mark = MARKS.get(str(step.get("status") or "pending"), "?")
        verifies = " (verification)" if step.get("is_verification") is True else ""
        found.append(f"[{mark}] {number}. {short_line(step.get('description') or '')}{verifies}")
        found += [
            f"      {name.replace('_', ' ')}: {short_line(step[name])}"
            for name in _DETAILS
            if step.get(name) not in (None, "")
        ]
    return found


# -- how far it is ---------------------------------------------------------------------------------

NOTES = {"proof": "the proof", "actual": "what happened", "delta": "the difference"}
"""What can be said about how a step went, and the words for it."""


def start(state: State, number: int | None) -> EditResult:
    """Begin a step; without a number the one that is next."""
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
    return _moved(state, number, {}, remarks)


def finish(state: State, number: int | None, notes: Mapping[str, str | None]) -> EditResult:
    """A step is done; without a number the current one."""
    number, step = _chosen(state, number)
    is_again = step.get("status") == "completed"
    remarks = [f"step {number} was completed already"] if is_again else []
    given = _noted(step, notes)
    step["status"] = "completed"
    step.pop("blocked_by", None)
    _go_on(state, number)
    return _moved(state, number, given, remarks, is_again=is_again)


def block(
    state: State, number: int | None, why: str | None, notes: Mapping[str, str | None]
) -> EditResult:
    """A step cannot go on, because of ``why``."""
    number, step = _chosen(state, number)
    reason = checked_text(why, "the reason") if why is not None else None
    given = _noted(step, notes)
    remarks = []
    if step.get("status") == "completed":
        remarks.append(f"step {number} was completed; it is open again, with its proof")
    step["status"] = "blocked"
    if reason is not None:
        step["blocked_by"] = reason
        given["why"] = reason
    _go_on(state, number)
    return _moved(state, number, given, remarks)


def reopen(state: State, number: int) -> EditResult:
    """Put a step back to pending; its proof stays beside it until a new one takes its place."""
    step = _step(state, number)
    step["status"] = "pending"
    step.pop("blocked_by", None)
    return _moved(state, number, {})


def prove(state: State, number: int, notes: Mapping[str, str | None]) -> EditResult:
    """Say what shows that a step is done, without changing how far it is."""
    step = _step(state, number)
    given = _noted(step, notes)
    remarks = []
    if step.get("status") != "completed":
        remarks.append(f"step {number} is not completed: edge step done {number}")
    said = f"Step {number} has its proof: {short_line(given['proof'])}"
    return _moved(state, number, given, remarks, is_again=True)._replace(text=said)


def _noted(step: Step, notes: Mapping[str, str | None]) -> dict[str, Any]:
    """What was said about a step, put into it; every text is looked at first."""
    given = {
        name: checked_text(text, NOTES[name]) for name, text in notes.items() if text is not None
    }
    step.update(given)
    return dict(given)


def _moved(
    state: State,
    number: int,
    given: Mapping[str, Any],
    remarks: Sequence[str] = (),
    *,
    is_again: bool = False,
) -> EditResult:
    """What is said of a step: its number, its key in the log, its status and what came with it.

    ``is_again``: it has the status that it had; the log says so, or each proof would count as a completion.
    """
    steps = _steps(state)
    text = steps[number - 1].get("description", "")
    key = progress.keys_of(each.get("description") for each in steps)[number - 1]
    status = steps[number - 1].get("status", "pending")
    again = {"again": True} if is_again else {}
    entry = ("step", {"step": number, "key": key, "to": status, **given, **again})
    said = f"Step {number} is {status}: {short_line(text)}"
    data = {"step": number, "key": key, "status": status, **given}
    return EditResult(said, data, (entry,), tuple(remarks))


def _go_on(state: State, number: int) -> None:
    """After a step has come to rest: the pointer goes to what can be worked on, where it stood on it."""
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


def _step(state: State, number: int) -> Step:
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
    """The step of that number, or the current one."""
    if number is not None:
        return number, _step(state, number)
    current = schema.current_step(state)
    if current > len(_steps(state)):
        raise UsageError("every step is completed", hint=ADD)
    if current == 0:
        raise UsageError("the plan is empty", hint=ADD)
    return current, _step(state, current)


def _replace(state: State, steps: list[Step]) -> None:
    """Store the plan in a new order; the pointer stays on the step it was on."""
    before, at = _steps(state), schema.current_step(state)
    here = before[at - 1] if 1 <= at <= len(before) else None
    state["plan"] = steps
    found = [n for n, each in enumerate(steps, 1) if each is here]
    state["current_step"] = found[0] if found else None


def _no_place(number: int, last: int) -> UsageError:
    return UsageError(f"{number} is no place in the plan: it can be 1 to {last}", hint=SHOW)


def _fields(fields: Mapping[str, Any], *, may_clear: bool = False) -> dict[str, Any]:
    """The fields that were given, as they are kept; None stands for one to take away."""
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
