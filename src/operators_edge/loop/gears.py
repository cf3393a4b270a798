"""Gears: which kind of work fits the state, how one leads to the next, and where loops end.

Pure. Owns the state's ``gear`` (its keys, the six transitions, the completion epoch's gate, STUCK and the
ceiling) and which steps a person is asked about first. Does not own what a gear finds (``patrol.service``,
``loop.dream``), the quality gate (``quality.checks``) or when all of it is written (``loop.service``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from operators_edge.evidence.plan_events import objective_hash, step_keys
from operators_edge.gate.fingerprint import canonical
from operators_edge.plan import modes, steps
from operators_edge.quality import checks as quality_checks
from operators_edge.state import schema
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from operators_edge.model import State
    from operators_edge.plan.steps import Step

Gear = Literal["active", "patrol", "dream"]
Status = Literal["ok", "warning", "error"]
GEARS: tuple[Gear, ...] = ("active", "patrol", "dream")

TRANSITIONS: dict[tuple[Gear, Gear], str] = {
    (one, other): f"{one}_to_{other}" for one in GEARS for other in GEARS if one != other
}
"""Every change of gear, and its name in the state (GE-1)."""

RUNNING_MODES = ("active", "review")
"""The modes in which gears run (MO-5)."""

STUCK_AT = 3
"""Approvals of one type without progress between them."""

CEILING = 50
"""Cycles over one unchanged plan, and turns handed over in one go."""

ANSWERS_KEPT = 100
DECLINED_KEPT = 200


class Result(NamedTuple):
    """What a gear came to: all that the engine decides on (GE-1)."""

    status: Status = "ok"
    progress_made: bool = False
    junction: dict[str, Any] | None = None
    suggested_next_gear: Gear | Literal["none"] = "none"
    telemetry: Mapping[str, Any] = {}

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "telemetry": dict(self.telemetry)}


class Way(NamedTuple):
    """What a cycle has to do, and in which gear, coming from which."""

    what: Literal["rest", "pending", "stuck", "gate", "run"]
    gear: Gear | None = None
    before: Gear | None = None


# -- which gear ------------------------------------------------------------------------------------


def of(state: State) -> dict[str, Any]:
    """The state's ``gear``, as a copy; empty where it is no mapping."""
    gear = state.get("gear")
    return dict(gear) if isinstance(gear, dict) else {}


def current(state: State) -> Gear | None:
    """The gear that the last cycle ended in; None before the first."""
    said = of(state).get("current_gear")
    return next((gear for gear in GEARS if gear == said), None)


def open_steps(state: State) -> tuple[Step, ...]:
    """The steps that are not completed; a host's todos count only where there are no others."""
    return tuple(step for step in steps.counted(state) if step.status != "completed")


def detect(state: State) -> Gear:
    """The gear that fits: work first; without any, the one that was on, else what is to be looked at.

    Every gear is reached from every other: nothing here asks which one it comes from to refuse it.
    """
    if open_steps(state) or (state.get("objective") and not steps.of(state)):
        return "active"
    here = current(state)
    if here is not None and here != "active":
        return here
    return "patrol" if state.get("objective") else "dream"


def next_gear(gear: Gear, result: Result) -> Gear:
    """The gear after a run: on an error and before a decision it stays (GE-6)."""
    wanted = result.suggested_next_gear
    if result.status == "error" or result.junction is not None or wanted == "none":
        return gear
    return wanted


def way(state: State) -> Way:
    """What the next cycle does; a pending decision first, then the gate, then a gear (GE-1, MO-5)."""
    if isinstance(state.get("junction"), dict):
        return Way("pending", None, current(state))
    if modes.current(state) not in RUNNING_MODES:
        return Way("rest", None, current(state))
    if is_stuck(state):
        return Way("stuck", None, current(state))
    if gate_is_due(state):
        return Way("gate", None, current(state))
    return Way("run", detect(state), current(state))


# -- the completion epoch --------------------------------------------------------------------------


def gate_is_due(state: State) -> bool:
    """Whether the plan turned complete, or another complete one, since the gate was last asked here."""
    epoch = quality_checks.completion_epoch(state)
    return epoch is not None and epoch != of(state).get("gate_epoch")


def gated(state: State) -> None:
    """The gate was asked about this very plan."""
    state["gear"] = {**of(state), "gate_epoch": quality_checks.completion_epoch(state)}


def is_moot(state: State, pending: Mapping[str, Any]) -> bool:
    """Whether what an engine's junction asks about is gone: its plan has changed, or work came up."""
    payload = pending.get("payload")
    payload = payload if isinstance(payload, dict) else {}
    if pending.get("type") == "quality_gate" and payload.get("epoch"):
        return bool(payload["epoch"] != quality_checks.completion_epoch(state))
    if pending.get("source") != "engine":
        return False
    if pending.get("type") in ("dangerous", "complexity"):
        numbers = {step.number for step in open_steps(state)}
        keys = step_keys(state)
        return payload.get("key") not in {keys[number - 1] for number in numbers}
    return bool(open_steps(state)) or gate_is_due(state)


