"""The verdict on a claim that nothing contradicts: verified, stale, or unverified.

Pure. A check supports a step if it passed during or after it, reached what the step changed, and nothing that
it covers has changed since, by content. A check whose tests were weakened supports nothing, and no check
supports what it says nothing about: a push, a number.
"""

from __future__ import annotations

from operators_edge.datetimes import timedelta
from operators_edge.evidence.checks.run import bare_command, named_commands
from operators_edge.evidence.claims import acts, check_claims, check_history, coverage, hollow
from operators_edge.evidence.claims.model import Finding
from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.text import timestamps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Case
    from operators_edge.evidence.session_facts import WeakenedCheck

MAX_COMPARED = 4
"""Passed runs that are compared with the tree, the latest first: each costs a call of git."""

MAX_BESIDE = 3
SAME_CALL_SECONDS = 2


def from_runs(case: Case) -> Finding:
    """The verdict on a claim that nothing contradicts: verified only if each of its assertions is."""
    finding = _of_checks(case)
    if finding.verdict != "VERIFIED":
        return finding
    unseen = [*acts.unseen(case)]
    if finding.check is not None and finding.check["kind"] == "test":
        unseen += acts.unseen_numbers(case, finding.check)
    if not unseen:
        return finding
    return finding._replace(verdict="UNVERIFIED", why=f"{finding.why}; {acts.sentence(unseen)}")


def _of_checks(case: Case) -> Finding:
    verified = _by_verification(case)
    if verified is not None and verified.verdict != "UNVERIFIED":
        return verified
    needs_all: dict[str, bool] = {}
    others: list[tuple[str, ...]] = []
    for _, claim in check_claims.claims_of(case.subject.fields):
        kind = "test" if claim.kind == "any" else claim.kind
        needs_all[kind] = needs_all.get(kind, False) or not claim.about
        others += [claim.about] if check_history.is_of_other_tests(claim.about) else []
    if not needs_all and not check_history.covered(case.subject.changed):
        return verified or Finding("UNVERIFIED", _without_work(case))
    findings = [
        _by_kind(case, kind, needs_all=each, needs_reach=each or not needs_all)
        for kind, each in (needs_all or {"test": False}).items()
    ]
    findings += [_of_other_tests(case, about) for about in others]
    return max(findings, key=_badness)


def _of_other_tests(case: Case, about: tuple[str, ...]) -> Finding:
    """By the runs that had these tests: integration, end-to-end …; a narrowed one has to name them."""
    runs = check_history.runs_of_kind(case.checks, "test")
    had = [
        run
        for run in runs
        if coverage.is_whole(run, case.tree, case.root) or check_history.names_one_of(run, about)
    ]
    if had or not runs:
        return _judge_runs(case, had, "test")
    why = f"{check_history.describe(runs[-1])}; no run of {about[0]} tests was observed"
    return Finding("UNVERIFIED", why, check=runs[-1])


def _badness(finding: Finding) -> tuple[int, bool]:
    has_failed = finding.check is not None and finding.check["passed"] is False
    return ("VERIFIED", "STALE", "UNVERIFIED", "CONTRADICTED").index(finding.verdict), has_failed


def _without_work(case: Case) -> str:
    if case.subject.is_carried:
        return "it was complete before anything was observed"
    if case.subject.changed:
        return f"only documents changed ({case.subject.changed[0]}), which no check covers"
    return "nothing was observed for or against it"


def _by_verification(case: Case) -> Finding | None:
    """By the commands that the step names as its verification; None if no run of one is known."""
    named = named_commands(case.subject.fields["verification"])
    runs = [
        [run for run in case.checks if bare_command(run["command"]) == wanted]
        for wanted in dict.fromkeys(filter(None, map(bare_command, named)))
    ]
    findings = [_judge_runs(case, each) for each in runs if each]
    return max(findings, key=_badness) if findings else None


