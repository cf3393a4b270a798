"""``edge brainstorm``: structured ideas for one challenge.

Owns the words of these commands. Does not own what they do (``inquiry.brainstorm``,
``inquiry.brainstorm_service``).
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import opened, verb
from operators_edge.cli.parser import verb_first
from operators_edge.cli.writing import DASH, answer, given, texts, write
from operators_edge.errors import UsageError
from operators_edge.inquiry import (
    brainstorm,
    brainstorm_model,
    brainstorm_prompts,
    brainstorm_service,
)
from operators_edge.plan import edits as plan_edits
from operators_edge.plan.edits import EditResult
from operators_edge.quality import service as quality_service
from operators_edge.redaction.redact import secret_values
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State

_MOST = 1_000_000


def register(nouns: Any) -> None:
    parser = nouns.add_parser("brainstorm", epilog='edge brainstorm "How might we start faster?"')
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    begin = verb(
        verbs,
        "begin",
        _run_begin,
        "begin one",
        f"edge brainstorm begin How might we start faster   ({DASH})",
    )
    begin.add_argument(
        "challenge", nargs="+", metavar="TEXT", help="How might we …?; or a number of the last scan"
    )
    verb(verbs, "scan", _run_scan, "challenges that a look at the project suggests")
    verb(verbs, "show", _run_show, "how far it is, and what is missing")
    verb(verbs, "prompt", _run_prompt, "what its phase asks for, and in which form")
    idea = verb(verbs, "idea", _run_idea, "add one idea", 'edge brainstorm idea denial "no server"')
    idea.add_argument(
        "kind",
        choices=brainstorm_prompts.KINDS,
        metavar="KIND",
        help=", ".join(brainstorm_prompts.KINDS),
    )
    idea.add_argument("title", nargs="+", metavar="TEXT", help="what it is, in a line")
    idea.add_argument("--description", metavar="T", help="more of it")
    select = verb(
        verbs, "select", _run_select, "the four to be worked out", "edge brainstorm select 1 4 7 10"
    )
    select.add_argument("ids", nargs="+", metavar="ID", help="as they are shown: I001")
    rm = verb(verbs, "rm", _run_rm, "take one idea out", "edge brainstorm rm I003")
    rm.add_argument("id", metavar="ID", help="as it is shown: I003")
    one = verb(
        verbs,
        "set",
        _run_set,
        "one field of what the phase asks for",
        "edge brainstorm set I001.scores.novelty 8",
    )
    one.add_argument("field", metavar="FIELD", help=", ".join(brainstorm_prompts.FIELDS))
    one.add_argument("texts", nargs="+", metavar="TEXT", help="what it says; one each of actions")
    load = verb(
        verbs,
        "load",
        _run_load,
        "take in what the phase asks for, as JSON",
        "edge brainstorm load --file answer.json   (or: edge brainstorm load < answer.json)",
    )
    load.add_argument("--file", metavar="F", help="where the JSON is; else it is read")
    complete = verb(verbs, "complete", _run_complete, "finish it; nothing may be missing")
    complete.add_argument(
        "--outcome", choices=brainstorm_model.OUTCOMES, default="deferred", metavar="O"
    )
    verb(verbs, "plan", _run_plan, "add the first recommendation's actions to the plan")
    verb(verbs, "drop", _run_drop, "take an unfinished one out")
    parser.filled_in = verb_first(tuple(verbs.choices), other="begin", alone="scan")


def _run_begin(args: argparse.Namespace, terminal: Terminal) -> int:
    said = brainstorm_service.begin(opened(args), " ".join(args.challenge))
    answer(terminal, said._replace(text=f"{said.text}\nWhat is asked for: edge brainstorm prompt"))
    return 0


def _run_scan(args: argparse.Namespace, terminal: Terminal) -> int:
    answer(terminal, brainstorm_service.scan(opened(args)))
    return 0


def _run_show(args: argparse.Namespace, terminal: Terminal) -> int:
    there = brainstorm_model.board_of(opened(args).state.read())
    text = (
        "\n".join(brainstorm_model.lines(there))
        if there
        else f"No brainstorm yet: {brainstorm.START}"
    )
    terminal.show(there or None, text)
    return 0


def _run_prompt(args: argparse.Namespace, terminal: Terminal) -> int:
    state = opened(args).state.read()
    there = brainstorm_model.board_of(state)
    if not there:
        raise UsageError("there is no brainstorm", hint=brainstorm.START)
    text = brainstorm_prompts.prompt(state, there, secrets=secret_values(os.environ))
    phase = brainstorm_model.phase_of(there)
    terminal.show({"phase": phase, "prompt": text}, text.rstrip())
    return 0


def _run_idea(args: argparse.Namespace, terminal: Terminal) -> int:
    return _take(
        args, terminal, brainstorm_prompts.idea(args.kind, " ".join(args.title), args.description)
    )


def _run_select(args: argparse.Namespace, terminal: Terminal) -> int:
    return _take(args, terminal, {"selected": args.ids})


def _run_rm(args: argparse.Namespace, terminal: Terminal) -> int:
    return write(
        args, terminal, lambda state: brainstorm.remove(state, args.id), command="brainstorm rm"
    )


def _run_set(args: argparse.Namespace, terminal: Terminal) -> int:
    return _take(args, terminal, brainstorm_prompts.field(args.field, texts(args.texts)))


def _run_load(args: argparse.Namespace, terminal: Terminal) -> int:
    return _take(args, terminal, _given(args, terminal))


def _take(args: argparse.Namespace, terminal: Terminal, said: Any) -> int:
    """Take it in, with all that is asked of it; one thing alone goes the same way as a whole answer."""
    return write(
        args, terminal, lambda state: brainstorm.load(state, said), command="brainstorm load"
    )


def _given(args: argparse.Namespace, terminal: Terminal) -> Any:
    """The JSON of a file, or of what is piped in."""
    if not args.file and not getattr(args, "asking", "") and sys.stdin.isatty():
        terminal.aside("Paste the JSON, then Ctrl-D on a line of its own.")
    hint = "edge brainstorm load --file ANSWER.json"
    text = given(args, args.file or "-", most=_MOST, what="the answer", hint=hint)
    try:
        return json.loads(_unwrapped(text), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the answer is no JSON: {error}", hint=hint) from error


def _unwrapped(text: str) -> str:
    """The text, or what stands in the one code fence that is all of it."""
    block = re.fullmatch(r"\s*```[\w-]*\n(.*)\n\s*```\s*", text, re.DOTALL)
    return block[1] if block else text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """One JSON object; a name that stands in it twice would silently lose what the first one says."""
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
    def edit(state: State) -> EditResult:
        todo = brainstorm.actions_for_plan(state)
        if not todo:
            return EditResult("The plan says all of it already.", {"steps": []})
        return plan_edits.add_steps(state, todo, fields=None)

    answer(terminal, quality_service.write_plan(opened(args), edit, command="plan add"))
    return 0


def _run_drop(args: argparse.Namespace, terminal: Terminal) -> int:
    return write(args, terminal, brainstorm.drop, command="brainstorm drop")
