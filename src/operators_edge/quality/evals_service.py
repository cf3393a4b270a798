"""Eval runs: the state before and after an agent's edit of it, compared by invariants.

Owns when a run happens, what it leaves in log and folder, and what is deleted. Does not own the invariants
(``quality.evals``), their files (``quality.evals_store``) or what `edge done` makes of them
(``quality.checks``).
"""

from __future__ import annotations

import json

from operators_edge.errors import EdgeError
from operators_edge.quality import evals
from operators_edge.quality.evals_store import Runs
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from operators_edge.model import Call
    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.state.schema import Check

    By = Literal["hand", "eval_auto"]


class Run(NamedTuple):
    """One run. ``name`` is "" if no file of it was stored."""

    name: str
    level: int
    checks: list[Check]
    diff: dict[str, Any]

    @property
    def failed(self) -> list[str]:
        return [each.name for each in self.checks if each.holds is False]

    def as_data(self) -> dict[str, Any]:
        results = {each.name: {"outcome": each.outcome, "why": each.text} for each in self.checks}
        return {
            "run": self.name,
            "level": self.level,
            "failed": self.failed,
            "results": results,
            "diff": self.diff,
        }


def begin(project: Project, call: Call) -> None:
    """Before an agent's edit of the state: store the state, if the policy wants a run.

    It never prevents the edit: a failure is reported, and there is no run.
    """
    if not project.is_set_up:
        return
    try:
        state = project.state.read()
        policy = evals.policy_of(state)
        level = policy.level if policy.mode == "manual" else 1
        if not policy.enabled or not level:
            return
        before = evals.compared(state)
        is_small = len(json.dumps(before, ensure_ascii=False)) <= policy.max_bytes
        pending = {"level": level, "state": before if is_small else None}
        Runs(project.root).begin(call.id, json.dumps(pending))
    except EdgeError as error:
        _report(error)


def finish(project: Project, call: Call) -> Run | None:
    """After that edit: the run; None if none was begun."""
    try:
        pending = Runs(project.root).take(call.id)
        if pending is None:
            return None
        before, level = pending.get("state"), int(pending.get("level") or 1)
        return _compare(project, call.session, before, level=level, by="eval_auto")
    except EdgeError as error:
        _report(error)
        return None


def run(project: Project, session: str) -> Run:
    """A run by hand: the state now, compared with the one of the newest run that stored it."""
    runs = Runs(project.root)
    stored = (runs.part(name, "after") for name in reversed(runs.names()))
    before = next((each for each in stored if each is not None), None)
    return _compare(project, session, before, level=2, by="hand")


def _compare(project: Project, session: str, before: Any, *, level: int, by: By) -> Run:
    state = project.state.read()
    policy, after = evals.policy_of(state), evals.compared(state)
    states = {"before": before, "after": after}
    shown = {name: evals.hidden(each, policy.redactions) for name, each in states.items() if each}
    texts = {name: evals.stored_text(each) for name, each in shown.items()}
    is_large = any(
        len(each.encode("utf-8", "replace")) > policy.max_bytes for each in texts.values()
    )
    found = Run("", level, [], {})
    if is_large or (before is None and by == "eval_auto"):
        why = f"the state is larger than {policy.max_bytes} bytes"
        return _log(project, session, found._replace(checks=evals.skipped(why)), by=by)
    if before is not None and by == "hand":
        after = json.loads(texts["after"])  # the earlier one was stored without its secrets, too
    checks, diff = evals.results(before, after, policy)
    found = found._replace(
        checks=checks, diff=evals.shown_difference(diff, shown.get("before", {}), shown["after"])
    )
    if by == "hand" or (policy.keeps_states and (level > 1 or found.failed)):
        now = project.clock()
        about = {"at": now.isoformat(), "session": session, **found.as_data()}
        texts["diff"] = json.dumps(about, ensure_ascii=False, indent=1)
        found = found._replace(name=Runs(project.root).add(now, texts))
    return _log(project, session, found, by=by)


def _log(project: Project, session: str, found: Run, *, by: By) -> Run:
    """Log the run; its files exist by now."""
    tidy(project, session)
    reasons = {each.name: each.text for each in found.checks if each.holds is False}
    data: dict[str, Any] = {
        "run": found.name,
        "level": found.level,
        "by": by,
        "invariants": {each.name: each.outcome for each in found.checks},
        "invariants_failed": found.failed,
        "why": reasons,
    }
    entries: list[LogEntry] = [{"event": "eval_run", "session": session, "data": data}]
    entries += [
        {"event": "mismatch_seen", "session": session, "data": _mismatch(name, why)}
        for name, why in reasons.items()
    ]
    project.log.append_many(entries)
    return found


def _mismatch(name: str, why: str) -> dict[str, Any]:
    """A failed invariant as expectation and observation; the same message is the same mismatch."""
    expectation = f"{name}: {evals.INVARIANTS[name]}"
    key = sha256_hex(f"{expectation}\n{why}".encode())[:12]
    about = {"source": "eval_auto", "step": None, "key": key}
    return {**about, "expectation": expectation, "observation": why}


def tidy(project: Project, session: str = "", *, is_dry_run: bool = False) -> tuple[int, int]:
    """Delete what edits left that never finished, and expired runs; returns how many of each."""
    runs, now = Runs(project.root), project.clock()
    orphans, expired = runs.orphans(now), runs.expired(now)
    if not is_dry_run:
        runs.delete([*orphans, *expired])
        counts = (("eval_orphans_cleared", orphans), ("eval_snapshots_removed", expired))
        entries: list[LogEntry] = [
            {"event": event, "session": session, "data": {"count": len(paths)}}
            for event, paths in counts
            if paths
        ]
        if entries:
            project.log.append_many(entries)
    return len(orphans), len(expired)


def _report(error: EdgeError) -> None:
    from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

    outgoing.to_stderr(f"no eval run: {error.message}")


# end of module
