"""The memory: adding, changing, reinforcing, forgetting and merging lessons.

Pure: an edit changes the given state and returns what it did. Lessons are named by their numbers from 1, and
in the log by ``key_of``. Does not own when a lesson concerns a call (``memory.triggers``), which ones are
duplicates (``memory.similarity``), ranking by words (``memory.store``), showing them (``memory.service``) or
the archive.
"""

from __future__ import annotations

from itertools import chain

from operators_edge.datetimes import datetime, timedelta
from operators_edge.errors import UsageError
from operators_edge.evidence import obligations
from operators_edge.memory import similarity, triggers
from operators_edge.plan.edits import EditResult, checked_text, entries, short_line
from operators_edge.state import lesson as lessons_
from operators_edge.state.lesson import Hit, key_of, read, reinforced
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from operators_edge.memory.similarity import Content
    from operators_edge.model import State
    from operators_edge.state.lesson import Lesson

__all__ = [
    "Decay",
    "Exposure",
    "Hit",
    "add",
    "decay",
    "edit",
    "key_of",
    "mark_used",
    "numbered",
    "reinforce",
    "remove",
]

MAX_LESSONS = 50
"""Above this number of lessons, those that never helped are removed early."""

MIN_EXPOSURES = 3
"""How often a lesson must be shown before it can be judged not to help."""

KEEP_HELPED_ONCE = timedelta(days=7)
KEEP_NEVER_HELPED = timedelta(days=14)

ADD = 'edge lesson add "git push" "run make test first"'

_MAX_HISTORY = 5
"""Outcomes of a lesson that are listed."""

_MAX_LINES = 20
"""Lines about the lessons of one file."""

TEXTS = {"trigger": "the trigger", "lesson": "the lesson", "source": "the source"}


class Exposure(NamedTuple):
    """How often a lesson was shown, and when last, according to the log."""

    times: int
    last: datetime | None = None


class Decay(NamedTuple):
    """The remaining memory; what leaves it, each with the reason; and which lesson was merged with which."""

    remaining: list[Any]
    removed: list[tuple[Lesson, str]]
    merged: list[tuple[Lesson, Lesson]]


# -- edits -----------------------------------------------------------------------------------------


def add(
    state: State, new: Sequence[Mapping[str, Any]], *, now: datetime, source: str = ""
) -> EditResult:
    """Add lessons, each with ``trigger``, ``lesson`` and optional fields; none is added twice."""
    if not new:
        raise UsageError("a lesson needs a trigger and a text", hint=ADD)
    new_lessons = [_new_lesson(each, now=now, source=source) for each in new]
    lessons = list(entries(state, "memory"))
    known = {key_of(each): number for number, each in enumerate(lessons, 1)}
    numbers, lines, remarks, events = [], [], [], []
    contents = [similarity.content_of(each) for each in lessons]
    for each in new_lessons:
        key = key_of(each)
        if key in known:
            numbers.append(known[key])
            remarks.append(f"lesson {known[key]} is the same")
            continue
        content = similarity.content_of(each)
        remarks += _neighbour(content, lessons, contents)
        lessons.append(each)
        contents.append(content)
        known[key] = len(lessons)
        numbers.append(len(lessons))
        lines.append(f"Lesson {len(lessons)}: {in_line(each)}")
        events.append(("lesson", {"to": "added", "key": key, **_logged_fields(each)}))
    state["memory"] = lessons
    text = "\n".join(_first_lines(lines, "lesson")) or "Nothing was added."
    data = {"lesson": numbers[0], "numbers": numbers}
    return EditResult(text, data, tuple(events), tuple(_first_lines(remarks, "remark")))


def edit(state: State, number: int, changes: Mapping[str, Any], *, now: datetime) -> EditResult:
    """Change fields of a lesson; an empty text removes the field. Its count of help is kept."""
    if not changes:
        raise UsageError(
            f"no change of lesson {number} was given",
            hint=f'edge lesson edit {number} --lesson "the new text"',
        )
    entry = _editable(state, number)
    before = key_of(entry)
    values = {name: value for name, value in changes.items() if value not in ("", [], {}, None)}
    for name in changes.keys() - values.keys():
        if name == "lesson":
            raise UsageError(
                "a lesson needs a text, and this one is empty", hint=f"edge lesson rm {number}"
            )
    entry.update(_checked_fields(values))
    for name in changes.keys() - values.keys():
        entry.pop(name, None)
    entry.setdefault("trigger", "")
    entry.setdefault("last_used", _day(now))
    event = (
        "lesson",
        {"to": "changed", "key": key_of(entry), "before": before, **_logged_fields(entry)},
    )
    text = f"Lesson {number}: {in_line(entry)}"
    return EditResult(text, {"lesson": number, "changed": sorted(changes)}, (event,))


