"""One project on one screen: intent, pending decision, observations, grants.

Owns what is gathered and how it is shown. Printing it is in ``cli`` and ``hosts``.
"""

from __future__ import annotations

from operators_edge.approvals import junction, off_switch, scopes, service as approvals_service
from operators_edge.approvals.binding import store as binding_store
from operators_edge.approvals.card import render as render_card
from operators_edge.config import effective
from operators_edge.datetimes import UTC, datetime
from operators_edge.errors import StateError
from operators_edge.evidence import overrides, session_facts
from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.loop import auto as auto_service, choices, gears
from operators_edge.plan import modes
from operators_edge.plan.edits import MARKS
from operators_edge.quality import service as quality_service
from operators_edge.sessions import briefing, live, notify_service, start as session_start, tasks
from operators_edge.sessions.grants import classify_grants
from operators_edge.state import schema
from operators_edge.storage.files import read_bytes
from operators_edge.text.markup import hanging_indent, labelled
from operators_edge.text.timestamps import ago, local, parse
from operators_edge.text.wording import amount, as_text, fitted, many, one_line, screen_width
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from operators_edge.evidence.session_facts import Answer
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.records import Grant, Junction

MAX_TAMPERING = 8
MAX_LEFT = 3
"""Questions of ended sessions that are named; the others are counted."""

LARGE_SPACE = 100 << 20
"""Bytes of snapshots, or of the trash, above which a screen mentions them."""

_SESSION = 9
"""Characters of a session's id: enough to tell it from others."""

MAX_CHECKS = 5
"""Failed checks shown on a screen about the whole project."""


def gather(project: Project, asking: str = "") -> dict[str, Any]:
    """Everything that ``edge status`` shows, as JSON-like data; without a session, for the latest one."""
    state = project.state.read()
    session = state.get("session") or {}
    plan = state.get("plan") or []
    seen: dict[str, Any] = {}
    answers: list[Answer] = []
    hidden = 0
    if session.get("id"):
        record = project.evidence.session(str(session["id"]))
        seen, answers = session_facts.observations(record), list(record["answers"].values())
        hidden = record["hidden"]
    counting, ignored = classify_grants(project, state)
    return {
        "now": project.clock().isoformat(),
        "root": project.root,
        "mode": modes.current(state),
        "mode_is_explicit": state.get("mode") is not None,
        "gear": gears.current(state),
        "auto": auto_service.report(project, state),
        "objective": state.get("objective"),
        "plan": [
            {"description": step.get("description"), "status": step.get("status", "pending")}
            for step in plan
        ],
        "current_step": schema.current_step(state),
        "junction": state.get("junction"),
        "left": junction.left_questions(state),
        "grants": with_lapsed(counting, state, asking or str(session.get("id") or "")),
        "grants_ignored": ignored,
        "off": active_switches(project, asking or str(session.get("id") or "")),
        "gate": _gate(project, state, asking or str(session.get("id") or "")),
        "suggested": modes.suggestion(state),
        "session": session,
        "observations": seen,
        "hidden": hidden,
        "decisions": (state.get("junction_history") or [])[-3:],
        "answers": answers[-3:],
        "alarms": binding_store.alarms(project),
        "bridge": tasks.gather(project.root),
        "log_entries": project.log.count(),
        "configuration": effective.remarks(project.root),
        "notifications": notify_service.trouble(),
        "warnings": [
            {"name": each.name, "text": each.text} for each in state_warnings(project, state)
        ],
    }


def context_tokens(project: Project) -> int:
    """What a session that began now would be shown of the project, in tokens."""
    return briefing.estimate_tokens(session_start.preview(project, project.state.read()))


def state_warnings(project: Project, state: State) -> list[schema.Check]:
    """What is wrong with the state, or too large in it: shown, and blocks nothing."""
    lines = (read_bytes(project.state.path) or b"").count(b"\n")
    return schema.warnings(state, now=project.clock(), lines=lines)


