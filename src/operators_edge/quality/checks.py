"""The quality gate: does what was observed support what is claimed?

Pure. Owns the twelve checks: their public names, when each fails, what is missing and what clears it. Does
not own how the facts are collected (``quality.service``), verdicts on claims (``evidence.claims.judge``) or
overrides (``evidence.overrides``).

Todos mirrored from a host (``source: host``) never fail a check (PR-6).
"""

from __future__ import annotations

from operators_edge.gate.fingerprint import canonical
from operators_edge.memory import mismatches
from operators_edge.model import HOST
from operators_edge.plan import steps as plan_steps
from operators_edge.quality import evals
from operators_edge.state.schema import maps
from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import as_text, many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Literal

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Claim
    from operators_edge.evidence.objective_facts import FileFacts, ObjectiveFacts
    from operators_edge.model import State
    from operators_edge.plan.steps import Step

    Severity = Literal["error", "warning"]

NAMES = (
    "objective_defined",
    "steps_completed",
    "no_dangling_in_progress",
    "activity_observed",
    "claims_match_files",
    "steps_have_proof",
    "no_unresolved_mismatches",
    "verification_step_exists",
    "verifications_tested",
    "eval_gate",
    "claims_supported",
    "tests_observed",
)
"""Every check, in the order in which they are shown. Changing a name is a breaking change."""

MIN_ACTIONS = 3
"""Fewer observed tool uses than this do not count as activity (seed 000, section 6)."""

MIN_KEYWORD_SHARE = 0.5
"""The share of a verification's words that the tests must contain to count as testing it."""

_SHOWN = 4
"""Files, mismatches and the like that one text names; the rest is counted."""


class Check(NamedTuple):
    """One failed check: what is missing, and what clears it. ``steps`` count from 1."""

    name: str
    severity: Severity
    text: str
    fix: str = ""
    steps: tuple[int, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "steps": list(self.steps)}


class Corpus(NamedTuple):
    """The lower-cased text of the project's test files; not whole if a bound was reached."""

    text: str
    is_whole: bool = True


class Facts(NamedTuple):
    """What was observed since the objective was set, by every session (QG-2).

    ``session`` is the current one. ``changed``: the files that differ from what the last test run saw; None
    if only the order of the tools' edits is known. ``has_tree`` is False if git cannot determine what
    changed, so that only the tools' own edits are known. ``beyond``: files that a step names and git does not
    show, outside of the project or ignored, and that were written.
    """

    work: ObjectiveFacts
    claims: Sequence[Claim] = ()
    session: str = ""
    tests: Corpus | None = None
    changed: tuple[str, ...] | None = None
    has_tree: bool = True
    beyond: tuple[str, ...] = ()


def failures(state: State, facts: Facts) -> tuple[Check, ...]:
    """Every failed check, errors first, each in the order of ``NAMES``; empty when the gate passes."""
    plan = plan_steps.of(state)
    found = [
        *_intent(state, plan),
        *_activity(plan, facts),
        *_proof(plan, facts.claims),
        *_mismatches(state),
        *_verification_step(state, plan),
        *_verifications(plan, facts),
        *_evals(state, facts),
        *_claims(facts.claims),
        *_tests(facts),
    ]
    return tuple(sorted(found, key=lambda each: (each.severity != "error", NAMES.index(each.name))))


def completion_epoch(state: State) -> str | None:
    """The hash of a complete plan, None for any other: the gate runs once for each (QG-1).

    It covers objective, descriptions and statuses, so that another complete plan is another epoch.
    """
    counted = plan_steps.counted(state)
    if not counted or any(step.status != "completed" for step in counted):
        return None
    steps = [[step.text, step.status] for step in counted]
    return sha256_hex(canonical({"objective": state.get("objective"), "plan": steps}))


def forget_gate_run_of_open_plan(state: State) -> None:
    """Forget that the gate ran, if the plan is open again.

    A plan that is completed again is checked again, even if its text is the same.
    """
    gear = stored_gear(state)
    if gear.pop("gate_epoch", None) is not None and completion_epoch(state) is None:
        state["gear"] = gear


def stored_gear(state: State) -> dict[str, Any]:
    """A copy of the state's ``gear``; empty if it is not a mapping."""
    gear = state.get("gear")
    return dict(gear) if isinstance(gear, dict) else {}


# -- objective, steps and activity -----------------------------------------------------------------


