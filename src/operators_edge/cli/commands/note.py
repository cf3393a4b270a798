"""``edge note|question|risk|constraint``: texts that are kept next to the plan.

Owns the commands' syntax. Does not own what they do (``plan.notes``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import DASH, now_of, one_text, texts, write
from operators_edge.plan import notes as plan_notes
from operators_edge.plan.edits import checked_text
from operators_edge.plan.notes import CONSTRAINT, KINDS, NOTE, QUESTION, RISK

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.plan.notes import Kind

_EXAMPLES = {
    NOTE: "the importer needs 2 GB",
    QUESTION: "which cache do we use?",
    RISK: "the API may change",
    CONSTRAINT: "no new dependency",
}


def register(nouns: Any) -> None:
    for kind in KINDS:
        example = _EXAMPLES[kind]
        bare = example.rstrip("?")  # some shells treat it as a file pattern
        parser = nouns.add_parser(
            kind.noun, epilog=f"edge {kind.noun} {bare}   is   edge {kind.noun} add {bare}"
        )
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        add = verbs.add_parser(
            "add",
            parents=[common()],
            help="add one or several",
            epilog=f'edge {kind.noun} add "{example}" "and more"   ({DASH})',
        )
        add.add_argument(
            "texts", nargs="+", metavar="TEXT", help="one text, or several quoted ones"
        )
        add.set_defaults(run=_run_add, kind=kind)
        if kind is QUESTION:
            _question(add, verbs)
        if kind is RISK:
            _risk(add, verbs)
        rm = verbs.add_parser(
            "rm", parents=[common()], help="remove some", epilog=f"edge {kind.noun} rm 1"
        )
        rm.add_argument("numbers", type=int, nargs="+", metavar="N", help="as they are before")
        rm.set_defaults(run=_run_rm, kind=kind)
        listing = verbs.add_parser(
            "list", parents=[common()], help="all of them", epilog=f"edge {kind.noun} list"
        )
        listing.set_defaults(run=_run_list, kind=kind)
        parser.filled_in = verb_first(tuple(verbs.choices), other="add", alone="list")


def _question(add: argparse.ArgumentParser, verbs: Any) -> None:
    add.add_argument(
        "--blocking", action="store_true", help="the work cannot continue without an answer"
    )
    add.add_argument("--context", metavar="T", help="why it is asked")
    answer = verbs.add_parser(
        "answer",
        parents=[common()],
        help="record the answer",
        epilog="edge question answer 1 Redis, it is there already",
    )
    answer.add_argument("number", type=int, metavar="N")
    answer.add_argument("text", nargs="+", metavar="TEXT", help="the answer")
    answer.set_defaults(run=_run_answer)


def _risk(add: argparse.ArgumentParser, verbs: Any) -> None:
    add.add_argument("--mitigation", metavar="T", help="what is done about it")
    for verb, status, about in (
        ("mitigate", "mitigated", "record how it is mitigated"),
        ("realize", "realized", "record that it has happened"),
    ):
        parser = verbs.add_parser(
            verb,
            parents=[common()],
            help=about,
            epilog=f"edge risk {verb} 1 we pinned the version",
        )
        parser.add_argument("number", type=int, metavar="N")
        parser.add_argument("text", nargs="*", metavar="TEXT", help="what is done about it")
        parser.set_defaults(run=_run_risk, status=status)


def _run_add(args: argparse.Namespace, terminal: Terminal) -> int:
    kind: Kind = args.kind
    now, kept = now_of(args), texts(args.texts)

    def edit(state: State) -> EditResult:
        if kind is QUESTION:
            return plan_notes.ask(
                state, kept, blocking=args.blocking, context=args.context, now=now
            )
        if kind is RISK:
            by = (
                None if args.mitigation is None else checked_text(args.mitigation, "the mitigation")
            )
            return plan_notes.add(state, kind, kept, mitigation=by, status="active")
        return plan_notes.add(state, kind, kept)

    return write(args, terminal, edit, command=f"{kind.noun} add")


def _run_answer(args: argparse.Namespace, terminal: Terminal) -> int:
    now = now_of(args)

    def edit(state: State) -> EditResult:
        return plan_notes.answer(state, args.number, " ".join(args.text), now=now)

    return write(args, terminal, edit, command="question answer")


def _run_risk(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State) -> EditResult:
        return plan_notes.set_risk(state, args.number, args.status, one_text(args.text))

    return write(args, terminal, edit, command=f"risk {args.verb}")


def _run_rm(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State) -> EditResult:
        return plan_notes.remove(state, args.kind, args.numbers)

    return write(args, terminal, edit, command=f"{args.kind.noun} rm")


def _run_list(args: argparse.Namespace, terminal: Terminal) -> int:
    state, kind = opened(args).state.read(), args.kind
    listed = plan_notes.listed(state, kind)
    terminal.show(listed, "\n".join(plan_notes.lines(state, kind)) or f"No {kind.noun} yet.")
    return 0
