"""An agent's edit of the state file, before and after: it may only change what people write (ST-8)."""

from __future__ import annotations

from operators_edge.approvals import messages
from operators_edge.errors import EdgeError
from operators_edge.locations import STATE_FILE
from operators_edge.model import Outcome
from operators_edge.quality import evals_service
from operators_edge.state.proposal import refused_edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Call
    from operators_edge.project import Project
    from operators_edge.sessions.context import EventContext


def decide(context: EventContext, call: Call, target: str) -> Outcome:
    """Allow the edit, unless it changes what only the product writes."""
    refused = refused_edit(target, call.tool, call.input, context.secrets())
    if refused is None:
        if context.project is not None:
            evals_service.begin(context.project, call)
        return Outcome()
    rule, reason = refused
    context.record(messages.block_event(rule), {"rule": rule, "reason": reason}, call)
    return Outcome("block", text=f"Operator's Edge: {STATE_FILE} was not changed. {reason}")


def observe(project: Project, call: Call, session: str) -> None:
    """Log what the edit changed in objective and plan."""
    try:
        project.log_plan_changes(session)
    except EdgeError as error:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"the plan was not read: {error.message}")
    evals_service.finish(project, call)


# end of module
