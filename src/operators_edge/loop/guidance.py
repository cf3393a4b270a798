"""What fits next in each mode: for the agent that is handed the work, and for the person who types ``edge``.

Pure: a cycle (``engine.Cycle.as_data``) or a state in, a short text out. Owns the agent's text, and what a
person reads in the modes plan, review and done. How a cycle reads beside it is ``cli.commands.run``'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.plan import notes as plan_notes
from operators_edge.plan.edits import MARKS
from operators_edge.state import schema
from operators_edge.text.wording import WIDTH, fitted, many, one_line, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.evidence.claims.model import Claim
    from operators_edge.model import State

LIMIT = 300
"""Characters of one line that somebody else wrote."""

SHOWN = 5
"""Entries of one list that are told; the others are counted."""

_MODES = {
    "plan": (
        "Mode plan: read what is needed, change no file. Write the plan with",
        '`edge plan add "STEP" --expected "…"`; what you cannot know: `edge question TEXT`.',
        "Then show the plan and stop: the person starts the work with /edge active.",
    ),
    "review": (
        "Mode review: verify each completed step against what it expected. Run the checks,",
        "`edge verify`, and say what failed with `edge mismatch TEXT`. The person ends it: /edge done.",
    ),
    "done": ("Mode done: nothing is left to do. Say so in one sentence.",),
}


def for_agent(seen: Mapping[str, Any], *, objective: object = None) -> str:
    """What to do, what it must come to, and what holds while doing it."""
    told = [f"Objective: {one_line(objective, LIMIT)}"] if objective else ["No objective yet."]
    if seen.get("junction"):
        pending = seen["junction"]
        what = one_line(pending.get("shown") or pending.get("reason") or pending["type"], LIMIT)
        return "\n".join(
            [*told, f"A decision waits for the person: {what}", "Stop and say so: /edge status"]
        )
    if seen.get("stuck"):
        return "\n".join([*told, "The loop is stuck. Say what is in the way; change the plan."])
    told += _MODES.get(str(seen.get("mode")), ())
    step = seen.get("step")
    if isinstance(step, dict):
        told += of_step(step)
    elif seen.get("mode") == "active":
        told.append(
            "No step is open. If the work is not done, plan what is missing: `edge plan add`."
        )
    return "\n".join(told)


def of_step(step: Mapping[str, Any]) -> list[str]:
    """A step as an agent needs it: what to do, what holds, how to say that it is done."""
    number = step["number"]
    told = [f"Step {number}: {one_line(step['description'], 2 * LIMIT)}"]
    told += [
        f"  {label}: {one_line(step[label], LIMIT)}"
        for label in ("expected", "verification")
        if step.get(label)
    ]
    told += beside(step)
    return [
        *told,
        f'Do this step alone. Then: edge step done {number} --proof "…". If it came out other than',
        "expected: `edge mismatch TEXT`, then `edge adapt`. If it cannot be done:",
        f"`edge step block {number} --why TEXT`. Where a person has to choose:",
        "`edge ask TEXT --option A --option B`.",
    ]


def beside(step: Mapping[str, Any]) -> list[str]:
    """What holds for a step and what is known beside it: the first few of each kind, the rest is counted."""
    constraints, lessons = step.get("constraints") or (), step.get("lessons") or ()
    open_ones = step.get("mismatches") or ()
    told: list[str] = []
    for noun, listed in (
        ("constraint", [f"constraint: {each}" for each in constraints]),
        ("lesson", [f"lesson {each['number']}: {each['lesson']}" for each in lessons]),
        ("mismatch", [f"open mismatch {each['number']}: {each['text']}" for each in open_ones]),
    ):
        told += [f"  {one_line(each, LIMIT)}" for each in listed[:SHOWN]]
        if len(listed) > SHOWN:
            told.append(f"  and {many(len(listed) - SHOWN, noun)} more: edge {noun} list")
    return told


# -- for a person ----------------------------------------------------------------------------------

_LABEL = 11


def for_person(
    mode: str,
    state: State,
    *,
    claims: Sequence[Claim] = (),
    is_asked: bool = False,
    is_typed: bool = False,
) -> list[str]:
    """What there is to look at in this mode, and the commands that fit; each line fits a terminal.

    In active the cycle itself says all but what it is for. ``is_asked``: a decision pends, so no other
    command is named. ``is_typed``: they are typed at a client.
    """
    parts = {"plan": _planning, "review": lambda state: _review(state, claims), "done": _done}
    if mode not in parts:
        return _objective(state)
    return [*parts[mode](state), *([] if is_asked else _next(mode, state, is_typed=is_typed))]


def on_entering(mode: str, state: State, *, is_typed: bool = False) -> list[str]:
    """What a person who sets a mode reads: where the work stands, and the commands that fit."""
    stands = _done(state) if mode == "done" else _planning(state)
    return [*stands, *_next(mode, state, is_typed=is_typed)]


def _next(mode: str, state: State, *, is_typed: bool) -> list[str]:
    sign = "/" if is_typed else ""
    return _rows("Next", [f"{sign + what:<24} {why}" for what, why in _HINTS[mode](state)])


def standing(state: State) -> list[str]:
    """What it is all for, and how far the plan is."""
    return [*_objective(state), *_rows("Plan", [_counted(state)])]


def _planning(state: State) -> list[str]:
    return [*standing(state), *_rows("Blocking", _blocking(state))]


def _blocking(state: State) -> list[str]:
    """The open questions that hold the work up, each with the number it is answered by."""
    return [
        f"{each.number}. {each.text}"
        for each in plan_notes.open_questions(state)
        if each.is_blocking
    ]


def _review(state: State, claims: Sequence[Claim]) -> list[str]:
    verdicts = {each.step: each.verdict for each in claims}
    steps = [
        f"[{MARKS.get(str(step.get('status') or 'pending'), '?')}] "
        f"{verdicts.get(number, 'open' if step.get('status') != 'completed' else ''):<12} "
        f"{number}. {step.get('description') or ''}"
        for number, step in _steps(state)
    ]
    return [*standing(state), *_rows("Checklist", steps)]


def _done(state: State) -> list[str]:
    if not state.get("objective") and not state.get("plan"):
        return _rows("Archive", ["nothing waits to be archived"])
    completed = sum(step.get("status") == "completed" for _, step in _steps(state))
    left = len(_steps(state)) - completed
    what = f"the objective and {many(completed, 'completed step')}"
    more = f"; {many(left, 'step')} not done {'is' if left == 1 else 'are'} kept with it"
    when = "when the agent's turn or session ends"
    return [*_objective(state), *_rows("Archive", [what + (more if left else ""), when])]


def _to_plan(state: State) -> list[tuple[str, str]]:
    named = [] if state.get("objective") else [("edge objective TEXT", "what it is all for")]
    answers = [("edge question", "the questions")] if _blocking(state) else []
    planned = bool(state.get("plan")) and bool(state.get("objective"))
    starts = [("edge active", "start the work")] if planned else []
    return [*named, *answers, ("edge plan add TEXT", "a step; several in quotes"), *starts][:3]


def _to_work(state: State) -> list[tuple[str, str]]:
    planned = [] if state.get("plan") else [("edge plan add TEXT", "there is no plan yet")]
    return [*planned, ("edge", "the next step")]


_HINTS: dict[str, Any] = {
    "plan": _to_plan,
    "active": _to_work,
    "review": lambda _: [
        ("edge verify", "what holds, what does not"),
        ("edge review prompt", "the open changes, for a reviewer"),
        ("edge done", "end it; asks the quality gate"),
    ],
    "done": lambda _: [
        ("edge score", "how well it was carried"),
        ("edge prune", "take out what is finished or decayed"),
        ("edge objective TEXT", "a new one, once this is archived"),
    ],
}


def _objective(state: State) -> list[str]:
    return _rows("Objective", [state.get("objective") or "none yet"])


def _counted(state: State) -> str:
    """How many steps there are, and how they stand."""
    counts: dict[str, int] = {}
    for _, step in _steps(state):
        status = str(step.get("status") or "pending").replace("_", " ")
        counts[status] = counts.get(status, 0) + 1
    if not counts:
        return "no step yet"
    total = many(sum(counts.values()), "step")
    return f"{total}: {', '.join(f'{count} {status}' for status, count in counts.items())}"


def _steps(state: State) -> list[tuple[int, dict[str, Any]]]:
    plan = state.get("plan")
    entries = plan if isinstance(plan, list) else []
    return [(number, schema.step_of(each)) for number, each in enumerate(entries, 1)]


def _rows(label: str, texts: Sequence[object]) -> list[str]:
    """A label and its lines below each other, each cut to the terminal's width."""
    shown = list(texts[:SHOWN])
    if len(texts) > SHOWN:
        shown.append(f"and {len(texts) - SHOWN} more")
    heads = [label, *[""] * len(shown)]
    return [
        f"{head:<{_LABEL}}{_cut(str(text))}".rstrip()
        for head, text in zip(heads, shown, strict=False)
    ]


def _cut(text: str) -> str:
    """One printable line that fits beside a label; columns within it stay."""
    return fitted(printable(text).strip(), WIDTH - _LABEL)
