"""``edge mode|active|done``: show and set the mode."""

from __future__ import annotations

from operators_edge.cli import person, writing
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.errors import EdgeError
from operators_edge.loop import guidance
from operators_edge.model import MODES
from operators_edge.plan import modes
from operators_edge.sessions import mode_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Mode


@command("mode", example="active")
def _mode(args: Args) -> Answer:
    state = args.project.state.read()
    mode, is_explicit = modes.current(state), state.get("mode") in MODES
    suggested = modes.suggestion(state)
    told = [f"{mode}{'' if is_explicit else ' (from objective and plan)'}"]
    if suggested:
        told.append(f"mode {suggested[0]} fits now, {suggested[1]}: edge mode {suggested[0]}")
    return Answer({"mode": mode, "is_explicit": is_explicit, "suggested": suggested}, told)


@command("mode plan", about="explore and plan; change no file")
def _to_plan(args: Args) -> Answer:
    return set_mode(args, "plan")


@command("mode active", arg("[TEXT...]", "what to work on"), about="work through the plan")
@command("active", arg("[TEXT...]", "what to work on"))
def _active(args: Args) -> Answer:
    return set_mode(args, "active", writing.one_text(args.text))


@command("mode review", about="check what was done")
def _to_review(args: Args) -> Answer:
    return set_mode(args, "review")


_ACCEPTED = (
    arg("--accept CHECK...", "let this check pass though it fails (people only)"),
    arg("--why T", "the reason, recorded with --accept", default=""),
)


@command("mode done", *_ACCEPTED, about="run the quality gate, and finish")
@command("done", *_ACCEPTED, example='--accept steps_completed --why "step 2 is not needed"')
def _done(args: Args) -> Answer:
    if not args.accept:
        return set_mode(args, "done")
    from operators_edge.cli.commands import approve  # noqa: PLC0415 - for a person's decision only

    person.require_person("done --accept", args.project.root)
    try:
        return set_mode(args, "done")
    except EdgeError:
        if not approve.accepted(args, args.accept, args.why):
            raise
    return set_mode(args, "done")


def set_mode(args: Args, mode: Mode, objective: str | None = None) -> Answer:
    """Set the mode as a person or an agent asks for it, and say what to do in it."""
    project = args.project
    session = project.latest_session()
    text = mode_change.set_mode(project, session, mode, objective)
    guiding = guidance.for_new_mode(mode, project.state.read(), is_typed=bool(project.asking))
    return Answer({"mode": mode}, [text, *guiding])


# end of module
