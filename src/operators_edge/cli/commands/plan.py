"""``edge objective|intent|next|plan|step``: what is to be done, and how far it is.

Owns the arguments and output of these commands. Does not own what they do (``plan.edits``).
"""

from __future__ import annotations

from operators_edge.cli import writing
from operators_edge.cli.command import SWITCH, Answer, Args, arg, command
from operators_edge.errors import UsageError
from operators_edge.plan import edits as plan_edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from operators_edge.cli.command import Arg, Run

# -- objective, intent, next -----------------------------------------------------------------------

_CLEAR = arg("--clear", "remove it")


@command("objective", arg("[TEXT...]", "one sentence"), _CLEAR, example="make the tests pass")
def _objective(args: Args) -> Answer:
    text = _given_text(args)
    if text is None and not args.clear:
        objective = args.project.state.read().get("objective")
        return Answer({"objective": objective}, plan_edits.short_line(objective or "none yet"))
    from operators_edge.archive import service as archive_service  # noqa: PLC0415 - to set it

    return writing.answer_of(archive_service.set_objective(args.project, text))


@command(
    "intent",
    arg("[TEXT...]", "what the person wants, in their words"),
    arg("--success T", "what success looks like"),
    _CLEAR,
    description="With an intent recorded, the quality gate asks for a step that verifies it.",
    example='a faster import --success "10,000 rows in a second"',
)
def _intent(args: Args) -> Answer:
    text = _given_text(args, args.success)
    if text is None and args.success is None and not args.clear:
        state = args.project.state.read()
        wanted = writing.intent_of(state).items()
        lines = [f"{name}: {plan_edits.short_line(value)}" for name, value in wanted if value]
        return Answer({"intent": state.get("intent")}, lines or "none yet")
    return writing.write(
        args, lambda state: plan_edits.set_intent(state, text, success=args.success)
    )


@command(
    "next", arg("[TEXT...]", "one sentence"), _CLEAR, example="call the API with the new token"
)
def _next(args: Args) -> Answer:
    text = _given_text(args)
    if text is None and not args.clear:
        action = args.project.state.read().get("next_action")
        return Answer({"next_action": action}, plan_edits.short_line(action or "none said"))
    return writing.write(args, lambda state: plan_edits.set_next(state, text))


def _given_text(args: Args, other: str | None = None) -> str | None:
    if args.clear and (args.text or other is not None):
        raise UsageError(
            "a text and --clear cannot be used together", hint=f"edge {args.noun} --clear"
        )
    return writing.one_text(args.text)


# -- the plan --------------------------------------------------------------------------------------

_FIELDS = (
    arg("--expected T", "what should happen when it succeeds"),
    arg("--verification T", "how to verify it"),
    arg(
        "--is-verification",
        "this step verifies what the intent asks for",
        action=SWITCH,
    ),
)


def _fields(args: Args) -> dict[str, Any]:
    return {name: getattr(args, name) for name in plan_edits.FIELDS}


@command("plan list", about="list the steps, with all their fields", is_alone=True)
def _list(args: Args) -> Answer:
    return _show(args)


@command(
    "plan add",
    arg("TEXT...", "one step each"),
    arg("--at N", "the number of the first new step"),
    *_FIELDS,
    about="add steps at the end, or before step N",
    example='"write the parser" --expected "all samples parse"',
)
def _add(args: Args) -> Answer:
    if len(args.text) > 1 and not writing.are_quoted(args.text):
        args.terminal.warn("each word became a step of its own; quote a step of several words")
    fields = _fields(args)
    return writing.write_plan(
        args, lambda state: plan_edits.add_steps(state, args.text, at=args.at, fields=fields)
    )


@command(
    "plan edit",
    arg("N", "the number of the step"),
    arg("[TEXT...]", "what the step is"),
    *_FIELDS,
    about="change a step; an empty value removes the field",
    example='2 write the parser by hand --expected ""',
)
def _edit(args: Args) -> Answer:
    text, fields = writing.one_text(args.text), _fields(args)
    return writing.write_plan(
        args, lambda state: plan_edits.edit_step(state, args.number, text, fields=fields)
    )


