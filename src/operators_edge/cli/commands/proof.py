"""``edge log``: show, search, verify and export the proof log.

Control characters in text from tools and agents are shown as escapes. Does not own the log (``storage.log``)
or how an entry reads (``reports.entries``).
"""

from __future__ import annotations

import csv
import time
from itertools import islice, zip_longest

from operators_edge import jsons
from operators_edge.cli import layout, person
from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence import session_facts
from operators_edge.reports import entries, proof_page_service, watch, watch_service
from operators_edge.sessions import decisions
from operators_edge.storage import verify as log_verify
from operators_edge.system import deferral
from operators_edge.text import outgoing
from operators_edge.text.wording import escaped, point_in_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from operators_edge.evidence.session_facts import Questions
    from operators_edge.records import LogEntry
    from operators_edge.storage.log import ProofLog

_TICK_SECONDS = 0.25

_UNCUT = 240
"""Columns where no terminal limits them."""

COLUMNS = (
    "seq",
    "timestamp",
    "event",
    "session",
    "agent",
    "tool",
    "tool_use_id",
    "success",
    "exit_code",
    "duration_ms",
    "file_touched",
    "diff_hash",
    "input_preview",
    "output_preview",
    "data",
    "prev",
)


@command(
    "log tail",
    arg("-n N", "20 by default", dest="count", default=20),
    arg("-f --follow", "show new entries as they come, until Ctrl-C"),
    about="show the last entries, with verdicts and who decided",
    example="-n 50",
    is_alone=True,
)
def _tail(args: Args) -> Answer | int:
    if args.count < 1:
        raise UsageError(f"-n must be at least 1, not {args.count}", hint="edge log -n 5")
    if args.follow:
        return follow(args, args.count)
    listed = args.project.log.tail(args.count)
    answers = _Answers()
    for entry in listed:
        answers.follow(entry)
    return _listed(args, listed, empty="The log is empty.", answers=answers)


class _Answers:
    """How the client's dialogs were answered: it reports no refusal, so a later entry tells."""

    def __init__(self) -> None:
        self._sessions: dict[str, Questions] = {}
        self._asked: dict[str, LogEntry] = {}

    def follow(self, entry: LogEntry) -> list[LogEntry]:
        """Take in the next entry; the questions that it shows to be refused."""
        session = str(entry.get("session") or "")
        facts = self._sessions.setdefault(session, {"turn": 0, "asks": {}, "answers": {}})
        if entry.get("event") == "asked":
            self._asked[str(entry.get("tool_use_id"))] = entry
        were_open = [*facts["asks"]]
        session_facts.follow_asks(facts, entry)
        return [self._asked[each] for each in were_open if self._outcome(facts, each) == "refused"]

    @staticmethod
    def _outcome(facts: Questions, ident: str) -> str:
        answer = facts["answers"].get(ident) if ident not in facts["asks"] else None
        return answer["outcome"] if answer else ""

    def of(self, entry: LogEntry) -> str:
        """The answer to a question, "" while it is not known."""
        facts = self._sessions.get(str(entry.get("session") or ""))
        if entry.get("event") != "asked" or facts is None:
            return ""
        return self._outcome(facts, str(entry.get("tool_use_id")))


def follow(args: Args, count: int) -> int:
    """A line for each entry, or an object, until Ctrl-C or the reader goes away."""
    deferral.run_all()
    follower, terminal = watch_service.LogFollower(args.project), args.terminal
    found, answers = follower.last(count) if count else [], _Answers()
    while True:
        for entry in found:
            for asked in answers.follow(entry) if not args.json else ():
                row = _row(asked, args, "refused")
                terminal.out.write(outgoing.to_terminal(row) + "\n")
            line = outgoing.to_program(entry) if args.json else _row(entry, args)
            terminal.out.write(outgoing.to_terminal(line) + "\n")
        terminal.out.flush()
        time.sleep(_TICK_SECONDS)
        found = follower.new()


