"""``edge brainstorm``: structured ideas for one challenge.

Owns the arguments of these commands. Does not own what they do (``inquiry.brainstorm``,
``inquiry.brainstorm_service``).
"""

from __future__ import annotations

import re

from operators_edge import jsons
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.writing import answer_of, given_or_pasted, texts, write, write_plan
from operators_edge.errors import UsageError
from operators_edge.inquiry import (
    brainstorm,
    brainstorm_model,
    brainstorm_service,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_BYTES = 1_000_000


@command(
    "brainstorm begin",
    arg("TEXT...", "How might we …?; or the number of a suggestion of the last scan"),
    about="begin one",
    example="How might we start faster",
    is_implied=True,
)
def _begin(args: Args) -> Answer:
    said = answer_of(brainstorm_service.begin(args.project, " ".join(args.text)))
    return said._replace(text=f"{said.text}\nWhat is asked for: edge brainstorm prompt")


@command("brainstorm scan", about="scan the project for challenges", is_alone=True)
def _scan(args: Args) -> Answer:
    return answer_of(brainstorm_service.scan(args.project))


@command("brainstorm show", about="show the progress, and what is missing")
def _show(args: Args) -> Answer:
    there = brainstorm_model.brainstorm_of(args.project.state.read())
    if not there:
        return Answer(None, f"No brainstorm yet: {brainstorm.START}")
    return Answer(there, brainstorm_model.lines(there))


@command("brainstorm prompt", about="print the prompt of the phase, with the form of the answer")
def _prompt(args: Args) -> Answer:
    state = args.project.state.read()
    there = brainstorm_model.brainstorm_of(state)
    if not there:
        raise UsageError("there is no brainstorm", hint=brainstorm.START)
    text = brainstorm_model.prompt(state, there, secrets=args.secrets)
    return Answer({"phase": brainstorm_model.phase_of(there), "prompt": text}, text.rstrip())


@command(
    "brainstorm idea",
    arg("KIND", ", ".join(brainstorm_model.KINDS), choices=brainstorm_model.KINDS),
    arg("TEXT...", "what it is, in a line"),
    arg("--description T", "more about it"),
    about="add one idea",
    example='denial "no server"',
)
def _idea(args: Args) -> Answer:
    return _take(args, brainstorm.single_idea(args.kind, " ".join(args.text), args.description))


@command(
    "brainstorm select",
    arg("ID...", "as listed: I001"),
    about="select the four to be worked out",
    example="1 4 7 10",
)
def _select(args: Args) -> Answer:
    return _take(args, {"selected": args.id})


@command("brainstorm rm", arg("ID", "as listed: I003"), about="remove one idea", example="I003")
def _rm(args: Args) -> Answer:
    return write(args, lambda state: brainstorm.remove(state, args.id))


@command(
    "brainstorm set",
    arg("FIELD", ", ".join(brainstorm.FIELDS)),
    arg("TEXT...", "the value; for actions one text each"),
    about="set one field of the answer",
    example="I001.scores.novelty 8",
)
def _set(args: Args) -> Answer:
    return _take(args, brainstorm.single_field(args.field, texts(args.text)))


@command(
    "brainstorm load",
    arg("--file F", "the file with the JSON; else stdin is read"),
    about="load an answer, as JSON",
    example="--file answer.json   (or: %(prog)s < answer.json)",
)
def _load(args: Args) -> Answer:
    hint = "edge brainstorm load --file ANSWER.json"
    text = given_or_pasted(args, most=_MAX_BYTES, what="the JSON", hint=hint)
    try:
        loaded = jsons.loads(_without_fence(text), object_pairs_hook=jsons.without_repeats)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the answer is not valid JSON: {error}", hint=hint) from error
    return _take(args, loaded)


def _take(args: Args, given: Any) -> Answer:
    """Load it; a single idea or field is checked like a whole answer."""
    return write(args, lambda state: brainstorm.load(state, given), command="brainstorm load")


def _without_fence(text: str) -> str:
    """The text, or the content of the one code fence around all of it."""
    block = re.fullmatch(r"\s*```[\w-]*\n(.*)\n\s*```\s*", text, re.DOTALL)
    return block[1] if block else text


@command(
    "brainstorm complete",
    arg("--outcome OUTCOME", "how it ended", choices=brainstorm_model.OUTCOMES, default="deferred"),
    about="finish it; nothing may be missing",
)
def _complete(args: Args) -> Answer:
    return answer_of(brainstorm_service.complete(args.project, outcome=args.outcome))


@command("brainstorm plan", about="add the first recommendation's actions to the plan")
def _plan(args: Args) -> Answer:
    return write_plan(args, brainstorm.plan, command="plan add")


@command("brainstorm drop", about="remove an unfinished one")
def _drop(args: Args) -> Answer:
    return write(args, brainstorm.drop)


# end of module
