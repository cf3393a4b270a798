"""How an entry of the log reads: what kind of thing it is, what it was about, how it ended, who decided.

Pure. The one place that knows it: the terminal, the proof page and the dashboard show these lines. Texts are
as the log has them, so a caller still escapes them for where they go. Does not own which entries there are
(``storage.log``) or what they amount to (``evidence``).
"""

from __future__ import annotations

import json
import os

from operators_edge.evidence.session_facts import EDIT_TOOLS
from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import cut, escaped
from operators_edge.tuples import NamedTuple, cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Literal

    from operators_edge.records import LogEntry

    Kind = Literal[
        "prompt",
        "call",
        "edit",
        "check",
        "gate",
        "decision",
        "plan",
        "claim",
        "memory",
        "undo",
        "session",
        "log",
    ]
    Tone = Literal["", "good", "bad", "wait", "note"]

KINDS: tuple[Kind, ...] = (
    "prompt",
    "call",
    "edit",
    "check",
    "gate",
    "decision",
    "plan",
    "claim",
    "memory",
    "undo",
    "session",
    "log",
)


class Line(NamedTuple):
    """One entry; ``seq`` is 0 for a line of the log that could not be read.

    ``title`` says what happened, ``subject`` what it was about: a command, a path, a text.
    ``outcome`` is one word, "" if the entry has none; ``tone`` is how it is marked. ``who`` decided it.
    ``step`` is the step that it names, or that was in progress. ``file`` is the path that a call named.
    """

    seq: int
    at: str
    event: str
    kind: Kind
    title: str
    subject: str
    outcome: str
    tone: Tone
    who: str
    rule: str
    session: str
    agent: str
    tool: str
    file: str
    step: int | None


class _Event(NamedTuple):
    """What an event is, whatever its entry holds."""

    kind: Kind
    title: str
    outcome: str = ""


