"""``edge research``: questions for somebody outside, from the open question to the action items.

Owns the arguments of these commands. Does not own what they do (``inquiry.research``,
``inquiry.research_service``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import opened, verb
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import (
    DASH,
    answer,
    given_or_pasted,
    one_text,
)
from operators_edge.errors import UsageError
from operators_edge.inquiry import research_service
from operators_edge.inquiry.research import MAX_RESULTS, Research
from operators_edge.quality import service as quality_service

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from operators_edge.cli.terminal import Terminal
    from operators_edge.plan.edits import EditResult


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "research",
        epilog='edge research "which cache fits?"   is   edge research add "which cache fits?"',
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    verb(
        verbs, "scan", _run_scan, "find unknowns in the objective, the plan and the open questions"
    )
    example = f'edge research add --critical --step 2 "which cache fits?"   ({DASH})'
    add = verb(verbs, "add", _run_add, "add a topic, and make its prompt", example)
    add.add_argument("topic", nargs="+", metavar="TEXT", help="what has to be found out")
    add.add_argument("--critical", action="store_true", help="the work cannot go on without it")
    add.add_argument("--step", type=int, metavar="N", help="the step; a critical one waits")
    add.add_argument("--context", metavar="T", help="what is known, why it matters")
    verb(verbs, "list", _run_list, "list all of them")
    _verb_with_id(verbs, "show", _run_show, "show one of them")
    _verb_with_id(verbs, "start", _run_start, "print the prompt, ready to paste")
    about = "load the answer, and read the action items out of it"
    results = _verb_with_id(
        verbs, "results", _run_results, about, "--file answer.md   (or: < answer.md)"
    )
    results.add_argument("text", nargs="*", metavar="TEXT", help="the answer; else stdin is read")
    results.add_argument("--file", metavar="F", help="the file with the answer")
    results.add_argument("--replace", action="store_true", help="replace the earlier results")
    example = '"pin the version" "measure again"'
    action = _verb_with_id(verbs, "action", _run_action, "add action items by hand", example)
    action.add_argument("texts", nargs="+", metavar="TEXT", help="one each")
    _verb_with_id(verbs, "plan", _run_plan, "add the action items to the plan")
    cancel = _verb_with_id(
        verbs, "cancel", _run_cancel, "it is no longer needed", "the scope changed"
    )
    cancel.add_argument("why", nargs="*", metavar="TEXT", help="why")
    _verb_with_id(verbs, "rm", _run_rm, "remove one")
    parser.filled_in = verb_first(tuple(verbs.choices), other="add", alone="list")


def _verb_with_id(
    verbs: Any, name: str, run: Any, about: str, example: str = ""
) -> argparse.ArgumentParser:
    """A verb for one research; ``example`` are the words after its id."""
    parser = verb(verbs, name, run, about, f"edge research {name} R001 {example}".rstrip())
    parser.add_argument("id", metavar="ID", help="as listed: R001")
    return parser


def _write(
    args: argparse.Namespace,
    terminal: Terminal,
    edit: Callable[[Research], EditResult],
    *,
    command: str,
) -> int:
    answer(terminal, research_service.write(opened(args), edit, command=command))
    return 0


def _run_scan(args: argparse.Namespace, terminal: Terminal) -> int:
    return _write(args, terminal, Research.scan, command="research scan")


def _run_add(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(research: Research) -> EditResult:
        return research.add(
            " ".join(args.topic), is_critical=args.critical, step=args.step, context=args.context
        )

    return _write(args, terminal, edit, command="research add")


def _run_list(args: argparse.Namespace, terminal: Terminal) -> int:
    research = research_service.read(opened(args))
    lines = research.lines() or ["No research yet: edge research scan"]
    terminal.show(research.entries, "\n".join(lines))
    return 0


def _run_show(args: argparse.Namespace, terminal: Terminal) -> int:
    research = research_service.read(opened(args))
    terminal.show(research.entry(args.id), "\n".join(research.details(args.id)))
    return 0


def _run_start(args: argparse.Namespace, terminal: Terminal) -> int:
    said = research_service.write(
        opened(args), lambda research: research.start(args.id), command="research start"
    )
    answer(terminal, said)
    if not terminal.json_wanted:  # beside the prompt, which is to be piped on as it is
        terminal.aside(f"then: edge research results {said.data['id']} --file ANSWER.md")
    return 0


def _run_results(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    text = _given(args, terminal)
    answer(terminal, research_service.store_results(project, args.id, text, replace=args.replace))
    return 0


def _given(args: argparse.Namespace, terminal: Terminal) -> str:
    """The answer: its words, a file's text, or what is piped or pasted in."""
    if args.text and args.file:
        raise UsageError("the answer stands here and in a file", hint="give one of them")
    if args.text and args.text != ["-"]:
        return " ".join(args.text)
    hint = f"edge research results {args.id} --file F"
    return given_or_pasted(args, terminal, most=MAX_RESULTS * 4, what="the answer", hint=hint)


def _run_action(args: argparse.Namespace, terminal: Terminal) -> int:
    return _write(
        args,
        terminal,
        lambda research: research.add_actions(args.id, args.texts),
        command="research action",
    )


def _run_plan(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    edit = research_service.as_state_edit(project, lambda research: research.plan(args.id))
    answer(terminal, quality_service.write_plan(project, edit, command="plan add"))
    return 0


def _run_cancel(args: argparse.Namespace, terminal: Terminal) -> int:
    return _write(
        args,
        terminal,
        lambda research: research.cancel(args.id, one_text(args.why)),
        command="research cancel",
    )


def _run_rm(args: argparse.Namespace, terminal: Terminal) -> int:
    return _write(args, terminal, lambda research: research.remove(args.id), command="research rm")
