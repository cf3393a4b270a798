"""One event of Claude Code: its session, project and tool call; and what the agent reads.

Owns the names of an event's fields. What is answered is in ``before_event``, ``after_events``,
``prompt_events``, ``start_events`` and ``end_events``.
"""

from __future__ import annotations

import os

from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import identity
from operators_edge.memory import trigger_cache
from operators_edge.model import Call
from operators_edge.project import Project
from operators_edge.sessions.context import EventContext
from operators_edge.system import project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Event = dict[str, Any]


def session_of(event: Event) -> str:
    return str(event.get("session_id") or "unknown")


def context_of(event: Event, env: Mapping[str, str]) -> EventContext:
    """What handling the event needs."""
    session = session_of(event)
    bound = identity.binding(session, env)
    found = project_root.of_event(bound.root if bound else None, event.get("cwd"), env)
    project = Project(found.root, is_set_up=found.is_set_up) if found.root is not None else None
    return EventContext(
        project,
        session=session,
        can_ask=identity.is_attended(bound, env),
        who_answers=lambda: _who_answers(found.root, env),
        env=env,
    )


def _who_answers(root: str | None, env: Mapping[str, str]) -> str:
    from operators_edge.hosts.claude import dialog_hooks  # noqa: PLC0415 - only where a person is asked

    entries = dialog_hooks.find(root, env)
    return str(entries[0]) if entries else ""


def call_of(event: Event) -> Call:
    given = event.get("tool_input")
    return Call(
        tool=str(event.get("tool_name") or ""),
        input=given if isinstance(given, dict) else {"value": given},
        cwd=str(event.get("cwd") or os.getcwd()),
        session=session_of(event),
        agent=str(event.get("agent_id") or ""),
        id=str(event.get("tool_use_id") or ""),
    )


def lessons(
    context: EventContext, call: Call, error: str | None = None, *, is_denied: bool = False
) -> str:
    """The lessons about the call or its failure; if they cannot be read, the call continues."""
    project = context.recorded_project
    if project is None:
        return ""
    if error is None and not trigger_cache.may_concern_call(project.root, call):
        return ""
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - few calls reach this

    try:
        if is_denied:
            return memory_service.with_denial(project, call)
        if error is None:
            return memory_service.before(project, call)
        return memory_service.after_failure(project, call, error=error)
    except (EdgeError, OSError, ValueError) as problem:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"lessons could not be read: {problem}")
        return ""


def for_agent(name: str, text: str) -> Event:
    """An answer that adds a text to what the agent reads; no answer without a text."""
    if not text:
        return {}
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


# end of module
