"""What really happened in a session, derived from the log's entries and from nothing else.

Pure. Owns the entry that a tool call leaves and the record that entries are folded into. Does not
own where either is kept (``store``) or which commands are test runs (``evidence.checks.find``), and accuses
nobody: what cannot be known is None.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from operators_edge.evidence import obligations
from operators_edge.evidence.checks import find as checks_find
from operators_edge.gate.fingerprint import canonical
from operators_edge.model import OWN_PATHS
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.records import LogEntry

Record = dict[str, Any]

EDIT_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
COMMAND_TOOLS = frozenset({"Bash"})
FAILURES_KEPT = 20
ANSWERS_KEPT = 200
TAMPERING_KEPT = 100
TAMPERING_SHOWN = 20
TOOLS_KEPT = 200

# Events that say nothing about whether an open question was answered.
_SILENT = frozenset(
    (
        *("asked", "check", "snapshot", "tampering", "tampering_undone"),
        *("mismatch", "mismatch_seen", "lesson_told", "lesson_used", "obligation"),
        "obligations_expired",
        # Commands write these, in whatever terminal, while a dialog may be open.
        *("objective", "plan", "step", "intent", "next", "note", "question", "risk", "constraint"),
    )
)
# What the end of a session itself brings about, behind its entry.
_AFTER_THE_END = frozenset(
    (
        *("tree_changed", "tree_unknown", "tampering", "tampering_undone"),
        *("objective", "plan", "objective_archived", "archive_pruned"),
        *("mismatch", "lesson_used", "obligation", "obligations_expired"),
    )
)
# Events after which no question of the session is open any more, whoever was asked. A prompt is not
# among them: the client sends its own notices as prompts while a subagent's dialog is open.
_CLOSING = frozenset({"session_start", "session_end"})


# -- the entry of a tool call ----------------------------------------------------------------------


def tool_entry(raw: dict[str, Any]) -> LogEntry:
    """A log entry for a finished call: ``raw``, its input and output in the log's words."""
    given = raw.get("input")
    inputs = given if isinstance(given, dict) else {"value": given}
    entry = {key: value for key, value in raw.items() if key not in ("input", "output", "cwd")}
    data = dict(raw.get("data") or {})
    tool = raw.get("tool")
    if tool in COMMAND_TOOLS:
        data["command"] = str(inputs.get("command") or "")
        data["cwd"] = raw.get("cwd")
        if inputs.get("run_in_background"):
            data["background"] = True
    entry |= {"input_preview": inputs, "output_preview": raw.get("output"), "data": data}
    path = inputs.get("file_path") or inputs.get("notebook_path")
    if tool in EDIT_TOOLS and isinstance(path, str):
        entry["file_touched"] = os.path.normpath(os.path.join(str(raw.get("cwd") or ""), path))
        change = {key: value for key, value in inputs.items() if key not in _WHERE}
        entry["diff_hash"] = sha256_hex(canonical(change))
    return cast("LogEntry", entry)


_WHERE = ("file_path", "notebook_path")


# -- folding ---------------------------------------------------------------------------------------


def new_record(session: str, root: str) -> Record:
    """An empty record; ``root`` is what the files are told relative to."""
    return {
        "session": session,
        "root": root,
        "started_at": None,
        "last_activity": None,
        "ended": False,
        "tools_used": {},
        "files_modified": [],
        "tree": None,
        "tree_files": [],
        "tree_last": None,
        "commands_failed": [],
        "failures": 0,
        "tests_run": False,
        "tests_passed": None,
        "last_test": None,
        "tampering": {},
        "lessons": obligations.new_told(),
        "asks": {},
        "answers": {},
    }


def fold(record: Record, entries: Iterable[LogEntry]) -> Record:
    """Add entries to a record, in the log's order; other sessions' are passed over."""
    for entry in entries:
        if entry.get("session") == record["session"]:
            _fold_one(record, entry)
    return record


