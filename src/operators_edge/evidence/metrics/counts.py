"""How often things happened: every number of ``edge metrics``, folded from the log's entries alone.

Pure. Owns which event counts as what, for the project and for each of its last sessions. Does not own where
the record is kept (``evidence.store``) or how the numbers are shown (``evidence.metrics.render_text``,
``evidence.metrics.render_openmetrics``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from operators_edge.evidence import session_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from operators_edge.evidence.session_facts import Questions
    from operators_edge.records import LogEntry

Numbers = dict[str, int]
Metrics = dict[str, Any]
"""One scope's numbers in their groups, as ``edge metrics --json`` tells them."""

SESSIONS_KEPT = 500
"""Sessions whose numbers are kept beside the project's, the newest."""

EXPLAINED_KEPT = 1000
"""Junctions and grants that a later decision or use is held against."""

GROUPS: dict[str, dict[str, str]] = {
    "calls": {
        "ran": "Tool calls that ran.",
        "failed": "Tool calls that ran and failed.",
        "warned": "Tool calls let through with a warning.",
        "blocked": "Tool calls that nobody can approve.",
        "denied_pending": "Tool calls denied while a decision was pending.",
        "denied_refused": "Tool calls that a person had refused.",
        "denied_otherwise": "Tool calls denied because no decision was possible.",
        "used_approval": "Risky tool calls let through by an approval.",
        "used_dismissal": "Risky tool calls let through by a dismissal.",
    },
    "checks": {
        "run": "Tests, linters, type checkers and builds that a call ran.",
        "passed": "Checks that passed.",
        "failed": "Checks that failed.",
        "unknown": "Checks whose outcome is unknown.",
    },
    "cleanup": {
        "orphans": "Leftovers of evaluation runs deleted.",
        "stale_obligations": "Obligations that had no outcome in time.",
        "snapshots": "Old snapshots of evaluation runs deleted.",
    },
    "junctions": {
        "hit": "Decisions that a person was asked for.",
        "approved": "Decisions to approve.",
        "skipped": "Decisions to skip.",
        "dismissed": "Decisions to dismiss.",
    },
    "quality_gate": {
        "runs": "Runs of the quality gate.",
        "failed": "Runs of the quality gate that failed.",
        "overrides": "Overrides of the quality gate by a person.",
        "full": "Overrides of all checks.",
        "check_specific": "Overrides of named checks.",
        "invalidations": "Overrides that ended with their session or objective.",
    },
    "stuck": {
        "triggers": "Loops found stuck.",
        "recoveries": "Loops freed by a change of the plan.",
        "max_reached": "Highest count on the way to stuck.",
    },
    "health": {
        "drift_events": "Decisions, or uses of one, that nothing in the log explains.",
        "forgeries": "Attempts of an agent to decide.",
        "tampering": "Times that the checks were weakened.",
        "recoveries": "Changes finished after a crash.",
        "log_damage": "Damage that was found in the log.",
    },
    "dialogs": {
        "asked": "Questions in the client's own dialog.",
        "approved": "Dialogs answered with yes.",
        "refused": "Dialogs answered with no.",
    },
    "work": {
        "prompts": "Prompts that went to the agent.",
        "steps_completed": "Steps marked as completed.",
        "objectives": "Objectives that were set.",
        "snapshots": "Snapshots before destructive calls.",
        "undone": "Snapshots restored.",
        "trashed": "Paths moved to the trash.",
    },
    "record": {
        "entries": "Entries of the proof log.",
        "sessions": "Sessions that began.",
    },
}
"""Every number by its group, with what it counts. A new one is an entry here and in ``_COUNTED``."""


def new_record(root: str) -> dict[str, Any]:
    """An empty record: the project's numbers, the last sessions', and what explains a decision."""
    return {
        "root": root,
        "all": _new_scope(),
        "sessions": {},
        "raised": {},
        "granted": {},
        "has_forgotten": False,
    }


def _new_scope() -> dict[str, Any]:
    return {"numbers": {}, "first": None, "last": None, "asks": {}, "answers": {}}


def fold(record: dict[str, Any], entries: Iterable[LogEntry]) -> dict[str, Any]:
    """Add entries to the record, in the log's order."""
    for entry in entries:
        _fold_one(record, entry)
    return record