def _by_kind(case: Case, kind: str, *, needs_all: bool, needs_reach: bool) -> Finding:
    runs = check_history.runs_of_kind(case.checks, kind)
    if kind == "build" and not runs:
        runs = check_history.runs_that_built(case.checks)
    if needs_all and kind == "test":
        narrow = [
            run
            for run in runs
            if run["passed"] is True and not coverage.is_whole(run, case.tree, case.root)
        ]
        runs = [run for run in runs if run not in narrow]
        if narrow and not runs:
            why = f"{check_history.describe(narrow[-1])}; no run of the rest was observed"
            return Finding("UNVERIFIED", why, check=narrow[-1])
    return _judge_runs(case, runs, kind, needs_reach=needs_reach and kind == "test")


def _judge_runs(
    case: Case, runs: Sequence[Run], kind: str = "", *, needs_reach: bool = False
) -> Finding:
    """The verdict from the runs of one kind."""
    failed = [run for run, _ in check_history.remaining_failures(runs)]
    if failed:
        stale = _was_true(case, runs, failed[-1])
        if stale is not None:
            return stale
        gone = _left_out_since(case, failed[-1], runs)
        if gone is not None:
            return gone
        alone = check_history.have_passed_apart(failed[-1], _after(case.checks, failed[-1]))
        rest = "what failed passed alone since" if alone else "it has not passed since"
        why = f"{check_history.describe(failed[-1])}; {rest}"
        command = check_history.rerun_command(failed[-1], case.work["root"])
        return Finding("UNVERIFIED", why, command=command, check=failed[-1])
    passed = [run for run in runs if run["passed"] is True and run["seq"] >= case.subject.start]
    if not passed:
        return Finding("UNVERIFIED", _none_passed(case, runs, kind))
    findings = [_compare_with_tree(case, run) for run in reversed(passed[-MAX_COMPARED:])]
    best = min(findings, key=_badness)
    if needs_reach and best.verdict == "VERIFIED":
        best = _unless_missed(case, best, findings)
    return _unless_weakened(case, best, best.check or passed[-1])


def _left_out_since(case: Case, failed: Run, runs: Sequence[Run]) -> Finding | None:
    """What failed was left out of a later run, by whatever runner, and is not told."""
    passed = [run for run in _after(runs, failed) if run["passed"] is True]
    doubt = hollow.doubt(case, passed[-1]) if passed else None
    if doubt is None or not doubt.is_gone:
        return None
    why = f"{check_history.describe(passed[-1])}, but {doubt.why}"
    return Finding("CONTRADICTED", why, check=passed[-1], is_hollow=True)


def _after(runs: Sequence[Run], run: Run) -> list[Run]:
    return [each for each in runs if each["seq"] > run["seq"]]


def _unless_missed(case: Case, best: Finding, findings: Sequence[Finding]) -> Finding:
    """The finding, unless no fresh run reached a file that the step changed."""
    fresh = [each.check for each in findings if each.verdict == "VERIFIED" and each.check]
    changed = case.subject.changed or [
        path for path, each in case.files.items() if each["seq"] <= case.subject.end
    ]
    code = [path for path in check_history.covered(changed) if coverage.is_code(path)]
    missed = coverage.missed(case, code, fresh)
    if not missed:
        return best
    stale = next((each for each in findings if each.verdict == "STALE"), None)
    if stale and stale.check and not coverage.missed(case, missed, [stale.check]):
        return stale
    what = ", ".join(missed[:MAX_BESIDE])
    why = f"{check_history.describe(best.check)}; " if best.check else ""
    return best._replace(verdict="UNVERIFIED", why=f"{why}no run was observed that reached {what}")


def _was_true(case: Case, runs: Sequence[Run], failed: Run) -> Finding | None:
    """STALE if a check supported the claim, and files changed before the check failed."""
    start, end = case.subject.start, case.subject.end
    before = [run for run in runs if run["passed"] is True and start <= run["seq"] <= end]
    finding = _compare_with_tree(case, before[-1]) if before and failed["seq"] > end else None
    if finding is None or finding.verdict != "STALE":
        return None
    return finding._replace(why=f"{finding.why}; {check_history.describe(failed)}")


