"""A snapshot before a tool call that can destroy work, and what the answer says about it.

Owns that a call needs nobody's decision if a snapshot provably holds all that it can destroy. Does not own
what a snapshot holds (``undo.snapshots``), or the proof (``undo.kept``).
"""

from __future__ import annotations

from operators_edge.approvals import messages
from operators_edge.errors import EdgeError
from operators_edge.gate.decide import verdict_of
from operators_edge.model import UNDO_MEGABYTES, Outcome
from operators_edge.text.wording import amount, many
from operators_edge.undo import kept, snapshots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Verdict
    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.sessions.context import EventContext


_LEAST_SECONDS = 0.5
_MAX_NAMED = 3
"""How many of the files that no snapshot would keep a card names."""


def add(
    context: EventContext,
    call: Call,
    verdict: Verdict,
    outcome: Outcome,
    rules: Rules,
    *,
    spent: float = 0.0,
) -> Outcome:
    """Keep what the call can destroy: it may run now, or as soon as a person answers "Yes".

    ``spent`` are the seconds that snapshots have taken of this call's time.

    The answer is the same with or without a snapshot; a missing one is reported once for each reason.
    """
    project = context.recorded_project
    if project is None:
        return outcome
    limit = _bounds(rules)
    bounds = limit._replace(seconds=max(_LEAST_SECONDS, limit.seconds - spent))
    results = snapshots.before_call(
        project.root,
        verdict.destroys,
        _reason(context, call),
        bounds=bounds,
        env=context.env,
        clock=project.clock,
    )
    for each in results:
        context.record("snapshot", each.as_data(), call)
    if outcome.text:  # a person decides on this very call, or has
        lines = [each.describe(project.root) for each in results]
        return outcome._replace(text="\n".join([outcome.text, *lines]))
    remarks = [each.describe(project.root) for each in results if _is_news(context, project, each)]
    if remarks:
        return Outcome("warn", context="\n".join(filter(None, [outcome.context, *remarks])))
    return outcome


def _is_news(context: EventContext, project: Project, taken: snapshots.SnapshotResult) -> bool:
    """Whether something of a call that nobody decides about cannot be undone, and this was not said yet."""
    if not taken.id:
        return _is_first_time(context, project, f"no-snapshot-{taken.missing_because}")
    lacks = ", ".join(taken.lacks)
    return bool(lacks) and _is_first_time(context, project, f"not-in-snapshot-{lacks}")


def _reason(context: EventContext, call: Call) -> snapshots.SnapshotReason:
    shown = context.redacted_text(call)
    return snapshots.SnapshotReason(shown, context.session, call.agent, call.id)


def _bounds(rules: Rules) -> snapshots.Bounds:
    megabytes = int(rules.config.get("undo_megabytes", UNDO_MEGABYTES))
    return snapshots.BEFORE_CALL._replace(total=megabytes << 20)


def let_through(
    context: EventContext, call: Call, verdict: Verdict, rules: Rules
) -> tuple[Outcome | None, Verdict]:
    """The answer to a call that destroys nothing which a snapshot does not hold; it is in the log by then.

    None if a person has to decide; the verdict says then what would not be kept.
    """
    project = context.recorded_project
    if project is None or not verdict.recoveries:
        return None, verdict
    reason = _reason(context, call)
    proof = kept.prove(
        project.root,
        verdict.recoveries,
        reason,
        env=context.env,
        clock=project.clock,
        bounds=_bounds(rules),
    )
    if proof.missing:
        first, *rest = verdict.findings
        told = first._replace(not_kept=_listed(proof.missing))
        return None, verdict._replace(findings=(told, *rest))
    try:
        _log(context, project, call, verdict, proof)
    except EdgeError:
        return None, verdict
    if proof.snapshot is None or not proof.is_changed:
        return Outcome(), verdict
    undo = proof.snapshot.restore_command(project.root)
    what = ", ".join(proof.refs[:_MAX_NAMED])
    if proof.files or not what:
        what = f"{many(proof.files, 'file')} ({amount(proof.size)}){' and ' if what else ''}{what}"
    return Outcome("warn", context=f"Operator's Edge kept {what} first. To undo: {undo}"), verdict


def with_loss(context: EventContext, verdict: Verdict) -> Verdict:
    """The verdict on a call that is allowed because of a snapshot: a junction if none would hold it."""
    project = context.recorded_project
    if project is None or verdict.effect != "allow":
        return verdict
    found = list(verdict.destroys)
    for at, each in enumerate(found):
        if each.recovery is not None and (lost := kept.unkeepable(project.root, each.recovery)):
            found[at] = each._replace(effect="junction", not_kept=_listed(lost))
    return verdict if found == list(verdict.destroys) else verdict_of(found)


def _log(
    context: EventContext, project: Project, call: Call, verdict: Verdict, proof: kept.Proof
) -> None:
    taken = proof.snapshot
    data = {
        **messages.verdict_data(verdict),
        "shown": context.redacted_text(call),
        "files": proof.files,
        "size": proof.size,
        "snapshot": taken.id if taken is not None else 0,
    }
    entry: LogEntry = {"event": "let_through", "session": context.session, "data": data}
    entry.update({"tool": call.tool, "agent": call.agent, "tool_use_id": call.id})
    if taken is not None:
        context.record("snapshot", taken.as_data(), call)
    project.log.append(entry, secrets=context.secrets())


def _listed(phrases: tuple[str, ...]) -> str:
    more = len(phrases) - _MAX_NAMED
    return ", ".join(phrases[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _is_first_time(context: EventContext, project: Project, what: str) -> bool:
    """True also if the registry cannot be read: a repeated remark does no harm."""
    try:
        return project.registry.first_time(context.session, what)
    except EdgeError:
        return True


# end of module
