"""Lessons that were shown in a session, and how the same call ended afterwards (LC-1).

Pure. Owns that part of a session's facts, and the state's ``obligations``. Does not own lessons
(``memory.lessons``), when they are shown (``memory.service``) or how their help is counted.
"""

from __future__ import annotations

import re

from operators_edge.datetimes import datetime, timedelta
from operators_edge.evidence.checks.run import bare_command
from operators_edge.state.lesson import key_of, listed
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypedDict

    from operators_edge.model import State
    from operators_edge.records import LogEntry

    Entry = dict[str, Any]

    Event = tuple[str, dict[str, Any]]

    class FailedCall(TypedDict):
        """A call that failed: ``what`` identifies it, ``way`` is its exit code and the errors it named."""

        what: str
        summary: str
        way: list[Any] | None

    class ShownLesson(FailedCall):
        """A lesson shown for a call. ``known``: the status in the state.

        ``call``: its id while it runs; the agent reads the lesson with its result. ``names``: commands that
        the lesson tells to run; ``acted``: one of them succeeded since, or anything if it names none.
        """

        key: str
        tool: str
        call: str
        names: list[str]
        acted: bool
        status: str
        known: str
        at: str | None
        resolved_at: str | None
        outcome: str

    class LessonFacts(TypedDict):
        """``told``: shown lessons, by id. ``failed``: the latest failed calls, by id."""

        told: dict[str, ShownLesson]
        failed: dict[str, FailedCall]


SETTLED = ("applied", "violated", "dismissed")
SETTLED_KEPT = 20
TOLD_KEPT = 100
FAILED_KEPT = 10
STALE = timedelta(hours=24)

CHANGED = "context_changed"

_SHOWN = 100
_MAX_NAMES = 10

_NAMES = pattern(r"\b(?:\w*(?:Error|Exception)|[A-Z]{1,5}\d{3,5})\b")


class Folded(NamedTuple):
    """Events for the log, and the keys of the lessons that were newly seen to help."""

    events: tuple[Event, ...]
    helped: tuple[str, ...]


# -- in the facts of a session ---------------------------------------------------------------------


def new_facts() -> LessonFacts:
    return {"told": {}, "failed": {}}


def follow(lessons: LessonFacts, entry: LogEntry) -> None:
    """Fold one entry of the session: a shown lesson, a call that ended, the end, a change of the state."""
    event = entry.get("event")
    if event == "tool":
        _fold_call(lessons, entry)
    elif event == "lesson_told":
        _fold_shown(lessons, entry)
    elif event == "session_end":
        for each in _pending(lessons):
            _resolve(each, "dismissed", entry, "the session ended, and no such call came again")
    elif event == "obligation":
        data = entry.get("data") or {}
        known = lessons["told"].get(str(data.get("id")))
        if known is not None:
            known["known"] = str(data.get("to"))
            if known["known"] in SETTLED and known["known"] != known["status"]:
                _resolve(known, known["known"], entry, "")


def changes(lessons: LessonFacts) -> dict[str, ShownLesson]:
    """What must be written to the state, by id."""
    shown = lessons["told"].items()
    return {ident: each for ident, each in shown if each["status"] != each["known"]}


def _fold_shown(lessons: LessonFacts, entry: LogEntry) -> None:
    data = entry.get("data") or {}
    key, call = str(data.get("key") or ""), _call(entry)
    ident = sha256_hex(f"{entry.get('session')}\n{key}".encode("utf-8", "backslashreplace"))[:8]
    if not key or ident in lessons["told"]:
        return
    is_before = data.get("when") == "before"
    failed = lessons["failed"].get(call) if data.get("when") == "failure" else None
    what, summary = _identity({**entry, "file_touched": str(data.get("path") or "")})
    lessons["told"][ident] = {
        "key": key,
        "tool": str(entry.get("tool") or ""),
        "call": call if is_before else "",
        "what": failed["what"] if failed else what,
        "summary": failed["summary"] if failed else summary,
        "way": failed["way"] if failed else None,
        "names": [str(each) for each in data.get("names") or []],
        "acted": False,
        "status": "pending",
        "known": "",
        "at": entry.get("timestamp"),
        "resolved_at": None,
        "outcome": "",
    }
    _bound(lessons["told"], TOLD_KEPT)