def _row(entry: LogEntry, args: Args, answer: str = "") -> str:
    """One entry for a reader: cut at the width of a terminal, on one line of any length elsewhere."""
    terminal = args.terminal
    width = (
        layout.columns() if terminal.out.isatty() else layout.TYPED_WIDTH if args.asking else _UNCUT
    )
    line = entries.line(entry, root=args.project.root)
    if answer:
        title = f"{line.title}, {answer}"
        line = line._replace(title=title, outcome=answer, tone=entries.TONES.get(answer, ""))
    shown = line._replace(
        title=escaped(line.title),
        subject=escaped(line.subject),
        rule=escaped(line.rule),
        who=escaped(line.who),
    )
    row = watch.entry_row(shown, width)
    return terminal.paint(row.text, *filter(None, [row.style]))


@command(
    "log show",
    arg("SEQ", "the entry's number", type=int),
    about="show one entry in full",
    example="42",
)
def _show(args: Args) -> Answer:
    entry = args.project.log.show(args.seq)
    if entry is None:
        raise AnswerIsNo(f"there is no entry {args.seq}", hint="edge log")
    lines = []
    for name, value in entry.items():
        if value not in (None, "", {}):
            parts = (
                [f"{key}: {_raw(part)}" for key, part in value.items()]
                if isinstance(value, dict)
                else [_raw(value)]
            )
            lines += [
                f"{label:<15} {escaped(part)}"
                for label, part in zip_longest([name], parts, fillvalue="")
            ]
    return Answer(entry, lines)


def _raw(value: object) -> str:
    return value if isinstance(value, str) else jsons.dumps(value, ensure_ascii=False)


@command(
    "log verify",
    arg("[FILE]", "a proof page, to be checked against the log"),
    about="check the chain, or a proof page; exit code 1 if broken",
    description="Check the chain of the log. With a file: check that the proof page is as it was written.",
    example="report.html",
)
def _verify(args: Args) -> Answer:
    if args.file:
        return _verify_page(args)
    evidence = args.project.evidence
    audit = evidence.audit()
    report = log_verify.verify(args.project.log, follow=audit.line)
    if differing := audit.differing():
        evidence.forget()
        report.notes.append(f"{', '.join(differing)} did not follow from the log, and was removed")
    broken = report.first_broken
    data = {
        "entries": report.entries,
        "first_broken": dict(zip(("file", "line", "why"), broken, strict=True)) if broken else None,
        "head_known": report.head_known,
        "problems": report.problems,
        "is_unanchored": report.is_unanchored,
        "scrubbed": report.scrubbed,
        "notes": report.notes,
    }
    lines = []
    if broken:
        lines.append(f"Broken: {broken[0]}, line {broken[1]}: {broken[2]}")
    elif report.ok:
        anchored = ", end as recorded" if report.head_known else ""
        without = f" You took secrets out of {report.scrubbed}." if report.scrubbed else ""
        lines.append(f"Log OK: {report.entries} entries, hash chain intact{anchored}.{without}")
    elif report.is_unanchored:
        lines.append(f"Not anchored: {report.entries} entries are chained, and nothing in them was")
        lines.append(
            "changed. Its recorded end is different, as after a full disk or a power loss:"
        )
    else:
        lines.append(f"Damaged: {report.entries} entries are chained, but:")
    shown = report.problems[1:] if broken else report.problems
    lines += [f"  {escaped(each)}" for each in shown]
    lines += [f"note: {escaped(each)}" for each in report.notes]
    if not report.ok:
        lines.append("If you know the reason, accept the log as it is: edge log anchor")
    return Answer(data, lines, ok=report.ok)


@command(
    "log anchor",
    DRY_RUN,
    about="accept the log as it is; a person only",
    description="Accept what `edge log verify` finds wrong: it stays in the log, marked as accepted by "
    "you, and the log's end is recorded again.",
)
def _anchor(args: Args) -> Answer:
    project = args.project
    if not args.dry_run:
        person.require_person("proof anchor", project.root)
    report = log_verify.verify(project.log)
    if report.ok and report.head_known:
        raise AnswerIsNo("the log is intact: there is nothing to accept", hint="edge log verify")
    shown = [escaped(each) for each in report.problems or report.notes]
    if args.dry_run:
        return Answer({"problems": report.problems, "is_written": False}, shown)
    text = "\n".join(shown)
    if not person.confirm(f"{text}\nAccept the log as it is? This stays in it, with your name."):
        raise AnswerIsNo("nothing was accepted", hint="edge log anchor --dry-run")
    session = project.latest_session()
    log_verify.accept(project.log, report.problems, by=decisions.person_name(), session=session)
    data = {"problems": report.problems, "is_written": True}
    return Answer(data, "Accepted; the log says so. edge log verify lists what it was.")


