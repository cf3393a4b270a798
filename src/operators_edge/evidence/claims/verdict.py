"""The verdict on a claim that nothing contradicts: verified, stale, or unverified.

Pure. A check supports a step if it passed during or after it and nothing that it covers has changed since, by
content. A check whose tests were weakened supports nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from operators_edge.evidence.checks.run import bare_command
from operators_edge.evidence.claims import check_claims, check_history
from operators_edge.evidence.claims.model import Finding
from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.text import timestamps
from operators_edge.text.wording import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Case

MAX_COMPARED = 3
"""Passed runs that are compared with the tree, the latest first: each costs a call of git."""

MAX_BESIDE = 3
SAME_CALL_SECONDS = 2

_BADNESS: dict[str, int] = {"UNVERIFIED": 2, "STALE": 1, "VERIFIED": 0}


def from_runs(case: Case) -> Finding:
    """The verdict on a claim that nothing contradicts."""
    subject = case.subject
    expects_failure = check_claims.expects_failure(subject.text)
    claims = [
        claim
        for field, text in subject.fields
        for claim in check_claims.claims_in(text, field, expects_failure=expects_failure)
    ]
    kinds = list(dict.fromkeys("test" if each.kind == "any" else each.kind for each in claims))
    written = [*subject.files, *subject.tree_files]
    verified = _by_verification(case)
    if verified is not None and verified.verdict != "UNVERIFIED":
        return verified
    if not kinds and not check_history.covered(written):
        return verified or Finding("UNVERIFIED", _without_work(case, written))
    needs_all = any(each.kind in ("test", "any") and not each.about for each in claims)
    findings = [_by_kind(case, kind, needs_all=needs_all) for kind in kinds or ["test"]]
    return max(findings, key=lambda each: (_BADNESS[each.verdict], _has_failed(each)))


def _has_failed(finding: Finding) -> bool:
    return finding.check is not None and finding.check["passed"] is False


def _without_work(case: Case, written: Sequence[str]) -> str:
    if case.subject.is_carried:
        return "it was complete before anything was observed"
    if written:
        return f"only documents changed ({written[0]}), which no check covers"
    actions = case.subject.seen["actions"] if case.subject.seen else 0
    if not actions:
        return "nothing was observed for or against it"
    return f"no tool wrote a file in this step ({many(actions, 'tool use')} observed)"


def _by_verification(case: Case) -> Finding | None:
    """By the command that the step names as its verification; None if no run of it is known."""
    wanted = bare_command(case.subject.verification)
    runs = [run for run in case.checks if wanted and bare_command(run["command"]) == wanted]
    return _judge_runs(case, runs) if runs else None


def _by_kind(case: Case, kind: str, *, needs_all: bool) -> Finding:
    runs = check_history.runs_of_kind(case.checks, kind)
    if needs_all and kind == "test":
        narrow = [run for run in runs if run["passed"] is True and not check_history.is_whole(run)]
        runs = [run for run in runs if run not in narrow]
        if narrow and not runs:
            why = f"{check_history.describe(narrow[-1])}; no run of the rest was observed"
            return Finding("UNVERIFIED", why, check=narrow[-1])
    return _judge_runs(case, runs, kind)


def _judge_runs(case: Case, runs: Sequence[Run], kind: str = "") -> Finding:
    """The verdict from the runs of one kind."""
    failed = [run for run, _ in check_history.remaining_failures(runs)]
    if failed:
        stale = _was_true(case, runs, failed[-1])
        if stale is not None:
            return stale
        why = f"{check_history.describe(failed[-1])}; it has not passed since"
        command = check_history.rerun_command(failed[-1], case.work["root"])
        return Finding("UNVERIFIED", why, command=command, check=failed[-1])
    passed = [run for run in runs if run["passed"] is True and run["seq"] >= case.subject.start]
    if not passed:
        return Finding("UNVERIFIED", _none_passed(case, runs, kind))
    findings = [_compare_with_tree(case, run) for run in reversed(passed[-MAX_COMPARED:])]
    best = min(findings, key=lambda each: _BADNESS[each.verdict])
    return _unless_weakened(case, best) if best.verdict == "VERIFIED" else best


def _was_true(case: Case, runs: Sequence[Run], failed: Run) -> Finding | None:
    """STALE if a check supported the claim, and files changed before the check failed."""
    end = case.subject.end
    if end is None or failed["seq"] <= end:
        return None
    before = [
        run for run in runs if run["passed"] is True and case.subject.start <= run["seq"] <= end
    ]
    finding = _compare_with_tree(case, before[-1]) if before else None
    if finding is None or finding.verdict != "STALE":
        return None
    return finding._replace(why=f"{finding.why}; {check_history.describe(failed)}")


def _none_passed(case: Case, runs: Sequence[Run], kind: str) -> str:
    name = {"test": "test run", "types": "type check", "format": "format check", "": "check"}.get(
        kind, kind
    )
    recent = [run for run in runs if run["seq"] >= case.subject.start]
    if recent:
        doubt = recent[-1].get("doubt")
        return check_history.describe(recent[-1]) + (f"; {doubt}" if doubt else "")
    if runs:
        return f"the last {name} was before this step, at log {runs[-1]['seq']}"
    changed = case.subject.files or case.subject.tree_files
    did = f"{many(len(changed), 'file')} changed; " if changed else ""
    return f"{did}no {name} was observed"


def _compare_with_tree(case: Case, run: Run) -> Finding:
    """The verdict from a passed run and what changed since."""
    text = check_history.describe(run)
    changed = case.tree.changed(run["look"])
    if changed is None:
        changed = _written_after(case, run)
        if not changed:
            why = run["look_why"] or "what changed since is unknown"
            return Finding("UNVERIFIED", f"{text}; {why}", check=run)
    folder = case.tree.unit(run["cwd"] or "")
    covered = check_history.covered(changed, folder)
    files = tuple(sorted({*covered, *_written_meanwhile(case, run)}))
    if not files:
        return Finding("VERIFIED", f"{text}; nothing changed since", check=run)
    return Finding(
        "STALE",
        f"{text}; {check_history.changed_since(files)}",
        files=files,
        command=check_history.rerun_command(run, case.work["root"]),
        check=run,
    )


def _written_after(case: Case, run: Run) -> tuple[str, ...]:
    return tuple(path for path, each in case.files.items() if each["seq"] > run["seq"])


def _written_meanwhile(case: Case, run: Run) -> tuple[str, ...]:
    """What was written while the check ran, which may have read the file before."""
    end, duration = timestamps.parse(run["at"]), run["duration_ms"]
    if end is None or duration is None:
        return ()
    start = end - timedelta(milliseconds=duration)
    written = []
    for path, each in case.files.items():
        at = timestamps.parse(each["at"])
        if at is not None and each["by"] != "tree" and start <= at <= end:
            written.append(path)
    return check_history.covered(written)


# -- weakened checks -------------------------------------------------------------------------------

_OF_TESTS = frozenset(
    [
        "test_file_deleted",
        "test_deleted",
        "test_skipped",
        "test_focused",
        "assertion_removed",
        "assertion_weakened",
        "failure_ignored",
        "tests_deselected",
        "check_removed",
        "snapshots_regenerated",
    ]
)
_NOT_TESTS = ("lint", "types", "format")
_OF_LINT = frozenset(["checks_loosened", "checks_suppressed", "failure_ignored", "check_removed"])


def _unless_weakened(case: Case, finding: Finding) -> Finding:
    run = finding.check
    if run is None:
        return finding
    weakened = weakened_checks(case, run["kind"] or "test", run)
    if not weakened:
        return finding
    what = "checks were" if run["kind"] in _NOT_TESTS else "tests were"
    why = f"{check_history.describe(run)}, after {what} weakened"
    return finding._replace(verdict="UNVERIFIED", why=why, beside=weakened)


def weakened_checks(case: Case, kind: str, run: Run | None = None) -> tuple[str, ...]:
    """What was weakened and not restored, as text; of commands only what ``run`` itself left out."""
    kinds = _OF_LINT if kind in _NOT_TESTS else _OF_TESTS
    weakened = []
    for each in case.work["tampering"].values():
        if each.get("severity") == "low" or each.get("kind") not in kinds:
            continue
        if each.get("seen") == "command" and (run is None or not _is_same_call(each, run)):
            continue
        weakened.append(tamper_model.describe(each))
    return tuple(weakened[-MAX_BESIDE:])


def _is_same_call(each: dict[str, Any], run: Run) -> bool:
    one, other = timestamps.parse(each.get("at")), timestamps.parse(run["at"])
    if one is None or other is None:
        return False
    return abs((one - other).total_seconds()) <= SAME_CALL_SECONDS
