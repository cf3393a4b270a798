"""What happened in a session, derived from the log's entries and from nothing else.

Pure. Owns the entry that a tool call leaves and the facts that entries are folded into; what is unknown is
None. Does not own where either is stored (``evidence.store``) or which commands are checks
(``evidence.checks.detect``).
"""

from __future__ import annotations

import os

from operators_edge.evidence import obligations, said
from operators_edge.evidence.checks.run import result_of
from operators_edge.gate.fingerprint import canonical
from operators_edge.model import OWN_PATHS
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NotRequired, TypedDict

    from operators_edge.evidence.checks.run import CheckResult
    from operators_edge.records import LogEntry

    class Question(TypedDict):
        """A question in the host's dialog: for which call, by which rule; ``shown`` is its text.

        ``classes`` are the call's, ``turn`` is the number of the person's prompts until then.
        """

        agent: str
        exact: str
        rule: str
        shown: str
        at: str | None
        classes: list[str]
        turn: int
        source: NotRequired[str | None]

    class Answer(Question):
        """``outcome`` is "approved" or "refused"; ``source`` is known if the host reported it."""

        outcome: str

    class Questions(TypedDict):
        """Open questions and the latest answers, by the call's id; ``turn`` counts the person's prompts."""

        turn: int
        asks: dict[str, Question]
        answers: dict[str, Answer]

    class FailedCommand(TypedDict):
        command: str
        exit_code: int | None

    class LastCall(TypedDict):
        """A tool call: the tool with its file or command, and whether a person interrupted it."""

        shown: str
        interrupted: bool

    class WeakenedCheck(TypedDict, total=False):
        """A finding of tampering as the log has it; ``seen`` by "edit", "command" or "tree", ``at`` first."""

        kind: str
        path: str
        name: str
        detail: str
        severity: str
        seen: str
        at: str | None

    class SessionFacts(Questions):
        """What one session did. Stored in ``.proof/cache/sessions``: keys stay.

        ``tools_used``: how often each tool was. ``files_modified``: written by tools, relative to ``root``
        where they are below it. ``tree``: the tree state at the start, ``tree_files`` what differs from it
        and ``tree_last`` the state at that time. ``tampering``: by key, what was weakened and is not
        restored, also what may be ordinary work, so that it is logged once. ``lessons``: see
        ``evidence.obligations``. ``scheduled``: prompts that the agent had the host send later, which are not
        the person's. ``last_call`` names the last tool call, and whether a person interrupted it. ``hidden``:
        how many secrets were taken out of what tools were given and said.
        """

        session: str
        root: str
        started_at: str | None
        last_activity: str | None
        ended: bool
        tools_used: dict[str, int]
        files_modified: list[str]
        tree: dict[str, Any] | None
        tree_files: list[str]
        tree_last: dict[str, Any] | None
        commands_failed: list[FailedCommand]
        tests_run: bool
        tests_passed: bool | None
        tampering: dict[str, WeakenedCheck]
        lessons: obligations.LessonFacts
        scheduled: list[str]
        last_call: LastCall | None
        hidden: int


_MARK = "[REDACTED"

EDIT_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
COMMAND_TOOLS = frozenset({"Bash"})
SCHEDULING_TOOLS = frozenset({"CronCreate", "ScheduleWakeup"})
FAILURES_KEPT = 20
ANSWERS_KEPT = 200
TAMPERING_KEPT = 100
TAMPERING_SHOWN = 20
TOOLS_KEPT = 200

# Events that do not show whether an open question was answered.
_NEUTRAL = frozenset(
    (
        *(
            "asked",
            "approved_changed",
            "junction_changed",
            "junction_left",
            "junction_dropped",
            "check",
            "snapshot",
            "let_through",
            "rehearsed",
            "rehearsal_taken",
            "tampering",
            "tampering_undone",
        ),
        *("mismatch", "mismatch_seen", "lesson_told", "lesson_used", "obligation"),
        "obligations_expired",
        # Commands write these, in any terminal, while a dialog may be open.
        *("objective", "plan", "step", "intent", "next", "note", "question", "risk", "constraint"),
    )
)
# What the end of a session itself causes, after its entry.
_AFTER_THE_END = frozenset(
    (
        *("tree_changed", "tree_unknown", "tampering", "tampering_undone"),
        *("objective", "plan", "objective_archived", "archive_pruned"),
        *("mismatch", "lesson_used", "obligation", "obligations_expired"),
        *("junction_left", "junction_dropped"),
    )
)
# Events after which no question of the session is open. A prompt is not among them: the client sends its own
# notices as prompts while a subagent's dialog is open.
_CLOSING = frozenset({"session_start", "session_end"})


# -- the entry of a tool call ----------------------------------------------------------------------


