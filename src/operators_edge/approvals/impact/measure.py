"""What a call would destroy, lose or publish, measured on this machine before a person decides on it.

Owns which measurement fits a finding, bounded in time and number; an unknown number is reported as unknown,
never as zero. Does not own what git knows about commits (``approvals.impact.commits``), what the command line
alone shows (``approvals.impact.command``), or the sentences about files (``approvals.impact.file_loss``).
Reads only, follows no link, uses no network.
"""

from __future__ import annotations

import re
from itertools import takewhile

from operators_edge.approvals.binding import line as call_line, repositories
from operators_edge.approvals.impact import command as impact_command
from operators_edge.approvals.impact.files import ANY_DEPTH, FileScan
from operators_edge.approvals.impact.report import (
    BY_SNAPSHOT,
    Impact,
    Unmeasurable,
    has_snapshot,
)
from operators_edge.gate.paths import CallContext
from operators_edge.git.commands import Budget, GitFailed, TooSlow
from operators_edge.locations import is_within
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from operators_edge.approvals.impact.file_loss import FileLoss
    from operators_edge.approvals.impact.report import ImpactReport
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Facts, Finding, Place, Verdict


MAX_REPORTS = 3

_ARCHIVERS = frozenset(("tar", "bsdtar", "zip", "7z", "7za", "7zz", "rar"))
"""Programs that can delete what they have packed."""

_DELETING = _ARCHIVERS | {"rm", "rmdir", "unlink", "shred", "find", "fd", "mv", "rsync"}
_SELECTING = _ARCHIVERS | {"find", "fd", "rsync"}
"""Programs that select among the files below the paths they name."""

_LITERAL = frozenset(
    ("", "rm", "rmdir", "unlink", "shred", "truncate", "tee", "cp", "mv", "dd", "rsync", "@edit")
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
    env: Mapping[str, str],
    now: datetime,
    budget: Budget,
) -> list[ImpactReport]:
    """One report for each finding whose rule says what to measure, the decisive one first."""
    scope = _Scope(call, env, budget, now, has_snapshot(verdict))
    reports: list[ImpactReport] = []
    for finding in verdict.findings:
        if not finding.radius or len(reports) == MAX_REPORTS:
            continue
        ground = CallContext(call._replace(cwd=finding.cwd or call.cwd), place, facts)
        impact = _impact(finding, ground, rules, scope)
        report: ImpactReport = {
            "kind": finding.radius,
            "at_stake": impact.at_stake,
            "undo": {"can": impact.can, "how": impact.how},
        }
        if report not in reports:
            reports.append(report)
    return reports


class _Scope(NamedTuple):
    """What all measurements for one card share."""

    call: Call
    env: Mapping[str, str]
    budget: Budget
    now: datetime
    has_snapshot: bool


def _impact(finding: Finding, ground: CallContext, rules: Rules, scope: _Scope) -> Impact:
    root = ground.root
    if root is None or not is_within(finding.cwd or root, root):
        scope = scope._replace(has_snapshot=False)
    try:
        return _measured(finding, ground, rules, scope)
    except Unmeasurable as reason:
        unknown = str(reason)
    except TooSlow:
        unknown = "git did not answer in time"
    except GitFailed as error:
        unknown = error.message
    except (OSError, ValueError, RecursionError) as error:  # such as a name no system call takes
        unknown = f"it could not be inspected ({error})"[:200]
    undo = BY_SNAPSHOT if scope.has_snapshot else ("unknown", "")
    return Impact([f"not known: {unknown}"], *undo)


