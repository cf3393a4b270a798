"""A scan of the whole project for work that is worth doing (GE-3).

Owns the parts of a scan, their order and the time limit. Does not own the analysis of a file
(``patrol.analysis``), a finding's shape and rank (``patrol.findings``) or a person's decision about one
(``sessions.decisions``).
"""

from __future__ import annotations

import os
import re
import time
from collections import deque

from operators_edge.datetimes import timedelta
from operators_edge.errors import EdgeError
from operators_edge.evidence.claims import service as claims_service
from operators_edge.evidence.claims.tree_facts import ProjectTreeFacts
from operators_edge.git.commands import Budget
from operators_edge.git.history import churn
from operators_edge.patrol import code_findings, findings, manifests, state_findings
from operators_edge.patrol.analysis import workers
from operators_edge.patrol.analysis.coverage import coverage
from operators_edge.patrol.analysis.listing import listing
from operators_edge.patrol.findings import BUDGET_SECONDS
from operators_edge.patrol.store import AnalysisCache
from operators_edge.redaction.redact import redact
from operators_edge.storage import archive
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.model import State
    from operators_edge.patrol.analysis.workers import Worker
    from operators_edge.patrol.code_findings import File
    from operators_edge.patrol.findings import Finding
    from operators_edge.patrol.state_findings import Audit
    from operators_edge.project import Project

_MAX_NAMED = 3
"""Names in one sentence about skipped files."""

_MAX_UNREAD = 20
"""After so many files without a result the rest is skipped."""


class Scan(NamedTuple):
    """The findings, the most important first. ``skipped``: a sentence for each thing that was not scanned,
    with the reason; if it is empty, the scan is complete. ``files``: how many files were analysed.
    """

    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]
    files: int
    seconds: float


def scan(
    project: Project,
    state: State,
    *,
    budget: float = BUDGET_SECONDS,
    env: Mapping[str, str] = os.environ,
) -> Scan:
    """Scan the project, for at most ``budget`` seconds. Writes nothing but the cache for the next scan.

    The project's record comes first, because it is cheap; then the files, those that change most often
    first. What cannot be scanned is reported, and the rest continues (GE-6).
    """
    started = time.monotonic()
    secrets = project.secrets(env)
    run = _ScanRun(project, state, Budget(budget), secrets)
    run.scan_record()
    run.scan_files()
    found = [_without_secrets(each, secrets) for each in findings.ranked(run.findings)]
    return Scan(tuple(found), tuple(run.skipped), run.files, time.monotonic() - started)


def _without_secrets(each: Finding, secrets: Iterable[str]) -> Finding:
    """Redact it: comments and code may contain secrets, and a finding goes to the state and the agent."""
    return each._replace(
        title=redact(each.title, values=secrets),
        description=redact(each.description, values=secrets),
        suggested_action=redact(each.suggested_action, values=secrets),
    )


