"""What to do next in each mode: for the agent that gets the work, and for the person who types ``edge``.

Pure: a cycle (``loop.service.Cycle.as_data``) or a state in, a short text out. Owns the agent's text, and
what a person reads in the modes plan, review and done. Does not own the rest of a cycle's output
(``cli.commands.run``).
"""

from __future__ import annotations

from operators_edge.plan import notes as plan_notes
from operators_edge.plan.edits import MARKS
from operators_edge.state import schema
from operators_edge.text.wording import fitted, many, one_line, printable, screen_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypedDict

    from operators_edge.evidence.claims.model import Claim
    from operators_edge.model import State

    class NumberedLesson(TypedDict):
        """A lesson that concerns a step, and why."""

        number: int
        lesson: str
        why: str

    class NumberedMismatch(TypedDict):
        number: int
        text: str

    class StepDetails(TypedDict):
        """A step with what applies to it; ``expected`` and ``verification`` are None if there is none."""

        number: int
        description: str
        status: str
        expected: str | None
        verification: str | None
        constraints: list[str]
        lessons: list[NumberedLesson]
        mismatches: list[NumberedMismatch]


MAX_LINE = 300
"""Characters of one line that comes from the state."""

MAX_ENTRIES = 5
"""Entries of one list that are shown; the others are counted."""


_MODES = {
    "plan": (
        "Mode plan: read what is needed, change no file. Write the plan with",
        '`edge plan add "STEP" --expected "…"`; what you cannot know: `edge question TEXT`.',
        "Then show the plan and stop: the person starts the work with /edge active.",
    ),
    "review": (
        "Mode review: verify each completed step against what it expected. Run the checks,",
        "`edge verify`, and report what failed with `edge mismatch TEXT`. The person ends it: /edge done.",
    ),
    "done": ("Mode done: nothing is left to do. Say so in one sentence.",),
}


def for_agent(cycle: Mapping[str, Any], *, objective: object = None) -> str:
    """What to do, the expected result, and the constraints."""
    lines = [f"Objective: {one_line(objective, MAX_LINE)}"] if objective else ["No objective yet."]
    if cycle.get("junction"):
        pending = cycle["junction"]
        what = one_line(pending.get("shown") or pending.get("reason") or pending["type"], MAX_LINE)
        return "\n".join(
            [
                *lines,
                f"A decision is pending for the person: {what}",
                "Stop and say so: /edge status",
            ]
        )
    if cycle.get("stuck"):
        return "\n".join([*lines, "The loop is stuck. Say what blocks the work; change the plan."])
    lines += _MODES.get(str(cycle.get("mode")), ())
    if step := cycle.get("step"):
        lines += step_lines(step)
    elif cycle.get("mode") == "active":
        lines.append(
            "No step is open. If the work is not done, plan what is missing: `edge plan add`."
        )
    return "\n".join(lines)


def step_lines(step: StepDetails) -> list[str]:
    """A step for an agent: what to do, what applies to it, how to report the result."""
    number = step["number"]
    lines = [f"Step {number}: {one_line(step['description'], 2 * MAX_LINE)}"]
    for label, text in (("expected", step["expected"]), ("verification", step["verification"])):
        lines += [f"  {label}: {one_line(text, MAX_LINE)}"] if text else []
    lines += context_lines(step)
    return [
        *lines,
        f'Do only this step. Then: edge step done {number} --proof "…". If the result differs from what',
        "was expected: `edge mismatch TEXT`, then `edge adapt`. If it cannot be done:",
        f"`edge step block {number} --why TEXT`. If a person must choose:",
        "`edge ask TEXT --option A --option B`.",
    ]


def context_lines(step: StepDetails) -> list[str]:
    """Constraints, lessons and open mismatches for a step: the first few of each, the rest counted."""
    lessons, open_ones = step["lessons"], step["mismatches"]
    lines: list[str] = []
    for noun, listed in (
        ("constraint", [f"constraint: {each}" for each in step["constraints"]]),
        ("lesson", [f"lesson {each['number']}: {each['lesson']}" for each in lessons]),
        ("mismatch", [f"open mismatch {each['number']}: {each['text']}" for each in open_ones]),
    ):
        lines += [f"  {one_line(each, MAX_LINE)}" for each in listed[:MAX_ENTRIES]]
        if len(listed) > MAX_ENTRIES:
            lines.append(f"  and {many(len(listed) - MAX_ENTRIES, noun)} more: edge {noun} list")
    return lines


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
    """The summary for this mode and the commands that fit it; each line fits a terminal.

    In active it is only the objective, as the cycle shows the rest. ``is_asked``: a decision is pending, so
    no other command is named. ``is_typed``: the commands are typed at a client.
    """
    parts = {
        "plan": _plan_mode,
        "review": lambda state: _review_mode(state, claims),
        "done": _done_mode,
    }
    if mode not in parts:
        return _objective_row(state)
    return [*parts[mode](state), *([] if is_asked else next_rows(mode, state, is_typed=is_typed))]


