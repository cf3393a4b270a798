"""``edge score``: six checks of how the work went, from evidence; the checks are in ``quality.score``."""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.writing import answer_of
from operators_edge.quality import score, score_service


@command(
    "score",
    arg(
        "--say CHECK=TEXT...",
        "state a check's result yourself; used only without evidence, and labelled so",
    ),
    example='--say "stop_condition=asked which cache to use in the chat"',
)
def _score(args: Args) -> Answer:
    reports = dict(score.report_of(each) for each in args.say)
    return answer_of(score_service.record(args.project, reports))


# end of module