class _ScanRun:
    """One scan in progress."""

    def __init__(
        self, project: Project, state: State, budget: Budget, secrets: tuple[str, ...]
    ) -> None:
        self.project = project
        self.state = state
        self.budget = budget
        self.secrets = secrets
        self.cache = AnalysisCache(project.root, workers.version(), clock=project.clock)
        self.findings: list[Finding] = []
        self.skipped: list[str] = []
        self.files = 0
        self.unread_files: dict[str, list[str]] = {}

    # -- the record --------------------------------------------------------------------------------

    def scan_record(self) -> None:
        self._add_findings("mismatches", self._mismatches)
        self._add_findings("eval runs", self._failed_invariants)
        self._add_findings("claims", self._unproven_claims)
        self._add_findings("checks", self._checks)

    def _add_findings(self, name: str, read: Callable[[], Iterable[Finding]]) -> None:
        """Add the findings of one part of the record; if it cannot be read, that is reported."""
        try:
            self.findings += list(read())
        except (EdgeError, OSError) as error:
            self.skipped.append(f"{name} were not scanned: {one_line(error, 200)}")

    def _mismatches(self) -> Iterable[Finding]:
        content = archive.read(self.project.root)
        if content.problems:
            damaged = many(len(content.problems), "line")
            self.skipped.append(f"{damaged} of the archive could not be read")
        return state_findings.recurring(self.state, content.entries)

    def _failed_invariants(self) -> Iterable[Finding]:
        return state_findings.failed_invariants(self.state, self.project.evidence.work()["evals"])

    def _unproven_claims(self) -> Iterable[Finding]:
        claims = claims_service.claims_of(self.project, self.state)
        return state_findings.unproven_claims(claims)

    def _checks(self) -> Iterable[Finding]:
        work = self.project.evidence.work()
        yield from state_findings.flaky_checks(work["checks"])
        last = state_findings.last_passed_tests(work["checks"])
        if last is not None:
            changed = ProjectTreeFacts(self.project, work).changed(last["look"])
            yield from state_findings.untested_changes(last, sorted(changed or ()))

    # -- the files ---------------------------------------------------------------------------------

    def scan_files(self) -> None:
        root = self.project.root
        listed = listing(root, self.budget)
        self.skipped += listed.skipped
        since = self.project.clock() - timedelta(days=code_findings.DAYS)
        changes = churn(root, since, self.budget)
        if changes.why:
            self.skipped.append(f"how often files change is unknown: {changes.why}")
        covered = coverage(root, listed.paths, self.budget)
        self.skipped += covered.problems
        # Tests first: a missing test is only certain once all tests were read.
        order = sorted(
            listed.paths,
            key=lambda path: (
                not code_findings.is_test(path),
                -changes.counts.get(path, 0),
                path,
            ),
        )
        with workers.Worker() as worker:
            files = self._analyse_files(worker, order)
            self._audit_lessons(worker, [file.path for file in files])
        self.files = len(files)
        self.cache.save(order)
        self.findings += code_findings.file_findings(files, changes.counts, covered.files)
        self.findings += manifests.inconsistencies(self._manifests(listed.paths))
        if oldest := _oldest_python(root):
            self.findings += code_findings.old_branches(files, oldest)
        read = {file.path for file in files}
        unread = [path for path in order if code_findings.is_test(path) and path not in read]
        if unread or not listed.is_whole:
            why = f"without reading {_name_list(unread)}" if unread else "without all files"
            self.skipped.append(f"missing tests cannot be determined {why}")
        else:
            self.findings += code_findings.without_tests(files, changes.counts, covered.files)

    def _manifests(self, paths: Iterable[str]) -> dict[str, str]:
        """The texts of the files that name versions; what cannot be read is said."""
        named = (each for each in paths if manifests.is_named(each))
        texts = {}
        for path in (*manifests.NAMES, *named):
            try:
                full = os.path.join(self.project.root, path)
                with open(full, encoding="utf-8", errors="replace") as file:
                    texts[path] = file.read(_MAX_MANIFEST)
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                continue
            except OSError as error:
                self.skipped.append(f"{path}: {error.strerror or error}")
        return texts

    def _analyse_files(self, worker: Worker, order: Sequence[str]) -> list[File]:
        """Analyse each file; those that failed in an earlier scan come last."""
        files: list[File] = []
        waiting, postponed = deque(order), set[str]()
        while waiting and self.budget.left and self._unread() < _MAX_UNREAD:
            path = waiting.popleft()
            facts = self._file_facts(worker, path, is_postponed=path in postponed)
            if facts is None:
                postponed.add(path)
                waiting.append(path)
            elif "unread" in facts:
                self.unread_files.setdefault(str(facts["unread"]), []).append(path)
            else:
                files.append(_file(path, facts))
        if waiting:
            why = "too many could not be read" if self.budget.left else "the time limit was reached"
            self.skipped.append(f"{why}: {len(waiting):,} of {len(order):,} files left")
        self.skipped += [
            f"not read ({why}): {_name_list(paths)}" for why, paths in self.unread_files.items()
        ]
        return files

    def _unread(self) -> int:
        return sum(map(len, self.unread_files.values()))

    def _file_facts(
        self, worker: Worker, path: str, *, is_postponed: bool
    ) -> dict[str, Any] | None:
        """The facts of one file, from the cache if it is unchanged; {"unread": reason} if it could not be
        analysed. None if it is postponed, or the time is up.
        """
        is_test = code_findings.is_test(path)
        stamp = self.cache.stamp(path, "test" if is_test else "")
        cached = self.cache.facts(path, stamp)
        if cached is not None and "unread" not in cached:
            return cached
        if cached is not None and not is_postponed:
            return None
        whole = os.path.join(self.project.root, path)
        facts = self._analysed(worker, {"path": whole, "name": path, "is_test": is_test})
        if facts is not None and self.cache.stamp(path, "test" if is_test else "") == stamp:
            self.cache.add(path, stamp, facts, secrets=self.secrets)
        return facts

    def _analysed(self, worker: Worker, question: dict[str, Any]) -> dict[str, Any] | None:
        """Analyse one file now; {"unread": reason} if that failed, None if the time is up."""
        try:
            facts: dict[str, Any] = worker.ask(question, min(workers.MAX_SECONDS, self.budget.left))
        except workers.NoAnswer as error:
            return {"unread": str(error)} if self.budget.left else None
        return facts

    def _audit_lessons(self, worker: Worker, paths: Sequence[str]) -> None:
        """Find violations of lessons with a pattern, in at most three files each."""
        audits, problems = state_findings.audits(self.state)
        self.skipped += problems
        for audit in audits:
            try:
                self._audit(worker, audit, [path for path in paths if audit.concerns(path)])
            except workers.NoAnswer as error:
                self.skipped.append(
                    f"lesson {audit.number}: its pattern was not searched further: {error}"
                )

    def _audit(self, worker: Worker, audit: Audit, paths: Sequence[str]) -> None:
        hits = 0
        for path in paths:
            if not self.budget.left:
                raise workers.NoAnswer("the time limit was reached")
            question = {
                "path": os.path.join(self.project.root, path),
                "pattern": audit.pattern,
            }
            answer = worker.ask(question, min(workers.MAX_SECONDS, self.budget.left))
            if isinstance(answer, list) and answer:
                lines = [(int(number), str(text)) for number, text in answer]
                self.findings.append(state_findings.violation(audit, path, lines))
                hits += 1
            if hits == _MAX_NAMED:
                return


