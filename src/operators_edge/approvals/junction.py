"""Junctions and grants: when a call needs a person's decision, what answers it, and what each answer leaves.

Pure: grants are passed in already checked (genuine and live), and so are times and ids. Does not own where
grants are registered (``storage.registry``) or who may decide (``cli.person``, ``hosts``).
"""

from __future__ import annotations

from operators_edge.approvals import scopes
from operators_edge.approvals.binding import bound
from operators_edge.datetimes import datetime, timedelta
from operators_edge.errors import AnswerIsNo
from operators_edge.gate.fingerprint import class_of
from operators_edge.model import JUNCTION_HISTORY_TAIL, LEFT_QUESTIONS_TAIL, OF_TASK, Call, Verdict
from operators_edge.tuples import NamedTuple, cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from operators_edge.approvals.binding.bound import Binding, Difference
    from operators_edge.approvals.scopes import RuleScope
    from operators_edge.model import State
    from operators_edge.records import AnsweredJunction, Grant, Junction

    Refused = Literal["", "turn", "session"]
    """A person said no to such a call: until their next prompt, or with never for the session; "" if not."""

    Step = Literal["pass", "use", "covered", "refused", "pending", "raise", "block"]

DISPLACEABLE = ("mode_transition", "finding_selection", "proposal")
"""Types of junctions that can wait; one that the gate raises takes their place (JU-1)."""

MAX_DISMISSAL_MINUTES = 7 * 24 * 60
ALLOWANCE_MINUTES = 60
"""An approval that was not used by then has ended: what the person saw may be long forgotten."""
_JUST_NOW = timedelta(minutes=1)
CLOCK_SLACK = timedelta(minutes=5)
"""How far a clock may be set back before a grant with a time limit ends."""


class GrantsInForce(NamedTuple):
    """What a person decided so far and still counts.

    ``allowances`` and ``dismissals`` hold only genuine, live, unused and unexpired grants; ``pending`` is the
    one open junction; ``refused``: how long such a call is refused, "" if it is not.
    """

    allowances: tuple[Grant, ...] = ()
    dismissals: tuple[Grant, ...] = ()
    pending: Junction | None = None
    refused: Refused = ""


class Resolution(NamedTuple):
    """What happens to a call; ``grants`` are the ids of the grants that allow it.

    ``changes``: what is no longer as it was when a person approved this very call, or this class.
    ``is_for_session``: it is refused for the session.
    """

    step: Step
    grants: tuple[str, ...] = ()
    changes: tuple[Difference, ...] = ()
    is_for_session: bool = False


def resolve(
    verdict: Verdict,
    grants: GrantsInForce,
    *,
    is_asking: bool,
    binding: Binding = (),
    machine: str = "",
) -> Resolution:
    """What happens to a call with this verdict, after the decisions so far (order: GA-1).

    ``is_asking`` is True if the host shows its own dialog: then no junction is opened, and a pending one does
    not block. ``binding`` is what the call is bound to now: a grant counts only for what it was given for.
    """
    if verdict.effect == "block":
        return Resolution("block")
    if verdict.effect != "junction":
        return Resolution("pass")
    changes: list[Difference] = []
    for allowance in grants.allowances:
        if allowance["fingerprint"] == verdict.exact:
            changes = bound.differences(bound.of_data(allowance.get("binding")), binding)
            if not changes:
                return Resolution("use", (allowance["id"],))
    covering = _covering_dismissals(verdict, grants.dismissals, binding, machine)
    if covering:
        return Resolution("covered", covering)
    if grants.refused:
        return Resolution("refused", is_for_session=grants.refused == "session")
    pending = grants.pending
    if not is_asking and pending is not None and pending["type"] not in DISPLACEABLE:
        return Resolution("pending")
    changes = changes or _other_target(verdict.classes, grants.dismissals, binding)
    return Resolution("raise", changes=tuple(changes))


def _other_target(
    classes: tuple[str, ...], dismissals: tuple[Grant, ...], binding: Binding
) -> list[Difference]:
    """Why dismissals of these very classes do not cover the call: it goes elsewhere."""
    found: list[Difference] = []
    for each in dismissals:
        name = each["fingerprint"]
        if name in classes:
            was = bound.target_of(bound.of_data(each.get("binding")), name)
            found += bound.differences(was, bound.target_of(binding, name))
    return found