# -- what a run leaves behind ----------------------------------------------------------------------


def ran(
    state: State,
    gear: Gear,
    after: Gear,
    *,
    now: datetime,
    telemetry: Mapping[str, Any],
    counts: bool = True,
) -> str | None:
    """Note a run in the state; returns the transition that it ended with or began with.

    ``telemetry`` may bring ``findings`` and ``proposals``, as counts. ``counts`` is False for a second gear
    of the same cycle.
    """
    kept, before, when = of(state), current(state), now.isoformat()
    transition = None
    for one, other in ((before, gear), (gear, after)):
        if one is not None and one != other:
            transition = TRANSITIONS[one, other]
    plan = plan_mark(state)
    runs = _number(kept.get("runs")) if kept.get("plan_mark") == plan else 0
    kept |= {
        "current_gear": after,
        "last_run_at": when,
        "iterations": _number(kept.get("iterations")) + counts,
        "runs": runs + counts,
        "plan_mark": plan,
    }
    if transition or not kept.get("entered_at"):
        kept["entered_at"] = when
    kept["last_transition"] = transition or kept.get("last_transition")
    for name, counted in _COUNTED.items():
        kept[counted] = _number(telemetry.get(name, kept.get(counted)))
    state["gear"] = kept
    return transition


_COUNTED = {"findings": "patrol_findings_count", "proposals": "dream_proposals_count"}


def reset(state: State) -> int:
    """Switch the gears back to their beginning; returns the count that was stuck, 0 for none.

    What was asked and answered stays: nothing is asked twice because somebody switched off.
    """
    kept = of(state)
    stuck = _number(kept.get("stuck_count")) if is_stuck(state) else 0
    stays = ("completion_epoch", "gate_epoch", "answered", "declined", "proposal_session")
    state["gear"] = {name: kept[name] for name in stays if name in kept}
    return stuck


# -- where loops end -------------------------------------------------------------------------------


def plan_mark(state: State) -> str:
    """The same for the same objective and the same steps, as far as they are."""
    plan = [[step.text, step.status] for step in steps.of(state)]
    return sha256_hex(canonical([state.get("objective"), plan]))[:16]


def progress_mark(state: State, work: Mapping[str, Any]) -> str:
    """The same while nothing moved: no step, no file that was written, no check that passed."""
    files = work.get("files") or {}
    passed = [each for each in work.get("checks") or [] if each.get("passed") is True]
    seqs = [each.get("seq") for each in passed[-1:]]
    edits = sorted((str(name), str(at)) for name, at in files.items())
    return sha256_hex(canonical([plan_mark(state), [list(each) for each in edits], seqs]))[:16]


def is_stuck(state: State) -> bool:
    """Whether the loop has ended here, and only a change of the plan, or off, begins it again (GE-5)."""
    return bool(of(state).get("stuck_mark"))


def approved(state: State, pending: Mapping[str, Any], progress: str) -> dict[str, Any]:
    """Count an approval; returns what the log is told of it.

    Approvals of one type count as long as ``progress`` (``progress_mark``) is the same; those of an agent's
    calls and questions as long as it is the same call, the same question.
    """
    gear, kind = of(state), str(pending.get("type"))
    marks = {
        "last_junction_type": kind,
        "last_junction_about": _asked_for(pending),
        "progress_mark": progress,
    }
    is_same = all(gear.get(name) == value for name, value in marks.items())
    count = _number(gear.get("stuck_count")) + 1 if is_same else 1
    gear |= {"stuck_count": count, **marks}
    if count >= STUCK_AT:
        gear["stuck_mark"] = gear.get("stuck_mark") or plan_mark(state)
    state["gear"] = gear
    is_new = count == STUCK_AT
    return {"to": "stuck" if is_new else "counting", "count": count, "type": kind}


def _asked_for(pending: Mapping[str, Any]) -> str | None:
    """What a yes is about, where a second one of its type is no repetition: two pushes, two questions.

    The engine asks again only where nothing has moved.
    """
    if pending.get("source") == "gate":
        return str(pending.get("fingerprint"))
    if pending.get("source") == "ask":
        return fingerprint("ambiguous", pending.get("shown"))
    return None


def at_the_ceiling(state: State) -> dict[str, Any] | None:
    """End the loop where one plan was gone over too often; what the log is told, None where it was not."""
    gear = of(state)
    if is_stuck(state) or _number(gear.get("runs")) < CEILING:
        return None
    if gear.get("plan_mark") != plan_mark(state):
        return None
    state["gear"] = {**gear, "stuck_mark": plan_mark(state)}
    return {"to": "stuck", "count": _number(gear.get("stuck_count")), "why": "ceiling"}


