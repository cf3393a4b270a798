"""``edge report``: write the proof page, and open it.

Owns this verb. Does not own what is written (``reports.proof_page_service``).
"""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.datetimes import datetime, timedelta
from operators_edge.errors import UsageError
from operators_edge.reports import digest_service, proof_page_service, traceability
from operators_edge.text import timestamps
from operators_edge.text.wording import amount, many

_LONG = 20_000
"""Entries that take more than a second."""


@command(
    "report",
    arg("--out FILE", "where to write it, ending in .html (.proof/proof_viz.html)", default=""),
    arg("--open", "show it in the browser", dest="is_opened"),
    arg("--session ID", "only the entries of this session", default=""),
    arg("--since WHEN", "only later entries: 2d, 3h, 30m, or a date", default=""),
    arg("--last N", "at most so many entries, the last ones (100000)", default=100_000),
    arg("--history", "also add a row to the history of the traceability, and say how it changed"),
    about="write the proof page",
    description="Write the proof page: one file that shows what was asked, decided, changed and checked.",
    example="--open",
)
def _report(args: Args) -> Answer:
    if args.last < 1:
        raise UsageError(f"--last must be at least 1, not {args.last}")
    project = args.project
    selection = proof_page_service.Selection(
        session=args.session,
        since=_since(args.since, project.clock()) if args.since else None,
        most=args.last,
    )
    path = os.path.abspath(args.out) if args.out else ""
    if args.terminal.err.isatty() and min(args.last, project.log.count()) >= _LONG:
        args.terminal.aside("Reading the log …")
    found = proof_page_service.write(project, path=path, selection=selection)
    data = {
        "path": found.path,
        "bytes": found.size,
        "digest": found.digest,
        "entries": found.summary.entries,
        "first": found.summary.first,
        "last": found.summary.last,
        "removed": found.removed,
        "recorded": not found.problem,
    }
    remarks = [f"the log does not record it: {found.problem}"] if found.problem else []
    if args.is_opened and not webbrowser.open(Path(found.path).as_uri()):
        remarks.append("no browser could be started")
    secrets = f", {many(found.removed, 'secret')} removed" if found.removed else ""
    shown = os.path.relpath(found.path) if not args.out else args.out
    lines = [
        f"Written: {shown} ({many(found.summary.entries, 'entry')}, {amount(found.size)}{secrets})",
        f"Check it later: edge log verify {shown}",
    ]
    if args.history:
        history = digest_service.note_history(project)
        data["cti"] = history[-1].cti
        lines.append(f"Traceability: {traceability.summary(history)}")
    return Answer(data, lines, remarks=remarks)


def _since(text: str, now: datetime) -> datetime:
    """A time, or how long ago."""
    ago = timestamps.minutes(text)
    if ago is not None:
        return now - timedelta(minutes=ago)
    at = timestamps.parse(text)
    if at is None:
        raise UsageError(f"--since does not take {text!r}", hint="edge report --since 2d")
    return at


# end of module
