"""What an objective is based on: its plan, verdicts, the checks behind them, the gate, a person's decisions.

Pure. The archive keeps it when the objective is done (PR-7), ``quality.report`` prints it, and where only the
repository is, ``quality.ci`` judges by it. Owns its form, which is public in the file that a repository
carries (``BASIS_FILE``), and how facts are read back from it.
"""

from __future__ import annotations

import posixpath

from operators_edge.evidence import objective_facts
from operators_edge.evidence.checks import run as check_run
from operators_edge.evidence.checks.run import bare_command
from operators_edge.model import HOST
from operators_edge.state.schema import maps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Claim
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.model import State
    from operators_edge.quality.checks import Check

VERSION = 1
MAX_BYTES = 2 << 20
MAX_FILES = 200
MAX_CHECKS = 60
MAX_COMMANDS = 40

_OF_STEP = ("description", "status", "verification", "proof", "actual", "is_verification")


def of(
    state: State,
    work: ObjectiveFacts,
    *,
    claims: Sequence[Claim],
    failed: Sequence[Check],
    covered: Sequence[Check],
    remarks: Sequence[str],
    overrides: Iterable[Mapping[str, Any]],
    decisions: Iterable[Mapping[str, Any]],
    base: str,
    commit: str,
) -> dict[str, Any]:
    """The basis of the current objective.

    ``failed`` and ``covered`` are the gate's result, ``base`` and ``commit`` where the work began and is now.
    """
    return {
        "version": VERSION,
        "objective": state.get("objective"),
        "intent": state.get("intent"),
        "base": base,
        "commit": commit,
        "plan": [_step(each) for each in maps(state.get("plan")) if each.get("source") != HOST],
        "claims": [_claim(each, work["root"]) for each in claims if each.source != HOST],
        "gate": {
            "failed": [each.as_data() for each in failed],
            "overridden": [each.as_data() for each in covered],
            "remarks": [*remarks],
        },
        "overrides": [
            {name: each.get(name) for name in ("by", "approved_at", "reason", "approved_checks")}
            for each in overrides
        ],
        "decisions": [*decisions],
        "work": _work(work),
    }


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    return {name: step[name] for name in _OF_STEP if step.get(name) not in (None, "")}


def _claim(claim: Claim, root: str) -> dict[str, Any]:
    names = ("step", "text", "proof", "verdict", "why", "command")
    data = {name: value for name, value in claim.as_data().items() if name in names}
    return {**data, "check": _placed(claim.check, root) if claim.check else None}


def _work(work: ObjectiveFacts) -> dict[str, Any]:
    """The facts that a later judgement needs, bounded, without this machine's paths."""
    failed = {text: each for text, each in work["commands"].items() if each["passed"] is False}
    paths = [*work["files"]][-MAX_FILES:]
    return {
        "actions": work["actions"],
        "own": work["own"],
        "since": work["since"],
        "elsewhere": work["elsewhere"],
        "steps": work["steps"],
        "files": {path: work["files"][path] for path in paths},
        "checks": [_placed(run, work["root"]) for run in _last(work["checks"])],
        "commands": {text: {**failed[text], "cwd": None} for text in [*failed][-MAX_COMMANDS:]},
        "tampering": work["tampering"],
    }


def _last(runs: Sequence[Run]) -> list[Run]:
    """The last run of each check, and the last failed one before it."""
    kept: dict[tuple[str, str | None, bool], Run] = {}
    for run in runs:
        key = (bare_command(run["command"]), run["cwd"], run["passed"] is False)
        kept.pop(key, None)
        kept[key] = run
    return [*kept.values()][-MAX_CHECKS:]


def _placed(run: Run, root: str) -> dict[str, Any]:
    """A run with its folder relative to the root; None for one outside."""
    cwd = run["cwd"] or root
    inside = posixpath.relpath(cwd, root) if cwd == root or cwd.startswith(f"{root}/") else None
    return {**run, "cwd": inside, "session": None}


# -- read back -------------------------------------------------------------------------------------


def problem(data: object) -> str:
    """Why this is no basis that can be read; "" if it is one."""
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return f"it is not a basis of version {VERSION}"
    shapes = {"plan": list, "claims": list, "gate": dict, "work": dict, "decisions": list}
    wrong = [name for name, shape in shapes.items() if not isinstance(data.get(name), shape)]
    return f"{', '.join(wrong)}: not of the expected form" if wrong else ""


def state_of(basis: Mapping[str, Any]) -> State:
    """A state with the plan of the basis and nothing else."""
    return {
        "objective": basis.get("objective"),
        "intent": basis.get("intent"),
        "plan": [dict(each) for each in maps(basis["plan"])],
    }


def work_of(basis: Mapping[str, Any], root: str) -> ObjectiveFacts:
    """The facts in it, for a copy of the project at ``root``; what is missing or malformed is empty."""
    kept, work = basis["work"], objective_facts.new_facts(root)
    for name, empty in work.items():
        value = kept.get(name)
        if name in _TABLES and isinstance(value, dict):
            work[name] = {  # type: ignore[literal-required]
                key: each for key, each in value.items() if _is_entry(each, _TABLES[name])
            }
        elif isinstance(empty, bool | int) and type(value) is type(empty):
            work[name] = value  # type: ignore[literal-required]
    since = kept.get("since")
    if isinstance(since, dict) and isinstance(since.get("seq"), int):
        work["since"] = {"seq": since["seq"], "at": None}
    work["checks"] = [run for each in maps(kept.get("checks")) if (run := run_of(each, root))]
    return work


_TABLES = {
    "steps": ("text", "started_seq", "completed_seq", "first_seq", "gone_seq", "from_seq", "seen"),
    "files": ("seq", "at", "by"),
    "commands": ("seq", "at", "passed", "cwd"),
    "tampering": ("kind", "path", "name", "seen"),
}


def _is_entry(value: object, keys: Sequence[str]) -> bool:
    """Whether a table's entry has its keys, and numbers where it has places in the log."""
    return (
        isinstance(value, dict)
        and value.keys() >= set(keys)
        and all(isinstance(value[k], int | None) for k in value if k.endswith("seq"))
        and isinstance(value.get("seen"), dict | str | None)
    )


def run_of(data: Mapping[str, Any], root: str) -> Run | None:
    """A run as a basis holds it; None for one that was outside of the project."""
    cwd = data.get("cwd")
    if not isinstance(cwd, str) or cwd.startswith(("/", "..")):
        return None
    seq = data.get("seq")
    return {
        **check_run.result_of(data),
        "seq": seq if isinstance(seq, int) else 0,
        "at": str(data.get("at") or "") or None,
        "session": None,
        "agent": str(data.get("agent") or ""),
        "command": str(data.get("command") or ""),
        "cwd": posixpath.normpath(posixpath.join(root, cwd)),
        "duration_ms": None,
        "is_whole": data.get("is_whole") is True,
    }


# end of module
