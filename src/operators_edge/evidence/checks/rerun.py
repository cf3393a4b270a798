"""Running a recorded check again: judged by the gate, in its own folder, and logged as a check.

Owns what may be run again. Does not own the gate, processes (``system.subprocesses``) or outcomes
(``evidence.checks.service``).
"""

from __future__ import annotations

import os

from operators_edge.config import effective
from operators_edge.evidence.checks import service as checks_service
from operators_edge.evidence.checks.run import bare_command
from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.model import Call
from operators_edge.system import subprocesses
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from operators_edge.evidence.checks.places import Place
    from operators_edge.evidence.checks.run import Run
    from operators_edge.project import Project

SOURCE = "rerun"


class Rerun(NamedTuple):
    """The result for one check: ``passed`` is None if it did not run or its outcome is unknown.

    ``places``: the lines of the project that its output names, if it failed.
    """

    command: str
    passed: bool | None
    did_run: bool
    why: str = ""
    seq: int = 0
    duration_ms: int = 0
    places: tuple[Place, ...] = ()


def last_runs(runs: Iterable[Run]) -> list[Run]:
    """The last run of every check."""
    last: dict[tuple[str, str], Run] = {}
    for run in runs:
        if not run["elsewhere"]:
            key = (bare_command(run["command"]), run["cwd"] or "")
            last.pop(key, None)
            last[key] = run
    return list(last.values())


def again(
    project: Project,
    run: Run,
    env: Mapping[str, str],
    *,
    seconds: float,
    show: Callable[[str], None] | None = None,
) -> Rerun:
    """Run one recorded check again and log it, or return why it is not run."""
    command = run["command"]
    cwd = os.path.realpath(run["cwd"] or project.root)
    why = _refusal_reason(project, run, cwd, env)
    if why:
        return Rerun(command, None, did_run=False, why=why)
    ran = subprocesses.run(command, cwd, seconds=seconds, show=show)
    call = Call("Bash", {"command": command}, cwd, session=project.latest_session())
    error = None if ran.code == 0 else f"Exit code {ran.code}\n{ran.output}"
    observed = None
    if ran.code is not None:
        observed = checks_service.observed(project, call, output=ran.output, error=error)
    entry = project.log.append(
        {
            "event": "check",
            "session": call.session,
            "success": None if ran.code is None else ran.code == 0,
            "exit_code": ran.code,
            "duration_ms": ran.duration_ms,
            "input_preview": dict(call.input),
            "output_preview": ran.output,
            "data": {"command": command, "cwd": cwd, "source": SOURCE}
            | ({"check": observed} if observed else {}),
        },
        secrets=project.secrets(env),
    )
    passed = observed["passed"] if observed else None
    return Rerun(command, passed, True, ran.why, int(entry.get("seq") or 0), ran.duration_ms)


def _refusal_reason(project: Project, run: Run, cwd: str, env: Mapping[str, str]) -> str:
    """Why the check must not be run again; "" if it may."""
    if not run["command"] or not run["is_whole"]:
        return "the log holds its command cut or redacted; run it yourself"
    return refusal_of(project, run["command"], cwd, env)


def refusal_of(project: Project, command: str, cwd: str, env: Mapping[str, str]) -> str:
    """Why a command must not be run in that folder; "" if the gate lets it through there."""
    cwd = os.path.realpath(cwd)
    root = os.path.realpath(project.root)
    if cwd != root and not cwd.startswith(root.rstrip(os.sep) + os.sep):
        return f"it ran outside the project, in {cwd}"
    if not os.path.isdir(cwd):
        return f"its folder is missing: {cwd}"
    call = Call("Bash", {"command": command}, cwd)
    verdict = assess(
        call, place(project.root, env), SystemFacts(), effective.load(project.root, env)
    )
    if verdict.effect in ("allow", "warn"):
        return ""
    return f"the gate would not allow it now ({verdict.rule}): {verdict.reason}"


# end of module