def _covering_dismissals(
    verdict: Verdict, dismissals: tuple[Grant, ...], binding: Binding, machine: str
) -> tuple[str, ...]:
    """The ids of dismissals that together cover every class; () if one class is not covered.

    A dismissal covers the calls of its class that go where the one went that it was given for; one of a rule
    covers all classes of that rule, or those that go to the place that it is for.
    """
    by_rule = [each for each in dismissals if scopes.is_of_rule(each)]
    of_rules = {
        class_of(finding): grant["id"]
        for finding in verdict.findings
        for grant in by_rule
        if scopes.covers(grant, finding, class_of(finding), binding, machine)
    }
    by_class = {
        each["fingerprint"]: each["id"]
        for each in dismissals
        if bound.is_same_target(bound.of_data(each.get("binding")), binding, each["fingerprint"])
    }
    by_class = of_rules | by_class
    if not verdict.classes or any(each not in by_class for each in verdict.classes):
        return ()
    return tuple(dict.fromkeys(by_class[each] for each in verdict.classes))


def new_junction(
    verdict: Verdict,
    call: Call,
    *,
    new_id: str,
    now: datetime,
    shown: str,
    binding: Binding = (),
) -> Junction:
    """The junction for a verdict; ``shown`` is the redacted text of the call."""
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
        "binding": bound.as_data(binding),
        "source": "gate",
    }


def refusal_of(fingerprint: str, turn: int | None) -> str:
    """How a refusal of a class of calls is stored: until the person's next prompt, or for the session.

    ``turn`` is the number of their prompts so far; None: for the whole session.
    """
    return fingerprint if turn is None else f"{fingerprint}@{turn}"


def refused(verdict: Verdict, refusals: frozenset[str], turn: int) -> Refused:
    """How long one of the call's classes is refused: for the session, or since the person's last prompt."""
    names = (verdict.exact, *verdict.classes)
    if any(refusal_of(each, None) in refusals for each in names):
        return "session"
    return "turn" if any(refusal_of(each, turn) in refusals for each in names) else ""


def count_blocked(pending: Junction, verdict: Verdict, *, shown: str) -> None:
    """Record in the pending junction that another call, or the same one again, was denied meanwhile."""
    if verdict.exact == pending.get("fingerprint"):
        pending["repeats"] = int(pending.get("repeats", 0)) + 1
        return
    others = pending.setdefault("also_blocked", [])
    for other in others:
        if other["fingerprint"] == verdict.exact:
            other["times"] += 1
            return
    others.append({"fingerprint": verdict.exact, "rule": verdict.rule, "shown": shown, "times": 1})


def allowance_for(junction: Junction, *, new_id: str, now: datetime, by: str) -> Grant:
    """A grant for one use of exactly the junction's call, as it was shown."""
    return {
        "id": new_id,
        "kind": "allowance",
        "fingerprint": junction["fingerprint"],
        "binding": junction.get("binding", []),
        "granted_at": now.isoformat(),
        "expires_at": (now + timedelta(minutes=ALLOWANCE_MINUTES)).isoformat(),
        "consumed": False,
        "junction": junction["id"],
        "session": junction.get("session", ""),
        "rule": junction.get("rule", ""),
        "shown": junction.get("shown", ""),
        "by": by,
    }


