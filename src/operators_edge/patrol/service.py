"""A look at the whole project for what is worth doing (GE-3).

Owns which looks are taken, in which order, and that they end in time. Does not own how a file is looked at
(``patrol.analysis``), a finding's shape and rank (``patrol.findings``) or what becomes of one
(``sessions.decisions``).
"""

from __future__ import annotations

import os
import time
from collections import deque
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.audit import archive
from operators_edge.errors import EdgeError
from operators_edge.evidence.claims import service as claims_service
from operators_edge.git.commands import Budget
from operators_edge.git.history import churn
from operators_edge.patrol import code_findings, findings, state_findings
from operators_edge.patrol.analysis import files as analysis_files, workers
from operators_edge.patrol.analysis.coverage import coverage
from operators_edge.patrol.analysis.listing import listing
from operators_edge.patrol.findings import BUDGET_SECONDS
from operators_edge.patrol.store import Measured
from operators_edge.redaction.redact import redact, secret_values
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from operators_edge.model import State
    from operators_edge.patrol.analysis.workers import Worker
    from operators_edge.patrol.code_findings import File
    from operators_edge.patrol.findings import Finding
    from operators_edge.patrol.state_findings import Audit
    from operators_edge.project import Project

_SHOWN = 3
"""Names that one sentence about what was skipped holds."""

_MOST_UNREAD = 20
"""Files that may give no answer before the rest is left alone."""


