"""The decision card of one call, collected from the machine, the plan and the log.

Owns where each part comes from, and that a missing part does not block the gate. Does not own the card
(``approvals.card.build``), the measuring (``approvals.impact.measure``) or when a card is needed
(``sessions.risky_call``).
"""

from __future__ import annotations

import os

from operators_edge.approvals.card import build, precedents, render
from operators_edge.approvals.impact import measure as impact_measure
from operators_edge.errors import EdgeError
from operators_edge.gate.facts import SystemFacts
from operators_edge.git.commands import Budget
from operators_edge.state import schema
from operators_edge.system import machine
from operators_edge.tuples import NamedTuple, cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from operators_edge.approvals.card.model import Card, CurrentStep, Precedents, Where
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Place, State, Verdict
    from operators_edge.project import Project
    from operators_edge.records import AnsweredJunction

MAX_ENTRIES = 500
"""Log entries, from the end, that are searched for earlier decisions: every junction pays for them."""


class BoundRows(NamedTuple):
    """What a decision is bound to: where the call goes, and what changed since the last decision on it."""

    target: str = ""
    changed: tuple[str, ...] = ()
    offer: str = ""


NO_ROWS = BoundRows()


def collect(
    call: Call,
    verdict: Verdict,
    *,
    place: Place,
    rules: Rules,
    env: Mapping[str, str],
    now: datetime,
    project: Project | None = None,
    state: State | None = None,
    secrets: Iterable[str] = (),
    bound_to: BoundRows = NO_ROWS,
    budget: Budget | None = None,
    lessons: Sequence[str] = (),
) -> Card:
    """The card for a call that needs a decision; ``project`` and ``state`` if they exist."""
    text, is_marked = text_of(call, rules)
    facts = SystemFacts()
    return build.build(
        text,
        verdict,
        is_marked=is_marked,
        radius=impact_measure.measure(
            verdict, call, place, facts, rules, env=env, now=now, budget=budget or Budget()
        ),
        step=_step(state or {}),
        history=_history(verdict, project, state or {}, now),
        where=_where(call, verdict, facts),
        values=secrets,
        target=bound_to.target,
        changed=bound_to.changed,
        machine=machine.describe().text if verdict.rule.startswith(_OF_THE_MACHINE) else "",
        offer=bound_to.offer,
        lessons=lessons,
    )


_OF_THE_MACHINE = ("package-", "system-")
"""Rules whose calls change the machine, so the card says which one it is."""


class PreparedCard(NamedTuple):
    """A card as the state stores it, and as the text for the dialog or for the agent."""

    stored: dict[str, Any]
    message: str


def prepare(card: Card, verdict: Verdict, *, is_asking: bool) -> PreparedCard:
    """``is_asking``: the text is for the client's dialog, which also gets a line on how to undo."""
    if not is_asking:
        lines = render.denial_lines(card)
    else:
        width, height = render.DIALOG
        lines = render.dialog_lines(card, size=(width, height - bool(verdict.destroys)))
    return PreparedCard(dict(build.compact(card)), "\n".join(lines))


def text_of(call: Call, rules: Rules) -> tuple[str, bool]:
    """The call as text, and whether the findings' spans are positions in it: they are for a shell's text."""
    keys = [rules.tools["shell"].get(call.tool), *rules.tools.get("shell_arguments", ())]
    for key in keys:
        if key and isinstance(call.input.get(key), str):
            return call.input[key], True
    return " ".join([call.tool, *(f"{key}={value}" for key, value in call.input.items())]), False


def _step(state: State) -> CurrentStep | None:
    """The current step, if it is marked as in progress."""
    plan = state.get("plan") or []
    number = schema.current_step(state)
    step = plan[number - 1] if 1 <= number <= len(plan) else None
    if not isinstance(step, dict) or step.get("status") != "in_progress":
        return None
    return {"number": number, "of": len(plan), "description": str(step.get("description", ""))}


def _history(
    verdict: Verdict, project: Project | None, state: State, now: datetime
) -> Precedents | None:
    if project is None or not verdict.exact:
        return None
    try:
        entries = project.log.tail(MAX_ENTRIES)
    except (EdgeError, OSError):
        entries = []  # the state's history is still worth showing
    history = [each for each in state.get("junction_history") or [] if isinstance(each, dict)]
    return precedents.weigh(verdict, entries, cast("list[AnsweredJunction]", history), now=now)


def _where(call: Call, verdict: Verdict, facts: SystemFacts) -> Where:
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


# end of module
