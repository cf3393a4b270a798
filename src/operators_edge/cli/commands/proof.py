"""``edge proof``: show, search, verify and export the proof log.

Owns how entries are shown: control characters in text from tools and agents are shown as escapes. Does not
own the log (``audit.log``).
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from operators_edge.audit import verify as audit_verify
from operators_edge.cli.commands import proof_ledger
from operators_edge.cli.options import common, opened
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.text.wording import cut

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from typing import TextIO

    from operators_edge.audit.log import ProofLog
    from operators_edge.cli.terminal import Terminal
    from operators_edge.records import LogEntry

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no other name

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


def register(nouns: Verbs) -> None:
    parser = nouns.add_parser("proof", epilog="edge proof tail -n 5")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    _tail(verbs)
    _show(verbs)
    _verify(verbs)
    _search(verbs)
    _export(verbs)
    proof_ledger.register(verbs)


def _tail(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "tail", help="show the last entries", parents=[common()], epilog="edge proof tail -n 50"
    )
    parser.add_argument("-n", dest="count", type=int, default=20, metavar="N", help="20 by default")
    parser.set_defaults(run=_run_tail)


def _run_tail(args: argparse.Namespace, terminal: Terminal) -> int:
    if args.count < 1:
        raise UsageError(f"-n must be at least 1, not {args.count}", hint="edge proof tail -n 5")
    _list(opened(args).log.tail(args.count), terminal, empty="The log is empty.")
    return 0


def _show(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "show", help="show one entry in full", parents=[common()], epilog="edge proof show 42"
    )
    parser.add_argument("seq", type=int, metavar="SEQ", help="the entry's number")
    parser.set_defaults(run=_run_show)


def _run_show(args: argparse.Namespace, terminal: Terminal) -> int:
    entry = opened(args).log.show(args.seq)
    if entry is None:
        raise AnswerIsNo(f"there is no entry {args.seq}", hint="edge proof tail")
    lines = []
    for name, value in entry.items():
        if value not in (None, "", {}):
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            lines.append(f"{name:<15} {visible(text)}")
    terminal.show(entry, "\n".join(lines))
    return 0


def _verify(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "verify",
        help="check the chain; exit code 1 if it is broken",
        parents=[common()],
        epilog="edge proof verify",
    )
    parser.set_defaults(run=_run_verify)


def _run_verify(args: argparse.Namespace, terminal: Terminal) -> int:
    report = audit_verify.verify(opened(args).log)
    broken = report.first_broken
    data = {
        "entries": report.entries,
        "first_broken": dict(zip(("file", "line", "why"), broken, strict=True)) if broken else None,
        "head_known": report.head_known,
        "problems": report.problems,
        "notes": report.notes,
    }
    lines = []
    if broken:
        lines.append(f"Broken: {broken[0]}, line {broken[1]}: {broken[2]}")
    elif report.ok:
        anchored = ", its end as recorded" if report.head_known else ""
        lines.append(f"Whole: {report.entries} entries{anchored}.")
    else:
        lines.append(f"Not whole: {report.entries} entries are chained, but:")
    shown = report.problems[1:] if broken else report.problems
    lines += [f"  {visible(each)}" for each in shown]
    lines += [f"note: {visible(each)}" for each in report.notes]
    terminal.show(data, "\n".join(lines), ok=report.ok)
    return 0 if report.ok else 1


def _search(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "search",
        help="find entries by text, event, tool or session",
        parents=[common()],
        epilog="edge proof search git push --event asked",
    )
    parser.add_argument("text", nargs="*", metavar="TEXT", help="in any letter case")
    parser.add_argument("--event", default="", metavar="NAME", help="tool, asked, denied, …")
    parser.add_argument("--tool", default="", metavar="NAME", help="Bash, Edit, …")
    parser.add_argument("--session", default="", metavar="ID", help="only this session")
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="100 by default")
    parser.set_defaults(run=_run_search)


def _run_search(args: argparse.Namespace, terminal: Terminal) -> int:
    if args.limit < 1:
        raise UsageError(f"--limit must be at least 1, not {args.limit}")
    log = opened(args).log
    found = log.search(" ".join(args.text), event=args.event, tool=args.tool, session=args.session)
    entries = list(islice(found, args.limit + 1))
    if len(entries) > args.limit:
        terminal.warn(f"there are more than {args.limit}: raise --limit or narrow the search")
    _list(entries[: args.limit], terminal, empty="No entry matches.")
    return 0


def _export(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "export",
        help="print the whole log as JSON Lines or CSV",
        parents=[common()],
        epilog="edge proof export --format csv > log.csv",
    )
    parser.add_argument(
        "--format", choices=("jsonl", "csv"), default="jsonl", help="output format (jsonl)"
    )
    parser.set_defaults(run=_run_export)


def _run_export(args: argparse.Namespace, terminal: Terminal) -> int:
    if args.json and args.format == "csv":
        raise UsageError(
            "--json and --format csv cannot be used together", hint="edge proof export --format csv"
        )
    log = opened(args).log
    if args.json:
        terminal.show([entry for entry, _ in log.entries()], "")
    else:
        export(log, terminal.out, format=args.format)
    return 0


def export(log: ProofLog, out: TextIO, *, format: str) -> None:
    """Write every entry, oldest first, as JSON Lines or as CSV with a header."""
    if format == "jsonl":
        for entry, _ in log.entries():
            print(json.dumps(entry, ensure_ascii=True), file=out)
        return
    import csv  # noqa: PLC0415 - for this verb alone

    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry, _ in log.entries():
        writer.writerow([_cell(entry.get(name)) for name in COLUMNS])


def _cell(value: Any) -> Any:
    """A field for a spreadsheet, which must not treat text from a tool as a formula."""
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"}:
        return "'" + value
    return value


def _list(entries: Iterable[LogEntry], terminal: Terminal, *, empty: str) -> None:
    listed = list(entries)
    unreadable = sum(entry.get("event") == "log_unreadable" for entry in listed)
    if unreadable:
        terminal.warn(f"{unreadable} lines could not be read: edge proof verify")
    terminal.show(listed, "\n".join(map(line_of, listed)) or empty)


def line_of(entry: LogEntry) -> str:
    """One entry on one line: number, time, event, tool, outcome and what it was about."""
    data = entry.get("data") or {}
    time = str(entry.get("timestamp") or "")[:19].replace("T", " ")
    what = (
        data.get("command")
        or entry.get("file_touched")
        or data.get("shown")
        or (tamper_model.describe(data) if str(entry.get("event")).startswith("tampering") else "")
        or entry.get("input_preview")
        or _wanted(data)
    )
    success = entry.get("success")
    outcome = "ok" if success is True else "failed" if success is False else ""
    parts = [str(entry.get("seq") or "?"), time, str(entry.get("event")), entry.get("tool") or ""]
    rule = data.get("rule") or ""
    return visible(" ".join(part for part in [*parts, outcome, rule, str(what)] if part), limit=200)


def _wanted(data: dict[str, Any]) -> str:
    """A short text for a change of intent or mode; "" for other entries."""
    said = [
        data.get(name) for name in ("text", "objective", "next_action", "proof", "why", "answer")
    ]
    return " ".join(str(each) for each in (data.get("step"), data.get("to"), *said) if each)


def visible(text: str, limit: int | None = None) -> str:
    """One line of text with control characters shown as escapes."""
    out = "".join(c if c.isprintable() else _escape(c) for c in text)
    return out if limit is None else cut(out, limit)


def _escape(sign: str) -> str:
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(sign)
    number = ord(sign)
    return short or (f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}")
