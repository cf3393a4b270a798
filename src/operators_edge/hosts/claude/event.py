"""One event of Claude Code: its session, project and tool call; and an answer's text for the agent.

Owns the names of an event's fields. What is answered is in ``tool_events``, ``start_events``, ``end_events``
and ``prompt_events``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.hosts.claude import identity
from operators_edge.model import Call
from operators_edge.project import Project
from operators_edge.sessions.context import EventContext
from operators_edge.system import project_root

if TYPE_CHECKING:
    from collections.abc import Mapping

Event = dict[str, Any]


def session_of(event: Event) -> str:
    return str(event.get("session_id") or "unknown")


def context_of(event: Event, env: Mapping[str, str]) -> EventContext:
    """What handling the event needs."""
    session = session_of(event)
    bound = identity.binding(session, env)
    found = project_root.of_event(bound.root if bound else None, event.get("cwd"), env)
    project = Project(found.root, is_set_up=found.is_set_up) if found.root is not None else None
    return EventContext(project, session=session, can_ask=identity.is_attended(bound, env), env=env)


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


def for_agent(name: str, text: str) -> Event:
    """An answer that adds a text to what the agent reads; no answer without a text."""
    if not text:
        return {}
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
