"""Eval runs: the state before and after an agent's edit of it, looked at by invariants.

Owns when a run happens, what it leaves in log and folder, and what is tidied away. Does not own the
invariants (``quality.evals``), their files (``quality.evals_store``) or what `edge done` makes of them
(``quality.checks``).
"""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import EdgeError
from operators_edge.locations import PROOF_DIR
from operators_edge.quality import evals
from operators_edge.quality.evals_store import Runs
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.model import Call, State
    from operators_edge.project import Project
    from operators_edge.quality.evals import Policy
    from operators_edge.records import LogEntry
    from operators_edge.state.schema import Check

ORPHAN_SECONDS = 3600.0
LATELY = timedelta(hours=24)


class Run(NamedTuple):
    """One run. ``name`` is "" where no file of it was kept."""

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
    """Before an agent's edit of the state: keep what is there, where the policy asks for a look.

    Nothing stands in the edit's way: what fails here is said, and the run does not happen.
    """
    if not project.is_set_up:
        return
    try:
        state = project.state.read()
        policy = evals.policy_of(state)
        if not policy.enabled:
            return
        level, points = _level(project, state, policy, call.tool)
        if not level:
            return
        before = evals.looked_at(state)
        text = json.dumps(before, ensure_ascii=False)
        about = {"level": level, "points": points, "tool": call.tool, "session": call.session}
        is_small = len(text) <= policy.max_bytes
        Runs(project.root).begin(
            call.id, json.dumps({**about, "state": before if is_small else None})
        )
    except EdgeError as error:
        _complain(error)


def finish(project: Project, call: Call) -> Run | None:
    """After that edit: the run; None where none was begun."""
    try:
        pending = Runs(project.root).take(call.id)
        if pending is None:
            return None
        state = project.state.read()
        before, level = pending.get("state"), pending.get("level")
        policy = evals.policy_of(state)
        if not isinstance(before, dict):
            why = f"the state before was larger than {policy.max_bytes} bytes"
            return _recorded(project, call.session, policy, evals.skipped(why), why=pending)
        return _judged(project, call.session, policy, before, level=int(level or 1), why=pending)
    except EdgeError as error:
        _complain(error)
        return None


def run(project: Project, session: str) -> Run:
    """A run by hand: the state now, against the one of the newest run that kept it."""
    state = project.state.read()
    return _judged(project, session, evals.policy_of(state), _newest(project), level=2, why=None)


def untidy(project: Project) -> tuple[int, int]:
    """How many of each a ``tidy`` would clear now."""
    runs, now = Runs(project.root), project.clock()
    return len(runs.orphans(now, older_than=ORPHAN_SECONDS)), len(runs.old(now))


def tidy(project: Project, session: str = "") -> tuple[int, int]:
    """Clear what no write ended, and runs past their time: how many of each."""
    runs, now = Runs(project.root), project.clock()
    orphans = runs.clear_orphans(now, older_than=ORPHAN_SECONDS)
    removed = runs.remove_old(now)
    counts = (("eval_orphans_cleared", orphans), ("eval_snapshots_removed", removed))
    entries: list[LogEntry] = [
        {"event": event, "session": session, "data": {"count": count}}
        for event, count in counts
        if count
    ]
    if entries:
        project.log.append_many(entries)
    return orphans, removed


def _level(project: Project, state: State, policy: Policy, tool: str) -> tuple[int, list[str]]:
    if policy.mode == "manual":
        return policy.level, ["the policy says so"]
    has_proof = os.path.isdir(os.path.join(project.root, PROOF_DIR))
    lately = any(
        _is_late_failure(each, project.clock()) for each in project.evidence.work()["evals"]
    )
    return evals.triage(state, tool=tool, has_proof=has_proof, failed_lately=lately)


def _is_late_failure(each: Mapping[str, Any], now: datetime) -> bool:
    if not each.get("invariants_failed"):
        return False
    try:
        return now - datetime.fromisoformat(str(each.get("at"))) < LATELY
    except (ValueError, TypeError):
        return True


def _newest(project: Project) -> dict[str, Any] | None:
    runs = Runs(project.root)
    for name in reversed(runs.names()):
        found = runs.part(name, "after")
        if found is not None:
            return found
    return None


def _judged(
    project: Project,
    session: str,
    policy: Policy,
    before: dict[str, Any] | None,
    *,
    level: int,
    why: Mapping[str, Any] | None,
) -> Run:
    after = evals.looked_at(project.state.read())
    texts = {"after": evals.kept(after, policy)}
    if before is not None:
        texts["before"] = evals.kept(before, policy)
    if None in texts.values():
        too_large = f"a state is larger than {policy.max_bytes} bytes"
        return _recorded(project, session, policy, evals.skipped(too_large), level=level, why=why)
    if before is not None and why is None:
        after = json.loads(str(texts["after"]))  # the one before was kept without its secrets, too
    checks, diff = evals.judged(before, after, policy)
    shown = diff.as_data(policy.redactions)
    parts = {name: str(text) for name, text in texts.items()}
    return _recorded(
        project, session, policy, checks, level=level, why=why, diff=shown, parts=parts
    )


def _recorded(
    project: Project,
    session: str,
    policy: Policy,
    checks: list[Check],
    *,
    level: int = 1,
    why: Mapping[str, Any] | None = None,
    diff: dict[str, Any] | None = None,
    parts: Mapping[str, str] | None = None,
) -> Run:
    """Files first, where they are worth keeping, then the log: what it names is there."""
    tidy(project, session)
    found = Run("", level, checks, diff or {})
    now = project.clock()
    is_kept = why is None or (policy.keeps_states and (level > 1 or found.failed))
    if parts and is_kept:
        told = json.dumps(
            {"at": now.isoformat(), "session": session, **found.as_data()},
            ensure_ascii=False,
            indent=1,
        )
        found = found._replace(name=Runs(project.root).add(now, {**parts, "diff": told}))
    reasons = {each.name: each.text for each in checks if each.holds is False}
    data: dict[str, Any] = {
        "run": found.name,
        "level": level,
        "by": "hand" if why is None else "eval_auto",
        "points": [] if why is None else why.get("points"),
        "invariants": {each.name: each.outcome for each in checks},
        "invariants_failed": found.failed,
        "why": reasons,
    }
    entries: list[LogEntry] = [{"event": "eval_run", "session": session, "data": data}]
    entries += [
        {"event": "mismatch_seen", "session": session, "data": _mismatch(name, said)}
        for name, said in reasons.items()
    ]
    project.log.append_many(entries)
    return found


def _mismatch(name: str, said: str) -> dict[str, Any]:
    """A failed invariant as what was expected and what was seen; the same message is the same mismatch."""
    expectation = f"{name}: {evals.INVARIANTS[name]}"
    key = sha256_hex(f"{expectation}\n{said}".encode())[:12]
    about = {"source": "eval_auto", "step": None, "key": key}
    return {**about, "expectation": expectation, "observation": said}


def _complain(error: EdgeError) -> None:
    os.write(2, f"operators-edge: no eval run: {error.message}\n".encode())
