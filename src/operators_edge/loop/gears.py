"""Gears: which one fits the state, which one follows it, and when the loop stops.

Pure. Owns the state's ``gear`` (its keys, the six transitions, when the quality gate is due, STUCK and the
limit of cycles) and which steps need a person's decision first. Does not own what a gear finds
(``patrol.service``, ``loop.retrospective``), the quality gate (``quality.checks``) or the transaction that
writes it (``loop.service``).
"""

from __future__ import annotations

from operators_edge.evidence.plan_events import objective_hash, step_keys
from operators_edge.gate.fingerprint import canonical
from operators_edge.plan import modes, steps
from operators_edge.quality import checks as quality_checks
from operators_edge.quality.checks import stored_gear
from operators_edge.state import schema
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any, Literal

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

MAX_REPEATED_APPROVALS = 3
"""Approvals of one type without progress between them."""

MAX_CYCLES = 50
"""Cycles over one unchanged plan, and turns that auto hands over in a row."""

MAX_ANSWERS = 100
MAX_DECLINED = 200


class Result(NamedTuple):
    """The result of a gear: everything that the next transition depends on (GE-1)."""

    status: Status = "ok"
    progress_made: bool = False
    junction: dict[str, Any] | None = None
    suggested_next_gear: Gear | Literal["none"] = "none"
    telemetry: Mapping[str, Any] = {}

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "telemetry": dict(self.telemetry)}


class NextAction(NamedTuple):
    """What a cycle does next, in which gear, and the gear before."""

    what: Literal["rest", "pending", "stuck", "gate", "run"]
    gear: Gear | None = None
    before: Gear | None = None


# -- which gear ------------------------------------------------------------------------------------


def current(state: State) -> Gear | None:
    """The gear that the last cycle ended in; None before the first."""
    stored = stored_gear(state).get("current_gear")
    return next((gear for gear in GEARS if gear == stored), None)


def open_steps(state: State) -> tuple[Step, ...]:
    """The steps that are not completed; a host's todos count only if there are no other steps."""
    return tuple(step for step in steps.counted(state) if step.status != "completed")


def detect(state: State) -> Gear:
    """The gear that fits: active while there is work, then the current gear, then patrol or dream.

    Every gear can follow every other one.
    """
    if open_steps(state) or (state.get("objective") and not steps.of(state)):
        return "active"
    here = current(state)
    if here is not None and here != "active":
        return here
    return "patrol" if state.get("objective") else "dream"


def next_gear(gear: Gear, result: Result) -> Gear:
    """The gear after a run; it stays the same after an error or while a decision is pending (GE-6)."""
    wanted = result.suggested_next_gear
    if result.status == "error" or result.junction is not None or wanted == "none":
        return gear
    return wanted


def next_action(state: State) -> NextAction:
    """What the next cycle does: a pending decision comes first, then the gate, then a gear (GE-1, MO-5)."""
    if isinstance(state.get("junction"), dict):
        return NextAction("pending", None, current(state))
    if modes.current(state) not in RUNNING_MODES:
        return NextAction("rest", None, current(state))
    if is_stuck(state):
        return NextAction("stuck", None, current(state))
    if gate_is_due(state):
        return NextAction("gate", None, current(state))
    return NextAction("run", detect(state), current(state))


# -- the completion epoch --------------------------------------------------------------------------


def gate_is_due(state: State) -> bool:
    """Whether this completed plan has not been through the gate yet."""
    epoch = quality_checks.completion_epoch(state)
    return epoch is not None and epoch != stored_gear(state).get("gate_epoch")


def mark_gate_run(state: State) -> None:
    """Note that the gate has checked this plan."""
    state["gear"] = {**stored_gear(state), "gate_epoch": quality_checks.completion_epoch(state)}


def is_obsolete(state: State, pending: Mapping[str, Any]) -> bool:
    """Whether a junction of the loop no longer applies: the plan has changed, or there is work again."""
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


# -- recording a run -------------------------------------------------------------------------------


def record_run(
    state: State,
    gear: Gear,
    after: Gear,
    *,
    now: datetime,
    telemetry: Mapping[str, Any],
    counts: bool = True,
) -> str | None:
    """Record a run in the state; returns the transition that it ended with or began with.

    ``telemetry`` may contain ``findings`` and ``proposals``, as counts. ``counts`` is False for the second
    gear of a cycle.
    """
    stored, before, when = stored_gear(state), current(state), now.isoformat()
    transition = None
    for one, other in ((before, gear), (gear, after)):
        if one is not None and one != other:
            transition = TRANSITIONS[one, other]
    plan = plan_mark(state)
    runs = _number(stored.get("runs")) if stored.get("plan_mark") == plan else 0
    stored |= {
        "current_gear": after,
        "last_run_at": when,
        "iterations": _number(stored.get("iterations")) + counts,
        "runs": runs + counts,
        "plan_mark": plan,
    }
    if transition or not stored.get("entered_at"):
        stored["entered_at"] = when
    stored["last_transition"] = transition or stored.get("last_transition")
    for name, counted in _COUNTED.items():
        stored[counted] = _number(telemetry.get(name, stored.get(counted)))
    state["gear"] = stored
    return transition