@command(
    "plan move",
    arg("N", "the number of the step"),
    arg("TO", "its new number", type=int),
    about="move a step to another position",
    example="4 1",
)
def _move(args: Args) -> Answer:
    return writing.write_plan(args, lambda state: plan_edits.move_step(state, args.number, args.to))


@command(
    "plan rm",
    arg("N...", "their current numbers"),
    arg("--force", "also remove completed steps"),
    about="remove steps from the plan",
    description="What was there can be read and put back: edge history.",
    example="3 4",
)
def _rm(args: Args) -> Answer:
    return writing.write_plan(
        args, lambda state: plan_edits.remove_steps(state, args.numbers, force=args.force)
    )


@command("plan show", about="as plan list")
@command("step list", about="list the steps", is_alone=True)
def _show(args: Args) -> Answer:
    state = args.project.state.read()
    steps = [{"number": n, **step} for n, step in enumerate(state.get("plan") or [], 1)]
    return Answer(steps, plan_edits.lines(state) or "No plan yet. Add a step: edge plan add TEXT")


# -- steps -----------------------------------------------------------------------------------------

_OUTCOME = (
    arg("--actual T", "what happened"),
    arg("--delta T", "how it differs from what was expected"),
)


def _of_a_step(verb: str, *given: Arg, **options: Any) -> Callable[[Run], Run]:
    """``edge step VERB``, and ``edge plan VERB`` for those who look for it beside the plan's other verbs."""

    def declared(run: Run) -> Run:
        for noun in ("plan", "step"):
            command(f"{noun} {verb}", *given, **options)(run)
        return run

    return declared


def _notes(args: Args) -> dict[str, Any]:
    return {name: getattr(args, name, None) for name in plan_edits.NOTES}


@_of_a_step(
    "start",
    arg("[N]", "the number of the step"),
    about="begin a step, by default the next one",
    example="2",
)
def _start(args: Args) -> Answer:
    return writing.write_plan(args, lambda state: plan_edits.start(state, args.number))


@_of_a_step(
    "done",
    arg("[N]", "the number of the step, else the current one"),
    arg("--proof T", "the evidence"),
    *_OUTCOME,
    about="mark a step as done, by default the current one",
    example='--proof "42 tests pass"',
    behind="--proof",
)
def _finish(args: Args) -> Answer:
    from operators_edge.quality import service as quality_service  # noqa: PLC0415 - for this verb

    return writing.answer_of(
        quality_service.finish_step(
            args.project,
            lambda state: plan_edits.finish(state, args.number, _notes(args)),
            command=args.words,
        )
    )


@_of_a_step(
    "block",
    arg("[N]", "the number of the step, else the current one"),
    *_OUTCOME,
    arg("--why T", "what blocks it"),
    about="a step cannot go on",
    example='2 --why "the API is down"',
    behind="--why",
)
def _block(args: Args) -> Answer:
    return writing.write_plan(
        args, lambda state: plan_edits.block(state, args.number, args.why, _notes(args))
    )


@_of_a_step(
    "reopen",
    arg("N", "the number of the step"),
    about="a step is to be done after all",
    example="2",
)
def _reopen(args: Args) -> Answer:
    return writing.write_plan(args, lambda state: plan_edits.reopen(state, args.number))


@command(
    "step proof",
    arg("N", "the number of the step"),
    arg("TEXT...", "a test, a file, a command's outcome"),
    *_OUTCOME,
    about="what shows that a step is done",
    example="2 tests/test_parser.py passes",
)
def _prove(args: Args) -> Answer:
    notes = _notes(args) | {"proof": writing.one_text(args.text)}
    return writing.write_plan(args, lambda state: plan_edits.prove(state, args.number, notes))


# end of module