def tool_entry(raw: dict[str, Any]) -> LogEntry:
    """The log entry of a finished call: ``raw`` with its input and output under the log's keys."""
    value = raw.get("input")
    inputs = value if isinstance(value, dict) else {"value": value}
    entry = {key: value for key, value in raw.items() if key not in ("input", "output", "cwd")}
    entry |= {"input_preview": inputs, "output_preview": raw.get("output")}
    entry["data"] = dict(raw.get("data") or {})
    if raw.get("tool") in COMMAND_TOOLS:
        entry["data"] |= {"command": str(inputs.get("command") or ""), "cwd": raw.get("cwd")}
        if inputs.get("run_in_background"):
            entry["data"]["background"] = True
    if raw.get("tool") in EDIT_TOOLS:
        entry |= _edit_fields(inputs, str(raw.get("cwd") or ""))
    return cast("LogEntry", entry)


def _edit_fields(inputs: dict[str, Any], cwd: str) -> dict[str, str]:
    path = inputs.get("file_path") or inputs.get("notebook_path")
    if not isinstance(path, str):
        return {}
    change = {key: value for key, value in inputs.items() if key not in _PATH_KEYS}
    touched = os.path.normpath(os.path.join(cwd, path))
    return {"file_touched": touched, "diff_hash": sha256_hex(canonical(change))}


_PATH_KEYS = ("file_path", "notebook_path")


# -- folding ---------------------------------------------------------------------------------------


def new_facts(session: str, root: str) -> SessionFacts:
    """The facts of a session without entries; file paths are relative to ``root``."""
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
        "tests_run": False,
        "tests_passed": None,
        "tampering": {},
        "lessons": obligations.new_facts(),
        "scheduled": [],
        "last_call": None,
        "hidden": 0,
        "turn": 0,
        "asks": {},
        "answers": {},
    }


def fold(facts: SessionFacts, entries: Iterable[LogEntry]) -> SessionFacts:
    """Add entries to the facts, in the log's order; those of other sessions are skipped."""
    for entry in entries:
        if entry.get("session") == facts["session"]:
            _fold_one(facts, entry)
    return facts


def _fold_one(facts: SessionFacts, entry: LogEntry) -> None:
    event = entry.get("event")
    data = entry.get("data") or {}
    facts["started_at"] = facts["started_at"] or entry.get("timestamp")
    facts["last_activity"] = entry.get("timestamp")
    if event not in _AFTER_THE_END:
        facts["ended"] = event == "session_end"
    if event == "answer_source":
        if data.get("answered") in facts["answers"]:
            facts["answers"][data["answered"]]["source"] = data.get("source")
        return
    if event == "session_start" and facts["tree"] is None:
        facts["tree"] = data.get("tree")
    if event == "tree_changed":
        facts["tree_files"] = [each for each in data.get("files") or [] if is_work(str(each))]
        facts["tree_last"] = data.get("tree")
    if event == "tool":
        _add_tool_use(facts, entry)
    if event in ("tampering", "tampering_undone"):
        note_tampering(facts["tampering"], entry)
    obligations.follow(facts["lessons"], entry)
    follow_asks(facts, entry)
    if event == "prompt" and said.is_of_person(facts["scheduled"], data):
        facts["turn"] += 1


def _question(facts: Questions, entry: LogEntry) -> Question:
    data = entry.get("data") or {}
    return {
        "agent": entry.get("agent") or "",
        "exact": data.get("fingerprint", ""),
        "rule": data.get("rule", ""),
        "shown": data.get("shown", ""),
        "at": entry.get("timestamp"),
        "classes": [str(each) for each in data.get("classes") or []],
        "turn": facts["turn"],
    }


def follow_asks(facts: Questions, entry: LogEntry) -> list[tuple[str, str]]:
    """Note a question in the host's dialog, and which ones this entry answers.

    Returns for each answer its previous outcome, "" for none, and the new one: "approved" or "refused".
    """
    event = entry.get("event")
    if event == "asked":
        facts["asks"][str(entry.get("tool_use_id"))] = _question(facts, entry)
    outcomes = _confirm(facts, entry) if event == "tool" else []
    return outcomes if event in _NEUTRAL else [*outcomes, *_close(facts, entry)]


def _confirm(facts: Questions, entry: LogEntry) -> list[tuple[str, str]]:
    """The call ran, so a person approved it, however late the entry comes."""
    ident = str(entry.get("tool_use_id"))
    ask = facts["asks"].pop(ident, None) or facts["answers"].get(ident)
    return [] if ask is None else [_answer(facts, ident, ask, "approved")]


def _close(facts: Questions, entry: LogEntry) -> list[tuple[str, str]]:
    """A host does not report a refusal: the agent just continues, or the turn ends."""
    agent, everyone = entry.get("agent") or "", entry.get("event") in _CLOSING
    outcomes = []
    for ident, ask in list(facts["asks"].items()):
        if everyone or ask["agent"] == agent:
            del facts["asks"][ident]
            outcomes.append(_answer(facts, ident, ask, "refused"))
    return outcomes


def _answer(facts: Questions, ident: str, ask: Question, outcome: str) -> tuple[str, str]:
    answers = facts["answers"]
    previous = answers.pop(ident, None)
    before = "" if previous is None else previous["outcome"]
    answers[ident] = {**ask, "outcome": outcome}
    for old in list(answers)[:-ANSWERS_KEPT]:
        del answers[old]
    return before, outcome