_COUNTED = {"findings": "patrol_findings_count", "proposals": "dream_proposals_count"}


def reset(state: State) -> int:
    """Reset the gears; returns the count of approvals if the loop was stuck, else 0.

    Earlier answers are kept: a reset must not ask the same question twice.
    """
    stored = stored_gear(state)
    stuck = _number(stored.get("stuck_count")) if is_stuck(state) else 0
    remaining = ("completion_epoch", "gate_epoch", "answered", "declined", "proposal_session")
    state["gear"] = {name: stored[name] for name in remaining if name in stored}
    return stuck


# -- when the loop stops ---------------------------------------------------------------------------


def plan_mark(state: State) -> str:
    """A digest of the objective and of each step's text and status."""
    plan = [[step.text, step.status] for step in steps.of(state)]
    return sha256_hex(canonical([state.get("objective"), plan]))[:16]


def progress_mark(state: State, work: Mapping[str, Any]) -> str:
    """A digest that changes with progress: a step, a written file, a check that passed."""
    files = work.get("files") or {}
    passed = [each for each in work.get("checks") or [] if each.get("passed") is True]
    seqs = [each.get("seq") for each in passed[-1:]]
    edits = sorted((str(name), str(at)) for name, at in files.items())
    return sha256_hex(canonical([plan_mark(state), [list(each) for each in edits], seqs]))[:16]


def is_stuck(state: State) -> bool:
    """Whether the loop has stopped until the plan changes or a person resets it (GE-5)."""
    return bool(stored_gear(state).get("stuck_mark"))


def count_approval(state: State, pending: Mapping[str, Any], progress: str) -> dict[str, Any]:
    """Count an approval; returns the data of its log entry.

    Approvals of one type add up while ``progress`` (``progress_mark``) stays the same; those of an agent's
    calls and questions only if it is the same call or the same question.
    """
    gear, kind = stored_gear(state), str(pending.get("type"))
    marks = {
        "last_junction_type": kind,
        "last_junction_about": _repetition_key(pending),
        "progress_mark": progress,
    }
    is_same = all(gear.get(name) == value for name, value in marks.items())
    count = _number(gear.get("stuck_count")) + 1 if is_same else 1
    gear |= {"stuck_count": count, **marks}
    if count >= MAX_REPEATED_APPROVALS:
        gear["stuck_mark"] = gear.get("stuck_mark") or plan_mark(state)
    state["gear"] = gear
    is_new = count == MAX_REPEATED_APPROVALS
    return {"to": "stuck" if is_new else "counting", "count": count, "type": kind}


def _repetition_key(pending: Mapping[str, Any]) -> str | None:
    """What identifies the call, the question or the failed checks: two pushes are not a repetition.

    None for the loop's own junctions: it raises one again only if nothing has changed.
    """
    if pending.get("source") == "gate":
        return str(pending.get("fingerprint"))
    if pending.get("type") == "quality_gate":
        payload = pending.get("payload")
        failed = payload.get("failed_checks") if isinstance(payload, dict) else None
        names = [each.get("name") for each in failed or () if isinstance(each, dict)]
        return fingerprint("quality_gate", {"failed": names})
    if pending.get("source") == "ask":
        return fingerprint("ambiguous", pending.get("shown"))
    return None


def stop_at_limit(state: State) -> dict[str, Any] | None:
    """Stop the loop after too many cycles over one plan; the data to log, None if it may continue."""
    gear = stored_gear(state)
    if is_stuck(state) or _number(gear.get("runs")) < MAX_CYCLES:
        return None
    if gear.get("plan_mark") != plan_mark(state):
        return None
    state["gear"] = {**gear, "stuck_mark": plan_mark(state)}
    return {"to": "stuck", "count": _number(gear.get("stuck_count")), "why": "ceiling"}


def resume_if_plan_changed(state: State) -> dict[str, Any] | None:
    """Resume if the plan has changed since the loop got stuck; the data to log, None if it stays stuck."""
    gear = stored_gear(state)
    if not is_stuck(state) or gear.get("stuck_mark") == plan_mark(state):
        return None
    count = _number(gear.get("stuck_count"))
    for name in ("stuck_mark", "last_junction_type", "last_junction_about", "progress_mark"):
        gear.pop(name, None)
    state["gear"] = {**gear, "stuck_count": 0, "runs": 0}
    return {"to": "free", "why": "plan_changed", "count": count}


