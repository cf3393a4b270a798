"""The quality gate: its facts, its junction, the overrides that apply, and the suggested mode.

Does not own the checks (``quality.checks``), the claims (``evidence.claims.service``) or what a person
decides (``sessions.decisions``).
"""

from __future__ import annotations

from operators_edge.approvals import junction
from operators_edge.errors import DecisionPending, EdgeError
from operators_edge.evidence import overrides
from operators_edge.evidence.claims import service as claims_service
from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.gate.fingerprint import canonical
from operators_edge.plan import modes, service as plan_service
from operators_edge.quality import checks as quality_checks
from operators_edge.state import schema
from operators_edge.system.digest import sha256_hex
from operators_edge.text.markup import hanging_indent
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeGuard, TypeVar

    from operators_edge.evidence.claims.model import Claim
    from operators_edge.evidence.claims.tree_facts import ProjectTreeFacts
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.quality.checks import Check, Corpus
    from operators_edge.state.transaction import Transaction

    T = TypeVar("T")


REMARKS_SHOWN = 5


class Gate(NamedTuple):
    """The gate's result for one session.

    ``failed``: errors first; ``covered``: the errors that ``overrides`` cover. ``remarks``: weakened checks,
    with the claim that they would have judged; they fail nothing.
    """

    failed: tuple[Check, ...]
    covered: tuple[Check, ...] = ()
    overrides: tuple[dict[str, Any], ...] = ()
    remarks: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def errors(self) -> tuple[Check, ...]:
        """What prevents `edge done`, in the order of the numbers that are shown."""
        return tuple(each for each in self.failed if each.severity == "error")

    @property
    def warnings(self) -> tuple[Check, ...]:
        return tuple(each for each in self.failed if each.severity == "warning")


def _test_texts(root: str) -> Corpus:
    from operators_edge.quality import test_files  # noqa: PLC0415 - costly, and seldom needed

    return test_files.texts(root)


def gate_of(project: Project, state: State, session: str) -> Gate:
    """Run the checks on the state with what log, git and files show."""
    tree = claims_service.current_tree(project)
    work = tree.work
    # Overrides depend on the session: the claims are judged without any.
    claims = claims_service.claims_of(project, {**state, "overrides": []}, tree)
    facts = quality_checks.Facts(
        work=work,
        claims=claims,
        session=session,
        tests=_test_texts(project.root) if quality_checks.needs_tests(state, work) else None,
        changed=_changed(tree, work),
        has_tree=bool(work["files"]) or tree.has_git,
        beyond=() if work["files"] or work["outside"] else _beyond(state, tree),
    )
    active = tuple(overrides.active(state, session, project.refusal_reason))
    failed, covered = overrides.split(quality_checks.failures(state, facts), active)
    shown = tuple(_overridden(claim, active) for claim in claims)
    return Gate(failed, covered, active, tuple(_remarks(claims, work)), shown)


_PATH = pattern(r"(?<![\w/.~-])(?:~|\.{1,2})?/?[\w.@+-]+(?:/[\w.@+-]+)*")
_MAX_NAMED = 50


def _beyond(state: State, tree: ProjectTreeFacts) -> tuple[str, ...]:
    """The files that completed steps name and git does not show, and that were written."""
    done = [each for each in schema.maps(state.get("plan")) if each.get("status") == "completed"]
    texts = [
        str(each.get(name) or "") for each in done for name in ("description", "proof", "actual")
    ]
    named = dict.fromkeys(found.rstrip(".") for text in texts for found in _PATH.findall(text))
    paths = [each for each in named if "/" in each or "." in each][:_MAX_NAMED]
    return tuple(each for each in paths if tree.was_written_beyond(each))


def _overridden(claim: Claim, active: Iterable[dict[str, Any]]) -> Claim:
    is_bad = claim.verdict in ("CONTRADICTED", "STALE")
    if is_bad and any(overrides.covers(each, "claims_supported") for each in active):
        return claim._replace(verdict="OVERRIDDEN")
    return claim


def _changed(tree: ProjectTreeFacts, work: ObjectiveFacts) -> tuple[str, ...] | None:
    """What differs from what the last test run saw; None if git cannot determine it."""
    runs = [run for run in work["checks"] if run["kind"] == "test"]
    if not work["files"] or not runs or runs[-1]["passed"] is not True:
        return None  # nothing depends on it
    return tree.changed(runs[-1]["look"])


