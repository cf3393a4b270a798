"""Running a recorded check again: judged by the gate, in its own folder, put on record as a check.

Owns what may be run again. Does not own the gate, how a command is run (``system.subprocesses``) or what its
outcome is (``evidence.checks.service``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.config import effective
from operators_edge.evidence.checks import service as checks_service
from operators_edge.evidence.checks.quoted import bare
from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.model import Call
from operators_edge.redaction.redact import secret_values
from operators_edge.system import subprocesses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from operators_edge.project import Project

SOURCE = "rerun"


class Run(NamedTuple):
    """What became of one check: ``passed`` None where it did not run or its outcome is not known."""

    command: str
    passed: bool | None
    did_run: bool
    why: str = ""
    seq: int = 0
    duration_ms: int = 0

    def as_data(self) -> dict[str, Any]:
        return self._asdict()


def last_runs(checks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every check once, as it last ran."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for check in checks:
        if check.get("elsewhere"):
            continue
        key = (bare(str(check.get("command") or "")), str(check.get("cwd") or ""))
        found.pop(key, None)
        found[key] = dict(check)
    return list(found.values())


def again(
    project: Project,
    check: Mapping[str, Any],
    env: Mapping[str, str],
    *,
    seconds: float,
    show: Callable[[str], None] | None = None,
) -> Run:
    """Run one recorded check again and put it on record; or say why it is not run."""
    command = str(check.get("command") or "")
    cwd = os.path.realpath(str(check.get("cwd") or project.root))
    why = _refused(project, check, command, cwd, env)
    if why:
        return Run(command, None, did_run=False, why=why)
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
        secrets=secret_values(env),
    )
    passed = observed["passed"] if observed else None
    return Run(command, passed, True, ran.why, int(entry.get("seq") or 0), ran.duration_ms)


def _refused(
    project: Project, check: Mapping[str, Any], command: str, cwd: str, env: Mapping[str, str]
) -> str:
    if not command or check.get("is_whole") is False:
        return "the log holds its command cut or with a secret hidden; run it yourself"
    root = os.path.realpath(project.root)
    if cwd != root and not cwd.startswith(root.rstrip(os.sep) + os.sep):
        return f"it ran outside of the project, in {cwd}"
    if not os.path.isdir(cwd):
        return f"its folder is gone: {cwd}"
    call = Call("Bash", {"command": command}, cwd)
    verdict = assess(
        call, place(project.root, env), SystemFacts(), effective.load(project.root, env)
    )
    if verdict.effect in ("allow", "warn"):
        return ""
    return f"the gate would not let it pass now ({verdict.rule}): {verdict.reason}"
