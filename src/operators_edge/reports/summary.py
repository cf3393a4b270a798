"""What the entries of a log amount to, for a person: asked, decided, changed, checked, and what went wrong.

Pure. One pass over entries in the log's order. Does not own how one entry reads (``reports.entries``), the
verdicts on claims (``reports.proof_ledger``) or how any of it is shown (``reports.proof_page``).
"""

from __future__ import annotations

from collections import deque

from operators_edge.evidence import said, session_facts
from operators_edge.evidence.checks.run import bare_command
from operators_edge.reports import phases, traceability
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.evidence.checks.run import CheckResult
    from operators_edge.evidence.session_facts import Questions
    from operators_edge.records import LogEntry
    from operators_edge.reports.entries import Line, Tone

TEXT = 2000
"""Characters of a request or of a decision's subject."""

SHORT = 300

RUNS_SHOWN = 16
"""Runs of a check that its row shows."""


class Request(NamedTuple):
    """What a person typed."""

    seq: int
    at: str
    session: str
    text: str


class Decision(NamedTuple):
    """What was put before a person, or what one did on their own; ``who`` is "" while it is open."""

    seq: int
    at: str
    title: str
    subject: str
    rule: str
    outcome: str
    tone: Tone
    who: str
    why: str


class Change(NamedTuple):
    """A file; ``edits``: calls that wrote it, 0 if only the tree showed it. ``digests``: of its edits."""

    path: str
    edits: int
    seq: int
    digests: tuple[str, ...]


class CheckRow(NamedTuple):
    """A check with its runs, the last ones as entry and outcome: "ok", "failed", "unknown"."""

    name: str
    command: str
    runs: int
    failed: int
    outcome: str
    tone: Tone
    seq: int
    at: str
    counts: str
    history: tuple[tuple[int, str], ...]


class Trouble(NamedTuple):
    """Something that went wrong, with how often; ``seq`` is the last time."""

    title: str
    subject: str
    rule: str
    outcome: str
    tone: Tone
    seq: int
    at: str
    times: int


class SessionRow(NamedTuple):
    """One session with its phases."""

    ident: str
    began: str
    ended: str
    first: int
    last: int
    entries: int
    calls: int
    failed: int
    agents: int
    phases: tuple[phases.Phase, ...]


class Summary(NamedTuple):
    """``calls``, ``failed``: of tools; ``base``: the commit that the first session began with, "" if unknown.

    ``answers``: by entry, how the client's dialogs were answered.
    """

    first: int
    last: int
    began: str
    ended: str
    entries: int
    unreadable: int
    calls: int
    failed: int
    objective: str
    base: str
    requests: tuple[Request, ...]
    decisions: tuple[Decision, ...]
    changes: tuple[Change, ...]
    checks: tuple[CheckRow, ...]
    troubles: tuple[Trouble, ...]
    sessions: tuple[SessionRow, ...]
    answers: dict[int, str]


# Ordinary work fails all the time; what is listed as trouble is what a reader has to know.
_TROUBLE = frozenset(
    (
        *("message_contradicted", "tampering", "blocked", "denied", "approval_forgery"),
        *("approved_changed", "junction_dropped", "grant_ignored", "switch_used", "switch_ignored"),
        *("settings_refused", "gate_disabled", "mismatch_seen", "tree_unknown", "override_set"),
        *("log_torn", "log_tail_missing", "log_replaced", "log_unanchored", "log_head_unreadable"),
        *("log_unreadable", "log_foreign", "transaction_recovery", "state_restored"),
    )
)
_OF_A_PERSON = frozenset(
    (
        *("scope_given", "junction_decided", "grant_revoked", "gate_disabled", "gate_enabled"),
        *("configuration_trusted", "override_set", "state_restored", "auto", "log_accepted"),
        *("log_scrubbed", "state_scrubbed"),
    )
)
_WEIGHT: dict[str, int] = {"bad": 0, "wait": 1, "note": 2, "good": 3, "": 3}
IN_DIALOG = "a person, in the client's dialog"
_OF_A_USER = "user_"
"""How the client names the sources of a person's own answers."""