def remove(state: State, numbers: Sequence[int]) -> EditResult:
    """Remove lessons, named by their numbers before the edit; the log keeps their texts."""
    removed = {number: read(_entry(state, number)) for number in numbers}
    lessons = entries(state, "memory")
    state["memory"] = [each for n, each in enumerate(lessons, 1) if n not in removed]
    lines = [f"Removed lesson {n}: {in_line(each)}" for n, each in removed.items()]
    events = tuple(
        ("lesson", {"to": "removed", "key": key_of(each), **_logged_fields(each)})
        for each in removed.values()
    )
    return EditResult("\n".join(lines), {"removed": list(removed)}, events)


def mark_used(
    state: State, numbers: Sequence[int], *, now: datetime, is_observed: bool, note: str = ""
) -> EditResult:
    """Lessons were applied. Only an observed outcome reinforces; an agent's report only delays forgetting."""
    lines, events, remarks = [], [], []
    about = {"note": checked_text(note, "the note")} if note else {}
    for number in dict.fromkeys(numbers):
        entry = _editable(state, number)
        entry["last_used"] = _day(now)
        if is_observed:
            entry["reinforced"] = reinforced(entry) + 1
        usage = f"helped {many(reinforced(entry), 'time')}" if reinforced(entry) else "used today"
        lines.append(f"Lesson {number} {usage}: {in_line(entry)}")
        data = {"key": key_of(entry), "observed": is_observed, **about}
        events.append(("lesson_used", data))
    if not is_observed:
        remarks.append("noted as used; only an observed outcome, or a person, counts it as helpful")
    data = {"used": list(dict.fromkeys(numbers)), "reinforced": is_observed}
    return EditResult("\n".join(lines), data, tuple(events), tuple(remarks))


def reinforce(state: State, keys: Sequence[str], *, now: datetime) -> EditResult:
    """Lessons that were shown and then seen to work; a key that no longer exists is skipped."""
    there = {key_of(each): number for number, each in enumerate(entries(state, "memory"), 1)}
    numbers = [there[key] for key in keys if key in there]
    return mark_used(state, numbers, now=now, is_observed=True)


def numbered(state: State, number: int) -> Lesson:
    """The lesson of this number; UsageError if there is none."""
    return read(_entry(state, number))


# -- what is shown ---------------------------------------------------------------------------------


def in_line(lesson: Any) -> str:
    """Trigger and text on one line."""
    kept = read(lesson)
    return short_line(f"{kept['trigger']}: {kept['lesson']}" if kept["trigger"] else kept["lesson"])


def lines(state: State) -> list[str]:
    """Every lesson with its number, and how often it helped."""
    return [
        f"{number:>3}. {in_line(each)}{_annotations(each)}"
        for number, each in enumerate(lessons_.listed(state.get("memory")), 1)
    ]


def listed(state: State) -> list[dict[str, Any]]:
    """The same for a program."""
    return [
        {"number": number, "key": key_of(each), **each}
        for number, each in enumerate(lessons_.listed(state.get("memory")), 1)
    ]


def explain(
    state: State, number: int, *, now: datetime, exposures: Mapping[str, Exposure] | None = None
) -> EditResult:
    """When a lesson is shown, its outcomes, and how long it is kept; ``exposures`` as for ``decay``."""
    entry = _entry(state, number)
    kept, key = read(entry), key_of(entry)
    seen = (exposures or {}).get(key, Exposure(0))
    when = {kind: list(values) for kind, values in triggers.when_of(entry).items()}
    outcomes = obligations.history(state, key)
    last = f", last on {_day(seen.last)}" if seen.last else ""
    parts = [
        ("matches", _when_shown(when)),
        *(("never", wrong) for wrong in _impossible_conditions(when)),
        ("shown", f"{many(seen.times, 'time')}{last}" if seen.times else ""),
        *(("outcome", obligations.in_line(each)) for each in outcomes[:_MAX_HISTORY]),
        ("helped", many(reinforced(entry), "time")),
        ("last used", kept.get("last_used")),
        ("source", kept.get("source")),
        ("kept", _retention(entry, now, seen)),
    ]
    lines_ = [f"  {name + ':':10} {short_line(said)}" for name, said in parts if said]
    data = {"number": number, "key": key, "exactly": when, **kept, "told": seen.times}
    text = "\n".join([f"Lesson {number}: {in_line(entry)}", *lines_])
    return EditResult(text, {**data, "came_to": outcomes, "stays": _retention(entry, now, seen)})


