"""``edge mismatch`` and ``edge adapt``: what differed from the expected, and the change of the plan.

Does not own what they do (``memory.mismatches``, ``memory.adapt``).
"""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.writing import write
from operators_edge.errors import UsageError
from operators_edge.memory import adapt, mismatches, outcomes

_LEARNED = (
    arg("--trigger T", "a command, path, error or situation"),
    arg("--lesson T", "what to remember, if not the same text"),
)


@command(
    "mismatch add",
    arg("TEXT...", "what was observed"),
    arg("--expected T", "what was expected (default: the step's expectation)"),
    arg("--step N", "the step it belongs to"),
    arg("--delta T", "the difference"),
    arg("--cause T", "the suspected cause"),
    arg("--confidence 0…1", "how sure the cause is", type=float),
    arg("--trigger T", "when it matters again: creates a lesson"),
    about="add one, by default to the step in progress",
    example='"it says 403" --expected "a list" --cause "old token"',
    is_implied=True,
)
def _add(args: Args) -> Answer:
    text, now, after = (
        " ".join(args.text),
        args.project.clock(),
        outcomes.last_archived(args.project),
    )
    fields = {
        "delta": args.delta,
        "suspected_cause": args.cause,
        "confidence": args.confidence,
        "trigger": args.trigger,
    }
    return write(
        args,
        lambda state: mismatches.add(
            state,
            text,
            now=now,
            expectation=args.expected,
            step=args.step,
            fields=fields,
            after=after,
        ),
    )


@command(
    "mismatch resolve",
    arg("ID", "its number as listed, or its id"),
    arg("TEXT...", "what resolved it"),
    *_LEARNED,
    about="record how it was resolved; with a trigger also as a lesson",
    example='1 "refresh the token" --trigger "API says 403"',
)
def _resolve(args: Args) -> Answer:
    text, now = " ".join(args.text), args.project.clock()
    return write(
        args,
        lambda state: mismatches.resolve(
            state, args.id, text, now=now, trigger=args.trigger, lesson=args.lesson
        ),
    )


@command("mismatch list", arg("--open", "only open ones"), about="all of them", is_alone=True)
def _list(args: Args) -> Answer:
    state = args.project.state.read()
    listed = [each for each in mismatches.listed(state) if not (args.open and each["resolved"])]
    lines = mismatches.lines(state, all_of_them=not args.open)
    return Answer(listed, lines or f"No {'open ' if args.open else ''}mismatch.")


_WAYS = {way.verb: way for way in adapt.ADAPTATIONS}


@command(
    "adapt",
    arg("[ID]", "the mismatch's number or id"),
    arg("[WAY]", ", ".join(_WAYS), choices=tuple(_WAYS)),
    arg("[TEXT...]", "the step, or the question"),
    arg("--step N", "the step it is about"),
    arg("--constraint T", "a constraint from now on"),
    arg("--risk T", "what may happen again"),
    *_LEARNED,
    description="Change the plan because of an open mismatch, and so resolve it.",
    example='1 insert "refresh the token" --trigger "API says 403"',
)
def _adapt(args: Args) -> Answer:
    if args.id is None:
        state = args.project.state.read()
        lines = adapt.open_lines(state) or "No open mismatch: the plan can stay as it is."
        return Answer(adapt.as_data(state), lines)
    if args.way is None or not args.text:
        missing = "how to adapt" if args.way is None else f"what to {args.way}"
        raise UsageError(
            f"missing: {missing}", hint=f'edge adapt {args.id} {args.way or "revise"} "…"'
        )
    way, text, now = _WAYS[args.way], " ".join(args.text), args.project.clock()
    learned = adapt.Learned(args.constraint, args.risk, args.trigger, args.lesson)
    return write(
        args,
        lambda state: adapt.adapt(
            state, args.id, way, text, now=now, step=args.step, learned=learned
        ),
        command="plan adapt",
    )


# end of module