def _fold_call(lessons: LessonFacts, entry: LogEntry) -> None:
    """A call ended, which may resolve pending lessons."""
    is_success, pending = _has_succeeded(entry), _pending(lessons)
    if is_success is None or (is_success and not pending):
        return
    what, summary = _identity(entry)
    ended: FailedCall = {"what": what, "summary": summary, "way": _way(entry)}
    for each in pending:
        _judge(each, ended, entry, is_success=is_success)
    if _call(entry) and not is_success:
        lessons["failed"][_call(entry)] = ended
        _bound(lessons["failed"], FAILED_KEPT)


def _judge(each: ShownLesson, ended: FailedCall, entry: LogEntry, *, is_success: bool) -> None:
    """Whether the call that ended applied the lesson, or violated it: only if the lesson was read before.

    A call with which it was shown succeeded without it. If a denied call is allowed later, its success counts
    only if something was done about the lesson in between.
    """
    if each["call"] and each["call"] == _call(entry):
        each["call"], each["way"] = "", None if is_success else ended["way"]
        each["what"], each["summary"] = ended["what"], ended["summary"]
        if is_success:
            _resolve(each, "dismissed", entry, "it succeeded without the lesson")
    elif not each["what"] or each["what"] != ended["what"]:
        each["acted"] = each["acted"] or (is_success and _is_about(each["names"], entry))
    elif is_success:
        may_be_that = not each["names"] or _is_about(each["names"], entry)
        mattered = each["acted"] or (each["way"] is not None and may_be_that)
        why = "it succeeded" if mattered else "it succeeded, and the lesson was not followed before"
        _resolve(each, "applied" if mattered else "dismissed", entry, why)
    elif each["way"] is None and ended["way"] is not None:
        _resolve(each, "violated", entry, f"it failed{_exit(entry)}")
    elif _is_same(each["way"], ended["way"]):
        _resolve(each, "violated", entry, f"it failed in the same way{_exit(entry)}")


