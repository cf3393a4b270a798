"""``edge objective|intent|next|plan|step``: what is wanted, and how far it is.

Owns the words of these commands. Does not own what they do (``plan.edits``).
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import DASH, answer, are_quoted, one_text, write, write_plan
from operators_edge.errors import UsageError
from operators_edge.plan import edits as plan_edits
from operators_edge.plan.edits import short_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State

PLAN_VERBS = ("add", "edit", "move", "rm", "show")
STEP_VERBS = ("start", "done", "block", "reopen", "proof")


def register(nouns: Any) -> None:
    _texts(nouns)
    _plan(nouns)
    _step(nouns)


# -- objective, intent, next -----------------------------------------------------------------------


def _texts(nouns: Any) -> None:
    parser = nouns.add_parser(
        "objective", parents=[common()], epilog=f"edge objective make the tests pass   ({DASH})"
    )
    parser.add_argument("text", nargs="*", metavar="TEXT", help="one sentence")
    parser.add_argument("--clear", action="store_true", help="remove it")
    parser.set_defaults(run=_run_objective)
    parser = nouns.add_parser(
        "intent",
        parents=[common()],
        description="With an intent recorded, the quality gate asks for a step that verifies it.",
        epilog='edge intent a faster import --success "10,000 rows in a second"',
    )
    parser.add_argument(
        "text", nargs="*", metavar="TEXT", help="what the person wants, in their words"
    )
    parser.add_argument("--success", metavar="T", help="what success looks like")
    parser.add_argument("--clear", action="store_true", help="remove it")
    parser.set_defaults(run=_run_intent)
    parser = nouns.add_parser(
        "next", parents=[common()], epilog=f"edge next call the API with the new token   ({DASH})"
    )
    parser.add_argument("text", nargs="*", metavar="TEXT", help="one sentence")
    parser.add_argument("--clear", action="store_true", help="remove it")
    parser.set_defaults(run=_run_next)


def _run_objective(args: argparse.Namespace, terminal: Terminal) -> int:
    text = one_text(args.text)
    if text is None and not args.clear:
        objective = opened(args).state.read().get("objective")
        terminal.show({"objective": objective}, short_line(objective or "none yet"))
        return 0
    _not_both(args)
    from operators_edge.archive import service as archive_service  # noqa: PLC0415 - to set it

    answer(terminal, archive_service.set_objective(opened(args), text))
    return 0


def _run_intent(args: argparse.Namespace, terminal: Terminal) -> int:
    text = one_text(args.text)
    if text is None and args.success is None and not args.clear:
        recorded = opened(args).state.read().get("intent")
        said = recorded if isinstance(recorded, dict) else {"user_wants": recorded}
        lines = [f"{name}: {short_line(value)}" for name, value in said.items() if value]
        terminal.show({"intent": recorded}, "\n".join(lines) or "none yet")
        return 0
    _not_both(args)
    return write(
        args,
        terminal,
        lambda state: plan_edits.set_intent(state, text, success=args.success),
        command="intent",
    )


def _run_next(args: argparse.Namespace, terminal: Terminal) -> int:
    text = one_text(args.text)
    if text is None and not args.clear:
        action = opened(args).state.read().get("next_action")
        terminal.show({"next_action": action}, short_line(action or "none said"))
        return 0
    _not_both(args)
    return write(args, terminal, lambda state: plan_edits.set_next(state, text), command="next")


def _not_both(args: argparse.Namespace) -> None:
    if args.clear and (args.text or getattr(args, "success", None) is not None):
        raise UsageError("a text and --clear exclude each other", hint=f"edge {args.noun} --clear")


# -- the plan --------------------------------------------------------------------------------------


def _plan(nouns: Any) -> None:
    parser = nouns.add_parser(
        "plan", parents=[common()], epilog='edge plan add "write the parser" "test it"'
    )
    parser.filled_in = verb_first(PLAN_VERBS, other="", alone="")
    parser.set_defaults(run=_run_mode)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    add = verbs.add_parser(
        "add",
        parents=[common()],
        help="add steps at the end, or before step N",
        epilog=f'edge plan add "write the parser" --expected "all samples parse"   ({DASH})',
    )
    add.add_argument("texts", nargs="+", metavar="TEXT", help="one step each")
    add.add_argument("--at", type=int, metavar="N", help="the number of the first new step")
    _fields(add, argparse.BooleanOptionalAction)
    add.set_defaults(run=_run_add)
    edit = verbs.add_parser(
        "edit",
        parents=[common()],
        help="change a step; an empty value removes the field",
        description="How far a step is, `edge step` says.",
        epilog='edge plan edit 2 write the parser by hand --expected ""',
    )
    edit.add_argument("number", type=int, metavar="N")
    edit.add_argument("text", nargs="*", metavar="TEXT", help="what the step is")
    _fields(edit, argparse.BooleanOptionalAction)
    edit.set_defaults(run=_run_edit)
    move = verbs.add_parser(
        "move",
        parents=[common()],
        help="move a step to another position",
        epilog="edge plan move 4 1",
    )
    move.add_argument("number", type=int, metavar="N")
    move.add_argument("to", type=int, metavar="TO", help="its new number")
    move.set_defaults(run=_run_move)
    rm = verbs.add_parser(
        "rm",
        parents=[common()],
        help="remove steps from the plan",
        description="What was there can be read and put back: edge state history.",
        epilog="edge plan rm 3 4",
    )
    rm.add_argument("numbers", type=int, nargs="+", metavar="N", help="their current numbers")
    rm.add_argument("--force", action="store_true", help="also remove completed steps")
    rm.set_defaults(run=_run_rm)
    show = verbs.add_parser(
        "show",
        parents=[common()],
        help="show every step with all its fields",
        epilog="edge plan show",
    )
    show.set_defaults(run=_run_show)


def _fields(parser: argparse.ArgumentParser, switch: Any) -> None:
    parser.add_argument("--expected", metavar="T", help="what should happen when it succeeds")
    parser.add_argument("--verification", metavar="T", help="how to verify it")
    parser.add_argument(
        "--is-verification", action=switch, help="this step verifies what the intent asks for"
    )


def _given(args: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(args, name) for name in plan_edits.FIELDS}


def _run_mode(args: argparse.Namespace, terminal: Terminal) -> int:
    from operators_edge.cli.commands.mode import set_mode  # noqa: PLC0415 - brings all that a status shows

    set_mode(args, terminal, "plan", None)
    return 0


def _run_add(args: argparse.Namespace, terminal: Terminal) -> int:
    if len(args.texts) > 1 and not are_quoted(args.texts):
        terminal.warn("each word is a step of its own; a step of several words stands in quotes")

    def edit(state: State) -> plan_edits.EditResult:
        return plan_edits.add_steps(state, args.texts, at=args.at, fields=_given(args))

    return write_plan(args, terminal, edit, command="plan add")


def _run_edit(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State) -> plan_edits.EditResult:
        return plan_edits.edit_step(state, args.number, one_text(args.text), fields=_given(args))

    return write_plan(args, terminal, edit, command="plan edit")


def _run_move(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State) -> plan_edits.EditResult:
        return plan_edits.move_step(state, args.number, args.to)

    return write_plan(args, terminal, edit, command="plan move")


def _run_rm(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State) -> plan_edits.EditResult:
        return plan_edits.remove_steps(state, args.numbers, force=args.force)

    return write_plan(args, terminal, edit, command="plan rm")


def _run_show(args: argparse.Namespace, terminal: Terminal) -> int:
    state = opened(args).state.read()
    steps = [{"number": n, **step} for n, step in enumerate(state.get("plan") or [], 1)]
    terminal.show(steps, "\n".join(plan_edits.lines(state)) or "No plan yet.")
    return 0


# -- steps -----------------------------------------------------------------------------------------

_STEP_HELP = {
    "start": ("begin a step, else the next one", "edge step start 2"),
    "done": (
        "a step is done, else the current one",
        'edge step done --proof "42 tests pass"',
    ),
    "block": ("a step cannot go on", 'edge step block 2 --why "the API is down"'),
    "reopen": ("a step is to be done after all", "edge step reopen 2"),
    "proof": ("what shows that a step is done", "edge step proof 2 tests/test_parser.py passes"),
}


def _step(nouns: Any) -> None:
    parser = nouns.add_parser("step", epilog='edge step done 1 --proof "42 tests pass"')
    parser.filled_in = verb_first(STEP_VERBS, other="", alone="")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb, (about, example) in _STEP_HELP.items():
        each = verbs.add_parser(verb, parents=[common()], help=about, epilog=example)
        is_needed = verb in ("reopen", "proof")
        each.add_argument("number", type=int, nargs=None if is_needed else "?", metavar="N")
        if verb == "proof":
            each.add_argument(
                "proof", nargs="+", metavar="TEXT", help="a test, a file, a command's outcome"
            )
        if verb == "done":
            each.add_argument("--proof", metavar="T", help="the evidence")
        if verb in ("done", "block", "proof"):
            each.add_argument("--actual", metavar="T", help="what happened")
            each.add_argument("--delta", metavar="T", help="how it differs from what was expected")
        if verb == "block":
            each.add_argument("--why", metavar="T", help="what blocks it")
        each.behind = {"done": "--proof", "block": "--why"}.get(verb, "")
        each.set_defaults(run=_run_step, verb=verb)


def _run_step(args: argparse.Namespace, terminal: Terminal) -> int:
    notes = {name: getattr(args, name, None) for name in plan_edits.NOTES}
    if args.verb == "proof":
        notes["proof"] = one_text(args.proof)
    edits: dict[str, Callable[[State], plan_edits.EditResult]] = {
        "start": lambda state: plan_edits.start(state, args.number),
        "done": lambda state: plan_edits.finish(state, args.number, notes),
        "block": lambda state: plan_edits.block(state, args.number, args.why, notes),
        "reopen": lambda state: plan_edits.reopen(state, args.number),
        "proof": lambda state: plan_edits.prove(state, args.number, notes),
    }
    return write_plan(args, terminal, edits[args.verb], command=f"step {args.verb}")
