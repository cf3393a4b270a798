"""``edge patrol``: findings in the project, the most important first.

Owns the command's syntax and output. The scan is in ``patrol.service``; ``edge`` offers the first findings
for a decision.
"""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.errors import UsageError
from operators_edge.patrol import service as patrol_service
from operators_edge.patrol.findings import BUDGET_SECONDS, GROUP_SIZE, challenges
from operators_edge.text.markup import wrapped
from operators_edge.text.wording import many, one_line, screen_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.cli.terminal import Terminal
    from operators_edge.patrol.findings import Finding
    from operators_edge.patrol.service import Scan

_COLOURS = {"high": "red", "medium": "yellow", "low": "dim"}
_INDENT = " " * 5


@command(
    "patrol",
    arg("--all", f"every finding, not only {GROUP_SIZE}"),
    arg(
        "--budget S",
        f"seconds for the scan; {BUDGET_SECONDS:g}",
        type=float,
        default=BUDGET_SECONDS,
    ),
    description="Scan the whole project. Nothing is written.",
    example="--all",
)
def _patrol(args: Args) -> Answer:
    if not args.budget > 0:
        raise UsageError(
            f"--budget takes seconds above 0, not {args.budget:g}", hint="edge patrol --budget 60"
        )
    project = args.project
    scan = patrol_service.scan(project, project.state.read(), budget=args.budget)
    for each in scan.skipped:
        args.terminal.warn(each)
    shown = scan.findings if args.all else scan.findings[:GROUP_SIZE]
    data = {
        "findings": [each.as_data() for each in scan.findings],
        "skipped": list(scan.skipped),
        "files": scan.files,
        "seconds": round(scan.seconds, 3),
        "suggested_challenges": challenges(scan.findings),
    }
    return Answer(data, _lines(scan, shown, args.terminal))


def _lines(scan: Scan, shown: Sequence[Finding], terminal: Terminal) -> list[str]:
    lines = []
    for number, each in enumerate(shown, 1):
        lines += finding_lines(each, number, terminal)
    if lines:
        lines.append("")
    found = many(len(scan.findings), "finding") if scan.findings else "Nothing found"
    files = many(scan.files, "file")
    where = f"the {files} that were read" if scan.skipped else files
    lines.append(f"{found} in {where}, {scan.seconds:.1f} s.")
    if len(scan.findings) > len(shown):
        lines.append(f"{len(scan.findings) - len(shown)} more: edge patrol --all")
    return lines


def finding_lines(each: Finding, number: int, terminal: Terminal) -> list[str]:
    """One finding as text: number, priority and title; below them where, why, and what to do."""
    first, *rest = wrapped(f"{each.priority}  {each.title}", screen_width() - len(_INDENT))
    painted = first.replace(
        each.priority, terminal.paint(each.priority, _COLOURS[each.priority]), 1
    )
    lines = [f"{number:>3}. {painted}", *(_INDENT + line for line in rest)]
    where = f"{one_line(each.where, 200)}: " if each.where else ""
    for text in (f"{where}{each.description}", f"-> {each.suggested_action}"):
        lines += [_INDENT + line for line in wrapped(text, screen_width() - len(_INDENT))]
    return lines


# end of module
