"""Switching the gate off and on again: by a person's command, or by their environment (HO-6).

Owns what a switch leaves in ledger, state and log, and whether the environment's word is the person's. A
switch is one more grant among the dismissals; what it covers is ``approvals.off_switch``'. Does not own who
is a person (``hosts``), nor the calls it lets through (``sessions.tool_call``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.approvals import junction, off_switch
from operators_edge.config import effective
from operators_edge.errors import AnswerIsNo, EdgeError, UsageError
from operators_edge.locations import AGENT_MARKS
from operators_edge.model import GUARDING
from operators_edge.storage import bindings
from operators_edge.storage.keys import signed
from operators_edge.system import processes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from operators_edge.approvals.off_switch import Switch
    from operators_edge.model import Call, State, Verdict
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

DEFAULT_MINUTES = junction.DEFAULT_DISMISSAL_MINUTES


class SwitchRequest(NamedTuple):
    """What is to be switched off: ``session`` "" is every session, ``rule`` "" every question and warning."""

    session: str
    rule: str
    minutes: int


def checked_request(
    project: Project, *, session: str, whole_project: bool, rule: str, minutes: int
) -> SwitchRequest:
    """The words checked; UsageError says which of them cannot be."""
    if not 1 <= minutes <= junction.MAX_DISMISSAL_MINUTES:
        raise UsageError(
            f"a switch lasts 1 to {junction.MAX_DISMISSAL_MINUTES} minutes, not {minutes}",
            hint="edge disable --minutes 60",
        )
    if not whole_project and not session:
        raise UsageError("no session was seen here yet", hint="edge disable --all-sessions")
    if rule:
        _check(project, rule)
    return SwitchRequest("" if whole_project else session, rule, minutes)


def _check(project: Project, rule: str) -> None:
    """Only a rule that is there, and none that guards decisions: switched off, it would let one be forged."""
    if rule.startswith(GUARDING):
        raise UsageError(
            f"{rule} guards what only a person decides; it stays on", hint="edge rules"
        )
    names = [each["id"] for each in effective.load(project.root).rules]
    if rule not in names:
        import difflib  # noqa: PLC0415 - see above

        near = difflib.get_close_matches(rule, names)
        perhaps = f"; perhaps {', '.join(near)}" if near else ""
        raise UsageError(f"there is no rule {rule}{perhaps}", hint="edge rules")


def preview(want: SwitchRequest) -> str:
    """What would be off, and what would not, for the person who is asked whether they mean it."""
    where = "this session" if want.session else "every session of this project"
    if want.rule:
        return f"For {want.minutes} minutes, in {where}, rule {want.rule} would be off."
    return "\n".join(
        [
            f"For {want.minutes} minutes, in {where}, nothing would be asked or warned of.",
            "Still on: what is blocked outright, start-up files and keys, what cannot be read.",
            "Still kept: the log, and snapshots before what destroys work.",
        ]
    )


def disable(project: Project, want: SwitchRequest, *, session: str, by: str) -> str:
    """Switch it off until the time is over; the caller has asked a person whether they mean it."""

    def change(tx: Transaction) -> str:
        grant = signed(
            project.root,
            off_switch.new_switch(
                new_id=project.new_id(),
                now=project.clock(),
                minutes=want.minutes,
                rule=want.rule,
                session=want.session,
                by=by,
            ),
        )
        tx.grant(grant)
        tx.state["dismissals"] = [*(tx.state.get("dismissals") or []), grant]
        said = {"switch": grant["id"], "rule": want.rule, "for": want.session or "project"}
        told = {**said, "until": grant["expires_at"], "by": by}
        tx.log("gate_disabled", told, session=session)
        return f"Off for {want.minutes} minutes: {off_switch.describe(grant)}.\nOn again at once: edge enable"

    return project.transact(change, command="disable")


def enable(
    project: Project, *, session: str, rule: str, by: str, env: Mapping[str, str] = os.environ
) -> str:
    """Everything is on again, also where the environment says otherwise; with a rule, that rule."""
    by_variable = [] if rule else _open_sessions_off(project, session, env)

    def change(tx: Transaction) -> str:
        ended = [
            each
            for each in tx.state.get("dismissals") or []
            if off_switch.is_switch(each) and rule in ("", each.get("rule"))
        ]
        live = [each for each in ended if is_in_force(project, each)]
        if not live and not by_variable:
            what = (
                f"rule {rule} is not switched off by its name"
                if rule
                else "nothing is switched off"
            )
            raise AnswerIsNo(what, hint="edge status")
        gone = {str(each.get("id")) for each in ended}
        for ident in gone:
            tx.revoke(ident)
        kept = (
            [g for g in tx.state["dismissals"] or [] if str(g.get("id")) not in gone]
            if gone
            else None
        )
        if kept is not None:
            tx.state["dismissals"] = kept
        for each in by_variable:
            tx.refuse(each, off_switch.VARIABLE)
        names = [str(each["id"]) for each in live]
        data = {"switches": names, "variable_ignored_in": by_variable, "rule": rule, "by": by}
        tx.log("gate_enabled", data, session=session)
        lines = [f"On again: {off_switch.describe(each)}." for each in live]
        lines += [f"{off_switch.VARIABLE} counts no more in this session." for _ in by_variable]
        return "\n".join(lines)

    return project.transact(change, command="enable")


def _open_sessions_off(project: Project, session: str, env: Mapping[str, str]) -> list[str]:
    """The sessions of this project that still run and are off by their environment."""
    found = {session} if session else set()
    for record in bindings.session_bindings(env=env):
        if record.get("root") == project.root:
            found.add(str(record.get("session")))
    return sorted(each for each in found if environment_switch(project, each, env).is_off)


def is_in_force(project: Project, grant: object) -> bool:
    """Whether this is a switch that counts: genuine, live in the ledger, in time."""
    if not isinstance(grant, dict) or not off_switch.is_switch(grant):
        return False
    return junction.is_open(grant, project.clock()) and not project.why_not(grant)


def switches_in_force(project: Project, state: State, session: str = "") -> list[Switch]:
    """The switches that count: for a session, or without one for any."""
    listed = state.get("dismissals")
    return [
        each
        for each in (listed if isinstance(listed, list) else [])
        if is_in_force(project, each) and (not session or off_switch.applies_to(each, session))
    ]


# -- a call ----------------------------------------------------------------------------------------


def active_switches(
    project: Project | None, session: str, env: Mapping[str, str]
) -> dict[str, str]:
    """The rules that are off for a session, "" for the general switch, each with what does it."""
    kept = project if project is not None and project.is_set_up else None
    # The client hands its environment on to its hooks: what it was started with is there as well.
    if env.get(off_switch.VARIABLE) == "1" and environment_switch(kept, session, env).is_off:
        return {"": off_switch.VARIABLE}
    if kept is None:
        return {}
    try:
        found = switches_in_force(kept, kept.state.read_fast(), session)
    except EdgeError:
        return {}  # the gate stays on, and says of a call that needs one why none can be decided
    return {str(each["rule"]): str(each["id"]) for each in found}


def apply_off_switch(
    project: Project | None,
    call: Call,
    verdict: Verdict,
    off: Mapping[str, str],
    *,
    shown: str,
    secrets: Iterable[str],
) -> Verdict:
    """The verdict without what is off; what that lets through is on record before it runs."""
    left = off_switch.remaining_verdict(verdict, tuple(off))
    if left is verdict or project is None or not project.is_set_up:
        return left
    data = {
        "rule": verdict.rule,
        "type": verdict.type,
        "off": sorted({one.rule for one in verdict.findings} - {one.rule for one in left.findings}),
        "switches": list(off.values()),
        "shown": shown,
    }
    known = {"session": call.session, "tool": call.tool, "agent": call.agent}
    entry = {"event": "switch_used", "data": data, **known, "tool_use_id": call.id}
    try:
        project.log.append(entry, secrets=secrets)
    except EdgeError as error:
        os.write(2, f"operators-edge: not recorded: {error.message}\n".encode())
        return verdict  # nothing passes unseen
    return left


# -- the environment -------------------------------------------------------------------------------


class EnvironmentSwitch(NamedTuple):
    """What the client's environment says; ``reason`` says why it does not count although it is set."""

    is_off: bool
    reason: str = ""


