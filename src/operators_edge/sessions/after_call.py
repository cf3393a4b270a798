"""After a tool call: what really happened, as entries of the log.

Owns which observations are made of a call, and that they are logged together. What counts as a check is in
``evidence.checks``, as tampering in ``evidence.tamper``, and a lesson's success in ``memory.outcomes``.
"""

from __future__ import annotations

import os

from operators_edge.approvals.binding import store as binding_store
from operators_edge.evidence import unexpected_failures
from operators_edge.evidence.checks import service as checks_service
from operators_edge.evidence.checks.run import exit_code
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.evidence.tamper import service as tamper_service
from operators_edge.locations import STATE_FILE
from operators_edge.sessions.context import EDITING_TOOLS
from operators_edge.storage import known_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.model import Call
    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.sessions.context import EventContext


def observe(
    context: EventContext,
    call: Call,
    *,
    output: str,
    error: str | None,
    duration_ms: int | None,
    response: object = None,
    todos: dict[str, Any] | None = None,
    is_interrupted: bool = False,
) -> LoggedCheck | None:
    """Log the call and what follows from it, unless no project is set up; returns the check that it ran.

    ``response`` is the tool's own answer as data, if the host passes one, and ``todos`` what the call says
    about the host's own todos (``hosts.claude.todos``). ``is_interrupted``: by the person.
    """
    project = context.recorded_project
    if project is None:
        return None
    known_secrets.note_read(project.root, call.input, call.cwd, context.env)
    code = exit_code(call.tool, error)
    check = checks_service.observed(
        project, call, output=output, error=error, response=response, env=context.env
    )
    done = todos if error is None else None
    data = {"check": check, "todos": done, "interrupted": is_interrupted or None}
    entry = {
        "session": context.session,
        "tool": call.tool,
        "agent": call.agent,
        "tool_use_id": call.id,
        "success": error is None,
        "exit_code": code,
        "duration_ms": duration_ms,
        "input": call.input,
        "output": output if error is None else error,
        "cwd": call.cwd,
        "data": {name: value for name, value in data.items() if value is not None},
    }
    more = tamper_service.of_call(project, call, response) if error is None else []
    more += _mismatch_entries(project, call, check, code)
    project.log.append_many([tool_entry(entry), *more], secrets=context.secrets())
    if check is not None and check["look"] is not None:
        tamper_service.when_checked(project, context.session, check["look"])
    if error is None and call.tool in EDITING_TOOLS and _is_of_state(call, project):
        from operators_edge.sessions import state_edit  # noqa: PLC0415 - a rare edit

        state_edit.observe(project, call, context.session)
    return check


def compared(context: EventContext, call: Call, *, has_failed: bool) -> str:
    """What a call that a person decided on ran with and was not shown; a message for the person, or ""."""
    project = context.recorded_project
    if project is None or not binding_store.has_call(project, call.id):
        return ""
    from operators_edge.sessions import bound_call  # noqa: PLC0415 - for such calls only

    return bound_call.compare(context, project, call, has_failed=has_failed)


def _mismatch_entries(
    project: Project, call: Call, check: LoggedCheck | None, code: int | None
) -> list[LogEntry]:
    """The entry for a check that failed although the step in progress expects it to pass; else none."""
    if check is None or check["passed"] is not False:
        return []
    command = str(call.input.get("command") or "")
    data = unexpected_failures.detect(project.state.read(), command, check, code)
    if data is None:
        return []
    origin: LogEntry = {"session": call.session, "agent": call.agent, "tool": call.tool}
    return [{"event": "mismatch_seen", **origin, "tool_use_id": call.id, "data": {**data}}]


def _is_of_state(call: Call, project: Project) -> bool:
    """Whether the call edited the state file. An edit through a link is noticed when the turn ends."""
    path = str(call.input.get("file_path") or "")
    if os.path.basename(path) != STATE_FILE:
        return False
    edited, state = os.path.join(call.cwd, path), os.path.join(project.root, STATE_FILE)
    try:
        return edited == state or os.path.samefile(edited, state)
    except OSError:
        return False


# end of module
