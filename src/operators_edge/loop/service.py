"""One cycle of ``edge``: the quality gate if it is due, then the gear that fits, all in one transaction.

Owns the order of a cycle and what the DREAM gear reads, and that nothing slow happens while the state is
locked. Does not own which gear fits or when the loop is stuck (``loop.gears``), what PATROL scans
(``patrol.service``), what a retrospective finds (``loop.retrospective``), a person's decisions
(``sessions.decisions``), when the next cycle starts (``loop.auto``) or its output (``cli``, ``hosts``).
"""

from __future__ import annotations

import copy

from operators_edge.errors import AnswerIsNo, EdgeError
from operators_edge.loop import gears, retrospective
from operators_edge.loop.gears import Result
from operators_edge.memory import mismatches, store as memory_store
from operators_edge.patrol import findings as shapes
from operators_edge.patrol.findings import BUDGET_SECONDS
from operators_edge.plan import modes, notes as plan_notes
from operators_edge.plan.edits import short_line
from operators_edge.quality import checks as quality_checks, service as quality_service
from operators_edge.state import schema
from operators_edge.storage import archive
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeVar

    from operators_edge.loop.gears import Gear
    from operators_edge.loop.guidance import NumberedLesson, NumberedMismatch, StepDetails
    from operators_edge.loop.retrospective import Reflection
    from operators_edge.model import Mode, State
    from operators_edge.patrol.findings import Finding
    from operators_edge.patrol.service import Scan
    from operators_edge.plan.steps import Step
    from operators_edge.project import Project
    from operators_edge.quality.service import Gate
    from operators_edge.state.transaction import Transaction

    T = TypeVar("T")


MAX_ATTEMPTS = 12
"""How often a cycle starts again because another process changed the state in the meantime."""

MAX_LESSONS = 3
_UNREADABLE = "could not be read"


class Cycle(NamedTuple):
    """What one cycle did, and the state of the project after it.

    ``before`` is the previous gear, ``transition`` the change of gear at the start or the end of this cycle.
    ``gate`` is the quality gate's report for a person; ``junction`` the pending decision. ``iterations``
    counts all cycles that ran a gear.
    """

    mode: Mode
    gear: Gear | None = None
    before: Gear | None = None
    transition: str | None = None
    result: Result | None = None
    step: StepDetails | None = None
    findings: tuple[Finding, ...] = ()
    proposal: dict[str, Any] | None = None
    gate: tuple[str, ...] = ()
    junction: dict[str, Any] | None = None
    stuck: bool = False
    iterations: int = 0
    notes: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        fields = {**self._asdict(), "result": self.result.as_data() if self.result else None}
        findings = [each.as_data() for each in self.findings]
        return {**fields, "findings": findings, "gate": list(self.gate)}


def cycle(project: Project, session: str, *, by: str, budget: float = BUDGET_SECONDS) -> Cycle:
    """Run one cycle; ``by`` names the caller for the log, ``budget`` is the limit of a scan in seconds.

    Its changes are one transaction. If a junction is pending, no gear runs.
    """
    project.log_plan_changes(session)
    inputs = _Inputs(project, session, budget)
    for _ in range(MAX_ATTEMPTS):
        try:
            return project.transact(lambda tx: _CycleRun(tx, inputs, by).cycle(), command="run")
        except _InputNeeded as needed:
            inputs.gather(needed)
    raise AnswerIsNo("the state keeps changing while the cycle runs", hint="edge run")


# -- slow inputs, read without the lock ------------------------------------------------------------


class _InputNeeded(Exception):
    def __init__(self, what: str, state: State) -> None:
        super().__init__(what)
        self.what = what
        self.state = copy.deepcopy(state)


class _Inputs:
    """What this cycle read from log, git and files: each once, the gate again when the state has changed."""

    def __init__(self, project: Project, session: str, budget: float) -> None:
        self.project = project
        self.session = session
        self.budget = budget
        self._seen: dict[str, Any] = {}
        self._values: dict[str, Any] = {}

    def gather(self, need: _InputNeeded) -> None:
        """Read what a cycle needs, for the state that it saw."""
        state = need.state
        if need.what == "gate":
            value: Any = quality_service.gate_of(self.project, state, self.session)
        elif need.what == "scan":
            value = _result_or_error(lambda: _scan(self.project, state, self.budget))
        else:
            value = _result_or_error(lambda: reflect(self.project, state))
        self._seen[need.what] = _gate_inputs(state)
        self._values[need.what] = value

    def gate(self, state: State) -> Gate:
        if not schema.is_same(self._seen.get("gate"), _gate_inputs(state)):
            raise _InputNeeded("gate", state)
        return self._values["gate"]  # type: ignore[no-any-return]

    def once(self, what: Literal["scan", "reflection"], state: State) -> Any:
        if what not in self._values:
            raise _InputNeeded(what, state)
        return self._values[what]