def _remarks(claims: Sequence[Claim], work: ObjectiveFacts) -> Iterable[str]:
    """Weakened checks: first those that would have judged a claim, then the others."""
    remarks = []
    for claim in claims:
        remarks += [f"beside step {claim.step}: {each}" for each in claim.beside]
    beside = {each for claim in claims for each in claim.beside}
    lost = [tamper_model.describe(each) for each in work["tampering"].values()]
    remarks += [each for each in lost if each not in beside]
    yield from remarks[:REMARKS_SHOWN]
    if len(remarks) > REMARKS_SHOWN:
        yield f"and {len(remarks) - REMARKS_SHOWN} more: edge log search --event tampering"


# -- overrides -------------------------------------------------------------------------------------


def drop_lapsed(project: Project, tx: Transaction, session: str) -> None:
    """End every override of another session or objective, and log it.

    One that is not genuine or no longer live never applied: it is logged as ignored.
    """
    kept = []
    for grant in tx.state.get("overrides") or []:
        why = overrides.lapsed(grant, tx.state, session) if isinstance(grant, dict) else ""
        refused = project.refusal_reason(grant) if isinstance(grant, dict) else "it is no override"
        if not why and not refused:
            kept.append(grant)
            continue
        ident = grant.get("id") if isinstance(grant, dict) else None
        if refused:
            tx.log("grant_ignored", {"grant": ident, "why": refused}, session=session)
            continue
        tx.revoke(str(ident))
        data = {"override": ident, "why": why, "mode": grant.get("mode")}
        tx.log("override_invalidated", data, session=session)
    if kept != (tx.state.get("overrides") or []):
        tx.state["overrides"] = kept


# -- the gate in a transaction ---------------------------------------------------------------------


def with_gate(
    project: Project, session: str, act: Callable[[Transaction, Gate], T], *, command: str
) -> T:
    """Run ``act`` in one transaction, with the gate's result for the same state that it changes.

    The gate runs before the lock is taken, and again only if the state has changed since.
    """
    project.log_plan_changes(session)
    state = project.state.read()
    gate = gate_of(project, state, session)

    def change(tx: Transaction) -> T:
        is_same = schema.is_same(tx.state, state)
        return act(tx, gate if is_same else gate_of(project, tx.state, session))

    return project.transact(change, command=command)


def raise_junction(project: Project, tx: Transaction, gate: Gate, session: str) -> None:
    """Let a person decide on the failures; an older junction of the gate is replaced, another one is not.

    The same failures again are the same junction: nothing is logged twice.
    """
    pending = tx.state.get("junction")
    if pending and pending["type"] not in (*junction.DISPLACEABLE, "quality_gate"):
        raise DecisionPending(
            "\n".join(
                [*lines(gate), f"Another decision is pending first: {pending.get('shown', '')}"]
            ),
            hint="edge status",
        )
    payload = {
        "failed_checks": [check.as_data() for check in gate.errors],
        "warnings": [check.as_data() for check in gate.warnings],
        "remarks": list(gate.remarks),
    }
    if _asks_the_same(pending, payload, session):
        pending["payload"] = payload
        pending["repeats"] = int(pending.get("repeats", 0)) + 1
        return
    open_junction(
        project,
        tx,
        {
            "type": "quality_gate",
            "reason": quality_checks.summary(gate.errors),
            "fingerprint": "",
            "session": session,
            "shown": "edge done: " + ", ".join(check.name for check in gate.errors),
            "payload": payload,
            "source": "quality_gate",
        },
    )


def failed_checks(pending: Any) -> list[dict[str, Any]]:
    """The failed checks of a junction of the gate, in the order of their numbers.

    A file of an older version, or one edited by hand, may hold only their names, or nothing.
    """
    payload = pending.get("payload") if isinstance(pending, dict) else None
    listed = payload.get("failed_checks") if isinstance(payload, dict) else None
    checks = [
        each if isinstance(each, dict) else {"name": str(each)}
        for each in (listed if isinstance(listed, list) else [])
    ]
    return [{**each, "name": str(each.get("name") or "a check")} for each in checks]


def _asks_the_same(
    pending: Any, payload: dict[str, Any], session: str
) -> TypeGuard[dict[str, Any]]:
    return (
        isinstance(pending, dict)
        and pending["type"] == "quality_gate"
        and pending.get("session") == session
        and failed_checks(pending) == payload["failed_checks"]
    )