def _is_about(names: list[str], entry: LogEntry) -> bool:
    """Whether a call ran one of the named commands; if none is named, whether it did something at all."""
    command = " ".join(str((entry.get("data") or {}).get("command") or "").split())
    if names:
        return any(re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", command) for each in names)
    return bool(command) or bool(entry.get("file_touched"))


def _bound(table: dict[str, Any], size: int) -> None:
    while len(table) > size:
        del table[next(iter(table))]


def _call(entry: LogEntry) -> str:
    return str(entry.get("tool_use_id") or "")


def _has_succeeded(entry: LogEntry) -> bool | None:
    """None if unknown, and for a call that continues in the background.

    A failed check is a failure even if its line succeeded: ``pytest | tail``.
    """
    data = entry.get("data") or {}
    success, check = entry.get("success"), data.get("check")
    if isinstance(check, dict) and check.get("passed") is False:
        success = False
    return success if isinstance(success, bool) and not data.get("background") else None


def _pending(lessons: LessonFacts) -> list[ShownLesson]:
    return [each for each in lessons["told"].values() if each["status"] == "pending"]


def _resolve(each: ShownLesson, status: str, entry: LogEntry, outcome: str) -> None:
    each["status"], each["resolved_at"], each["outcome"] = status, entry.get("timestamp"), outcome


def _identity(entry: LogEntry) -> tuple[str, str]:
    """What identifies a call, as a digest ("" if the log does not hold it), and as a short text.

    A command counts without folder and variables: the lesson "set X first" may have been applied.
    """
    tool, data = str(entry.get("tool") or ""), entry.get("data") or {}
    if tool == "Bash":
        shown = str(data.get("command") or "")
        text = bare_command(shown)
    else:
        shown = text = str(entry.get("file_touched") or entry.get("input_preview") or "")
    digest = sha256_hex(f"{tool}\n{text}".encode("utf-8", "backslashreplace"))[:16] if text else ""
    return digest, one_line(shown, _SHOWN)


def _way(entry: LogEntry) -> list[Any] | None:
    """How a call failed; None if it was stopped."""
    code = entry.get("exit_code")
    if entry.get("tool") == "Bash" and code is None:
        return None
    names = dict.fromkeys(_NAMES.findall(str(entry.get("output_preview") or "")))
    return [code, list(names)[:_MAX_NAMES]]


def _is_same(before: list[Any] | None, now: list[Any] | None) -> bool:
    """The same exit code, and a common error if errors are named: another error is progress."""
    if before is None or now is None or before[0] != now[0]:
        return False
    return bool(set(before[1]) & set(now[1])) or not (before[1] or now[1])


def _exit(entry: LogEntry) -> str:
    code = entry.get("exit_code")
    return f" (exit {code})" if code else ""


# -- in the state ----------------------------------------------------------------------------------


def history(state: State, key: str) -> list[Entry]:
    """The obligations of a lesson, the newest first."""
    there = state.get("obligations")
    kept = (each for each in there if isinstance(each, dict)) if isinstance(there, list) else ()
    matching = [each for each in kept if each.get("lesson_key") == key]
    return sorted(matching, key=lambda each: str(each.get("created_at") or ""), reverse=True)


def in_line(each: Entry) -> str:
    """Date, outcome, call and reason: "2026-03-30 applied: cargo build (it succeeded)"."""
    what = f"{str(each.get('created_at') or '')[:10]} {each.get('status') or ''}".strip()
    why = each.get("outcome") or each.get("dismiss_reason")
    call = f"{each.get('tool_input_summary') or each.get('tool_name') or ''}"
    return f"{what}: {call}" + (f" ({why})" if why else "")


def is_due(state: State, *, now: datetime) -> bool:
    """Whether an obligation in the state has been pending for too long."""
    kept = state.get("obligations")
    return isinstance(kept, list) and any(_is_stale(each, now) for each in kept)


def carry(state: State, new: Mapping[str, ShownLesson], *, session: str, now: datetime) -> Folded:
    """Write what was seen to the state, and dismiss what is stale; what cannot be read is unchanged."""
    kept = list(state.get("obligations") or [])
    places = {each.get("id"): n for n, each in enumerate(kept) if isinstance(each, dict)}
    lessons = {key_of(each): each for each in listed(state.get("memory"))} if new else {}
    events, helped = [], []
    for ident, lesson in new.items():
        place = places.get(ident, len(kept))
        before = kept[place] if place < len(kept) else {}
        to = before.get("status")
        if to not in SETTLED:  # else another process wrote it meanwhile: it counts once
            to = lesson["status"]
            made = _entry(ident, lesson, lessons.get(lesson["key"]), session)
            kept[place : place + 1] = [{**before, **made}]
            helped += [lesson["key"]] if to == "applied" else []
        events.append(_event(ident, lesson["key"], to))
    events += _expired(kept, now)
    if events:
        state["obligations"] = _bounded(kept, new)
    return Folded(tuple(events), tuple(helped))


def _expired(kept: list[Any], now: datetime) -> list[Event]:
    """Dismiss those that were pending for too long."""
    events = []
    for n, each in enumerate(kept):
        if _is_stale(each, now):
            why = "no such call within 24 hours"
            kept[n] = {**each, **_dismissed(now.isoformat(), why)}
            events.append(_event(each.get("id"), each.get("lesson_key"), "dismissed"))
    if events:
        events.append(("obligations_expired", {"count": len(events)}))
    return events


def _event(ident: object, key: object, to: object) -> Event:
    return "obligation", {"id": ident, "key": key, "to": to}


def _entry(
    ident: str, each: ShownLesson, lesson: Mapping[str, Any] | None, session: str
) -> dict[str, Any]:
    made = {
        "id": ident,
        "lesson_key": each["key"],
        "tool_name": each["tool"],
        "tool_input_summary": each["summary"],
        "session_id": session,
        "status": each["status"],
        "created_at": each["at"],
    }
    if lesson is not None:  # else it was removed or reworded since: its last text is kept
        made |= {"lesson_trigger": lesson["trigger"], "lesson_text": lesson["lesson"]}
    if each["status"] == "dismissed":
        made |= _dismissed(each["resolved_at"], each["outcome"])
    elif each["status"] in SETTLED:
        made |= {"resolved_at": each["resolved_at"], "outcome": each["outcome"]}
    return made


def _dismissed(at: object, why: str) -> dict[str, Any]:
    about = {"dismiss_reason": why, "dismiss_reason_category": CHANGED}
    return {"status": "dismissed", "resolved_at": at, **about}


def _is_stale(each: Any, now: datetime) -> bool:
    if not isinstance(each, dict) or each.get("status") != "pending":
        return False
    when = timestamps.parse(each.get("created_at"))
    return when is not None and now - when > STALE


def _bounded(kept: list[Any], new: Mapping[str, Any]) -> list[Any]:
    """Without the oldest resolved ones if kept are too many.

    New ones stay for now: two turns that end at once write the same, and the second must see that it is
    there.
    """
    settled = [
        n for n, each in enumerate(kept) if isinstance(each, dict) and each.get("status") in SETTLED
    ]
    dropped = {n for n in settled[:-SETTLED_KEPT] if kept[n].get("id") not in new}
    return [each for n, each in enumerate(kept) if n not in dropped]


# end of module
