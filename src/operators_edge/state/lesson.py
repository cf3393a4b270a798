"""A lesson as stored in the state: read in whatever form it was written, and identified.

Owns the form that recall before a call needs, so it imports next to nothing. Does not own edits and decay
(``memory.lessons``), when a lesson concerns a call (``memory.triggers``) or ranking by words
(``memory.store``).
"""

from __future__ import annotations

from operators_edge import jsons
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    Lesson = dict[str, Any]


class Hit(NamedTuple):
    """A lesson that matches a query.

    ``number`` is its number in the list, from 1. ``score`` orders the hits of one query: an exact trigger
    scores at least 1, words less. ``why`` is shown: 'command "git push"', "words: cache, token".
    """

    number: int
    lesson: Lesson
    score: float
    why: str


def read(entry: Any) -> Lesson:
    """An entry of ``memory`` with ``trigger`` and ``lesson`` as strings; other keys are unchanged."""
    if isinstance(entry, dict):
        return {
            **entry,
            "trigger": _text(entry.get("trigger")),
            "lesson": _text(entry.get("lesson")),
        }
    return {"trigger": "", "lesson": _text(entry) if isinstance(entry, str | int | float) else ""}


def listed(memory: Any) -> list[Lesson]:
    """Every entry of ``memory`` in order, the first one is number 1. A plain string is one lesson."""
    if isinstance(memory, list):
        return [read(each) for each in memory]
    return [read(memory)] if isinstance(memory, str | dict) and memory else []


def key_of(lesson: Any) -> str:
    """The lesson's name in the log: 12 hex digits of a hash of its trigger and text."""
    kept = read(lesson)
    text = jsons.dumps([kept["trigger"], kept["lesson"]], ensure_ascii=True, separators=(",", ":"))
    return sha256_hex(text.encode())[:12]


def reinforced(lesson: Any) -> int:
    """How often it was seen to help; 0 if that is missing or unreadable."""
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
    """Whether it is a mapping with a text."""
    return isinstance(entry, dict) and bool(read(entry)["lesson"])


def date_of(entry: Any) -> datetime | None:
    """When it was last used, or learned; None if that is missing or unreadable."""
    if not isinstance(entry, dict):
        return None
    return timestamps.parse(entry.get("last_used"))


def best_first(hits: Sequence[Hit]) -> list[Hit]:
    """Ordered by score, then by how often they helped, then by their order in the list."""
    return sorted(hits, key=lambda hit: (-hit.score, -reinforced(hit.lesson), hit.number))


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()


# end of module
