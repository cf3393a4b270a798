"""Which of what was said the next session is shown: requests with their limits, answers, subagents' reports.

Pure. Does not own what is kept (``evidence.said``) or how a line is shortened (``text.gist``).
"""

from __future__ import annotations

from operators_edge.evidence.said import AGENT, PERSON, SUBAGENT, is_phrase
from operators_edge.text.gist import matters
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.evidence.said import Message

_REQUESTS, _REPORTS = 4, 2


class Line(NamedTuple):
    """What was said, and by whom; ``is_spare``: it says little, and is shown if there is room."""

    head: str
    text: str
    is_spare: bool = False


def lines(said: Sequence[Message]) -> Iterator[Line]:
    """Requests, the last answer and what came after it, in the order in which they were said."""
    chosen = [*_requests(said), *_answers(said), *_reports(said)]
    last = max((each["seq"] for each, _ in chosen if each["who"] == PERSON), default=0)
    for each, is_spare in sorted(chosen, key=lambda one: one[0]["seq"]):
        head = "Asked last" if each["seq"] == last else _HEADS[each["who"]]
        yield Line(head, each["text"], is_spare)


_HEADS = {PERSON: "Asked", AGENT: "Answered", SUBAGENT: "A subagent reported"}


def _requests(said: Sequence[Message]) -> Iterator[tuple[Message, bool]]:
    """The first request, and the latest that led to work or set limits; a phrase only if it is the last."""
    requests = [each for each in said if each["who"] == PERSON]
    full = [each for each in requests if not is_phrase(each)]
    by_use = sorted(
        full[1:], key=lambda each: (bool(each["edits"]) + matters(each["text"]), each["seq"])
    )
    yield from ((each, False) for each in (full[:1] + by_use[-_REQUESTS + 1 :]))
    if requests and is_phrase(requests[-1]):
        yield requests[-1], True


def _answers(said: Sequence[Message]) -> Iterator[tuple[Message, bool]]:
    """The answer that ended the latest work; one without work since then is spare."""
    answers = [each for each in said if each["who"] == AGENT]
    worked = [each for each in answers if each["edits"]][-1:]
    yield from ((each, False) for each in worked)
    yield from ((each, bool(worked)) for each in answers[-1:] if each not in worked)


def _reports(said: Sequence[Message]) -> list[tuple[Message, bool]]:
    """What subagents reported since the agent's last message, which would have included it."""
    answered = max((each["seq"] for each in said if each["who"] == AGENT), default=0)
    reports = [each for each in said if each["who"] == SUBAGENT and each["seq"] > answered]
    return [(each, False) for each in reports[-_REPORTS:]]


# end of module
