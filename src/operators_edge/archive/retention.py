"""What is finished and no longer needed in the state, and the entries the archive gets for it (LC-4).

Pure: ``prune`` changes the state that it is given; a second run finds nothing. Does not own the archive's
file (``storage.archive``), how lessons decay (``memory.lessons``) or the end of an objective
(``archive.service``).
"""

from __future__ import annotations

from bisect import bisect_left

from operators_edge.archive import closing
from operators_edge.inquiry import brainstorm, brainstorm_model, research
from operators_edge.memory import lessons as memory, mismatches
from operators_edge.plan import modes
from operators_edge.state import lesson
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from typing import Any

    from operators_edge.memory.lessons import Exposure
    from operators_edge.model import State

    Entry = dict[str, Any]


_SHOWN = 76


class Pruned(NamedTuple):
    """``entries`` for the archive, ``lines`` for a person, ``counts`` for programs and the log."""

    entries: tuple[Entry, ...]
    lines: tuple[str, ...]
    counts: dict[str, int]

    def with_runs(self, orphans: int, old: int) -> Pruned:
        """With the eval runs that are deleted; their results are in the log."""
        found = (
            ("eval_runs", old, f"{many(old, 'expired eval run')}"),
            (
                "eval_orphans",
                orphans,
                f"{many(orphans, 'eval run')} of an edit that never finished",
            ),
        )
        return self._replace(
            lines=(*self.lines, *(line for _, count, line in found if count)),
            counts={**self.counts, **{name: count for name, count, _ in found if count}},
        )


def prune(
    state: State, *, now: datetime, session: str, exposures: Mapping[str, Exposure] | None = None
) -> Pruned:
    """Remove what is finished. ``exposures``: how often each lesson was shown, by its key."""
    # Entries that name a step by number are made before the numbers change.
    beside = [
        *_mismatches(state, session),
        *_research(state, now, session),
        *_brainstorm(state, now),
    ]
    lessons, dated = _lessons(state, now, exposures or {})
    entries = [*_steps(state, session), *beside, *lessons]
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry["type"]] = counts.get(entry["type"], 0) + 1
    lines = [_line(entry) for entry in entries]
    if dated:
        counts["lessons_dated"] = dated
        lines.append(f"{many(dated, 'lesson')} without a date: counted from today")
    return Pruned(tuple(entries), tuple(lines), counts)


def _line(entry: Entry) -> str:
    what, key = _WORDS[entry["type"]]
    why = f" ({entry['reason']})" if entry.get("reason") else ""
    return one_line(f"{what}: {entry.get(key)}{why}", _SHOWN)


_WORDS = {
    "completed_step": ("step", "description"),
    "resolved_mismatch": ("mismatch", "observation"),
    "completed_research": ("research", "topic"),
    "completed_brainstorm": ("brainstorm", "challenge"),
    "decayed_lesson": ("lesson", "lesson"),
}


# -- steps -----------------------------------------------------------------------------------------


def completed_step(objective: Any, number: int, step: Mapping[str, Any], session: str) -> Entry:
    """The archive's entry for a completed step."""
    kept = ("description", "proof", "expected", "actual", "delta", "verification")
    return {
        "type": "completed_step",
        "objective": objective,
        "step_number": number,
        **{key: step.get(key) for key in kept if key in step or key in _OF_EVERY_STEP},
        "session": session,
    }


_OF_EVERY_STEP = ("description", "proof", "expected", "actual")


def _steps(state: State, session: str) -> list[Entry]:
    """All completed steps but the last, and but the verification that the quality gate requires.

    None in mode done: they are archived with their objective.
    """
    plan = state.get("plan")
    if not isinstance(plan, list) or modes.current(state) == "done":
        return []
    done = [n for n, step in enumerate(plan, 1) if _is_completed(step)]
    removed = [n for n in done[:-1] if not _is_required(state, plan[n - 1])]
    objective = state.get("objective")
    entries = [completed_step(objective, n, plan[n - 1], session) for n in removed]
    if removed:
        known = set(removed)
        state["plan"] = [step for n, step in enumerate(plan, 1) if n not in known]
        renumber(state, removed)
        closing.count_steps(state, len(removed))
    return entries


def _is_completed(step: Any) -> bool:
    return isinstance(step, dict) and step.get("status") == "completed"


