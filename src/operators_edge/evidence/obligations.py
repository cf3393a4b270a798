"""What a told lesson asks of the session it was told in, and whether it came true (LC-1).

Pure. Owns the part of a session's record that says what was told and how the same call then ended, and the
state's ``obligations``. Does not own lessons (``memory.lessons``), telling them (``memory.service``) or
counting help.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.state.lesson import key_of, listed
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.model import State
    from operators_edge.records import LogEntry

Event = tuple[str, dict[str, Any]]

SETTLED = ("applied", "violated", "dismissed")
SETTLED_KEPT = 20
TOLD_KEPT = 100
FAILED_KEPT = 10
STALE = timedelta(hours=24)

CHANGED = "context_changed"

_SHOWN = 100
_MOST_NAMES = 10

# What only leads to a command: the place it runs in, and the values it is given.
_LEAD = re.compile(
    r"^(?:cd\s+[^;&|]+&&\s*|(?:export\s+)?\w+=[^\s;&|\"'`$()]*(?:\s*(?:&&|;)\s*|\s+))"
)
_NAMES = re.compile(r"\b(?:\w*(?:Error|Exception)|[A-Z]{1,5}\d{3,5})\b")


class Folded(NamedTuple):
    """What the log is told, and the keys of the lessons that were newly seen to help."""

    events: tuple[Event, ...]
    helped: tuple[str, ...]


# -- in a session's record -------------------------------------------------------------------------


def new_told() -> dict[str, Any]:
    """``told``: by id, what a lesson asks. ``failed``: by call, what a lesson may be told of next."""
    return {"told": {}, "failed": {}}


def follow(kept: dict[str, Any], entry: LogEntry) -> None:
    """Fold one entry of the session: a lesson told, a call that ended, the end, what the state knows."""
    event = entry.get("event")
    if event == "tool":
        _called(kept, entry)
    elif event == "lesson_told":
        _told(kept, entry)
    elif event == "session_end":
        for each in _open(kept):
            _settle(each, "dismissed", entry, "the session ended, and no such call came again")
    elif event == "obligation":
        data = entry.get("data") or {}
        known = kept["told"].get(str(data.get("id")))
        if known is not None:
            known["known"] = str(data.get("to"))
            if known["known"] in SETTLED and known["known"] != known["status"]:
                _settle(known, known["known"], entry, "")


def news(kept: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What the state has to be told of, by id."""
    return {ident: each for ident, each in kept["told"].items() if each["status"] != each["known"]}


def _told(kept: dict[str, Any], entry: LogEntry) -> None:
    data = entry.get("data") or {}
    key, call = str(data.get("key") or ""), _call(entry)
    ident = sha256_hex(f"{entry.get('session')}\n{key}".encode("utf-8", "backslashreplace"))[:8]
    if not key or ident in kept["told"]:
        return
    is_before = data.get("when") == "before"
    failed = {} if is_before else kept["failed"].get(call, {})
    kept["told"][ident] = {
        "key": key,
        "tool": str(entry.get("tool") or ""),
        "call": call if is_before else "",
        "what": failed.get("what", ""),
        "summary": failed.get("summary", ""),
        "way": failed.get("way"),
        "status": "pending",
        "known": "",
        "at": entry.get("timestamp"),
        "resolved_at": None,
        "outcome": "",
    }
    _cut(kept["told"], TOLD_KEPT)


class _Ended(NamedTuple):
    """A call that ended: its id, what makes it comparable, how it is shown and, where it failed, how."""

    is_success: bool
    call: str
    what: str
    summary: str
    way: list[Any] | None


def _called(kept: dict[str, Any], entry: LogEntry) -> None:
    """A call ended: does it say of an open one how it went?"""
    is_success, pending = _has_succeeded(entry), _open(kept)
    if is_success is None or (is_success and not pending):
        return
    way = None if is_success else _way(entry)
    ended = _Ended(is_success, _call(entry), *_about(entry), way)
    for each in pending:
        _judge(each, ended, entry)
    if ended.call and not is_success:
        failed = {"what": ended.what, "summary": ended.summary, "way": way}
        kept["failed"][ended.call] = failed
        _cut(kept["failed"], FAILED_KEPT)


def _judge(each: dict[str, Any], ended: _Ended, entry: LogEntry) -> None:
    """Whether the call that ended applied the lesson, or violated it."""
    is_told_on_it = bool(ended.call) and each["call"] == ended.call
    if not is_told_on_it and not (each["what"] and each["what"] == ended.what):
        return
    each["summary"] = each["summary"] or ended.summary
    if ended.is_success:
        _settle(each, "applied", entry, "it succeeded")
    elif is_told_on_it and ended.way is not None:
        _settle(each, "violated", entry, f"it failed{_exit(entry)}")
    elif _is_same(each["way"], ended.way):
        _settle(each, "violated", entry, f"it failed in the same way{_exit(entry)}")


def _cut(kept: dict[str, Any], most: int) -> None:
    """Without the oldest."""
    while len(kept) > most:
        del kept[next(iter(kept))]


def _call(entry: LogEntry) -> str:
    return str(entry.get("tool_use_id") or "")


def _has_succeeded(entry: LogEntry) -> bool | None:
    """None where that is unknown, and for a call that goes on in the background.

    A check that failed has failed, also where the line that ran it ends well: ``pytest | tail``.
    """
    data = entry.get("data") or {}
    success, check = entry.get("success"), data.get("check")
    if isinstance(check, dict) and check.get("passed") is False:
        success = False
    return success if isinstance(success, bool) and not data.get("background") else None


