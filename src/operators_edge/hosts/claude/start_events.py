"""A session or subagent starts, or moves to another worktree, in Claude Code's words."""

from __future__ import annotations

from operators_edge.approvals.binding import store as binding_store
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import contained, differences, identity, settings_guard
from operators_edge.hosts.claude.event import context_of, for_agent, session_of
from operators_edge.memory import service as memory_service
from operators_edge.project import Project
from operators_edge.sessions import start as session_start, subagent
from operators_edge.storage.keys import mark_installed
from operators_edge.system import project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.hosts.claude.event import Event
    from operators_edge.system.project_root import ProjectLocation


def _session_start(event: Event, env: Mapping[str, str]) -> Event:
    session = session_of(event)
    told: list[str] = []
    found = project_root.of_event(None, event.get("cwd"), env)
    try:
        found = _in_linked_worktree(found, event, env)
        is_bound = identity.bind(session, found, env)
        mark_installed(env)
        told += filter(None, [settings_guard.present(session, env)])
    except EdgeError as error:
        is_bound = True  # calls are checked anyway, and the next prompt binds the session
        told.append(f"Operator's Edge could not open this session: {_words(error)}")
    text = ""
    if found.root is None:
        text = f"Operator's Edge checks calls, but records nothing: {found.reason}"
    elif found.is_set_up and is_bound:
        project = Project(found.root, is_set_up=True)
        try:
            text = session_start.start(project, session, source=str(event.get("source") or ""))
            memory_service.prepare(project)  # so the session's calls need not do it
        except EdgeError as error:
            text = f"Operator's Edge: {_words(error)}"
            told = told or [text]
        told += contained.begin(found.root, session, env)
        told += _unseen_alarms(project, is_seen=context_of(event, env).can_ask)
        told += differences.at_start(session, project, env)
        if env.get("EDGE_DISABLED"):  # told at every start: it may be unintended
            from operators_edge.approvals import service as approvals_service  # noqa: PLC0415 - brings the gate

            told.append(approvals_service.record_environment_switch(project, session, env))
    if not found.is_set_up:
        told += differences.at_start(session, None, env)
    answer = for_agent("SessionStart", text)
    return {**answer, "systemMessage": "\n".join(told)} if told else answer


def _in_linked_worktree(
    found: ProjectLocation, event: Event, env: Mapping[str, str]
) -> ProjectLocation:
    """A session in a new worktree of a project that is set up begins with that project's intent (HO-9)."""
    if found.is_set_up:
        return found
    trees = project_root.main_tree(env.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or ""))
    if trees is None:
        return found
    main, place = trees
    session_start.take_along(Project(main, is_set_up=True), Project(place, is_set_up=True))
    return project_root.named(place)


def _unseen_alarms(project: Project, *, is_seen: bool) -> list[str]:
    """What a person was not shown yet, or only where nobody sat in front of the client."""
    alarms = [f"Operator's Edge, earlier: {each}" for each in binding_store.alarms(project)]
    if alarms and is_seen:
        binding_store.clear_alarms(project)
    return alarms


def _words(error: EdgeError) -> str:
    return f"{error.message}. {error.hint}".strip()


def moved(event: Event, env: Mapping[str, str], response: object) -> Event:
    """Entering or leaving a worktree is the only thing that changes a session's root (HO-9)."""
    session = session_of(event)
    bound = identity.binding(session, env)
    old = context_of(event, env).recorded_project
    if bound is None or old is None:
        return {}
    target = bound.first_root
    if event.get("tool_name") == "EnterWorktree":
        path = response.get("worktreePath") if isinstance(response, dict) else None
        target = project_root.same_place(old.root, str(path)) if path else None
    if not target or target == old.root or not identity.move(session, target, env):
        return {}
    text = session_start.move(old, Project(target, is_set_up=True), session)
    return for_agent("PostToolUse", text)


def _subagent_start(event: Event, env: Mapping[str, str]) -> Event:
    """A subagent's context; one that the client forks for itself, as for a compaction, has no type."""
    project = context_of(event, env).recorded_project
    kind = str(event.get("agent_type") or "")
    if not kind or project is None:
        return {}
    agent = str(event.get("agent_id") or "")
    text = subagent.start(project, session_of(event), agent=agent, kind=kind)
    return for_agent("SubagentStart", text)


HANDLERS: dict[str, Callable[[Event, Mapping[str, str]], Event]] = {
    "SessionStart": _session_start,
    "SubagentStart": _subagent_start,
}

# end of module
