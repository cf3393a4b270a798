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

Entry = dict[str, Any]

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

    events: tuple[tuple[str, dict[str, Any]], ...]
    helped: tuple[str, ...]


# -- in a session's record -------------------------------------------------------------------------


def new_told() -> dict[str, Any]:
    """``told``: by id, what a lesson asks. ``failed``: by call, what a lesson may be told of next."""
    return {"told": {}, "failed": {}}


def follow(kept: dict[str, Any], entry: Entry) -> None:
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


def _told(kept: dict[str, Any], entry: Entry) -> None:
    data = entry.get("data") or {}
    key, call = str(data.get("key") or ""), str(entry.get("tool_use_id") or "")
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
    while len(kept["told"]) > TOLD_KEPT:
        del kept["told"][next(iter(kept["told"]))]


def _called(kept: dict[str, Any], entry: Entry) -> None:
    """A call ended: does it say of an open one how it went?"""
    data = entry.get("data") or {}
    success, call = _has_succeeded(entry), str(entry.get("tool_use_id") or "")
    if data.get("background") or not isinstance(success, bool):
        return
    pending = _open(kept)
    if success and not pending:
        return
    what, summary = _about(entry)
    way = None if success else _way(entry)
    for each in pending:
        is_told_on_it = bool(call) and each["call"] == call
        if not is_told_on_it and not (each["what"] and each["what"] == what):
            continue
        each["summary"] = each["summary"] or summary
        if success:
            _settle(each, "applied", entry, "it succeeded")
        elif way is not None and (is_told_on_it or _is_same(each["way"], way)):
            again = "" if is_told_on_it else " in the same way"
            _settle(each, "violated", entry, f"it failed{again}{_exit(entry)}")
    if not success and call:
        kept["failed"][call] = {"what": what, "summary": summary, "way": way}
        while len(kept["failed"]) > FAILED_KEPT:
            del kept["failed"][next(iter(kept["failed"]))]


def _has_succeeded(entry: Entry) -> Any:
    """A check that failed has failed, also where the line that ran it ends well: ``pytest | tail``."""
    check = (entry.get("data") or {}).get("check")
    has_failed = isinstance(check, dict) and check.get("passed") is False
    return False if has_failed else entry.get("success")


def _open(kept: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for each in kept["told"].values() if each["status"] == "pending"]


def _settle(each: dict[str, Any], status: str, entry: Entry, outcome: str) -> None:
    each |= {"status": status, "resolved_at": entry.get("timestamp"), "outcome": outcome}


def _about(entry: Entry) -> tuple[str, str]:
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


def _way(entry: Entry) -> list[Any] | None:
    """How a call failed; None where it was stopped before it could end by itself."""
    code = entry.get("exit_code")
    if entry.get("tool") == "Bash" and code is None:
        return None
    names = dict.fromkeys(_NAMES.findall(str(entry.get("output_preview") or "")))
    return [code, list(names)[:_MOST_NAMES]]


def _is_same(before: list[Any] | None, now: list[Any]) -> bool:
    """The same exit code, and an error in common where errors are named: another error is a step on."""
    if before is None or before[0] != now[0]:
        return False
    return bool(set(before[1]) & set(now[1])) or not (before[1] or now[1])


def _exit(entry: Entry) -> str:
    code = entry.get("exit_code")
    return f" (exit {code})" if code else ""


# -- in the state ----------------------------------------------------------------------------------


def history(state: State, key: str) -> list[Entry]:
    """What is kept of a lesson's being told, the newest first."""
    there = state.get("obligations")
    kept = (each for each in there if isinstance(each, dict)) if isinstance(there, list) else ()
    found = [each for each in kept if each.get("lesson_key") == key]
    return sorted(found, key=lambda each: str(each.get("created_at") or ""), reverse=True)


def in_line(each: Entry) -> str:
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
    places = {
        each["id"]: n for n, each in enumerate(there) if isinstance(each, dict) and "id" in each
    }
    lessons = {key_of(each): each for each in listed(state.get("memory"))} if new else {}
    events: list[tuple[str, dict[str, Any]]] = []
    helped: list[str] = []
    for ident, each in new.items():
        place = places.get(ident)
        before = there[place] if place is not None else None
        if before is not None and before.get("status") in SETTLED:
            to = str(before["status"])  # somebody else has told the state since: it counts once
        else:
            made = {**(before or {}), **_entry(ident, each, lessons.get(each["key"]), session)}
            if place is None:
                there.append(made)
            else:
                there[place] = made
            to = str(each["status"])
            helped += [each["key"]] if to == "applied" else []
        events.append(("obligation", {"id": ident, "key": each["key"], "to": to}))
    stale = [n for n, each in enumerate(there) if _is_stale(each, now)]
    for n in stale:
        there[n] = {**there[n], **_dismissed(now.isoformat(), "nothing came of it within 24 hours")}
        data = {"id": there[n].get("id"), "key": there[n].get("lesson_key"), "to": "dismissed"}
        events.append(("obligation", data))
    if stale:
        events.append(("obligations_expired", {"count": len(stale)}))
    if events:
        state["obligations"] = _bounded(there, new)
    return Folded(tuple(events), tuple(helped))


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
