"""What a turn's outcomes change in the state: mismatches that appeared or passed, and lessons that helped.

A call only adds to the log (PR-10); the state is updated when the turn ends. Does not own what a mismatch is
(``memory.mismatches``), what a step expects (``evidence.unexpected_failures``), what is logged with a call
(``sessions.after_call``) or the outcomes of shown lessons (``evidence.obligations``).
"""

from __future__ import annotations

from operators_edge.evidence import obligations, unexpected_failures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

    Event = tuple[str, dict[str, Any]]


def update_state(project: Project, session: str) -> None:
    """At the end of a turn: store what still fails, what passes again, and which lessons helped."""
    _update_mismatches(project, session)
    _update_obligations(project, session)


def _update_obligations(project: Project, session: str) -> None:
    """Store the outcomes of shown lessons; one that was seen to help counts once, whatever follows."""
    new = obligations.changes(project.evidence.session(session)["lessons"])
    now = project.clock()
    if not new and not obligations.is_due(project.state.read(), now=now):
        return
    from operators_edge.memory import lessons  # noqa: PLC0415 - not at the end of every turn

    def change(tx: Transaction) -> None:
        folded = obligations.carry(tx.state, new, session=session, now=now)
        events = folded.events
        if folded.helped:
            events += lessons.reinforce(tx.state, folded.helped, now=now).events
        tx.tell(events, session=session)

    project.transact(change, command="store outcomes of lessons")


def _update_mismatches(project: Project, session: str) -> None:
    """Add a mismatch for what still fails; resolve one whose check was seen to pass."""
    seen = unexpected_failures.changes(project.evidence.work()["mismatches"])
    if not seen:
        return
    after = last_archived(project)

    def change(tx: Transaction) -> None:
        for key, each in seen.items():
            events = _apply_observation(tx.state, key, each, after=after, project=project)
            tx.tell(events, session=session)

    project.transact(change, command="store what was observed")


def _apply_observation(
    state: State, key: str, seen: Mapping[str, Any], *, after: int, project: Project
) -> tuple[Event, ...]:
    """Apply one observation to the state; returns the events, by which it is not applied twice."""
    from operators_edge.memory import mismatches  # noqa: PLC0415 - not at the end of every turn

    now = project.clock()
    matching = [
        (number, each)
        for number, each in mismatches.unresolved(state)
        if isinstance(each, dict) and each.get("key") == key
    ]
    if seen["passed"]:
        events: list[Event] = []
        for number, _ in matching:
            passed = f"it passed later: {seen.get('command') or 'the same check'}"
            events += mismatches.resolve(state, number, passed, now=now, by="observed").events
        return (*events, ("mismatch", {"to": "settled", "key": key}))
    if matching:
        matching[0][1]["times"] = seen["times"]
        return (("mismatch", {"to": "again", "key": key, "times": seen["times"]}),)
    plan, step = state.get("plan") or [], seen.get("step")
    has_step = isinstance(step, int) and 1 <= step <= len(plan)
    fields = {name: seen.get(name) for name in ("source", "command")}
    added = mismatches.add(
        state,
        str(seen.get("observation") or ""),
        now=now,
        expectation=str(seen.get("expectation") or "") or None,
        step=step if has_step else None,
        fields={**fields, "key": key},
        after=after,
    )
    return added.events or (("mismatch", {"to": "again", "key": key}),)


def last_archived(project: Project) -> int:
    """The highest number in the ids of archived mismatches; a new id is higher."""
    from operators_edge.storage import archive  # noqa: PLC0415 - not at the end of every turn

    return archive.last_mismatch(project.root, project.state.read().get("archive"))


# end of module