def _intent(state: State, plan: Sequence[Step]) -> Iterable[Check]:
    if not str(state.get("objective") or "").strip():
        yield Check("objective_defined", "error", "no objective is set", 'edge objective "…"')
    if not any(step.status == "completed" for step in plan):
        text, fix = "no step is completed", "edge step done N"
        if not plan:
            text, fix = "there is no plan, so no step is completed", 'edge plan add "…"'
        yield Check("steps_completed", "error", text, fix)
    else:
        yield from _open(plan)
    yield from _in_progress(plan)


def _open(plan: Sequence[Step]) -> Iterable[Check]:
    """Steps that nobody began, or that are blocked (QG-3); one in progress has a check of its own."""
    numbers = tuple(
        step.number
        for step in plan
        if step.is_own and step.status not in ("completed", "in_progress")
    )
    if numbers:
        text = f"{_numbered(numbers)} {'is' if len(numbers) == 1 else 'are'} not completed"
        fix = f"edge step done {numbers[0]}, or edge plan rm {numbers[0]}"
        yield Check("steps_completed", "error", text, fix, numbers)


def _in_progress(plan: Sequence[Step]) -> Iterable[Check]:
    numbers = tuple(step.number for step in plan if step.is_own and step.status == "in_progress")
    if numbers:
        text = f"{_numbered(numbers)} {'is' if len(numbers) == 1 else 'are'} still in progress"
        fix = f"edge step done {numbers[0]}, or edge plan rm {numbers[0]}"
        yield Check("no_dangling_in_progress", "error", text, fix, numbers)


def _activity(plan: Sequence[Step], facts: Facts) -> Iterable[Check]:
    actions = facts.work["actions"]
    if actions < MIN_ACTIONS:
        text = f"{many(actions, 'tool use')} observed, at least {MIN_ACTIONS} expected"
        fix = "work in a session that is recorded; edge doctor shows whether this one is"
        yield Check("activity_observed", "error", text, fix)
    completed = _completed(plan)
    is_elsewhere = facts.work["outside"] or facts.beyond
    if completed and not facts.work["files"] and not is_elsewhere:
        yield _without_files(completed, facts)


def _without_files(completed: Sequence[Step], facts: Facts) -> Check:
    making = [step for step in completed if step.changes_files]
    numbers = tuple(step.number for step in making or completed)
    text = f"{_numbered(numbers)} completed, but no file changed"
    fix = "make the change, or name what was done: research, reading and review only warn"
    severity: Severity = "warning"
    if not making:
        text, fix = f"{text}; the plan names no code work", ""
    elif facts.work["elsewhere"]:
        text += "; work was also done in another tree or branch, which is not visible here"
    elif not facts.has_tree:
        text += "; git cannot determine here what commands changed"
    else:
        severity = "error"
    return Check("claims_match_files", severity, text, fix, numbers)


# -- what is claimed -------------------------------------------------------------------------------


def _proof(plan: Sequence[Step], claims: Sequence[Claim]) -> Iterable[Check]:
    observed = {claim.step for claim in claims if _is_observed(claim)}
    without = tuple(
        step.number for step in _completed(plan) if not step.proof and step.number not in observed
    )
    if without:
        have, them = ("has", "it") if len(without) == 1 else ("have", "them")
        text = f"{_numbered(without)} {have} no proof, and nothing was observed during {them}"
        fix = f'edge step proof {without[0]} "what shows it"'
        yield Check("steps_have_proof", "error", text, fix, without)


def _is_observed(claim: Claim) -> bool:
    return any(claim.evidence.get(kind) for kind in ("files", "commands", "checks"))


def _claims(claims: Sequence[Claim]) -> Iterable[Check]:
    """One check for all claims that are contradicted, stale or rest on weakened tests."""
    bad: list[Claim] = []
    parts = []
    for verdict in ("CONTRADICTED", "STALE"):
        same = [claim for claim in claims if claim.source != HOST and claim.verdict == verdict]
        if same:
            numbers = _numbered([claim.step for claim in same])
            parts.append(f"{numbers} {verdict.lower()}: {one_line(same[0].why, 200)}")
            bad += same
    hollow = [each for each in claims if each.source != HOST and _is_hollow(each)]
    if hollow:
        numbers = _numbered([claim.step for claim in hollow])
        parts.append(f"{numbers} on weakened tests: {one_line(hollow[0].why, 200)}")
        bad += hollow
    if bad:
        is_error = bad[0].verdict == "CONTRADICTED" or bool(hollow)
        severity: Severity = "error" if is_error else "warning"
        fix = bad[0].command or "edge log claims"
        steps = tuple(claim.step for claim in bad)
        yield Check("claims_supported", severity, "; ".join(parts), fix, steps)


