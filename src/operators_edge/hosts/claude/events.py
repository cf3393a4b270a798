"""Claude Code: its events become calls, our verdicts become its answers.

Owns which module answers an event: only that one is loaded. Does not own any decision. Every answer is one
JSON object or nothing; an allow is an empty answer, so that the client's own permission rules still apply.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from operators_edge.hosts.claude import tool_events

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.claude.event import Event
    from operators_edge.hosts.typed_line import Run


def handle(event: Event, run: Run, env: Mapping[str, str] = os.environ) -> str:
    """The answer to one event, as JSON text; may be empty.

    ``run`` runs a typed line as the command of the same name.
    """
    answer = _answer(str(event.get("hook_event_name")), event, run, env)
    return json.dumps(answer) if answer else ""


def _answer(name: str, event: Event, run: Run, env: Mapping[str, str]) -> Event:
    handler = tool_events.HANDLERS.get(name)
    if name == "UserPromptSubmit":
        from operators_edge.hosts.claude import prompt_events  # noqa: PLC0415 - not for a tool call

        return prompt_events.submitted(event, env, run)
    if name in ("SessionStart", "SubagentStart"):
        from operators_edge.hosts.claude import start_events  # noqa: PLC0415 - not for a tool call

        handler = start_events.HANDLERS[name]
    elif name in ("Stop", "SubagentStop", "SessionEnd"):
        from operators_edge.hosts.claude import end_events  # noqa: PLC0415 - not for a tool call

        handler = end_events.HANDLERS[name]
    elif name == "ConfigChange":
        from operators_edge.hosts.claude import settings_guard  # noqa: PLC0415 - not for a tool call

        handler = settings_guard.changed
    return handler(event, env) if handler is not None else {}
