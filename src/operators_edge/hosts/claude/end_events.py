"""A turn, a subagent or a session ends, in Claude Code's words."""

from __future__ import annotations

from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import call_folder, identity, slash_commands, transcript
from operators_edge.hosts.claude.event import call_of, context_of, for_agent, session_of
from operators_edge.memory import service as memory_service
from operators_edge.sessions import end as session_end
from operators_edge.sessions.prompt import shortened
from operators_edge.text.wording import cut, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.git.worktree import TreeState
    from operators_edge.hosts.claude.event import Event
    from operators_edge.project import Project


def _stop(event: Event, env: Mapping[str, str]) -> Event:
    session = session_of(event)
    crons = event.get("session_crons")
    scheduled = [str(each.get("prompt")) for each in crons or [] if isinstance(each, dict)]
    is_ours = any(slash_commands.line(text) is not None for text in scheduled)
    identity.note_scheduled(session, is_ours=is_ours, env=env)
    context = context_of(event, env)
    project = context.recorded_project
    if project is None:
        return {}
    call_folder.sweep(project.root)
    message = event.get("last_assistant_message")
    said = message.strip() if isinstance(message, str) else ""
    tree = session_end.stop(project, session, said=said, secrets=context.secrets() if said else ())
    memory_service.prepare(project)
    path = str(event.get("transcript_path") or "")
    alarm = transcript.check_answers(context, path)
    handed, told = "", ""
    if not _has_agents(event):
        handed, told = _hand_over(project, session, path)
    messages = [each for each in (alarm, _judged(project, session, said, tree), told) if each]
    answer = for_agent("Stop", handed)
    return {**answer, "systemMessage": "\n".join(messages)} if messages else answer


def _judged(project: Project, session: str, said: str, tree: TreeState | None) -> str:
    """One line for the person if what was observed contradicts the agent's last message (PR-12)."""
    if not said:
        return ""
    from operators_edge.evidence.claims import service as claims_service  # noqa: PLC0415 - only with a message

    try:
        why = claims_service.contradicted_message(project, said, tree)
    except EdgeError as error:
        return f"Operator's Edge: the agent's last message could not be judged: {error.message}"
    if not why:
        return ""
    data = {"why": why, "preview": cut(said, 200)}
    project.log.append({"event": "message_contradicted", "session": session, "data": data})
    return f"Operator's Edge: the agent's last message is contradicted: {one_line(why, 300)}"


def _has_agents(event: Event) -> bool:
    """Whether subagents are still running: the client wakes the agent when they have ended.

    A background command does not count; it may be a server, which never ends.
    """
    tasks = event.get("background_tasks")
    return any(
        isinstance(each, dict) and (each.get("type"), each.get("status")) == ("subagent", "running")
        for each in (tasks if isinstance(tasks, list) else ())
    )


def _hand_over(project: Project, session: str, path: str) -> tuple[str, str]:
    """The next step, if auto is on for this session: for the agent, and a message for the person."""
    try:
        auto = project.state.read().get("auto")
        if not isinstance(auto, dict) or auto.get("enabled") is not True:
            return "", ""
        from operators_edge.loop import auto as auto_loop  # noqa: PLC0415 - only with auto on

        if auto.get("session") == session and transcript.command_waits(path):
            return (
                "",
                "Operator's Edge: auto stops for what you typed, and continues after your next prompt.",
            )

        handed = auto_loop.hand_over(project, session)
    except EdgeError as error:
        return "", f"Operator's Edge: auto could not continue: {error.message}"
    return handed.context, handed.notice


def _subagent_stop(event: Event, env: Mapping[str, str]) -> Event:
    """Record it: if a subagent's dialog was answered with No, this is the client's only event."""
    context, data = context_of(event, env), {"type": event.get("agent_type")}
    message = event.get("last_assistant_message")
    if isinstance(message, str) and message.strip() and event.get("agent_type"):
        data["said"] = shortened(message.strip(), context.secrets())
    context.record("subagent_stop", data, call_of(event))
    return {}


def _session_end(event: Event, env: Mapping[str, str]) -> Event:
    project = context_of(event, env).recorded_project
    identity.note_end(session_of(event), env)
    if project is not None:
        session_end.end(project, session_of(event), reason=str(event.get("reason") or ""))
    return {}


HANDLERS: dict[str, Callable[[Event, Mapping[str, str]], Event]] = {
    "Stop": _stop,
    "SubagentStop": _subagent_stop,
    "SessionEnd": _session_end,
}

# end of module
