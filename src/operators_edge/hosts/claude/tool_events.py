"""Before and after a tool call, in Claude Code's words.

Owns this host's data formats for tool calls, as observed with the client (2.1.197 to 2.1.329). Every call
loads this module, so it imports only what a call that is allowed needs.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import identity
from operators_edge.hosts.claude.event import call_of, context_of, for_agent, session_of
from operators_edge.memory import service as memory_service
from operators_edge.sessions import before_call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.hosts.claude.event import Event
    from operators_edge.model import Call, Outcome
    from operators_edge.sessions.context import EventContext

_FOLDERS = ("HOME", "USERPROFILE", "CLAUDE_PROJECT_DIR", "TMPDIR", "TEMP")
"""Environment variables that determine where a call may write."""

_TODO_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate")


def _pre_tool_use(event: Event, env: Mapping[str, str]) -> Event:
    context, call = context_of(event, env), call_of(event)
    outcome = before_call.decide(context, call)
    if outcome.effect in ("allow", "warn") and not outcome.decided:
        told = _recalled(context, call)
        if told:
            text = "\n".join(filter(None, [outcome.context, told]))
            outcome = outcome._replace(effect="warn", context=text)
    return _pre_tool_answer(outcome)


def is_silent(event: Event, env: Mapping[str, str]) -> bool:
    """Whether the answer to the event is empty, and nothing is recorded."""
    if event.get("hook_event_name") != "PreToolUse":
        return False
    if any(folder and not os.path.isabs(folder) for folder in map(env.get, _FOLDERS)):
        return False  # it depends on the caller's folder
    context, call = context_of(event, env), call_of(event)
    if not before_call.is_silent(context, call):
        return False
    project = context.recorded_project
    return project is None or not memory_service.may_concern(project, call)


def _recalled(context: EventContext, call: Call, error: str | None = None) -> str:
    """The lessons about the call or its failure; if they cannot be read, the call continues."""
    project = context.recorded_project
    if project is None:
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
    check = _observed(event, env, output=output, error=None, response=response)
    if event.get("tool_name") in ("EnterWorktree", "ExitWorktree"):
        from operators_edge.hosts.claude import start_events  # noqa: PLC0415 - a rare tool

        return start_events.moved(event, env, response)
    if check is not None and check["passed"] is False:  # `pytest | tail` succeeds whatever failed
        return for_agent("PostToolUse", _recalled(context_of(event, env), call_of(event), output))
    return {}


def _post_tool_failure(event: Event, env: Mapping[str, str]) -> Event:
    error = str(event.get("error") or "failed")
    _observed(event, env, output="", error=error)
    if event.get("is_interrupt"):
        return {}  # a person interrupted it: not a failure
    return for_agent("PostToolUseFailure", _recalled(context_of(event, env), call_of(event), error))


def _observed(
    event: Event,
    env: Mapping[str, str],
    *,
    output: str,
    error: str | None,
    response: object = None,
) -> LoggedCheck | None:
    """Log what the call did; returns the check that it ran, if it ran one."""
    from operators_edge.sessions import after_call  # noqa: PLC0415 - not before a call

    identity.watch_schedule(session_of(event), env)
    duration = event.get("duration_ms")
    return after_call.observe(
        context_of(event, env),
        call_of(event),
        output=output,
        error=error,
        duration_ms=duration if isinstance(duration, int) else None,
        response=response,
        todos=_todos(event, response),
    )


def _todos(event: Event, response: object) -> dict[str, Any] | None:
    tool, given = str(event.get("tool_name")), event.get("tool_input")
    if tool not in _TODO_TOOLS or not isinstance(given, dict):
        return None
    from operators_edge.hosts.claude import todos  # noqa: PLC0415 - only for these tools

    return todos.of_call(tool, given, response)


def _shell_output(response: object) -> str:
    if not isinstance(response, dict) or "stdout" not in response:
        return ""
    return "\n".join(str(response[key]) for key in ("stdout", "stderr") if response.get(key))


HANDLERS: dict[str, Callable[[Event, Mapping[str, str]], Event]] = {
    "PreToolUse": _pre_tool_use,
    "PostToolUse": _post_tool_use,
    "PostToolUseFailure": _post_tool_failure,
}