def freed(state: State) -> dict[str, Any] | None:
    """Go on where the plan has changed since it got stuck; what the log is told, None where it stays."""
    gear = of(state)
    if not is_stuck(state) or gear.get("stuck_mark") == plan_mark(state):
        return None
    count = _number(gear.get("stuck_count"))
    for name in ("stuck_mark", "last_junction_type", "last_junction_about", "progress_mark"):
        gear.pop(name, None)
    state["gear"] = {**gear, "stuck_count": 0, "runs": 0}
    return {"to": "free", "why": "plan_changed", "count": count}


# -- what a person has answered --------------------------------------------------------------------


def fingerprint(kind: str, *about: object) -> str:
    """The same question is the same junction."""
    return sha256_hex(canonical([kind, list(about)]))


def step_key(state: State, number: int) -> str:
    """What a step is known by, wherever it stands in the plan."""
    return step_keys(state)[number - 1]


def about_step(state: State, number: int, kind: str) -> str:
    """The identity of the question about one step of this objective: it is asked once."""
    return fingerprint(kind, objective_hash(state), step_key(state, number))


def answer_kept(
    state: State, pending: Mapping[str, Any], decision: str, *, until: datetime | None = None
) -> None:
    """Remember that a person answered the engine; a dismissal's answer ends with its time."""
    gear = of(state)
    mark = str(pending.get("fingerprint") or "")
    if until is not None and pending.get("type") in ("finding_selection", "proposal"):
        mark = str(pending["type"])  # it is the kind of question that is silenced
    kept = [each for each in schema.maps(gear.get("answered")) if each.get("fingerprint") != mark]
    if decision == "skip" and pending.get("type") in ("dangerous", "complexity"):
        # A no has blocked the step; whoever opens it again, an agent too, does not turn it into a yes.
        state["gear"] = {**gear, "answered": kept}
        return
    entry = {
        "fingerprint": mark,
        "decision": decision,
        "until": until.isoformat() if until else None,
    }
    gear["answered"] = [*kept, entry][-ANSWERS_KEPT:]
    state["gear"] = gear


def is_answered(state: State, mark: str, now: datetime) -> bool:
    """Whether a person has answered this, or does not want to hear of it for now."""
    for each in schema.maps(of(state).get("answered")):
        if each.get("fingerprint") == mark:
            until = each.get("until")
            return until is None or _is_later(until, now)
    return False


def declined(state: State) -> frozenset[str]:
    """The ids of findings that a person did not want."""
    listed = of(state).get("declined")
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()


def decline(state: State, idents: list[str]) -> None:
    """Do not offer these findings again."""
    listed = of(state).get("declined")
    there = [each for each in listed if each not in idents] if isinstance(listed, list) else []
    state["gear"] = {**of(state), "declined": [*there, *idents][-DECLINED_KEPT:]}


# -- steps that a person is asked about ------------------------------------------------------------

_DANGEROUS = steps.word_set(
    "deploy migrate delete drop destroy purge wipe truncate publish release uninstall revoke decommission "
    "shutdown rollback erase"
)
_FAR_REACHING = steps.word_set(
    "rewrite redesign overhaul rearchitect reimplement restructure replatform"
)
_APPLIED = re.compile(
    r"(?i)\b(?:run|apply|execute|perform|roll out|push|ship)\b.{0,40}\b"
    r"(?:migrations?|deployments?|releases?|to prod(?:uction)?|(?:on|in) prod(?:uction)?)\b"
)
_WHOLE = re.compile(
    r"(?i)\b(?:refactor|port|convert|rename|upgrade)\w*\b.{0,20}\b(?:whole|entire|everything|every|all)\b"
)


def risk(text: str) -> tuple[Literal["dangerous", "complexity"], str] | None:
    """Why a person is asked before a step of these words is worked on; None for an ordinary one (GE-2).

    A clause has to begin with the word: "add a delete button" deletes nothing.
    """
    if said := steps.leads_with(text, _DANGEROUS) or _found(_APPLIED, text):
        return "dangerous", f'the step says "{said}", which is hard to take back'
    if said := steps.leads_with(text, _FAR_REACHING) or _found(_WHOLE, text):
        return "complexity", f'the step says "{said}", which reaches far for one step'
    return None


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[0] if match else ""


def next_step(state: State) -> Step | None:
    """The step to work on: the one at work, else the next that waits; None where all are blocked."""
    waiting = [step for step in open_steps(state) if step.status != "blocked"]
    said = schema.current_step(state)
    at_work = [step for step in waiting if step.status == "in_progress"]
    named = [step for step in waiting if step.number == said]
    if at_work:
        return next((step for step in at_work if step.number == said), at_work[0])
    return named[0] if named else waiting[0] if waiting else None


def _number(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0


def _is_later(text: object, now: datetime) -> bool:
    when = timestamps.parse(text)
    return when is not None and when > now
