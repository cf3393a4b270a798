"""The human decision: when one is needed, what answers it, and what each answer leaves behind.

Pure: grants come in already checked for genuineness and liveness, times and ids are passed in. Does
not own where grants live (``storage.registry``) or who may decide (``person``).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from operators_edge.model import JUNCTION_HISTORY_TAIL, Call, State, Verdict

DISPLACEABLE = ("mode_transition", "finding_selection", "proposal")
"""Junctions that wait for convenience; one that the gate raises takes their place (JU-1)."""

DEFAULT_DISMISSAL_MINUTES = 60
MAX_DISMISSAL_MINUTES = 7 * 24 * 60
A_MOMENT = timedelta(minutes=1)
CLOCK_SLACK = timedelta(minutes=5)
"""What a clock may be set back without ending what a person granted for a time."""

Step = Literal["pass", "use", "covered", "refused", "pending", "raise", "block"]


class GrantsInForce(NamedTuple):
    """What has been decided so far, as far as it counts now.

    ``allowances`` and ``dismissals`` hold only genuine, live, unconsumed and unexpired grants;
    ``pending`` is the one open junction; ``is_refused`` tells that this exact call was skipped, or
    answered with No, in this session.
    """

    allowances: tuple[dict[str, Any], ...] = ()
    dismissals: tuple[dict[str, Any], ...] = ()
    pending: dict[str, Any] | None = None
    is_refused: bool = False


class Resolution(NamedTuple):
    """What to do with a call: ``step`` says it, ``grants`` are the ids that let it through."""

    step: Step
    grants: tuple[str, ...] = ()


def resolve(verdict: Verdict, grants: GrantsInForce, *, is_asking: bool) -> Resolution:
    """Weigh a verdict against what people decided before (order: GA-1).

    ``is_asking`` is True where the host shows its own dialog: nothing pends there, so an open
    junction stands in nobody's way.
    """
    if verdict.effect == "block":
        return Resolution("block")
    if verdict.effect != "junction":
        return Resolution("pass")
    for allowance in grants.allowances:
        if allowance["fingerprint"] == verdict.exact:
            return Resolution("use", (allowance["id"],))
    covering = _covering_dismissals(verdict.classes, grants.dismissals)
    if covering:
        return Resolution("covered", covering)
    if grants.is_refused:
        return Resolution("refused")
    pending = grants.pending
    if not is_asking and pending is not None and pending["type"] not in DISPLACEABLE:
        return Resolution("pending")
    return Resolution("raise")


def _covering_dismissals(
    classes: tuple[str, ...], dismissals: tuple[dict[str, Any], ...]
) -> tuple[str, ...]:
    """The dismissals that together cover every class; empty when one class is left uncovered."""
    by_class = {dismissal["fingerprint"]: dismissal["id"] for dismissal in dismissals}
    if not classes or any(each not in by_class for each in classes):
        return ()
    return tuple(dict.fromkeys(by_class[each] for each in classes))


def new_junction(
    verdict: Verdict, call: Call, *, new_id: str, now: datetime, shown: str
) -> dict[str, Any]:
    """The junction record for a verdict; ``shown`` is the redacted text of the call."""
    finding = verdict.findings[0]
    return {
        "id": new_id,
        "type": finding.type,
        "reason": finding.reason,
        "created_at": now.isoformat(),
        "fingerprint": verdict.exact,
        "classes": list(verdict.classes),
        "rule": finding.rule,
        "subject": dict(finding.subject),
        "session": call.session,
        "agent": call.agent,
        "tool": call.tool,
        "shown": shown,
        "instead": finding.instead,
        "also_blocked": [],
        "source": "gate",
    }


def count_blocked(pending: dict[str, Any], verdict: Verdict, *, shown: str) -> None:
    """Note on the pending junction that another call (or the same one) was denied meanwhile."""
    if verdict.exact == pending.get("fingerprint"):
        pending["repeats"] = int(pending.get("repeats", 0)) + 1
        return
    others: list[dict[str, Any]] = pending.setdefault("also_blocked", [])
    for other in others:
        if other["fingerprint"] == verdict.exact:
            other["times"] += 1
            return
    others.append({"fingerprint": verdict.exact, "rule": verdict.rule, "shown": shown, "times": 1})


def allowance_for(
    junction: dict[str, Any], *, new_id: str, now: datetime, by: str
) -> dict[str, Any]:
    """One use of exactly the junction's call."""
    return {
        "id": new_id,
        "kind": "allowance",
        "fingerprint": junction["fingerprint"],
        "granted_at": now.isoformat(),
        "consumed": False,
        "junction": junction["id"],
        "session": junction.get("session", ""),
        "rule": junction.get("rule", ""),
        "shown": junction.get("shown", ""),
        "by": by,
    }