def _verify_page(args: Args) -> Answer:
    """Outside of a project only the page itself can be checked, which is not enough for a yes."""
    project = args.project if args.location.is_set_up else None
    found = proof_page_service.check(args.file, project)
    about = found.manifest
    data = {
        "page": {name: each for name, each in about.as_data().items() if name != "digest"},
        "written": found.written,
        "problems": found.problems,
        "notes": found.notes,
    }
    lines = [
        f"The page: {about.project}, entries {about.first} to {about.last}, of {about.written}"
    ]
    if found.is_ok:
        lines.append(f"As it was written: the log recorded it at {point_in_time(found.written)}.")
    lines += [f"Not as it should be: {each}" for each in found.problems]
    lines += [f"note: {each}" for each in found.notes]
    return Answer(data, [escaped(each) for each in lines], ok=found.is_ok)


@command(
    "log search",
    arg("[TEXT...]", "in any letter case"),
    arg("--event NAME", "tool, asked, denied, …", default=""),
    arg("--tool NAME", "Bash, Edit, …", default=""),
    arg("--session ID", "only this session", default=""),
    arg("--limit N", "100 by default", default=100),
    about="find entries by text, event, tool or session",
    example="git push --event asked",
)
def _search(args: Args) -> Answer:
    if args.limit < 1:
        raise UsageError(f"--limit must be at least 1, not {args.limit}")
    log = args.project.log
    found = log.search(" ".join(args.text), event=args.event, tool=args.tool, session=args.session)
    listed = list(islice(found, args.limit + 1))
    if len(listed) > args.limit:
        args.terminal.warn(f"there are more than {args.limit}: raise --limit or narrow the search")
    return _listed(args, listed[: args.limit], empty="No entry matches.")


@command(
    "log export",
    arg("--format {jsonl,csv}", "output format (jsonl)", default="jsonl"),
    about="print the whole log as JSON Lines or CSV",
    example="--format csv > log.csv",
)
def _export(args: Args) -> Answer | int:
    if args.json and args.format == "csv":
        raise UsageError(
            "--json and --format csv cannot be used together", hint="edge log export --format csv"
        )
    log = args.project.log
    if args.json:
        return Answer([entry for entry, _ in log.entries()], "")
    with args.terminal.writing() as out:
        export(log, out, format=args.format)
    return 0


def export(log: ProofLog, out: TextIO, *, format: str) -> None:
    """Write every entry, oldest first, as JSON Lines or as CSV with a header."""
    if format == "jsonl":
        for entry, _ in log.entries():
            print(jsons.dumps(entry, ensure_ascii=True), file=out)
        return
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry, _ in log.entries():
        writer.writerow([_cell(entry.get(name)) for name in COLUMNS])


def _cell(value: Any) -> Any:
    """A field for a spreadsheet, which must not treat text from a tool as a formula."""
    if isinstance(value, dict | list):
        value = jsons.dumps(value, ensure_ascii=False)
    if not isinstance(value, str):
        return value
    mark = "'" if value[:1] in {"=", "+", "-", "@", "\t", "\r"} else ""
    return mark + outgoing.to_terminal(value)


def _listed(
    args: Args, listed: list[LogEntry], *, empty: str, answers: _Answers | None = None
) -> Answer:
    unreadable = sum(entry.get("event") == "log_unreadable" for entry in listed)
    if unreadable:
        args.terminal.warn(f"{unreadable} lines could not be read: edge log verify")
    rows = [_row(each, args, answers.of(each) if answers else "") for each in listed]
    return Answer(listed, rows or empty)


# end of module