def _open(kept: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for each in kept["told"].values() if each["status"] == "pending"]


def _settle(each: dict[str, Any], status: str, entry: LogEntry, outcome: str) -> None:
    each |= {"status": status, "resolved_at": entry.get("timestamp"), "outcome": outcome}


def _about(entry: LogEntry) -> tuple[str, str]:
    """What makes two calls comparable, as a digest ("" where the log has not all of it), and as shown."""
    tool, data = str(entry.get("tool") or ""), entry.get("data") or {}
    if tool == "Bash":
        shown = str(data.get("command") or "")
        text = _bare(shown)
    else:
        shown = text = str(entry.get("file_touched") or entry.get("input_preview") or "")
    digest = sha256_hex(f"{tool}\n{text}".encode("utf-8", "backslashreplace"))[:16] if text else ""
    return digest, one_line(shown, _SHOWN)


def _bare(command: str) -> str:
    """The command without what leads to it, so that the lesson "set X first" can be seen to be applied."""
    text = " ".join(command.split())
    while (found := _LEAD.match(text)) and found.end() < len(text):
        text = text[found.end() :]
    return text


def _way(entry: LogEntry) -> list[Any] | None:
    """How a call failed; None where it was stopped before it could end by itself."""
    code = entry.get("exit_code")
    if entry.get("tool") == "Bash" and code is None:
        return None
    names = dict.fromkeys(_NAMES.findall(str(entry.get("output_preview") or "")))
    return [code, list(names)[:_MOST_NAMES]]


def _is_same(before: list[Any] | None, now: list[Any] | None) -> bool:
    """The same exit code, and an error in common where errors are named: another error is a step on."""
    if before is None or now is None or before[0] != now[0]:
        return False
    return bool(set(before[1]) & set(now[1])) or not (before[1] or now[1])


def _exit(entry: LogEntry) -> str:
    code = entry.get("exit_code")
    return f" (exit {code})" if code else ""


# -- in the state ----------------------------------------------------------------------------------


def history(state: State, key: str) -> list[dict[str, Any]]:
    """What is kept of a lesson's being told, the newest first."""
    there = state.get("obligations")
    kept = (each for each in there if isinstance(each, dict)) if isinstance(there, list) else ()
    found = [each for each in kept if each.get("lesson_key") == key]
    return sorted(found, key=lambda each: str(each.get("created_at") or ""), reverse=True)


def in_line(each: dict[str, Any]) -> str:
    """When, what it came to, at which call and why: "2026-03-30 applied: cargo build (it succeeded)"."""
    what = f"{str(each.get('created_at') or '')[:10]} {each.get('status') or ''}".strip()
    why = each.get("outcome") or each.get("dismiss_reason")
    call = f"{each.get('tool_input_summary') or each.get('tool_name') or ''}"
    return f"{what}: {call}" + (f" ({why})" if why else "")


def is_due(state: State, *, now: datetime) -> bool:
    """Whether one in the state has been open for too long."""
    there = state.get("obligations")
    return isinstance(there, list) and any(_is_stale(each, now) for each in there)


def carry(
    state: State, new: Mapping[str, Mapping[str, Any]], *, session: str, now: datetime
) -> Folded:
    """Bring what was seen into the state, and dismiss what is stale; what cannot be read stays as it is."""
    there = list(state.get("obligations") or [])
    places = {each.get("id"): n for n, each in enumerate(there) if isinstance(each, dict)}
    lessons = {key_of(each): each for each in listed(state.get("memory"))} if new else {}
    events, helped = [], []
    for ident, told in new.items():
        place = places.get(ident, len(there))
        before = there[place] if place < len(there) else {}
        to = before.get("status")
        if to not in SETTLED:  # else somebody else has told the state since: it counts once
            to = told["status"]
            made = _entry(ident, told, lessons.get(told["key"]), session)
            there[place : place + 1] = [{**before, **made}]
            helped += [told["key"]] if to == "applied" else []
        events.append(_event(ident, told["key"], to))
    events += _expired(there, now)
    if events:
        state["obligations"] = _bounded(there, new)
    return Folded(tuple(events), tuple(helped))


def _expired(there: list[Any], now: datetime) -> list[Event]:
    """Dismiss those that were open for too long."""
    events = []
    for n, each in enumerate(there):
        if _is_stale(each, now):
            why = "nothing came of it within 24 hours"
            there[n] = {**each, **_dismissed(now.isoformat(), why)}
            events.append(_event(each.get("id"), each.get("lesson_key"), "dismissed"))
    if events:
        events.append(("obligations_expired", {"count": len(events)}))
    return events


def _event(ident: object, key: object, to: object) -> Event:
    return "obligation", {"id": ident, "key": key, "to": to}


def _entry(
    ident: str, each: Mapping[str, Any], lesson: Mapping[str, Any] | None, session: str
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
    if lesson is not None:  # else it was taken out or reworded since: what was known of it stays
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


def _bounded(there: list[Any], new: Mapping[str, Any]) -> list[Any]:
    """Without the oldest of the settled ones where there are too many.

    News stay for now: two ends of a turn at once bring the same, and the second has to see that it is there.
    """
    settled = [
        n
        for n, each in enumerate(there)
        if isinstance(each, dict) and each.get("status") in SETTLED
    ]
    gone = {n for n in settled[:-SETTLED_KEPT] if there[n].get("id") not in new}
    return [each for n, each in enumerate(there) if n not in gone]