def _fold_one(record: Record, entry: LogEntry) -> None:
    event = entry.get("event")
    record["started_at"] = record["started_at"] or entry.get("timestamp")
    record["last_activity"] = entry.get("timestamp")
    if event not in _AFTER_THE_END:
        record["ended"] = event == "session_end"
    if event == "answer_source":
        data = entry.get("data") or {}
        if data.get("answered") in record["answers"]:
            record["answers"][data["answered"]]["source"] = data.get("source")
        return
    if event == "session_start" and record["tree"] is None:
        record["tree"] = (entry.get("data") or {}).get("tree")
    if event == "tree_changed":
        data = entry.get("data") or {}
        record["tree_files"] = [each for each in data.get("files") or [] if is_work(str(each))]
        record["tree_last"] = data.get("tree")
    if event == "tool":
        _count(record, entry)
    if event in ("tampering", "tampering_undone"):
        note_tampering(record["tampering"], entry)
    obligations.follow(record["lessons"], entry)
    follow_asks(record, entry)


def _ask(entry: LogEntry) -> dict[str, Any]:
    data = entry.get("data") or {}
    return {
        "agent": entry.get("agent") or "",
        "exact": data.get("fingerprint", ""),
        "rule": data.get("rule", ""),
        "shown": data.get("shown", ""),
        "at": entry.get("timestamp"),
    }


def follow_asks(record: Record, entry: LogEntry) -> list[tuple[str, str]]:
    """Note a question in the host's dialog, and which ones this entry answers.

    ``record`` holds ``asks`` and ``answers`` of one session. Each answer comes as its outcome before, ""
    where it had none, and now: "approved" or "refused".
    """
    event = entry.get("event")
    if event == "asked":
        record["asks"][str(entry.get("tool_use_id"))] = _ask(entry)
    found = _confirm(record, entry) if event == "tool" else []
    return found if event in _SILENT else [*found, *_close(record, entry)]


def _confirm(record: Record, entry: LogEntry) -> list[tuple[str, str]]:
    """The call ran, so a person said yes, however late we hear of it."""
    ident = str(entry.get("tool_use_id"))
    ask = record["asks"].pop(ident, None) or record["answers"].get(ident)
    return [] if ask is None else [_answer(record, ident, ask, "approved")]


def _close(record: Record, entry: LogEntry) -> list[tuple[str, str]]:
    """A host says nothing when a person says no: the agent just goes on, or the turn ends."""
    agent, everyone = entry.get("agent") or "", entry.get("event") in _CLOSING
    found = []
    for ident, ask in list(record["asks"].items()):
        if everyone or ask["agent"] == agent:
            del record["asks"][ident]
            found.append(_answer(record, ident, ask, "refused"))
    return found


def _answer(record: Record, ident: str, ask: dict[str, Any], outcome: str) -> tuple[str, str]:
    answers = record["answers"]
    before = (answers.pop(ident, None) or {}).get("outcome", "")
    answers[ident] = {**ask, "outcome": outcome}
    for old in list(answers)[:-ANSWERS_KEPT]:
        del answers[old]
    return before, outcome


def _count(record: Record, entry: LogEntry) -> None:
    count(record, entry)
    tool = entry.get("tool")
    if tool in COMMAND_TOOLS:
        _count_command(record, entry)
    elif tool in EDIT_TOOLS and entry.get("success") is not False:
        path = work_path(str(entry.get("file_touched") or ""), record["root"])
        if path and path not in record["files_modified"]:
            record["files_modified"].append(path)


def _count_command(record: Record, entry: LogEntry) -> None:
    command = str((entry.get("data") or {}).get("command") or "")[:200]
    if entry.get("success") is False:
        failed = {"command": command, "exit_code": entry.get("exit_code")}
        record["commands_failed"] = [*record["commands_failed"], failed][-FAILURES_KEPT:]
    for check in checks_of(entry):
        if check["kind"] != "test":
            continue
        record["tests_run"] = True
        record["tests_passed"] = check["passed"]
        record["last_test"] = {
            "runner": check["name"],
            "command": command,
            "seq": entry.get("seq"),
            "at": entry.get("timestamp"),
            "passed": check["passed"],
        }