def open_junction(project: Project, tx: Transaction, record: dict[str, Any]) -> None:
    """Make ``record`` the pending junction; the caller gives type, reason, shown, session, payload, source.

    A pending one is displaced; the caller decides whether it may be.
    """
    now = project.clock()
    if tx.state.get("junction"):
        junction.close(tx.state, decision="displaced", now=now, by="gate")
    tx.state["junction"] = {
        "id": project.new_id(),
        "created_at": now.isoformat(),
        "classes": [],
        **record,
    }
    data = {
        "type": record["type"],
        "junction": tx.state["junction"]["id"],
        "shown": record["shown"],
        "checks": [each["name"] for each in record["payload"].get("failed_checks", ())],
    }
    tx.log("junction_raised", data, session=record["session"])


def close_junction(
    project: Project, tx: Transaction, types: Sequence[str], *, session: str, decision: str
) -> None:
    """Close a pending junction of these types that is resolved by other events."""
    pending = tx.state.get("junction")
    if pending and pending["type"] in types:
        closed = junction.close(tx.state, decision=decision, now=project.clock(), by="edge")
        data = {"junction": closed["id"], "type": closed["type"], "decision": decision}
        tx.log("junction_decided", data, session=session)


# -- the plan has changed --------------------------------------------------------------------------


def write_plan(
    project: Project, edit: Callable[[State], EditResult], *, command: str
) -> EditResult:
    """Apply an edit of the plan, then add what follows: see ``review``."""
    return review(project, plan_service.write(project, edit, command=command))


def finish_step(
    project: Project, edit: Callable[[State], EditResult], *, command: str
) -> EditResult:
    """Complete a step, and add the verdict on what it claims (PR-12)."""
    said = write_plan(project, edit, command=command)
    try:
        claims = claims_service.claims_of(project, project.state.read())
    except EdgeError as error:
        remark = f"written, but the claim could not be judged: {error.message}"
        return said._replace(remarks=(*said.remarks, remark))
    claim = next((each for each in claims if each.step == said.data.get("step")), None)
    if claim is None:
        return said
    text = f"{claim.verdict}: {one_line(claim.why, 300)}"
    if claim.command and claim.verdict != "VERIFIED":
        text += f"\n  run: {one_line(claim.command, 300)}"
    verdict = {"verdict": claim.verdict, "why": claim.why, "command": claim.command}
    return said._replace(text=f"{said.text}\n{text}", data={**said.data, "claim": verdict})


def review(project: Project, said: EditResult) -> EditResult:
    """Add to the report of an edit the gate's result for a complete plan, and the suggested mode.

    The edit is already written (QG-1, MO-2).
    """
    try:
        report = after_plan_change(project, project.latest_session())
    except EdgeError as error:
        # The change is written; a check that could not run afterwards does not undo it.
        remark = f"written, but the quality gate could not run: {error.message}"
        return said._replace(remarks=(*said.remarks, remark))
    if not report:
        return said
    return said._replace(text="\n".join([said.text, *report]), data={**said.data, "gate": report})


def after_plan_change(project: Project, session: str) -> list[str]:
    """The gate's result for a plan that is complete now, and the suggested mode, for a person.

    The gate runs once for each complete plan (QG-1), without a junction. If the mode does not fit any more,
    and nothing else is pending, another one is suggested (MO-2).
    """
    project.log_plan_changes(session)
    state = project.state.read()
    epoch = quality_checks.completion_epoch(state)
    is_new = epoch != quality_checks.stored_gear(state).get("completion_epoch")
    gate = gate_of(project, state, session) if epoch and is_new else None

    def change(tx: Transaction) -> list[str]:
        quality_checks.forget_gate_run_of_open_plan(tx.state)
        if is_new:
            gear = quality_checks.stored_gear(tx.state)
            tx.state["gear"] = {**gear, "completion_epoch": epoch}
        if gate is not None:
            log_run(tx, gate, session, why="plan complete")
        return suggest(project, tx, session)

    suggested = project.transact(change, command="check the plan")
    return ["The plan is complete.", *lines(gate), *suggested] if gate is not None else suggested


def log_run(tx: Transaction, gate: Gate, session: str, *, why: str) -> None:
    data = {
        "why": why,
        "passed": not gate.errors,
        "failed": [each.name for each in gate.errors],
        "warnings": [each.name for each in gate.warnings],
        "overridden": [each.name for each in gate.covered],
    }
    tx.log("quality_gate", data, session=session)


