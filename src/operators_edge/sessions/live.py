"""Which sessions of a project there are, and which of them are still running.

Reads bindings, processes and the log. Does not own what a session is shown about the others
(``sessions.briefing``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.errors import EdgeError
from operators_edge.state import schema
from operators_edge.storage import bindings
from operators_edge.system import processes

if TYPE_CHECKING:
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.model import State
    from operators_edge.project import Project

_MAX_RECENT = 10
"""Past sessions among which the previous one is searched."""


def recent(state: State, work: ObjectiveFacts) -> list[str]:
    """The sessions that state and log know, the latest first."""
    latest = schema.latest_session(state)
    older = [str(each) for each in reversed(work["sessions"])]
    return list(dict.fromkeys(filter(None, [latest, *older])))[:_MAX_RECENT]


def running(project: Project, sessions: list[str], session: str) -> list[str]:
    """The other sessions that did not end and whose client is alive; a client has one session at a time."""
    own = _client_of(session) if session else None
    others = []
    for each in sessions:
        client = _client_of(each) if each != session else None
        if client is None or client == own or not processes.is_alive(client):
            continue
        if not project.evidence.session(each)["ended"]:
            others.append(each)
    return others


def _client_of(session: str) -> processes.Identity | None:
    try:
        return processes.recorded(bindings.session_binding(session) or {})
    except EdgeError:
        return None  # without a readable binding, no client counts as alive


def is_asked_elsewhere(project: Project, state: State, session: str) -> bool:
    """Whether the pending decision was raised by another session that is still running."""
    junction = state.get("junction")
    asked = str(junction.get("session") or "") if isinstance(junction, dict) else ""
    return asked not in ("", session) and bool(running(project, [asked], session))
