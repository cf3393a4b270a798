"""``edge log claims|rerun``: compare the plan's claims with what was observed; run its checks again.

Owns these two verbs. Does not own what a row says (``reports.proof_ledger``), the verdicts
(``evidence.claims.service``) or what may run (``gate.decide``): a command is run again only where the gate
would let the agent run it now.
"""

from __future__ import annotations

import os

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence.checks import rerun
from operators_edge.evidence.claims import service as claims_service
from operators_edge.reports import service as report_service
from operators_edge.text import markup
from operators_edge.text.wording import one_line, screen_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.cli.terminal import Terminal
    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Claim
    from operators_edge.project import Project
    from operators_edge.reports.proof_ledger import Row

TIMEOUT_SECONDS = 600

_COLOURS = {
    "VERIFIED": "green",
    "STALE": "yellow",
    "CONTRADICTED": "red",
    "UNVERIFIED": "dim",
    "OVERRIDDEN": "cyan",
}
_INDENT = " " * 7


# -- proof ledger ----------------------------------------------------------------------------------


@command("log claims", about="show the verdict on each step; exit code 1 if contradicted")
def _show_claims(args: Args, ran: Sequence[rerun.Rerun] = ()) -> Answer:
    """Not ok if a claim is contradicted, or a check that ran again did not pass."""
    found = report_service.proof_ledger_of(args.project, ran)
    lines = [line for row in found.rows for line in claim_lines(row, args.terminal)]
    return Answer(
        found.as_data(), [*lines, *([""] if lines else []), found.counted], ok=found.is_ok
    )


def claim_lines(row: Row, terminal: Terminal) -> list[str]:
    """One claim as text: number, mark, verdict and wording; below them why, and how to fix it."""
    head = f"{row.step:>3} {row.mark}  "
    text = f"{row.text}  (the client's todo)" if row.is_todo else row.text
    first, *rest = markup.wrapped(f"{row.verdict}  {text}", screen_width() - len(_INDENT))
    colour = _COLOURS[row.verdict]
    painted = first.replace(row.verdict, terminal.paint(row.verdict, "bold", colour), 1)
    lines = [head + painted, *(_INDENT + each for each in rest)]
    lines += _wrapped(row.why)
    if row.run:
        lines.append(f"{_INDENT}run: {row.run}")  # not wrapped: it is to be copied
    for each in row.beside:
        lines += _wrapped(f"beside: {each}")
    return lines


def _wrapped(text: str) -> list[str]:
    first, *rest = markup.wrapped(text, screen_width() - len(_INDENT) - 2)
    return [_INDENT + first, *(f"{_INDENT}  {each}" for each in rest)]


# -- rerun -----------------------------------------------------------------------------------------


@command(
    "proof rerun",
    arg("[N...]", "only the checks of these steps"),
    arg("--all", "the last run of every check"),
    arg("--timeout S", "seconds for each check (600)", type=float, default=TIMEOUT_SECONDS),
    about="run the checks behind the claims again",
    description="Run recorded checks in their recorded folder. Exit code 1 if one does not pass.",
    example="2   (the check of step 2)",
)
def _rerun(args: Args) -> Answer:
    if args.timeout <= 0:
        raise UsageError(f"--timeout must be above 0 seconds, not {args.timeout:g}")
    if args.numbers and args.all:
        raise UsageError("use either steps or --all, not both", hint="edge log rerun --all")
    project, terminal = args.project, args.terminal
    recorded = _recorded(project, args)
    ran = []
    for run in recorded:
        command = one_line(run["command"] or run["name"], 300)
        terminal.aside(terminal.paint(f"$ {command}", "bold"))
        ran.append(
            rerun.again(
                project,
                run,
                os.environ,
                seconds=args.timeout,
                show=lambda text: terminal.aside(text, end=""),
            )
        )
        terminal.aside(f"  {_outcome_text(ran[-1])}")
    return _show_claims(args, ran)


def _outcome_text(ran: rerun.Rerun) -> str:
    if not ran.did_run:
        return f"not run: {one_line(ran.why, 300)}"
    outcome = "outcome unknown"
    if ran.passed is not None:
        outcome = "passed" if ran.passed else "failed"
    why = f" ({one_line(ran.why, 200)})" if ran.why else ""
    return f"{outcome}, {ran.duration_ms / 1000:.1f} s, log {ran.seq}{why}"


def _recorded(project: Project, args: Args) -> list[Run]:
    """The checks to run: each once, in the order in which they last ran."""
    checks = rerun.last_runs(project.evidence.work()["checks"])
    if args.all:
        chosen = checks
    else:
        claims = claims_service.claims_of(project, project.state.read())
        chosen = _of_claims(claims, args.numbers)
        if not chosen and not args.numbers:
            chosen = checks
    if not chosen:
        numbers = ", ".join(map(str, args.numbers))
        about = f"step {numbers}" if args.numbers else "this objective"
        raise AnswerIsNo(
            f"no check of {about} is recorded", hint="run the tests once, then: edge log claims"
        )
    return rerun.last_runs(chosen)


def _of_claims(claims: Sequence[Claim], steps: Sequence[int]) -> list[Run]:
    known = {claim.step for claim in claims}
    for number in steps:
        if number not in known:
            raise UsageError(f"step {number} is not completed", hint="edge log claims")
    return [
        claim.check
        for claim in claims
        if claim.check is not None and (not steps or claim.step in steps)
    ]


# end of module
