"""``edge ask``: a question that a person must answer before the work continues.

The question is in ``approvals.question``, its answer in ``loop.choices``.
"""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.loop import auto
from operators_edge.sessions import status


@command(
    "ask",
    arg("TEXT...", "the question"),
    arg("--option T...", "a possible answer; repeatable"),
    arg("--context T", "what the person should know to answer"),
    example="Which cache? --option Redis --option none",
)
def _ask(args: Args) -> Answer:
    project, question = args.project, " ".join(args.text)
    pending = auto.ask(project, project.latest_session(), question, args.option, args.context)
    return Answer({"junction": pending}, status.junction_lines(pending))


# end of module