class Fold:
    """Entries as they come; ``summary`` at any time."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._first: Line | None = None
        self._last: Line | None = None
        self._entries = self._unreadable = self._calls = self._failed = 0
        self._objective = self._base = ""
        self._requests: list[Request] = []
        self._decisions: dict[str, Decision] = {}
        self._changes: dict[str, Change] = {}
        self._checks: dict[tuple[str, str], _Check] = {}
        self._troubles: dict[tuple[str, str, str], Trouble] = {}
        self._weakened: dict[tuple[str, str, str], tuple[str, str, str]] = {}
        self._sessions: dict[str, _Session] = {}
        self._answers: dict[int, str] = {}
        self._scheduled: list[str] = []

    def add(self, entry: LogEntry, line: Line) -> None:
        """Add one entry, sound as ``entries.sound`` makes it, with the line that it reads as."""
        self._entries += 1
        if not line.seq:
            self._unreadable += 1
        self._first = self._first or line
        self._last = line
        data = entry["data"]
        if line.session:
            self._session(entry, line)
        if traceability.is_call(line):
            self._calls += 1
            self._failed += line.outcome == "failed"
            if line.tool in session_facts.SCHEDULING_TOOLS:
                self._scheduled = said.add_scheduled(self._scheduled, entry)
        if line.kind == "check":
            self._check(entry, line)
        if line.file and line.kind == "edit" and line.outcome != "failed":
            self._changed(line.file, line, str(entry.get("diff_hash") or ""))
        self._of_event(line, data)

    def summary(self) -> Summary:
        """What all of it amounts to."""
        ends = [each.finished() for each in self._sessions.values()]
        first, last = self._first, self._last
        checks = [each.finished() for each in dict.fromkeys(self._checks.values())]
        troubles = sorted(self._troubles.values(), key=lambda each: (_WEIGHT[each.tone], -each.seq))
        return Summary(
            first=first.seq if first else 0,
            last=last.seq if last else 0,
            began=first.at if first else "",
            ended=last.at if last else "",
            entries=self._entries,
            unreadable=self._unreadable,
            calls=self._calls,
            failed=self._failed,
            objective=self._objective,
            base=self._base,
            requests=tuple(self._requests),
            decisions=tuple(self._decisions.values()),
            changes=tuple(sorted(self._changes.values(), key=lambda each: -each.edits)),
            checks=tuple(sorted(checks, key=lambda each: _WEIGHT[each.tone])),
            troubles=tuple(troubles),
            sessions=tuple(ends),
            answers=dict(self._answers),
        )

    # -- by what an entry is -----------------------------------------------------------------------

    def _of_event(self, line: Line, data: dict[str, Any]) -> None:
        event = line.event
        if event == "session_start" and isinstance(data.get("tree"), dict):
            self._base = self._base or str(data["tree"].get("head") or "")
        elif event == "objective":
            self._objective = str(data.get("objective") or "")
        elif event == "prompt" and said.is_of_person(self._scheduled, data):
            text = str(data.get("gist") or line.subject)[:TEXT]
            self._requests.append(Request(line.seq, line.at, line.session, text))
        elif event == "junction_raised":
            self._decide(str(data.get("junction")), line, data)
        elif event in _OF_A_PERSON and not (event == "auto" and not line.who):
            self._decide(str(data.get("junction") or line.seq), line, data)
        elif event == "tree_changed":
            files = data.get("recent") or data.get("files")
            for path in files if isinstance(files, list) else ():
                self._changed(str(path), line, "", is_edit=False)
        elif event == "tampering_undone":
            self._troubles.pop(self._weakened.pop(_weakened_key(data), ("", "", "")), None)
        if event in _TROUBLE:
            self._trouble(line, data)

    def _session(self, entry: LogEntry, line: Line) -> None:
        session = self._sessions.get(line.session)
        if session is None:
            session = self._sessions[line.session] = _Session(line)
        session.add(line)
        ident = str(entry.get("tool_use_id"))
        answers = session.follow(entry)
        if line.event == "asked":
            self._decide(f"{line.session}/{ident}", line, entry["data"])
        for call, outcome in answers:
            self._answer(f"{line.session}/{call}", outcome)
        if line.event == "answer_source":
            data = entry["data"]
            self._answered_by(f"{line.session}/{data.get('answered')}", str(data.get("source")))

    def _decide(self, key: str, line: Line, data: dict[str, Any]) -> None:
        before = self._decisions.pop(key, None)
        # A decision stands where it was made, with what was asked.
        self._decisions[key] = Decision(
            line.seq,
            line.at,
            before.title if before and line.event == "junction_decided" else line.title,
            one_line(data.get("shown") or (before.subject if before else line.subject), TEXT),
            line.rule or (before.rule if before else ""),
            line.outcome,
            line.tone,
            line.who,
            one_line(data.get("why") or "", SHORT),
        )

    def _answer(self, key: str, outcome: str) -> None:
        asked = self._decisions.get(key)
        if asked is None:
            return
        tone: Tone = "good" if outcome == "approved" else "note"
        who = asked.who or IN_DIALOG
        self._decisions[key] = asked._replace(outcome=outcome, tone=tone, who=who)
        self._answers[asked.seq] = outcome

    def _answered_by(self, key: str, source: str) -> None:
        """The client says who answered; something else than a person is worth a look."""
        asked = self._decisions.get(key)
        if asked is None or source.startswith(_OF_A_USER) or source in ("", "None"):
            return
        who = f"{source}, not a person"
        self._decisions[key] = asked._replace(who=who, tone="bad")
        title = "A person was asked, and something else answered"
        trouble = Trouble(title, asked.subject, asked.rule, source, "bad", asked.seq, asked.at, 1)
        self._troubles[(title, asked.subject, asked.rule)] = trouble

    def _changed(self, path: str, line: Line, digest: str, *, is_edit: bool = True) -> None:
        path = session_facts.work_path(path, self._root)
        if not path or not session_facts.is_work(path):
            return
        before = self._changes.get(path) or Change(path, 0, 0, ())
        digests = (*before.digests, digest)[-3:] if digest else before.digests
        self._changes[path] = Change(path, before.edits + is_edit, line.seq, digests)

    def _check(self, entry: LogEntry, line: Line) -> None:
        command = line.subject
        for each in session_facts.results_of(entry):
            name = each["name"] or each["kind"] or "check"
            key = (name, command)
            check = self._checks.get(key)
            if check is None:  # the same check, however it was called
                key = (name, bare_command(command))
                check = self._checks.setdefault(key, _Check(*key, line, each))
                self._checks[(name, command)] = check
            check.add(line, each)

    def _trouble(self, line: Line, data: dict[str, Any]) -> None:
        if line.event == "tampering" and data.get("severity") == "low":
            return
        key = (line.title, line.subject[:SHORT], line.rule)
        if line.event == "tampering":
            self._weakened[_weakened_key(data)] = key
        before = self._troubles.get(key)
        subject = one_line(line.subject or data.get("why") or data.get("reason") or "", TEXT)
        self._troubles[key] = Trouble(
            line.title,
            subject,
            line.rule,
            line.outcome,
            line.tone,
            line.seq,
            line.at,
            (before.times if before else 0) + 1,
        )


class _Session:
    """One session while its entries come."""

    def __init__(self, line: Line) -> None:
        self._first = line
        self._last = line
        self._entries = 0
        self._agents: set[str] = set()
        self._calls: list[Line] = []
        self._questions: Questions = {"turn": 0, "asks": {}, "answers": {}}

    def add(self, line: Line) -> None:
        self._last = line
        self._entries += 1
        self._agents.add(line.agent)
        if line.event == "tool":
            self._calls.append(line)

    def follow(self, entry: LogEntry) -> list[tuple[str, str]]:
        """The calls whose dialog this entry answers, each with how."""
        asks, now = self._questions["asks"], self._questions["answers"]
        if entry.get("event") != "asked" and not asks and entry.get("tool_use_id") not in now:
            return []
        before = {ident: each["outcome"] for ident, each in now.items()}
        session_facts.follow_asks(self._questions, entry)
        return [
            (ident, each["outcome"])
            for ident, each in now.items()
            if before.get(ident) != each["outcome"]
        ]

    def finished(self) -> SessionRow:
        found = phases.phases(self._calls)
        return SessionRow(
            ident=self._first.session,
            began=self._first.at,
            ended=self._last.at,
            first=self._first.seq,
            last=self._last.seq,
            entries=self._entries,
            calls=len(self._calls),
            failed=sum(each.failed for each in found),
            agents=len(self._agents - {""}),
            phases=found,
        )


class _Check:
    """One check while its runs come."""

    def __init__(self, name: str, command: str, line: Line, result: CheckResult) -> None:
        self._name, self._command = name, command
        self._runs = self._failed = 0
        self._history: deque[tuple[int, str]] = deque(maxlen=RUNS_SHOWN)
        self._last = line, result

    def add(self, line: Line, result: CheckResult) -> None:
        outcome = _OUTCOMES[result["passed"]][0]
        self._runs += 1
        self._failed += outcome == "failed"
        self._history.append((line.seq, outcome))
        self._last = line, result

    def finished(self) -> CheckRow:
        line, result = self._last
        outcome, tone = _OUTCOMES[result["passed"]]
        known = result["counts"] or {}
        counts = [f"{known[what]} {what}" for what in _COUNTED if known.get(what)]
        return CheckRow(
            name=self._name,
            command=one_line(self._command, SHORT),
            runs=self._runs,
            failed=self._failed,
            outcome=outcome,
            tone=tone,
            seq=line.seq,
            at=line.at,
            counts=", ".join(counts),
            history=tuple(self._history),
        )


_COUNTED = ("failed", "errors", "passed", "skipped")
_OUTCOMES: dict[bool | None, tuple[str, Tone]] = {
    True: ("ok", "good"),
    False: ("failed", "bad"),
    None: ("unknown", "note"),
}


def _weakened_key(data: dict[str, Any]) -> tuple[str, str, str]:
    return (str(data.get("kind")), str(data.get("path")), str(data.get("name")))


# end of module
