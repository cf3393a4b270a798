"""Claude Code: its events become calls, our verdicts become its answers.

Owns this host's names and data formats, as observed with the client (2.1.197 to 2.1.329). Does not own any
decision. Every answer is one JSON object or nothing; an allow is an empty answer, so that the client's own
permission rules still apply.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import identity
from operators_edge.model import Call
from operators_edge.project import Project
from operators_edge.sessions.tool_call import ToolCallHandler
from operators_edge.system import project_root

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.hosts.typed_line import Run
    from operators_edge.model import Outcome
    from operators_edge.system.project_root import ProjectLocation

Event = dict[str, Any]

_FOLDERS = ("HOME", "USERPROFILE", "CLAUDE_PROJECT_DIR", "TMPDIR", "TEMP")
"""Environment variables that determine where a call may write."""

_TODO_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate")


def handle(event: Event, run: Run, env: Mapping[str, str] = os.environ) -> str:
    """The answer to one event, as JSON text; may be empty.

    ``run`` runs a typed line as the command of the same name.
    """
    name = event.get("hook_event_name")
    if name == "UserPromptSubmit":
        answer = _user_prompt(event, env, run)
    else:
        answer = _HANDLERS.get(str(name), _nothing)(event, env)
    return json.dumps(answer) if answer else ""


def _nothing(_event: Event, _env: Mapping[str, str]) -> Event:
    return {}


# -- tool calls ----------------------------------------------------------------------------------


def _pre_tool_use(event: Event, env: Mapping[str, str]) -> Event:
    guard, call = _guard(event, env), _call(event)
    outcome = guard.before(call)
    if outcome.effect in ("allow", "warn") and not outcome.decided:
        told = _recalled(guard, call)
        if told:
            text = "\n".join(filter(None, [outcome.context, told]))
            outcome = outcome._replace(effect="warn", context=text)
    return _pre_tool_answer(outcome)


def is_silent(event: Event, env: Mapping[str, str]) -> bool:
    """Whether the answer to the event is empty, and nothing is recorded."""
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - hot path

    if event.get("hook_event_name") != "PreToolUse":
        return False
    if any(folder and not os.path.isabs(folder) for folder in map(env.get, _FOLDERS)):
        return False  # it depends on the caller's folder
    guard, call = _guard(event, env), _call(event)
    if not guard.lets_pass(call):
        return False
    project = guard.project
    return project is None or not project.is_set_up or not memory_service.may_concern(project, call)


def _recalled(guard: ToolCallHandler, call: Call, error: str | None = None) -> str:
    """The lessons about the call or its failure; if they cannot be read, the call continues."""
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - hot path

    project = guard.project
    if project is None or not project.is_set_up:
        return ""
    try:
        if error is None:
            return memory_service.before(project, call)
        return memory_service.after_failure(project, call, error=error)
    except (EdgeError, OSError, ValueError) as problem:
        os.write(2, f"operators-edge: lessons could not be read: {problem}\n".encode())
        return ""


def _pre_tool_answer(outcome: Outcome) -> Event:
    said: Event = {"hookEventName": "PreToolUse"}
    if outcome.effect == "allow" and outcome.decided:
        said |= {"permissionDecision": "allow", "permissionDecisionReason": outcome.text}
    elif outcome.effect == "warn":
        said |= {"additionalContext": outcome.context}
    elif outcome.effect == "ask":
        said |= {"permissionDecision": "ask", "permissionDecisionReason": outcome.text}
    elif outcome.effect in ("block", "junction"):
        said |= {"permissionDecision": "deny", "permissionDecisionReason": outcome.text}
    else:
        return {}
    return {"hookSpecificOutput": said}


def _post_tool_use(event: Event, env: Mapping[str, str]) -> Event:
    response = event.get("tool_response")
    output = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    output = _shell_output(response) or output
    check = _after(event, env, output=output, error=None, response=response)
    if event.get("tool_name") in ("EnterWorktree", "ExitWorktree"):
        return _move(event, env, response)
    if check is not None and check["passed"] is False:  # `pytest | tail` succeeds whatever failed
        told = _recalled(_guard(event, env), _call(event), output)
        return _context("PostToolUse", told) if told else {}
    return {}


def _move(event: Event, env: Mapping[str, str], response: object) -> Event:
    """Entering or leaving a worktree is the only thing that changes a session's root (HO-9)."""
    from operators_edge.sessions import start as session_start  # noqa: PLC0415 - a rare event

    session = _session(event)
    bound = identity.binding(session, env)
    old = _guard(event, env).project
    if bound is None or old is None or not old.is_set_up:
        return {}
    target = bound.first_root
    if event.get("tool_name") == "EnterWorktree":
        path = response.get("worktreePath") if isinstance(response, dict) else None
        target = project_root.same_place(old.root, str(path)) if path else None
    if not target or target == old.root or not identity.move(session, target, env):
        return {}
    text = session_start.move(old, Project(target, is_set_up=True), session)
    return _context("PostToolUse", text) if text else {}


