"""One cycle of ``edge``: the due gate, the gear that fits, and what it leaves behind.

Owns the order of a cycle, and that nothing slow happens under the state's lock. Does not own which gear
fits or what is stuck (``loop.gears``), what a gear looks at (``patrol.service``, ``loop.dream``), what a
person decides (``sessions.decisions``), who asks for the next cycle (``loop.auto``) or how one is shown
(``cli``, ``hosts``).
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

    from operators_edge.loop.dream import Reflection
    from operators_edge.loop.gears import Gear
    from operators_edge.model import Mode, State
    from operators_edge.patrol.service import Scan
    from operators_edge.plan.steps import Step
    from operators_edge.project import Project
    from operators_edge.quality.service import Gate
    from operators_edge.state.transaction import Transaction

T = TypeVar("T")

TRIES = 12
"""How often a cycle begins anew because somebody else changed the state meanwhile."""

LESSONS = 3
_NO_REASON = "could not be looked at"


class Cycle(NamedTuple):
    """What one cycle did, and where the project stands now.

    ``before`` is the gear that it came from, ``transition`` the change of gear with which it began or ended.
    ``step`` holds number, description, status, expected, verification, constraints, lessons, mismatches.
    ``gate`` is what the quality gate said, for a person; ``junction`` what pends now. ``iterations`` counts
    all cycles that ran a gear.
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
        told = {**self._asdict(), "result": self.result.as_data() if self.result else None}
        return {**told, "findings": list(self.findings), "gate": list(self.gate)}


def cycle(project: Project, session: str, *, by: str, budget: float = BUDGET_SECONDS) -> Cycle:
    """Run one cycle; ``by`` names who asked for it, ``budget`` are the seconds that a scan may take.

    What it changes is one transaction. A pending junction ends it before any gear runs.
    """
    project.log_plan_changes(session)
    known = _Known(project, session, budget)
    for _ in range(TRIES):
        try:
            return project.transact(lambda tx: _Run(tx, known, by).cycle(), command="run")
        except _Needs as need:
            known.learn(need)
    raise AnswerIsNo("the state changes faster than it can be looked at", hint="edge run")


# -- what takes long, asked without the lock -------------------------------------------------------


class _Needs(Exception):
    def __init__(self, what: str, state: State) -> None:
        super().__init__(what)
        self.what = what
        self.state = copy.deepcopy(state)


class _Known:
    """What log, git and files said in this cycle; asked once, the gate for each state that it is about."""

    def __init__(self, project: Project, session: str, budget: float) -> None:
        self.project = project
        self.session = session
        self.budget = budget
        self._told: dict[str, tuple[Any, Any]] = {}

    def learn(self, need: _Needs) -> None:
        asks: dict[str, Callable[[State], Any]] = {
            "gate": self._gate,
            "scan": self._scan,
            "reflection": self._reflection,
        }
        self._told[need.what] = (_about(need.state), asks[need.what](need.state))

    def gate(self, state: State) -> Gate:
        about, gate = self._told.get("gate", (None, None))
        if gate is None or not schema.is_same(about, _about(state)):
            raise _Needs("gate", state)
        return gate  # type: ignore[no-any-return]

    def scan(self, state: State) -> Scan | EdgeError:
        return self._once("scan", state)  # type: ignore[no-any-return]

    def reflection(self, state: State) -> Reflection | EdgeError:
        return self._once("reflection", state)  # type: ignore[no-any-return]

    def _once(self, what: str, state: State) -> Any:
        if what not in self._told:
            raise _Needs(what, state)
        return self._told[what][1]

    def _gate(self, state: State) -> Gate:
        return quality_service.gate_of(self.project, state, self.session)

    def _scan(self, state: State) -> Scan | EdgeError:
        from operators_edge.patrol import service as patrol_service  # noqa: PLC0415 - where there is no work left

        return _or_error(lambda: patrol_service.scan(self.project, state, budget=self.budget))

    def _reflection(self, state: State) -> Reflection | EdgeError:
        from operators_edge.loop import dream as loop_dream  # noqa: PLC0415 - where there is no work left

        return _or_error(lambda: loop_dream.reflect(self.project, state, session=self.session))


def _or_error(look: Callable[[], T]) -> T | EdgeError:
    """What a look found, or why it could not be taken: that is never "nothing found" (GE-6)."""
    try:
        return look()
    except EdgeError as error:
        return error
    except OSError as error:
        return EdgeError(f"{error.filename or 'a file'}: {error.strerror or error}")


