"""Steps of a session's plan as tasks for the Bridge.

Pure. A step becomes a task when its verification names a command: only what the watcher runs shows that it is
done. Does not own what a result does to the step (``sessions.task_results``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.errors import UsageError
from operators_edge.evidence import plan_events
from operators_edge.evidence.checks.run import named_commands, quoted_commands
from operators_edge.plan import notes as plan_notes, steps as plan_steps
from operators_edge.text.wording import as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.model import State
    from operators_edge.plan.steps import Step

FIELD = "x_plan_step"
"""The planner's key under which a task says which step it is for."""

_MAX_SLUG = 40


def tasks_of(
    state: State,
    numbers: Sequence[int],
    *,
    is_check: Callable[[str], bool],
    executor: str = "",
) -> list[dict[str, Any]]:
    """A task for each of these steps, without numbers for every open one; each starts from the one before.

    ``is_check`` says whether a text is a command that checks something. UsageError names every step that
    cannot be a task, and why.
    """
    steps, keys = plan_steps.of(state), plan_events.step_keys(state)
    chosen, problems = _chosen(state, steps, numbers)
    tasks: list[dict[str, Any]] = []
    for step in chosen:
        commands = commands_of(step.verification, is_check)
        why = _why_not(step, commands)
        if why:
            problems.append(f"step {step.number}: {why}")
            continue
        task = _task(state, step, keys[step.number - 1], commands)
        if executor:
            task["executor"] = executor
        if tasks:
            task |= {"depends_on": [tasks[-1]["id"]], "base": f"task:{tasks[-1]['id']}"}
        tasks.append(task)
    if problems:
        first = re.match(r"step (\d+)", problems[0])
        number = first[1] if first else "1"
        hint = f"edge plan edit {number} --verification 'COMMAND'"
        raise UsageError("no task was made: " + "; ".join(problems), hint=hint)
    return tasks


def _chosen(
    state: State, steps: Sequence[Step], numbers: Sequence[int]
) -> tuple[list[Step], list[str]]:
    """The steps, and the numbers that name none."""
    if not steps:
        raise UsageError("there is no plan", hint='edge plan add "write the parser"')
    if not numbers:
        found = [step for step in plan_steps.counted(state) if step.status != "completed"]
        if not found:
            raise UsageError("every step is completed", hint="edge plan show")
        return found, []
    known = {step.number: step for step in steps}
    problems = [f"step {each}: there is none" for each in numbers if each not in known]
    return [known[each] for each in dict.fromkeys(numbers) if each in known], problems


def _why_not(step: Step, commands: Sequence[str]) -> str:
    """Why a step cannot be a task; "" if it can."""
    if not step.text:
        return "it has no description"
    if step.status in ("completed", "blocked"):
        return f"it is {step.status}"
    if not step.verification:
        return "it has no verification, so nothing would show that it is done"
    if not commands:
        return (
            f"its verification names no command that is known as a check: {step.verification[:80]!r};"
            " put the command into backticks"
        )
    return ""


def commands_of(verification: str, is_check: Callable[[str], bool]) -> list[str]:
    """The commands that a verification names: those in backticks, else itself if it is a check."""
    return quoted_commands(verification) or list(filter(is_check, named_commands(verification)))


def _task(state: State, step: Step, key: str, commands: list[str]) -> dict[str, Any]:
    stored = (state.get("plan") or [])[step.number - 1]
    expected = " ".join(as_text(stored.get("expected")).split())
    slug = re.sub(r"[^a-z0-9]+", "-", step.text.lower()).strip("-")[:_MAX_SLUG].strip("-")
    return {
        "id": "_".join(filter(None, (f"step-{step.number:02}", slug, key[:6]))),
        "bead_title": step.text[:200],
        "goal": as_text(state.get("objective"))[:10_000],
        "prompt": step.text,
        "done_condition": (expected or step.verification)[:10_000],
        "constraints": [
            text[:2_000] for text in plan_notes.texts(state, plan_notes.CONSTRAINT) if text.strip()
        ][:100],
        "commands_to_run": commands,
        "allow_no_change": not step.changes_files,
        FIELD: {
            "key": key,
            "number": step.number,
            "objective": plan_events.objective_hash(state),
        },
    }


# end of module
