"""``edge score``: six checks of how the work went, from evidence.

Owns the command's syntax. Does not own the checks (``quality.score``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.cli.writing import answer
from operators_edge.quality import score, score_service

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "score",
        parents=[common()],
        epilog='edge score --say "stop_condition=asked which cache to use in the chat"',
    )
    parser.add_argument(
        "--say",
        action="append",
        default=[],
        metavar="CHECK=TEXT",
        help="state a check's result yourself; used only without evidence, and labelled so",
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    reports = dict(score.report_of(each) for each in args.say)
    answer(terminal, score_service.record(opened(args), reports))
    return 0
