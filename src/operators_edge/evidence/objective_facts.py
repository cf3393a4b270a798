"""What all sessions did since the objective was set, folded from the log's entries (QG-2).

Pure. Owns the work record: one for the project, where ``evidence`` keeps one for each session. Does not own
where it is kept (``evidence.store``), how plan and todos move (``evidence.progress``), nor what a claim is
worth (``evidence.claims.judge``, ``quality.checks``).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from operators_edge.evidence import (
    progress,
    session_facts,
    unexpected_failures,
)
from operators_edge.text.wording import cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.records import LogEntry

Work = dict[str, Any]

SESSIONS_KEPT = 100
FILES_KEPT = 1000
OUTSIDE_KEPT = 100
CHECKS_KEPT = 200
COMMANDS_KEPT = 500
EVALS_KEPT = 100

COMMAND_LIMIT = 300
"""Characters by which a command is known in ``commands``."""

CHECK_LIMIT = 2000
"""Characters of a check's command; a longer one is cut, and cannot be run again."""

LOOKS_KEPT = 50
"""Checks, counted from the newest, whose look at the tree is kept with the files that differed."""

# What a command that was redacted or cut holds; it is not the command that ran.
_NOT_WHOLE = re.compile(r"\[REDACTED|…$")
_ELSEWHERE = re.compile(r"\bgit\b[^;&|\n]*\s(?:worktree|stash|checkout|switch)\b")
_ELSEWHERE_TOOLS = frozenset({"EnterWorktree", "ExitWorktree"})


def new_work(root: str) -> Work:
    """An empty record. ``objective_hash`` is None until the log says what the objective is.

    ``own`` counts the tool uses that are claims: the product's own commands, and the host's todos.
    ``dropped`` says how many entries of a list were let go to bound it, oldest first.
    """
    return {
        "root": root,
        "objective_hash": None,
        "since": None,
        "sessions": [],
        "actions": 0,
        "own": 0,
        "tools_used": {},
        "files": {},
        "outside": [],
        "looked": 0,
        "checks": [],
        "commands": {},
        "failures": 0,
        "elsewhere": False,
        "tampering": {},
        "evals": [],
        "mismatches": {},
        "dropped": {},
        **progress.new_course(),
    }


def fold_work(work: Work, entries: Iterable[LogEntry]) -> Work:
    """Add entries of any session to the record, in the log's order."""
    for entry in entries:
        _fold_one(work, entry)
    return work


def of_step(work: Work, key: str) -> dict[str, Any]:
    """What was observed while the step was at work: from its start, else the completion before it.

    ``{"files", "files_count", "tree", "commands", "failed", "checks", "actions", "from", "to"}``: paths that
    were written meanwhile; paths that the next look at the tree showed, which may be this step's; how many
    different commands ran, and which of them failed; the checks' records; tool uses that were no claims; the
    first and last number of the log's entries. {} for a step that the log never named.
    """
    seen = progress.seen_of(work, key)
    if not seen:
        return {}
    whole = {(each["seq"], each["name"]): each for each in work["checks"]}
    checks = [whole.get((each["seq"], each["name"]), each) for each in seen["checks"]]
    return {**seen, "checks": checks}


def _fold_one(work: Work, entry: LogEntry) -> None:  # noqa: C901 - a flat table of the log's events
    event = entry.get("event")
    data = entry.get("data")
    data = data if isinstance(data, dict) else {}
    if event == "objective":
        _begin(work, entry, data)
        return
    if event in ("mismatch", "mismatch_seen"):
        unexpected_failures.follow(work["mismatches"], event, data, entry.get("seq"))
    session = entry.get("session")
    if session and session not in work["sessions"]:
        _add(work, "sessions", session, SESSIONS_KEPT)
    if event == "tool":
        _tool(work, entry, data)
    elif event == "check":
        _ran_again(work, entry, data)
    elif event == "plan":
        progress.plan(work, entry, data)
    elif event == "tree_changed":
        _tree(work, entry, data)
    elif event in ("tampering", "tampering_undone"):
        session_facts.note_tampering(work["tampering"], entry)
    elif event == "eval_run":
        run = {"seq": entry.get("seq"), "at": entry.get("timestamp"), "session": session}
        _add(work, "evals", {**data, **run}, EVALS_KEPT)
    elif data.get("source") == "worktree" and event == "session_start":
        work["elsewhere"] = True


def _begin(work: Work, entry: LogEntry, data: dict[str, Any]) -> None:
    """A new objective: nothing that was done before counts for it; open todos are still open."""
    root = work["root"]
    work.clear()
    work.update(new_work(root))
    work["objective_hash"] = str(data.get("objective_hash") or "")
    work["since"] = _when(entry)
    progress.take_over(work, entry, data.get("todos"))