def _add_tool_use(facts: SessionFacts, entry: LogEntry) -> None:
    tool, used = str(entry.get("tool")), facts["tools_used"]
    facts["last_call"] = _last_call(entry, facts["root"])
    for name in ("input_preview", "output_preview"):
        facts["hidden"] += str(entry.get(name)).count(_MARK)
    if tool in used or len(used) < TOOLS_KEPT:
        used[tool] = used.get(tool, 0) + 1
    if tool in SCHEDULING_TOOLS:
        facts["scheduled"] = said.add_scheduled(facts["scheduled"], entry)
    if tool in COMMAND_TOOLS:
        _add_command(facts, entry)
    elif tool in EDIT_TOOLS and entry.get("success") is not False:
        path = work_path(str(entry.get("file_touched") or ""), facts["root"])
        if path and path not in facts["files_modified"]:
            facts["files_modified"].append(path)


def _last_call(entry: LogEntry, root: str) -> LastCall:
    data = entry.get("data") or {}
    target = work_path(str(entry.get("file_touched") or ""), root) or data.get("command") or ""
    interrupted = bool(data.get("interrupted"))
    return {"shown": f"{entry.get('tool')} {target}".strip()[:200], "interrupted": interrupted}


def _add_command(facts: SessionFacts, entry: LogEntry) -> None:
    command = str((entry.get("data") or {}).get("command") or "")[:200]
    if entry.get("success") is False:
        failed: FailedCommand = {"command": command, "exit_code": entry.get("exit_code")}
        facts["commands_failed"] = [*facts["commands_failed"], failed][-FAILURES_KEPT:]
    for check in results_of(entry):
        if check["kind"] == "test":
            facts["tests_run"], facts["tests_passed"] = True, check["passed"]


# -- shared with the facts of the objective --------------------------------------------------------


def note_tampering(kept: dict[str, WeakenedCheck], entry: LogEntry) -> None:
    """Keep a weakened check until it is restored."""
    data = entry.get("data") or {}
    key = "\n".join(str(data.get(name) or "") for name in ("kind", "path", "name"))
    before = kept.pop(key, {})
    if entry.get("event") == "tampering" and len(kept) < TAMPERING_KEPT:
        at = before.get("at") or entry.get("timestamp")
        kept[key] = cast("WeakenedCheck", {**data, "at": at})


def work_path(path: str, root: str) -> str:
    """The path, relative to the root if it is below it; "" for the product's own files."""
    if not path:
        return ""
    inside = path.removeprefix(root.rstrip("/\\") + os.sep)
    if inside == path:
        return path
    inside = inside.replace(os.sep, "/")
    return inside if is_work(inside) else ""


def is_work(path: str) -> bool:
    """Whether a path relative to the root is not one of the product's own files (PR-9)."""
    return path.split("/", maxsplit=1)[0] not in OWN_PATHS


def results_of(entry: LogEntry) -> list[CheckResult]:
    """The checks that a command ran, the decisive one last; [] for nearly every command."""
    check = (entry.get("data") or {}).get("check")
    if not isinstance(check, dict):
        return []
    shared = {name: check.get(name) for name in ("look", "look_why", "elsewhere")}
    also = [each for each in check.get("also") or [] if isinstance(each, dict)]
    return [*(result_of({**each, **shared}) for each in also), result_of(check)]


# -- what is read from the facts -------------------------------------------------------------------


def observations(facts: SessionFacts) -> dict[str, Any]:
    """The state's ``observations`` of a session."""
    weakened = [
        {name: each.get(name) for name in ("kind", "path", "name", "detail", "at")}
        for each in facts["tampering"].values()
        if each.get("severity") != "low"
    ]
    return {
        # What tools named, and what else changed on the disk since the session began.
        "files_modified": list(dict.fromkeys([*facts["files_modified"], *facts["tree_files"]])),
        "tools_used": facts["tools_used"],
        "tests_run": facts["tests_run"],
        "tests_passed": facts["tests_passed"],
        "commands_failed": facts["commands_failed"],
        "last_activity": facts["last_activity"],
        "tampering": weakened[-TAMPERING_SHOWN:],
    }


def was_refused(facts: Questions, exact: str, classes: Iterable[str], agent: str) -> bool:
    """Whether a person refused this call, or one of its classes, since their latest prompt (JU-8).

    A question to the same agent that is still open counts: this call is that agent's next event.
    """
    wanted = {exact, *classes} - {""}
    refused = (a for a in facts["answers"].values() if a["outcome"] == "refused")
    open_asks = (ask for ask in facts["asks"].values() if ask["agent"] == agent)
    approved = {
        a["exact"]: a["at"] for a in facts["answers"].values() if a["outcome"] == "approved"
    }
    return any(
        ask["turn"] == facts["turn"]
        and not wanted.isdisjoint((ask["exact"], *ask["classes"]))
        and not _is_later(approved.get(exact), ask["at"])
        for each in (refused, open_asks)
        for ask in each
    )


def _is_later(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one > other


# end of module
