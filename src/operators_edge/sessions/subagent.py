"""The start of a subagent: its log entry, and what it is shown. Its session is the parent's."""

from __future__ import annotations

from operators_edge.errors import EdgeError
from operators_edge.evidence.said import requests
from operators_edge.sessions import briefing, live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.project import Project
    from operators_edge.records import LogEntry


def start(project: Project, session: str, *, agent: str, kind: str) -> str:
    """Log the start; returns what the subagent is shown."""
    entry: LogEntry = {
        "event": "subagent_start",
        "session": session,
        "agent": agent,
        "data": {"type": kind},
    }
    problem = ""
    try:
        project.log.append(entry)
    except EdgeError as error:
        problem = briefing.problem_line("This agent is not recorded", error)
    state = project.state.read()
    budget = min(briefing.SUBAGENT_BUDGET, project.context_tokens)
    said = [] if state.get("objective") else requests(project.evidence.work()["said"])
    asks_elsewhere = live.is_asked_elsewhere(project, state, session)
    facts = briefing.RecordFacts(said=said, asks_elsewhere=asks_elsewhere)
    text = briefing.for_subagent(state, facts, budget=budget)
    return "\n".join([text, *([problem] if problem else [])]).strip()


# end of module