def _is_required(state: State, step: Mapping[str, Any]) -> bool:
    return bool(state.get("intent")) and step.get("is_verification") is True


def renumber(state: State, removed: list[int]) -> None:
    """Update every reference to a step by number after the steps ``removed`` were removed."""
    state["current_step"] = _moved(state.get("current_step"), removed, removed_is=0)
    for key, field in (("mismatches", "step"), ("research", "blocking_step")):
        listed = state.get(key)
        if isinstance(listed, list):
            state[key] = [
                {**each, field: _moved(each[field], removed, removed_is=None)}
                if isinstance(each, dict) and type(each.get(field)) is int
                else each
                for each in listed
            ]


def _moved(number: Any, removed: list[int], *, removed_is: int | None) -> Any:
    """A step's number after the removal; ``removed`` is sorted."""
    if type(number) is not int:
        return number
    before = bisect_left(removed, number)
    return removed_is if removed[before : before + 1] == [number] else number - before


# -- the lists beside the plan ---------------------------------------------------------------------


def _mismatches(state: State, session: str) -> list[Entry]:
    def is_gone(entry: Any) -> bool:
        return isinstance(entry, dict) and not mismatches.is_open(entry)

    gone = _taken_out(state, "mismatches", is_gone)
    return [resolved_mismatch(each, session) for each in gone]


def resolved_mismatch(entry: Mapping[str, Any], session: str) -> Entry:
    """The archive's entry for a resolved mismatch."""
    kept = ("expectation", "observation", "delta", "suspected_cause", "resolution")
    return {
        "type": "resolved_mismatch",
        "mismatch_id": entry.get("id"),
        **{key: entry.get(key) for key in kept},
        "lesson_extracted": entry.get("lesson_extracted"),
        "step": entry.get("step"),
        "confidence": entry.get("confidence"),
        "raised_at": entry.get("timestamp"),
        "session": session,
    }


def _research(state: State, now: datetime, session: str) -> list[Entry]:
    gone = _taken_out(state, "research", research.is_finished)
    return [research.archive_entry(each, now, session=session) for each in gone]


def _taken_out(state: State, key: str, is_gone: Callable[[Any], bool]) -> list[Entry]:
    listed = state.get(key)
    if not isinstance(listed, list):
        return []
    gone = [each for each in listed if is_gone(each)]
    if gone:
        state[key] = [each for each in listed if not is_gone(each)]
    return gone


def _brainstorm(state: State, now: datetime) -> list[Entry]:
    found = state.get("brainstorm")
    if not isinstance(found, dict) or not brainstorm_model.is_finished(found):
        return []
    del state["brainstorm"]
    return [brainstorm.archive_entry(found, now)]


# -- memory ----------------------------------------------------------------------------------------


def _lessons(
    state: State, now: datetime, exposures: Mapping[str, Exposure]
) -> tuple[list[Entry], int]:
    """Lessons that decayed or were merged, and how many got a date from which decay counts."""
    before = state.get("memory")
    if not isinstance(before, list) or not before:
        return [], 0
    left = memory.decay(before, now=now, exposures=exposures)
    removed = [decayed_lesson(each, reason) for each, reason in left.removed]
    for stays, goes in left.merged:
        removed.append(
            decayed_lesson(goes, f"merged into: {one_line(lesson.read(stays)['lesson'], 60)}")
        )
    if left.remaining != before:
        state["memory"] = left.remaining
    return removed, _newly_dated(before, left.remaining)


def _newly_dated(before: list[Any], kept: list[Any]) -> int:
    had = {lesson.key_of(each) for each in before if _has_date(each)}
    return sum(_has_date(each) and lesson.key_of(each) not in had for each in kept)


def _has_date(entry: Any) -> bool:
    return isinstance(entry, dict) and bool(entry.get("last_used"))


def decayed_lesson(entry: Mapping[str, Any], reason: str) -> Entry:
    """The archive's entry for a decayed lesson: all of it, so that it can be restored."""
    kept = {key: value for key, value in entry.items() if key not in ("trigger", "lesson", "type")}
    return {
        "type": "decayed_lesson",
        "trigger": entry.get("trigger"),
        "lesson": entry.get("lesson"),
        "reason": reason,
        "originally_learned": entry.get("learned_at") or entry.get("last_used"),
        **kept,
        "reinforced": lesson.reinforced(entry),
    }


# end of module
