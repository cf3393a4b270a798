"""What is logged of a prompt of the person, and how a message is shortened for the next session.

Does not own typed commands (``hosts.claude.prompt``).
"""

from __future__ import annotations

from operators_edge.redaction.redact import preview

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.sessions.context import EventContext


PREVIEW = 500
"""Characters of a prompt in the log."""

_MAX_READ = 16_000


def shortened(text: str, secrets: tuple[str, ...]) -> str:
    """What was said, redacted, and then shortened to what the next session can be shown of it.

    Redacted first: half a secret is not recognised.
    """
    from operators_edge.evidence.said import LENGTH  # noqa: PLC0415 - not for a short prompt
    from operators_edge.text.gist import gist  # noqa: PLC0415 - not for a short prompt

    return gist(preview(text, _MAX_READ, values=secrets), LENGTH)


def note(context: EventContext, text: str, *, is_notice: bool = False) -> None:
    """Record that a turn began, with the prompt, redacted and cut.

    ``is_notice``: the host sent it by itself. What a person refused stays refused then.
    """
    data: dict[str, Any] = {"preview": preview(text, PREVIEW, values=context.secrets())}
    if len(text) > PREVIEW and not is_notice:
        data["gist"] = shortened(text, context.secrets())
    context.record("prompt", data | ({"notice": True} if is_notice else {}))


# end of module
