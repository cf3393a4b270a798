"""The memory: lessons kept, changed, reinforced, forgotten, and put together where two say the same.

Pure: an edit changes the state it is given and says what it did. Lessons are named by their numbers from 1,
and in the log by ``key_of``. Does not own when a lesson concerns a call (``memory.triggers``), which two say
the same (``memory.similarity``), ranking by words (``memory.store``), telling them or the archive.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import UsageError
from operators_edge.evidence import obligations
from operators_edge.memory import similarity, triggers
from operators_edge.plan.edits import EditResult, checked_text, entries, short_line
from operators_edge.state import lesson as lessons_
from operators_edge.state.lesson import Hit, key_of, read, reinforced
from operators_edge.text.wording import many

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.model import State
    from operators_edge.state.lesson import Lesson

__all__ = [
    "Decay",
    "Hit",
    "Seen",
    "add",
    "decayed",
    "edit",
    "key_of",
    "reinforce",
    "remove",
    "used",
]

BUDGET = 50
"""Lessons that a memory holds before those which never helped leave early."""

ENOUGH = 3
"""Times a lesson has to have been told before it can be said that it does not help."""

ONCE_HELPFUL = timedelta(days=7)
NEVER_HELPFUL = timedelta(days=14)

ADD = 'edge lesson add "git push" "run make test first"'

_HISTORY = 5
"""Times that a lesson was told of which it is said what came of them."""

_SHOWN = 20
"""Lines that are said of a file's lessons."""

TEXTS = {"trigger": "the trigger", "lesson": "the lesson", "source": "the source"}


class Seen(NamedTuple):
    """How often a lesson was told, and when last, as the log has it."""

    times: int
    last: datetime | None = None


class Decay(NamedTuple):
    """What is left of a memory; what leaves it, and why; and which lesson took which in."""

    kept: list[Any]
    gone: list[tuple[Lesson, str]]
    merged: list[tuple[Lesson, Lesson]]


# -- edits -----------------------------------------------------------------------------------------


def add(
    state: State, new: Sequence[Mapping[str, Any]], *, now: datetime, source: str = ""
) -> EditResult:
    """Keep lessons, each with ``trigger``, ``lesson`` and what else it says; none is kept twice."""
    if not new:
        raise UsageError("a lesson needs a trigger and a text", hint=ADD)
    made = [_made(each, now=now, source=source) for each in new]
    there = list(entries(state, "memory"))
    known = {key_of(each): number for number, each in enumerate(there, 1)}
    numbers, lines, remarks, events = [], [], [], []
    beside = _Beside(there)
    for each in made:
        key = key_of(each)
        if key in known:
            numbers.append(known[key])
            remarks.append(f"lesson {known[key]} says that already")
            continue
        remarks += beside.add(each)
        there.append(each)
        known[key] = len(there)
        numbers.append(len(there))
        lines.append(f"Lesson {len(there)}: {in_line(each)}")
        events.append(("lesson", {"to": "added", "key": key, **_told(each)}))
    state["memory"] = there
    said = "\n".join(_some(lines, "lesson")) or "Nothing was added."
    data = {"lesson": numbers[0], "numbers": numbers}
    return EditResult(said, data, tuple(events), tuple(_some(remarks, "remark")))


def edit(state: State, number: int, changes: Mapping[str, Any], *, now: datetime) -> EditResult:
    """Change what a lesson says; an empty text takes a field away. Its times of help stay."""
    if not changes:
        raise UsageError(
            f"nothing was said that lesson {number} should become",
            hint=f'edge lesson edit {number} --lesson "the new text"',
        )
    entry = _as_map(state, number)
    before = key_of(entry)
    kept = {name: value for name, value in changes.items() if value not in ("", [], {}, None)}
    for name in changes.keys() - kept.keys():
        if name == "lesson":
            raise UsageError(
                "a lesson needs a text, and this one is empty", hint=f"edge lesson rm {number}"
            )
    entry.update(_fields(kept))
    for name in changes.keys() - kept.keys():
        entry.pop(name, None)
    entry.setdefault("trigger", "")
    entry.setdefault("last_used", _day(now))
    event = ("lesson", {"to": "changed", "key": key_of(entry), "before": before, **_told(entry)})
    said = f"Lesson {number}: {in_line(entry)}"
    return EditResult(said, {"lesson": number, "changed": sorted(changes)}, (event,))


