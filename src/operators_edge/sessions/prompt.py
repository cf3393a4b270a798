"""A prompt of the person: its line in the log. A typed command is answered in ``hosts.claude.prompt``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.redaction.redact import preview

if TYPE_CHECKING:
    from operators_edge.sessions.context import EventContext


def note(context: EventContext, text: str, *, is_notice: bool = False) -> None:
    """Record that a turn began, with the prompt, redacted and cut.

    ``is_notice``: the host sent it by itself. What a person refused stays refused then.
    """
    data: dict[str, Any] = {"preview": preview(text, 500, values=context.secrets())}
    context.record("prompt", data | ({"notice": True} if is_notice else {}))


# end of module