def dismissals_for(
    junction: Junction, *, new_ids: list[str], now: datetime, minutes: int, by: str
) -> list[Grant]:
    """One dismissal for each class of the junction, for its target; there are as many ``new_ids``."""
    until = now + timedelta(minutes=minutes)
    facts = bound.of_data(junction.get("binding"))
    return [
        {
            "id": new_id,
            "kind": "dismissal",
            "fingerprint": fingerprint,
            "binding": bound.as_data(bound.target_of(facts, fingerprint)),
            "target": bound.target_text(bound.target_of(facts, fingerprint)),
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


def rule_dismissal(
    scope: RuleScope, *, new_id: str, now: datetime, by: str, session: str = ""
) -> Grant:
    """A dismissal of a rule for its scope; with ``session`` only in that one."""
    return {
        "id": new_id,
        "kind": "dismissal",
        "fingerprint": scopes.rule_fingerprint(scope.rule),
        "target": "any target, in this session" if session else scope.where,
        "only": scope.only,
        "dismissed_at": now.isoformat(),
        "expires_at": (now + timedelta(minutes=scope.minutes)).isoformat(),
        "session": session,
        "rule": scope.rule,
        "by": by,
    }


def is_expired(grant: Grant, now: datetime) -> bool:
    """True for a grant that has expired, or whose expiry cannot be read.

    Also for one given in the future: the clock was set back, so how long it has lasted is unknown.
    """
    if "expires_at" not in grant:
        return False
    try:
        until = datetime.fromisoformat(str(grant["expires_at"]))
        given = datetime.fromisoformat(
            str(grant.get("dismissed_at") or grant.get("granted_at") or now.isoformat())
        )
        return until <= now or given > now + CLOCK_SLACK
    except (ValueError, TypeError):
        return True


def open_grants(state: State, now: datetime, *keys: str) -> list[Grant]:
    """The grants under these keys of the state that are neither used nor expired, by their own fields."""
    listed = [each for key in keys for each in listed_grants(state, key)]
    return [grant for grant in listed if is_open(grant, now)]


def listed_grants(state: State, key: str) -> list[Grant]:
    """The entries under a key of the state that have the form of a grant: people edit the file."""
    value = state.get(key)
    entries = value if isinstance(value, list) else []
    return cast("list[Grant]", [each for each in entries if isinstance(each, dict)])


def is_open(grant: Grant, now: datetime) -> bool:
    """Neither used nor expired, by the grant's own fields."""
    return grant.get("consumed") is not True and not is_expired(grant, now)


def just_replaced(state: State) -> AnsweredJunction | None:
    """The junction that closed undecided just before the pending one was opened, else None.

    An answer may still be meant for that one: a typed line can wait until the agent's turn ends.
    """
    pending, history = state.get("junction"), state.get("junction_history") or []
    if not isinstance(pending, dict) or not history:
        return None
    last: AnsweredJunction = history[-1]
    if last.get("decision") not in ("displaced", "withdrawn"):
        return None
    try:
        closed = datetime.fromisoformat(str(last.get("decided_at")))
        is_close = datetime.fromisoformat(str(pending.get("created_at"))) - closed <= _JUST_NOW
    except (ValueError, TypeError):
        is_close = True  # asking once too often is the safe side
    return last if is_close else None


def left_questions(state: State) -> list[Junction]:
    """The questions of ended sessions that nobody has answered, the oldest first."""
    value = state.get("left_questions")
    entries = value if isinstance(value, list) else []
    usable = [each for each in entries if isinstance(each, dict) and each.get("id")]
    return cast("list[Junction]", usable)


def open_questions(state: State) -> list[Junction]:
    """Every question that a person can answer: the pending one first."""
    pending = state.get("junction")
    waiting = [pending] if isinstance(pending, dict) and pending.get("id") else []
    return [*cast("list[Junction]", waiting), *left_questions(state)]


def leave(state: State, *, now: datetime) -> tuple[Junction, list[Junction]]:
    """Move the pending junction to the left questions; returns it, and the oldest for which there is no room.

    The same question is listed once.
    """
    asked: Junction = state["junction"]
    asked["left_at"] = now.isoformat()
    state["junction"] = None
    others = [each for each in left_questions(state) if not _is_same_question(each, asked)]
    everything = [*others, asked]
    state["left_questions"] = everything[-LEFT_QUESTIONS_TAIL:]
    return asked, everything[:-LEFT_QUESTIONS_TAIL]


def enlist(state: State, question: Junction) -> Junction:
    """Ask without holding up anybody: pending if nothing is, else on the list; asked once."""
    for each in open_questions(state):
        if _is_same_question(each, question):
            return each
    if not isinstance(state.get("junction"), dict):
        state["junction"] = question
        return question
    listed = left_questions(state)
    if len(listed) >= LEFT_QUESTIONS_TAIL:
        raise AnswerIsNo("too many questions are open", hint="edge status")
    state["left_questions"] = [*listed, question]
    return question


def take_up(state: State, question: Junction) -> None:
    """Make a left question the pending junction again."""
    forget_left(state, question)
    if str(question.get("session") or "").startswith(OF_TASK):
        question.pop("left_at", None)  # a task goes on: every answer makes sense
    state["junction"] = question


def forget_left(state: State, asked: Junction) -> None:
    """Take a question out of the left ones, because it is asked again."""
    left = left_questions(state)
    others = [each for each in left if not _is_same_question(each, asked)]
    if len(others) < len(left):
        state["left_questions"] = others


def _is_same_question(one: Junction, other: Junction) -> bool:
    if one["id"] == other["id"]:
        return True
    asked_by = {str(each.get("session") or "") for each in (one, other)}
    if len(asked_by) > 1 and any(each.startswith(OF_TASK) for each in asked_by):
        return False  # each task waits for its own answer
    keys: tuple[Literal["type"], Literal["fingerprint"], Literal["shown"]]
    keys = ("type", "fingerprint", "shown")
    return all(one.get(key) == other.get(key) for key in keys)


def close(state: State, *, decision: str, now: datetime, by: str, scope: str = "") -> Junction:
    """Move the pending junction from the state into the tail of its history; returns it."""
    junction: Junction = state["junction"]
    state["junction"] = None
    history: list[AnsweredJunction] = list(state.get("junction_history") or [])
    answered: AnsweredJunction = {
        "id": junction["id"],
        "type": junction["type"],
        "decision": decision,
        "decided_at": now.isoformat(),
        "by": by,
        "rule": junction.get("rule", ""),
        "shown": junction.get("shown", ""),
        "fingerprint": junction.get("fingerprint", ""),
    }
    if scope:
        answered["scope"] = scope
    history.append(answered)
    state["junction_history"] = history[-JUNCTION_HISTORY_TAIL:]
    return junction


# end of module
