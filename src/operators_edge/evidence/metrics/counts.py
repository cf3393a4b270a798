"""How often things happened: every number of ``edge stats``, folded from the log's entries alone.

Pure. Owns which event counts as what, for the project and for each of its last sessions. Does not own where
the record is kept (``evidence.store``) or how the numbers are shown (``evidence.metrics.render_text``,
``evidence.metrics.render_openmetrics``).
"""

from __future__ import annotations

from operators_edge.evidence import session_facts
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypedDict

    from operators_edge.records import LogEntry

    Data = dict[str, Any]

    Metrics = dict[str, Any]
    """One scope's numbers in their groups, as ``edge stats --json`` tells them."""

    class Scope(session_facts.Questions):
        """The numbers of the project or of one session, with the times of its first and last entry."""

        numbers: Numbers
        first: str | None
        last: str | None

    class Record(TypedDict):
        """Stored in ``.proof/cache/metrics.json``.

        ``raised`` and ``granted``: what explains a later decision.
        """

        root: str
        all: Scope
        sessions: dict[str, Scope]
        raised: dict[str, str]
        granted: dict[str, str]
        has_forgotten: bool


Numbers = dict[str, int]

SESSIONS_KEPT = 500
"""Sessions whose numbers are kept beside the project's, the newest."""

EXPLAINED_KEPT = 1000
"""Junctions and grants that a later decision or use is compared with."""

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
        "let_through": "Risky tool calls let through because a snapshot holds what they destroy.",
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


def new_record(root: str) -> Record:
    """An empty record: the project's numbers, the last sessions', and what explains a decision."""
    return {
        "root": root,
        "all": _new_scope(),
        "sessions": {},
        "raised": {},
        "granted": {},
        "has_forgotten": False,
    }


def _new_scope() -> Scope:
    return {"numbers": {}, "first": None, "last": None, "turn": 0, "asks": {}, "answers": {}}


def fold(record: Record, entries: Iterable[LogEntry]) -> Record:
    """Add entries to the record, in the log's order."""
    for entry in entries:
        if record["all"]["first"] is None and int(entry.get("seq") or 1) > 1:
            record["has_forgotten"] = True  # what was decided before was purged
        _fold_one(record, entry)
    return record


def _fold_one(record: Record, entry: LogEntry) -> None:
    session = entry.get("session")
    scopes = [record["all"]]
    if session:
        scopes.append(_scope_of(record, str(session)))
    when = entry.get("timestamp")
    for scope in scopes:
        scope["first"] = scope["first"] or when
        scope["last"] = when
    logged = entry.get("data")
    data = logged if isinstance(logged, dict) else {}
    event = str(entry.get("event"))
    found: Numbers = {"record.entries": 1}
    counted = _COUNTED.get(event)
    if isinstance(counted, str):
        found[counted] = 1
    elif counted is not None:
        found.update(counted(data))
    elif event == "tool":
        found.update(_tool(entry))
    if _is_drift(record, event, data):
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


def _scope_of(record: Record, session: str) -> Scope:
    """The session's own scope; the one that has been silent longest makes room."""
    sessions = record["sessions"]
    scope = sessions.pop(session, None) or _new_scope()
    sessions[session] = scope
    if len(sessions) > SESSIONS_KEPT:
        del sessions[next(iter(sessions))]
    return scope


# -- what counts as what ---------------------------------------------------------------------------


def _tool(entry: LogEntry) -> Numbers:
    found = {"calls.ran": 1, "calls.failed": int(entry.get("success") is False)}
    for check in session_facts.results_of(entry):
        outcome = {True: "passed", False: "failed", None: "unknown"}[check["passed"]]
        for name in ("checks.run", f"checks.{outcome}"):
            found[name] = found.get(name, 0) + 1
    return found


def _denied(data: Data) -> Numbers:
    if data.get("junction"):
        return {"calls.denied_pending": 1}
    is_refused = data.get("why") == "refused"
    return {"calls.denied_refused" if is_refused else "calls.denied_otherwise": 1}


_DECISIONS = {"approve": "approved", "skip": "skipped", "dismiss": "dismissed"}


def _decided(data: Data) -> Numbers:
    """A person's decision; a junction that events closed was decided by nobody."""
    name = _DECISIONS.get(str(data.get("decision")))
    return {f"junctions.{name}": 1} if name else {}


def _override(data: Data) -> Numbers:
    mode = "full" if data.get("mode") == "full" else "check_specific"
    return {"quality_gate.overrides": 1, f"quality_gate.{mode}": 1}


def _gate(data: Data) -> Numbers:
    return {"quality_gate.runs": 1, "quality_gate.failed": int(data.get("passed") is False)}


def _stuck(data: Data) -> Numbers:
    """``to``: "counting", "stuck" or "free"; only a changed plan is a recovery, switching off is none."""
    to, is_free = data.get("to"), data.get("to") == "free"
    return {
        "stuck.max_reached": _number(data.get("count"), 0),
        "stuck.triggers": int(to == "stuck"),
        "stuck.recoveries": int(is_free and data.get("why") == "plan_changed"),
    }


