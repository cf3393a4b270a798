"""What moves from the state to the archive: a finished objective (MO-6), and what a prune finds (LC-4).

An objective and its completed steps are archived exactly once, and then the state is ready for the next one,
however that is set. Each change is one transaction. Does not own the archive's file (``storage.archive``),
what was added since ``edge done`` (``archive.closing``) or what a prune removes (``archive.retention``).
"""

from __future__ import annotations

import copy

from operators_edge.archive import closing, retention
from operators_edge.errors import EdgeError
from operators_edge.loop import gears
from operators_edge.memory.lessons import Exposure
from operators_edge.plan import edits as plan_edits, modes, service as plan_service
from operators_edge.quality import (
    basis_service,
    evals_service,
    score,
    score_service,
    service as quality_service,
)
from operators_edge.state import schema
from operators_edge.text import timestamps
from operators_edge.text.wording import many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.archive.closing import ClosedObjective
    from operators_edge.archive.retention import Pruned
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

SUMMARY_LIMIT = 300


def finish_objective(project: Project, session: str) -> bool:
    """Archive an objective that is done, and clear it; False if there is none.

    Called at every Stop and SessionEnd; the first one does it. After a crash the transaction is finished.
    """
    if not closing.may_be_due(project.state.read()):
        return False

    def change(tx: Transaction) -> bool:
        if closing.is_due(tx.state):
            archive_objective(project, tx, session)
            return True
        closing.unmark(tx.state)  # another session was first, or an edit changed the mode
        return False

    return project.transact(change, command="archive the objective")


def set_objective(project: Project, text: str | None) -> EditResult:
    """Set the objective, or clear it with None; one that is done is archived first (MO-6)."""

    def change(tx: Transaction, session: str) -> EditResult:
        return replace_objective(project, tx, session, text, is_new_work=False)

    return quality_service.review(
        project, plan_service.write_with(project, change, command="objective")
    )


def replace_objective(
    project: Project, tx: Transaction, session: str, text: str | None, *, is_new_work: bool
) -> EditResult:
    """Set another objective, or none. In mode done, the previous one is archived first.

    In other modes the plan stays: the text is taken as another wording of the same work. Only if all steps
    are completed and ``is_new_work``, the plan is archived too: the new work would begin completed.
    """
    state = tx.state
    kept = plan_edits.checked_text(text, "the objective") if text is not None else None
    is_done = modes.current(state) == "done"
    is_complete = bool(state.get("plan")) and not gears.open_steps(state)
    if kept != state.get("objective") and (is_done or (is_new_work and is_complete)):
        lines = archive_objective(project, tx, session)
        said = plan_edits.set_objective(state, text)
        return said._replace(text="\n".join([*lines, said.text]))
    if kept is None:
        closing.forget_steps(state)
    return plan_edits.set_objective(state, text)


def archive_objective(project: Project, tx: Transaction, session: str) -> list[str]:
    """Archive the objective with its completed steps; returns lines for the person.

    A caller that sets another objective makes sure that no open step is lost.
    """
    state = tx.state
    closed = closing.closed_objective(state)
    if not closed.objective and not closed.steps:
        _clear(tx, closed)
        return []
    work = project.evidence.work()
    sessions = closed.sessions or [str(each) for each in work["sessions"]] or [session]
    done = 0
    for number, step in enumerate(closed.steps, 1):
        if _is_completed(step):
            done += 1
            tx.archive(retention.completed_step(closed.objective, number, step, session))
    if not closing.is_marked(state):  # the mode was edited: done did not judge it
        gate = quality_service.gate_of(project, state, session)
        tx.archive(basis_service.entry(project, state, gate))
    before = closing.steps_pruned(state)
    left = [each for each in closed.steps if not _is_completed(each)]
    entry: dict[str, Any] = {
        "type": "completed_objective",
        "objective": closed.objective,
        "summary": _summary(closed.steps, done, before),
        "steps_completed": done + before,
        "lessons_captured": _lessons(state, sessions),
        **_scored(project, state, closed),
        "session_range": [sessions[0], sessions[-1]],
        "ended_in": modes.current(state),
    }
    if state.get("intent") and closed.intent_next is None:
        entry["intent"] = state["intent"]
    if left:
        entry["steps_left"] = left  # a person overrode the gate
    tx.archive(entry)
    data = {
        "objective": closed.objective,
        "steps_completed": done + before,
        "steps_left": len(left),
    }
    tx.log("objective_archived", data, session=session)
    _clear(tx, closed)
    return [f"Archived: {plan_edits.short_line(closed.objective or 'steps without an objective')}"]