def _fold_one(record: dict[str, Any], entry: LogEntry) -> None:
    session = entry.get("session")
    scopes = [record["all"]]
    if session:
        scopes.append(_scope_of(record, str(session)))
    when = entry.get("timestamp")
    for scope in scopes:
        scope["first"] = scope["first"] or when
        scope["last"] = when
    event = str(entry.get("event"))
    found: Numbers = {"record.entries": 1}
    count = _COUNTED.get(event)
    if count is not None:
        data = entry.get("data")
        found.update(count(entry, data if isinstance(data, dict) else {}))
    if _is_drift(record, event, entry):
        found["health.drift_events"] = 1
    if len(scopes) > 1:
        found.update(_dialogs(scopes[1], entry))
    for scope in scopes:
        numbers = scope["numbers"]
        for name, number in found.items():
            before = numbers.get(name, 0)
            numbers[name] = max(before, number) if name in HIGHEST else before + number


HIGHEST = frozenset({"stuck.max_reached"})
"""Numbers that are a maximum, not a sum."""


def _scope_of(record: dict[str, Any], session: str) -> dict[str, Any]:
    """The session's own scope; the one that has been silent longest makes room."""
    sessions = record["sessions"]
    scope: dict[str, Any] = sessions.pop(session, None) or _new_scope()
    sessions[session] = scope
    if len(sessions) > SESSIONS_KEPT:
        del sessions[next(iter(sessions))]
    return scope


# -- what counts as what ---------------------------------------------------------------------------


def _tool(entry: LogEntry, _: dict[str, Any]) -> Numbers:
    found = {"calls.ran": 1, "calls.failed": int(entry.get("success") is False)}
    for check in session_facts.results_of(entry):
        outcome = {True: "passed", False: "failed", None: "unknown"}[check["passed"]]
        for name in ("checks.run", f"checks.{outcome}"):
            found[name] = found.get(name, 0) + 1
    return found


def _denied(_: LogEntry, data: dict[str, Any]) -> Numbers:
    if data.get("junction"):
        return {"calls.denied_pending": 1}
    is_refused = data.get("why") == "refused"
    return {"calls.denied_refused" if is_refused else "calls.denied_otherwise": 1}


_DECISIONS = {"approve": "approved", "skip": "skipped", "dismiss": "dismissed"}


def _decided(_: LogEntry, data: dict[str, Any]) -> Numbers:
    """A person's decision; a junction that was put away by events was decided by nobody."""
    name = _DECISIONS.get(str(data.get("decision")))
    return {f"junctions.{name}": 1} if name else {}


def _override(_: LogEntry, data: dict[str, Any]) -> Numbers:
    mode = "full" if data.get("mode") == "full" else "check_specific"
    return {"quality_gate.overrides": 1, f"quality_gate.{mode}": 1}


def _gate(_: LogEntry, data: dict[str, Any]) -> Numbers:
    return {"quality_gate.runs": 1, "quality_gate.failed": int(data.get("passed") is False)}


def _stuck(_: LogEntry, data: dict[str, Any]) -> Numbers:
    """``to``: "counting", "stuck" or "free"; only a changed plan is a recovery, switching off is none."""
    to, is_free = data.get("to"), data.get("to") == "free"
    return {
        "stuck.max_reached": _number(data.get("count"), 0),
        "stuck.triggers": int(to == "stuck"),
        "stuck.recoveries": int(is_free and data.get("why") == "plan_changed"),
    }


def _session_start(_: LogEntry, data: dict[str, Any]) -> Numbers:
    return {"record.sessions": int(data.get("source") in ("startup", "clear", "fork", None))}


def _step(_: LogEntry, data: dict[str, Any]) -> Numbers:
    return {"work.steps_completed": int(data.get("to") == "completed" and not data.get("again"))}


def _once(name: str) -> Callable[[LogEntry, dict[str, Any]], Numbers]:
    return lambda _entry, _data: {name: 1}


def _as_many(name: str) -> Callable[[LogEntry, dict[str, Any]], Numbers]:
    return lambda _, data: {name: _number(data.get("count"), 1)}


def _number(value: object, default: int) -> int:
    return value if type(value) is int and value >= 0 else default