def _when_shown(when: Mapping[str, Sequence[str]]) -> str:
    exactly = (f"{kind.replace('_', ' ')} {' or '.join(values)}" for kind, values in when.items())
    return " and ".join(exactly) or "texts with its words"


def _impossible_conditions(when: Mapping[str, Sequence[str]]) -> list[str]:
    """Why parts of a condition, written by hand, can never match."""
    reasons = (
        triggers.impossible_reason(kind, value) for kind, values in when.items() for value in values
    )
    return [each for each in reasons if each]


def _retention(entry: Any, now: datetime, seen: Exposure) -> str:
    when, times = lessons_.date_of(entry), reinforced(entry)
    if lessons_.is_evergreen(entry):
        return "permanently: it is evergreen"
    if times >= 2:
        return "permanently: it helped more than once"
    if not lessons_.says(entry) or when is None:
        return "until it has a date: edge prune gives it one"
    end = when + (KEEP_HELPED_ONCE if times else KEEP_NEVER_HELPED)
    if end <= now:
        leaves = bool(_decay_reason(entry, now, seen))
        return "until the next edge prune" if leaves else "while it is shown: it is on probation"
    if not times and seen.times >= MIN_EXPOSURES:
        return f"until {_day(end)}, longer only if it helps: it was shown often enough"
    return f"until {_day(end)}, longer if it is shown or helps"


def _annotations(lesson: Lesson) -> str:
    notes = ["evergreen"] if lessons_.is_evergreen(lesson) else []
    notes += [f"helped {many(reinforced(lesson), 'time')}"] if reinforced(lesson) else []
    return f" ({', '.join(notes)})" if notes else ""


# -- forgetting ------------------------------------------------------------------------------------


def decay(
    memory: Any,
    *,
    now: datetime,
    exposures: Mapping[str, Exposure] | None = None,
    budget: int = MAX_LESSONS,
) -> Decay:
    """Forget and merge lessons. A second run changes nothing.

    ``exposures``: ``key_of`` a lesson → how often it was shown. A lesson without a date gets today's; what
    cannot be read as a lesson is kept.
    """
    seen = exposures or {}
    kept, merged = similarity.merge(list(memory) if isinstance(memory, list) else [])
    removed: list[tuple[Lesson, str]] = []
    remaining = []
    for entry in kept:
        reason = _decay_reason(entry, now, seen.get(key_of(entry), Exposure(0)))
        if reason:
            removed.append((read(entry), reason))
        else:
            remaining.append(_with_date(entry, now))
    for entry in _over_budget(remaining, seen, budget):
        remaining = [each for each in remaining if each is not entry]
        removed.append((read(entry), f"Never reinforced, and the memory holds more than {budget}"))
    return Decay(remaining, removed, merged)


def _decay_reason(entry: Any, now: datetime, seen: Exposure) -> str:
    """Why a lesson is forgotten, or ""."""
    when = lessons_.date_of(entry)
    if not lessons_.says(entry) or lessons_.is_evergreen(entry) or when is None:
        return ""
    times, age = reinforced(entry), now - when
    if times >= 2 or age < (KEEP_HELPED_ONCE if times else KEEP_NEVER_HELPED):
        return ""
    if _is_on_probation(times, seen, now):
        return ""
    if times:
        return f"Helped once, not used for {age.days} days"
    shown_times = f", shown {many(seen.times, 'time')}" if seen.times else ""
    return f"Never reinforced, {age.days} days old{shown_times}"


def _is_on_probation(times: int, seen: Exposure, now: datetime) -> bool:
    """Whether a lesson is still shown, and was not shown often enough to be judged."""
    is_shown = seen.last is not None and now - seen.last < KEEP_NEVER_HELPED
    return is_shown and (times > 0 or seen.times < MIN_EXPOSURES)


def _over_budget(memory: list[Any], seen: Mapping[str, Exposure], budget: int) -> list[Any]:
    """What exceeds the limit: lessons that never helped, those shown often enough first, then the oldest."""
    unproven = [
        each
        for each in memory
        if lessons_.says(each) and not reinforced(each) and not lessons_.is_evergreen(each)
    ]
    unproven.sort(
        key=lambda each: (
            seen.get(key_of(each), Exposure(0)).times < MIN_EXPOSURES,
            _timestamp(each),
        )
    )
    return unproven[: max(0, len(memory) - budget)]