def _gate(project: Project, state: State, session: str) -> dict[str, Any] | None:
    """The status of the quality gate and the claims; None without objective and plan."""
    if not state.get("objective") and not state.get("plan"):
        return None
    try:
        gate = quality_service.gate_of(project, state, session)
    except StateError as error:
        line = f"could not be asked: {error.message}"
        return {"failed": None, "overridden": [], "remarks": [], "claims": "", "line": line}
    return {
        "failed": [check.as_data() for check in gate.failed],
        "overridden": [check.name for check in gate.covered],
        "remarks": list(gate.remarks),
        "claims": quality_service.claims_line(gate.claims),
        "line": quality_service.summary_line(gate),
    }


def active_switches(project: Project, session: str) -> list[dict[str, Any]]:
    """What is switched off now, and by what; the environment first."""
    switches: list[dict[str, Any]] = []
    variable = approvals_service.environment_switch(project, session)
    if variable.is_off:
        switches.append({"by": off_switch.VARIABLE, "rule": "", "session": session, "until": None})
    for each in approvals_service.switches_in_force(project, project.state.read()):
        until = {"until": each["expires_at"], "id": each["id"]}
        switches.append(
            {"by": each["by"], "rule": each["rule"], "session": each["session"], **until}
        )
    return switches


def switch_lines(switches: list[dict[str, Any]], now: datetime) -> list[str]:
    """One row for each switch: what is off, until when, and how to end it."""
    lines = []
    for each in switches:
        if each["by"] == off_switch.VARIABLE:
            text = (
                f"{off_switch.describe(each)}, because its client was started with {each['by']}=1"
            )
        else:
            text = f"{off_switch.describe(each)}, until {local(each['until'], now)}"
        lines += labelled("OFF", f"{text}; a person: edge resume")
    return lines


def with_lapsed(grants: list[Grant], state: State, session: str) -> list[dict[str, Any]]:
    """The grants; an override also says why it no longer counts: its session or objective has ended."""
    return [
        {**each, "lapsed": overrides.lapsed({**each}, state, session)}
        if each["kind"] == "override"
        else {**each}
        for each in grants
    ]


def text(project: Project, asking: str = "") -> str:
    """The status of the project as text."""
    return render(gather(project, asking))


def render(data: dict[str, Any], *, at_terminal: bool = False) -> str:
    """The result of ``gather`` as text, on one screen."""
    explicit = "" if data["mode_is_explicit"] else " (from objective and plan)"
    lines = [
        f"Project    {data['root']}{_containment(data)}",
        *labelled("Mode", f"{data['mode']}{explicit}{_gear(data)}"),
    ]
    lines += _loop(data["auto"])
    now = parse(data["now"]) or datetime.now(UTC)
    lines += switch_lines(data["off"], now)
    lines += _alarms(data["alarms"])
    if data["suggested"] and (data["junction"] or {}).get("type") != "mode_transition":
        target, reason = data["suggested"]
        lines.append(f"           mode {target} fits now, {reason}: edge {target}")
    lines += labelled("Objective", _plain(data["objective"]) if data["objective"] else "none yet")
    lines += plan_lines(data)
    if data["gate"]:
        lines += labelled("Claims", data["gate"]["claims"])
        lines += labelled("Gate", data["gate"]["line"])
    lines += junction_lines(data["junction"], at_terminal=at_terminal)
    lines += left_lines(data["left"], at_terminal=at_terminal)
    lines += labelled("Bridge", tasks.line(data["bridge"]))
    lines += [*_grants(data["grants"], now), *_ignored(data["grants_ignored"])]
    for each in data["configuration"]:
        lines += labelled("Config", _plain(each))
    lines += labelled("Notify", data["notifications"])
    for each in data["warnings"]:
        if each["name"] in _ON_SCREEN:
            lines += labelled("State", each["text"])
    lines += _session(data, now)
    for each in data["decisions"]:
        what = each.get("shown") or each.get("type", "")
        lines += labelled(
            "Decided", f"{decided(each)}: {_plain(what)} ({_plain(each.get('by', ''))})"
        )
    for each in data["answers"]:
        lines += labelled(
            "Decided", f"{each['outcome']}: {_plain(each['shown'])} (in the client's dialog)"
        )
    lines += labelled("Undo", _space(data.get("undo")))
    lines.append(f"Log        {many(data['log_entries'], 'entry')}: edge log")
    return "\n".join(lines)