EVENTS: dict[str, _Event] = {
    "session_start": _Event("session", "Session began"),
    "session_end": _Event("session", "Session ended"),
    "subagent_start": _Event("session", "Subagent began"),
    "subagent_stop": _Event("session", "Subagent ended"),
    "prompt": _Event("prompt", "Asked for"),
    "stop": _Event("session", "Turn ended"),
    "message_contradicted": _Event("claim", "Last message contradicted", "contradicted"),
    "tool": _Event("call", "Call"),
    "check": _Event("check", "Check run again"),
    "tree_changed": _Event("edit", "Files changed"),
    "tree_unknown": _Event("edit", "Changed files unknown", "unknown"),
    "snapshot": _Event("undo", "Snapshot taken"),
    "let_through": _Event("undo", "Let through, as a snapshot holds it"),
    "undone": _Event("undo", "Undone"),
    "rehearsed": _Event("call", "Rehearsed"),
    "rehearsal_taken": _Event("undo", "Rehearsed changes taken over"),
    "trashed": _Event("undo", "Moved to the trash"),
    "trash_restored": _Event("undo", "Restored from the trash"),
    "trash_emptied": _Event("undo", "Trash emptied"),
    "tampering": _Event("claim", "Check weakened", "weakened"),
    "tampering_undone": _Event("claim", "Weakened check restored", "ok"),
    "warned": _Event("gate", "Warning", "warned"),
    "blocked": _Event("gate", "Blocked", "blocked"),
    "denied": _Event("gate", "Denied", "denied"),
    "asked": _Event("decision", "Asked in the client", "asked"),
    "answer_source": _Event("decision", "Who answered"),
    "allowance_used": _Event("gate", "Approval used"),
    "dismissal_used": _Event("gate", "Dismissal used"),
    "approval_forgery": _Event("gate", "Agent tried to decide", "forged"),
    "scope_given": _Event("decision", "Decided for later calls"),
    "junction_raised": _Event("decision", "Decision needed", "waiting"),
    "junction_decided": _Event("decision", "Decision"),
    "junction_changed": _Event("decision", "Changed before approval", "changed"),
    "junction_left": _Event("decision", "Question left open", "waiting"),
    "junction_dropped": _Event("decision", "Open question dropped", "dropped"),
    "approved_changed": _Event("decision", "Ran otherwise than shown", "changed"),
    "grant_revoked": _Event("decision", "Grant revoked", "revoked"),
    "grant_ignored": _Event("gate", "Invalid grant ignored", "ignored"),
    "gate_disabled": _Event("decision", "Gate switched off", "off"),
    "gate_enabled": _Event("decision", "Gate switched on"),
    "switch_used": _Event("gate", "Ran with the gate off", "off"),
    "switch_ignored": _Event("gate", "Invalid switch ignored", "ignored"),
    "settings_refused": _Event("gate", "Change of settings refused", "blocked"),
    "configuration_trusted": _Event("decision", "Configuration trusted"),
    "objective": _Event("plan", "Objective"),
    "plan": _Event("plan", "Plan"),
    "intent": _Event("plan", "Intent"),
    "next": _Event("plan", "Next"),
    "step": _Event("plan", "Step"),
    "note": _Event("plan", "Note"),
    "question": _Event("plan", "Question"),
    "risk": _Event("plan", "Risk"),
    "constraint": _Event("plan", "Constraint"),
    "mode_changed": _Event("plan", "Mode"),
    "objective_archived": _Event("plan", "Objective archived"),
    "quality_gate": _Event("claim", "Quality gate"),
    "override_set": _Event("decision", "Check overridden", "overridden"),
    "override_used": _Event("claim", "Override used", "overridden"),
    "override_invalidated": _Event("claim", "Override ended"),
    "eval_run": _Event("claim", "Invariants checked"),
    "eval_orphans_cleared": _Event("claim", "Leftovers deleted"),
    "eval_snapshots_removed": _Event("claim", "Old snapshots deleted"),
    "review_saved": _Event("claim", "Review saved"),
    "score": _Event("claim", "Score"),
    "gear": _Event("plan", "Gear"),
    "stuck": _Event("plan", "Repeated decision"),
    "auto": _Event("plan", "Auto"),
    "adopted": _Event("plan", "Adopted as objective"),
    "lesson": _Event("memory", "Lesson"),
    "lesson_everywhere": _Event("memory", "Lesson for every project"),
    "notified": _Event("session", "Person notified"),
    "lesson_told": _Event("memory", "Lesson shown"),
    "lesson_used": _Event("memory", "Lesson used"),
    "obligation": _Event("memory", "Outcome of a lesson"),
    "obligations_expired": _Event("memory", "Lessons without an outcome"),
    "mismatch": _Event("memory", "Mismatch"),
    "mismatch_seen": _Event("memory", "Unexpected failure", "failed"),
    "research": _Event("memory", "Research"),
    "brainstorm": _Event("memory", "Brainstorm"),
    "pruned": _Event("memory", "Pruned"),
    "archive_pruned": _Event("memory", "Archive pruned"),
    "transaction_recovery": _Event("log", "Interrupted change finished"),
    "state_restored": _Event("log", "State restored"),
    "state_scrubbed": _Event("log", "Secrets taken out of the state, by a person"),
    "report_written": _Event("log", "Report written"),
    "migration_shadow": _Event("log", "Migration prepared"),
    "migration_applied": _Event("log", "Migration applied"),
    "migration_cleaned": _Event("log", "Migration cleaned up"),
    "log_torn": _Event("log", "Incomplete line moved out", "damaged"),
    "log_foreign": _Event("log", "Foreign lines moved out"),
    "log_purged": _Event("log", "Data removed by a person"),
    "log_accepted": _Event("log", "Log accepted as it is, by a person"),
    "log_scrubbed": _Event("log", "Secrets taken out of the log, by a person"),
    "log_completed": _Event("log", "Missing entries written"),
    "log_anchored": _Event("log", "End recorded from here on"),
    "log_tail_missing": _Event("log", "End of the log missing", "damaged"),
    "log_replaced": _Event("log", "Log replaced", "damaged"),
    "log_unanchored": _Event("log", "End of the log not as recorded", "damaged"),
    "log_head_unreadable": _Event("log", "Recorded end unreadable", "damaged"),
    "log_unreadable": _Event("log", "Line could not be read", "damaged"),
}
"""Every event of the log (``docs/metrics.md`` says when each is written)."""

TONES: Mapping[str, Tone] = {
    **dict.fromkeys(
        ("failed", "denied", "blocked", "weakened", "contradicted", "forged", "damaged"), "bad"
    ),
    **dict.fromkeys(("approved", "dismissed"), "good"),
    **dict.fromkeys(("asked", "waiting"), "wait"),
    **dict.fromkeys(
        ("warned", "refused", "changed", "overridden", "off", "unknown", "dropped", "ignored"),
        "note",
    ),
}

