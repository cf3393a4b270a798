"""What a turn's outcomes leave in the state: mismatches that came or went, and lessons that helped.

A call only adds to the log (PR-10); when the turn ends the state is told. Does not own what a mismatch is
(``memory.mismatches``), what a step expects (``evidence.unexpected_failures``), which command is a check
(``evidence.checks.service``) or what a told lesson asks (``evidence.obligations``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.evidence import obligations, unexpected_failures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.evidence.checks.run import CheckResult
    from operators_edge.model import Call, State
    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.state.transaction import Transaction

Event = tuple[str, dict[str, Any]]


def of_call(
    project: Project, call: Call, check: CheckResult | None, exit_code: int | None
) -> list[LogEntry]:
    """The entry for a check that failed though the step at work expects it to pass; else nothing."""
    if check is None or check["passed"] is not False:
        return []
    state = project.state.read_fast()
    data = unexpected_failures.detect(state, str(call.input.get("command") or ""), check, exit_code)
    if data is None:
        return []
    origin: LogEntry = {"session": call.session, "agent": call.agent, "tool": call.tool}
    return [{"event": "mismatch_seen", **origin, "tool_use_id": call.id, "data": data}]


def carry(project: Project, session: str) -> None:
    """The turn is over: tell the state what still fails, what passes again, and which lessons helped."""
    _carry_mismatches(project, session)
    _carry_obligations(project, session)


def _carry_obligations(project: Project, session: str) -> None:
    """What told lessons came to; each that was seen to help counts once, however many turns end."""
    new = obligations.changes(project.evidence.session(session).record["lessons"])
    now = project.clock()
    if not new and not obligations.is_due(project.state.read_fast(), now=now):
        return

    def change(tx: Transaction) -> None:
        folded = obligations.carry(tx.state, new, session=session, now=now)
        events = folded.events
        if folded.helped:
            from operators_edge.memory import lessons  # noqa: PLC0415 - a few turns among many

            events += lessons.reinforce(tx.state, folded.helped, now=now).events
        tx.tell(events, session=session)

    project.transact(change, command="keep what lessons came to")


def _carry_mismatches(project: Project, session: str) -> None:
    """What still fails becomes a mismatch, and one whose check was seen to pass is resolved."""
    seen = unexpected_failures.changes(project.evidence.work()["mismatches"])
    if not seen:
        return
    after = last_archived(project)

    def change(tx: Transaction) -> None:
        for key, each in seen.items():
            told = _settled(tx.state, key, each, after=after, project=project)
            tx.tell(told, session=session)

    project.transact(change, command="keep what was observed")


def _settled(
    state: State, key: str, seen: Mapping[str, Any], *, after: int, project: Project
) -> tuple[Event, ...]:
    """Bring one observed mismatch into the state; what the log is told of it, so that it is told once."""
    from operators_edge.memory import mismatches  # noqa: PLC0415 - a few turns among many

    now = project.clock()
    there = [
        (number, each)
        for number, each in mismatches.unresolved(state)
        if isinstance(each, dict) and each.get("key") == key
    ]
    if seen["passed"]:
        events: list[Event] = []
        for number, _ in there:
            passed = f"it passed later: {seen.get('command') or 'the same check'}"
            events += mismatches.resolve(state, number, passed, now=now, by="observed").events
        return (*events, ("mismatch", {"to": "settled", "key": key}))
    if there:
        there[0][1]["times"] = seen["times"]
        return (("mismatch", {"to": "again", "key": key, "times": seen["times"]}),)
    plan, step = state.get("plan") or [], seen.get("step")
    is_there = isinstance(step, int) and 1 <= step <= len(plan)
    fields = {name: seen.get(name) for name in ("source", "command")}
    said = mismatches.add(
        state,
        str(seen.get("observation") or ""),
        now=now,
        expectation=str(seen.get("expectation") or "") or None,
        step=step if is_there else None,
        fields={**fields, "key": key},
        after=after,
    )
    return said.events or (("mismatch", {"to": "again", "key": key}),)


def last_archived(project: Project) -> int:
    """The highest number among the ids of archived mismatches: a new one gets a higher one."""
    from operators_edge.audit import archive  # noqa: PLC0415 - a few calls among many

    return archive.last_mismatch(project.root, project.state.read_fast().get("archive"))