_MAX_MANIFEST = 4_000_000


def _oldest_python(root: str) -> tuple[int, int] | None:
    """The oldest Python that the project says it supports; None if it says nothing."""
    for name in ("pyproject.toml", "setup.cfg", "setup.py"):
        try:
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
                found = _REQUIRES_PYTHON.search(file.read(_MAX_SETTINGS))
        except OSError:
            continue
        if found:
            return int(found[1]), int(found[2])
    return None


_REQUIRES_PYTHON = re.compile(
    r"(?:requires-python|python_requires)\s*=\s*[\"']?\s*>=\s*(\d)\.(\d+)"
)
_MAX_SETTINGS = 200_000


def _file(path: str, facts: dict[str, Any]) -> File:
    return code_findings.File(
        path,
        facts.get("lines", 0),
        tuple((line, word, text) for line, word, text in facts.get("markers", ())),
        tuple((name, line, ways) for name, line, ways in facts.get("functions", ())),
        tuple((line, how, name, why) for line, how, name, why in facts.get("skips", ())),
        tuple((line, (major, minor)) for line, major, minor in facts.get("compat", ())),
        words=frozenset(map(str.lower, facts.get("words", ()))),
        has_tests=facts.get("inline", False),
        matches=tuple((line, kind, why) for line, kind, why in facts.get("matches", ())),
        exports=tuple((line, name) for line, name in facts.get("exports", ())),
    )


def _name_list(paths: Sequence[str]) -> str:
    """Up to three names, and how many more there are."""
    more = f" and {len(paths) - _MAX_NAMED:,} more" if len(paths) > _MAX_NAMED else ""
    return ", ".join(one_line(path, 80) for path in paths[:_MAX_NAMED]) + more


# end of module