_DECISIONS = {"approve": "approved", "skip": "refused", "dismiss": "dismissed"}
_NAMED_IN_INPUT = pattern(
    r'"(?:file_path|notebook_path|path|pattern|url|query|skill|subject|description|prompt)": ?'
    r'("(?:[^"\\]|\\.)*"?)'
)
_PATH_IN_INPUT = pattern(r'"(?:file_path|notebook_path|path)": ?"((?:[^"\\]|\\.)*)"')
_ANSWERED_BY = {
    "user_temporary": "a person (yes, once)",
    "user_session": "a person (yes, for the session)",
    "user_permanent": "a person (yes, from now on)",
}
"""How the client names who said yes in its dialog as text; another name is one of no person."""
_TEXT_KEYS = ("text", "objective", "next_action", "proof", "why", "answer", "lesson", "trigger")


_TEXTS = (
    "event",
    "session",
    "agent",
    "tool",
    "tool_use_id",
    "file_touched",
    "diff_hash",
    "timestamp",
)
_NUMBERS = ("seq", "exit_code", "duration_ms")


def sound(entry: LogEntry) -> LogEntry:
    """The entry with fields of the types that ``LogEntry`` has; the same one if it has them.

    A log may hold entries of other versions, or that somebody else wrote.
    """
    odd: dict[str, Any] = {}
    for name in _TEXTS:
        value = entry.get(name)
        if value is not None and not isinstance(value, str):
            odd[name] = str(value)
    for name in _NUMBERS:
        value = entry.get(name)
        if value is not None and type(value) is not int:
            odd[name] = None
    success, data = entry.get("success"), entry.get("data")
    if success is not None and not isinstance(success, bool):
        odd["success"] = None
    if not isinstance(data, dict):
        odd["data"] = {} if data is None else {"text": str(data)}
    elif "check" in data and not _is_check(data["check"]):
        odd["data"] = {**data, "check": str(data["check"])}
    return cast("LogEntry", {**entry, **odd}) if odd else entry


