"""A question that the agent may not answer itself, with its options: the ``ambiguous`` junction.

Pure. Owns what a question must contain. Does not own how it is answered (``loop.choices``) or raised
(``loop.auto``).
"""

from __future__ import annotations

from operators_edge.errors import UsageError
from operators_edge.plan.edits import checked_text, short_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.records import Junction

MAX_OPTIONS = 9


def question_junction(text: str, options: Sequence[str], context: str | None) -> Junction:
    """The junction's type, reason, text and payload; UsageError if it is not a question."""
    question = checked_text(text, "a question")
    listed = [checked_text(each, "an option") for each in options]
    if len(listed) == 1:
        raise UsageError("one option leaves nothing to decide", hint="name another --option")
    if len(listed) > MAX_OPTIONS:
        raise UsageError(
            f"{len(listed)} options are more than a person weighs: {MAX_OPTIONS} is the most",
            hint="leave out what you would not choose yourself",
        )
    if len({each.casefold() for each in listed}) < len(listed):
        raise UsageError("two options are the same", hint="word them differently")
    about = checked_text(context, "the context") if context is not None else None
    return {
        "type": "ambiguous",
        "reason": short_line(about) if about else "the agent asks",
        "fingerprint": "",
        "shown": short_line(question),
        "payload": {"question": question, "options": listed, "context": about},
        "source": "ask",
    }


# end of module
