"""What the agent is told to do next, in each mode, when a person hands it the work.

Pure: the state of a cycle in (``engine.Cycle.as_data``), a short text out. Owns the agent's text. What a
person reads of the same cycle is ``cli.run``'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT = 300
"""Characters of one line that somebody else wrote."""

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
        told += _step(step)
    elif seen.get("mode") == "active":
        told.append(
            "No step is open. If the work is not done, plan what is missing: `edge plan add`."
        )
    return "\n".join(told)


def _step(step: Mapping[str, Any]) -> list[str]:
    number = step["number"]
    told = [f"Step {number}: {one_line(step['description'], LIMIT)}"]
    told += [
        f"  {label}: {one_line(step[label], LIMIT)}"
        for label in ("expected", "verification")
        if step.get(label)
    ]
    told += [f"  constraint: {one_line(each, LIMIT)}" for each in step.get("constraints") or ()]
    told += [f"  lesson: {one_line(each['lesson'], LIMIT)}" for each in step.get("lessons") or ()]
    told += [
        f"  open mismatch {each['number']}: {one_line(each['text'], LIMIT)}"
        for each in step.get("mismatches") or ()
    ]
    return [
        *told,
        f'Do this step alone. Then `edge step done {number} --proof "…"`; if it came out other than',
        "expected: `edge mismatch TEXT`, then `edge adapt`.",
    ]