def _is_check(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    counts, also = value.get("counts"), value.get("also")
    are_numbers = counts is None or (
        isinstance(counts, dict) and all(type(each) is int for each in counts.values())
    )
    return are_numbers and (also is None or isinstance(also, list))


def line(entry: LogEntry, *, step: int | None = None, root: str = "") -> Line:
    """The entry as a line; an event of another version keeps its own name.

    ``step`` is the one in progress. Paths below ``root`` are given relative to it.
    """
    return _line(sound(entry), step, _inside(root))


def _inside(root: str) -> str:
    """What the paths of the project begin with."""
    return root.rstrip("/\\") + os.sep if root else ""


def _line(entry: LogEntry, step: int | None, inside: str) -> Line:
    event = str(entry.get("event") or "")
    data = entry["data"]
    known = EVENTS.get(event) or _Event("log", event.replace("_", " ") or "Entry without an event")
    tool, named = str(entry.get("tool") or ""), data.get("step")
    outcome = _outcome(entry, data, known)
    return Line(
        seq=_number(entry.get("seq")),
        at=str(entry.get("timestamp") or ""),
        event=event,
        kind=_kind(entry, data, known),
        title=tool if event == "tool" and tool else known.title,
        subject=_subject(entry, data, event).removeprefix(inside),
        outcome=outcome,
        tone=TONES.get(outcome, ""),
        who=str(data.get("by") or ""),
        rule=str(data.get("rule") or ""),
        session=str(entry.get("session") or ""),
        agent=str(entry.get("agent") or ""),
        tool=tool,
        file=_file(entry).removeprefix(inside),
        step=named if type(named) is int else step,
    )


def lines(entries: Iterable[LogEntry], *, root: str = "") -> Iterator[Line]:
    """The entries in the log's order, each with the step that was in progress when it was written."""
    return (found for _, found in with_lines(entries, root=root))


def with_lines(entries: Iterable[LogEntry], *, root: str = "") -> Iterator[tuple[LogEntry, Line]]:
    """The same, each line after its entry, which is made sound."""
    inside = _inside(root)
    current: int | None = None
    for each in entries:
        entry = sound(each)
        current = step_after(entry, current)
        yield entry, _line(entry, current, inside)


def text(entry: LogEntry) -> str:
    """One entry on one line of a terminal: number, time, event, tool, outcome and what it was about."""
    found = line(entry)
    time = found.at[:19].replace("T", " ")
    outcome = found.outcome if found.outcome in ("ok", "failed") else ""
    parts = (found.seq or "?", time, found.event, found.tool, outcome, found.rule, found.subject)
    return cut(escaped(" ".join(str(part) for part in parts if part)), 200)


# -- the parts of a line ---------------------------------------------------------------------------


def _number(value: object) -> int:
    return value if type(value) is int else 0


def _kind(entry: LogEntry, data: Mapping[str, Any], known: _Event) -> Kind:
    if known.kind != "call":
        return known.kind
    if isinstance(data.get("check"), dict):
        return "check"
    return "edit" if entry.get("tool") in EDIT_TOOLS else "call"


def _outcome(entry: LogEntry, data: Mapping[str, Any], known: _Event) -> str:
    """One word: that of the check, if the entry has one, as a pipe hides how its command ended."""
    if known.outcome:
        return known.outcome
    check = data.get("check")
    ended = check.get("passed") if isinstance(check, dict) else None
    for value in (ended, entry.get("success"), data.get("passed")):
        if isinstance(value, bool):
            return "ok" if value else "failed"
    if isinstance(check, dict):
        return "unknown"
    decision = data.get("decision")
    return _DECISIONS.get(str(decision), str(decision)) if decision else ""


def _file(entry: LogEntry) -> str:
    if entry.get("file_touched"):
        return str(entry["file_touched"])
    given = entry.get("input_preview")
    is_named = isinstance(given, str) and 'path":' in given
    found = _PATH_IN_INPUT.search(str(given)) if is_named else None
    return _unquoted(f'"{found[1]}"') if found else ""


def _subject(entry: LogEntry, data: Mapping[str, Any], event: str) -> str:
    """What it was about, in the words that say most; "" if the entry names nothing."""
    found = (
        data.get("command")
        or entry.get("file_touched")
        or data.get("shown")
        or (tamper_model.describe(data) if event.startswith("tampering") else "")
        or _input(entry.get("input_preview"))
        or data.get("preview")
        or data.get("said")
        or (data.get("path") if event.startswith("trash") else "")
        or _listed(data.get("failed"))
        or _wanted(data)
        or _planned(data.get("steps"))
        or _listed(data.get("files") or data.get("changed"))
        or (answered_by(data) if event == "answer_source" else "")
    )
    return str(found or "")


def answered_by(data: Mapping[str, Any]) -> str:
    """Who said yes in the client's dialog, as a person reads it."""
    source = str(data.get("source") or "unknown")
    return _ANSWERED_BY.get(source, f"no person: {source}")


def _input(given: object) -> str:
    """What names the call in its input, without its other fields."""
    if not isinstance(given, str):
        return json.dumps(given, ensure_ascii=False) if given else ""
    found = _NAMED_IN_INPUT.search(given)
    return _unquoted(found[1]) if found else "" if given == "{}" else given


def _unquoted(quoted: str) -> str:
    if "\\" not in quoted:
        return quoted.strip('"')
    try:
        return str(json.loads(quoted))
    except ValueError:  # a preview ends anywhere
        return quoted.strip('"')


def _wanted(data: Mapping[str, Any]) -> str:
    """A short text for a change of intent, mode or memory; "" for other entries."""
    to = {"in_progress": "in progress", "added": ""}.get(str(data.get("to")), data.get("to"))
    head = " ".join(str(each) for each in (data.get("step"), to) if each)
    said = " ".join(str(data[name]) for name in _TEXT_KEYS if data.get(name))
    return ": ".join(filter(None, (head, said)))


def _planned(steps: object) -> str:
    """The steps of a plan, one after the other."""
    found = steps if isinstance(steps, list) else []
    return "; ".join(
        str(each["text"]) for each in found if isinstance(each, dict) and "text" in each
    )


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else ""


def step_after(entry: LogEntry, current: int | None) -> int | None:
    """The step in progress once this entry is written."""
    event = entry.get("event")
    if event not in ("step", "plan", "objective"):
        return current
    data = entry.get("data")
    data = data if isinstance(data, dict) else {}
    if event == "step":
        to, number = data.get("to"), data.get("step")
        if to == "in_progress":
            return number if type(number) is int else current
        return None if number == current and to in ("completed", "blocked") else current
    if event == "plan" and isinstance(data.get("steps"), list):
        places = enumerate(data["steps"], 1)
        return next((number for number, each in places if _is_in_progress(each)), None)
    return None


def _is_in_progress(step: object) -> bool:
    return isinstance(step, dict) and step.get("status") == "in_progress"


# end of module