def _scan(project: Project, state: State, budget: float) -> Scan:
    from operators_edge.patrol import service as patrol_service  # noqa: PLC0415 - only without open work

    return patrol_service.scan(project, state, budget=budget)


def reflect(project: Project, state: State) -> Reflection:
    """Run a retrospective over ``state`` and the archive. Writes nothing.

    Raises EdgeError for an archive that cannot be read; single unreadable lines of it are an observation.
    """
    content = archive.read(project.root)
    reflection = retrospective.reflect(state, content.entries)
    if not content.problems:
        return reflection
    unread = f"{many(len(content.problems), 'line')} of the archive could not be read"
    return reflection._replace(
        observations=(*reflection.observations, f"{unread}: {content.problems[0]}"),
        telemetry={**reflection.telemetry, "unread": len(content.problems)},
    )


def _result_or_error(read: Callable[[], T]) -> T | EdgeError:
    """The result, or the error: what cannot be read never counts as "nothing found" (GE-6)."""
    try:
        return read()
    except EdgeError as error:
        return error
    except OSError as error:
        return EdgeError(f"{error.filename or 'a file'}: {error.strerror or error}")


def _gate_inputs(state: State) -> dict[str, Any]:
    """The part of the state that the gate's result depends on."""
    return {key: state.get(key) for key in (*schema.HUMAN_KEYS, "overrides", "evals")}


# -- one cycle, inside its transaction -------------------------------------------------------------