def _post_tool_failure(event: Event, env: Mapping[str, str]) -> Event:
    error = str(event.get("error") or "failed")
    _after(event, env, output="", error=error)
    if event.get("is_interrupt"):
        return {}  # a person interrupted it: not a failure
    text = _recalled(_guard(event, env), _call(event), error)
    return _context("PostToolUseFailure", text) if text else {}


def _after(
    event: Event,
    env: Mapping[str, str],
    *,
    output: str,
    error: str | None,
    response: object = None,
) -> LoggedCheck | None:
    identity.watch_schedule(_session(event), env)
    duration = event.get("duration_ms")
    return _guard(event, env).after(
        _call(event),
        output=output,
        error=error,
        duration_ms=duration if isinstance(duration, int) else None,
        response=response,
        todos=_todos(event, response),
    )


def _todos(event: Event, response: object) -> Event | None:
    tool, given = str(event.get("tool_name")), event.get("tool_input")
    if tool not in _TODO_TOOLS or not isinstance(given, dict):
        return None
    from operators_edge.hosts.claude import todos  # noqa: PLC0415 - only for these tools

    return todos.of_call(tool, given, response)


def _shell_output(response: object) -> str:
    if not isinstance(response, dict) or "stdout" not in response:
        return ""
    return "\n".join(str(response[key]) for key in ("stdout", "stderr") if response.get(key))


def _call(event: Event) -> Call:
    given = event.get("tool_input")
    return Call(
        tool=str(event.get("tool_name") or ""),
        input=given if isinstance(given, dict) else {"value": given},
        cwd=str(event.get("cwd") or os.getcwd()),
        session=_session(event),
        agent=str(event.get("agent_id") or ""),
        id=str(event.get("tool_use_id") or ""),
    )


# -- sessions ------------------------------------------------------------------------------------


def _session_start(event: Event, env: Mapping[str, str]) -> Event:
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - once a session
    from operators_edge.sessions import start as session_start  # noqa: PLC0415 - once a session

    found = _found(event, env)
    told: list[str] = []
    try:
        bound = identity.bind(_session(event), found, env)
    except EdgeError as error:
        bound = True  # calls are checked anyway, and the next prompt binds the session
        told.append(f"Operator's Edge could not open this session: {_words(error)}")
    if found.root is None:
        context = f"Operator's Edge checks calls, but records nothing: {found.reason}"
        return _said("SessionStart", context, told)
    if not found.is_set_up or not bound:
        return _said("SessionStart", "", told)
    project = Project(found.root, is_set_up=True)
    try:
        text = session_start.start(project, _session(event), source=str(event.get("source") or ""))
        memory_service.prepare(project)  # so the session's calls need not do it
    except EdgeError as error:
        text = f"Operator's Edge: {_words(error)}"
        told = told or [text]
    return _said("SessionStart", text, [*told, *_variable_told(project, _session(event), env)])


def _found(event: Event, env: Mapping[str, str]) -> ProjectLocation:
    """The project in which the client was started."""
    return project_root.find(env.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or os.getcwd()))


def _words(error: EdgeError) -> str:
    return f"{error.message}. {error.hint}".strip()


def _said(name: str, context: str, told: list[str]) -> Event:
    """An answer with ``context`` for the agent, and messages for the person."""
    said = _context(name, context) if context else {}
    return {**said, "systemMessage": "\n".join(told)} if told else said


def _variable_told(project: Project, session: str, env: Mapping[str, str]) -> list[str]:
    """A message about an off switch in the environment, at every start: it may be unintended."""
    if not env.get("EDGE_DISABLED"):
        return []
    from operators_edge.approvals import service as approvals_service  # noqa: PLC0415 - rarely set

    return [approvals_service.record_environment_switch(project, session, env)]


