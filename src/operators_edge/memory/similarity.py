"""Which lessons say the same, and the one that they become.

Pure. Near is not enough: a lesson that denies another, names another number or waits for something else is
one of its own. Does not own when lessons are put together (``memory.lessons``).
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

LIKE = 0.6
"""Shared words, of all that two lessons have between them, from which on they say the same."""

_NOT = frozenset(
    {"not", "never", "no", "don't", "dont", "cannot", "can't", "avoid", "without", "unless", "stop"}
)


_SHARED = 2
"""Marks that two lessons which are alike have in common, where they have more than one word."""


class Said(NamedTuple):
    """What a lesson says: its words, and those that no lesson may differ in to be the same."""

    words: frozenset[str]
    apart: frozenset[str]


class Known:
    """Lessons by what they say, so that one that says the same is found among thousands."""

    def __init__(self, memory: Iterable[Any] = ()) -> None:
        said = [said_of(each) for each in memory]
        self._order = _Order(said)
        self._said: list[frozenset[str]] = []
        self._by_mark: dict[tuple[frozenset[str], str], list[int]] = {}
        for each in said:
            self.add(each)

    @classmethod
    def to_be(cls, said: Iterable[Said]) -> Known:
        """None yet, of those that will be added: which words are rare is known from the start."""
        made = cls()
        made._order = _Order(said)
        return made

    def add(self, said: Said) -> None:
        """The next lesson; the first is at 0."""
        for term in self._order.marks(said.words):
            self._by_mark.setdefault((said.apart, term), []).append(len(self._said))
        self._said.append(said.words)

    def near(self, said: Said) -> Iterator[int]:
        """Where the lessons are that say nearly the same, in order."""
        marks = self._order.marks(said.words)
        there = (self._by_mark.get((said.apart, term), ()) for term in marks)
        shared = Counter(chain.from_iterable(there))
        needed = min(_SHARED, len(marks))
        for at in sorted(at for at, times in shared.items() if times >= needed):
            if _is_same(said.words, self._said[at]):
                yield at


class _Order:
    """The terms, rarest first; it stays as it is while lessons are added, or marks would not meet."""

    def __init__(self, said: Iterable[Said]) -> None:
        self._often = Counter(term for each in said for term in each.words)

    def marks(self, words: frozenset[str]) -> list[str]:
        """A few terms of which two lessons that are alike have two in common, if they have two at all.

        In any fixed order not all but one of the first terms can differ, or too few would be left to be
        shared. The rarest come first: the fewest lessons have them.
        """
        least = -(-int(LIKE * 100) * len(words) // 100)
        often = self._often
        return sorted(words, key=lambda term: (often[term], term))[: len(words) - least + _SHARED]


def merged(memory: list[Any]) -> tuple[list[Any], list[tuple[Lesson, Lesson]]]:
    """Near-duplicates put together: the one that helped more stays, with the help of both."""
    kept: list[Any] = []
    spoken = [said_of(each) for each in memory]
    known = Known.to_be(spoken)
    together = []
    for entry, said in zip(memory, spoken, strict=True):
        at = next((at for at in known.near(said) if _may_merge(kept[at], entry)), None)
        if at is None:
            known.add(said)
            kept.append(entry)
            continue
        stays, goes = kept[at], entry
        if _rank(entry) > _rank(stays):
            stays, goes = entry, kept[at]
        kept[at] = _both(stays, goes)
        together.append((read(kept[at]), read(goes)))
    return kept, together


def said_of(entry: Any) -> Said:
    """What a lesson says, to be compared."""
    return Said(_keywords(entry), _apart(entry))


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    both = one | other
    return bool(both) and len(one & other) / len(both) >= LIKE


def _may_merge(one: Any, other: Any) -> bool:
    same_scope = all(
        (one.get(name) or None) == (other.get(name) or None)
        for name in ("when", "audit_pattern", "audit_scope")
    )
    return same_scope and not (lesson.is_evergreen(one) and lesson.is_evergreen(other))


def _rank(entry: Any) -> tuple[bool, int]:
    return lesson.is_evergreen(entry), reinforced(entry)


def _both(stays: Lesson, goes: Lesson) -> Lesson:
    total = reinforced(stays) + reinforced(goes)
    joined = dict(stays)
    if total:
        joined["reinforced"] = total
    dates = [str(each["last_used"]) for each in (stays, goes) if lesson.date_of(each)]
    if dates:
        joined["last_used"] = max(dates)
    applies = list(dict.fromkeys([*_texts(stays), *_texts(goes)]))
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


def _apart(entry: Any) -> frozenset[str]:
    """The words that lessons must not differ in to be the same: what denies, and numbers."""
    kept = read(entry)
    text = f"{kept['trigger']} {kept['lesson']}".lower().replace("\u2019", "'")
    found = (each.strip(".,;:!?()[]\"'`") for each in text.split())
    return frozenset(word for word in found if word in _NOT or any(map(str.isdigit, word)))
