"""``edge research``: questions for somebody outside, from the open question to the action items.

Owns the arguments of these commands. Does not own what they do (``inquiry.research``,
``inquiry.research_service``).
"""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.writing import answer_of, given_or_pasted, one_text
from operators_edge.errors import UsageError
from operators_edge.inquiry import research_service
from operators_edge.inquiry.research import MAX_RESULTS, Research
from operators_edge.quality import service as quality_service

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.plan.edits import EditResult

_ID = arg("ID", "as listed: R001")


def _write(args: Args, edit: Callable[[Research], EditResult]) -> Answer:
    return answer_of(research_service.write(args.project, edit, command=args.words))


@command("research scan", about="find unknowns in the objective, the plan and the open questions")
def _scan(args: Args) -> Answer:
    return _write(args, Research.scan)


@command(
    "research add",
    arg("TEXT...", "what has to be found out"),
    arg("--critical", "the work cannot go on without it"),
    arg("--step N", "the step; a critical one waits"),
    arg("--context T", "what is known, why it matters"),
    about="add a topic, and make its prompt",
    example='--critical --step 2 "which cache fits?"',
    is_implied=True,
)
def _add(args: Args) -> Answer:
    topic = " ".join(args.text)
    return _write(
        args,
        lambda research: research.add(
            topic, is_critical=args.critical, step=args.step, context=args.context
        ),
    )


@command("research list", about="list all of them", is_alone=True)
def _list(args: Args) -> Answer:
    research = research_service.read(args.project)
    return Answer(research.entries, research.lines() or "No research yet: edge research scan")


@command("research show", _ID, about="show one of them", example="R001")
def _show(args: Args) -> Answer:
    research = research_service.read(args.project)
    return Answer(research.entry(args.id), research.details(args.id))


@command("research start", _ID, about="print the prompt, ready to paste", example="R001")
def _start(args: Args) -> Answer:
    said = _write(args, lambda research: research.start(args.id))
    if not args.terminal.json_wanted:  # beside the prompt, which is to be piped on as it is
        args.terminal.aside(f"then: edge research results {said.data['id']} --file ANSWER.md")
    return said


@command(
    "research results",
    _ID,
    arg("[TEXT...]", "the answer; else stdin is read"),
    arg("--file F", "the file with the answer"),
    arg("--replace", "replace the earlier results"),
    about="load the answer, and read the action items out of it",
    example="R001 --file answer.md   (or: < answer.md)",
)
def _results(args: Args) -> Answer:
    project, text = args.project, _answer_text(args)
    return answer_of(research_service.store_results(project, args.id, text, replace=args.replace))


def _answer_text(args: Args) -> str:
    """The answer: its words, a file's text, or what is piped or pasted in."""
    if args.text and args.file:
        raise UsageError("the answer is given as text and as a file", hint="give one of them")
    if args.text and args.text != ["-"]:
        return " ".join(args.text)
    hint = f"edge research results {args.id} --file F"
    return given_or_pasted(args, most=MAX_RESULTS * 4, what="the answer", hint=hint)


@command(
    "research action",
    _ID,
    arg("TEXT...", "one each"),
    about="add action items by hand",
    example='R001 "pin the version" "measure again"',
)
def _action(args: Args) -> Answer:
    return _write(args, lambda research: research.add_actions(args.id, args.text))


@command("research plan", _ID, about="add the action items to the plan", example="R001")
def _plan(args: Args) -> Answer:
    project = args.project
    edit = research_service.as_state_edit(project, lambda research: research.plan(args.id))
    return answer_of(quality_service.write_plan(project, edit, command="plan add"))


@command(
    "research cancel",
    _ID,
    arg("[TEXT...]", "why"),
    about="it is no longer needed",
    example="R001 the scope changed",
)
def _cancel(args: Args) -> Answer:
    return _write(args, lambda research: research.cancel(args.id, one_text(args.text)))


@command("research rm", _ID, about="remove one", example="R001")
def _rm(args: Args) -> Answer:
    return _write(args, lambda research: research.remove(args.id))


# end of module
