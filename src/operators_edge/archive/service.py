"""What leaves the state for the archive with its objective, and when (MO-6).

Owns the end of an objective: it and its completed steps are archived exactly once, and the state is free
for the next one, whichever way that comes in. Does not own the archive's file (``audit.archive``), how a
change over several files becomes one act (``state.transaction``) or what came since done
(``archive.closing``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.archive import closing, retention
from operators_edge.errors import EdgeError
from operators_edge.loop import gears
from operators_edge.plan import edits as plan_edits, modes, service as plan_service
from operators_edge.quality import score, score_service, service as quality_service
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from operators_edge.archive.closing import Over
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

SUMMARY_LIMIT = 300


def finish_objective(project: Project, session: str) -> bool:
    """In mode done: archive the objective and clear it. Whether that was now to be done.

    Called at every Stop and SessionEnd; the first one does it, also when it has to be finished after
    a crash.
    """
    if not closing.may_be_over(project.state.read_fast()):
        return False

    def change(tx: Transaction) -> bool:
        if closing.is_over(tx.state):
            put_aside(project, tx, session)
            return True
        closing.drop(tx.state)  # another session was first, or a hand took it out of done
        return False

    return project.transact(change, command="archive the objective")


def set_objective(project: Project, text: str | None) -> EditResult:
    """Set the objective, or clear it with None; one that is done is archived first (MO-6)."""

    def act(tx: Transaction, session: str) -> EditResult:
        return replace_objective(project, tx, session, text, is_new_work=False)

    return quality_service.review(
        project, plan_service.write_with(project, act, command="objective")
    )


def replace_objective(
    project: Project, tx: Transaction, session: str, text: str | None, *, is_new_work: bool
) -> EditResult:
    """Set another objective, or none; what was done for the one before is archived first.

    So it is in mode done. Elsewhere the plan stays, with another wording of the same work, unless all of it
    is completed and the words begin new work: that would be complete from its first moment.
    """
    state = tx.state
    kept = plan_edits.checked_text(text, "the objective") if text is not None else None
    is_done = modes.current(state) == "done"
    is_complete = bool(state.get("plan")) and not gears.open_steps(state)
    if kept != state.get("objective") and (is_done or (is_new_work and is_complete)):
        aside = put_aside(project, tx, session)
        said = plan_edits.set_objective(state, text)
        return said._replace(text="\n".join([*aside, said.text]))
    if kept is None:
        closing.forget_steps(state)
    return plan_edits.set_objective(state, text)


def put_aside(project: Project, tx: Transaction, session: str) -> list[str]:
    """Archive the objective and all that was done for it; what a person reads of that.

    Whoever lets another one take its place sees to it that no open step is dropped.
    """
    state = tx.state
    over = closing.over(state)
    if not over.objective and not over.steps:
        _clear(tx, over)
        return []
    work = project.evidence.work()
    sessions = over.sessions or [str(each) for each in work["sessions"]] or [session]
    done = 0
    for number, step in enumerate(over.steps, 1):
        if _is_completed(step):
            done += 1
            tx.archive(retention.completed_step(over.objective, number, step, session))
    before = closing.steps_pruned(state)
    left = [each for each in over.steps if not _is_completed(each)]
    entry: dict[str, Any] = {
        "type": "completed_objective",
        "objective": over.objective,
        "summary": _summary(over.steps, done, before),
        "steps_completed": done + before,
        "lessons_captured": _lessons(state, sessions),
        **_scored(project, state, over),
        "session_range": [sessions[0], sessions[-1]],
        "ended_in": modes.current(state),
    }
    if left:
        entry["steps_left"] = left  # a person overrode the gate: what was not done is not lost
    tx.archive(entry)
    data = {
        "objective": over.objective,
        "steps_completed": done + before,
        "steps_left": len(left),
    }
    tx.log("objective_archived", data, session=session)
    _clear(tx, over)
    return [f"Archived: {plan_edits.short_line(over.objective or 'steps without an objective')}"]


def _clear(tx: Transaction, over: Over) -> None:
    state = tx.state
    for each in state.get("overrides") or []:
        if isinstance(each, dict) and each.get("id"):
            tx.revoke(str(each["id"]))
    if state.get("overrides"):
        state["overrides"] = []
    if state.get("next_action"):
        state["next_action"] = over.action_next
    state.pop("self_score", None)  # it is archived, and the next objective has its own
    plan = state.get("plan") or []
    stays = set(map(id, over.rest))
    retention.renumber(state, [n for n, each in enumerate(plan, 1) if id(each) not in stays])
    state.update(objective=over.objective_next, plan=over.rest)
    if not over.is_replaced or state.get("mode") == "done":
        state["mode"] = "plan"
    closing.drop(state)
    closing.forget_steps(state)


def _is_completed(step: Any) -> bool:
    return isinstance(step, dict) and step.get("status") == "completed"


def _summary(steps: list[Any], done: int, before: int) -> str:
    """How much was done, and the last of it in its own words."""
    text = f"{done + before} of {many(len(steps) + before, 'step')} completed"
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


def _scored(project: Project, state: State, over: Over) -> dict[str, Any]:
    """The total, and the checks behind it; computed where nobody asked for it while the work went on."""
    found = state.get("self_score")
    if not isinstance(found, dict) and not over.is_replaced:
        try:
            found = score_service.of(project, state)
        except EdgeError as error:
            # An objective's end does not wait for its score; that there is none is said with the reason.
            found = {"why_not": error.message}
    return {"self_score": score.total_of(found), "score": found}
