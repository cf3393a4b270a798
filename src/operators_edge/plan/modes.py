"""Modes: which one applies, and which change of mode is allowed.

Pure. Does not own the quality gate (``quality.checks``) or the text of a mode (``cli``).
"""

from __future__ import annotations

from operators_edge.model import HOST, MODES
from operators_edge.text.wording import many
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.model import Mode, State


def current(state: State) -> Mode:
    """The explicit mode if it is valid, else the derived one."""
    explicit = state.get("mode")
    if explicit in MODES:
        return cast("Mode", explicit)
    return derived(state)


def derived(state: State) -> Mode:
    """No objective: plan. Work left, or nothing planned yet: active. All steps complete: review."""
    if not state.get("objective"):
        return "plan"
    steps = _counted(state)
    if steps and all(step.get("status") == "completed" for step in steps):
        return "review"
    return "active"


def _counted(state: State) -> list[dict[str, Any]]:
    """The plan's own steps; todos mirrored from a host only if there are no others."""
    steps = [step for step in state.get("plan") or [] if isinstance(step, dict)]
    return [step for step in steps if step.get("source") != HOST] or steps


def suggestion(state: State) -> tuple[Mode, str] | None:
    """The mode that fits the plan better than the explicit one, and why (MO-2).

    A derived mode always fits (MO-5), done is a person's decision, and a host's todos change too often to ask
    about.
    """
    here = state.get("mode")
    statuses = [
        step.get("status", "pending") for step in _counted(state) if step.get("source") != HOST
    ]
    if here not in ("plan", "active") or not state.get("objective") or not statuses:
        return None
    if statuses.count("completed") == len(statuses):
        return "review", "the step is completed" if len(
            statuses
        ) == 1 else "all steps are completed"
    waiting = statuses.count("pending")
    if here != "plan" or not waiting:
        return None
    return "active", f"{many(waiting, 'step')} of the plan {'waits' if waiting == 1 else 'wait'}"


def refusal(state: State, target: Mode, *, objective: str | None = None) -> str:
    """Why the change to ``target`` is not allowed; "" if it is.

    Done also needs the quality gate, which the caller checks.
    """
    here, has_objective = current(state), bool(objective or state.get("objective"))
    if target == "active" and not has_objective:
        return "active mode needs an objective"
    if target == "done" and here == "plan":
        return "there is nothing to complete in plan mode"
    if here == "done" and target == "review" and not has_objective:
        return "the objective is done; name a new one"
    return ""


# end of module