_COUNTED: dict[str, Callable[[LogEntry, dict[str, Any]], Numbers]] = {
    "tool": _tool,
    "blocked": _once("calls.blocked"),
    "denied": _denied,
    "warned": _once("calls.warned"),
    "allowance_used": _once("calls.used_approval"),
    "dismissal_used": _once("calls.used_dismissal"),
    "approval_forgery": _once("health.forgeries"),
    "tampering": _once("health.tampering"),
    "transaction_recovery": _once("health.recoveries"),
    "log_torn": _once("health.log_damage"),
    "log_tail_missing": _once("health.log_damage"),
    "log_replaced": _once("health.log_damage"),
    "log_unanchored": _once("health.log_damage"),
    "log_unreadable": _once("health.log_damage"),
    "junction_raised": _once("junctions.hit"),
    "junction_decided": _decided,
    "override_set": _override,
    "override_invalidated": _once("quality_gate.invalidations"),
    "quality_gate": _gate,
    "stuck": _stuck,
    "eval_orphans_cleared": _as_many("cleanup.orphans"),
    "obligations_expired": _as_many("cleanup.stale_obligations"),
    "eval_snapshots_removed": _as_many("cleanup.snapshots"),
    "session_start": _session_start,
    "prompt": _once("work.prompts"),
    "step": _step,
    "objective": _once("work.objectives"),
    "snapshot": _once("work.snapshots"),
    "undone": _once("work.undone"),
    "trashed": _once("work.trashed"),
}


def _dialogs(scope: dict[str, Any], entry: LogEntry) -> Numbers:
    """What this entry tells of questions in the host's own dialog; a "Yes" may be heard of late."""
    if entry.get("event") == "answer_source":
        return {}  # it tells where an answer came from, and answers nothing
    if entry.get("event") != "asked" and not scope["asks"] and not scope["answers"]:
        return {}
    found: Numbers = {}
    if entry.get("event") == "asked":
        found = {"dialogs.asked": 1, "junctions.hit": 1}
    lean: LogEntry = {
        "event": entry.get("event") or "",
        "agent": entry.get("agent"),
        "tool_use_id": entry.get("tool_use_id"),
    }
    for before, now in session_facts.follow_asks(cast("Questions", scope), lean):
        for outcome, by in ((now, 1), (before, -1)):
            if outcome:
                junction = "junctions.approved" if outcome == "approved" else "junctions.skipped"
                for name in (f"dialogs.{outcome}", junction):
                    found[name] = found.get(name, 0) + by
    return found


# -- drift -----------------------------------------------------------------------------------------


def _is_drift(record: dict[str, Any], event: str, entry: LogEntry) -> bool:
    """Whether a decision, or the use of one, is explained by nothing that the log holds before it."""
    if event not in _EXPLAINING:
        return False
    data = entry.get("data")
    data = data if isinstance(data, dict) else {}
    raised, granted = record["raised"], record["granted"]
    if event == "junction_raised":
        _remember(record, raised, data.get("junction"), "open")
        return False
    if event == "junction_decided":
        for grant in data.get("grants") or ():
            _remember(record, granted, grant, str(data.get("decision")))
        was_open = raised.pop(str(data.get("junction")), None) is not None
        return not was_open and not record["has_forgotten"]
    used = data.get("grants") or ([data["override"]] if data.get("override") else [])
    unexplained = [each for each in used if str(each) not in granted]
    if event == "allowance_used":
        for each in used:
            granted.pop(str(each), None)  # one use: a second one is explained by nothing
    return (bool(unexplained) or not used) and not record["has_forgotten"]


_EXPLAINING = frozenset(
    ("junction_raised", "junction_decided", "allowance_used", "dismissal_used", "override_used")
)


def _remember(record: dict[str, Any], kept: dict[str, str], ident: object, what: str) -> None:
    kept[str(ident)] = what
    if len(kept) > EXPLAINED_KEPT:
        del kept[next(iter(kept))]
        record["has_forgotten"] = True  # from here on what is not known may be what was forgotten


# -- telling ---------------------------------------------------------------------------------------


def of_project(record: dict[str, Any]) -> Metrics:
    """The project's numbers in their groups."""
    return _told(record["all"])


def of_session(record: dict[str, Any], session: str) -> Metrics | None:
    """One session's; None where it is not among those that are kept."""
    scope = record["sessions"].get(session)
    return None if scope is None else {"session": session, **_told(scope)}


def _told(scope: dict[str, Any]) -> Metrics:
    numbers = scope["numbers"]
    told: Metrics = {
        group: {name: numbers.get(f"{group}.{name}", 0) for name in names}
        for group, names in GROUPS.items()
    }
    return {**told, "session_start": scope["first"], "last_updated": scope["last"]}