# -- what any record is folded from ----------------------------------------------------------------


def count(record: Record, entry: LogEntry) -> bool:
    """Count a tool use and a failed command; False where there are too many tools to count this one."""
    tool, used = str(entry.get("tool")), record["tools_used"]
    if tool in COMMAND_TOOLS and entry.get("success") is False:
        record["failures"] += 1
    if tool not in used and len(used) >= TOOLS_KEPT:
        return False
    used[tool] = used.get(tool, 0) + 1
    return True


def note_tampering(kept: dict[str, Any], entry: LogEntry) -> None:
    """What was taken away from the checks is on record until it is back."""
    data = entry.get("data") or {}
    key = "\n".join(str(data.get(name) or "") for name in ("kind", "path", "name"))
    before = kept.pop(key, {})
    if entry.get("event") == "tampering" and len(kept) < TAMPERING_KEPT:
        kept[key] = {**data, "at": before.get("at") or entry.get("timestamp")}


def work_path(path: str, root: str) -> str:
    """The path relative to the root where it lies below it; "" for the product's own files."""
    if not path:
        return ""
    inside = path.removeprefix(root.rstrip("/\\") + os.sep)
    if inside == path:
        return path
    inside = inside.replace(os.sep, "/")
    return inside if is_work(inside) else ""


def is_work(path: str) -> bool:
    """Whether a path relative to the root is none of the product's own (PR-9)."""
    return path.split("/", maxsplit=1)[0] not in OWN_PATHS


def checks_of(entry: LogEntry) -> list[dict[str, Any]]:
    """The checks that a command ran, the decisive one last; [] for nearly every command.

    What the entry says of itself holds; of older ones the command tells whether tests were run.
    """
    data = entry.get("data") or {}
    check = data.get("check")
    if isinstance(check, dict):
        also = [each for each in check.get("also") or [] if isinstance(each, dict)]
        main = {name: check.get(name) for name in check if name != "also"}
        shared = {name: main.get(name) for name in ("look", "look_why", "elsewhere")}
        return [{**_CHECK, **shared, **each} for each in also] + [{**_CHECK, **main}]
    run = checks_find.test_run(str(data.get("command") or ""))
    if run is None:
        return []
    success = entry.get("success")
    is_known = success is not None and not data.get("background")
    passed = run.outcome(is_success=bool(success)) if is_known else None
    return [{**_CHECK, "kind": "test", "name": run.runner, "passed": passed}]


_CHECK: dict[str, Any] = {
    "kind": "",
    "name": "",
    "passed": None,
    "counts": None,
    "scope": [],
    "look": None,
    "look_why": "",
    "elsewhere": False,
}


# -- what is told ----------------------------------------------------------------------------------


def observations(record: Record) -> dict[str, Any]:
    """What the state keeps of a session."""
    kept = (
        "files_modified",
        "tools_used",
        "tests_run",
        "tests_passed",
        "commands_failed",
        "last_activity",
    )
    seen = {key: record[key] for key in kept}
    # What tools named, and what else changed on the disk since the session began.
    seen["files_modified"] = list(dict.fromkeys([*record["files_modified"], *record["tree_files"]]))
    seen["tampering"] = [
        {name: each.get(name) for name in ("kind", "path", "name", "detail", "at")}
        for each in record["tampering"].values()
        if each.get("severity") != "low"
    ][-TAMPERING_SHOWN:]
    return seen


def was_refused(record: Record, exact: str, agent: str) -> bool:
    """True when a person was asked for exactly this call and did not let it run.

    A question to the same agent that is still open counts: this call is that agent's next event.
    """
    if not exact:
        return False
    refused = (a for a in record["answers"].values() if a["outcome"] == "refused")
    open_asks = (ask for ask in record["asks"].values() if ask["agent"] == agent)
    approved = {
        a["exact"]: a["at"] for a in record["answers"].values() if a["outcome"] == "approved"
    }
    return any(
        ask["exact"] == exact and not _is_later(approved.get(exact), ask["at"])
        for each in (refused, open_asks)
        for ask in each
    )


def _is_later(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one > other
