"""Off switches: the gate, or one rule, switched off and on by a command or the environment (HO-6).

Owns what a switch leaves in registry, state and log, and whether the environment variable was set by the
person. What a switch covers is in ``approvals.off_switch``; who counts as a person is in ``cli.person`` and
``hosts``. Does not own the calls that a switch allows (``sessions.risky_call``).
"""

from __future__ import annotations

import os

from operators_edge.approvals import junction, off_switch
from operators_edge.config import effective
from operators_edge.errors import AnswerIsNo, EdgeError, UsageError
from operators_edge.locations import AGENT_MARKS
from operators_edge.model import DISMISSAL_MINUTES, GUARDING
from operators_edge.storage import bindings
from operators_edge.storage.keys import signed
from operators_edge.system import processes
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.gate.rule_types import Rule
    from operators_edge.model import Call, State, Verdict
    from operators_edge.project import Project
    from operators_edge.records import Grant, LogEntry
    from operators_edge.state.transaction import Transaction

DEFAULT_MINUTES = DISMISSAL_MINUTES


class SwitchRequest(NamedTuple):
    """What to switch off: ``session`` "" means every session, ``rule`` "" every question and warning."""

    session: str
    rule: str
    minutes: int


def checked_request(
    project: Project, *, session: str, whole_project: bool, rule: str, minutes: int
) -> SwitchRequest:
    """The checked request; UsageError if it cannot be granted."""
    if not 1 <= minutes <= junction.MAX_DISMISSAL_MINUTES:
        raise UsageError(
            f"a switch lasts 1 to {junction.MAX_DISMISSAL_MINUTES} minutes, not {minutes}",
            hint="edge pause --for 1h",
        )
    if not whole_project and not session:
        raise UsageError("no session was seen here yet", hint="edge pause --all-sessions")
    if rule:
        _require_switchable(project, rule)
    return SwitchRequest("" if whole_project else session, rule, minutes)


def _require_switchable(project: Project, rule: str) -> None:
    """The rule must exist, and must not guard decisions: without it, one could be forged."""
    if rule.startswith(GUARDING):
        raise UsageError(
            f"{rule} guards what only a person decides; it stays on", hint="edge rules"
        )
    known_rule(project.root, rule)


def known_rule(root: str, name: str) -> Rule:
    """The rule of this name; UsageError, with similar names, if there is none."""
    rules = {str(each["id"]): each for each in effective.load(root).rules}
    if name not in rules:
        import difflib  # noqa: PLC0415 - for a mistyped name only

        near = difflib.get_close_matches(name, list(rules))
        perhaps = f"; perhaps {', '.join(near)}" if near else ""
        raise UsageError(f"there is no rule {name}{perhaps}", hint="edge rules")
    return rules[name]


def preview(request: SwitchRequest) -> str:
    """What would be off, and what would not, for the person's confirmation."""
    where = "this session" if request.session else "every session of this project"
    if request.rule:
        return f"For {request.minutes} minutes, in {where}, rule {request.rule} would be off."
    return "\n".join(
        [
            f"For {request.minutes} minutes, in {where}, nothing would be asked or warned of.",
            "Still on: what is blocked outright, start-up files and keys, what cannot be read.",
            "Still kept: the log, and snapshots before what destroys work.",
        ]
    )


def disable(project: Project, request: SwitchRequest, *, session: str, by: str) -> str:
    """Switch it off for that time; the caller has a person's confirmation."""

    def change(tx: Transaction) -> str:
        grant = signed(
            project.root,
            off_switch.new_switch(
                new_id=project.new_id(),
                now=project.clock(),
                minutes=request.minutes,
                rule=request.rule,
                session=request.session,
                by=by,
            ),
        )
        tx.grant(grant)
        tx.state["dismissals"] = [*(tx.state.get("dismissals") or []), grant]
        data = {
            "switch": grant["id"],
            "rule": request.rule,
            "for": request.session or "project",
            "until": grant["expires_at"],
            "by": by,
        }
        tx.log("gate_disabled", data, session=session)
        what = off_switch.describe(grant)
        return f"Off for {request.minutes} minutes: {what}.\nOn again at once: edge resume"

    return project.transact(change, command="disable")


def enable(
    project: Project, *, session: str, rule: str, by: str, env: Mapping[str, str] = os.environ
) -> str:
    """Switch everything on again, also what the environment switched off; with ``rule``, only that rule."""
    by_variable = [] if rule else _open_sessions_off(project, session, env)

    def change(tx: Transaction) -> str:
        ended = [
            each
            for each in junction.listed_grants(tx.state, "dismissals")
            if off_switch.is_switch(each) and rule in ("", each.get("rule"))
        ]
        live = [each for each in ended if is_in_force(project, each)]
        if not live and not by_variable:
            text = (
                f"rule {rule} is not switched off by its name"
                if rule
                else "nothing is switched off"
            )
            raise AnswerIsNo(text, hint="edge status")
        idents = {str(each.get("id")) for each in ended}
        for ident in idents:
            tx.revoke(ident)
        if idents:
            tx.state["dismissals"] = [
                each for each in tx.state["dismissals"] if str(each.get("id")) not in idents
            ]
        for each_session in by_variable:
            tx.refuse(each_session, off_switch.VARIABLE)
        names = [str(each["id"]) for each in live]
        data = {"switches": names, "variable_ignored_in": by_variable, "rule": rule, "by": by}
        tx.log("gate_enabled", data, session=session)
        lines = [f"On again: {off_switch.describe(each)}." for each in live]
        lines += [f"{off_switch.VARIABLE} no longer counts in this session." for _ in by_variable]
        return "\n".join(lines)

    return project.transact(change, command="enable")


