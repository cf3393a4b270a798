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
    from operators_edge.core.lesson import Lesson

LIKE = 0.6
"""Shared words, of all that two lessons have between them, from which on they say the same."""

_NOT = frozenset(
    {"not", "never", "no", "don't", "dont", "cannot", "can't", "avoid", "without", "unless", "stop"}
)


def merged(memory: list[Any]) -> tuple[list[Any], list[tuple[Lesson, Lesson]]]:
    """Near-duplicates put together: the one that helped more stays, with the help of both."""
    kept: list[Any] = []
    known: list[tuple[int, frozenset[str], frozenset[str]]] = []
    together = []
    for entry in memory:
        said, all_words = _keywords(entry), _exactly(entry)
        at = next(
            (
                at
                for at, other, exactly in known
                if _is_same(said, other)
                and _agree(all_words, exactly)
                and _may_merge(kept[at], entry)
            ),
            None,
        )
        if at is None:
            known.append((len(kept), said, all_words))
            kept.append(entry)
            continue
        stays, goes = kept[at], entry
        if _rank(entry) > _rank(stays):
            stays, goes = entry, kept[at]
        kept[at] = _both(stays, goes)
        together.append((read(kept[at]), read(goes)))
    return kept, together


def near(memory: Any, lesson: Any) -> list[int]:
    """The numbers of the lessons that say nearly the same."""
    said, exactly = _keywords(lesson), _exactly(lesson)
    return [
        number
        for number, each in enumerate(lessons_.listed(memory), 1)
        if _is_same(said, _keywords(each)) and _agree(exactly, _exactly(each))
    ]


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    both = one | other
    return bool(both) and len(one & other) / len(both) >= LIKE


def _agree(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether neither denies what the other says, nor speaks of another number."""
    differ = one ^ other
    return not any(word in _NOT or any(sign.isdigit() for sign in word) for word in differ)


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
    return frozenset(term for term, _ in terms(f"{kept['trigger']} {kept['lesson']}"))


def _exactly(entry: Any) -> frozenset[str]:
    kept = read(entry)
    text = f"{kept['trigger']} {kept['lesson']}".lower().replace("\u2019", "'")
    return frozenset(each.strip(".,;:!?()[]\"'`") for each in text.split())