def remove(state: State, numbers: Sequence[int]) -> EditResult:
    """Take lessons out, all named by the numbers they have before; the log keeps what they said."""
    gone = {number: read(_entry(state, number)) for number in numbers}
    there = entries(state, "memory")
    state["memory"] = [each for n, each in enumerate(there, 1) if n not in gone]
    lines = [f"Removed lesson {n}: {in_line(each)}" for n, each in gone.items()]
    events = tuple(
        ("lesson", {"to": "removed", "key": key_of(each), **_told(each)}) for each in gone.values()
    )
    return EditResult("\n".join(lines), {"removed": list(gone)}, events)


def used(
    state: State, numbers: Sequence[int], *, now: datetime, is_observed: bool, note: str = ""
) -> EditResult:
    """Lessons were applied. Only an observed outcome reinforces: an agent's word keeps them alive."""
    lines, events, remarks = [], [], []
    about = {"note": checked_text(note, "the note")} if note else {}
    for number in dict.fromkeys(numbers):
        entry = _as_map(state, number)
        entry["last_used"] = _day(now)
        if is_observed:
            entry["reinforced"] = reinforced(entry) + 1
        said = f"helped {many(reinforced(entry), 'time')}" if reinforced(entry) else "used today"
        lines.append(f"Lesson {number} {said}: {in_line(entry)}")
        data = {"key": key_of(entry), "observed": is_observed, **about}
        events.append(("lesson_used", data))
    if not is_observed:
        remarks.append("kept as used; only an observed outcome, or a person, counts it as helpful")
    data = {"used": list(dict.fromkeys(numbers)), "reinforced": is_observed}
    return EditResult("\n".join(lines), data, tuple(events), tuple(remarks))


def reinforce(state: State, keys: Sequence[str], *, now: datetime) -> EditResult:
    """Lessons that were told, applied and worked, as observed; a key that is gone is passed over."""
    there = {key_of(each): number for number, each in enumerate(entries(state, "memory"), 1)}
    numbers = [there[key] for key in keys if key in there]
    return used(state, numbers, now=now, is_observed=True)


# -- what is shown ---------------------------------------------------------------------------------


def in_line(lesson: Any) -> str:
    """Trigger and text on one line."""
    kept = read(lesson)
    return short_line(f"{kept['trigger']}: {kept['lesson']}" if kept["trigger"] else kept["lesson"])


def lines(state: State) -> list[str]:
    """Every lesson with its number, and how often it helped."""
    return [
        f"{number:>3}. {in_line(each)}{_aside(each)}"
        for number, each in enumerate(lessons_.listed(state.get("memory")), 1)
    ]


def listed(state: State) -> list[dict[str, Any]]:
    """The same for a program."""
    return [
        {"number": number, "key": key_of(each), **each}
        for number, each in enumerate(lessons_.listed(state.get("memory")), 1)
    ]


def about(
    state: State, number: int, *, now: datetime, exposures: Mapping[str, Seen] | None = None
) -> EditResult:
    """When a lesson comes up, what came of it, and how long it stays; ``exposures`` as for ``decayed``."""
    entry = _entry(state, number)
    kept, key = read(entry), key_of(entry)
    seen = (exposures or {}).get(key, Seen(0))
    when = {kind: list(values) for kind, values in triggers.when_of(entry).items()}
    told = obligations.history(state, key)
    last = f", last on {_day(seen.last)}" if seen.last else ""
    parts = [
        ("comes up", _comes_up(when)),
        *(("never", wrong) for wrong in _troubles(when)),
        ("told", f"{many(seen.times, 'time')}{last}" if seen.times else ""),
        *(("came to", obligations.in_line(each)) for each in told[:_HISTORY]),
        ("helped", many(reinforced(entry), "time")),
        ("last used", kept.get("last_used")),
        ("learned", kept.get("source")),
        ("stays", _stays(entry, now, seen)),
    ]
    lines_ = [f"  {name + ':':10} {short_line(said)}" for name, said in parts if said]
    data = {"number": number, "key": key, "exactly": when, **kept, "told": seen.times}
    text = "\n".join([f"Lesson {number}: {in_line(entry)}", *lines_])
    return EditResult(text, {**data, "came_to": told, "stays": _stays(entry, now, seen)})


