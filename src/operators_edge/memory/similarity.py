"""Which lessons are duplicates, and how they are merged.

Pure. Similar words are not enough: a lesson that negates another, names another number or has another
condition is not a duplicate. Does not own when lessons are merged (``memory.lessons``).
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.state import lesson
from operators_edge.state.lesson import read, reinforced
from operators_edge.text.tokens import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.state.lesson import Lesson

MIN_SIMILARITY = 0.6
"""Share of the words of two lessons that both have, from which on they are duplicates."""

_NOT = frozenset(
    {"not", "never", "no", "don't", "dont", "cannot", "can't", "avoid", "without", "unless", "stop"}
)


_SHARED_MARKS = 2
"""Marks that duplicates have in common if they have more than one word."""


class Content(NamedTuple):
    """The words of a lesson, and those in which duplicates must agree."""

    words: frozenset[str]
    distinguishing: frozenset[str]


class LessonIndex:
    """An index of lessons by their words, so that duplicates are found among thousands."""

    def __init__(self, memory: Iterable[Any] = ()) -> None:
        contents = [content_of(each) for each in memory]
        self._order = _TermOrder(contents)
        self._words: list[frozenset[str]] = []
        self._by_mark: dict[tuple[frozenset[str], str], list[int]] = {}
        for each in contents:
            self.add(each)

    @classmethod
    def empty_for(cls, contents: Iterable[Content]) -> LessonIndex:
        """An empty index for these lessons: which words are rare must be known before they are added."""
        made = cls()
        made._order = _TermOrder(contents)
        return made

    def add(self, content: Content) -> None:
        """Add the next lesson; the first has index 0."""
        for term in self._order.marks(content.words):
            self._by_mark.setdefault((content.distinguishing, term), []).append(len(self._words))
        self._words.append(content.words)

    def similar(self, content: Content) -> Iterator[int]:
        """The indexes of the duplicates of a lesson, in order."""
        marks = self._order.marks(content.words)
        candidates = (self._by_mark.get((content.distinguishing, term), ()) for term in marks)
        shared = Counter(chain.from_iterable(candidates))
        needed = min(_SHARED_MARKS, len(marks))
        for index in sorted(index for index, times in shared.items() if times >= needed):
            if _is_same(content.words, self._words[index]):
                yield index


class _TermOrder:
    """Terms, rarest first. The order must not change while lessons are added, or marks would not match."""

    def __init__(self, contents: Iterable[Content]) -> None:
        self._counts = Counter(term for each in contents for term in each.words)

    def marks(self, words: frozenset[str]) -> list[str]:
        """The first few terms: duplicates share two of them, if they have two terms at all.

        This is the prefix filter for Jaccard similarity. If all but one of these terms differed, too few
        would be left to share, in any fixed order. The rarest come first, as the fewest lessons have them.
        """
        needed = -(-int(MIN_SIMILARITY * 100) * len(words) // 100)
        counts = self._counts
        return sorted(words, key=lambda term: (counts[term], term))[
            : len(words) - needed + _SHARED_MARKS
        ]


def merge(memory: list[Any]) -> tuple[list[Any], list[tuple[Lesson, Lesson]]]:
    """Merge duplicates: the one that helped more stays, with the counts of both."""
    kept: list[Any] = []
    contents = [content_of(each) for each in memory]
    known = LessonIndex.empty_for(contents)
    pairs = []
    for entry, content in zip(memory, contents, strict=True):
        at = next((at for at in known.similar(content) if _can_merge(kept[at], entry)), None)
        if at is None:
            known.add(content)
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
    return Content(_keywords(entry), _distinguishing(entry))


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    both = one | other
    return bool(both) and len(one & other) / len(both) >= MIN_SIMILARITY


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