def _open_sessions_off(project: Project, session: str, env: Mapping[str, str]) -> list[str]:
    """The running sessions of this project that their environment switched off."""
    sessions = {session} if session else set()
    for record in bindings.session_bindings(env=env):
        if record.get("root") == project.root:
            sessions.add(str(record.get("session")))
    return sorted(each for each in sessions if environment_switch(project, each, env).is_off)


def is_in_force(project: Project, grant: Grant) -> bool:
    """Whether this is a switch that counts: genuine, live in the registry, in time."""
    if not off_switch.is_switch(grant):
        return False
    return junction.is_open(grant, project.clock()) and not project.refusal_reason(grant)


def switches_in_force(project: Project, state: State, session: str = "") -> list[Grant]:
    """The switches that count: for a session, or without one for any."""
    return [
        each
        for each in junction.listed_grants(state, "dismissals")
        if is_in_force(project, each) and (not session or off_switch.applies_to(each, session))
    ]


# -- a call ----------------------------------------------------------------------------------------


def active_switches(
    project: Project | None, session: str, env: Mapping[str, str]
) -> dict[str, str]:
    """The rules that are off for a session ("" is everything), each with the switch that does it."""
    recorded = project if project is not None and project.is_set_up else None
    # The client passes its environment to its hooks, so a variable it was started with is set here, too.
    if env.get(off_switch.VARIABLE) == "1" and environment_switch(recorded, session, env).is_off:
        return {"": off_switch.VARIABLE}
    if recorded is None:
        return {}
    try:
        switches = switches_in_force(recorded, recorded.state.read(), session)
    except EdgeError:
        return {}  # the gate stays on; if the call needs a decision, it reports this error
    return {str(each["rule"]): str(each["id"]) for each in switches}


def apply_off_switch(
    project: Project | None,
    call: Call,
    verdict: Verdict,
    off: Mapping[str, str],
    *,
    shown: str,
    secrets: tuple[str, ...],
) -> Verdict:
    """The verdict without what is off; what that allows is in the log before the call runs."""
    left = off_switch.remaining_verdict(verdict, tuple(off))
    if left is verdict or project is None or not project.is_set_up:
        return left
    data = {
        "rule": verdict.rule,
        "type": verdict.type,
        "off": sorted(
            {each.rule for each in verdict.findings} - {each.rule for each in left.findings}
        ),
        "switches": list(off.values()),
        "shown": shown,
    }
    entry: LogEntry = {
        "event": "switch_used",
        "data": data,
        "session": call.session,
        "tool": call.tool,
        "agent": call.agent,
        "tool_use_id": call.id,
    }
    try:
        project.log.append(entry, secrets=secrets)
    except EdgeError as error:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"not recorded: {error.message}")
        return verdict  # what cannot be recorded is not allowed
    return left


# -- the environment -------------------------------------------------------------------------------


class EnvironmentSwitch(NamedTuple):
    """Whether the client's environment switches the gate off; ``reason``: why not, although it is set."""

    is_off: bool
    reason: str = ""


def environment_switch(
    project: Project | None, session: str, env: Mapping[str, str] = os.environ
) -> EnvironmentSwitch:
    """Whether the person started this session's client with ``EDGE_DISABLED=1``.

    A hook's own environment proves nothing: a settings file in the repository can put anything into it.
    What counts is the environment with which the client was started, and that no agent started it.
    """
    try:
        record = bindings.session_binding(session, env=env) if session else None
        client = processes.recorded(record or {})
        if client is None:
            return EnvironmentSwitch(False, "this session was not seen starting")
        value = processes.began_with(client, off_switch.VARIABLE)
        if value is None:
            return EnvironmentSwitch(False, "what its client was started with is unknown here")
        if value != "1":
            return EnvironmentSwitch(False, "its client was not started with it set to 1")
        marks = [name for name in AGENT_MARKS if processes.began_with(client, name)]
        if marks or bindings.is_below_a_client(client.pid, env):
            return EnvironmentSwitch(False, "its client was started by an agent")
        if project is not None and project.registry.is_refused(session, off_switch.VARIABLE):
            return EnvironmentSwitch(False, "a person switched the gate on again in this session")
    except EdgeError as error:
        return EnvironmentSwitch(False, error.message)
    return EnvironmentSwitch(True)


def record_environment_switch(project: Project, session: str, env: Mapping[str, str]) -> str:
    """Log what the variable means for a session that starts; returns the message for the person."""
    switch = environment_switch(project, session, env)
    name = off_switch.VARIABLE
    if not switch.is_off:
        project.log.append(
            {
                "event": "switch_ignored",
                "session": session,
                "data": {"by": name, "why": switch.reason},
            }
        )
        return f"Operator's Edge: {name} is set and counts for nothing: {switch.reason}. The gate is on."
    data = {"switch": name, "rule": "", "for": session, "until": None, "by": name}
    project.log.append({"event": "gate_disabled", "session": session, "data": data})
    return (
        f"Operator's Edge: your environment has {name}=1, so nothing is asked or warned of in this "
        "session. What is blocked outright stays so. On again: edge resume"
    )


# end of module
