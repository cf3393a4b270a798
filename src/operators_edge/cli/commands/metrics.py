"""``edge metrics``: how often things happened, for a person, a program or a scraper."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence.metrics import (
    counts,
    render_openmetrics,
    render_text,
)

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "metrics", parents=[common()], epilog="edge metrics --openmetrics > edge.prom"
    )
    parser.add_argument("--session", metavar="ID", help="this session instead of the latest one")
    parser.add_argument("--openmetrics", action="store_true", help="text for a scraper")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    if args.json and args.openmetrics:
        raise UsageError(
            "--json and --openmetrics exclude each other", hint="edge metrics --openmetrics"
        )
    project = opened(args)
    session = args.session or project.latest_session()
    record = project.evidence.metrics()
    whole, one = counts.of_project(record), counts.of_session(record, session)
    if args.session and one is None:
        raise AnswerIsNo(
            f"{session} is not among the last {counts.SESSIONS_KEPT} sessions",
            hint="edge proof search --event session_start",
        )
    if args.openmetrics:
        labels = {"project": project.root} | ({"session": session} if args.session else {})
        scope = one if args.session and one is not None else whole
        print(render_openmetrics.text(scope, labels), end="", file=terminal.out)
        return 0
    name = os.path.basename(project.root) or project.root
    terminal.show({"project": whole, "session": one}, render_text.text(whole, one, name=name))
    return 0
