"""One project on one screen: intent, what waits for a person, what was observed, what is granted.

Owns what is gathered and how it reads. Does not own the channel (``cli`` and ``hosts`` print it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.core import capsule, card, modes, schema, tamper
from operators_edge.core.text import one_line
from operators_edge.decisions import live_grants
from operators_edge.store import effective

if TYPE_CHECKING:
    from operators_edge.project import Project

TAMPERING_SHOWN = 8

_MARKS = {"completed": "x", "in_progress": ">", "blocked": "!", "pending": " "}


def gather(project: Project) -> dict[str, Any]:
    """Everything that ``edge status`` shows, as JSON-like data."""
    state = project.state.read()
    session = state.get("session") or {}
    plan = state.get("plan") or []
    seen: dict[str, Any] = {}
    answers: list[dict[str, Any]] = []
    if session.get("id"):
        record = project.log.session(str(session["id"]))
        seen, answers = record.observations(), list(record.record["answers"].values())
    return {
        "root": project.root,
        "mode": modes.current(state),
        "mode_is_explicit": state.get("mode") is not None,
        "objective": state.get("objective"),
        "plan": [
            {"description": step.get("description"), "status": step.get("status", "pending")}
            for step in plan
        ],
        "current_step": schema.current_step(state),
        "junction": state.get("junction"),
        "grants": live_grants(project, state),
        "session": session,
        "observations": seen,
        "decisions": (state.get("junction_history") or [])[-3:],
        "answers": answers[-3:],
        "context_tokens": capsule.tokens(capsule.build(state, None)),
        "log_entries": project.log.count(),
        "configuration": effective.load(project.root).config.get("remarks", []),
    }


def text(project: Project) -> str:
    """The same for a person's eye."""
    data = gather(project)
    explicit = "" if data["mode_is_explicit"] else " (derived)"
    lines = [
        f"Project    {data['root']}",
        f"Mode       {data['mode']}{explicit}",
        f"Objective  {_plain(data['objective']) if data['objective'] else 'none yet'}",
    ]
    lines += plan_lines(data)
    lines += junction_lines(data["junction"])
    lines += _grants(data["grants"])
    lines += [f"Config     {_plain(each)}" for each in data["configuration"]]
    lines += _session(data)
    for each in data["decisions"]:
        what = each.get("shown") or each.get("type", "")
        lines.append(f"Decided    {each['decision']}: {_plain(what)}  ({each.get('by', '')})")
    lines += [
        f"Decided    {each['outcome']}: {_plain(each['shown'])}  (in the client's dialog)"
        for each in data["answers"]
    ]
    lines.append(
        f"Record     {data['log_entries']} log entries; "
        f"a new session is told about {data['context_tokens']} tokens"
    )
    return "\n".join(lines)


def grants_text(project: Project) -> str:
    """Every live grant: what, who, when, until."""
    grants = live_grants(project, project.state.read())
    return "\n".join(_grants(grants)) if grants else "No live grants."


def plan_lines(data: dict[str, Any]) -> list[str]:
    lines = []
    for number, step in enumerate(data["plan"], 1):
        head = "Plan       " if number == 1 else " " * 11
        mark = _MARKS.get(step["status"], "?")
        lines.append(f"{head}[{mark}] {number}. {_plain(step['description'])}")
    return lines


def junction_lines(pending: dict[str, Any] | None) -> list[str]:
    """What waits for a person: its decision card where it has one, and how to decide."""
    if not pending:
        return ["Pending    nothing"]
    lines = card.readable(pending.get("card")) or _without_card(pending)
    for number, check in enumerate((pending.get("payload") or {}).get("failed_checks") or [], 1):
        lines.append(f"           [{number}] {check['name']}: {_plain(check['text'])}")
    others = pending.get("also_blocked") or []
    lines += [f"           also denied meanwhile: {_plain(each['shown'])}" for each in others[:3]]
    lines.append("           decide: /edge approve, /edge skip or /edge dismiss")
    return lines


def _without_card(pending: dict[str, Any]) -> list[str]:
    shown = _plain(pending.get("shown") or "")
    return [f"Pending    {pending['type']}: {shown}", f"           {_plain(pending['reason'])}"]


def _grants(grants: list[dict[str, Any]]) -> list[str]:
    lines = []
    for number, grant in enumerate(grants, 1):
        head = "Grants     " if number == 1 else " " * 11
        what = _plain(
            grant.get("shown") or ", ".join(grant.get("approved_checks") or ["all checks"])
        )
        until = f"until {_when(grant['expires_at'])}" if grant.get("expires_at") else "one use"
        if grant["kind"] == "override":
            until = "this session and objective"
        when = grant.get("granted_at") or grant.get("dismissed_at") or grant.get("approved_at")
        lines.append(
            f"{head}{number}. {grant['kind']} {grant.get('rule') or ''} {what}; "
            f"by {grant['by']} at {_when(when)}, {until}"
        )
    return lines


def _session(data: dict[str, Any]) -> list[str]:
    session, seen = data["session"], data["observations"]
    if not session.get("id"):
        return ["Session    none seen yet"]
    end = f"ended {_when(session['ended_at'])}" if session.get("ended_at") else "open"
    used = ", ".join(f"{tool} {n}" for tool, n in sorted((seen.get("tools_used") or {}).items()))
    lines = [f"Session    {session['id']}, since {_when(session.get('started_at'))}, {end}"]
    lines.append(f"Observed   {used or 'no tool use yet'}")
    files = seen.get("files_modified") or []
    if files:
        lines.append(f"           modified: {_plain(', '.join(files[:8]))}")
    if seen.get("tests_run"):
        outcome = {True: "passed", False: "failed"}.get(seen.get("tests_passed"), "outcome unknown")
        lines.append(f"           tests: {outcome}")
    return lines + _tampering(seen.get("tampering") or [])


def _tampering(seen: list[dict[str, Any]]) -> list[str]:
    """What the checks lost in this session, beside the outcome of the tests."""
    lines = []
    for number, each in enumerate(seen[-TAMPERING_SHOWN:]):
        head = "Checks     " if number == 0 else " " * 11
        lines.append(f"{head}{_plain(tamper.text(each))}, {_when(each.get('at'))}")
    if len(seen) > TAMPERING_SHOWN:
        more = len(seen) - TAMPERING_SHOWN
        lines.append(f"           and {more} before: edge proof search --event tampering")
    return lines


def _when(text: object) -> str:
    """A stored time to the second; what is no time is shown as it is."""
    head, dot, rest = _plain(text).partition(".")
    zone = rest.lstrip("0123456789") if dot else ""
    return f"{head}{zone}".replace("T", " ").replace("+00:00", " UTC")


def _plain(value: object) -> str:
    return one_line(value, 160)