_ON_SCREEN = (
    *("step-shape", "step-status", "lesson-incomplete"),
    *("many-completed-steps", "many-resolved-mismatches", "stale-lessons", "long-file"),
)
"""Warnings that neither the gate nor a claim shows: malformed entries, and what has become too large."""


def _containment(data: dict[str, Any]) -> str:
    """In a word, where a project is contained."""
    word = data.get("containment") or "off"
    return "" if word == "off" else f", {word}"


def _space(taken: Mapping[str, int] | None) -> str:
    """What snapshots and trash take, and how to have them take less; "" where that is little."""
    taken, parts = taken or {}, []
    if (size := taken.get("snapshots", 0)) > LARGE_SPACE:
        most = amount(taken["limit"])
        parts.append(f"snapshots about {amount(size)} of {most}: edge config set undo_megabytes")
    if (size := taken.get("trash", 0)) > LARGE_SPACE:
        parts.append(f"trash {amount(size)}: edge trash empty")
    return "; ".join(parts)


def _alarms(alarms: list[str]) -> list[str]:
    """Alarms that no person has seen yet: the latest, and how many more there are."""
    if not alarms:
        return []
    lines = labelled("ALARM", alarms[-1])
    if len(alarms) > 1:
        lines.append(f"           and {len(alarms) - 1} more: edge status --json")
    return lines


def _gear(data: dict[str, Any]) -> str:
    """The gear of the last cycle, in a mode in which gears run."""
    if data["mode"] not in gears.RUNNING_MODES:
        return ""
    return f", gear {data['gear']}" if data["gear"] else ""


def _loop(auto: dict[str, Any]) -> list[str]:
    """Auto and STUCK; nothing if the loop was never on."""
    first, *more = auto_service.report_lines(auto)
    was_ever_on = auto["enabled"] or auto["ignored"] or auto["ended_why"]
    lines = labelled("Auto", first) if was_ever_on else []
    return [*lines, *(line for each in more for line in labelled("STUCK", each))]


def grants_text(project: Project) -> str:
    """Every live grant: what, who, when, until."""
    state = project.state.read()
    session = schema.latest_session(state)
    counting, ignored = classify_grants(project, state)
    grants = with_lapsed(counting, state, session)
    lines = _grants(grants, project.clock()) or ["No live grants."]
    return "\n".join([*lines, *_ignored(ignored)])


def plan_lines(data: dict[str, Any]) -> list[str]:
    lines = []
    for number, step in enumerate(data["plan"], 1):
        head = "Plan       " if number == 1 else " " * 11
        mark = MARKS.get(step["status"], "?")
        lines += hanging_indent(f"{head}[{mark}] {number}. ", _plain(step["description"]))
    return lines


