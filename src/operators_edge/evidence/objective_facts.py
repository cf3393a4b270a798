"""What all sessions did since the objective was set, folded from the log's entries (QG-2).

Pure. One record for the project; ``evidence.session_facts`` has one for each session. Does not own where it
is stored (``evidence.store``), plan and todos (``evidence.progress``) or verdicts (``evidence.claims.judge``,
``quality.checks``).
"""

from __future__ import annotations

import os

from operators_edge.evidence import (
    progress,
    said,
    session_facts,
    unexpected_failures,
)
from operators_edge.model import OF_TASK
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from operators_edge.evidence.checks.run import CheckResult, Run
    from operators_edge.records import LogEntry

    class FileFacts(progress.LogPoint):
        """The last change of a file; ``by`` is a tool, or "tree" if only the tree state showed it."""

        by: str

    class CommandFacts(progress.LogPoint):
        """The last run of a command."""

        passed: bool | None
        cwd: str | None

    class ObjectiveFacts(progress.PlanFacts):
        """What was done for the objective. Stored in ``.proof/cache/work.json``: keys stay.

        ``objective_hash`` is None until the log shows an objective, ``since`` where it was set. ``actions``
        counts tool uses, ``own`` those that are claims: the product's own commands, and the host's todos.
        ``files`` are relative to ``root``, ``outside`` absolute. ``looked``: the last entry with a tree
        state. ``elsewhere``: another tree or branch was worked in. ``tampering``, ``mismatches``: by key, see
        ``evidence.session_facts`` and ``evidence.unexpected_failures``. ``said``, ``scheduled``: see
        ``evidence.said``. ``active``: the last session that changed a file. ``dropped``: how many of each
        table were dropped, the oldest first.
        """

        root: str
        objective_hash: str | None
        since: progress.LogPoint | None
        sessions: list[str]
        actions: int
        own: int
        files: dict[str, FileFacts]
        outside: list[str]
        looked: int
        checks: list[Run]
        commands: dict[str, CommandFacts]
        elsewhere: bool
        tampering: dict[str, session_facts.WeakenedCheck]
        evals: list[dict[str, Any]]
        mismatches: dict[str, unexpected_failures.SeenFailure]
        said: list[said.Message]
        scheduled: list[str]
        active: str
        dropped: dict[str, int]


SESSIONS_KEPT = 100
FILES_KEPT = 1000
OUTSIDE_KEPT = 100
CHECKS_KEPT = 200
COMMANDS_KEPT = 500
EVALS_KEPT = 100

COMMAND_LIMIT = 300
"""Characters of a command that identify it in ``commands``."""

CHECK_LIMIT = 2000
"""Characters of a check's command that are kept; a longer one cannot be run again."""

TREE_STATES_KEPT = 50
"""The newest checks, whose tree state is kept with the names of the files that differ."""

# In a command that was redacted or cut: it is not the command that ran.
_NOT_WHOLE = pattern(r"\[REDACTED|…$")
_ELSEWHERE = pattern(r"\bgit\b[^;&|\n]*\s(?:worktree|stash|checkout|switch)\b")
_ELSEWHERE_TOOLS = frozenset({"EnterWorktree", "ExitWorktree"})


def new_facts(root: str) -> ObjectiveFacts:
    """The facts of an empty log."""
    return {
        "root": root,
        "objective_hash": None,
        "since": None,
        "sessions": [],
        "actions": 0,
        "own": 0,
        "files": {},
        "outside": [],
        "looked": 0,
        "checks": [],
        "commands": {},
        "elsewhere": False,
        "tampering": {},
        "evals": [],
        "mismatches": {},
        "said": [],
        "scheduled": [],
        "active": "",
        "dropped": {},
        **progress.new_facts(),
    }


def fold(work: ObjectiveFacts, entries: Iterable[LogEntry]) -> ObjectiveFacts:
    """Add entries of any session to the facts, in the log's order."""
    for entry in entries:
        _fold_one(work, entry)
    return work


def _fold_one(work: ObjectiveFacts, entry: LogEntry) -> None:
    event, logged, session = entry.get("event"), entry.get("data"), entry.get("session")
    data = logged if isinstance(logged, dict) else {}
    if event == "objective":
        _begin(work, entry, data)
        return
    if session and session not in work["sessions"] and not session.startswith(OF_TASK):
        work["sessions"].append(session)
        progress.bound(work, "sessions", SESSIONS_KEPT)
    said.follow(work["said"], work["scheduled"], entry)
    if event in _FOLDED:
        _FOLDED[event](work, entry, data)


