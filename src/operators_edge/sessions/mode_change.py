"""The change of mode: plan, active, review and done, which the quality gate decides.

Owns what it changes in state and log. Does not own which modes there are and which follow (``plan.modes``),
nor the quality gate (``quality.service``).
"""

from __future__ import annotations

from operators_edge.archive import closing, service as archive_service
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence import overrides
from operators_edge.plan import modes, service as plan_service
from operators_edge.quality import service as quality_service

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Mode, State
    from operators_edge.project import Project
    from operators_edge.quality.service import Gate
    from operators_edge.state.transaction import Transaction

_BEGINNING_MODES = ("plan", "active")
"""Modes in which work begins: their commands can name an objective."""


def set_mode(project: Project, session: str, target: Mode, objective: str | None = None) -> str:
    """Change the mode. Done runs the quality gate first, and raises a junction if it fails.

    Raises AnswerIsNo with every failed check, and DecisionPending if another decision is pending.
    """
    if objective and target not in _BEGINNING_MODES:
        raise UsageError(
            f"{target} takes no words: it applies to the current objective",
            hint=f"edge {target}",
        )
    if target == "done":
        return _finish(project, session)
    if target == "review":

        def review(tx: Transaction, gate: Gate) -> str:
            return "\n".join([enter(project, tx, session, target), *quality_service.lines(gate)])

        return quality_service.with_gate(project, session, review, command="mode review")

    def change(tx: Transaction) -> str:
        lines = []
        if objective:
            result = archive_service.replace_objective(
                project, tx, session, objective, is_new_work=True
            )
            # The mode command shows the objective anyway, with the plan below it.
            lines = [*result.text.splitlines()[:-1], *result.remarks]
        return "\n".join([*lines, enter(project, tx, session, target)])

    secrets = project.secrets()
    checked = plan_service.without_secrets(change, secrets)
    return project.transact(checked, command=f"mode {target}", secrets=secrets)


def enter(project: Project, tx: Transaction, session: str, target: Mode) -> str:
    """Change the mode in a transaction, if the state allows it; returns the sentence for the person."""
    why = modes.refusal(tx.state, target)
    if why:
        raise AnswerIsNo(why, hint=_into_active(tx.state))
    before = modes.current(tx.state)
    # A question about done is answered only by done.
    types = ("mode_transition", "quality_gate") if target == "done" else ("mode_transition",)
    quality_service.close_junction(project, tx, types, session=session, decision="withdrawn")
    if closing.closed_objective(
        tx.state
    ).is_replaced:  # replaced in the file, while the previous one was done
        archive_service.archive_objective(project, tx, session)
    closing.unmark(tx.state)
    if target == "done":
        closing.mark(tx.state, [str(each) for each in project.evidence.work()["sessions"]])
    tx.state["mode"] = target
    tx.log("mode_changed", {"from": before, "to": target}, session=session)
    return f"Mode is now {target}."


def _finish(project: Project, session: str) -> str:
    def act(tx: Transaction, gate: Gate) -> tuple[str, int]:
        why = modes.refusal(tx.state, "done")
        if why:
            raise AnswerIsNo(why, hint=_into_active(tx.state))
        quality_service.drop_lapsed(project, tx, session)
        quality_service.log_run(tx, gate, session, why="done")
        report = quality_service.lines(gate)
        if gate.errors:
            quality_service.raise_junction(project, tx, gate, session)
            return "\n".join(report), len(gate.errors)
        for grant in gate.overrides:
            checks = [c.name for c in gate.covered if overrides.covers(grant, c.name)]
            if checks:
                tx.log(
                    "override_used", {"override": grant["id"], "checks": checks}, session=session
                )
        from operators_edge.quality import basis_service  # noqa: PLC0415 - once for an objective

        tx.archive(basis_service.entry(project, tx.state, gate))
        return "\n".join([enter(project, tx, session, "done"), *report]), 0

    text, failed = quality_service.with_gate(project, session, act, command="mode done")
    if failed:
        numbers = "1" if failed == 1 else "1,2"
        raise AnswerIsNo(
            text, hint=f"edge done again; or a person: edge approve {numbers} --why REASON"
        )
    return text


def _into_active(state: State) -> str:
    """The command that begins work; an existing objective need not be repeated."""
    is_open = state.get("objective") and modes.current(state) != "done"
    return "edge active" if is_open else 'edge active "the objective"'


# end of module