def _comes_up(when: Mapping[str, Sequence[str]]) -> str:
    exactly = (f"{kind.replace('_', ' ')} {' or '.join(values)}" for kind, values in when.items())
    return " and ".join(exactly) or "where its words are said"


def _troubles(when: Mapping[str, Sequence[str]]) -> list[str]:
    """What of a condition that somebody wrote by hand can never hold."""
    found = (triggers.trouble(kind, value) for kind, values in when.items() for value in values)
    return [each for each in found if each]


def _stays(entry: Any, now: datetime, seen: Seen) -> str:
    when, times = lessons_.date_of(entry), reinforced(entry)
    if lessons_.is_evergreen(entry):
        return "for good: it is evergreen"
    if times >= 2:
        return "for good: it helped more than once"
    if not lessons_.says(entry) or when is None:
        return "until it has a date: edge prune gives it one"
    over = when + (ONCE_HELPFUL if times else NEVER_HELPFUL)
    if over <= now:
        leaves = bool(_over(entry, now, seen))
        return "until the next edge prune" if leaves else "while it comes up: it is on probation"
    if not times and seen.times >= ENOUGH:
        return f"until {_day(over)}, longer only where it helps: it was told often enough"
    return f"until {_day(over)}, longer where it comes up or helps"


def _aside(lesson: Lesson) -> str:
    said = ["evergreen"] if lessons_.is_evergreen(lesson) else []
    said += [f"helped {many(reinforced(lesson), 'time')}"] if reinforced(lesson) else []
    return f" ({', '.join(said)})" if said else ""


# -- forgetting ------------------------------------------------------------------------------------


def decayed(
    memory: Any,
    *,
    now: datetime,
    exposures: Mapping[str, Seen] | None = None,
    budget: int = BUDGET,
) -> Decay:
    """What stays of a memory, what leaves and why, and what was put together. Doing it twice changes nothing.

    ``exposures``: ``key_of`` a lesson → how often it was told. A lesson without a date gets today's, and
    its time begins; what cannot be read as a lesson stays.
    """
    seen = exposures or {}
    kept, merged = similarity.merged(list(memory) if isinstance(memory, list) else [])
    gone: list[tuple[Lesson, str]] = []
    stays = []
    for entry in kept:
        reason = _over(entry, now, seen.get(key_of(entry), Seen(0)))
        if reason:
            gone.append((read(entry), reason))
        else:
            stays.append(_dated(entry, now))
    for entry in _too_many(stays, seen, budget):
        stays = [each for each in stays if each is not entry]
        gone.append((read(entry), f"Never reinforced, and the memory holds more than {budget}"))
    return Decay(stays, gone, merged)


def _over(entry: Any, now: datetime, seen: Seen) -> str:
    """Why a lesson's time is over, or ""."""
    when = lessons_.date_of(entry)
    if not lessons_.says(entry) or lessons_.is_evergreen(entry) or when is None:
        return ""
    times, age = reinforced(entry), now - when
    if times >= 2 or age < (ONCE_HELPFUL if times else NEVER_HELPFUL):
        return ""
    if seen.last is not None and now - seen.last < NEVER_HELPFUL and (times or seen.times < ENOUGH):
        return ""  # it still comes up, and was not told often enough to be judged
    if times:
        return f"Helped once, not used for {age.days} days"
    told = f", told {many(seen.times, 'time')}" if seen.times else ""
    return f"Never reinforced, {age.days} days old{told}"


def _too_many(stays: list[Any], seen: Mapping[str, Seen], budget: int) -> list[Any]:
    """Over the budget: of those that never helped first who had their chance, then the oldest."""
    loose = [
        each
        for each in stays
        if lessons_.says(each) and not reinforced(each) and not lessons_.is_evergreen(each)
    ]
    loose.sort(key=lambda each: (seen.get(key_of(each), Seen(0)).times < ENOUGH, _stamp(each)))
    return loose[: max(0, len(stays) - budget)]