def dismissals_for(
    junction: dict[str, Any], *, new_ids: list[str], now: datetime, minutes: int, by: str
) -> list[dict[str, Any]]:
    """One dismissal for each class of the junction; ``new_ids`` holds as many ids."""
    until = now + timedelta(minutes=minutes)
    return [
        {
            "id": new_id,
            "kind": "dismissal",
            "fingerprint": fingerprint,
            "dismissed_at": now.isoformat(),
            "expires_at": until.isoformat(),
            "junction": junction["id"],
            "session": junction.get("session", ""),
            "rule": junction.get("rule", ""),
            "shown": junction.get("shown", ""),
            "by": by,
        }
        for new_id, fingerprint in zip(new_ids, junction["classes"], strict=True)
    ]


def is_expired(grant: dict[str, Any], now: datetime) -> bool:
    """True for a dismissal past its wall-clock end; an unreadable end counts as past.

    So does one that was given in the future: the clock went back, and nobody can tell how long it has lasted.
    """
    if "expires_at" not in grant:
        return False
    try:
        until = datetime.fromisoformat(str(grant["expires_at"]))
        given = datetime.fromisoformat(str(grant.get("dismissed_at") or now.isoformat()))
        return until <= now or given > now + CLOCK_SLACK
    except (ValueError, TypeError):
        return True


def is_open(grant: dict[str, Any], now: datetime) -> bool:
    """Neither used nor past its end, as far as the grant itself says."""
    return grant.get("consumed") is not True and not is_expired(grant, now)


def just_replaced(state: State) -> dict[str, Any] | None:
    """The junction whose place the pending one took a moment after nobody had decided it, else None.

    Whoever answers may still mean that one: a line can wait until the agent's turn is over.
    """
    pending, history = state.get("junction"), state.get("junction_history") or []
    if not isinstance(pending, dict) or not history:
        return None
    last: dict[str, Any] = history[-1]
    if last.get("decision") not in ("displaced", "withdrawn"):
        return None
    try:
        gone = datetime.fromisoformat(str(last.get("decided_at")))
        is_close = datetime.fromisoformat(str(pending.get("created_at"))) - gone <= A_MOMENT
    except (ValueError, TypeError):
        is_close = True  # better asked once too often
    return last if is_close else None


def close(state: State, *, decision: str, now: datetime, by: str) -> dict[str, Any]:
    """Take the pending junction off the state and put it into the history's tail; returns it."""
    junction: dict[str, Any] = state["junction"]
    state["junction"] = None
    history: list[dict[str, Any]] = list(state.get("junction_history") or [])
    history.append(
        {
            "id": junction["id"],
            "type": junction["type"],
            "decision": decision,
            "decided_at": now.isoformat(),
            "by": by,
            "rule": junction.get("rule", ""),
            "shown": junction.get("shown", ""),
            "fingerprint": junction.get("fingerprint", ""),
        }
    )
    state["junction_history"] = history[-JUNCTION_HISTORY_TAIL:]
    return junction
