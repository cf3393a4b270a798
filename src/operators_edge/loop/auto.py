"""The loop around cycles: switching ``auto`` on and off, the next step at a turn's end, ``edge ask``.

Owns the state's ``auto``: a person's signed grant and the counters that end the loop (GE-5). Does not own a
cycle (``loop.service``), who counts as a person (``hosts``, ``cli``) or the host's output format.
"""

from __future__ import annotations

from operators_edge.approvals import junction, question
from operators_edge.errors import AnswerIsNo, DecisionPending, EdgeError
from operators_edge.loop import gears, guidance
from operators_edge.plan import service as plan_service
from operators_edge.quality import service as quality_service
from operators_edge.storage.keys import signed
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.loop.service import Cycle
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

MAX_IDLE_TURNS = 2
"""Turns without progress that end the loop."""

MAX_SCAN_SECONDS = 3.0
"""For a scan at a turn's end: well below the hook's deadline."""


class HandOver(NamedTuple):
    """At a turn's end: the context for the agent, and the notice for the person; each may be ""."""

    context: str = ""
    notice: str = ""


# -- on and off ------------------------------------------------------------------------------------


def switch_on(project: Project, session: str, *, by: str) -> str:
    """Start handing over steps in this session; the caller has checked that a person asks for it."""
    if not session:
        raise AnswerIsNo(
            "no session was seen here yet", hint="start your agent, then: edge auto on"
        )
    work = project.evidence.work()

    def change(tx: Transaction) -> str:
        if gears.is_stuck(tx.state) and gears.resume_if_plan_changed(tx.state) is None:
            raise AnswerIsNo(
                "the loop is stuck: change the plan, or reset it with off", hint="edge off"
            )
        _revoke(tx, _auto(tx.state))
        grant = {
            "id": project.new_id(),
            "kind": "auto",
            "session": session,
            "by": by,
            "since": project.clock().isoformat(),
        }
        grant = signed(project.root, grant)
        tx.grant(grant)
        tx.state["auto"] = {
            "enabled": True,
            "by": by,
            "since": grant["since"],
            "session": session,
            "iterations": 0,
            "idle_turns": 0,
            "mark": gears.progress_mark(tx.state, work),
            "ended_why": None,
            "grant": grant,
        }
        tx.log("auto", {"to": "on", "by": by}, session=session)
        return (
            "Auto is on for this session: when a turn ends, the agent gets the next step,\n"
            f"at most {gears.MAX_CYCLES} times. It ends at a decision, when stuck, or after\n"
            f"{MAX_IDLE_TURNS} turns without progress."
        )

    return project.transact(change, command="auto on")


def switch_off(project: Project, session: str, *, by: str, with_gears: bool = False) -> str:
    """End the loop; ``with_gears`` also resets the gears (``edge off``)."""

    def change(tx: Transaction) -> str:
        auto = _auto(tx.state)
        was_on = auto.get("enabled") is True
        if was_on:
            _end(tx, "off", session=session, by=by)
        message = "Auto is off." if was_on else "Auto was off."
        if not with_gears:
            return message
        stuck = gears.reset(tx.state)
        if stuck:
            tx.log("stuck", {"to": "free", "why": "off", "count": stuck}, session=session)
        return f"{message} The gears start from the beginning with the next cycle."

    return project.transact(change, command="off" if with_gears else "auto off")


def report(project: Project, state: State) -> dict[str, Any]:
    """Whether auto is on, for which session, its counters and why it ended: for ``edge auto status``."""
    auto = _auto(state)
    names = ("by", "since", "session", "iterations", "idle_turns", "ended_why")
    reason = _invalid_reason(project, auto) if auto.get("enabled") is True else ""
    return {
        "enabled": auto.get("enabled") is True and not reason,
        **{name: auto.get(name) for name in names},
        "ignored": reason or None,
        "stuck": gears.is_stuck(state),
    }


def report_lines(data: dict[str, Any]) -> list[str]:
    """The same for a person."""
    turns = many(_number(data.get("iterations")), "turn")
    if data["enabled"]:
        lines = [f"Auto is on, for {turns} so far, by {one_line(data['by'], 80)}."]
    elif data["ignored"]:
        lines = [f"Auto is off: the entry in the state does not count, {data['ignored']}."]
    else:
        why = (
            f": {_ENDED.get(str(data['ended_why']), data['ended_why'])}"
            if data["ended_why"]
            else ""
        )
        lines = [f"Auto is off{one_line(why, 200)}."]
    if data["stuck"]:
        lines.append("The loop is stuck: change the plan, or a person resets it: edge off")
    return lines


# -- a turn's end ----------------------------------------------------------------------------------

_ENDED = {
    "off": "it was switched off",
    "junction": "a person has to decide",
    "stuck": "the loop is stuck",
    "ceiling": f"the limit of {gears.MAX_CYCLES} turns is reached",
    "idle": f"{MAX_IDLE_TURNS} turns brought no progress",
    "nothing": "no step is left",
    "error": "the last cycle failed with an error",
}