def suggest(project: Project, tx: Transaction, session: str) -> list[str]:
    """Raise a junction if another mode fits; returns its text for a person.

    At most one: never while anything is pending, and never again for a plan that a person has answered. One
    whose reason no longer holds is closed.
    """
    suggestion = modes.suggestion(tx.state)
    pending = tx.state.get("junction")
    if pending and pending["type"] == "mode_transition":
        if suggestion and (pending.get("payload") or {}).get("to") == suggestion[0]:
            _update(tx.state, pending, *suggestion)
            return []
        close_junction(project, tx, ("mode_transition",), session=session, decision="withdrawn")
        pending = None
    if suggestion is None or pending:
        return []
    target, reason = suggestion
    mark = _fingerprint(tx.state, target)
    answered = tx.state.get("junction_history") or []
    if any(each.get("fingerprint") == mark and each["decision"] in _ANSWERS for each in answered):
        return []
    here = modes.current(tx.state)
    open_junction(
        project,
        tx,
        {
            "type": "mode_transition",
            "reason": reason,
            "fingerprint": mark,
            "session": session,
            "shown": f"mode {here} to {target}",
            "payload": {"from": here, "to": target, "reason": reason},
            "source": "modes",
        },
    )
    return [f"Mode {target} fits now: {reason}.", "A person decides: /edge approve or /edge skip"]


def _update(state: State, pending: dict[str, Any], target: str, reason: str) -> None:
    """The same question about a changed plan: adding ten steps does not ask ten times."""
    payload = {**pending["payload"], "reason": reason}
    pending |= {"reason": reason, "fingerprint": _fingerprint(state, target), "payload": payload}


_ANSWERS = ("approve", "skip", "dismiss")


def _fingerprint(state: State, target: str) -> str:
    """The same for the same suggestion about the same plan."""
    plan = [
        [step.get("description"), step.get("status")]
        for step in state.get("plan") or []
        if isinstance(step, dict)
    ]
    about = [state.get("mode"), target, state.get("objective"), plan]
    return sha256_hex(canonical(["mode_transition", about]))


# -- for people ------------------------------------------------------------------------------------


def lines(gate: Gate) -> list[str]:
    """The gate's result for a person: errors with their numbers, then warnings, overrides and remarks."""
    report = [f"Quality gate: {quality_checks.summary(gate.failed)}."]
    for number, check in enumerate(gate.errors, 1):
        report += check_lines(check.as_data(), f"[{number}]")
    for check in gate.warnings:
        report += check_lines(check.as_data(), "warning")
    report += _wrapped("  overridden: ", ", ".join(each.name for each in gate.covered))
    for each in gate.remarks:
        report += _wrapped("  remark: ", each)
    return report


def check_lines(check: dict[str, Any], mark: str, *, indent: int = 2) -> list[str]:
    """One failed check, as ``as_data`` returned it: what is missing, then what clears it."""
    left = " " * indent
    text = f"{check['name']}: {one_line(check.get('text', ''), 400)}"
    fix = one_line(check.get("fix") or "", 200)
    return [*_wrapped(f"{left}{mark} ", text), *_wrapped(f"{left}    -> ", fix)]


def _wrapped(head: str, text: str) -> list[str]:
    """The text after its head; with a long head, further lines have a small indent."""
    return hanging_indent(head, text, None if len(head) < 20 else 6) if text else []


def summary_line(gate: Gate) -> str:
    """The gate's result for the status: counts, and which checks fail at which steps."""
    counts = quality_checks.summary(gate.failed)
    named = [check.name + _at_steps(check.steps, 3) for check in gate.errors]
    more = [f"{', '.join(each.name for each in gate.covered)} overridden"] if gate.covered else []
    return "; ".join([f"{counts}: {', '.join(named)}" if named else counts, *more])


def claims_line(claims: Sequence[Claim]) -> str:
    """The claims by verdict: "3 verified, 1 stale (step 2)"."""
    parts = []
    for verdict in ("VERIFIED", "UNVERIFIED", "OVERRIDDEN", "STALE", "CONTRADICTED"):
        numbers = [claim.step for claim in claims if claim.verdict == verdict]
        if numbers:
            where = _at_steps(numbers, 5) if verdict in ("STALE", "CONTRADICTED") else ""
            parts.append(f"{len(numbers)} {verdict.lower()}{where}")
    return ", ".join(parts)


def _at_steps(numbers: Sequence[int], most: int) -> str:
    """The steps in brackets: " (step 2)", " (steps 1, 2, 3, …)"; nothing where there are none."""
    if not numbers:
        return ""
    shown = [str(each) for each in numbers[:most]] + ["…"] * (len(numbers) > most)
    return f" (step{'s' * (len(numbers) > 1)} {', '.join(shown)})"


# end of module
