"""Which lessons are duplicates, and how they are merged.

Pure. Similar words are not enough: a lesson that negates another, names another number or has another
condition is not a duplicate. Does not own when lessons are merged (``memory.lessons``).
"""

from __future__ import annotations

from operators_edge.state import lesson
from operators_edge.state.lesson import read, reinforced
from operators_edge.text.tokens import terms
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from operators_edge.state.lesson import Lesson

MIN_SIMILARITY = 0.6
"""Share of the words of two lessons that both have, from which on they are duplicates."""

_NOT = frozenset(
    {"not", "never", "no", "don't", "dont", "cannot", "can't", "avoid", "without", "unless", "stop"}
)


class Content(NamedTuple):
    """The words of a lesson, those in which duplicates must agree, and its trigger regardless of case."""

    words: frozenset[str]
    distinguishing: frozenset[str]
    trigger: str


def merge(memory: list[Any]) -> tuple[list[Any], list[tuple[Lesson, Lesson]]]:
    """Merge duplicates: the one that helped more stays, with the counts of both."""
    kept: list[Any] = []
    contents: list[Content] = []
    pairs = []
    for entry in memory:
        content = content_of(entry)
        similar = duplicates(content, contents)
        at = next((at for at in similar if _can_merge(kept[at], entry)), None)
        if at is None:
            contents.append(content)
            kept.append(entry)
            continue
        keep, drop = kept[at], entry
        if _rank(entry) > _rank(keep):
            keep, drop = entry, kept[at]
        kept[at] = _joined(keep, drop)
        pairs.append((read(kept[at]), read(drop)))
    return kept, pairs


def content_of(entry: Any) -> Content:
    """What is compared of a lesson."""
    return Content(_keywords(entry), _distinguishing(entry), read(entry)["trigger"].casefold())


def duplicates(content: Content, others: Sequence[Content]) -> Iterator[int]:
    """The indexes of the others that are its duplicates, in order."""
    words = content.words
    for index, other in enumerate(others):
        if words and content.distinguishing == other.distinguishing:
            shared = len(words & other.words)
            if shared >= MIN_SIMILARITY * (len(words) + len(other.words) - shared):
                yield index


def _can_merge(one: Any, other: Any) -> bool:
    same_scope = all(
        (one.get(name) or None) == (other.get(name) or None)
        for name in ("when", "audit_pattern", "audit_scope")
    )
    return same_scope and not (lesson.is_evergreen(one) and lesson.is_evergreen(other))


def _rank(entry: Any) -> tuple[bool, int]:
    return lesson.is_evergreen(entry), reinforced(entry)


def _joined(keep: Lesson, drop: Lesson) -> Lesson:
    total = reinforced(keep) + reinforced(drop)
    joined = dict(keep)
    if total:
        joined["reinforced"] = total
    dates = [str(each["last_used"]) for each in (keep, drop) if lesson.date_of(each)]
    if dates:
        joined["last_used"] = max(dates)
    applies = list(dict.fromkeys([*_texts(keep), *_texts(drop)]))
    if applies:
        joined["applies_to"] = applies
    return joined


def _texts(entry: Lesson) -> list[str]:
    given = entry.get("applies_to")
    listed_ = given if isinstance(given, list) else [given] if given else []
    return [str(each) for each in listed_]


def _keywords(entry: Any) -> frozenset[str]:
    if not lesson.says(entry):
        return frozenset()
    kept = read(entry)
    return frozenset(term.text for term in terms(f"{kept['trigger']} {kept['lesson']}"))


def _distinguishing(entry: Any) -> frozenset[str]:
    """The words in which duplicates must agree: negations and numbers."""
    kept = read(entry)
    text = f"{kept['trigger']} {kept['lesson']}".lower().replace("\u2019", "'")
    found = (each.strip(".,;:!?()[]\"'`") for each in text.split())
    return frozenset(word for word in found if word in _NOT or any(map(str.isdigit, word)))


# end of module