class Scan(NamedTuple):
    """What was found, the most important first. ``skipped``: a sentence for each thing that was not looked
    at, and why; without any the scan is whole. ``files`` were looked into.
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
    """Look at the project, for at most ``budget`` seconds. Writes nothing but what files held, for the
    next scan.

    What its own record says comes first, because it is cheap; then the files, those that change most often
    first. What cannot be looked at is said, and the rest goes on (GE-6).
    """
    begun = time.monotonic()
    secrets = secret_values(env)
    look = _Look(project, state, Budget(budget), secrets)
    look.at_record()
    look.at_files()
    found = [_without_secrets(each, secrets) for each in findings.ranked(look.found)]
    return Scan(tuple(found), tuple(look.skipped), look.files, time.monotonic() - begun)


def challenges(scan: Scan) -> list[str]:
    """Questions worth a brainstorm, at most five: "How might we …"."""
    return findings.challenges(scan.findings)


def _without_secrets(each: Finding, secrets: Iterable[str]) -> Finding:
    """A comment or a line of code may hold one, and a finding goes into the state and to the agent."""
    return each._replace(
        title=redact(each.title, values=secrets),
        description=redact(each.description, values=secrets),
        suggested_action=redact(each.suggested_action, values=secrets),
    )


class _Look:
    """One scan while it goes on."""

    def __init__(
        self, project: Project, state: State, budget: Budget, secrets: tuple[str, ...]
    ) -> None:
        self.project = project
        self.state = state
        self.budget = budget
        self.secrets = secrets
        self.kept = Measured(project.root, analysis_files.version(), clock=project.clock)
        self.found: list[Finding] = []
        self.skipped: list[str] = []
        self.files = 0
        self.unanswered: dict[str, list[str]] = {}

    # -- what the record says ----------------------------------------------------------------------

    def at_record(self) -> None:
        self._part("mismatches", self._mismatches)
        self._part("eval runs", self._evals)
        self._part("claims", self._claims)

    def _part(self, name: str, look: Callable[[], Iterable[Finding]]) -> None:
        """One look at the record; where that cannot be read, it is said, and the others go on."""
        try:
            self.found += look()
        except (EdgeError, OSError) as error:
            self.skipped.append(f"{name} were not looked at: {one_line(error, 200)}")

    def _mismatches(self) -> Iterable[Finding]:
        content = archive.read(self.project.root)
        if content.problems:
            damaged = many(len(content.problems), "line")
            self.skipped.append(f"{damaged} of the archive could not be read")
        return list(state_findings.recurring(self.state, content.entries))

    def _evals(self) -> Iterable[Finding]:
        return list(state_findings.invariants(self.state, self.project.evidence.work()["evals"]))

    def _claims(self) -> Iterable[Finding]:
        return list(state_findings.claimed(claims_service.claims_of(self.project, self.state)))

    # -- what the files say ------------------------------------------------------------------------

    def at_files(self) -> None:
        root = self.project.root
        listed = listing(root, self.budget)
        self.skipped += listed.skipped
        since = self.project.clock() - timedelta(days=code_findings.DAYS)
        changes = churn(root, since, self.budget)
        if changes.why:
            self.skipped.append(f"how often files change is not known: {changes.why}")
        covered = coverage(root, listed.paths, self.budget)
        self.skipped += covered.problems
        # Tests first: what has none can only be told once all of them were read.
        order = sorted(
            listed.paths,
            key=lambda path: (
                not code_findings.is_test(path),
                -changes.counts.get(path, 0),
                path,
            ),
        )
        with workers.Worker() as worker:
            files = self._measured(worker, order)
            self._lessons(worker, [file.path for file in files])
        self.files = len(files)
        self.kept.save(order)
        self.found += code_findings.of_files(files, changes.counts, covered.files)
        read = {file.path for file in files}
        unread = [path for path in order if code_findings.is_test(path) and path not in read]
        if unread or not listed.is_whole:
            why = f"without reading {_named(unread)}" if unread else "without all files"
            self.skipped.append(f"missing tests cannot be told {why}")
        else:
            self.found += code_findings.without_tests(files, changes.counts, covered.files)

    def _measured(self, worker: Worker, order: Sequence[str]) -> list[File]:
        """What each file holds; those that gave no answer to an earlier scan are asked after all others."""
        files: list[File] = []
        waiting, late = deque(order), set[str]()
        while waiting and self.budget.left and self._unread() < _MOST_UNREAD:
            path = waiting.popleft()
            told = self._held(worker, path, is_late=path in late)
            if told is None:
                late.add(path)
                waiting.append(path)
            elif "unread" in told:
                self.unanswered.setdefault(str(told["unread"]), []).append(path)
            else:
                files.append(_file(path, told))
        if waiting:
            why = "too many could not be read" if self.budget.left else "the time was up"
            self.skipped.append(f"{why}: {len(waiting):,} of {len(order):,} files left")
        self.skipped += [
            f"not read ({why}): {_named(paths)}" for why, paths in self.unanswered.items()
        ]
        return files

    def _unread(self) -> int:
        return sum(map(len, self.unanswered.values()))

    def _held(self, worker: Worker, path: str, *, is_late: bool) -> dict[str, Any] | None:
        """What one file holds, as an earlier scan found it where it is still the same; {"unread": why} of
        one that gives no answer. None where it is better asked later, or the time is up.
        """
        is_test = code_findings.is_test(path)
        stamp = self.kept.stamp(path, "test" if is_test else "")
        known = self.kept.told(path, stamp)
        if known is not None and "unread" not in known:
            return known
        if known is not None and not is_late:
            return None
        whole = os.path.join(self.project.root, path)
        told = self._asked(worker, {"path": whole, "name": path, "is_test": is_test})
        if told is not None and self.kept.stamp(path, "test" if is_test else "") == stamp:
            self.kept.keep(path, stamp, told, secrets=self.secrets)
        return told

    def _asked(self, worker: Worker, question: dict[str, Any]) -> dict[str, Any] | None:
        """What is told of one file, {"unread": why} of one that gives no answer; None when time is up."""
        try:
            told: dict[str, Any] = worker.ask(
                question, min(workers.LONGEST_SECONDS, self.budget.left)
            )
        except workers.NoAnswer as error:
            return {"unread": str(error)} if self.budget.left else None
        return told

    def _lessons(self, worker: Worker, paths: Sequence[str]) -> None:
        """What lessons with a pattern warn of, in three files each at most."""
        audits, problems = state_findings.audits(self.state)
        self.skipped += problems
        for audit in audits:
            try:
                self._audited(worker, audit, [path for path in paths if audit.concerns(path)])
            except workers.NoAnswer as error:
                self.skipped.append(f"lesson {audit.number}: its pattern was given up: {error}")

    def _audited(self, worker: Worker, audit: Audit, paths: Sequence[str]) -> None:
        hits = 0
        for path in paths:
            if not self.budget.left:
                raise workers.NoAnswer("the time was up")
            question = {
                "path": os.path.join(self.project.root, path),
                "pattern": audit.pattern,
            }
            told = worker.ask(question, min(workers.LONGEST_SECONDS, self.budget.left))
            if isinstance(told, list) and told:
                lines = [(int(number), str(text)) for number, text in told]
                self.found.append(state_findings.violation(audit, path, lines))
                hits += 1
            if hits == _SHOWN:
                return


def _file(path: str, told: dict[str, Any]) -> File:
    return code_findings.File(
        path,
        told.get("lines", 0),
        tuple((line, word, text) for line, word, text in told.get("markers", ())),
        tuple((name, line, ways) for name, line, ways in told.get("functions", ())),
        frozenset(map(str.lower, told.get("words", ()))),
        has_tests=told.get("inline", False),
    )


def _named(paths: Sequence[str]) -> str:
    """Up to three names, and how many more there are."""
    more = f" and {len(paths) - _SHOWN:,} more" if len(paths) > _SHOWN else ""
    return ", ".join(one_line(path, 80) for path in paths[:_SHOWN]) + more
