"""A prompt of the person: its line in the log. A typed command is answered in ``hosts.claude.prompt``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.redaction.redact import preview

if TYPE_CHECKING:
    from operators_edge.sessions.context import EventContext


def note(context: EventContext, text: str) -> None:
    """Record that a turn began, with the prompt, redacted and cut."""
    context.record("prompt", {"preview": preview(text, 500, values=context.secrets())})