def _stop(event: Event, env: Mapping[str, str]) -> Event:
    from operators_edge.hosts.claude import prompt, transcript  # noqa: PLC0415
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - once a turn
    from operators_edge.sessions import end as session_end  # noqa: PLC0415 - once a turn

    crons = event.get("session_crons")
    scheduled = [str(each.get("prompt")) for each in crons or [] if isinstance(each, dict)]
    identity.note_scheduled(
        _session(event), is_ours=any(prompt.is_ours(text) for text in scheduled), env=env
    )
    guard = _guard(event, env)
    if guard.project is None or not guard.project.is_set_up:
        return {}
    session_end.stop(guard.project, _session(event))
    memory_service.prepare(guard.project)
    path = str(event.get("transcript_path") or "")
    alarm = transcript.check_answers(guard, path)
    handed, told = "", ""
    if not _has_agents(event):
        handed, told = _hand_over(guard.project, _session(event), path)
    return _said("Stop", handed, [each for each in (alarm, told) if each])


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
        from operators_edge.hosts.claude import transcript  # noqa: PLC0415 - see above
        from operators_edge.loop import auto as dispatch  # noqa: PLC0415 - only with auto on

        if auto.get("session") == session and transcript.command_waits(path):
            return (
                "",
                "Operator's Edge: auto stops for what you typed, and continues after your next prompt.",
            )

        handed = dispatch.hand_over(project, session)
    except EdgeError as error:
        return "", f"Operator's Edge: auto could not continue: {error.message}"
    return handed.context, handed.notice


def _subagent_start(event: Event, env: Mapping[str, str]) -> Event:
    """A subagent's context; one that the client forks for itself, as for a compaction, has no type."""
    from operators_edge.sessions import subagent  # noqa: PLC0415 - a few among many calls

    project = _guard(event, env).project
    kind = str(event.get("agent_type") or "")
    if not kind or project is None or not project.is_set_up:
        return {}
    agent = str(event.get("agent_id") or "")
    text = subagent.start(project, _session(event), agent=agent, kind=kind)
    return _context("SubagentStart", text) if text else {}


def _subagent_stop(event: Event, env: Mapping[str, str]) -> Event:
    """Record it: if a subagent's dialog was answered with No, this is the client's only event."""
    call = _call(event)
    _guard(event, env).record("subagent_stop", {"type": event.get("agent_type")}, call)
    return {}


def _session_end(event: Event, env: Mapping[str, str]) -> Event:
    from operators_edge.sessions import end as session_end  # noqa: PLC0415 - once a session

    project = _guard(event, env).project
    if project is not None and project.is_set_up:
        session_end.end(project, _session(event), reason=str(event.get("reason") or ""))
    return {}


# -- prompts and settings ------------------------------------------------------------------------


def _user_prompt(event: Event, env: Mapping[str, str], run: Run) -> Event:
    from operators_edge.hosts.claude import prompt  # noqa: PLC0415 - a few prompts among many calls

    text = str(event.get("prompt") or "")
    typist = identity.of_opening(_session(event), _found(event, env), env)
    guard = _guard(event, env)
    if not prompt.is_ours(text):
        prompt.note(guard, text)
        return {}
    typist = typist or identity.of_prompt(_session(event), env)
    answer = prompt.answer(guard, text, typist, run)
    if answer.is_for_model:
        return _context("UserPromptSubmit", answer.text)
    return {
        "decision": "block",
        "reason": answer.text,
        "hookSpecificOutput": {
            "hookEventName": "UserPromptSubmit",
            "suppressOriginalPrompt": True,
        },
    }


def _config_change(event: Event, env: Mapping[str, str]) -> Event:
    """Keep a changed settings file from switching the gate off in this session (facts, 4a)."""
    from operators_edge.hosts.claude.install import settings_still_guarded  # noqa: PLC0415 - rare event

    path = str(event.get("file_path") or "")
    if not path.endswith(".json"):
        return {}
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except FileNotFoundError:
        text = "{}"
    why = settings_still_guarded(path, text)
    if not why:
        return {}
    guard = _guard(event, env)
    guard.record("settings_refused", {"file": path, "why": why})
    return {
        "decision": "block",
        "reason": f"Operator's Edge keeps its hooks in this session: {why}",
    }


# -- shared --------------------------------------------------------------------------------------


def _guard(event: Event, env: Mapping[str, str]) -> ToolCallHandler:
    session = _session(event)
    binding = identity.binding(session, env)
    found = project_root.of_event(binding.root if binding else None, event.get("cwd"), env)
    project = Project(found.root, is_set_up=found.is_set_up) if found.root is not None else None
    return ToolCallHandler(
        project, session=session, can_ask=identity.is_attended(binding, env), env=env
    )


def _session(event: Event) -> str:
    return str(event.get("session_id") or "unknown")


def _context(name: str, text: str) -> Event:
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


_HANDLERS = {
    "PreToolUse": _pre_tool_use,
    "PostToolUse": _post_tool_use,
    "PostToolUseFailure": _post_tool_failure,
    "SessionStart": _session_start,
    "Stop": _stop,
    "SubagentStart": _subagent_start,
    "SubagentStop": _subagent_stop,
    "SessionEnd": _session_end,
    "ConfigChange": _config_change,
}

EVENTS = (*_HANDLERS, "UserPromptSubmit")
"""Every event that is answered."""
