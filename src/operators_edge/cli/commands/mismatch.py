"""``edge mismatch`` and ``edge adapt``: what differed from the expected, and the change of the plan.

Owns the commands' syntax. Does not own what they do (``memory.mismatches``, ``memory.adapt``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import DASH, now_of, write
from operators_edge.errors import UsageError
from operators_edge.memory import adapt, mismatches, outcomes

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult

_EXAMPLE = 'edge mismatch "the API says 403" --expected "a list of users" --cause "old token"'


def register(nouns: Any) -> None:
    parser = nouns.add_parser("mismatch", epilog=_EXAMPLE)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    _add(verbs)
    _resolve(verbs)
    listing = verbs.add_parser(
        "list", parents=[common()], help="all of them", epilog=mismatches.LIST
    )
    listing.add_argument("--open", action="store_true", help="only open ones")
    listing.set_defaults(run=_run_list)
    parser.filled_in = verb_first(tuple(verbs.choices), other="add", alone="list")
    _adapt(nouns)


def _add(verbs: Any) -> None:
    add = verbs.add_parser(
        "add",
        parents=[common()],
        help="add one, by default to the step in progress",
        epilog=f"{_EXAMPLE}   ({DASH})",
    )
    add.add_argument("text", nargs="+", metavar="TEXT", help="what was observed")
    add.add_argument(
        "--expected", metavar="T", help="what was expected (default: the step's expectation)"
    )
    add.add_argument("--step", type=int, metavar="N", help="the step it belongs to")
    add.add_argument("--delta", metavar="T", help="the difference")
    add.add_argument("--cause", metavar="T", help="the suspected cause")
    add.add_argument("--confidence", type=float, metavar="0…1", help="how sure the cause is")
    add.add_argument("--trigger", metavar="T", help="when it matters again: creates a lesson")
    add.set_defaults(run=_run_add)


def _resolve(verbs: Any) -> None:
    resolve = verbs.add_parser(
        "resolve",
        parents=[common()],
        help="record how it was resolved; with a trigger also as a lesson",
        epilog='edge mismatch resolve 1 "refresh the token first" --trigger "API says 403"',
    )
    resolve.add_argument("name", metavar="N", help="its number as listed, or its id")
    resolve.add_argument("text", nargs="+", metavar="TEXT", help="what resolved it")
    _learned(resolve)
    resolve.set_defaults(run=_run_resolve)


def _learned(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--trigger", metavar="T", help="a command, path, error or situation")
    parser.add_argument("--lesson", metavar="T", help="what to remember, if not the same text")


def _adapt(nouns: Any) -> None:
    parser = nouns.add_parser(
        "adapt",
        description="Change the plan because of an open mismatch, and so resolve it.",
        epilog='edge adapt 1 insert "refresh the token" --trigger "API says 403"',
        parents=[common()],
    )
    parser.add_argument("name", nargs="?", metavar="N", help="the mismatch's number or id")
    parser.add_argument("way", nargs="?", metavar="WAY", choices=_WAYS, help=", ".join(_WAYS))
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the step, or the question")
    parser.add_argument("--step", type=int, metavar="N", help="the step it is about")
    parser.add_argument("--constraint", metavar="T", help="a constraint from now on")
    parser.add_argument("--risk", metavar="T", help="what may happen again")
    _learned(parser)
    parser.set_defaults(run=_run_adapt)


_WAYS = {way.verb: way for way in adapt.ADAPTATIONS}


def _run_add(args: argparse.Namespace, terminal: Terminal) -> int:
    now, after = now_of(args), outcomes.last_archived(opened(args))
    fields = {
        "delta": args.delta,
        "suspected_cause": args.cause,
        "confidence": args.confidence,
        "trigger": args.trigger,
    }

    def edit(state: State) -> EditResult:
        return mismatches.add(
            state,
            " ".join(args.text),
            now=now,
            expectation=args.expected,
            step=args.step,
            fields=fields,
            after=after,
        )

    return write(args, terminal, edit, command="mismatch add")


def _run_resolve(args: argparse.Namespace, terminal: Terminal) -> int:
    now = now_of(args)

    def edit(state: State) -> EditResult:
        return mismatches.resolve(
            state,
            args.name,
            " ".join(args.text),
            now=now,
            trigger=args.trigger,
            lesson=args.lesson,
        )

    return write(args, terminal, edit, command="mismatch resolve")


def _run_list(args: argparse.Namespace, terminal: Terminal) -> int:
    state = opened(args).state.read()
    listed = [each for each in mismatches.listed(state) if not (args.open and each["resolved"])]
    text = "\n".join(mismatches.lines(state, all_of_them=not args.open))
    terminal.show(listed, text or f"No {'open ' if args.open else ''}mismatch.")
    return 0


def _run_adapt(args: argparse.Namespace, terminal: Terminal) -> int:
    if args.name is None:
        state = opened(args).state.read()
        text = "\n".join(adapt.open_lines(state)) or "No open mismatch: the plan can stay as it is."
        terminal.show(adapt.as_data(state), text)
        return 0
    if args.way is None or not args.text:
        missing = "how to adapt" if args.way is None else f"what to {args.way}"
        raise UsageError(
            f"missing: {missing}", hint=f'edge adapt {args.name} {args.way or "revise"} "…"'
        )
    now = now_of(args)
    learned = adapt.Learned(args.constraint, args.risk, args.trigger, args.lesson)

    def edit(state: State) -> EditResult:
        return adapt.adapt(
            state,
            args.name,
            _WAYS[args.way],
            " ".join(args.text),
            now=now,
            step=args.step,
            learned=learned,
        )

    return write(args, terminal, edit, command="plan adapt")