def _begin(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    """A new objective: nothing done before counts for it; open todos stay open."""
    work.update(new_facts(work["root"]))
    work["objective_hash"] = str(data.get("objective_hash") or "")
    work["since"] = _point(entry)
    progress.adopt_todos(work, entry, data.get("todos"))
    work["said"] = said.adopted(data.get("said"))


def _tool(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    work["actions"] += 1
    tool = str(entry.get("tool"))
    if tool in session_facts.COMMAND_TOOLS:
        _command(work, entry, data)
    elif tool in session_facts.EDIT_TOOLS and entry.get("success") is not False:
        _edit(work, entry, tool)
    elif tool in _ELSEWHERE_TOOLS:
        work["elsewhere"] = True
    elif tool in session_facts.SCHEDULING_TOOLS:
        work["scheduled"] = said.add_scheduled(work["scheduled"], entry)
    if "todos" in data:
        work["own"] += 1
        progress.fold_todos(work, entry, data["todos"])


def _command(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    command = str(data.get("command") or "")
    if progress.is_own(command):
        work["own"] += 1
    if _ELSEWHERE.search(command):
        work["elsewhere"] = True
    _ran(work, entry, data)
    progress.extend_to_call(work, entry, command)


def _ran(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    """The outcome of a command and of its checks; alone for a check that was run again, which is no work."""
    command = cut(str(data.get("command") or ""), COMMAND_LIMIT)
    success = None if data.get("background") else entry.get("success")
    facts: CommandFacts = {**_point(entry), "passed": success, "cwd": data.get("cwd")}
    work["commands"].pop(command, None)  # the newest is the last one
    work["commands"][command] = facts
    progress.bound(work, "commands", COMMANDS_KEPT)
    for check in session_facts.results_of(entry):
        _add_run(work, entry, data, check)


def _add_run(
    work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any], check: CheckResult
) -> None:
    command = str(data.get("command") or "")
    run: Run = {
        **_point(entry),
        "session": entry.get("session"),
        "agent": entry.get("agent") or "",
        "command": command[:CHECK_LIMIT],
        "cwd": data.get("cwd"),
        "duration_ms": entry.get("duration_ms"),
        "is_whole": len(command) <= CHECK_LIMIT and not _NOT_WHOLE.search(command),
        **check,
    }
    work["checks"].append(run)
    progress.bound(work, "checks", CHECKS_KEPT)
    unexpected_failures.note_pass(work["mismatches"], run)
    if len(work["checks"]) > TREE_STATES_KEPT:
        old = work["checks"][-TREE_STATES_KEPT - 1]
        if old["look"] is not None:
            old["look"] = {**old["look"], "differs": None}


def _edit(work: ObjectiveFacts, entry: LogEntry, tool: str) -> None:
    path = session_facts.work_path(str(entry.get("file_touched") or ""), work["root"])
    if not path:
        return
    _note_edit(work, entry)
    if not os.path.isabs(path):
        _set_file(work, path, tool, entry)
    elif path not in work["outside"]:
        work["outside"].append(path)
        progress.bound(work, "outside", OUTSIDE_KEPT)


def _note_edit(work: ObjectiveFacts, entry: LogEntry) -> None:
    work["active"] = str(entry.get("session") or "")
    said.note_edit(work["said"])


def _tree(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    """The files that changed since the last tree state; if only the session's list is known, its new ones."""
    recent = data.get("recent")
    paths = recent if isinstance(recent, list) else data.get("files")
    changed = [str(each) for each in paths or [] if session_facts.is_work(str(each))]
    files = work["files"]
    before = work["looked"] if isinstance(recent, list) else -1
    new = [path for path in changed if path not in files or files[path]["seq"] <= before]
    if new:
        _note_edit(work, entry)
    for path in new:
        _set_file(work, path, "tree", entry)
    progress.add_tree_files(work, new)
    work["looked"] = entry.get("seq") or work["looked"]


def _evals(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    run = {"seq": entry.get("seq"), "at": entry.get("timestamp"), "session": entry.get("session")}
    work["evals"].append({**data, **run})
    progress.bound(work, "evals", EVALS_KEPT)


def _tampering(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    """What may be ordinary work is in the log alone; a finding that turns out to be is no longer one."""
    if data.get("severity") == "low":
        entry = {**entry, "event": "tampering_undone"}
    session_facts.note_tampering(work["tampering"], entry)


def _mismatch(work: ObjectiveFacts, entry: LogEntry, data: dict[str, Any]) -> None:
    unexpected_failures.follow(work["mismatches"], entry.get("event"), data, entry.get("seq"))


def _session_start(work: ObjectiveFacts, _: LogEntry, data: dict[str, Any]) -> None:
    if data.get("source") == "worktree":
        work["elsewhere"] = True


_FOLDED: dict[str, Callable[[ObjectiveFacts, LogEntry, dict[str, Any]], None]] = {
    "tool": _tool,
    "check": _ran,
    "plan": progress.fold_plan,
    "tree_changed": _tree,
    "tampering": _tampering,
    "tampering_undone": _tampering,
    "mismatch": _mismatch,
    "mismatch_seen": _mismatch,
    "eval_run": _evals,
    "session_start": _session_start,
}


def _point(entry: LogEntry) -> progress.LogPoint:
    return {"seq": entry.get("seq") or 0, "at": entry.get("timestamp")}


def _set_file(work: ObjectiveFacts, path: str, by: str, entry: LogEntry) -> None:
    work["files"].pop(path, None)  # the newest is the last one
    work["files"][path] = {**_point(entry), "by": by}
    progress.bound(work, "files", FILES_KEPT)


# end of module