def _clear(tx: Transaction, closed: ClosedObjective) -> None:
    state = tx.state
    for each in schema.maps(state.get("overrides")):
        if each.get("id"):
            tx.revoke(str(each["id"]))
    if state.get("overrides"):
        state["overrides"] = []
    if state.get("next_action"):
        state["next_action"] = closed.action_next
    if "intent" in state and closed.intent_next is None:
        del state[
            "intent"
        ]  # it is archived; left here, it would fail the gate of the next objective
    state.pop("self_score", None)  # archived; the next objective gets its own
    plan = state.get("plan") or []
    kept = set(map(id, closed.rest))
    retention.renumber(state, [n for n, each in enumerate(plan, 1) if id(each) not in kept])
    state.update(objective=closed.objective_next, plan=closed.rest)
    if not closed.is_replaced or state.get("mode") == "done":
        state["mode"] = "plan"
    gears.reset(state)  # what the loop counted was about this objective
    closing.unmark(state)
    closing.forget_steps(state)


def _is_completed(step: Any) -> bool:
    return isinstance(step, dict) and step.get("status") == "completed"


def _summary(steps: list[Any], done: int, before: int) -> str:
    """How much was done, and the last completed step."""
    text = f"{done + before} of {many(len(steps) + before, 'step')} completed"
    finished = [each for each in steps if _is_completed(each)]
    if not finished:
        return text
    last = finished[-1]
    texts = [str(last.get(key)) for key in ("description", "proof") if last.get(key)]
    return one_line(f"{text}; last: {': '.join(texts)}", SUMMARY_LIMIT)


def _lessons(state: State, sessions: list[str]) -> int:
    """Lessons whose source is one of these sessions."""
    memory = [each for each in state.get("memory") or [] if isinstance(each, dict)]
    sources = [str(each.get("source") or "") for each in memory]
    return sum(any(source and one in source for one in sessions) for source in sources)


def _scored(project: Project, state: State, closed: ClosedObjective) -> dict[str, Any]:
    """The total and its checks; computed now if ``edge score`` was not used."""
    found = state.get("self_score")
    if not isinstance(found, dict) and not closed.is_replaced:
        try:
            found = score_service.current(project, state)
        except EdgeError as error:
            # A missing score does not keep the objective open; the entry has the reason.
            found = {"why_not": error.message}
    return {"self_score": score.total_of(found), "score": found}


# -- prune -----------------------------------------------------------------------------------------


def preview_prune(project: Project) -> Pruned:
    """What a prune would remove now; nothing is written."""
    state = copy.deepcopy(project.state.read())
    pruned = retention.prune(
        state,
        now=project.clock(),
        session=schema.latest_session(state),
        exposures=exposures(project),
    )
    return pruned.with_runs(*evals_service.tidy(project, is_dry_run=True))


def prune(project: Project, *, session: str | None = None) -> Pruned:
    """Move what is finished to the archive. No file is touched if nothing is finished.

    Expired eval runs are deleted first: if one cannot be deleted, nothing else has happened.
    """
    whose = schema.latest_session(project.state.read()) if session is None else session
    seen = exposures(project)
    runs = evals_service.tidy(project, whose)

    def change(tx: Transaction) -> Pruned:
        pruned = retention.prune(tx.state, now=project.clock(), session=whose, exposures=seen)
        for entry in pruned.entries:
            tx.archive(entry)
        if pruned.counts:
            tx.log("pruned", dict(pruned.counts), session=whose)
        return pruned

    return project.transact(change, command="prune").with_runs(*runs)


def exposures(project: Project) -> dict[str, Exposure]:
    """How often the log shows each lesson to have been shown, by the lesson's key."""
    seen: dict[str, Exposure] = {}
    for entry in project.log.search(event="lesson_told"):
        key = str((entry.get("data") or {}).get("key") or "")
        if key:
            times = seen[key].times if key in seen else 0
            seen[key] = Exposure(times + 1, timestamps.parse(entry.get("timestamp")))
    return seen


# end of module
