"""The check that a finished call ran: recognised here, recorded by ``evidence.checks.record`` (PR-5).

Owns when a call counts as a check. Does not own which commands are checks (``evidence.checks.detect``).
"""

from __future__ import annotations

import os

from operators_edge.errors import EdgeError
from operators_edge.evidence.checks import detect
from operators_edge.evidence.checks.run import exit_code, named_commands
from operators_edge.locations import STATE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.model import Call
    from operators_edge.project import Project

_MAX_COMMAND = 200
_MAX_STATE_BYTES = 1 << 20


def observed(
    project: Project,
    call: Call,
    *,
    output: str,
    error: str | None,
    response: object = None,
    env: Mapping[str, str] = os.environ,
    tree: str = "",
) -> LoggedCheck | None:
    """``data["check"]`` for a call that ran a recognised check; None for every other call.

    ``tree`` is the working tree that is checked, if it is not the project's own one.
    Of several checks in a line the decisive one, with the others in ``also``. Of the output only the counts
    are kept.
    """
    command = call.input.get("command")
    if call.tool != "Bash" or not isinstance(command, str):
        return None
    from operators_edge.config import effective  # noqa: PLC0415 - not for the other tools

    custom = (*effective.checks(project.root, env), *_named_by_plan(project, command))
    checks = detect.checks_of(command, custom)
    if not checks:
        return None
    from operators_edge.evidence.checks import record  # noqa: PLC0415 - after a check alone

    code = None if _has_no_end(call, response) else exit_code(call.tool, error)
    said = output if error is None else error
    return record.result(project, call, checks, said, code, tree=tree)


def _named_by_plan(project: Project, command: str) -> tuple[str, ...]:
    """The command, if a step of the plan names it as its verification.

    The file's text is searched first: parsing the plan costs more than an everyday command may.
    """
    wanted = command.strip()
    try:
        with open(
            os.path.join(project.root, STATE_FILE), encoding="utf-8", errors="replace"
        ) as file:
            is_there = 0 < len(wanted) <= _MAX_COMMAND and wanted in file.read(_MAX_STATE_BYTES)
        plan = project.state.read().get("plan") if is_there else None
    except (OSError, EdgeError):
        return ()  # an unreadable state names no check; what needs the state reports it
    steps = [each for each in plan or () if isinstance(each, dict)]
    texts = [str(each.get("verification") or "") for each in steps]
    return (wanted,) if any(wanted in named_commands(each) for each in texts) else ()


def _has_no_end(call: Call, response: object) -> bool:
    """Whether the command was stopped or continues in the background: its outcome is unknown then."""
    answer = response if isinstance(response, dict) else {}
    return bool(
        call.input.get("run_in_background")
        or answer.get("interrupted")
        or answer.get("backgroundTaskId")
    )


# end of module
