"""What was said while the objective was worked on: the person's requests, the agents' last messages.

Pure. Owns which of them are kept, and which a new objective takes over. They are text from elsewhere: kept
as the log has them, redacted. Does not own how they are shown (``sessions.exchange``).
"""

from __future__ import annotations

import json

from operators_edge.text.patterns import pattern
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypedDict

    from operators_edge.records import LogEntry

    class Message(TypedDict):
        """Something that was said; ``edits`` followed a request, or preceded an agent's message."""

        seq: int
        session: str
        who: str
        text: str
        edits: int


PERSON, AGENT, SUBAGENT = "person", "agent", "subagent"

KEPT = 16
"""Requests and messages that are kept."""
LENGTH = 500
"""Characters of one."""
SCHEDULED_KEPT = 20
SCHEDULED_LENGTH = 100
"""Characters by which a scheduled prompt is recognised when it arrives."""

_KEYS = {"seq", "session", "who", "text", "edits"}
"""Those of a ``Message``."""

_PHRASE = 28
"""Shorter texts ("go on", "what is left?") say nothing by themselves; a Chinese character is three."""


def is_phrase(each: Mapping[str, Any]) -> bool:
    """Whether this alone says nothing about the work: it is short, and no work goes with it."""
    return not each["edits"] and len(str(each["text"]).encode()) < _PHRASE


def scheduled_text(prompt: object) -> str:
    """By what a prompt is recognised that the agent had the host send later."""
    return " ".join(str(prompt or "").split())[:SCHEDULED_LENGTH]


def add_scheduled(scheduled: list[str], entry: LogEntry) -> list[str]:
    """The scheduled prompts, with that of a tool call which schedules one."""
    preview = entry.get("input_preview")
    prompt = preview.get("prompt") if isinstance(preview, dict) else _prompt_in(preview)
    return [*scheduled, scheduled_text(prompt)][-SCHEDULED_KEPT:]


_PROMPT = pattern(r'"prompt": ?"((?:[^"\\]|\\.)*+)')


def _prompt_in(preview: object) -> object:
    """The prompt in a call's input as the log has it: JSON, which may be cut."""
    found = _PROMPT.search(preview) if isinstance(preview, str) else None
    if found is None:
        return preview
    try:
        return json.loads(f'"{found[1]}"', strict=False)
    except ValueError:  # cut within an escape
        return found[1]


def is_of_person(scheduled: Sequence[str], data: Mapping[str, Any]) -> bool:
    """Whether a person typed this prompt: no notice of the host, and nothing that the agent scheduled."""
    return not data.get("notice") and scheduled_text(data.get("preview")) not in scheduled


def follow(kept: list[Message], scheduled: Sequence[str], entry: LogEntry) -> None:
    """Keep what an entry says; a text that was said before counts once, where it was said last."""
    event, data = entry.get("event"), entry.get("data") or {}
    if event == "prompt" and is_of_person(scheduled, data):
        _add(kept, entry, PERSON, data.get("gist") or data.get("preview"), 0)
    elif event == "stop":
        _add(kept, entry, AGENT, data.get("said"), _edits_since_request(kept))
    elif event == "subagent_stop":
        _add(kept, entry, SUBAGENT, data.get("said"), 0)


def note_edit(kept: list[Message]) -> None:
    """A file was changed, or is seen to be: for the last request, and before what was said of it since."""
    for each in reversed(kept):
        each["edits"] += 1
        if each["who"] == PERSON:
            return


def _edits_since_request(kept: list[Message]) -> int:
    return next((each["edits"] for each in reversed(kept) if each["who"] == PERSON), 0)


def _add(kept: list[Message], entry: LogEntry, who: str, text: object, edits: int) -> None:
    words = str(text or "").strip()[:LENGTH]
    if not words:
        return
    same = next((each for each in kept if (each["who"], each["text"]) == (who, words)), None)
    if same is not None:
        kept.remove(same)
        edits = max(edits, same["edits"])
    seq, session = entry.get("seq") or 0, str(entry.get("session") or "")
    kept.append({"seq": seq, "session": session, "who": who, "text": words, "edits": edits})
    if len(kept) > KEPT:
        kept.remove(_least(kept[1:-1]))


def _least(kept: Sequence[Message]) -> Message:
    """What can go first: phrases, then what led to no work, agents' words before requests; the oldest."""
    return min(
        kept, key=lambda each: (not is_phrase(each), each["edits"] > 0, each["who"] == PERSON)
    )


def requests(kept: Iterable[Message]) -> list[Message]:
    """What the person asked."""
    return [each for each in kept if each["who"] == PERSON]


def carried(kept: Iterable[Message], after: int) -> list[Message]:
    """What a new objective takes over: the requests since ``after``, one of which asks for it."""
    return [each for each in requests(kept) if each["seq"] > after]


def adopted(logged: object) -> list[Message]:
    """What the entry of a new objective says was carried over."""
    entries = logged if isinstance(logged, list) else []
    found = [each for each in entries if isinstance(each, dict) and each.keys() == _KEYS]
    return cast("list[Message]", found[-KEPT:])


# end of module
