"""``edge stats``: how often things happened, for a person, a program or a scraper."""

from __future__ import annotations

import os

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.layout import columns
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence.metrics import counts, render_openmetrics, render_text
from operators_edge.text import outgoing


@command(
    "stats",
    arg("--session ID", "this session instead of the latest one"),
    arg("--openmetrics", "text for a scraper"),
    example="--openmetrics > edge.prom",
)
def _metrics(args: Args) -> Answer | int:
    if args.json and args.openmetrics:
        raise UsageError(
            "--json and --openmetrics cannot be used together", hint="edge stats --openmetrics"
        )
    project = args.project
    session = args.session or project.latest_session()
    record = project.evidence.metrics()
    whole, one = counts.of_project(record), counts.of_session(record, session)
    if args.session and one is None:
        raise AnswerIsNo(
            f"{session} is not among the last {counts.SESSIONS_KEPT} sessions",
            hint="edge log search --event session_start",
        )
    if args.openmetrics:
        labels = {"project": project.root} | ({"session": session} if args.session else {})
        scope = one if args.session and one is not None else whole
        found = outgoing.to_terminal(render_openmetrics.text(scope, labels))
        with args.terminal.writing() as out:
            print(found, end="", file=out)
        return 0
    name, missing = os.path.basename(project.root) or project.root, project.log.missing_end()
    data = {"project": whole, "session": one, "missing": missing}
    text = render_text.text(whole, one, name=name, missing=missing, width=columns())
    return Answer(data, text)


# end of module