def _tool(work: Work, entry: LogEntry, data: dict[str, Any]) -> None:
    work["actions"] += 1
    if not session_facts.count(work, entry):
        work["dropped"]["tools_used"] = work["dropped"].get("tools_used", 0) + 1
    tool = str(entry.get("tool"))
    if tool in session_facts.COMMAND_TOOLS:
        _command(work, entry, data)
    elif tool in session_facts.EDIT_TOOLS and entry.get("success") is not False:
        _edit(work, entry, tool)
    elif tool in _ELSEWHERE_TOOLS:
        work["elsewhere"] = True
    if "todos" in data:
        work["own"] += 1
        progress.todos(work, entry, data["todos"])


def _command(work: Work, entry: LogEntry, data: dict[str, Any]) -> None:
    command = str(data.get("command") or "")
    if progress.is_own(command):
        work["own"] += 1
    success = None if data.get("background") else entry.get("success")
    shown = cut(command, COMMAND_LIMIT)
    run = {**_when(entry), "passed": success, "cwd": data.get("cwd")}
    _put(work, "commands", shown, run, COMMANDS_KEPT)
    if _ELSEWHERE.search(command):
        work["elsewhere"] = True
    for check in session_facts.checks_of(entry):
        _check(work, entry, {"command": command, "cwd": data.get("cwd"), **check})
    progress.enclose(work, entry, command)


def _ran_again(work: Work, entry: LogEntry, data: dict[str, Any]) -> None:
    """A recorded check that was run again: it is no work, and its outcome counts."""
    command = str(data.get("command") or "")
    if len(command) <= COMMAND_LIMIT:
        run = {**_when(entry), "passed": entry.get("success"), "cwd": data.get("cwd")}
        _put(work, "commands", command, run, COMMANDS_KEPT)
    for check in session_facts.checks_of(entry):
        _check(work, entry, {"command": command, "cwd": data.get("cwd"), **check})


def _check(work: Work, entry: LogEntry, check: dict[str, Any]) -> None:
    command = str(check["command"])
    kept = {
        **_when(entry),
        "session": entry.get("session"),
        "agent": entry.get("agent") or "",
        **check,
        "command": command[:CHECK_LIMIT],
        "duration_ms": entry.get("duration_ms"),
        "is_whole": len(command) <= CHECK_LIMIT and not _NOT_WHOLE.search(command),
    }
    _add(work, "checks", kept, CHECKS_KEPT)
    unexpected_failures.ran(work["mismatches"], kept)
    if len(work["checks"]) > LOOKS_KEPT:
        old = work["checks"][-LOOKS_KEPT - 1]
        if isinstance(old.get("look"), dict):
            old["look"] = {**old["look"], "differs": None}


def _edit(work: Work, entry: LogEntry, tool: str) -> None:
    path = session_facts.work_path(str(entry.get("file_touched") or ""), work["root"])
    if not path:
        return
    if not os.path.isabs(path):
        _put(work, "files", path, {**_when(entry), "by": tool}, FILES_KEPT)
    elif path not in work["outside"]:
        _add(work, "outside", path, OUTSIDE_KEPT)


def _tree(work: Work, entry: LogEntry, data: dict[str, Any]) -> None:
    """What is not as it was at the look before; where only the session's whole list is known, its news."""
    recent = data.get("recent")
    paths = recent if isinstance(recent, list) else data.get("files")
    found = [str(each) for each in paths or [] if session_facts.is_work(str(each))]
    least = work["looked"] + 1 if isinstance(recent, list) else 0
    new = [path for path in found if work["files"].get(path, {"seq": -1})["seq"] < least]
    for path in new:
        _put(work, "files", path, {**_when(entry), "by": "tree"}, FILES_KEPT)
    progress.looked(work, new)
    work["looked"] = entry.get("seq") or work["looked"]


def _when(entry: LogEntry) -> dict[str, Any]:
    return {"seq": entry.get("seq") or 0, "at": entry.get("timestamp")}


def _add(work: Work, name: str, value: Any, most: int) -> None:
    work[name].append(value)
    if len(work[name]) > most:
        del work[name][0]
        work["dropped"][name] = work["dropped"].get(name, 0) + 1


def _put(work: Work, name: str, key: str, value: Any, most: int) -> None:
    table = work[name]
    table.pop(key, None)
    table[key] = value
    if len(table) > most:
        del table[next(iter(table))]
        work["dropped"][name] = work["dropped"].get(name, 0) + 1
