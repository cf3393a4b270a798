"""Results of the Bridge's tasks as evidence: what the watcher ran is a check, and a step gets its proof.

A check counts for the tree that it ran in: while the task's branch is not in yours, a claim that rests on it
is stale. The runs of a task that failed, or is for no step, are recorded and count for no claim.

Does not own what a check is (``evidence.checks``) or a claim's verdict (``evidence.claims``).
"""

from __future__ import annotations

from operators_edge.bridge.from_plan import FIELD
from operators_edge.evidence import plan_events
from operators_edge.evidence.checks import service as checks_service
from operators_edge.model import OF_TASK, Call
from operators_edge.plan import edits as plan_edits
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.bridge.result import CommandRecord, Result
    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.state.transaction import Transaction

SOURCE = "bridge"


def observe(
    project: Project, command: str, cwd: str, record: CommandRecord, env: Mapping[str, str]
) -> LoggedCheck | None:
    """What a command checked, with the tree as it is now; None if it checks nothing."""
    output = f"{record.get('stdout', '')}\n{record.get('stderr', '')}"
    code = record.get("exit_code")
    error = None if code == 0 else f"Exit code {code}\n{output}"
    call = Call("Bash", {"command": command}, cwd)
    answer = {"interrupted": True} if code is None else None
    return checks_service.observed(
        project, call, output=output, error=error, response=answer, env=env, tree=cwd
    )


def finish(
    project: Project, task: Mapping[str, Any], result: Result, *, cwd: str, is_again: bool = False
) -> str:
    """Record what a task ran, and prove its step if it succeeded; a sentence for a person, or "".

    ``is_again``: some of that may have been done before; it is not repeated.
    """
    about = task.get(FIELD)
    is_for_step = isinstance(about, dict) and result["status"] == "success"
    session = f"{OF_TASK}{result['id']}/{result['attempt']}"
    entries = [
        _entry(each, result, session, cwd, counts=is_for_step)
        for each in result.get("commands", [])
    ]
    logged = _logged(project, session) if is_again else []
    project.log.append_many(entries[logged.count("check") :])
    if not isinstance(about, dict) or "step" in logged:
        return ""
    where = f"step {about.get('number')} of the plan"
    if result["status"] != "success":
        return f"{where} stays open"
    return project.transact(
        lambda tx: _prove(tx, about, result, session), command="edge bridge watch"
    )


def _logged(project: Project, session: str) -> list[str]:
    """The events of a session in the log."""
    return [entry["event"] for entry, _ in project.log.entries() if entry.get("session") == session]


def _entry(
    record: CommandRecord, result: Result, session: str, cwd: str, *, counts: bool
) -> LogEntry:
    check = record.get("check")
    code = record.get("exit_code")
    git = result.get("git", {})
    where = {
        "task": result["id"],
        "attempt": result["attempt"],
        "branch": git.get("branch", ""),
        "commit": git.get("result_commit", ""),
    }
    data: dict[str, Any] = {"command": record["cmd"], "cwd": cwd, "source": SOURCE, **where}
    if check:
        data["check"] = check if counts else {**check, "elsewhere": True}
    return {
        "event": "check",
        "session": session,
        "success": None if code is None else code == 0,
        "exit_code": code,
        "duration_ms": round(1_000 * record.get("seconds", 0.0)),
        "input_preview": {"command": record["cmd"]},
        "data": data,
    }


def _prove(tx: Transaction, about: Mapping[str, Any], result: Result, session: str) -> str:
    """Complete the step that the task was made from, if the plan still has it."""
    keys = plan_events.step_keys(tx.state)
    is_same = plan_events.objective_hash(tx.state) == about.get("objective")
    if not is_same or about.get("key") not in keys:
        return "the plan no longer has the step that this task was made from"
    number = keys.index(str(about["key"])) + 1
    edit = plan_edits.finish(tx.state, number, {"proof": proof_of(result)})
    tx.tell(edit.events, session=session)
    return f"step {number} of the plan is done, with this task as its proof"


def proof_of(result: Result) -> str:
    """What was run, where and when; "Bridge task ID: pytest passed on feat/ai/ID (1a2b3c4d5e), TIME"."""
    ran = ", ".join(
        f"{one_line(each['cmd'], 80)} exited {each.get('exit_code')}"
        for each in result.get("commands", [])
    )
    git = result.get("git", {})
    commit = str(git.get("result_commit") or git.get("base_commit") or "")[:10]
    at = result["timestamp"].partition(".")[0].replace("T", " ")
    where = f"on {git.get('branch', '')} ({commit}), {at}"
    return f"Bridge task {result['id']}: {ran or 'no command ran'}; {where}"


# end of module