def junction_lines(
    stored: Mapping[str, Any] | None,
    *,
    at_terminal: bool = False,
    is_brief: bool = False,
    has_ways: bool = True,
) -> list[str]:
    """The pending junction: its decision card if it has one, and how to decide.

    ``at_terminal``: for the person's own terminal, where commands have no slash. ``is_brief``: one line for
    each failed check, without what fixes it. ``has_ways``: with how to decide.
    """
    if not stored:
        return ["Pending    nothing"]
    pending = cast("Junction", stored)
    lines = render_card.stored_lines(pending.get("card")) or _without_card(pending)
    if task := live.task_of(pending):
        lines += hanging_indent(" " * 11, f"asked by the Bridge, for its task {_plain(task)}")
    lines += _checks_briefly(pending) if is_brief else _checks(pending)
    offers = choices.offers(pending) if choices.is_ours(pending) else []
    for number, each in enumerate(offers, 1):
        lines += hanging_indent(f"{' ' * 11}[{number}] ", each)
    others = pending.get("also_blocked") or []
    lines += [f"           also denied meanwhile: {_plain(each['shown'])}" for each in others[:3]]
    if not has_ways:
        return lines
    ways = _ways(pending)
    if at_terminal:
        ways = ways.replace("/edge", "edge")
    return [*lines, *hanging_indent(f"{' ' * 11}decide: ", ways)]


def decided(answered: Mapping[str, Any]) -> str:
    """The word for an answer, no for the whole session is "never"."""
    word = as_text(answered.get("decision"))
    if (word, answered.get("scope")) == ("skip", "session"):
        return "never"
    return _DECIDED.get(word, word)


_DECIDED = {
    "approve": "approved",
    "skip": "refused",
    "dismiss": "dismissed",
    "displaced": "replaced by another question",
}


def left_lines(left: Sequence[Mapping[str, Any]], *, at_terminal: bool = False) -> list[str]:
    """The questions of ended sessions, and how to decide them."""
    if not left:
        return []
    listed = "; ".join(f"{number} {_left(each)}" for number, each in enumerate(left[:MAX_LEFT], 1))
    more = f" and {len(left) - MAX_LEFT} more" if len(left) > MAX_LEFT else ""
    slash = "" if at_terminal else "/"
    ways = f"{slash}edge approve --left N, or skip --left N"
    are_of_tasks = {bool(live.task_of(each)) for each in left}
    by = " and ".join(name for name, each in _ASKED if each in are_of_tasks)
    return labelled("Left open", f"by {by}: {listed}{more}. Decide: {ways}")


_ASKED = (("ended sessions", False), ("tasks of the Bridge", True))


def _left(question: Mapping[str, Any]) -> str:
    """A question on the list, and whose it is."""
    task = live.task_of(question)
    shown = one_line(question.get("shown") or question.get("reason") or question["type"], 60)
    return f"{shown} ({one_line(task, 40)})" if task else shown


def _checks(pending: Junction) -> list[str]:
    lines: list[str] = []
    for number, check in enumerate(quality_service.failed_checks(pending), 1):
        lines += quality_service.check_lines(check, f"[{number}]", indent=11)
    for check in (pending.get("payload") or {}).get("warnings") or []:
        lines += quality_service.check_lines(check, "warning", indent=11)
    return lines


def _checks_briefly(pending: Junction) -> list[str]:
    failed = quality_service.failed_checks(pending)
    lines = [
        fitted(
            f"{' ' * 11}[{number}] {check['name']}: {_plain(check.get('text', ''))}", screen_width()
        )
        for number, check in enumerate(failed[:MAX_CHECKS], 1)
    ]
    if not failed:
        return []
    more = len(failed) - MAX_CHECKS
    rest = f"and {more} more, and " if more > 0 else ""
    return [*lines, f"           {rest}what clears them: edge status"]


def _ways(pending: Junction) -> str:
    if choices.is_ours(pending):
        return choices.commands_line(pending)
    if pending["type"] == "quality_gate":
        is_one = len(quality_service.failed_checks(pending)) == 1
        numbers, them = ("1", "it") if is_one else ("1,2", "them")
        return f"/edge approve {numbers} (or all) because …, or fix {them}: /edge done"
    if pending["type"] == "mode_transition":
        return "/edge approve or /edge skip"
    if pending.get("source") != "gate":
        return "/edge approve, /edge skip or /edge dismiss"
    whole = ", 1h rule, session (this rule)" if scopes.can_be_whole(pending.get("rule", "")) else ""
    return f"/edge approve (once), skip, 1h (this target){whole}, never"


