"""``edge note|question|risk|constraint``: texts that are kept next to the plan; see ``plan.notes``."""

from __future__ import annotations

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.writing import one_text, texts, write
from operators_edge.plan import notes as plan_notes
from operators_edge.plan.edits import checked_text
from operators_edge.plan.notes import CONSTRAINT, KINDS, NOTE, QUESTION, RISK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.cli.command import Arg
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult

_KINDS = {kind.noun: kind for kind in KINDS}

_EXAMPLES = {
    NOTE: '"the importer needs 2 GB" "and more"',
    QUESTION: '"which cache do we use?" "and when?"',
    RISK: '"the API may change" --mitigation "pin the version"',
    CONSTRAINT: '"no new dependency" "and more"',
}

_OPTIONS: dict[plan_notes.Kind, tuple[Arg | list[Arg], ...]] = {
    NOTE: (
        [
            arg("--question", "add it to the open questions"),
            arg("--risk", "add it to the risks"),
            arg("--constraint", "add it to the constraints"),
        ],
    ),
    QUESTION: (
        arg("--blocking", "the work cannot continue without an answer"),
        arg("--context T", "why it is asked"),
    ),
    RISK: (arg("--mitigation T", "what is done about it"),),
}


def _add(args: Args) -> Answer:
    kind = next((each for each in KINDS if getattr(args, each.noun, False)), _KINDS[args.noun])
    now, kept = args.project.clock(), texts(args.text)

    def edit(state: State) -> EditResult:
        if kind is QUESTION:
            return plan_notes.ask(
                state,
                kept,
                blocking=getattr(args, "blocking", False),
                context=getattr(args, "context", None),
                now=now,
            )
        if kind is RISK:
            by = getattr(args, "mitigation", None)
            by = None if by is None else checked_text(by, "the mitigation")
            return plan_notes.add(state, kind, kept, mitigation=by, status="active")
        return plan_notes.add(state, kind, kept)

    return write(args, edit)


def _rm(args: Args) -> Answer:
    return write(args, lambda state: plan_notes.remove(state, _KINDS[args.noun], args.numbers))


def _list(args: Args) -> Answer:
    state, kind = args.project.state.read(), _KINDS[args.noun]
    lines = plan_notes.lines(state, kind) or f"No {kind.noun} yet."
    return Answer(plan_notes.listed(state, kind), lines)


for _kind in KINDS:
    command(
        f"{_kind.noun} add",
        arg("TEXT...", "one text, or several quoted ones"),
        *_OPTIONS.get(_kind, ()),
        about="add one or several",
        example=_EXAMPLES[_kind],
        is_implied=True,
    )(_add)
    _numbers = arg("N...", "as they are before")
    command(f"{_kind.noun} rm", _numbers, about="remove some", example="1")(_rm)
    command(f"{_kind.noun} list", about="all of them", is_alone=True)(_list)


@command(
    "question answer",
    arg("N", "the number of the question"),
    arg("TEXT...", "the answer"),
    about="record the answer",
    example="1 Redis, it is there already",
)
def _answer(args: Args) -> Answer:
    now = args.project.clock()
    return write(
        args, lambda state: plan_notes.answer(state, args.number, " ".join(args.text), now=now)
    )


_HANDLED = (arg("N", "the number of the risk"), arg("[TEXT...]", "what is done about it"))
_PINNED = "1 we pinned the version"


@command("risk mitigate", *_HANDLED, about="record how it is mitigated", example=_PINNED)
def _mitigate(args: Args) -> Answer:
    return _set_risk(args, "mitigated")


@command("risk realize", *_HANDLED, about="record that it has happened", example=_PINNED)
def _realize(args: Args) -> Answer:
    return _set_risk(args, "realized")


def _set_risk(args: Args, status: str) -> Answer:
    return write(
        args, lambda state: plan_notes.set_risk(state, args.number, status, one_text(args.text))
    )


# end of module