def _session_start(data: Data) -> Numbers:
    return {"record.sessions": int(data.get("source") in ("startup", "clear", "fork", None))}


def _step(data: Data) -> Numbers:
    return {"work.steps_completed": int(data.get("to") == "completed" and not data.get("again"))}


def _as_many(name: str) -> Callable[[Data], Numbers]:
    return lambda data: {name: _number(data.get("count"), 1)}


def _number(value: object, default: int) -> int:
    return value if type(value) is int and value >= 0 else default


_COUNTED: dict[str, str | Callable[[Data], Numbers]] = {
    "blocked": "calls.blocked",
    "denied": _denied,
    "warned": "calls.warned",
    "allowance_used": "calls.used_approval",
    "dismissal_used": "calls.used_dismissal",
    "approval_forgery": "health.forgeries",
    "tampering": "health.tampering",
    "transaction_recovery": "health.recoveries",
    "log_torn": "health.log_damage",
    "log_tail_missing": "health.log_damage",
    "log_replaced": "health.log_damage",
    "log_unanchored": "health.log_damage",
    "log_unreadable": "health.log_damage",
    "junction_raised": "junctions.hit",
    "junction_decided": _decided,
    "override_set": _override,
    "override_invalidated": "quality_gate.invalidations",
    "quality_gate": _gate,
    "stuck": _stuck,
    "eval_orphans_cleared": _as_many("cleanup.orphans"),
    "obligations_expired": _as_many("cleanup.stale_obligations"),
    "eval_snapshots_removed": _as_many("cleanup.snapshots"),
    "session_start": _session_start,
    "prompt": "work.prompts",
    "step": _step,
    "objective": "work.objectives",
    "snapshot": "work.snapshots",
    "let_through": "calls.let_through",
    "undone": "work.undone",
    "trashed": "work.trashed",
}
"""By event the number that it adds one to, or what counts its data."""


def _dialogs(scope: Scope, entry: LogEntry) -> Numbers:
    """What this entry tells of questions in the host's own dialog; a "Yes" may be known late."""
    event = entry.get("event")
    found: Numbers = {"dialogs.asked": 1, "junctions.hit": 1} if event == "asked" else {}
    if event == "answer_source" or not (found or scope["asks"] or scope["answers"]):
        return {}  # it tells where an answer came from, and answers nothing
    lean = {name: entry.get(name) for name in ("event", "agent", "tool_use_id")}
    for before, now in session_facts.follow_asks(scope, cast("LogEntry", lean)):
        for outcome, by in ((now, 1), (before, -1)):
            for name in _ANSWERS.get(outcome, ()):
                found[name] = found.get(name, 0) + by
    return found


_ANSWERS = {
    "approved": ("dialogs.approved", "junctions.approved"),
    "refused": ("dialogs.refused", "junctions.skipped"),
}


# -- drift -----------------------------------------------------------------------------------------


def _is_drift(record: Record, event: str, data: Data) -> bool:
    """Whether a decision, or the use of one, is explained by nothing that the log holds before it."""
    if event == "junction_raised":
        _remember(record, record["raised"], data.get("junction"), "open")
        return False
    is_explained = True
    if event == "scope_given":  # after a dialog: there was no junction
        for grant in data.get("grants") or []:
            _remember(record, record["granted"], grant, str(data.get("decision")))
        return False
    if event == "junction_decided":
        for grant in data.get("grants") or ():
            _remember(record, record["granted"], grant, str(data.get("decision")))
        is_explained = record["raised"].pop(str(data.get("junction")), None) is not None
    if event in ("allowance_used", "dismissal_used", "override_used"):
        used = list(map(str, data.get("grants") or filter(None, [data.get("override")])))
        is_explained = bool(used) and record["granted"].keys() >= set(used)
        if event == "allowance_used":
            for each in used:
                record["granted"].pop(each, None)  # one use: a second one is explained by nothing
    return not is_explained and not record["has_forgotten"]


def _remember(record: Record, kept: dict[str, str], ident: object, what: str) -> None:
    kept[str(ident)] = what
    if len(kept) > EXPLAINED_KEPT:
        del kept[next(iter(kept))]
        record["has_forgotten"] = True  # from here on what is not known may be what was forgotten


# -- telling ---------------------------------------------------------------------------------------


def of_project(record: Record) -> Metrics:
    """The project's numbers in their groups."""
    return _grouped(record["all"])


def of_session(record: Record, session: str) -> Metrics | None:
    """One session's; None where it is not among those that are kept."""
    scope = record["sessions"].get(session)
    return None if scope is None else {"session": session, **_grouped(scope)}


def _grouped(scope: Scope) -> Metrics:
    numbers = scope["numbers"]
    told: Metrics = {
        group: {name: numbers.get(f"{group}.{name}", 0) for name in names}
        for group, names in GROUPS.items()
    }
    return {**told, "session_start": scope["first"], "last_updated": scope["last"]}


# end of module
