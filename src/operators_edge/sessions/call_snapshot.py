"""A snapshot before a tool call that can destroy work, and what the answer says about it.

Does not own what a snapshot holds (``undo.snapshots``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.errors import EdgeError
from operators_edge.model import Outcome
from operators_edge.undo import snapshots

if TYPE_CHECKING:
    from operators_edge.model import Call, Verdict
    from operators_edge.project import Project
    from operators_edge.sessions.context import EventContext


def add(context: EventContext, call: Call, verdict: Verdict, outcome: Outcome) -> Outcome:
    """Keep what the call can destroy: it may run now, or as soon as a person answers "Yes".

    The answer is the same with or without a snapshot; a missing one is reported once for each reason.
    """
    project = context.recorded_project
    if project is None:
        return outcome
    reason = snapshots.SnapshotReason(
        context.redacted_text(call), context.session, call.agent, call.id
    )
    results = snapshots.before_call(
        project.root, verdict.destroys, reason, env=context.env, clock=project.clock
    )
    for each in results:
        context.record("snapshot", each.as_data(), call)
    if outcome.text:  # a person decides on this very call, or has
        lines = [each.describe(project.root) for each in results]
        return outcome._replace(text="\n".join([outcome.text, *lines]))
    missing = [
        each.describe(project.root)
        for each in results
        if not each.id and _is_first_time(context, project, f"no-snapshot-{each.missing_because}")
    ]
    if missing:
        return Outcome("warn", context="\n".join(filter(None, [outcome.context, *missing])))
    return outcome


def _is_first_time(context: EventContext, project: Project, what: str) -> bool:
    """True also if the registry cannot be read: a repeated remark does no harm."""
    try:
        return project.registry.first_time(context.session, what)
    except EdgeError:
        return True


# end of module
