"""What leaves the state for the archive, and when (MO-6).

Owns the end of an objective: it and its completed steps are archived exactly once, and the state is free
for the next one. Does not own the archive's file (``store.archive``) or how a change over several files
becomes one act (``store.transaction``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.core import leaving, modes
from operators_edge.core.text import many, one_line

if TYPE_CHECKING:
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.store.transaction import Transaction

SUMMARY_LIMIT = 300
_CLEARED = ("next_action", "overrides")


def finish_objective(project: Project, session: str) -> bool:
    """In mode done: archive the objective and clear it. Whether that was now to be done.

    Called at every Stop and SessionEnd; the first one does it, also when it has to be finished after
    a crash.
    """
    if modes.current(project.state.read_fast()) != "done":
        return False
    sessions = [str(each) for each in project.log.work()["sessions"]]

    def change(tx: Transaction) -> bool:
        if modes.current(tx.state) != "done":
            return False  # another session was first
        _archive(tx, session, sessions)
        _clear(tx)
        return True

    return project.transact(change, command="archive the objective")


def put_aside(project: Project, tx: Transaction, session: str) -> None:
    """Archive the objective, whose steps are all completed: another one takes its place."""
    if tx.state.get("objective") or tx.state.get("plan"):
        _archive(tx, session, [str(each) for each in project.log.work()["sessions"]])
        _clear(tx)


def _archive(tx: Transaction, session: str, sessions: list[str]) -> None:
    state = tx.state
    objective = state.get("objective")
    steps = [each for each in state.get("plan") or [] if isinstance(each, dict)]
    done = 0
    for number, step in enumerate(steps, 1):
        if step.get("status") != "completed":
            continue
        done += 1
        tx.archive(leaving.completed_step(state, number, step, session))
    known = sessions or [session]
    left = [each for each in state.get("plan") or [] if not _is_completed(each)]
    entry: dict[str, Any] = {
        "type": "completed_objective",
        "objective": objective,
        "summary": _summary(steps, done),
        "steps_completed": done,
        "lessons_captured": _lessons(state, known),
        "self_score": _score(state),
        "session_range": [known[0], known[-1]],
    }
    if left:
        entry["steps_left"] = left  # a person overrode the gate: what was not done is not lost
    tx.archive(entry)
    data = {"objective": objective, "steps_completed": done, "steps_left": len(left)}
    tx.log("objective_archived", data, session=session)


def _clear(tx: Transaction) -> None:
    state = tx.state
    for each in state.get("overrides") or []:
        if isinstance(each, dict) and each.get("id"):
            tx.revoke(str(each["id"]))
    for key in _CLEARED:
        if state.get(key):
            state[key] = [] if isinstance(state[key], list) else None
    state.update(objective=None, plan=[], mode="plan")


def _is_completed(step: Any) -> bool:
    return isinstance(step, dict) and step.get("status") == "completed"


def _summary(steps: list[dict[str, Any]], done: int) -> str:
    """How much was done, and the last of it in its own words."""
    text = f"{done} of {many(len(steps), 'step')} completed"
    finished = [each for each in steps if _is_completed(each)]
    if not finished:
        return text
    last = finished[-1]
    said = [str(last.get(key)) for key in ("description", "proof") if last.get(key)]
    return one_line(f"{text}; last: {': '.join(said)}", SUMMARY_LIMIT)


def _lessons(state: State, sessions: list[str]) -> int:
    """Lessons that say they were learned in one of these sessions."""
    memory = [each for each in state.get("memory") or [] if isinstance(each, dict)]
    sources = [str(each.get("source") or "") for each in memory]
    return sum(any(source and one in source for one in sessions) for source in sources)


def _score(state: State) -> int | None:
    score = state.get("self_score")
    total = score.get("total") if isinstance(score, dict) else None
    return total if type(total) is int else None
