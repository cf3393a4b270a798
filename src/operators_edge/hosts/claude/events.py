"""Claude Code: its events become calls, our verdicts become its answers.

Owns which module answers an event: only that one is loaded. Does not own any decision. Every answer is one
JSON object or nothing; an allow is an empty answer, so that the client's own permission rules still apply.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.claude.event import Event
    from operators_edge.hosts.typed_line import Run


def handle(event: Event, run: Run, env: Mapping[str, str] = os.environ) -> str:
    """The answer to one event, as JSON text; may be empty.

    ``run`` runs a typed line as the command of the same name.
    """
    answer = _answer(str(event.get("hook_event_name")), event, run, env)
    if not isinstance(answer, dict):  # None is what a function says that was cut
        raise TypeError("no answer")
    if not answer:
        return ""
    from operators_edge.text import outgoing  # noqa: PLC0415 - only what the event needs

    return outgoing.to_client(answer)


def _answer(name: str, event: Event, run: Run, env: Mapping[str, str]) -> Event:
    if name == "PreToolUse":
        from operators_edge.hosts.claude import before_event  # noqa: PLC0415 - only what the event needs

        return before_event.answer(event, env)
    if name in ("PostToolUse", "PostToolUseFailure"):
        from operators_edge.hosts.claude import after_events  # noqa: PLC0415 - see above

        return after_events.HANDLERS[name](event, env)
    if name == "UserPromptSubmit":
        from operators_edge.hosts.claude import prompt_events  # noqa: PLC0415 - see above

        return prompt_events.submitted(event, env, run)
    if name in ("SessionStart", "SubagentStart"):
        from operators_edge.hosts.claude import start_events  # noqa: PLC0415 - see above

        return start_events.HANDLERS[name](event, env)
    if name in ("Stop", "SubagentStop", "SessionEnd"):
        from operators_edge.hosts.claude import end_events  # noqa: PLC0415 - see above

        return end_events.HANDLERS[name](event, env)
    if name == "ConfigChange":
        from operators_edge.hosts.claude import settings_guard  # noqa: PLC0415 - see above

        return settings_guard.changed(event, env)
    return {}


# end of module