class _CycleRun:
    """One attempt at a cycle, on the state of one transaction; it may be discarded and repeated."""

    def __init__(self, tx: Transaction, inputs: _Inputs, by: str) -> None:
        self.tx = tx
        self.state = tx.state
        self.inputs = inputs
        self.project = inputs.project
        self.session = inputs.session
        self.by = by
        self.now = inputs.project.clock()
        self.gate: tuple[str, ...] = ()
        self.notes: list[str] = []
        self.step: StepDetails | None = None
        self.findings: tuple[Finding, ...] = ()
        self.proposal: dict[str, Any] | None = None

    def cycle(self) -> Cycle:
        quality_checks.forget_gate_run_of_open_plan(self.state)
        self._update_junction()
        self._resume_if_plan_changed()
        if gears.next_action(self.state).what not in ("pending", "stuck"):
            # First: a person who accepts goes to review, and the gate runs there.
            quality_service.suggest(self.project, self.tx, self.session)
        if gears.next_action(self.state).what == "gate":
            self._run_gate()
        action = gears.next_action(self.state)
        if action.what != "run" or action.gear is None:
            return self._cycle_result()
        return self._run(action.gear)

    def _cycle_result(self, **more: Any) -> Cycle:
        """The result of the cycle; ``more`` is what is known of the gear that ran."""
        stored = quality_checks.stored_gear(self.state)
        return Cycle(
            mode=modes.current(self.state),
            **{"gear": gears.current(self.state), **more},
            step=self.step,
            findings=self.findings,
            proposal=self.proposal,
            gate=self.gate,
            junction=copy.deepcopy(self.state.get("junction")),
            stuck=gears.is_stuck(self.state),
            iterations=stored.get("iterations") or 0,
            notes=tuple(self.notes),
        )

    # -- before any gear

    def _update_junction(self) -> None:
        """Update or close a junction that events have overtaken: another mode fits, the work was repaired."""
        pending = self.state.get("junction")
        if not isinstance(pending, dict):
            return
        if gears.is_obsolete(self.state, pending):
            self._withdraw(pending)
        elif pending.get("type") == "mode_transition":
            quality_service.suggest(self.project, self.tx, self.session)
        elif pending.get("type") == "quality_gate":
            gate = self.inputs.gate(self.state)
            if not gate.errors:
                self.gate = tuple(quality_service.lines(gate))
                self._withdraw(pending)
            elif (pending.get("payload") or {}).get("epoch"):
                self._raise_gate_junction(gate)

    def _withdraw(self, pending: dict[str, Any]) -> None:
        quality_service.close_junction(
            self.project,
            self.tx,
            (pending["type"],),
            session=self.session,
            decision="withdrawn",
        )

    def _run_gate(self) -> None:
        """The plan is complete: run the gate once, and raise a junction if it fails (QG-1)."""
        gate = self.inputs.gate(self.state)
        quality_service.drop_lapsed(self.project, self.tx, self.session)
        quality_service.log_run(self.tx, gate, self.session, why="completion epoch")
        gears.mark_gate_run(self.state)
        self.gate = tuple(quality_service.lines(gate))
        if gate.errors:
            self._raise_gate_junction(gate)

    def _raise_gate_junction(self, gate: Gate) -> None:
        quality_service.raise_junction(self.project, self.tx, gate, self.session)
        pending = self.state["junction"]
        epoch = quality_checks.completion_epoch(self.state)
        pending["payload"] = {**pending["payload"], "epoch": epoch}

    def _resume_if_plan_changed(self) -> None:
        logged = gears.resume_if_plan_changed(self.state)
        if logged is not None:
            self.tx.log("stuck", logged, session=self.session)

    # -- gears

    def _run(self, gear: Gear) -> Cycle:
        before = gears.current(self.state)
        result = self._run_gear(gear)
        after = gears.next_gear(gear, result)
        transition = self._record_run(gear, after, result)
        if gear == "patrol" and after == "dream":
            gear, result = "dream", self._run_gear("dream")
            self._record_run(gear, gears.next_gear(gear, result), result, is_second=True)
        logged = gears.stop_at_limit(self.state)
        if logged is not None:
            self.tx.log("stuck", logged, session=self.session)
            self.notes.append(f"the limit of {gears.MAX_CYCLES} cycles over one plan is reached")
        return self._cycle_result(gear=gear, before=before, transition=transition, result=result)

    def _record_run(
        self, gear: Gear, after: Gear, result: Result, *, is_second: bool = False
    ) -> str | None:
        before = gears.current(self.state)
        transition = gears.record_run(
            self.state,
            gear,
            after,
            now=self.now,
            telemetry=result.telemetry,
            counts=not is_second,
        )
        data = {
            "gear": gear,
            "before": before,
            "transition": transition,
            "status": result.status,
            "progress": result.progress_made,
            "junction": (result.junction or {}).get("type"),
            "by": self.by,
        }
        self.tx.log("gear", data, session=self.session)
        return transition

    def _run_gear(self, gear: Gear) -> Result:
        return {"active": self._active, "patrol": self._patrol, "dream": self._dream}[gear]()

    def _active(self) -> Result:
        """The next step with its context; a person decides first about a dangerous or very large one."""
        has_moved = quality_checks.stored_gear(self.state).get("plan_mark") != gears.plan_mark(
            self.state
        )
        step = gears.next_step(self.state)
        if step is None:
            is_empty = not gears.open_steps(self.state)
            self.notes.append(
                "There is no plan yet: edge plan add TEXT"
                if is_empty
                else "Every open step is blocked: edge step reopen N, or edge adapt"
            )
            return Result("warning", has_moved, telemetry={"open": not is_empty})
        risk = gears.risk(step.text)
        question = gears.step_question_id(self.state, step.number, risk[0]) if risk else ""
        if risk and not gears.is_answered(self.state, question, self.now):
            junction = self._raise_junction(
                {
                    "type": risk[0],
                    "reason": risk[1],
                    "fingerprint": question,
                    "shown": f"step {step.number}: {short_line(step.text)}",
                    "payload": {
                        "step": step.number,
                        "key": gears.step_key(self.state, step.number),
                        "description": step.text,
                    },
                }
            )
            return Result("ok", has_moved, junction, telemetry={"step": step.number})
        self.step = self._step_details(step)
        return Result("ok", has_moved, telemetry={"step": step.number})

    def _step_details(self, step: Step) -> StepDetails:
        raw = (self.state.get("plan") or [])[step.number - 1]
        unresolved: list[NumberedMismatch] = [
            {"number": number, "text": one_line(mismatches.text_of(each), 300)}
            for number, each in mismatches.unresolved(self.state)
        ]
        kinds = plan_notes.listed(self.state, plan_notes.CONSTRAINT)
        return {
            "number": step.number,
            "description": step.text,
            "status": step.status,
            "expected": raw.get("expected"),
            "verification": step.verification or None,
            "constraints": [each["constraint"] for each in kinds],
            "lessons": self._lessons(f"{step.text} {raw.get('expected') or ''}"),
            "mismatches": unresolved,
        }

    def _lessons(self, query: str) -> list[NumberedLesson]:
        """The few lessons that concern the step; a search that fails is noted and stops nothing."""
        memory = self.state.get("memory")
        if not isinstance(memory, list) or not memory:
            return []
        try:
            hits = memory_store.search(
                self.project.root,
                memory,
                query,
                limit=MAX_LESSONS,
                threshold=memory_store.THRESHOLD,
            )
        except EdgeError as error:
            self.notes.append(f"lessons {_UNREADABLE}: {error.message}")
            return []
        return [
            {"number": hit.number, "lesson": hit.lesson["lesson"], "why": hit.why} for hit in hits
        ]

    def _patrol(self) -> Result:
        """Scan the project; a person is offered the first five findings."""
        scan = self.inputs.once("scan", self.state)
        if isinstance(scan, EdgeError):
            return self._failed("the project", scan)

        self.state["scan_findings"] = shapes.stored(scan.findings, now=self.now)
        self.notes += [f"not scanned: {each}" for each in scan.skipped]
        declined = gears.declined_findings(self.state)
        wanted = shapes.varied(each for each in scan.findings if each.id not in declined)
        offered = self.findings = wanted[: shapes.GROUP_SIZE]
        telemetry = {
            "findings": len(scan.findings),
            "files": scan.files,
            "seconds": round(scan.seconds, 2),
        }
        status: gears.Status = "warning" if scan.skipped else "ok"
        mark = gears.fingerprint("finding_selection", [each.id for each in offered])
        is_silent = any(
            gears.is_answered(self.state, each, self.now) for each in ("finding_selection", mark)
        )
        if not offered or is_silent:
            return Result(status, suggested_next_gear="dream", telemetry=telemetry)
        junction = self._raise_junction(
            {
                "type": "finding_selection",
                "reason": f"{many(len(wanted), 'finding')} could be the next objective",
                "fingerprint": mark,
                "shown": short_line(offered[0].title)
                + (f", and {len(offered) - 1} more" if len(offered) > 1 else ""),
                "payload": {
                    "findings": [each.as_data() for each in offered],
                    "more": len(wanted) - len(offered),
                },
            }
        )
        return Result(status, True, junction, "active", telemetry)

    def _dream(self) -> Result:
        """Run a retrospective; it raises at most one proposal per session."""
        reflection = self.inputs.once("reflection", self.state)
        if isinstance(reflection, EdgeError):
            return self._failed("the past", reflection)
        self.notes += reflection.observations
        proposal = reflection.proposal
        mark = str((proposal or {}).get("id") or "")
        had_proposal = retrospective.had_proposal(self.state, self.session)
        is_silent = any(
            gears.is_answered(self.state, each, self.now) for each in ("proposal", mark)
        )
        if proposal is None or is_silent or had_proposal:
            telemetry = {**reflection.telemetry, "proposals": 0}
            return Result(suggested_next_gear="patrol", telemetry=telemetry)
        self.state["gear"] = {
            **quality_checks.stored_gear(self.state),
            "proposal_session": self.session,
        }
        junction = self._raise_junction(
            {
                "type": "proposal",
                "reason": one_line(proposal.get("description") or "", 400),
                "fingerprint": mark,
                "shown": short_line(proposal.get("title") or "a proposal"),
                "payload": {"proposal": proposal},
            }
        )
        self.proposal = proposal
        telemetry = {**reflection.telemetry, "proposals": 1}
        return Result("ok", True, junction, "active", telemetry)

    def _failed(self, what: str, error: EdgeError) -> Result:
        self.notes.append(f"{what} {_UNREADABLE}: {error.message}")
        return Result("error", telemetry={"error": error.message})

    def _raise_junction(self, record: dict[str, Any]) -> dict[str, Any]:
        about = {**record, "session": self.session, "source": "engine"}
        quality_service.open_junction(self.project, self.tx, about)
        return {"type": record["type"], "payload": record["payload"]}


# end of module