def hand_over(project: Project, session: str) -> HandOver:
    """At a turn's end: the next step if a person has auto on for this session, else nothing.

    Auto ends at a junction, when stuck, at its limit, and after turns without progress.
    """
    auto = _auto(project.state.read())
    if auto.get("enabled") is not True or auto.get("session") != session:
        return HandOver()
    if _invalid_reason(project, auto):
        return HandOver()
    ended = project.transact(_count_turn(session, project.evidence.work()), command="auto")
    if ended:
        return HandOver(notice=_ended_message(ended))
    from operators_edge.loop import service as loop_service  # noqa: PLC0415 - not to report

    cycle = loop_service.cycle(project, session, by="auto", budget=MAX_SCAN_SECONDS)
    reason = _end_reason(cycle)
    if reason:
        project.transact(lambda tx: _end(tx, reason, session=session, by="edge"), command="auto")
        return HandOver(notice=_ended_message(reason, cycle))
    turn = _auto(project.state.read()).get("iterations")
    step = guidance.step_lines(cycle.step) if cycle.step is not None else []
    return HandOver("\n".join([f"Auto, turn {turn} of {gears.MAX_CYCLES}: continue.", *step]))


def _count_turn(session: str, work: ObjectiveFacts) -> Any:
    """An edit that counts the turn that ended; it returns why the loop ends, "" if it continues."""

    def change(tx: Transaction) -> str:
        auto = _auto(tx.state)
        if auto.get("enabled") is not True:
            return "off"  # switched off in the meantime
        mark = gears.progress_mark(tx.state, work)
        idle = _number(auto.get("idle_turns")) + 1 if mark == auto.get("mark") else 0
        turns = _number(auto.get("iterations"))
        tx.state["auto"] = {**auto, "idle_turns": idle, "mark": mark, "iterations": turns + 1}
        reason = (
            "idle" if idle >= MAX_IDLE_TURNS else "ceiling" if turns >= gears.MAX_CYCLES else ""
        )
        if reason:
            _end(tx, reason, session=session, by="edge")
        return reason

    return change


def _end_reason(seen: Cycle) -> str:
    if seen.junction is not None:
        return "junction"
    if seen.stuck:
        return "stuck"
    if seen.result is not None and seen.result.status == "error":
        return "error"
    return "" if seen.step is not None else "nothing"


def _ended_message(why: str, seen: Cycle | None = None) -> str:
    about = seen.junction if seen is not None else None
    what = f": {one_line(about.get('shown') or about.get('reason') or '', 160)}" if about else ""
    return f"Operator's Edge: auto has ended, {_ENDED[why]}{what}. See: /edge status"


def _end(tx: Transaction, why: str, *, session: str, by: str) -> None:
    auto = _auto(tx.state)
    _revoke(tx, auto)
    kept = {name: value for name, value in auto.items() if name != "grant"}
    tx.state["auto"] = {**kept, "enabled": False, "ended_why": why}
    data = {"to": "off", "why": why, "by": by, "turns": _number(auto.get("iterations"))}
    tx.log("auto", data, session=session)


# -- a question ------------------------------------------------------------------------------------


def ask(
    project: Project, session: str, text: str, options: Sequence[str], context: str | None
) -> dict[str, Any]:
    """Raise a question for a person; the same question again is the same junction."""
    record = question.question_junction(text, options, context)

    def change(tx: Transaction) -> dict[str, Any]:
        pending = tx.state.get("junction")
        if isinstance(pending, dict) and pending.get("payload") == record["payload"]:
            return pending
        if isinstance(pending, dict) and pending["type"] not in junction.DISPLACEABLE:
            raise DecisionPending(
                f"another decision is pending: {pending.get('shown') or pending['reason']}",
                hint="edge status",
            )
        quality_service.open_junction(project, tx, {**record, "session": session})
        return dict(tx.state["junction"])

    secrets = project.secrets()
    checked = plan_service.without_secrets(change, secrets)
    return project.transact(checked, command="ask", secrets=secrets)


# -- small parts -----------------------------------------------------------------------------------


def _auto(state: State) -> dict[str, Any]:
    auto = state.get("auto")
    return dict(auto) if isinstance(auto, dict) else {}


def _invalid_reason(project: Project, auto: dict[str, Any]) -> str:
    """Why the state's ``auto`` does not count, "" if it does: it is only a view of a signed grant."""
    grant = auto.get("grant")
    if not isinstance(grant, dict) or grant.get("kind") != "auto":
        return "no person granted it"
    if grant.get("session") != auto.get("session"):
        return "it was granted for another session"
    try:
        return project.refusal_reason(grant)
    except EdgeError as error:
        return error.message


def _revoke(tx: Transaction, auto: dict[str, Any]) -> None:
    grant = auto.get("grant")
    if isinstance(grant, dict) and grant.get("id"):
        tx.revoke(str(grant["id"]))


def _number(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0


# end of module