def _about(state: State) -> dict[str, Any]:
    """What the gate's answer depends on in the state; the rest may differ."""
    return {key: state.get(key) for key in (*schema.HUMAN_KEYS, "overrides", "evals")}


# -- one cycle in its transaction ------------------------------------------------------------------


class _Run:
    """A cycle at work on one transaction's state; it may be thrown away and begun again."""

    def __init__(self, tx: Transaction, known: _Known, by: str) -> None:
        self.tx = tx
        self.state = tx.state
        self.known = known
        self.project = known.project
        self.session = known.session
        self.by = by
        self.now = known.project.clock()
        self.gate: tuple[str, ...] = ()
        self.notes: list[str] = []

    def cycle(self) -> Cycle:
        quality_checks.forget_gate_run_of_open_plan(self.state)
        self._put_away_moot()
        self._ask_again()
        self._try_to_free()
        if gears.way(self.state).what not in ("pending", "stuck"):
            # First: the gate is asked about in review, where a person who says yes goes next.
            quality_service.suggest(self.project, self.tx, self.session)
        if gears.way(self.state).what == "gate":
            self._run_gate()
        way = gears.way(self.state)
        if way.what != "run" or way.gear is None:
            return self._standing(stuck=gears.is_stuck(self.state))
        return self._run(way.gear)

    def _standing(self, **more: Any) -> Cycle:
        """Where the project stands; ``more`` is what a gear came to."""
        kept = gears.of(self.state)
        return Cycle(
            mode=modes.current(self.state),
            **{"gear": gears.current(self.state), **more},
            gate=self.gate,
            junction=copy.deepcopy(self.state.get("junction")),
            iterations=kept.get("iterations") or 0,
            notes=tuple(self.notes),
        )

    # -- before any gear

    def _put_away_moot(self) -> None:
        pending = self.state.get("junction")
        if isinstance(pending, dict) and gears.is_moot(self.state, pending):
            quality_service.close_junction(
                self.project,
                self.tx,
                (pending["type"],),
                session=self.session,
                decision="withdrawn",
            )

    def _ask_again(self) -> None:
        """What events have answered stops no cycle: another mode fits, the work is mended."""
        pending = self.state.get("junction")
        kind = pending.get("type") if isinstance(pending, dict) else None
        if kind == "mode_transition":
            quality_service.suggest(self.project, self.tx, self.session)
        elif kind == "quality_gate":
            gate = self.known.gate(self.state)
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
                self._raise_gate(gate)

    def _run_gate(self) -> None:
        """The plan is complete: the gate is asked once, and a person where it fails (QG-1)."""
        gate = self.known.gate(self.state)
        quality_service.drop_lapsed(self.project, self.tx, self.session)
        quality_service.log_run(self.tx, gate, self.session, why="completion epoch")
        gears.gated(self.state)
        self.gate = tuple(quality_service.lines(gate))
        if gate.errors:
            self._raise_gate(gate)

    def _raise_gate(self, gate: Gate) -> None:
        quality_service.raise_junction(self.project, self.tx, gate, self.session)
        pending = self.state["junction"]
        epoch = quality_checks.completion_epoch(self.state)
        pending["payload"] = {**pending["payload"], "epoch": epoch}

    def _try_to_free(self) -> None:
        told = gears.freed(self.state)
        if told is not None:
            self.tx.log("stuck", told, session=self.session)

    # -- gears

    def _run(self, gear: Gear) -> Cycle:
        before = gears.current(self.state)
        found = self._of(gear)
        chained = gears.next_gear(gear, found.result)
        transition = self._note(gear, chained, found.result)
        if gear == "patrol" and chained == "dream":
            findings = found.findings
            found = self._of("dream")._replace(findings=findings)
            gear, after = "dream", gears.next_gear("dream", found.result)
            self._note(gear, after, found.result, is_second=True)
        told = gears.at_the_ceiling(self.state)
        if told is not None:
            self.tx.log("stuck", told, session=self.session)
            self.notes.append(f"{gears.CEILING} cycles over one plan are the ceiling")
        return self._standing(
            gear=gear,
            before=before,
            transition=transition,
            result=found.result,
            step=found.step,
            findings=found.findings,
            proposal=found.proposal,
            stuck=gears.is_stuck(self.state),
        )

    def _note(
        self, gear: Gear, after: Gear, result: Result, *, is_second: bool = False
    ) -> str | None:
        before = gears.current(self.state)
        transition = gears.ran(
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

    def _of(self, gear: Gear) -> _Found:
        return {"active": self._active, "patrol": self._patrol, "dream": self._dream}[gear]()

    def _active(self) -> _Found:
        """The next step, with what it needs; a person first where it is one of the far-reaching ones."""
        has_moved = gears.of(self.state).get("plan_mark") != gears.plan_mark(self.state)
        step = gears.next_step(self.state)
        if step is None:
            is_empty = not gears.open_steps(self.state)
            self.notes.append(
                "There is no plan yet: edge plan add TEXT"
                if is_empty
                else "Every open step is blocked: edge step reopen N, or edge adapt"
            )
            return _Found(Result("warning", has_moved, telemetry={"open": not is_empty}))
        risk = gears.risk(step.text)
        mark = gears.about_step(self.state, step.number, risk[0]) if risk else ""
        if risk and not gears.is_answered(self.state, mark, self.now):
            junction = self._raise(
                {
                    "type": risk[0],
                    "reason": risk[1],
                    "fingerprint": mark,
                    "shown": f"step {step.number}: {short_line(step.text)}",
                    "payload": {
                        "step": step.number,
                        "key": gears.step_key(self.state, step.number),
                        "description": step.text,
                    },
                }
            )
            return _Found(Result("ok", has_moved, junction, telemetry={"step": step.number}))
        told = self._step(step)
        return _Found(Result("ok", has_moved, telemetry={"step": step.number}), step=told)

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
        """The few lessons that concern the step; one that cannot be looked for is said, and stops nothing."""
        from operators_edge.memory import store as memory_store  # noqa: PLC0415 - with a step alone

        memory = self.state.get("memory")
        if not isinstance(memory, list) or not memory:
            return []
        try:
            hits = memory_store.search(
                self.project.root, memory, query, most=LESSONS, threshold=memory_store.THRESHOLD
            )
        except EdgeError as error:
            self.notes.append(f"lessons {_NO_REASON}: {error.message}")
            return []
        return [
            {"number": hit.number, "lesson": hit.lesson["lesson"], "why": hit.why} for hit in hits
        ]

    def _patrol(self) -> _Found:
        """What is worth doing next; five of it are offered to a person."""
        scan = self.known.scan(self.state)
        if isinstance(scan, EdgeError):
            return self._failed("the project", scan)

        self.state["scan_findings"] = shapes.stored(scan.findings, now=self.now)
        self.notes += [f"not looked at: {each}" for each in scan.skipped]
        gone = gears.declined(self.state)
        wanted = shapes.varied(each for each in scan.findings if each.id not in gone)
        left = [each.as_data() for each in wanted]
        offered = tuple(left[: shapes.TOGETHER])
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
            return _Found(quiet, findings=offered)
        junction = self._raise(
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
        return _Found(result, findings=offered)

    def _dream(self) -> _Found:
        """What the past suggests; at most one proposal for a session."""
        from operators_edge.loop import retrospective  # noqa: PLC0415 - with a dream alone

        seen = self.known.reflection(self.state)
        if isinstance(seen, EdgeError):
            return self._failed("the past", seen)
        self.notes += seen.observations
        proposal = seen.proposal
        mark = str((proposal or {}).get("id") or "")
        is_spent = retrospective.is_spent(
            self.state, self.session
        )  # asked again: a look takes its time
        is_silent = any(
            gears.is_answered(self.state, each, self.now) for each in ("proposal", mark)
        )
        if proposal is None or is_silent or is_spent:
            telemetry = {**seen.telemetry, "proposals": 0}
            return _Found(Result(suggested_next_gear="patrol", telemetry=telemetry))
        self.state["gear"] = {**gears.of(self.state), "proposal_session": self.session}
        junction = self._raise(
            {
                "type": "proposal",
                "reason": one_line(proposal.get("description") or "", 400),
                "fingerprint": mark,
                "shown": short_line(proposal.get("title") or "a proposal"),
                "payload": {"proposal": proposal},
            }
        )
        telemetry = {**seen.telemetry, "proposals": 1}
        result = Result("ok", True, junction, "active", telemetry)
        return _Found(result, proposal=proposal)

    def _failed(self, what: str, error: EdgeError) -> _Found:
        self.notes.append(f"{what} {_NO_REASON}: {error.message}")
        return _Found(Result("error", telemetry={"error": error.message}))

    def _raise(self, record: dict[str, Any]) -> dict[str, Any]:
        about = {**record, "session": self.session, "source": "engine"}
        quality_service.open_junction(self.project, self.tx, about)
        return {"type": record["type"], "payload": record["payload"]}


class _Found(NamedTuple):
    """What a gear came to, and what of it is shown."""

    result: Result
    step: dict[str, Any] | None = None
    findings: tuple[dict[str, Any], ...] = ()
    proposal: dict[str, Any] | None = None
