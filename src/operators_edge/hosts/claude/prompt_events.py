"""A prompt that was submitted, in Claude Code's words: one of ours is answered in ``prompt``."""

from __future__ import annotations

from operators_edge.hosts.claude import contained, differences, identity, slash_commands
from operators_edge.hosts.claude.event import context_of, for_agent, session_of
from operators_edge.sessions.prompt import note
from operators_edge.system import project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.claude.event import Event
    from operators_edge.hosts.typed_line import Run


NOTICES = ("<task-notification", "<cross-session-message", "<teammate-message")
"""How a prompt begins that the client sends by itself (observed with 2.1.329, the last one is documented)."""


def submitted(event: Event, env: Mapping[str, str], run: Run) -> Event:
    """The answer to a prompt: empty, unless it is one of our commands."""
    text, session = str(event.get("prompt") or ""), session_of(event)
    found = project_root.of_event(None, event.get("cwd"), env)
    typist = identity.of_opening(session, found, env)
    context = context_of(event, env)
    is_contained = found.root is not None and contained.heal(found.root, session, env)
    if slash_commands.line(text) is None:
        note(context, text, is_notice=text.lstrip().startswith(NOTICES))
        told = differences.at_prompt(session, context.recorded_project, env)
        if is_contained and context.recorded_project is not None:
            mode = str(event.get("permission_mode") or "")
            told += contained.open_network(context.recorded_project, session, mode, env)
        return {"systemMessage": "\n".join(told)} if told else {}
    from operators_edge.hosts.claude import prompt  # noqa: PLC0415 - most prompts are not ours

    typist = typist or identity.of_prompt(session, env)
    answer = prompt.answer(context, text, typist, run)
    if answer.is_for_model:
        return for_agent("UserPromptSubmit", answer.text)
    return {
        "decision": "block",
        "reason": answer.text,
        "hookSpecificOutput": {
            "hookEventName": "UserPromptSubmit",
            "suppressOriginalPrompt": True,
        },
    }


# end of module