# -- what a person has answered --------------------------------------------------------------------


def fingerprint(kind: str, *about: object) -> str:
    """Identifies a question, so that asking it again raises no second junction."""
    return sha256_hex(canonical([kind, list(about)]))


def step_key(state: State, number: int) -> str:
    """Identifies a step, wherever it is in the plan."""
    return step_keys(state)[number - 1]


def step_question_id(state: State, number: int, kind: str) -> str:
    """Identifies the question about one step of this objective, which is asked once."""
    return fingerprint(kind, objective_hash(state), step_key(state, number))


def keep_answer(
    state: State, pending: Mapping[str, Any], decision: str, *, until: datetime | None = None
) -> None:
    """Remember a person's answer to the loop; a dismissal counts until ``until``."""
    gear = stored_gear(state)
    mark = str(pending.get("fingerprint") or "")
    if until is not None and pending.get("type") in ("finding_selection", "proposal"):
        mark = str(pending["type"])  # a dismissal silences the whole kind of question
    kept = [each for each in schema.maps(gear.get("answered")) if each.get("fingerprint") != mark]
    if decision == "skip" and pending.get("type") in ("dangerous", "complexity"):
        # A no has blocked the step. Reopening it, which an agent may do, must not count as a yes.
        state["gear"] = {**gear, "answered": kept}
        return
    entry = {
        "fingerprint": mark,
        "decision": decision,
        "until": until.isoformat() if until else None,
    }
    gear["answered"] = [*kept, entry][-MAX_ANSWERS:]
    state["gear"] = gear


def is_answered(state: State, mark: str, now: datetime) -> bool:
    """Whether a person has answered this question or dismissed its kind for now."""
    for each in schema.maps(stored_gear(state).get("answered")):
        if each.get("fingerprint") == mark:
            until = each.get("until")
            return until is None or _is_later(until, now)
    return False


def declined_findings(state: State) -> frozenset[str]:
    """The ids of the findings that a person declined."""
    listed = stored_gear(state).get("declined")
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()


def decline(state: State, idents: list[str]) -> None:
    """Do not offer these findings again."""
    listed = stored_gear(state).get("declined")
    there = [each for each in listed if each not in idents] if isinstance(listed, list) else []
    state["gear"] = {**stored_gear(state), "declined": [*there, *idents][-MAX_DECLINED:]}


# -- steps that need a decision --------------------------------------------------------------------

_DANGEROUS = steps.word_set(
    "deploy migrate delete drop destroy purge wipe truncate publish release uninstall revoke decommission "
    "shutdown rollback erase"
)
_LARGE = steps.word_set("rewrite redesign overhaul rearchitect reimplement restructure replatform")
_APPLIES = pattern(
    r"(?i)\b(?:run|apply|execute|perform|roll out|push|ship)\b.{0,40}\b"
    r"(?:migrations?|deployments?|releases?|to prod(?:uction)?|(?:on|in) prod(?:uction)?)\b"
)
_ENTIRE = pattern(
    r"(?i)\b(?:refactor|port|convert|rename|upgrade)\w*\b.{0,20}\b(?:whole|entire|everything|every|all)\b"
)


def risk(text: str) -> tuple[Literal["dangerous", "complexity"], str] | None:
    """Why a step with this text needs a person's decision; None for an ordinary one (GE-2).

    A clause must begin with the word: "add a delete button" deletes nothing.
    """
    if match := steps.leads_with(text, _DANGEROUS) or _matched_text(_APPLIES, text):
        return "dangerous", f'the step says "{match}", which is hard to take back'
    if match := steps.leads_with(text, _LARGE) or _matched_text(_ENTIRE, text):
        return "complexity", f'the step says "{match}", which reaches far for one step'
    return None


def _matched_text(words: re.Pattern[str], text: str) -> str:
    match = words.search(text)
    return match[0] if match else ""


def next_step(state: State) -> Step | None:
    """The step to work on: the one in progress, else the next pending one; None if all are blocked.

    Of several, the current step comes first.
    """
    number = schema.current_step(state)
    waiting = [step for step in open_steps(state) if step.status != "blocked"]
    waiting.sort(key=lambda step: (step.status != "in_progress", step.number != number))
    return waiting[0] if waiting else None


def _number(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0


def _is_later(text: object, now: datetime) -> bool:
    when = timestamps.parse(text)
    return when is not None and when > now


# end of module
