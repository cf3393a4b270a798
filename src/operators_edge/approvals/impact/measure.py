"""What a call would destroy, lose or publish, measured on this machine before a person decides on it.

Owns which measurement fits a finding, bounded in time and number; an unknown number is reported as unknown,
never as zero. Does not own what git knows about commits (``approvals.impact.commits``), what the command line
alone shows (``approvals.impact.command``), or how a report reads (``approvals.card.consequences``). Reads
only, follows no link, uses no network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.approvals.impact import command as impact_command
from operators_edge.approvals.impact.files import FileScan
from operators_edge.gate.paths import CallContext
from operators_edge.git.commands import CARD_SECONDS, Budget

if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.approvals.impact.report import (
        FileReport,
        ImpactReport,
        RequestReport,
        Upload,
    )
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Facts, Finding, Place, Verdict


MAX_REPORTS = 3

_DELETING = frozenset(("rm", "rmdir", "unlink", "shred", "find", "fd", "mv", "rsync"))
_AT_MOST = frozenset(("find", "fd", "rsync"))
"""Programs that select among the files below the paths they name."""

_LITERAL = frozenset(
    ("", "rm", "rmdir", "unlink", "shred", "truncate", "tee", "cp", "mv", "dd", "@edit")
)
"""Programs that name each file they take: a missing path is no file, and not an unknown one."""

_VERSIONED = frozenset(("hg", "svn", "bzr", "fossil", "jj", "p4", "dolt"))


def measure(
    verdict: Verdict,
    call: Call,
    place: Place,
    facts: Facts,
    rules: Rules,
    *,
    now: datetime,
    seconds: float = CARD_SECONDS,
) -> list[ImpactReport]:
    """One report for each finding whose rule says what to measure, the decisive one first."""
    budget = Budget(seconds)
    reports: list[ImpactReport] = []
    for finding in verdict.findings:
        if not finding.radius or len(reports) == MAX_REPORTS:
            continue
        ground = CallContext(call._replace(cwd=finding.cwd or call.cwd), place, facts)
        try:
            report = _report(finding, ground, rules, budget, now)
        except (
            OSError,
            ValueError,
            RecursionError,
        ) as error:  # such as a name no system call takes
            reason = f"it could not be inspected ({error})"[:200]
            report = {"kind": finding.radius, "unknown": reason}
        if report not in reports:
            reports.append(report)
    return reports


def _report(
    finding: Finding, ground: CallContext, rules: Rules, budget: Budget, now: datetime
) -> ImpactReport:
    inv = impact_command.command_of(finding, rules)
    if inv is None:
        return {"kind": finding.radius, "unknown": "the command could not be parsed again"}
    if finding.radius == "tables":
        return impact_command.tables(inv, ground)
    if finding.radius == "request":
        return _request(inv, ground)
    if inv.program == "git":
        from operators_edge.approvals.impact import commits  # noqa: PLC0415 - for git alone

        words = [word.text for word in inv.command.argv[1:]]
        return commits.measure(words, finding, budget, now)
    if finding.radius == "commits":
        return {"kind": "commits", "unknown": f"the commits of {inv.program} are not counted"}
    if inv.program in _VERSIONED:
        return {"kind": "files", "unknown": f"what {inv.program} has not committed is not counted"}
    return _deletion(inv, _targets(inv, finding, ground), budget)


def _targets(inv: Invocation, finding: Finding, ground: CallContext) -> tuple[str, ...]:
    words = [word.text for word in inv.command.argv[1:]]
    if inv.program == "@edit":
        named = words[:1]
    elif inv.program == "find" and finding.targets:
        first = next((at for at, word in enumerate(words) if word[:1] in "-(!"), len(words))
        named = words[:first] or ["."]
    elif inv.program == "rsync":
        named = [word.text for word in inv.operands[-1:] if ":" not in word.text]
    else:
        return finding.targets
    paths = (
        ground.resolve(name, ground.cwd) for name in named if impact_command.UNKNOWN not in name
    )
    return tuple(path for path in paths if path)


def _request(inv: Invocation, ground: CallContext) -> RequestReport:
    report = impact_command.request(inv)
    if "unknown" in report:
        return report
    uploads: list[Upload] = []
    for name in impact_command.uploads(inv):
        path = ground.resolve(name, ground.cwd)
        uploads.append({"path": name, "bytes": ground.facts.size(path) if path else None})
    return report | {"uploads": uploads} if uploads else report


def _deletion(inv: Invocation, targets: tuple[str, ...], budget: Budget) -> FileReport:
    act = "delete" if inv.program in _DELETING else "overwrite"
    report: FileReport = {"kind": "files", "act": act}
    if not targets:
        return report | {"unknown": "which files cannot be known before it runs"}
    scan = FileScan(budget, is_deep=act == "delete" and _is_recursive(inv))
    for path in targets:
        scan.add(path)
    if not scan.tops and inv.program not in _LITERAL:
        return report | {"unknown": "which files it takes is not known before it runs"}
    report |= scan.report()
    if inv.program in _AT_MOST:
        report["is_at_most"] = True
    if inv.command.has_more_words or impact_command.UNKNOWN in (word.text for word in inv.operands):
        report["is_open"] = True
    return report


def _is_recursive(inv: Invocation) -> bool:
    names = {flag.name for flag in inv.flags}
    return inv.program != "rm" or any(
        name[:2] in ("-r", "-R") or name[:3] == "--r" for name in names
    )
