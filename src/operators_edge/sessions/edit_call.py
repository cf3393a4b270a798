"""Before an edit that the gate allows: a remark if there is no plan, and the state file's own rules.

Does not own an edit of the state file (``sessions.state_edit``).
"""

from __future__ import annotations

import os

from operators_edge.errors import EdgeError
from operators_edge.locations import STATE_FILE
from operators_edge.model import Outcome
from operators_edge.plan import modes
from operators_edge.system.realpaths import RealPaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Call, State
    from operators_edge.project import Project
    from operators_edge.sessions.context import EventContext

_REMARK = "no-plan"


def decide(context: EventContext, call: Call, root: str) -> Outcome:
    """Allow the edit; an edit of the state file only as far as an agent may change it."""
    target = _target(call)
    if is_same_file(target, os.path.join(root, STATE_FILE)):
        from operators_edge.sessions import state_edit  # noqa: PLC0415 - a rare edit

        return state_edit.decide(context, call, target)
    return _warn_without_plan(context, call)


def is_silent(context: EventContext, project: Project, call: Call) -> bool:
    """Whether ``decide`` would say nothing; False if the state would have to be parsed to find out."""
    state = project.state.read_known()
    if state is None or is_same_file(_target(call), project.state.path):
        return False
    return not _lacks_plan(context, state) or project.registry.was_shown(context.session, _REMARK)


def _warn_without_plan(context: EventContext, call: Call) -> Outcome:
    """In active mode an edit without a plan causes one remark a session (GA-8)."""
    project = context.recorded_project
    if project is None:
        return Outcome()
    try:
        state = project.state.read()
    except EdgeError as error:
        return Outcome("warn", context=f"Operator's Edge: {error.message}. {error.hint}")
    if not _lacks_plan(context, state):
        return Outcome()
    if not project.registry.first_time(context.session, _REMARK):
        return Outcome()
    text = (
        "Operator's Edge: there is an objective but no plan. "
        "Consider writing its steps down first: edge plan add TEXT"
    )
    context.record("warned", {"rule": _REMARK}, call)
    return Outcome("warn", context=text)


def _lacks_plan(context: EventContext, state: State) -> bool:
    if state.get("plan") or modes.current(state) != "active":
        return False
    from operators_edge.approvals import service as approvals_service  # noqa: PLC0415 - without a plan only

    return "" not in approvals_service.active_switches(
        context.project, context.session, context.env
    )


def _target(call: Call) -> str:
    path = str(call.input.get("file_path") or call.input.get("notebook_path") or "")
    return RealPaths().of(os.path.join(call.cwd, path))


def is_same_file(path: str, other: str) -> bool:
    """Also by another spelling, as on file systems that ignore case, or by a hard link."""
    try:
        return path == other or os.path.samefile(path, other)
    except OSError:
        return False


# end of module
