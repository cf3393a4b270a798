"""Which sessions of a project there are, which of them are still running, and what ended ones left open.

Reads bindings, processes and the log. Does not own what a session is shown about the others
(``sessions.briefing``).
"""

from __future__ import annotations

from operators_edge.approvals import junction
from operators_edge.errors import EdgeError
from operators_edge.model import OF_TASK
from operators_edge.state import schema
from operators_edge.storage import bindings
from operators_edge.system import processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.records import Junction
    from operators_edge.state.transaction import Transaction

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


def is_of_task(session: str) -> bool:
    """Whether a task of the Bridge asked, and no session."""
    return session.startswith(OF_TASK)


def task_of(question: Mapping[str, Any]) -> str:
    """The task that asked a question; "" if a session did."""
    session = str(question.get("session") or "")
    return session.removeprefix(OF_TASK).rpartition("/")[0] if is_of_task(session) else ""


def has_ended(project: Project, asked: str, session: str) -> bool:
    """Whether a session is known to have ended: by the log, or because its client no longer runs.

    A client that is gone shows only where the client of ``session`` is seen running, the one that asks now:
    elsewhere, in a container say, no client can be seen at all.
    """
    if not asked or asked == session:
        return False
    if project.evidence.session(asked)["ended"]:
        return True
    client, own = _client_of(asked), _client_of(session) if session else None
    if client is None or own is None or not processes.is_alive(own):
        return False
    return not processes.is_alive(client)


def leave_question(
    project: Project, tx: Transaction, session: str, *, is_needed: bool = False
) -> None:
    """A pending question that can no longer be answered where it was asked blocks nobody (JU-9).

    That of a task stays pending until another one needs its place: it can be answered anywhere.
    """
    is_of_task = bool(task_of(tx.state.get("junction") or {}))
    if not is_left(project, tx.state, session) or (is_of_task and not is_needed):
        return
    is_known = "left_at" in tx.state["junction"]  # taken up again, and not answered
    left, dropped = junction.leave(tx.state, now=project.clock())
    if not is_known:
        tx.log("junction_left", _named(left), session=str(left.get("session") or ""))
    for each in dropped:
        tx.log("junction_dropped", _named(each), session=str(each.get("session") or ""))


def _named(asked: Junction) -> dict[str, object]:
    return {"junction": asked["id"], "type": asked["type"], "shown": asked.get("shown", "")}


def is_left(project: Project, state: State, session: str) -> bool:
    """Whether the pending question would block ``session``, and the one that asked it has ended.

    A task's question blocks no session.
    """
    pending = state.get("junction")
    if not isinstance(pending, dict) or pending.get("type") in junction.DISPLACEABLE:
        return False
    if is_of_task(str(pending.get("session") or "")):
        return True
    return has_ended(project, str(pending.get("session") or ""), session)


def is_asked_elsewhere(project: Project, state: State, session: str) -> bool:
    """Whether the pending decision was raised by another session that is still running."""
    pending = state.get("junction")
    asked = str(pending.get("session") or "") if isinstance(pending, dict) else ""
    return asked not in ("", session) and bool(running(project, [asked], session))


# end of module
