"""After a tool call, in Claude Code's words, as observed with the client (2.1.197 to 2.1.329)."""

from __future__ import annotations

import json

from operators_edge.hosts.claude import call_folder, identity, todos
from operators_edge.hosts.claude.event import call_of, context_of, for_agent, lessons
from operators_edge.sessions import after_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.hosts.claude.event import Event
    from operators_edge.model import Call
    from operators_edge.sessions.context import EventContext


def _post_tool_use(event: Event, env: Mapping[str, str]) -> Event:
    response = event.get("tool_response")
    output = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    output = _shell_output(response) or output
    context = context_of(event, env)
    call = _finished(context, event)
    check = _observed(context, call, event, output=output, error=None, response=response)
    return {
        **_after_success(event, env, check, output),
        **_for_person(after_call.compared(context, call, has_failed=False)),
    }


def _after_success(
    event: Event, env: Mapping[str, str], check: LoggedCheck | None, output: str
) -> Event:
    if event.get("tool_name") in ("EnterWorktree", "ExitWorktree"):
        from operators_edge.hosts.claude import start_events  # noqa: PLC0415 - a rare tool

        return start_events.moved(event, env, event.get("tool_response"))
    if check is not None and check["passed"] is False:  # `pytest | tail` succeeds whatever failed
        told = lessons(context_of(event, env), call_of(event), output)
        return for_agent("PostToolUse", told)
    return {}


def _for_person(text: str) -> Event:
    return {"systemMessage": text} if text else {}


def _post_tool_failure(event: Event, env: Mapping[str, str]) -> Event:
    error = str(event.get("error") or "failed")
    context = context_of(event, env)
    call = _finished(context, event)
    _observed(context, call, event, output="", error=error)
    alarm = _for_person(after_call.compared(context, call, has_failed=True))
    if event.get("is_interrupt"):
        return alarm  # a person interrupted it: not a failure
    return {**for_agent("PostToolUseFailure", lessons(context, call, error)), **alarm}


def _finished(context: EventContext, event: Event) -> Call:
    """The call, with the folder in which it began."""
    call, project = call_of(event), context.recorded_project
    if project is None or call.tool != "Bash":
        return call
    return call_folder.begun(project.root, call)


def _observed(
    context: EventContext,
    call: Call,
    event: Event,
    *,
    output: str,
    error: str | None,
    response: object = None,
) -> LoggedCheck | None:
    """Log what the call did; returns the check that it ran, if it ran one."""
    identity.watch_schedule(context.session, context.env)
    duration = event.get("duration_ms")
    return after_call.observe(
        context,
        call,
        output=output,
        error=error,
        duration_ms=duration if isinstance(duration, int) else None,
        response=response,
        todos=todos.of_call(call.tool, event.get("tool_input"), response),
        is_interrupted=bool(event.get("is_interrupt")),
    )


def _shell_output(response: object) -> str:
    if not isinstance(response, dict) or "stdout" not in response:
        return ""
    return "\n".join(str(response[key]) for key in ("stdout", "stderr") if response.get(key))


HANDLERS: dict[str, Callable[[Event, Mapping[str, str]], Event]] = {
    "PostToolUse": _post_tool_use,
    "PostToolUseFailure": _post_tool_failure,
}

# end of module