def _without_card(pending: Junction) -> list[str]:
    if pending["type"] == "quality_gate":
        return labelled("Pending", f"edge done: {_plain(pending['reason'])}")
    if pending["type"] == "mode_transition":
        return labelled("Pending", f"{_plain(pending.get('shown'))}: {_plain(pending['reason'])}")
    shown = _plain(pending.get("shown") or "")
    return [f"Pending    {pending['type']}: {shown}", f"           {_plain(pending['reason'])}"]


def _ignored(reasons: list[str]) -> list[str]:
    """Entries of the state that do not count as grants, because of a lost key or an older file, say."""
    return [f"Ignored    a grant in the state: {why}" for why in reasons]


def _grants(grants: list[dict[str, Any]], now: datetime) -> list[str]:
    lines = []
    for number, grant in enumerate(grants, 1):
        head = "Grants     " if number == 1 else " " * 11
        until = f"until {local(grant['expires_at'], now)}" if grant.get("expires_at") else "one use"
        if grant["kind"] == "override":
            until = _LAPSED[grant.get("lapsed") or ""]
        when = grant.get("granted_at") or grant.get("dismissed_at") or grant.get("approved_at")
        why = f", because {_plain(grant['reason'])}" if grant.get("reason") else ""
        text = f"{granted(grant)}{why}; by {grant['by']}, {ago(when, now)}, {until}"
        lines += hanging_indent(f"{head}{number}. ", text)
    return lines


_LAPSED = {
    "": "for this session and objective",
    "session": "lapsed: it was for another session",
    "objective": "lapsed: it was for another objective",
}


def granted(grant: dict[str, Any]) -> str:
    if grant["kind"] == "override":
        return f"override {_plain(', '.join(grant.get('approved_checks') or ['every check']))}"
    if off_switch.is_switch(grant):
        return f"switched off: {off_switch.describe(grant)}"
    target = f" ({_plain(grant['target'])})" if grant.get("target") else ""
    return f"{grant['kind']} {grant.get('rule') or ''} {_plain(grant.get('shown') or '')}{target}"


def _session(data: dict[str, Any], now: datetime) -> list[str]:
    session, seen = data["session"], data["observations"]
    if not session.get("id"):
        return ["Session    none seen yet"]
    end = f"ended {ago(session['ended_at'], now)}" if session.get("ended_at") else "open"
    used = ", ".join(f"{tool} {n}" for tool, n in sorted((seen.get("tools_used") or {}).items()))
    began = f"began {ago(session.get('started_at'), now)}"
    lines = labelled("Session", f"{one_line(session['id'], _SESSION)}, {began}, {end}")
    lines += labelled("Observed", used or "no tool use yet")
    files = seen.get("files_modified") or []
    if files:
        lines += hanging_indent(" " * 11, f"modified: {_plain(', '.join(files[:8]))}")
    if seen.get("tests_run"):
        outcome = {True: "passed", False: "failed"}.get(seen.get("tests_passed"), "outcome unknown")
        lines.append(f"           tests: {outcome}")
    if data["hidden"]:
        lines.append(f"           hidden in the log: {many(data['hidden'], 'secret')}")
    return lines + _tampering(seen.get("tampering") or [], now)


def _tampering(seen: list[dict[str, Any]], now: datetime) -> list[str]:
    """How the checks were weakened in this session."""
    lines = []
    for number, each in enumerate(seen[-MAX_TAMPERING:]):
        head = "Checks     " if number == 0 else " " * 11
        lines.append(f"{head}{_plain(tamper_model.describe(each))}, {ago(each.get('at'), now)}")
    if len(seen) > MAX_TAMPERING:
        more = len(seen) - MAX_TAMPERING
        lines.append(f"           and {more} before: edge log search --event tampering")
    return lines


def _plain(value: object) -> str:
    return one_line(value, 160)


# end of module
