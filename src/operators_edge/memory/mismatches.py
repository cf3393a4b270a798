"""Mismatches: what was expected, and what was seen instead.

Pure. Owns their shape, the edits of ``mismatches`` and what the observed ones of a turn make of it. Does
not own when something is seen (``memory.outcomes``), lessons (``memory.lessons``) or what an open one holds
up (``quality.checks``).

Entries are named by their numbers from 1, as they are shown, or by their ids. What somebody wrote by hand is
read as it is meant: a text alone is what was seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.errors import UsageError
from operators_edge.plan.edits import EditResult, checked_text, entries, short_line, step_at
from operators_edge.state import schema
from operators_edge.text.tokens import last_number
from operators_edge.text.wording import as_text, many

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from operators_edge.model import State

Mismatch = dict[str, Any]

ADD = 'edge mismatch add "what was seen" --expected "what should have been"'
LIST = "edge mismatch list"


# -- reading ---------------------------------------------------------------------------------------


def is_open(entry: Any) -> bool:
    """Whether it waits to be resolved; a text alone does, as nobody can have said more of it."""
    if not isinstance(entry, dict):
        return bool(as_text(entry))
    return not schema.is_resolved(entry)


def text_of(entry: Any) -> str:
    """What it says, in one sentence."""
    if not isinstance(entry, dict):
        return as_text(entry)
    saw, expected = as_text(entry.get("observation")), as_text(entry.get("expectation"))
    if saw and expected:
        return f"expected {expected}, saw {saw}"
    return saw or (
        f"expected {expected}" if expected else as_text(entry.get("id")) or "it says nothing"
    )


def name_of(number: int, entry: Any) -> str:
    """Its id where it has one, else its number."""
    ident = as_text(entry.get("id")) if isinstance(entry, dict) else ""
    return ident or str(number)


def unresolved(state: State) -> list[tuple[int, Any]]:
    """Every open one with its number; nothing where the key holds no list."""
    listed = state.get("mismatches")
    there = listed if isinstance(listed, list) else []
    return [(number, each) for number, each in enumerate(there, 1) if is_open(each)]


# -- edits -----------------------------------------------------------------------------------------


def add(
    state: State,
    observation: str,
    *,
    now: datetime,
    expectation: str | None = None,
    step: int | None = None,
    fields: Mapping[str, Any] | None = None,
    after: int = 0,
) -> EditResult:
    """Add one; without ``expectation`` and ``step`` those of the step at work are taken.

    ``fields``: delta, suspected_cause, trigger, intent_link (texts), confidence (0 to 1), and of an
    observed one source, key, command. ``after`` is the highest number that an archived one has: an id is
    not given twice.
    """
    seen = checked_text(observation, "a mismatch")
    number, at_work = _step(state, step)
    wanted = expectation if expectation is not None else as_text(at_work.get("expected")) or None
    entry: Mismatch = {
        "id": _new_id(state, after),
        "step": number,
        "timestamp": now.isoformat(timespec="seconds"),
        "expectation": checked_text(wanted, "what was expected") if wanted is not None else None,
        "observation": seen,
        **_fields(fields or {}),
        "resolved": False,
        "resolution": None,
    }
    if (same := _same(state, entry)) is not None:
        remark = f"mismatch {same} says that already"
        name = name_of(same, entries(state, "mismatches")[same - 1])
        return EditResult("Nothing was added.", {"mismatch": name}, (), (remark,))
    there = [*entries(state, "mismatches"), entry]
    state["mismatches"] = there
    logged = ("id", "step", "expectation", "observation", "source", "key")
    event = {"to": "added", **{name: entry[name] for name in logged if name in entry}}
    text = f"Mismatch {len(there)} ({entry['id']}): {short_line(text_of(entry))}"
    remarks = (
        () if wanted else ('what was expected? edge mismatch add "what was seen" --expected …',)
    )
    data = {"mismatch": entry["id"], "number": len(there)}
    return EditResult(text, data, (("mismatch", event),), remarks)


def _same(state: State, entry: Mismatch) -> int | None:
    """The number of the open one that says the same."""
    said_of = ("observation", "expectation")
    for number, each in unresolved(state):
        if isinstance(each, dict) and all(each.get(key) == entry[key] for key in said_of):
            return number
    return None


def resolve(
    state: State,
    name: str | int,
    resolution: str,
    *,
    now: datetime,
    trigger: str | None = None,
    lesson: str | None = None,
    by: str = "",
) -> EditResult:
    """Resolve one. With a trigger, its own or this one, what was found becomes a lesson."""
    number, entry = _as_map(state, name)
    remarks = []
    if not is_open(entry):
        remarks.append(
            f"it was resolved: {short_line(entry.get('resolution') or 'nobody said how')}"
        )
    entry["resolved"] = True
    if "status" in entry:
        entry["status"] = "resolved"
    entry["resolution"] = checked_text(resolution, "a resolution")
    entry["resolved_at"] = now.isoformat(timespec="seconds")
    if trigger is not None:
        entry["trigger"] = checked_text(trigger, "a trigger")
    ident = name_of(number, entry)
    event = {"to": "resolved", "id": ident, "resolution": entry["resolution"]}
    event |= {k: entry[k] for k in ("key", "source") if entry.get(k)} | ({"by": by} if by else {})
    lines = [
        f"Mismatch {number} is resolved: {short_line(text_of(entry))}",
        f"  {short_line(resolution)}",
    ]
    data: dict[str, Any] = {"mismatch": ident, "number": number, "lesson": None}
    events = [("mismatch", event)]
    learned = _learned(state, entry, lesson, now=now)
    if learned is not None:
        lines.append(learned.text)
        data["lesson"] = entry["lesson_extracted"]
        events += learned.events
        remarks += learned.remarks
    elif not by:
        remarks.append("no lesson: name what it can be known by again with --trigger")
    return EditResult("\n".join(lines), data, tuple(events), tuple(remarks))


def _learned(
    state: State, entry: Mismatch, lesson: str | None, *, now: datetime
) -> EditResult | None:
    trigger = as_text(entry.get("trigger"))
    if not trigger:
        if lesson is not None:
            raise UsageError(
                "a lesson needs a trigger: when it is to be remembered",
                hint='edge mismatch resolve N "…" --trigger "API returns 403" --lesson "…"',
            )
        return None
    text = checked_text(lesson, "a lesson") if lesson is not None else str(entry["resolution"])
    entry["lesson_extracted"] = {"trigger": trigger, "lesson": text}
    source = as_text(entry.get("id")) or "mismatch"
    from operators_edge.memory import lessons  # noqa: PLC0415 - not where they are only shown

    return lessons.add(state, [entry["lesson_extracted"]], now=now, source=source)


# -- told ------------------------------------------------------------------------------------------


def lines(state: State, *, all_of_them: bool = True) -> list[str]:
    """Every one on a line or two, with the number it is named by."""
    found = []
    for number, entry in enumerate(entries(state, "mismatches"), 1):
        if not all_of_them and not is_open(entry):
            continue
        found.append(f"{number:>3}. {_marks(entry)}{short_line(text_of(entry))}")
        found += [f"     {each}" for each in _details(entry)]
    return found


def listed(state: State) -> list[dict[str, Any]]:
    """The same for a program."""
    found = []
    for number, entry in enumerate(entries(state, "mismatches"), 1):
        fields = entry if isinstance(entry, dict) else {"observation": as_text(entry)}
        found.append({"number": number, **fields, "resolved": not is_open(entry)})
    return found


def _marks(entry: Any) -> str:
    if not isinstance(entry, dict):
        return ""
    step = entry.get("step")
    mark = f"step {step}: " if isinstance(step, int) and not isinstance(step, bool) else ""
    return mark if is_open(entry) else f"resolved: {mark}"


def _details(entry: Any) -> list[str]:
    if not isinstance(entry, dict):
        return []
    cause = as_text(entry.get("suspected_cause"))
    sure = entry.get("confidence")
    if cause and isinstance(sure, (int, float)) and not isinstance(sure, bool):
        cause += f" ({sure:.0%} sure)"
    parts = (("cause", cause), ("resolution", as_text(entry.get("resolution"))))
    return [f"{what}: {short_line(text)}" for what, text in parts if text]


# -- small parts -----------------------------------------------------------------------------------


def find(state: State, name: str | int) -> tuple[int, Any]:
    """The entry of that number or id, and its number; UsageError where there is none."""
    there, wanted = entries(state, "mismatches"), str(name).strip()
    if wanted.isdecimal() and 1 <= int(wanted) <= len(there):
        return int(wanted), there[int(wanted) - 1]
    named = [n for n, each in enumerate(there, 1) if name_of(n, each) == wanted]
    if wanted and named:
        best = next((n for n in named if is_open(there[n - 1])), named[0])
        return best, there[best - 1]
    what = f"there {'is' if len(there) == 1 else 'are'} {many(len(there), 'mismatch')}"
    raise UsageError(f"there is no mismatch {wanted}: {what}", hint=LIST if there else ADD)


def _as_map(state: State, name: str | int) -> tuple[int, Mismatch]:
    number, entry = find(state, name)
    there = list(entries(state, "mismatches"))
    kept = dict(entry) if isinstance(entry, dict) else {"observation": as_text(entry)}
    there[number - 1] = kept
    state["mismatches"] = there
    return number, kept


def _new_id(state: State, after: int) -> str:
    there = (each.get("id") for each in entries(state, "mismatches") if isinstance(each, dict))
    return f"mismatch-{max(last_number(there), after) + 1:03d}"


def _step(state: State, number: int | None) -> tuple[int | None, Mapping[str, Any]]:
    """The step's number and the step: the named one, else the one in progress."""
    if number is not None:
        step = step_at(state, number)
        return number, step if isinstance(step, dict) else {}
    plan = state.get("plan")
    for at, step in enumerate(plan if isinstance(plan, list) else [], 1):
        if isinstance(step, dict) and step.get("status") == "in_progress":
            return at, step
    return None, {}


_TEXTS = {
    "delta": "the difference",
    "suspected_cause": "the cause",
    "trigger": "a trigger",
    "intent_link": "what of the intent it touches",
}


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in _TEXTS:
            kept[name] = checked_text(value, _TEXTS[name])
        elif name == "confidence":
            kept[name] = _confidence(value)
        else:
            kept[name] = value
    return kept


def _confidence(value: float) -> float:
    if not 0 <= value <= 1:  # not a number is not within, either
        raise UsageError(f"confidence is {value:g}, and goes from 0 to 1", hint="--confidence 0.8")
    return float(value)