def for_new_mode(mode: str, state: State, *, is_typed: bool = False) -> list[str]:
    """What a person reads after setting a mode: the state of the work, and the commands that fit."""
    summary = _done_mode(state) if mode == "done" else _plan_mode(state)
    return [*summary, *next_rows(mode, state, is_typed=is_typed)]


def next_rows(mode: str, state: State, *, is_typed: bool) -> list[str]:
    """The commands that fit the mode."""
    sign = "/" if is_typed else ""
    return _rows("Next", [f"{sign + what:<24} {why}" for what, why in _HINTS[mode](state)])


def objective_and_plan(state: State) -> list[str]:
    """The objective, and how many steps are done."""
    return [*_objective_row(state), *_rows("Plan", [_step_counts(state)])]


def _plan_mode(state: State) -> list[str]:
    return [*objective_and_plan(state), *_rows("Blocking", _blocking(state))]


def _blocking(state: State) -> list[str]:
    """The open questions that block the work, each with its number."""
    return [
        f"{each.number}. {each.text}"
        for each in plan_notes.open_questions(state)
        if each.is_blocking
    ]


def _review_mode(state: State, claims: Sequence[Claim]) -> list[str]:
    verdicts = {each.step: each.verdict for each in claims}
    steps = [
        f"[{MARKS.get(str(step.get('status') or 'pending'), '?')}] "
        f"{verdicts.get(number, 'open' if step.get('status') != 'completed' else ''):<12} "
        f"{number}. {step.get('description') or ''}"
        for number, step in _steps(state)
    ]
    return [*objective_and_plan(state), *_rows("Checklist", steps)]


def _done_mode(state: State) -> list[str]:
    if not state.get("objective") and not state.get("plan"):
        return _rows("Archive", ["there is nothing to archive"])
    completed = sum(step.get("status") == "completed" for _, step in _steps(state))
    left = len(_steps(state)) - completed
    what = f"the objective and {many(completed, 'completed step')}"
    more = f"; {many(left, 'step')} not done {'is' if left == 1 else 'are'} archived too"
    when = "when the agent's turn or session ends"
    return [*_objective_row(state), *_rows("Archive", [what + (more if left else ""), when])]


def _plan_hints(state: State) -> list[tuple[str, str]]:
    named = [] if state.get("objective") else [("edge objective TEXT", "set what the work is for")]
    answers = [("edge question", "the questions")] if _blocking(state) else []
    planned = bool(state.get("plan")) and bool(state.get("objective"))
    starts = [("edge active", "start the work")] if planned else []
    return [*named, *answers, ("edge plan add TEXT", "a step; several in quotes"), *starts][:3]


def _active_hints(state: State) -> list[tuple[str, str]]:
    planned = [] if state.get("plan") else [("edge plan add TEXT", "there is no plan yet")]
    return [*planned, ("edge run", "the next step")]


_HINTS: dict[str, Callable[[State], list[tuple[str, str]]]] = {
    "plan": _plan_hints,
    "active": _active_hints,
    "review": lambda _: [
        ("edge verify", "which claims hold, which do not"),
        ("edge review prompt", "the open changes, for a reviewer"),
        ("edge done", "end it; runs the quality gate"),
    ],
    "done": lambda _: [
        ("edge score", "how the work was done"),
        ("edge prune", "archive what is finished or outdated"),
        ("edge objective TEXT", "a new one, once this is archived"),
    ],
}


def _objective_row(state: State) -> list[str]:
    return _rows("Objective", [state.get("objective") or "none yet"])


def _step_counts(state: State) -> str:
    """The number of steps in each status."""
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
    """A label and its lines, one below the other, each cut to the terminal's width."""
    visible = list(texts[:MAX_ENTRIES])
    if len(texts) > MAX_ENTRIES:
        visible.append(f"and {len(texts) - MAX_ENTRIES} more")
    heads = [label, *[""] * len(visible)]
    return [
        f"{head:<{_LABEL}}{_cut(str(text))}".rstrip()
        for head, text in zip(heads, visible, strict=False)
    ]


def _cut(text: str) -> str:
    """One printable line that fits next to a label; columns within it are kept."""
    return fitted(printable(text).strip(), screen_width() - _LABEL)


# end of module
