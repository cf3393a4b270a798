"""What is worth doing in a project: one finding, its name for good, its rank, and how it is kept.

Pure. Owns the shape of a finding and of the state's ``scan_findings``. Does not own how anything is found
(``patrol.analysis``, ``patrol.service``) or who decides on it (``sessions.decisions``).
"""

from __future__ import annotations

import re
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import as_text, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from operators_edge.model import State

Category = Literal["code_quality", "missing_tests", "complexity", "state_patterns", "architecture"]
Priority = Literal["high", "medium", "low"]

CATEGORIES: tuple[Category, ...] = (
    "code_quality",
    "missing_tests",
    "complexity",
    "state_patterns",
    "architecture",
)

BUDGET_SECONDS = 20.0
"""What a scan may take, if nobody says otherwise."""

TYPED_SCAN_SECONDS = 4.0
"""The same for a line typed at a client: somebody waits for it."""

MOST_STORED = 10
"""Findings that the state keeps; the scan itself has all."""

MOST_CHALLENGES = 5

TOGETHER = 5
"""Findings that are shown or offered at a time."""

_OF_ONE_TYPE = 2
"""Of those, while another type waits: five of a kind say little more than two."""

_TITLE_LIMIT = 100
_POINTS: dict[str, int] = {"high": 100, "medium": 50, "low": 10}
_URGENT = re.compile(r"\b(?:fixme|urgent|asap)\b", re.IGNORECASE)
_SECURITY = re.compile(r"\b(?:security|vulnerab\w*|injection|secrets?)\b", re.IGNORECASE)


class Finding(NamedTuple):
    """One thing that somebody may want to do.

    ``id`` is the same in every scan for the same thing, wherever its line moves. ``file`` is relative to
    the root, "" for what is in no file; ``line`` counts from 1. ``metric`` names what was measured,
    ``value`` and ``threshold`` say how far over it is. A higher ``score`` stands first.
    """

    id: str
    type: str
    category: Category
    priority: Priority
    title: str
    description: str
    file: str = ""
    line: int | None = None
    metric: str = ""
    value: float | None = None
    threshold: float | None = None
    suggested_action: str = ""
    score: int = 0

    @property
    def where(self) -> str:
        """``file:line``, as far as they are known."""
        return f"{self.file}:{self.line}" if self.file and self.line else self.file

    def as_data(self) -> dict[str, Any]:
        """For programs, and for a junction's payload: what is not known is left out."""
        return {name: value for name, value in self._asdict().items() if value not in (None, "")}


def finding(
    kind: str,
    category: Category,
    priority: Priority,
    title: str,
    description: str,
    *,
    subject: str,
    file: str = "",
    line: int | None = None,
    metric: str = "",
    value: float | None = None,
    threshold: float | None = None,
    action: str = "",
    bonus: int = 0,
) -> Finding:
    """A finding with its id and score.

    ``subject`` is what makes it this finding among those of its kind in its file: a function's name, a
    comment's words; never a line or a measured number, because those change while the thing stays.
    ``bonus`` is what speaks for it beyond its priority, such as how often its file changes; 0 to 20.
    """
    return Finding(
        id=sha256_hex(_stored(f"{kind}\0{file}\0{_plain(subject)}").encode())[:10],
        type=kind,
        category=category,
        priority=priority,
        title=one_line(title, _TITLE_LIMIT),
        description=one_line(description, 400),
        file=_stored(file),
        line=line,
        metric=metric,
        value=value,
        threshold=threshold,
        suggested_action=one_line(action, 200),
        score=_score(priority, title) + max(0, min(20, bonus)),
    )


