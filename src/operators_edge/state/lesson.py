"""A lesson as it stands in the state: read whatever form it was written in, named, told in a line.

Owns the shape that retrieval and the gate's side need, so it imports next to nothing. Does not own edits
and decay (``memory.lessons``), when a lesson concerns a call (``memory.triggers``) or ranking by words
(``memory.store``).
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

Lesson = dict[str, Any]


class Hit(NamedTuple):
    """A lesson that concerns what was asked about.

    ``number`` is the one it is listed by, from 1. ``score`` orders the hits of one answer: an exact
    trigger is worth at least 1, words less. ``why`` is shown: 'command "git push"', "words: cache, token".
    """

    number: int
    lesson: Lesson
    score: float
    why: str


def read(entry: Any) -> Lesson:
    """An entry of ``memory``: ``trigger`` and ``lesson`` are texts, what else it says stays as it is."""
    if isinstance(entry, dict):
        return {
            **entry,
            "trigger": _text(entry.get("trigger")),
            "lesson": _text(entry.get("lesson")),
        }
    return {"trigger": "", "lesson": _text(entry) if isinstance(entry, str | int | float) else ""}


def listed(memory: Any) -> list[Lesson]:
    """Every entry under ``memory``, in order: the first one is number 1. A text alone is one lesson."""
    if isinstance(memory, list):
        return [read(each) for each in memory]
    return [read(memory)] if isinstance(memory, str | dict) and memory else []


def key_of(lesson: Any) -> str:
    """What names a lesson in the log: 12 hex digits of its trigger and text, whatever its number is."""
    kept = read(lesson)
    text = json.dumps([kept["trigger"], kept["lesson"]], ensure_ascii=True, separators=(",", ":"))
    return sha256_hex(text.encode())[:12]


def reinforced(lesson: Any) -> int:
    """How often it was seen to help; 0 where nothing readable says so."""
    value = lesson.get("reinforced") if isinstance(lesson, dict) else None
    if isinstance(value, bool) or value is None:
        return 0
    try:
        return max(0, int(value))
    except (TypeError, ValueError, OverflowError):
        return 0


def is_evergreen(lesson: Any) -> bool:
    return isinstance(lesson, dict) and lesson.get("evergreen") is True


def says(entry: Any) -> bool:
    """Whether it can be read as a lesson: a map with a text."""
    return isinstance(entry, dict) and bool(read(entry)["lesson"])


def date_of(entry: Any) -> datetime | None:
    """When it was last used, or learned; None where nothing readable says so."""
    if not isinstance(entry, dict):
        return None
    return timestamps.parse(entry.get("last_used"))


def best_first(hits: Sequence[Hit]) -> list[Hit]:
    """The better score first, then what helped more often, then the order in the list."""
    return sorted(hits, key=lambda hit: (-hit.score, -reinforced(hit.lesson), hit.number))


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()
