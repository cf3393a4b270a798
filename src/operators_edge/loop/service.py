"""One cycle of ``edge``: the quality gate if it is due, then the gear that fits, all in one transaction.

Owns the order of a cycle and what the DREAM gear reads, and that nothing slow happens while the state is
locked. Does not own which gear fits or when the loop is stuck (``loop.gears``), what PATROL scans
(``patrol.service``), what a retrospective finds (``loop.retrospective``), a person's decisions
(``sessions.decisions``), when the next cycle starts (``loop.auto``) or its output (``cli``, ``hosts``).
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from operators_edge.errors import AnswerIsNo, EdgeError
from operators_edge.loop import gears
from operators_edge.loop.gears import Result
from operators_edge.memory import mismatches
from operators_edge.patrol import findings as shapes
from operators_edge.patrol.findings import BUDGET_SECONDS
from operators_edge.plan import modes, notes as plan_notes
from operators_edge.plan.edits import short_line
from operators_edge.quality import checks as quality_checks, service as quality_service
from operators_edge.state import schema
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.loop.gears import Gear
    from operators_edge.loop.retrospective import Reflection
    from operators_edge.model import Mode, State
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
    ``step`` holds number, description, status, expected, verification, constraints, lessons, mismatches.
    ``gate`` is the quality gate's report for a person; ``junction`` the pending decision. ``iterations``
    counts all cycles that ran a gear.
    """

    mode: Mode
    gear: Gear | None = None
    before: Gear | None = None
    transition: str | None = None
    result: Result | None = None
    step: dict[str, Any] | None = None
    findings: tuple[dict[str, Any], ...] = ()
    proposal: dict[str, Any] | None = None
    gate: tuple[str, ...] = ()
    junction: dict[str, Any] | None = None
    stuck: bool = False
    iterations: int = 0
    notes: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        fields = {**self._asdict(), "result": self.result.as_data() if self.result else None}
        return {**fields, "findings": list(self.findings), "gate": list(self.gate)}


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
        self._values: dict[str, tuple[Any, Any]] = {}

    def gather(self, need: _InputNeeded) -> None:
        readers: dict[str, Callable[[State], Any]] = {
            "gate": self._gate,
            "scan": self._scan,
            "reflection": self._reflection,
        }
        self._values[need.what] = (_gate_inputs(need.state), readers[need.what](need.state))

    def gate(self, state: State) -> Gate:
        seen_inputs, gate = self._values.get("gate", (None, None))
        if gate is None or not schema.is_same(seen_inputs, _gate_inputs(state)):
            raise _InputNeeded("gate", state)
        return gate  # type: ignore[no-any-return]

    def scan(self, state: State) -> Scan | EdgeError:
        return self._once("scan", state)  # type: ignore[no-any-return]

    def reflection(self, state: State) -> Reflection | EdgeError:
        return self._once("reflection", state)  # type: ignore[no-any-return]

    def _once(self, what: str, state: State) -> Any:
        if what not in self._values:
            raise _InputNeeded(what, state)
        return self._values[what][1]

    def _gate(self, state: State) -> Gate:
        return quality_service.gate_of(self.project, state, self.session)

    def _scan(self, state: State) -> Scan | EdgeError:
        from operators_edge.patrol import service as patrol_service  # noqa: PLC0415 - only without open work

        return _result_or_error(
            lambda: patrol_service.scan(self.project, state, budget=self.budget)
        )

    def _reflection(self, state: State) -> Reflection | EdgeError:
        return _result_or_error(lambda: reflect(self.project, state))


