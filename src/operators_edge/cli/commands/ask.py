"""``edge ask``: a question that a person must answer before the work continues.

Owns the command's syntax. The question is in ``approvals.question``, its answer in ``loop.choices``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.cli.writing import DASH
from operators_edge.loop import auto
from operators_edge.sessions import status

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "ask",
        parents=[common()],
        epilog=f"edge ask Which cache? --option Redis --option none   ({DASH})",
    )
    parser.add_argument("text", nargs="+", metavar="TEXT", help="the question")
    parser.add_argument(
        "--option", action="append", default=[], metavar="T", help="a possible answer; repeatable"
    )
    parser.add_argument("--context", metavar="T", help="what the person should know to answer")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    session = project.latest_session()
    pending = auto.ask(project, session, " ".join(args.text), args.option, args.context)
    terminal.show({"junction": pending}, "\n".join(status.junction_lines(pending)))
    return 0