def _with_date(entry: Any, now: datetime) -> Any:
    if (
        not isinstance(entry, dict)
        or not lessons_.says(entry)
        or lessons_.date_of(entry) is not None
    ):
        return entry
    return entry if entry.get("last_used") else {**entry, "last_used": _day(now)}


def _timestamp(entry: Any) -> float:
    when = lessons_.date_of(entry)
    return when.timestamp() if when else 0.0


# -- small parts -----------------------------------------------------------------------------------


def _new_lesson(new: Mapping[str, Any], *, now: datetime, source: str) -> Lesson:
    fields = _checked_fields(new)
    if "lesson" not in fields:
        raise UsageError("a lesson needs a text", hint=ADD)
    if not fields.get("trigger"):
        fields["trigger"] = ", ".join(chain.from_iterable(fields.get("when", {}).values()))
    lesson = {"trigger": fields.pop("trigger"), "lesson": fields.pop("lesson"), **fields}
    lesson.setdefault("reinforced", 0)
    lesson.setdefault("last_used", _day(now))
    if source:
        lesson.setdefault("source", source)
    return lesson


def _checked_fields(fields: Mapping[str, Any]) -> Lesson:
    """The fields of a lesson, checked: texts are texts, and conditions can match."""
    checked = dict(fields)
    for name, what in TEXTS.items():
        if checked.get(name) is not None and (name == "lesson" or str(checked[name]).strip()):
            checked[name] = checked_text(str(checked[name]), what)
    if checked.get("when") is not None:
        checked["when"] = _checked_when(checked["when"])
    return {name: value for name, value in checked.items() if value is not None}


def _checked_when(when: Any) -> dict[str, list[str]]:
    if not isinstance(when, dict) or not when:
        raise UsageError(
            "when of a lesson has no condition",
            hint=f"its keys are {', '.join(triggers.KINDS)}",
        )
    unknown = [str(each) for each in when if each not in triggers.KINDS]
    if unknown:
        raise UsageError(
            f"{unknown[0]!r} is not a condition of a lesson",
            hint=f"its keys are {', '.join(triggers.KINDS)}",
        )
    conditions = triggers.when_of({"when": when})
    for kind, values in conditions.items():
        for value in values:
            if reason := triggers.impossible_reason(kind, value):
                raise UsageError(f"this lesson could never be shown: {reason}", hint=ADD)
    return {kind: list(values) for kind, values in conditions.items()}


def _neighbour(content: Content, lessons: Sequence[Any], contents: Sequence[Content]) -> list[str]:
    """A remark on a new lesson: an existing one with nearly the same text, else with the same trigger."""
    for at in similarity.duplicates(content, contents):
        return [f"lesson {at + 1} is nearly the same: {in_line(lessons[at])}"]
    known = [each.trigger for each in contents]
    if content.trigger and content.trigger in known:
        at = known.index(content.trigger)
        return [f"lesson {at + 1} has the same trigger: {in_line(lessons[at])}"]
    return []


def _first_lines(lines_: Sequence[str], what: str) -> list[str]:
    """The first lines, and how many more there are."""
    more = len(lines_) - _MAX_LINES
    return [*lines_[:_MAX_LINES], *([f"and {many(more, what)} more"] if more > 0 else [])]


def _logged_fields(lesson: Lesson) -> dict[str, Any]:
    kept = read(lesson)
    return {"trigger": kept["trigger"], "text": kept["lesson"]}


def _entry(state: State, number: int) -> Any:
    there = entries(state, "memory")
    if 1 <= number <= len(there):
        return there[number - 1]
    what = (
        f"there {'is' if len(there) == 1 else 'are'} {many(len(there), 'lesson')}, counted from 1"
    )
    raise UsageError(f"there is no lesson {number}: {what}", hint="edge lesson" if there else ADD)


def _editable(state: State, number: int) -> Lesson:
    """The entry as a mapping in the state; an entry that is only a text becomes one."""
    entry = _entry(state, number)
    if isinstance(entry, dict):
        return entry
    there, made = list(entries(state, "memory")), read(entry)
    there[number - 1] = made
    state["memory"] = there
    return made


def _day(now: datetime) -> str:
    return now.date().isoformat()


# end of module