def _is_hollow(claim: Claim) -> bool:
    """Whether it rests on tests that were weakened, and does not say so; a contradiction says it already."""
    return claim.is_hollow and claim.verdict == "UNVERIFIED"


def _mismatches(state: State) -> Iterable[Check]:
    unresolved = [each for _, each in mismatches.unresolved(state)]
    if not unresolved:
        return
    named = [_mismatch(each) for each in unresolved]
    text = f"{many(len(unresolved), 'mismatch')} not resolved: {_listed(named)}"
    if any(each.get("intent_link") for each in maps(unresolved)):
        text += "; the intent is affected"
    fix = 'edge adapt, or: edge mismatch resolve N "what was done"'
    yield Check("no_unresolved_mismatches", "error", text, fix)


def _mismatch(each: Any) -> str:
    ident = as_text(each.get("id")) if isinstance(each, dict) else ""
    return one_line(ident or mismatches.text_of(each), 60)


# -- verification ----------------------------------------------------------------------------------


def _verification_step(state: State, plan: Sequence[Step]) -> Iterable[Check]:
    if not _has_intent(state.get("intent")):
        return
    verifying = [step for step in plan if step.verifies]
    if any(step.status == "completed" for step in verifying):
        return
    numbers = tuple(step.number for step in verifying)
    if numbers:
        text = (
            f"an intent is recorded, and its verification, {_numbered(numbers)}, is not completed"
        )
        fix = f"edge step done {numbers[0]}, or edge plan rm {numbers[0]}"
    else:
        text = "an intent is recorded, and no step verifies that it was met"
        fix = 'edge plan add --is-verification "…", and do it'
    yield Check("verification_step_exists", "error", text, fix, numbers)


def _has_intent(intent: Any) -> bool:
    if isinstance(intent, dict):
        return any(_has_intent(each) for each in intent.values())
    if isinstance(intent, list):
        return any(_has_intent(each) for each in intent)
    return isinstance(intent, str) and bool(intent.strip())


def needs_tests(state: State, work: ObjectiveFacts) -> bool:
    """Whether a verification remains that only the text of the test files can show."""
    return bool(_unrun(plan_steps.of(state), work))


def _unrun(plan: Sequence[Step], work: ObjectiveFacts) -> list[Step]:
    """Completed steps whose verification did not pass as a command."""
    passed = _passed(work)
    return [
        step
        for step in _completed(plan)
        if step.verification and not any(_names_command(one, step.verification) for one in passed)
    ]


def _passed(work: ObjectiveFacts) -> set[str]:
    """The commands and runners that passed."""
    names = {text for text, each in work["commands"].items() if each["passed"] is True}
    for run in work["checks"]:
        if run["passed"] is True:
            names |= {run["command"], run["name"]}
    return {name for name in names if len(name) > 2}


def _names_command(command: str, verification: str) -> bool:
    """Whether the verification is, or names, this command or runner."""
    one, other = (f" {' '.join(plan_steps.bare(each))} " for each in (command, verification))
    return one in other or (other in one and len(other.split()) > 1)


def _verifications(plan: Sequence[Step], facts: Facts) -> Iterable[Check]:
    text = facts.tests.text if facts.tests else ""
    untested = tuple(
        step.number
        for step in _unrun(plan, facts.work)
        if not _is_tested(plan_steps.keywords(step.verification), text)
    )
    if not untested:
        return
    text = f"no test names, and no command shows, the verification of {_numbered(untested)}"
    if facts.tests is not None and not facts.tests.is_whole:
        text += "; not all test files were read"
    fix = "run it as a command, or write a test that names it"
    yield Check("verifications_tested", "warning", text, fix, untested)


def _is_tested(words: Sequence[str], text: str) -> bool:
    """A verification without keywords requires nothing."""
    known = sum(word in text for word in words)
    return known >= len(words) * MIN_KEYWORD_SHARE


def _evals(state: State, facts: Facts) -> Iterable[Check]:
    if evals.is_off(state):
        return
    own = [
        each for each in facts.work["evals"] if each.get("session", facts.session) == facts.session
    ]
    parts = [part for part in (_failed_runs(own), _skipped_runs(own)) if part]
    if parts:
        severity: Severity = "error" if evals.policy_of(state).gate_on_fail else "warning"
        fix = "edge log search --event eval_run"
        yield Check("eval_gate", severity, "; ".join(parts), fix)


