"""``edge research``: what has to be found out outside, from the unknown to the action items.

Owns the words of these commands. Does not own what they do (``inquiry.research``,
``inquiry.research_service``).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import opened, verb
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import DASH, answer, given, now_of
from operators_edge.errors import UsageError
from operators_edge.inquiry import research, research_service
from operators_edge.plan import edits as plan_edits
from operators_edge.plan.edits import EditResult
from operators_edge.quality import service as quality_service

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State

    Taken = Mapping[str, str]
    Secrets = tuple[str, ...]


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "research",
        epilog='edge research "which cache fits?"   is   edge research add "which cache fits?"',
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    verb(verbs, "scan", _run_scan, "find what objective, plan and questions leave open")
    add = verb(
        verbs,
        "add",
        _run_add,
        "keep one topic, and make its prompt",
        f'edge research add --critical --step 2 "which cache fits?"   ({DASH})',
    )
    add.add_argument("topic", nargs="+", metavar="TEXT", help="what has to be found out")
    add.add_argument("--critical", action="store_true", help="the work cannot go on without it")
    add.add_argument("--step", type=int, metavar="N", help="the step; a critical one waits")
    add.add_argument("--context", metavar="T", help="what is known, why it matters")
    verb(verbs, "list", _run_list, "all of them")
    show = verb(verbs, "show", _run_show, "one of them", "edge research show R001")
    _named(show)
    start = verb(
        verbs, "start", _run_start, "print the prompt, to be pasted", "edge research start R001"
    )
    _named(start)
    _results(verbs)
    action = verb(
        verbs,
        "action",
        _run_action,
        "add action items by hand",
        'edge research action R001 "pin the version" "measure again"',
    )
    _named(action)
    action.add_argument("texts", nargs="+", metavar="TEXT", help="one each")
    plan = verb(
        verbs, "plan", _run_plan, "add the action items to the plan", "edge research plan R001"
    )
    _named(plan)
    cancel = verb(
        verbs,
        "cancel",
        _run_cancel,
        "it is not needed any more",
        "edge research cancel R001 the scope changed",
    )
    _named(cancel)
    cancel.add_argument("why", nargs="*", metavar="TEXT", help="why")
    rm = verb(verbs, "rm", _run_rm, "take one out", "edge research rm R001")
    _named(rm)
    parser.filled_in = verb_first(tuple(verbs.choices), other="add", alone="list")


def _named(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="as it is listed: R001")


def _results(verbs: Any) -> None:
    parser = verb(
        verbs,
        "results",
        _run_results,
        "take the answer in, and the action items out of it",
        "edge research results R001 --file answer.md   (or paste it: edge research results R001 < answer.md)",
    )
    _named(parser)
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the answer; else it is read")
    parser.add_argument("--file", metavar="F", help="where the answer is")
    parser.add_argument("--replace", action="store_true", help="in place of the results before")


def _run_scan(args: argparse.Namespace, terminal: Terminal) -> int:
    now = now_of(args)

    def edit(state: State, taken: Taken, secrets: Secrets) -> EditResult:
        return research.scan(state, now=now, taken=taken, secrets=secrets)

    answer(terminal, research_service.write(opened(args), edit, command="research scan"))
    return 0


def _run_add(args: argparse.Namespace, terminal: Terminal) -> int:
    now = now_of(args)

    def edit(state: State, taken: Taken, secrets: Secrets) -> EditResult:
        return research.add(
            state,
            " ".join(args.topic),
            is_critical=args.critical,
            step=args.step,
            context=args.context,
            now=now,
            taken=taken,
            secrets=secrets,
        )

    answer(terminal, research_service.write(opened(args), edit, command="research add"))
    return 0


def _run_list(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    state, taken = project.state.read(), research_service.taken(project)
    lines = research.lines(state, taken)
    none = "No research yet: edge research scan"
    terminal.show(research.listed(state, taken), "\n".join(lines) or none)
    return 0


def _run_show(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    state = project.state.read()
    entry = research.entry_of(state, args.id, research_service.taken(project))
    lines = research.details(state, entry)
    if entry["status"] in research.OPEN:
        lines += ["", f"The prompt: edge research start {entry['id']}"]
    terminal.show(entry, "\n".join(lines))
    return 0


def _run_start(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State, taken: Taken, secrets: Secrets) -> EditResult:
        return research.start(state, args.id, taken=taken, secrets=secrets)

    said = research_service.write(opened(args), edit, command="research start")
    answer(terminal, said)
    if not terminal.json_wanted:  # beside the prompt, which is to be piped on as it is
        terminal.aside(f"then: edge research results {said.data['id']} --file ANSWER.md")
    return 0


def _run_results(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    text = _given(args, terminal)
    answer(terminal, research_service.take_results(project, args.id, text, replace=args.replace))
    return 0


def _given(args: argparse.Namespace, terminal: Terminal) -> str:
    """The answer: its words, a file's text, or what is piped or pasted in."""
    if args.text and args.file:
        raise UsageError("the answer stands here and in a file", hint="give one of them")
    if args.text and args.text != ["-"]:
        return " ".join(args.text)
    if not args.file and not getattr(args, "asking", "") and sys.stdin.isatty():
        terminal.aside("Paste the answer, then Ctrl-D on a line of its own.")
    hint = f"edge research results {args.id} --file F"
    most = research.MAX_RESULTS * 4
    return given(args, args.file or "-", most=most, what="the answer", hint=hint)


def _run_action(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State, taken: Taken, secrets: Secrets) -> EditResult:
        del secrets
        return research.note_actions(state, args.id, args.texts, taken=taken)

    answer(terminal, research_service.write(opened(args), edit, command="research action"))
    return 0


def _run_plan(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    taken = research_service.taken(project)

    def edit(state: State) -> EditResult:
        texts = research.actions_for_plan(state, args.id, taken)
        if not texts:
            return EditResult("The plan says all of it already.", {"steps": []})
        return plan_edits.add_steps(state, texts, fields=None)

    answer(terminal, quality_service.write_plan(project, edit, command="plan add"))
    return 0


def _run_cancel(args: argparse.Namespace, terminal: Terminal) -> int:
    why = " ".join(args.why) or None

    def edit(state: State, taken: Taken, secrets: Secrets) -> EditResult:
        del secrets
        return research.cancel(state, args.id, why, taken=taken)

    answer(terminal, research_service.write(opened(args), edit, command="research cancel"))
    return 0


def _run_rm(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State, taken: Taken, secrets: Secrets) -> EditResult:
        del secrets
        return research.remove(state, args.id, taken=taken)

    answer(terminal, research_service.write(opened(args), edit, command="research rm"))
    return 0
