"""What a decision card says of one call, brought together: the machine, the plan, the record.

Owns where each part comes from and that none of them holds the gate up. Does not own the card
(``approvals.card.card``), the counting (``approvals.impact.measure``) or when a card is needed
(``sessions.tool_call``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.approvals.card import card, precedents
from operators_edge.approvals.impact import measure as impact_measure
from operators_edge.errors import EdgeError
from operators_edge.gate.facts import SystemFacts
from operators_edge.state import schema

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Place, State, Verdict
    from operators_edge.project import Project

ENTRIES_LOOKED_AT = 500
"""The end of the log in which earlier decisions are looked for; more would cost at every junction."""


def collect(
    call: Call,
    verdict: Verdict,
    *,
    place: Place,
    rules: Rules,
    now: datetime,
    project: Project | None = None,
    state: State | None = None,
    secrets: Iterable[str] = (),
) -> card.Card:
    """The card for a call that needs a decision; ``project`` and ``state`` where there are some."""
    text, is_marked = text_of(call, rules)
    facts = SystemFacts()
    return card.build(
        text,
        verdict,
        is_marked=is_marked,
        radius=impact_measure.measure(verdict, call, place, facts, rules, now=now),
        step=_step(state or {}),
        history=_history(verdict, project, state or {}),
        where=_where(call, verdict, facts),
        values=secrets,
    )


def text_of(call: Call, rules: Rules) -> tuple[str, bool]:
    """The call as text, and whether the findings' spans are of it: they are of a shell's text."""
    keys = [rules.tools["shell"].get(call.tool), *rules.tools.get("shell_arguments", ())]
    for key in keys:
        if key and isinstance(call.input.get(key), str):
            return call.input[key], True
    return " ".join([call.tool, *(f"{key}={value}" for key, value in call.input.items())]), False


def _step(state: State) -> dict[str, Any] | None:
    """The step at work, but only where somebody said that it is."""
    plan = state.get("plan") or []
    number = schema.current_step(state)
    step = plan[number - 1] if 1 <= number <= len(plan) else None
    if not isinstance(step, dict) or step.get("status") != "in_progress":
        return None
    return {"number": number, "of": len(plan), "description": str(step.get("description", ""))}


def _history(verdict: Verdict, project: Project | None, state: State) -> dict[str, Any] | None:
    if project is None or not verdict.exact:
        return None
    try:
        entries = project.log.tail(ENTRIES_LOOKED_AT)
    except (EdgeError, OSError):
        entries = []  # what the state keeps is still worth saying
    kept = [one for one in state.get("junction_history") or [] if isinstance(one, dict)]
    return precedents.weigh(verdict, entries, kept)


def _where(call: Call, verdict: Verdict, facts: SystemFacts) -> dict[str, str]:
    first = verdict.findings[0]
    folder = first.cwd or call.cwd
    try:
        branch = facts.branch(folder)
    except OSError:
        branch = None
    relative = dict(first.detail).get("cwd") or os.path.basename(folder)
    return {
        "cwd": relative,
        "branch": branch or "",
        "session": call.session,
        "agent": call.agent,
    }