def _none_passed(case: Case, runs: Sequence[Run], kind: str) -> str:
    name = {"test": "test run", "types": "type check", "format": "format check", "": "check"}.get(
        kind, kind
    )
    recent = [run for run in runs if run["seq"] >= case.subject.start]
    if not recent:
        return f"no {name} was observed in this step"
    doubt = recent[-1].get("doubt")
    return check_history.describe(recent[-1]) + (f"; {doubt}" if doubt else "")


def _compare_with_tree(case: Case, run: Run) -> Finding:
    """The verdict from a passed run and what changed since."""
    text = check_history.describe(run)
    changed = case.tree.changed(run["look"])
    if changed is None:
        changed = case.written_after(run["seq"])
        if not changed:
            why = run["look_why"] or "what changed since is unknown"
            return Finding("UNVERIFIED", f"{text}; {why}", check=run)
    folder = case.tree.unit(coverage.folder_of(run, case.root))
    covered = check_history.covered(changed, folder, reads=run["command"])
    files = tuple(sorted({*covered, *_written_meanwhile(case, run)}))
    if not files:
        return Finding("VERIFIED", f"{text}; nothing changed since", check=run)
    return Finding(
        "STALE",
        f"{text}{check_history.of_task(run)}; {check_history.changed_since(files, run)}",
        files=files,
        command=check_history.rerun_command(run, case.work["root"]),
        check=run,
    )


def _written_meanwhile(case: Case, run: Run) -> tuple[str, ...]:
    """What was written while the check ran, which may have read the file before."""
    end, duration = timestamps.parse(run["at"]), run["duration_ms"]
    if end is None or duration is None:
        return ()
    start = end - timedelta(milliseconds=duration)
    times = {
        path: timestamps.parse(each["at"])
        for path, each in case.files.items()
        if each["by"] != "tree"
    }
    return check_history.covered(path for path, at in times.items() if at and start <= at <= end)


# -- weakened checks -------------------------------------------------------------------------------

_NOT_TESTS = ("lint", "types", "format")
_OF_TESTS = ("test", "assertion", "failure_ignored", "check_removed", "snapshots_regenerated")
_OF_LINT = ("checks_", "failure_ignored", "check_removed")
"""How the kinds of weakening begin that concern tests, and those that concern the other checks."""


def _unless_weakened(case: Case, finding: Finding, run: Run) -> Finding:
    if finding.verdict != "VERIFIED":
        return finding
    weakened = weakened_checks(case, run["kind"] or "test", run)
    text, is_hollow = check_history.describe(run), not hollow.discloses(case)
    doubt = hollow.doubt(case, run)
    if doubt is not None:
        bad = finding._replace(why=f"{text}, but {doubt.why}", beside=weakened, is_hollow=True)
        return bad._replace(verdict="CONTRADICTED" if doubt.is_gone else "UNVERIFIED")
    if not weakened:
        return finding
    what = "checks were" if run["kind"] in _NOT_TESTS else "tests were"
    why = f"{text}, after {what} weakened"
    return finding._replace(verdict="UNVERIFIED", why=why, beside=weakened, is_hollow=is_hollow)


def weakened_checks(case: Case, kind: str, run: Run | None = None) -> tuple[str, ...]:
    """What was weakened and not restored, as text; of commands only what ``run`` itself left out."""
    kinds = _OF_LINT if kind in _NOT_TESTS else _OF_TESTS
    weakened = []
    for each in case.work["tampering"].values():
        is_of_kind = str(each.get("kind")).startswith(kinds)
        is_of_run = each.get("seen") != "command" or (run and _is_same_call(each, run))
        if is_of_kind and is_of_run:
            weakened.append(tamper_model.describe(each))
    return tuple(weakened[-MAX_BESIDE:])


def _is_same_call(each: WeakenedCheck, run: Run) -> bool:
    one, other = timestamps.parse(each.get("at")), timestamps.parse(run["at"])
    if one is None or other is None:
        return False
    return abs((one - other).total_seconds()) <= SAME_CALL_SECONDS


# end of module
