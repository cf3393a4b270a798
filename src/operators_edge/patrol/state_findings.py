"""Findings from the project's record: recurring mismatches, failed invariants, unproven claims, and code that
violates a lesson.

Pure. Owns which of these are findings. Does not own the record or the verdict on a claim
(``evidence.claims.judge``).
"""

from __future__ import annotations

import re
from fnmatch import translate

from operators_edge.evidence.tamper import test_cases
from operators_edge.patrol.findings import Finding, finding
from operators_edge.quality import evals
from operators_edge.state import lesson as lessons
from operators_edge.text.wording import as_text, many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Claim
    from operators_edge.model import State
    from operators_edge.patrol.findings import Priority

RECURRING = 2
"""Mismatches with one cause from which on they are a pattern."""

MANY_TIMES = 4
MAX_AUDITS = 5
"""Lessons whose pattern is searched for, the most reinforced first."""

_URGENT_FROM = 3
"""Reinforcements from which on the violation of a lesson is urgent."""

_RECORD_BONUS = 20
"""What contradicts the record comes before what could be better."""

_CAUSES = ("suspected_cause", "cause", "trigger", "delta", "observation")
_CHANGING = re.compile(r"0x[0-9a-f]+|\d+|['\"`].*?['\"`]|(?:\.{0,2}/)?(?:[\w.-]+/)+[\w.-]+")
_VERDICTS: dict[str, tuple[Priority, str]] = {
    "CONTRADICTED": (
        "high",
        "Check the evidence against it, then fix the work or reopen the step.",
    ),
    "STALE": ("medium", "Run its check again."),
    "UNVERIFIED": ("medium", "Run a check that covers it, or reopen the step."),
}


class Audit(NamedTuple):
    """A lesson with a pattern that matches code violating it."""

    number: int
    key: str
    lesson: str
    pattern: str
    scope: tuple[str, ...]
    reinforced: int

    def concerns(self, path: str) -> bool:
        return not self.scope or any(_matches_glob(each, path) for each in self.scope)


# -- mismatches ------------------------------------------------------------------------------------


