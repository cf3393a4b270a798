"""Which lessons say the same, and the one that they become.

Pure. Near is not enough: a lesson that denies another, names another number or waits for something else is
one of its own. Does not own when lessons are put together (``memory``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.core import lesson as lessons_
from operators_edge.core.lesson import read, reinforced
from operators_edge.core.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.core.lesson import Lesson

LIKE = 0.6
"""Shared words, of all that two lessons have between them, from which on they say the same."""

_NOT = frozenset(
    {"not", "never", "no", "don't", "dont", "cannot", "can't", "avoid", "without", "unless", "stop"}
)


class Known:
    """Lessons by what they say, so that one that says the same is found among thousands."""

    def __init__(self, memory: Iterable[Any] = ()) -> None:
        self._said: list[frozenset[str]] = []
        self._by_mark: dict[tuple[frozenset[str], str], list[int]] = {}
        for each in memory:
            self.add(each)

    def add(self, entry: Any) -> None:
        """The next lesson; the first is at 0."""
        said, apart = _keywords(entry), _apart(entry)
        for term in _marks(said):
            self._by_mark.setdefault((apart, term), []).append(len(self._said))
        self._said.append(said)

    def near(self, entry: Any) -> list[int]:
        """Where the lessons are that say nearly the same, in order."""
        said, apart = _keywords(entry), _apart(entry)
        perhaps = {at for term in _marks(said) for at in self._by_mark.get((apart, term), ())}
        return [at for at in sorted(perhaps) if _is_same(said, self._said[at])]


def _marks(said: frozenset[str]) -> list[str]:
    """A few terms of which two that are alike have one in common, whatever else they say.

    In any fixed order the first terms of both cannot all differ, or too few would be left to be shared. Here
    the longest come first: they stand in the fewest lessons.
    """
    least = -(-int(LIKE * 100) * len(said) // 100)
    return sorted(said, key=lambda term: (-len(term), term))[: len(said) - least + 1]


def merged(memory: list[Any]) -> tuple[list[Any], list[tuple[Lesson, Lesson]]]:
    """Near-duplicates put together: the one that helped more stays, with the help of both."""
    kept: list[Any] = []
    known = Known()
    together = []
    for entry in memory:
        at = next((at for at in known.near(entry) if _may_merge(kept[at], entry)), None)
        if at is None:
            known.add(entry)
            kept.append(entry)
            continue
        stays, goes = kept[at], entry
        if _rank(entry) > _rank(stays):
            stays, goes = entry, kept[at]
        kept[at] = _both(stays, goes)
        together.append((read(kept[at]), read(goes)))
    return kept, together


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    both = one | other
    return bool(both) and len(one & other) / len(both) >= LIKE


def _may_merge(one: Any, other: Any) -> bool:
    same_scope = all(
        (one.get(name) or None) == (other.get(name) or None)
        for name in ("when", "audit_pattern", "audit_scope")
    )
    return same_scope and not (lessons_.is_evergreen(one) and lessons_.is_evergreen(other))


def _rank(entry: Any) -> tuple[bool, int]:
    return lessons_.is_evergreen(entry), reinforced(entry)


def _both(stays: Lesson, goes: Lesson) -> Lesson:
    total = reinforced(stays) + reinforced(goes)
    joined = dict(stays)
    if total:
        joined["reinforced"] = total
    dates = [str(each["last_used"]) for each in (stays, goes) if lessons_.date_of(each)]
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
    if not lessons_.says(entry):
        return frozenset()
    kept = read(entry)
    return frozenset(term.text for term in terms(f"{kept['trigger']} {kept['lesson']}"))


def _apart(entry: Any) -> frozenset[str]:
    """The words that lessons must not differ in to be the same: what denies, and numbers."""
    kept = read(entry)
    text = f"{kept['trigger']} {kept['lesson']}".lower().replace("\u2019", "'")
    found = (each.strip(".,;:!?()[]\"'`") for each in text.split())
    return frozenset(word for word in found if word in _NOT or any(map(str.isdigit, word)))
