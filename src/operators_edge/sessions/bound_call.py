"""A call that a person decides on, compared with what they saw: after it ran, and when they answer late.

Owns what a difference leads to: an alarm to the person, in the log and in the next session, or a second look
before an approval. Does not own the measuring (``approvals.binding.service``) or the decision
(``sessions.decisions``).
"""

from __future__ import annotations

import os

from operators_edge.approvals import scopes
from operators_edge.approvals.binding import bound, service, store
from operators_edge.approvals.binding.service import Measuring
from operators_edge.config import effective
from operators_edge.errors import AnswerIsNo, StateDamaged
from operators_edge.gate import decide as gate_decide
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.git.commands import Budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Call
    from operators_edge.project import Project
    from operators_edge.records import Junction
    from operators_edge.sessions.context import EventContext
    from operators_edge.state.transaction import Transaction


def compare(context: EventContext, project: Project, call: Call, *, has_failed: bool) -> str:
    """What the call ran with that was not shown, as a message for the person; "" if it is the same."""
    try:
        kept = store.take_call(project, call.id)
    except StateDamaged as error:
        why = f"it could not be compared: {error}"
        return _alarm(context, project, call, context.redacted_text(call), [why])
    if kept is None:
        return ""
    rules = effective.load(context.root, context.env)
    facts, where = SystemFacts(), place(context.root, context.env)
    scope = Measuring(where, facts, rules, context.env, Budget())
    verdict = gate_decide.assess(call, where, facts, rules)
    now = service.measure(call, verdict, scope)
    shown = bound.of_data(kept.get("binding"))
    changes = service.ran_otherwise(shown, now, scope, has_failed=has_failed)
    if not changes:
        return _offer(project, call) if kept.get("asked") and not has_failed else ""
    return _alarm(
        context, project, call, str(kept.get("shown", "")), service.explained(changes, scope)
    )


def _alarm(
    context: EventContext, project: Project, call: Call, shown: str, texts: list[str]
) -> str:
    context.record("approved_changed", {"changed": texts, "shown": shown}, call)
    alarm = f"what ran differs from what was shown: {shown}: {'; '.join(texts)}"
    store.add_alarm(project, alarm)
    return f"Operator's Edge: {alarm}"


def _offer(project: Project, call: Call) -> str:
    """Which scopes the person can give after a yes in the client's dialog; said once for each class."""
    try:
        question = store.last_question(project, call.session)
    except StateDamaged:
        return ""  # no scope is offered; the command that would use it reports the damage
    if question is None or question.get("agent", "") != call.agent:
        return ""
    classes = question.get("classes") or []
    is_first = project.registry.first_time(call.session, f"offer-{'-'.join(classes)}")
    target = bound.target_text(bound.of_data(question.get("binding")))
    return scopes.offer(str(question.get("rule", "")), target) if is_first else ""


def require_unchanged(project: Project, pending: Junction) -> None:
    """Raise AnswerIsNo if what the pending call was shown with has changed."""
    texts = looked_again(project, pending)
    if texts:
        raise AnswerIsNo(
            f"it changed since you were asked: {'; '.join(texts)}",
            hint="edge approve   (for it as it is now)",
        )


def looked_again(project: Project, pending: Junction) -> list[str]:
    """What has changed since the pending call was shown; the next answer is for it as it is now.

    What only the call itself shows is compared when it comes.
    """
    shown = bound.of_data(pending.get("binding"))
    if not shown:
        return []
    rules, where = effective.load(project.root), place(project.root, os.environ)
    scope = Measuring(where, SystemFacts(), rules, {}, Budget())
    now = service.refreshed(shown, scope)
    changes = bound.differences(shown, now)
    if not changes:
        return []
    texts = service.explained(changes, scope)

    def change(tx: Transaction) -> None:
        junction = tx.state.get("junction")
        if isinstance(junction, dict) and junction.get("id") == pending["id"]:
            junction["binding"] = bound.as_data(now)
            card = junction.get("card")
            if isinstance(card, dict):
                before = card.get("changed_since")
                card["changed_since"] = [*(before if isinstance(before, list) else []), *texts]
            tx.log("junction_changed", {"junction": pending["id"], "changed": texts})

    project.transact(change, command="look again")
    return texts


# end of module
