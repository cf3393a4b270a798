"""Before a tool call, in Claude Code's words, as observed with the client (2.1.197 to 2.1.329).

Every call loads this module, so it imports only what a call that is allowed needs.
"""

from __future__ import annotations

import os

from operators_edge.hosts.claude.event import call_of, context_of, lessons
from operators_edge.memory import trigger_cache
from operators_edge.sessions import before_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.claude.event import Event
    from operators_edge.model import Call, Outcome
    from operators_edge.sessions.context import EventContext

_FOLDERS = ("HOME", "USERPROFILE", "CLAUDE_PROJECT_DIR", "TMPDIR", "TEMP")
"""Environment variables that determine where a call may write."""


_USES_FILES = ("Agent", "Task", "Skill", "SlashCommand")
"""Tools with which the client loads hooks of a skill, command or agent. It reports no change of agents."""


def answer(event: Event, env: Mapping[str, str]) -> Event:
    """The gate's verdict on the call, and the lessons about it."""
    context, call = context_of(event, env), call_of(event)
    if call.tool in _USES_FILES:
        from operators_edge.hosts.claude import settings_guard  # noqa: PLC0415 - a rare call

        why = settings_guard.why_refused(call.session, env)
        if why:
            context.record("settings_refused", {"tool": call.tool, "why": why})
            return _denied(f"Operator's Edge: {why}")
    _keep_folder(context, call)
    outcome = before_call.decide(context, call)
    if not outcome.decided:
        outcome = _with_lessons(outcome, context, call)
    return _pre_tool_answer(outcome)


def _with_lessons(outcome: Outcome, context: EventContext, call: Call) -> Outcome:
    """The answer with the lessons about the call: of a denial they are part, of a question beside it."""
    runs = outcome.effect in ("allow", "warn")
    text = lessons(context, call, is_denied=not runs)
    if not text:
        return outcome
    if outcome.effect in ("block", "junction"):
        return outcome._replace(text=f"{outcome.text}\n{text}")
    context_text = "\n".join(filter(None, [outcome.context, text]))
    return outcome._replace(effect="warn" if runs else outcome.effect, context=context_text)


def is_silent(event: Event, env: Mapping[str, str]) -> bool:
    """Whether the answer to the event is empty, and nothing is recorded."""
    if event.get("hook_event_name") != "PreToolUse":
        return False
    if any(folder and not os.path.isabs(folder) for folder in map(env.get, _FOLDERS)):
        return False  # it depends on the caller's folder
    context, call = context_of(event, env), call_of(event)
    if call.tool in _USES_FILES or not before_call.is_silent(context, call):
        return False
    if _moves(call):
        return False  # where it begins is noted
    project = context.recorded_project
    return project is None or not trigger_cache.may_concern_call(project.root, call, env)


def _moves(call: Call) -> bool:
    text = str(call.input.get("command")) if call.tool == "Bash" else ""
    if "cd" not in text and "pushd" not in text and "popd" not in text:
        return False
    from operators_edge.hosts.claude import call_folder  # noqa: PLC0415 - for few commands

    return call_folder.may_move(text)


def _keep_folder(context: EventContext, call: Call) -> None:
    if context.recorded_project is not None and _moves(call):
        from operators_edge.hosts.claude import call_folder  # noqa: PLC0415 - see above

        call_folder.keep(context.recorded_project.root, call)


def _denied(reason: str) -> Event:
    said = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}}


def _pre_tool_answer(outcome: Outcome) -> Event:
    said: Event = {"hookEventName": "PreToolUse"}
    if outcome.effect == "allow" and outcome.decided:
        said |= {"permissionDecision": "allow", "permissionDecisionReason": outcome.text}
    elif outcome.effect == "warn":
        said |= {"additionalContext": outcome.context}
    elif outcome.effect == "ask":
        said |= {"permissionDecision": "ask", "permissionDecisionReason": outcome.text}
        said |= {"additionalContext": outcome.context} if outcome.context else {}
    elif outcome.effect in ("block", "junction"):
        said |= {"permissionDecision": "deny", "permissionDecisionReason": outcome.text}
    else:
        return {}
    return {"hookSpecificOutput": said}


# end of module
