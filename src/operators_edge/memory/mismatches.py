"""Mismatches: what was expected, and what was seen instead.

Pure. Owns the shape of an entry and the edits of ``mismatches``. Does not own observed ones
(``memory.outcomes``), lessons (``memory.lessons``) or what an open one prevents (``quality.checks``).

Entries are named by their numbers from 1, or by their ids. An entry written by hand as a text alone is an
observation.
"""

from __future__ import annotations

from operators_edge.errors import UsageError
from operators_edge.memory import lessons
from operators_edge.plan.edits import EditResult, checked_text, entries, short_line, step_at
from operators_edge.state import schema
from operators_edge.text.tokens import last_number
from operators_edge.text.wording import as_text, many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any

    from operators_edge.model import State

    Mismatch = dict[str, Any]


ADD = 'edge mismatch add "what was seen" --expected "what should have been"'
LIST = "edge mismatch list"


# -- reading ---------------------------------------------------------------------------------------


def is_open(entry: Any) -> bool:
    """Whether it is unresolved; an entry that is only a text always is."""
    if not isinstance(entry, dict):
        return bool(as_text(entry))
    return not schema.is_resolved(entry)


def text_of(entry: Any) -> str:
    """The mismatch in one sentence."""
    if not isinstance(entry, dict):
        return as_text(entry)
    saw, expected = as_text(entry.get("observation")), as_text(entry.get("expectation"))
    if saw and expected:
        return f"expected {expected}, saw {saw}"
    return saw or (
        f"expected {expected}" if expected else as_text(entry.get("id")) or "without text"
    )


def name_of(number: int, entry: Any) -> str:
    """Its id if it has one, else its number."""
    ident = as_text(entry.get("id")) if isinstance(entry, dict) else ""
    return ident or str(number)


def unresolved(state: State) -> list[tuple[int, Any]]:
    """Every open one with its number."""
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
    """Add one; ``expectation`` and ``step`` default to those of the step in progress.

    ``fields``: delta, suspected_cause, trigger, intent_link (texts), confidence (0 to 1), and of an
    observed one source, key, command. ``after`` is the highest number of an archived one, as no id is used
    twice.
    """
    observed = checked_text(observation, "a mismatch")
    number, at_work = _step(state, step)
    expected = expectation if expectation is not None else as_text(at_work.get("expected")) or None
    entry: Mismatch = {
        "id": _new_id(state, after),
        "step": number,
        "timestamp": now.isoformat(timespec="seconds"),
        "expectation": checked_text(expected, "what was expected")
        if expected is not None
        else None,
        "observation": observed,
        **_checked_fields(fields or {}),
        "resolved": False,
        "resolution": None,
    }
    if (duplicate := _duplicate(state, entry)) is not None:
        remark = f"mismatch {duplicate} is the same"
        name = name_of(duplicate, entries(state, "mismatches")[duplicate - 1])
        return EditResult("Nothing was added.", {"mismatch": name}, (), (remark,))
    there = [*entries(state, "mismatches"), entry]
    state["mismatches"] = there
    logged = ("id", "step", "expectation", "observation", "source", "key")
    event = {"to": "added", **{name: entry[name] for name in logged if name in entry}}
    text = f"Mismatch {len(there)} ({entry['id']}): {short_line(text_of(entry))}"
    remarks = (
        () if expected else ('what was expected? edge mismatch add "what was seen" --expected …',)
    )
    data = {"mismatch": entry["id"], "number": len(there)}
    return EditResult(text, data, (("mismatch", event),), remarks)


def _duplicate(state: State, entry: Mismatch) -> int | None:
    """The number of an open one with the same text."""
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
    """Resolve one. With a trigger, its own or the given one, the resolution becomes a lesson."""
    number, entry = _editable(state, name)
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
    learned = _extract_lesson(state, entry, lesson, now=now)
    if learned is not None:
        lines.append(learned.text)
        data["lesson"] = entry["lesson_extracted"]
        events += learned.events
        remarks += learned.remarks
    elif not by:
        remarks.append("no lesson was kept: name its trigger with --trigger")
    return EditResult("\n".join(lines), data, tuple(events), tuple(remarks))


def _extract_lesson(
    state: State, entry: Mismatch, lesson: str | None, *, now: datetime
) -> EditResult | None:
    trigger = as_text(entry.get("trigger"))
    if not trigger:
        if lesson is not None:
            raise UsageError(
                "a lesson needs a trigger, which says when to show it",
                hint='edge mismatch resolve N "…" --trigger "API returns 403" --lesson "…"',
            )
        return None
    text = checked_text(lesson, "a lesson") if lesson is not None else str(entry["resolution"])
    entry["lesson_extracted"] = {"trigger": trigger, "lesson": text}
    source = as_text(entry.get("id")) or "mismatch"
    return lessons.add(state, [entry["lesson_extracted"]], now=now, source=source)


# -- output ----------------------------------------------------------------------------------------


def lines(state: State, *, all_of_them: bool = True) -> list[str]:
    """Every mismatch with its number, on a line or two."""
    found = []
    for number, entry in enumerate(entries(state, "mismatches"), 1):
        if not all_of_them and not is_open(entry):
            continue
        found.append(f"{number:>3}. {_prefix(entry)}{short_line(text_of(entry))}")
        found += [f"     {each}" for each in _details(entry)]
    return found


def listed(state: State) -> list[dict[str, Any]]:
    """The same for a program."""
    found = []
    for number, entry in enumerate(entries(state, "mismatches"), 1):
        fields = entry if isinstance(entry, dict) else {"observation": as_text(entry)}
        found.append({"number": number, **fields, "resolved": not is_open(entry)})
    return found


def _prefix(entry: Any) -> str:
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
    """The number and the entry with that number or id; raises UsageError if there is none."""
    there, wanted = entries(state, "mismatches"), str(name).strip()
    if wanted.isdecimal() and 1 <= int(wanted) <= len(there):
        return int(wanted), there[int(wanted) - 1]
    named = [n for n, each in enumerate(there, 1) if name_of(n, each) == wanted]
    if wanted and named:
        best = next((n for n in named if is_open(there[n - 1])), named[0])
        return best, there[best - 1]
    count = f"there {'is' if len(there) == 1 else 'are'} {many(len(there), 'mismatch')}"
    raise UsageError(f"there is no mismatch {wanted}: {count}", hint=LIST if there else ADD)


def _editable(state: State, name: str | int) -> tuple[int, Mismatch]:
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
    "intent_link": "the part of the intent",
}


def _checked_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    checked: dict[str, Any] = {}
    for name, value in fields.items():
        if value is None:
            continue
        if name in _TEXTS:
            checked[name] = checked_text(value, _TEXTS[name])
        elif name == "confidence":
            checked[name] = _confidence(value)
        else:
            checked[name] = value
    return checked


def _confidence(value: float) -> float:
    if not 0 <= value <= 1:  # also refuses NaN
        raise UsageError(
            f"confidence is {value:g} and must be from 0 to 1", hint="--confidence 0.8"
        )
    return float(value)


# end of module
