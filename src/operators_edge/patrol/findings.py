"""Findings: things worth doing in a project, with a stable id, a rank, and the form in which they are stored.

Pure. Owns the shape of a finding and of the state's ``scan_findings``. Does not own how anything is found
(``patrol.analysis``, ``patrol.service``) or who decides on it (``sessions.decisions``).
"""

from __future__ import annotations

import re

from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import as_text, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any, Literal

    from operators_edge.model import State

    Category = Literal[
        "code_quality", "missing_tests", "complexity", "state_patterns", "architecture"
    ]

    Priority = Literal["high", "medium", "low"]


CATEGORIES: tuple[Category, ...] = (
    "code_quality",
    "missing_tests",
    "complexity",
    "state_patterns",
    "architecture",
)

BUDGET_SECONDS = 20.0
"""The default time limit of a scan."""

TYPED_SCAN_SECONDS = 4.0
"""The limit for a line typed at a client, where a person waits for the result."""

MAX_STORED = 10
"""Findings that are stored in the state; the scan itself returns all."""

MAX_CHALLENGES = 5

GROUP_SIZE = 5
"""Findings that are shown or offered together."""

_MAX_PER_TYPE = 2
"""Of one type in a group while another type is left: five of a kind add little to two."""

_TITLE_LIMIT = 100
_POINTS: dict[str, int] = {"high": 100, "medium": 50, "low": 10}
_URGENT = re.compile(r"\b(?:fixme|urgent|asap)\b", re.IGNORECASE)
_SECURITY = re.compile(r"\b(?:security|vulnerab\w*|injection|secrets?)\b", re.IGNORECASE)


class Finding(NamedTuple):
    """One thing that may be worth doing.

    ``id`` is the same in every scan for the same thing, even if its line moves. ``file`` is relative to
    the root, "" if there is none; ``line`` counts from 1. ``metric`` names what was measured, with its
    ``value`` and ``threshold``. A higher ``score`` comes first.
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
        """``file:line``, if they are known."""
        return f"{self.file}:{self.line}" if self.file and self.line else self.file

    def as_data(self) -> dict[str, Any]:
        """For programs, and for a junction's payload: unknown fields are left out."""
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

    ``subject`` identifies it among the findings of its kind in its file: a function's name, the text of a
    comment; never a line or a measured number, because those change while the thing remains. ``bonus``, 0
    to 20, raises it within its priority, for example by how often its file changes.
    """
    return Finding(
        id=sha256_hex(_storable(f"{kind}\0{file}\0{_plain(subject)}").encode())[:10],
        type=kind,
        category=category,
        priority=priority,
        title=one_line(title, _TITLE_LIMIT),
        description=one_line(description, 400),
        file=_storable(file),
        line=line,
        metric=metric,
        value=value,
        threshold=threshold,
        suggested_action=one_line(action, 200),
        score=_score(priority, title) + max(0, min(20, bonus)),
    )


def ranked(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, by score, varied; the order only depends on the findings."""
    once: dict[str, Finding] = {}
    for each in found:
        known = once.get(each.id)
        if known is None or _order(each) < _order(known):
            once[each.id] = each
    return varied(sorted(once.values(), key=_order))


def varied(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Ranked findings with a varied beginning: of the first five at most two are of one type.

    If there are not enough other types, more of one type follow. Call it again after removing some.
    """
    first: list[Finding] = []
    others: list[Finding] = []
    for each in found:
        is_new = sum(other.type == each.type for other in first) < _MAX_PER_TYPE
        (first if is_new and len(first) < GROUP_SIZE else others).append(each)
    return (*first, *others)


def distinct_names(subjects: Sequence[str]) -> list[str]:
    """The subjects of one file in order, equal ones numbered: "x", "x #2"."""
    seen: dict[str, int] = {}
    names = []
    for each in subjects:
        plain = _plain(each)
        seen[plain] = seen.get(plain, 0) + 1
        names.append(each if seen[plain] == 1 else f"{each} #{seen[plain]}")
    return names


def challenges(found: Sequence[Finding]) -> list[str]:
    """Questions for a brainstorm, one for each type of finding in order of rank; at most five."""
    questions: dict[str, str] = {}
    for each in found:
        if text := _QUESTIONS.get(each.type):
            questions.setdefault(each.type, text.format(file=each.file, title=each.title))
    return list(questions.values())[:MAX_CHALLENGES]


def stored(found: Sequence[Finding], *, now: datetime) -> dict[str, Any]:
    """The state's ``scan_findings``: the first ten by category, and the challenges of all."""
    by_category: dict[str, list[dict[str, Any]]] = {}
    for each in found[:MAX_STORED]:
        by_category.setdefault(each.category, []).append(_entry(each))
    return {
        "timestamp": now.isoformat(timespec="seconds"),
        "categories": {name: by_category[name] for name in CATEGORIES if name in by_category},
        "suggested_challenges": challenges(found),
    }


def suggested(state: State) -> list[str]:
    """The challenges that the last scan stored in the state, which may have been edited by hand."""
    kept = state.get("scan_findings")
    listed = kept.get("suggested_challenges") if isinstance(kept, dict) else None
    return [
        text for each in (listed if isinstance(listed, list) else []) if (text := as_text(each))
    ]


def _entry(each: Finding) -> dict[str, Any]:
    """One finding with the keys that its category has in the state."""
    entry: dict[str, Any] = {"id": each.id}
    if each.file:
        entry["file"] = each.file
    if each.line is not None:
        entry["line"] = each.line
    if each.category == "state_patterns":
        entry |= {"pattern": each.type, "description": each.title}
    elif each.type == "low_coverage":
        entry["coverage"] = f"{each.value or 0:.0f}%"
    else:
        entry["issue"] = each.title
    if each.category == "architecture":
        entry["description"] = each.description
    elif each.category == "complexity":
        entry |= {"metric": each.metric, "value": each.value, "threshold": each.threshold}
    return {**entry, "priority": each.priority}


def _order(each: Finding) -> tuple[Any, ...]:
    return (-each.score, -(each.value or 0), each.file, each.line or 0, each.type, each.id)


def _score(priority: Priority, title: str) -> int:
    score = _POINTS[priority]
    score += 50 if _SECURITY.search(title) else 0
    score += 10 if _URGENT.search(title) else 0
    return score


def _storable(text: str) -> str:
    """The text as the state can store it: file names that are not UTF-8 are escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def _plain(subject: str) -> str:
    return " ".join(subject.split()).casefold()


_QUESTIONS = {
    "complexity": "How might we make {file} simpler to follow?",
    "large_file": "How might we divide {file} into parts with one job each?",
    "missing_tests": "How might we make changes in {file} safe?",
    "no_tests": "How might we start to test this project?",
    "low_coverage": "How might we test more of {file}?",
    "exclusive_test": "How might we notice that tests do not run?",
    "untested_export": "How might we test what users of {file} call?",
    "swallowed_error": "How might we learn of the errors that {file} swallows?",
    "deprecated_call": "How might we stop using what is deprecated?",
    "version_mismatch": "How might we say each version once?",
    "skipped_test": "How might we get the tests in {file} to run again?",
    "flaky_check": "How might we make the tests say the same twice?",
    "untested_change": "How might we see at once whether a change works?",
    "old_branch": "How might we find what no supported version needs any more?",
    "marker": "How might we resolve the notes left in {file}?",
    "recurring_mismatch": "How might we prevent this from happening again: {title}?",
    "lesson_violation": "How might we make the code follow what was learned?",
    "failed_invariant": "How might we keep the state within its invariants?",
    "unverified_claim": "How might we prove what is claimed to be done?",
}

# end of module