def _measured(finding: Finding, ground: CallContext, rules: Rules, scope: _Scope) -> Impact:
    inv = call_line.command_of(finding, rules)
    if inv is None:
        raise Unmeasurable("the command could not be parsed again")
    if finding.radius == "tables":
        return impact_command.tables(inv, ground)
    if finding.radius == "request":
        return impact_command.request(inv, ground, dict(finding.subject).get("host", ""))
    if "submodule foreach" in dict(finding.detail).get("through", ""):
        raise Unmeasurable("it runs in each submodule")
    if inv.program == "git":
        from operators_edge.approvals.impact import commits, repository  # noqa: PLC0415 - for git alone

        line = call_line.of_call(scope.call, ground.home, rules)
        git = repositories.scope_of(inv, finding.cwd, line, scope.env, scope.budget)
        usual = repositories.plain_scope(finding.cwd, scope.env, scope.budget)
        repo = repository.Repository(usual, scope.now, scope.has_snapshot)
        return commits.measure(inv, repo, git, line)
    if finding.radius == "commits":
        raise Unmeasurable(f"the commits of {inv.program} are not counted")
    if inv.program in _VERSIONED:
        raise Unmeasurable(f"what {inv.program} has not committed is not counted")
    searched = _searched(finding)
    targets = searched or _targets(inv, finding, ground)
    loss = _deletion(
        inv,
        targets,
        scope.budget,
        ground.root or "",
        is_elsewhere=not finding.cwd,
        is_searched=bool(searched),
    )
    return loss.impact(has_snapshot=scope.has_snapshot)


def _searched(finding: Finding) -> tuple[str, ...]:
    """Patterns of all that a search can find, where the gate knows them from its tests of names."""
    paths = finding.recovery.paths if finding.recovery is not None else ()
    return paths if any(f"/{ANY_DEPTH}/" in path for path in paths) else ()


def _targets(inv: Invocation, finding: Finding, ground: CallContext) -> tuple[str, ...]:
    named = _named_paths(inv) if finding.targets or inv.program != "find" else None
    if named is None:
        return finding.targets
    known = (name for name in named if impact_command.UNKNOWN not in name)
    return tuple(path for name in known if (path := ground.resolve(name, ground.cwd)))


def _named_paths(inv: Invocation) -> list[str] | None:
    """The paths on the line of a program that its table in the packs does not describe."""
    words = [word.text for word in inv.command.argv[1:]]
    if inv.program == "@edit":
        return words[:1]
    if inv.program == "find":
        return list(takewhile(lambda word: word[:1] not in ("-", "(", "!"), words)) or ["."]
    if inv.program == "rsync":
        return [word.text for word in inv.operands[-1:] if ":" not in word.text]
    return None


def _deletion(
    inv: Invocation,
    targets: tuple[str, ...],
    budget: Budget,
    root: str,
    *,
    is_elsewhere: bool,
    is_searched: bool,
) -> FileLoss:
    if not targets and is_elsewhere:
        raise Unmeasurable(
            "they are not on this machine, or in a folder that is not known in advance"
        )
    if not targets:
        raise Unmeasurable("which files cannot be known before it runs")
    if devices := [path for path in targets if re.match(r"/dev/(?!shm/)", path)]:
        raise Unmeasurable(f"{devices[0]} is a device")
    is_deletion = inv.program in _DELETING
    scan = FileScan(budget, root=root, is_deep=is_deletion and _is_recursive(inv))
    for path in targets:
        scan.add(path)
    if not scan.tops and not is_searched and inv.program not in _LITERAL:
        raise Unmeasurable("which files it takes is not known before it runs")
    return scan.loss("delete" if is_deletion else "overwrite")._replace(
        is_at_most=is_searched or inv.program in _SELECTING,
        is_open=not is_searched and _has_unknown_words(inv),
    )


def _has_unknown_words(inv: Invocation) -> bool:
    named = (word.text for word in inv.operands)
    return inv.command.has_more_words or impact_command.UNKNOWN in named


def _is_recursive(inv: Invocation) -> bool:
    names = {flag.name for flag in inv.flags}
    return inv.program != "rm" or any(
        name[:2] in ("-r", "-R") or name[:3] == "--r" for name in names
    )


# end of module
