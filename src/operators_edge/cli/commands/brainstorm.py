"""``edge brainstorm``: structured ideas for one challenge.

Owns the arguments of these commands. Does not own what they do (``inquiry.brainstorm``,
``inquiry.brainstorm_service``).
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import opened, verb
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import (
    DASH,
    answer,
    given_or_pasted,
    texts,
    write,
    write_plan,
)
from operators_edge.errors import UsageError
from operators_edge.inquiry import (
    brainstorm,
    brainstorm_model,
    brainstorm_service,
)
from operators_edge.redaction.redact import secret_values
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal

_MOST = 1_000_000


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "brainstorm",
        epilog='edge brainstorm "How might we start faster?"',
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    example = f"edge brainstorm begin How might we start faster   ({DASH})"
    begin = verb(verbs, "begin", _run_begin, "begin one", example)
    about = "How might we …?; or the number of a suggestion of the last scan"
    begin.add_argument("challenge", nargs="+", metavar="TEXT", help=about)
    verb(verbs, "scan", _run_scan, "scan the project for challenges")
    verb(verbs, "show", _run_show, "show the progress, and what is missing")
    verb(verbs, "prompt", _run_prompt, "print the prompt of the phase, with the form of the answer")
    idea = verb(verbs, "idea", _run_idea, "add one idea", 'edge brainstorm idea denial "no server"')
    kinds = ", ".join(brainstorm_model.KINDS)
    idea.add_argument("kind", choices=brainstorm_model.KINDS, metavar="KIND", help=kinds)
    idea.add_argument("title", nargs="+", metavar="TEXT", help="what it is, in a line")
    idea.add_argument("--description", metavar="T", help="more about it")
    example = "edge brainstorm select 1 4 7 10"
    select = verb(verbs, "select", _run_select, "select the four to be worked out", example)
    select.add_argument("ids", nargs="+", metavar="ID", help="as listed: I001")
    rm = verb(verbs, "rm", _run_rm, "remove one idea", "edge brainstorm rm I003")
    rm.add_argument("id", metavar="ID", help="as listed: I003")
    example = "edge brainstorm set I001.scores.novelty 8"
    one = verb(verbs, "set", _run_set, "set one field of the answer", example)
    one.add_argument("field", metavar="FIELD", help=", ".join(brainstorm.FIELDS))
    one.add_argument(
        "texts", nargs="+", metavar="TEXT", help="the value; for actions one text each"
    )
    example = "edge brainstorm load --file answer.json   (or: edge brainstorm load < answer.json)"
    load = verb(verbs, "load", _run_load, "load an answer, as JSON", example)
    load.add_argument("--file", metavar="F", help="the file with the JSON; else stdin is read")
    complete = verb(verbs, "complete", _run_complete, "finish it; nothing may be missing")
    complete.add_argument(
        "--outcome",
        choices=brainstorm_model.OUTCOMES,
        default="deferred",
        metavar="O",
        help="how it ended",
    )
    verb(verbs, "plan", _run_plan, "add the first recommendation's actions to the plan")
    verb(verbs, "drop", _run_drop, "remove an unfinished one")
    parser.filled_in = verb_first(tuple(verbs.choices), other="begin", alone="scan")


def _run_begin(args: argparse.Namespace, terminal: Terminal) -> int:
    said = brainstorm_service.begin(opened(args), " ".join(args.challenge))
    answer(terminal, said._replace(text=f"{said.text}\nWhat is asked for: edge brainstorm prompt"))
    return 0


def _run_scan(args: argparse.Namespace, terminal: Terminal) -> int:
    answer(terminal, brainstorm_service.scan(opened(args)))
    return 0


def _run_show(args: argparse.Namespace, terminal: Terminal) -> int:
    there = brainstorm_model.brainstorm_of(opened(args).state.read())
    text = (
        "\n".join(brainstorm_model.lines(there))
        if there
        else f"No brainstorm yet: {brainstorm.START}"
    )
    terminal.show(there or None, text)
    return 0


def _run_prompt(args: argparse.Namespace, terminal: Terminal) -> int:
    state = opened(args).state.read()
    there = brainstorm_model.brainstorm_of(state)
    if not there:
        raise UsageError("there is no brainstorm", hint=brainstorm.START)
    text = brainstorm_model.prompt(state, there, secrets=secret_values(os.environ))
    phase = brainstorm_model.phase_of(there)
    terminal.show({"phase": phase, "prompt": text}, text.rstrip())
    return 0


def _run_idea(args: argparse.Namespace, terminal: Terminal) -> int:
    return _take(
        args, terminal, brainstorm.single_idea(args.kind, " ".join(args.title), args.description)
    )


def _run_select(args: argparse.Namespace, terminal: Terminal) -> int:
    return _take(args, terminal, {"selected": args.ids})


def _run_rm(args: argparse.Namespace, terminal: Terminal) -> int:
    return write(
        args, terminal, lambda state: brainstorm.remove(state, args.id), command="brainstorm rm"
    )


def _run_set(args: argparse.Namespace, terminal: Terminal) -> int:
    return _take(args, terminal, brainstorm.single_field(args.field, texts(args.texts)))


def _run_load(args: argparse.Namespace, terminal: Terminal) -> int:
    hint = "edge brainstorm load --file ANSWER.json"
    text = given_or_pasted(args, terminal, most=_MOST, what="the JSON", hint=hint)
    try:
        loaded = json.loads(_without_fence(text), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the answer is no JSON: {error}", hint=hint) from error
    return _take(args, terminal, loaded)


def _take(args: argparse.Namespace, terminal: Terminal, given: Any) -> int:
    """Load it; a single idea or field is checked like a whole answer."""
    return write(
        args, terminal, lambda state: brainstorm.load(state, given), command="brainstorm load"
    )


def _without_fence(text: str) -> str:
    """The text, or what stands in the one code fence that is all of it."""
    block = re.fullmatch(r"\s*```[\w-]*\n(.*)\n\s*```\s*", text, re.DOTALL)
    return block[1] if block else text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """One JSON object; a name that stands in it twice is refused, or its first value would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{one_line(twice, 40)} stands twice in it")
    return found


def _run_complete(args: argparse.Namespace, terminal: Terminal) -> int:
    answer(terminal, brainstorm_service.complete(opened(args), outcome=args.outcome))
    return 0


def _run_plan(args: argparse.Namespace, terminal: Terminal) -> int:
    return write_plan(args, terminal, brainstorm.plan, command="plan add")


def _run_drop(args: argparse.Namespace, terminal: Terminal) -> int:
    return write(args, terminal, brainstorm.drop, command="brainstorm drop")