def _failed_runs(runs: Sequence[Mapping[str, Any]]) -> str:
    failed = [each for each in runs if each.get("invariants_failed")]
    names = dict.fromkeys(name for run in failed for name in evals.failed_in(run))
    where = f"{many(len(failed), 'eval run')} of this session"
    return f"failed in {where}: {_listed(list(names))}" if failed else ""


def _skipped_runs(runs: Sequence[Mapping[str, Any]]) -> str:
    """The runs that could check no invariant: they did not pass."""
    outcomes = [each for each in map(_outcomes, runs) if each]
    count = sum(all(outcome == "skipped" for outcome in each) for each in outcomes)
    what = f"{many(count, 'edit')} of the state could not be checked"
    return f"{what}: it was too large" if count else ""


def _outcomes(run: Mapping[str, Any]) -> list[Any]:
    outcomes = run.get("invariants")
    return list(outcomes.values()) if isinstance(outcomes, dict) else []


def _tests(facts: Facts) -> Iterable[Check]:
    code = [path for path in facts.work["files"] if plan_steps.is_code(path)]
    runs = [run for run in facts.work["checks"] if run["kind"] == "test"]
    if code and not runs:
        text = f"code changed and no test run was observed: {_listed(code)}"
        yield Check("tests_observed", "warning", text, "run the tests")
    elif code and (text := _outdated(runs[-1], facts)):
        command = one_line(runs[-1]["command"] or "run the tests", 120)
        is_error = runs[-1]["passed"] is False and not _is_blamed(runs[-1], facts.claims)
        yield Check("tests_observed", "error" if is_error else "warning", text, command)


def _is_blamed(run: Run, claims: Sequence[Claim]) -> bool:
    """Whether a contradicted claim rests on this run: one cause is one error."""
    return any(
        claim.check is not None and claim.check["seq"] == run["seq"]
        for claim in claims
        if claim.verdict == "CONTRADICTED" and claim.source != HOST
    )


def _outdated(run: Run, facts: Facts) -> str:
    """Why the last test run does not count, "" if it does."""
    if run["passed"] is not True:
        how = "failed" if run["passed"] is False else "has an unknown outcome"
        return f"the last test run {how}: {one_line(run['command'], 120)}"
    later = _after(run, facts.work["files"], facts.changed)
    return f"changed after the last test run: {_listed(later)}" if later else ""


def _after(run: Run, files: Mapping[str, FileFacts], changed: tuple[str, ...] | None) -> list[str]:
    """The code that differs from what the run saw.

    A change that only the tree showed has no time of its own, so order alone does not decide about it.
    """
    if changed is not None:
        return [path for path in changed if plan_steps.is_code(path)]
    return [
        path
        for path, each in files.items()
        if plan_steps.is_code(path) and each["by"] != "tree" and each["seq"] > run["seq"]
    ]


# -- for people ------------------------------------------------------------------------------------


def summary(failed: Sequence[Check]) -> str:
    """The gate's result in one line."""
    errors = [each for each in failed if each.severity == "error"]
    more = len(failed) - len(errors)
    warned = f"{many(more, 'warning')}" if more else ""
    if not errors:
        return f"passes, with {warned}" if warned else f"all {len(NAMES)} checks pass"
    verb = "fails" if len(errors) == 1 else "fail"
    parts = f"{len(errors)} of {len(NAMES)} checks {verb}"
    return f"{parts}, {warned}" if warned else parts


def _numbered(numbers: Sequence[int]) -> str:
    """As in: step 3; steps 1 and 3; steps 1, 2, 3, 4 and 6 more."""
    if len(numbers) == 1:
        return f"step {numbers[0]}"
    if len(numbers) > _SHOWN + 1:
        shown = ", ".join(str(each) for each in numbers[:_SHOWN])
        return f"steps {shown} and {len(numbers) - _SHOWN} more"
    return f"steps {', '.join(str(each) for each in numbers[:-1])} and {numbers[-1]}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(one_line(each, 80) for each in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _completed(plan: Sequence[Step]) -> list[Step]:
    """The completed steps that are not mirrored todos."""
    return [step for step in plan if step.is_own and step.status == "completed"]


# end of module
