"""Modes: which one holds, and which change of mode is allowed.

Pure. Does not own the quality gate (``quality``) or what a mode's text says (``cli``).
"""

from __future__ import annotations

from typing import cast

from operators_edge.model import MODES, Mode, State


def current(state: State) -> Mode:
    """The explicit mode where there is a valid one, else the derived one."""
    explicit = state.get("mode")
    if explicit in MODES:
        return cast("Mode", explicit)
    return derived(state)


def derived(state: State) -> Mode:
    """No objective: plan. Work left, or nothing planned yet: active. All steps complete: review."""
    if not state.get("objective"):
        return "plan"
    steps = state.get("plan") or []
    if steps and all(step.get("status") == "completed" for step in steps):
        return "review"
    return "active"


def refusal(state: State, target: Mode, *, objective: str | None = None) -> str:
    """Why the change to ``target`` is not allowed; empty when it is.

    Going to done also needs the quality gate, which the caller asks.
    """
    here = current(state)
    if target == "active" and not (objective or state.get("objective")):
        return "active mode needs an objective"
    if target == "done" and here == "plan":
        return "there is nothing to complete in plan mode"
    if (
        here == "done"
        and target in ("active", "review")
        and not (objective or state.get("objective"))
    ):
        return "the objective is done; name a new one"
    return ""