def reflect(project: Project, state: State) -> Reflection:
    """Run a retrospective over ``state`` and the archive. Writes nothing.

    Raises EdgeError for an archive that cannot be read; single unreadable lines of it are an observation.
    """
    from operators_edge.loop import retrospective  # noqa: PLC0415 - see above
    from operators_edge.storage import archive  # noqa: PLC0415 - only without open work

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

    def cycle(self) -> Cycle:
        quality_checks.forget_gate_run_of_open_plan(self.state)
        self._close_obsolete_junction()
        self._recheck_junction()
        self._resume_if_plan_changed()
        if gears.next_action(self.state).what not in ("pending", "stuck"):
            # First: a person who accepts goes to review, and the gate runs there.
            quality_service.suggest(self.project, self.tx, self.session)
        if gears.next_action(self.state).what == "gate":
            self._run_gate()
        action = gears.next_action(self.state)
        if action.what != "run" or action.gear is None:
            return self._cycle_result(stuck=gears.is_stuck(self.state))
        return self._run(action.gear)

    def _cycle_result(self, **more: Any) -> Cycle:
        """The result of the cycle; ``more`` are the fields that the gear sets."""
        stored = gears.stored_gear(self.state)
        return Cycle(
            mode=modes.current(self.state),
            **{"gear": gears.current(self.state), **more},
            gate=self.gate,
            junction=copy.deepcopy(self.state.get("junction")),
            iterations=stored.get("iterations") or 0,
            notes=tuple(self.notes),
        )

    # -- before any gear

    def _close_obsolete_junction(self) -> None:
        pending = self.state.get("junction")
        if isinstance(pending, dict) and gears.is_obsolete(self.state, pending):
            quality_service.close_junction(
                self.project,
                self.tx,
                (pending["type"],),
                session=self.session,
                decision="withdrawn",
            )

    def _recheck_junction(self) -> None:
        """Update or close a junction that events have overtaken: another mode fits, the work was repaired."""
        pending = self.state.get("junction")
        kind = pending.get("type") if isinstance(pending, dict) else None
        if kind == "mode_transition":
            quality_service.suggest(self.project, self.tx, self.session)
        elif kind == "quality_gate":
            gate = self.inputs.gate(self.state)
            if not gate.errors:
                self.gate = tuple(quality_service.lines(gate))
                quality_service.close_junction(
                    self.project,
                    self.tx,
                    ("quality_gate",),
                    session=self.session,
                    decision="withdrawn",
                )
            elif ((pending or {}).get("payload") or {}).get("epoch"):
                self._raise_gate_junction(gate)

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
        output = self._run_gear(gear)
        chained = gears.next_gear(gear, output.result)
        transition = self._record_run(gear, chained, output.result)
        if gear == "patrol" and chained == "dream":
            findings = output.findings
            output = self._run_gear("dream")._replace(findings=findings)
            gear, after = "dream", gears.next_gear("dream", output.result)
            self._record_run(gear, after, output.result, is_second=True)
        logged = gears.stop_at_limit(self.state)
        if logged is not None:
            self.tx.log("stuck", logged, session=self.session)
            self.notes.append(f"the limit of {gears.MAX_CYCLES} cycles over one plan is reached")
        return self._cycle_result(
            gear=gear,
            before=before,
            transition=transition,
            result=output.result,
            step=output.step,
            findings=output.findings,
            proposal=output.proposal,
            stuck=gears.is_stuck(self.state),
        )

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

    def _run_gear(self, gear: Gear) -> _GearOutput:
        return {"active": self._active, "patrol": self._patrol, "dream": self._dream}[gear]()

    def _active(self) -> _GearOutput:
        """The next step with its context; a person decides first about a dangerous or very large one."""
        has_moved = gears.stored_gear(self.state).get("plan_mark") != gears.plan_mark(self.state)
        step = gears.next_step(self.state)
        if step is None:
            is_empty = not gears.open_steps(self.state)
            self.notes.append(
                "There is no plan yet: edge plan add TEXT"
                if is_empty
                else "Every open step is blocked: edge step reopen N, or edge adapt"
            )
            return _GearOutput(Result("warning", has_moved, telemetry={"open": not is_empty}))
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
            return _GearOutput(Result("ok", has_moved, junction, telemetry={"step": step.number}))
        details = self._step(step)
        return _GearOutput(Result("ok", has_moved, telemetry={"step": step.number}), step=details)

    def _step(self, step: Step) -> dict[str, Any]:
        raw = (self.state.get("plan") or [])[step.number - 1]
        unresolved = [
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

    def _lessons(self, query: str) -> list[dict[str, Any]]:
        """The few lessons that concern the step; a search that fails is noted and stops nothing."""
        from operators_edge.memory import store as memory_store  # noqa: PLC0415 - only with a step

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

    def _patrol(self) -> _GearOutput:
        """Scan the project; a person is offered the first five findings."""
        scan = self.inputs.scan(self.state)
        if isinstance(scan, EdgeError):
            return self._failed("the project", scan)

        self.state["scan_findings"] = shapes.stored(scan.findings, now=self.now)
        self.notes += [f"not scanned: {each}" for each in scan.skipped]
        declined = gears.declined_findings(self.state)
        wanted = shapes.varied(each for each in scan.findings if each.id not in declined)
        left = [each.as_data() for each in wanted]
        offered = tuple(left[: shapes.GROUP_SIZE])
        telemetry = {
            "findings": len(scan.findings),
            "files": scan.files,
            "seconds": round(scan.seconds, 2),
        }
        status: gears.Status = "warning" if scan.skipped else "ok"
        mark = gears.fingerprint("finding_selection", [each["id"] for each in offered])
        is_silent = any(
            gears.is_answered(self.state, each, self.now) for each in ("finding_selection", mark)
        )
        if not offered or is_silent:
            quiet = Result(status, suggested_next_gear="dream", telemetry=telemetry)
            return _GearOutput(quiet, findings=offered)
        junction = self._raise_junction(
            {
                "type": "finding_selection",
                "reason": f"{many(len(left), 'finding')} could be the next objective",
                "fingerprint": mark,
                "shown": short_line(offered[0]["title"])
                + (f", and {len(offered) - 1} more" if len(offered) > 1 else ""),
                "payload": {"findings": list(offered), "more": len(left) - len(offered)},
            }
        )
        result = Result(status, True, junction, "active", telemetry)
        return _GearOutput(result, findings=offered)

    def _dream(self) -> _GearOutput:
        """Run a retrospective; it raises at most one proposal per session."""
        from operators_edge.loop import retrospective  # noqa: PLC0415 - only in this gear

        reflection = self.inputs.reflection(self.state)
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
            return _GearOutput(Result(suggested_next_gear="patrol", telemetry=telemetry))
        self.state["gear"] = {**gears.stored_gear(self.state), "proposal_session": self.session}
        junction = self._raise_junction(
            {
                "type": "proposal",
                "reason": one_line(proposal.get("description") or "", 400),
                "fingerprint": mark,
                "shown": short_line(proposal.get("title") or "a proposal"),
                "payload": {"proposal": proposal},
            }
        )
        telemetry = {**reflection.telemetry, "proposals": 1}
        result = Result("ok", True, junction, "active", telemetry)
        return _GearOutput(result, proposal=proposal)

    def _failed(self, what: str, error: EdgeError) -> _GearOutput:
        self.notes.append(f"{what} {_UNREADABLE}: {error.message}")
        return _GearOutput(Result("error", telemetry={"error": error.message}))

    def _raise_junction(self, record: dict[str, Any]) -> dict[str, Any]:
        about = {**record, "session": self.session, "source": "engine"}
        quality_service.open_junction(self.project, self.tx, about)
        return {"type": record["type"], "payload": record["payload"]}


class _GearOutput(NamedTuple):
    """What a gear returns, with the parts that are shown."""

    result: Result
    step: dict[str, Any] | None = None
    findings: tuple[dict[str, Any], ...] = ()
    proposal: dict[str, Any] | None = None
