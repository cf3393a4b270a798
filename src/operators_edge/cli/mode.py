"""``edge status|active|review|done|objective|plan|step``: intent, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge import status
from operators_edge.cli.main_options import common, opened
from operators_edge.decisions import Decisions
from operators_edge.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import Mode, State

_STEP_VERBS = {"start": "in_progress", "done": "completed", "block": "blocked"}


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "status", parents=[common()], help="the project on one screen", epilog="edge status"
    )
    parser.set_defaults(run=_status)
    for mode in ("active", "review", "done"):
        parser = nouns.add_parser(
            mode, parents=[common()], help=f"set mode {mode}", epilog=f"edge {mode}"
        )
        if mode == "active":
            parser.add_argument("objective", nargs="?", help="what to work on")
        parser.set_defaults(run=_mode, mode=mode, objective=None)
    parser = nouns.add_parser(
        "objective",
        parents=[common()],
        help="show or set the objective",
        epilog='edge objective "make the tests pass"',
    )
    parser.add_argument("text", nargs="?")
    parser.set_defaults(run=_objective)
    parser = nouns.add_parser(
        "plan",
        parents=[common()],
        help="add a step, show the plan, or (alone) set mode plan",
        epilog='edge plan add "write the parser"',
    )
    parser.add_argument("verb", nargs="?", choices=("add", "show"))
    parser.add_argument("text", nargs="?")
    parser.set_defaults(run=_plan)
    parser = nouns.add_parser(
        "step",
        parents=[common()],
        help="say how far a step is",
        epilog='edge step done 1 --proof "42 tests pass"',
    )
    parser.add_argument("verb", choices=tuple(_STEP_VERBS))
    parser.add_argument("number", type=int)
    parser.add_argument("--proof", help="what shows it")
    parser.set_defaults(run=_step)


def _status(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    terminal.show(status.gather(project), status.text(project))
    return 0


def _mode(args: argparse.Namespace, terminal: Terminal) -> int:
    _set_mode(args, terminal, args.mode, args.objective)
    return 0


def _set_mode(
    args: argparse.Namespace, terminal: Terminal, mode: Mode, objective: str | None
) -> None:
    project = opened(args)
    session = str((project.state.read().get("session") or {}).get("id") or "")
    text = Decisions(project, session=session, by="edge").set_mode(mode, objective)
    terminal.show({"mode": mode}, text)


def _objective(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    if args.text is None:
        objective = project.state.read().get("objective")
        terminal.show({"objective": objective}, str(objective or "none yet"))
        return 0

    def change(state: State) -> None:
        state["objective"] = args.text

    project.state.transact(change, command="objective")
    terminal.show({"objective": args.text}, f"Objective: {args.text}")
    return 0


def _plan(args: argparse.Namespace, terminal: Terminal) -> int:
    if args.verb is None:
        _set_mode(args, terminal, "plan", None)
        return 0
    project = opened(args)
    if args.verb == "show":
        data = status.gather(project)
        terminal.show(data["plan"], "\n".join(status.plan_lines(data)) or "No plan yet.")
        return 0
    if not args.text:
        raise UsageError("a step needs a description", hint='edge plan add "write the parser"')

    def change(state: State) -> int:
        plan = [*(state.get("plan") or []), {"description": args.text, "status": "pending"}]
        state["plan"] = plan
        return len(plan)

    number = project.state.transact(change, command="plan add")
    terminal.show({"step": number}, f"Step {number}: {args.text}")
    return 0


def _step(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)

    def change(state: State) -> str:
        plan = state.get("plan") or []
        if not 1 <= args.number <= len(plan):
            raise UsageError(f"there is no step {args.number}", hint="edge plan show")
        step = plan[args.number - 1]
        step["status"] = _STEP_VERBS[args.verb]
        if args.proof:
            step["proof"] = args.proof
        state["current_step"] = args.number if args.verb == "start" else None
        return str(step.get("description", ""))

    text = project.state.transact(change, command=f"step {args.verb}")
    project.log.append(
        {
            "event": "step",
            "session": str((project.state.read().get("session") or {}).get("id") or ""),
            "data": {"step": args.number, "to": _STEP_VERBS[args.verb], "proof": args.proof},
        }
    )
    terminal.show({"step": args.number}, f"Step {args.number} is {_STEP_VERBS[args.verb]}: {text}")
    return 0
