"""Which commands judge the work, and what their outcome tells of it (PR-4, PR-5).

Pure. A *check* is a command that judges: its tests, its style, its types, its form, whether it builds. A
text that only names one is none, and an outcome that something else shares in is unknown. Owns the way in,
which loads nothing for an everyday command. Does not own where the log keeps a check
(``evidence.checks.service``) or what follows from it.
"""

from __future__ import annotations

from operators_edge.evidence.checks.prefilter import may_judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.model import Check, Outcome, TestRun
    from operators_edge.shell.commands import Command

KINDS = ("test", "lint", "types", "format", "build", "custom")


def of_command(text: str, custom: Sequence[str] = ()) -> tuple[Check, ...]:
    """The checks of a command line, in its order; ``custom`` are the commands the project calls so."""
    if not may_judge(text, custom):
        return ()
    from operators_edge.evidence.checks.model import checks_of  # noqa: PLC0415 - for these commands alone

    return checks_of(text, custom)


def outcomes(checks: Sequence[Check], output: str, code: int | None) -> list[Outcome]:
    """How each check of one line ended.

    ``output`` is what the line printed; ``code`` its exit code, None where it was stopped or goes on.
    """
    from operators_edge.evidence.checks.outcome import outcomes as told  # noqa: PLC0415 - after a check

    return told(checks, output, code)


def test_run(text: str) -> TestRun | None:
    """The last test run in a command line; None when there is none, or none can be made out."""
    tests = [one for one in of_command(text) if one.kind == "test"]
    if not tests:
        return None
    from operators_edge.evidence.checks.model import TestRun  # noqa: PLC0415 - see of_command

    return TestRun(tests[-1])


def runner_of(command: Command) -> str:
    """The test runner that a command is; "" for every other command."""
    from operators_edge.evidence.checks.detect import checks_of_command  # noqa: PLC0415 - see above

    tests = [one for one in checks_of_command(command) if one.kind == "test"]
    return tests[-1].name if tests else ""