def recurring(state: State, archive: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """Mismatches with one cause that occurred more than once, resolved and archived ones included."""
    listed = state.get("mismatches")
    open_ones = [each for each in listed if each] if isinstance(listed, list) else []
    ids = {_ident(each) for each in open_ones} - {""}
    past = [
        each
        for each in archive
        if each.get("type") == "resolved_mismatch" and _ident(each) not in ids
    ]
    groups: dict[str, list[str]] = {}
    for each in (*past, *open_ones):
        text = _cause(each)
        key = " ".join(_CHANGING.sub("…", text.casefold()).split())
        if key.strip("… "):
            groups.setdefault(key, []).append(text)
    for key, texts in groups.items():
        if len(texts) < RECURRING:
            continue
        yield finding(
            "recurring_mismatch",
            "state_patterns",
            "high" if len(texts) >= MANY_TIMES else "medium",
            f"{one_line(texts[-1], 70)} ({len(texts)} times)",
            f"Mismatches with the same cause, {len(texts)} times so far: {one_line(texts[-1], 200)}",
            subject=key,
            metric="times",
            value=len(texts),
            threshold=RECURRING,
            action="Remove the cause, or add a constraint that prevents it.",
            bonus=_RECORD_BONUS,
        )


def _ident(entry: Any) -> str:
    return as_text(entry.get("mismatch_id") or entry.get("id")) if isinstance(entry, dict) else ""


def _cause(entry: Any) -> str:
    if not isinstance(entry, dict):
        return as_text(entry)
    learned = entry.get("lesson_extracted")
    if isinstance(learned, dict) and as_text(learned.get("trigger")):
        return as_text(learned["trigger"])
    return next((text for name in _CAUSES if (text := as_text(entry.get(name)))), "")


# -- invariants and claims -------------------------------------------------------------------------


def failed_invariants(state: State, runs: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Each invariant that failed in the latest run that checked invariants."""
    if evals.is_off(state):
        return
    latest: Mapping[str, Any] = next(
        (each for each in reversed(runs) if "invariants_failed" in each), {}
    )
    for name in dict.fromkeys(evals.failed_in(latest)):
        yield finding(
            "failed_invariant",
            "state_patterns",
            "high",
            f"Invariant {one_line(name, 60)} failed in the last eval run",
            "The state was changed in a way that is not allowed.",
            subject=name,
            action="Run: edge eval status",
            bonus=_RECORD_BONUS,
        )


def unproven_claims(claims: Iterable[Claim]) -> Iterator[Finding]:
    """Completed steps that the evidence does not support; the title can be the next objective (GE-3)."""
    for claim in claims:
        if claim.verdict not in _VERDICTS:
            continue
        priority, action = _VERDICTS[claim.verdict]
        yield finding(
            "unverified_claim",
            "state_patterns",
            priority,
            f"Verify step {claim.step}: {one_line(claim.text, 60)}",
            f"{claim.verdict}: {claim.why}",
            subject=claim.key,
            action=f"Run: {claim.command}" if claim.command else action,
            bonus=_RECORD_BONUS,
        )


# -- checks ----------------------------------------------------------------------------------------


def flaky_checks(runs: Sequence[Run]) -> Iterator[Finding]:
    """A check that failed and passed although nothing was changed between the two runs."""
    last: dict[tuple[str, str | None], Run] = {}
    told = set()
    for run in runs:
        key, look = (run["command"], run["cwd"]), run["look"]
        before = last.get(key)
        last[key] = run
        if before is None or look is None or before["look"] is None or key in told:
            continue
        is_same = before["look"]["digest"] == look["digest"]
        if is_same and {before["passed"], run["passed"]} == {True, False}:
            told.add(key)
            failed = (before if before["passed"] is False else run).get("failed") or []
            names = f": {', '.join(failed[:3])}" if failed else ""
            yield finding(
                "flaky_check",
                "missing_tests",
                "high",
                f"{run['name']} failed and passed without a change{names}",
                f"at log {before['seq']} and {run['seq']}: {one_line(run['command'], 160)}",
                subject=f"{key}",
                action="Find what it depends on: time, order, network, another test.",
                bonus=_RECORD_BONUS,
            )


def last_passed_tests(runs: Sequence[Run]) -> Run | None:
    """The last run of tests that passed."""
    return next((run for run in reversed(runs) if run["kind"] == "test" and run["passed"]), None)


def untested_changes(last: Run, changed: Iterable[str]) -> Iterator[Finding]:
    """Code among the files that ``changed`` since tests passed for the last time."""
    code = [path for path in changed if test_cases.language(path) or _CODE.search(path)]
    if code:
        yield finding(
            "untested_change",
            "missing_tests",
            "high",
            f"{many(len(code), 'file')} changed since the tests passed: {', '.join(code[:3])}",
            f"{last['name']} passed at log {last['seq']}",
            subject="untested",
            action=f"Run: {one_line(last['command'], 160)}",
            bonus=_RECORD_BONUS,
        )


_CODE = re.compile(
    r"\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|sh|sql)$"
)


# -- lessons ---------------------------------------------------------------------------------------


def audits(state: State) -> tuple[tuple[Audit, ...], tuple[str, ...]]:
    """The lessons whose pattern is searched for, and a sentence for each pattern that cannot be."""
    found, problems = [], []
    for number, each in enumerate(lessons.listed(state.get("memory")), 1):
        pattern = each.get("audit_pattern")
        if not pattern:
            continue
        try:
            re.compile(str(pattern))
        except (re.error, RecursionError, OverflowError) as error:
            problems.append(
                f"lesson {number}: its audit_pattern is not a regular expression: {error}"
            )
            continue
        scope = each.get("audit_scope")
        globs = scope if isinstance(scope, list) else [scope] if scope else []
        found.append(
            Audit(
                number,
                lessons.key_of(each),
                each["lesson"],
                str(pattern),
                tuple(str(glob) for glob in globs if glob),
                lessons.reinforced(each),
            )
        )
    found.sort(key=lambda audit: (-audit.reinforced, audit.number))
    if len(found) > MAX_AUDITS:
        left_out = many(len(found) - MAX_AUDITS, "lesson")
        problems.append(
            f"{left_out} with an audit_pattern: only the first {MAX_AUDITS} are searched for"
        )
    return tuple(found[:MAX_AUDITS]), tuple(problems)


def violation(audit: Audit, path: str, hits: Sequence[tuple[int, str]]) -> Finding:
    """Code in one file that violates a lesson."""
    line, text = hits[0]
    more = f", and {many(len(hits) - 1, 'more line')}" if len(hits) > 1 else ""
    return finding(
        "lesson_violation",
        "code_quality",
        "high" if audit.reinforced >= _URGENT_FROM else "medium",
        f"{path} violates lesson {audit.number}",
        f"{one_line(audit.lesson, 160)}: {one_line(text, 120)}{more}",
        subject=audit.key,
        file=path,
        line=line,
        action="Change the code, or the lesson if it does not apply here.",
    )


def _matches_glob(glob: str, path: str) -> bool:
    """Whether a path matches a glob; one without a slash matches names in any folder."""
    if "/" not in glob:
        path = path.rpartition("/")[2]
    pattern = translate(glob.replace("**/", "*").replace("**", "*"))
    return re.match(pattern, path) is not None


# end of module