def ranked(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each once, what matters most first, varied; the same order for the same findings."""
    once: dict[str, Finding] = {}
    for each in found:
        known = once.get(each.id)
        if known is None or _order(each) < _order(known):
            once[each.id] = each
    return varied(sorted(once.values(), key=_order))


def varied(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings by fives: each five are the best that are left, two of a type while others wait.

    Within a five they keep their order. To be called again where some were taken out.
    """
    waiting: dict[str, deque[tuple[int, Finding]]] = {}
    for at in enumerate(found):
        waiting.setdefault(at[1].type, deque()).append(at)
    told: list[Finding] = []
    while waiting:
        heads = [list(islice(each, TOGETHER)) for each in waiting.values()]
        best = sorted(at for each in heads for at in each[:_OF_ONE_TYPE])[:TOGETHER]
        rest = sorted(at for each in heads for at in each[_OF_ONE_TYPE:])
        five = sorted([*best, *rest[: TOGETHER - len(best)]])
        for _, each in five:
            waiting[each.type].popleft()
            if not waiting[each.type]:
                del waiting[each.type]
        told += [each for _, each in five]
    return tuple(told)


def named_apart(subjects: Sequence[str]) -> list[str]:
    """The subjects of one file, in its order, equal ones told apart by their count: "x", "x #2"."""
    seen: dict[str, int] = {}
    told = []
    for each in subjects:
        plain = _plain(each)
        seen[plain] = seen.get(plain, 0) + 1
        told.append(each if seen[plain] == 1 else f"{each} #{seen[plain]}")
    return told


def challenges(found: Sequence[Finding]) -> list[str]:
    """Questions worth a brainstorm, one for each kind of finding, the first ranked first; at most five."""
    asked: dict[str, str] = {}
    for each in found:
        question = _question(each, sum(other.type == each.type for other in found))
        if question:
            asked.setdefault(each.type, question)
    return list(asked.values())[:MOST_CHALLENGES]


def stored(found: Sequence[Finding], *, now: datetime) -> dict[str, Any]:
    """The state's ``scan_findings``: the first ten by category, and the challenges of all."""
    kept: dict[str, list[dict[str, Any]]] = {}
    for each in found[:MOST_STORED]:
        kept.setdefault(each.category, []).append(_entry(each))
    return {
        "timestamp": now.isoformat(timespec="seconds"),
        "categories": {name: kept[name] for name in CATEGORIES if name in kept},
        "suggested_challenges": challenges(found),
    }


def suggested(state: State) -> list[str]:
    """The challenges that the last scan left in the state, however anybody wrote them there."""
    kept = state.get("scan_findings")
    listed = kept.get("suggested_challenges") if isinstance(kept, dict) else None
    return [
        text for each in (listed if isinstance(listed, list) else []) if (text := as_text(each))
    ]


def _entry(each: Finding) -> dict[str, Any]:
    """One finding in the words of its category, as its readers know them."""
    entry: dict[str, Any] = {"id": each.id}
    if each.file:
        entry["file"] = each.file
    if each.line is not None:
        entry["line"] = each.line
    if each.category == "state_patterns":
        entry |= {"pattern": each.type, "description": each.title}
    elif each.category == "architecture":
        entry |= {"issue": each.title, "description": each.description}
    elif each.category == "missing_tests" and each.metric == "line_coverage":
        entry["coverage"] = f"{each.value or 0:.0f}%"
    elif each.category == "complexity":
        entry |= {"metric": each.metric, "value": each.value, "threshold": each.threshold}
        entry["issue"] = each.title
    else:
        entry["issue"] = each.title
    return {**entry, "priority": each.priority}


def _order(each: Finding) -> tuple[Any, ...]:
    return (-each.score, -(each.value or 0), each.file, each.line or 0, each.type, each.id)


def _score(priority: Priority, title: str) -> int:
    score = _POINTS[priority]
    score += 50 if _SECURITY.search(title) else 0
    score += 10 if _URGENT.search(title) else 0
    return score


def _stored(text: str) -> str:
    """The text as a state can keep it: a file's name need not be UTF-8, and is spelled out then."""
    return text.encode("utf-8", "backslashreplace").decode()


def _plain(subject: str) -> str:
    return " ".join(subject.split()).casefold()


_QUESTIONS = {
    "complexity": "How might we make {file} simpler to follow?",
    "large_file": "How might we divide {file} into parts with one job each?",
    "hotspot": "How might we change {file} less often, and with less risk?",
    "missing_tests": "How might we come to trust changes in {file}?",
    "no_tests": "How might we begin to test this project?",
    "low_coverage": "How might we test more of {file}?",
    "marker": "How might we settle the {count} notes that are left in the code?",
    "recurring_mismatch": "How might we stop this from coming back: {title}?",
    "lesson_violation": "How might we make the code keep to what was learned?",
    "failed_invariant": "How might we keep the state within its invariants?",
    "unverified_claim": "How might we prove what is claimed to be done?",
}


def _question(each: Finding, count: int) -> str:
    text = _QUESTIONS.get(each.type, "")
    if each.type == "marker" and count == 1:
        text = "How might we settle the note that is left in {file}?"
    return text.format(file=each.file, count=count, title=each.title)