def _dated(entry: Any, now: datetime) -> Any:
    if (
        not isinstance(entry, dict)
        or not lessons_.says(entry)
        or lessons_.date_of(entry) is not None
    ):
        return entry
    return entry if entry.get("last_used") else {**entry, "last_used": _day(now)}


def _stamp(entry: Any) -> float:
    when = lessons_.date_of(entry)
    return when.timestamp() if when else 0.0


# -- small parts -----------------------------------------------------------------------------------


def _made(given: Mapping[str, Any], *, now: datetime, source: str) -> Lesson:
    fields = _fields(given)
    if "lesson" not in fields:
        raise UsageError("a lesson needs a text", hint=ADD)
    if not fields.get("trigger"):
        said = (value for values in fields.get("when", {}).values() for value in values)
        fields["trigger"] = ", ".join(said)
    made = {"trigger": fields.pop("trigger"), "lesson": fields.pop("lesson"), **fields}
    made.setdefault("reinforced", 0)
    made.setdefault("last_used", _day(now))
    if source:
        made.setdefault("source", source)
    return made


def _fields(given: Mapping[str, Any]) -> Lesson:
    """What a lesson says, looked at: texts are texts, conditions can hold."""
    kept = dict(given)
    for name, what in TEXTS.items():
        if kept.get(name) is not None and (name == "lesson" or str(kept[name]).strip()):
            kept[name] = checked_text(str(kept[name]), what)
    if kept.get("when") is not None:
        kept["when"] = _when(kept["when"])
    return {name: value for name, value in kept.items() if value is not None}


def _when(given: Any) -> dict[str, list[str]]:
    if not isinstance(given, dict) or not given:
        raise UsageError(
            "when of a lesson says nothing that can hold",
            hint=f"its keys are {', '.join(triggers.KINDS)}",
        )
    unknown = [str(each) for each in given if each not in triggers.KINDS]
    if unknown:
        raise UsageError(
            f"{unknown[0]!r} is nothing that a lesson can wait for",
            hint=f"when knows {', '.join(triggers.KINDS)}",
        )
    meant = triggers.when_of({"when": given})
    for kind, values in meant.items():
        for value in values:
            if wrong := triggers.trouble(kind, value):
                raise UsageError(f"this lesson could never come up: {wrong}", hint=ADD)
    return {kind: list(values) for kind, values in meant.items()}


class _Beside:
    """What is worth saying of a new lesson beside those that are there."""

    def __init__(self, there: Sequence[Any]) -> None:
        self._there = list(there)
        self._known = similarity.Known(there)
        self._by_trigger: dict[str, int] = {}
        for number, each in enumerate(there, 1):
            self._by_trigger.setdefault(read(each)["trigger"].casefold(), number)

    def add(self, new: Lesson) -> list[str]:
        trigger = new["trigger"].casefold()
        said = similarity.said_of(new)
        alike = next((at + 1 for at in self._known.near(said)), 0)
        same = self._by_trigger.get(trigger) if trigger else None
        self._there.append(new)
        self._known.add(said)
        self._by_trigger.setdefault(trigger, len(self._there))
        if alike:
            return [f"lesson {alike} says nearly the same: {self._line(alike)}"]
        return [f"lesson {same} has that trigger, too: {self._line(same)}"] if same else []

    def _line(self, number: int) -> str:
        return in_line(self._there[number - 1])


def _some(lines_: Sequence[str], what: str) -> list[str]:
    """The first of many lines, and how many more there are."""
    more = len(lines_) - _SHOWN
    return [*lines_[:_SHOWN], *([f"and {many(more, what)} more"] if more > 0 else [])]


def _told(lesson: Lesson) -> dict[str, Any]:
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


def _as_map(state: State, number: int) -> Lesson:
    """The entry as a map of the state's own: a text alone becomes one that holds it."""
    entry = _entry(state, number)
    if isinstance(entry, dict):
        return entry
    there, made = list(entries(state, "memory")), read(entry)
    there[number - 1] = made
    state["memory"] = there
    return made


def _day(now: datetime) -> str:
    return now.date().isoformat()