def environment_switch(
    project: Project | None, session: str, env: Mapping[str, str] = os.environ
) -> EnvironmentSwitch:
    """Whether the person started this session's client with ``EDGE_DISABLED=1``.

    A hook's own environment proves nothing: a settings file of the repository's puts into it what it likes.
    What counts is what the client was started with, and that no agent started it.
    """
    try:
        record = bindings.session_binding(session, env=env) if session else None
        if record is None or not isinstance(record.get("pid"), int):
            return EnvironmentSwitch(False, "this session was not seen starting")
        client = processes.Identity(record["pid"], str(record.get("started")))
        value = processes.began_with(client, off_switch.VARIABLE)
        if value is None:
            return EnvironmentSwitch(False, "what its client was started with cannot be told here")
        if value != "1":
            return EnvironmentSwitch(False, "its client was not started with it set to 1")
        marks = [name for name in AGENT_MARKS if processes.began_with(client, name)]
        if marks or _is_below(client.pid, bindings.session_bindings(env=env)):
            return EnvironmentSwitch(False, "its client was started by an agent")
        if project is not None and project.registry.is_refused(session, off_switch.VARIABLE):
            return EnvironmentSwitch(False, "a person switched the gate on again in this session")
    except EdgeError as error:
        return EnvironmentSwitch(False, error.message)
    return EnvironmentSwitch(True)


def record_environment_switch(project: Project, session: str, env: Mapping[str, str]) -> str:
    """What the variable means for a session that starts, for the log and for the person."""
    found = environment_switch(project, session, env)
    name = off_switch.VARIABLE
    if not found.is_off:
        project.log.append(
            {
                "event": "switch_ignored",
                "session": session,
                "data": {"by": name, "why": found.reason},
            }
        )
        return f"Operator's Edge: {name} is set and counts for nothing: {found.reason}. The gate is on."
    data = {"switch": name, "rule": "", "for": session, "until": None, "by": name}
    project.log.append({"event": "gate_disabled", "session": session, "data": data})
    return (
        f"Operator's Edge: your environment has {name}=1, so nothing is asked or warned of in this "
        "session. What is blocked outright stays so. On again: edge enable"
    )


def _is_below(pid: int, records: Iterable[Mapping[str, object]]) -> bool:
    """Whether the client of any session is above this process."""
    above = {(each.pid, each.started) for each in processes.parents(pid)}
    return any((each.get("pid"), str(each.get("started"))) in above for each in records)
