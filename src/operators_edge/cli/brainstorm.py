"""``edge brainstorm``: structured ideas for one challenge.

Owns the words of these commands. Does not own what they do (``core.brainstorm``, ``brainstorming``).
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from operators_edge import brainstorming, intent, patrolling
from operators_edge.cli.main_options import common, opened
from operators_edge.cli.writing import DASH, answer, verb_first, write
from operators_edge.core import board, brainstorm, ideation, planning
from operators_edge.core.planning import Said
from operators_edge.core.redact import secret_values
from operators_edge.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State

_MOST = 1_000_000


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "brainstorm",
        help="structured ideas for a challenge; alone: challenges worth one",
        epilog='edge brainstorm "How might we start faster?"',
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    begin = _verb(verbs, "begin", _run_begin, f"begin one   ({DASH})")
    begin.add_argument("challenge", nargs="+", metavar="TEXT", help="How might we …?")
    _verb(verbs, "scan", _run_scan, "challenges that a look at the project suggests")
    _verb(verbs, "show", _run_show, "how far it is, and what is missing")
    _verb(verbs, "prompt", _run_prompt, "what its phase asks for, and in which form")
    load = _verb(verbs, "load", _run_load, "take in what the phase asks for, as JSON")
    load.add_argument("--file", metavar="F", help="where the JSON is; else it is read")
    complete = _verb(verbs, "complete", _run_complete, "finish it; nothing may be missing")
    complete.add_argument("--outcome", choices=board.OUTCOMES, default="deferred", metavar="O")
    _verb(verbs, "plan", _run_plan, "add the first recommendation's actions to the plan")
    _verb(verbs, "drop", _run_drop, "take an unfinished one out")
    parser.filled_in = verb_first(tuple(verbs.choices), other="begin", alone="scan")


def _verb(verbs: Any, name: str, run: Any, about: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(
        name, parents=[common()], help=about, epilog=f"edge brainstorm {name}"
    )
    parser.set_defaults(run=run)
    return parser


def _run_begin(args: argparse.Namespace, terminal: Terminal) -> int:
    said = brainstorming.begin(opened(args), " ".join(args.challenge))
    answer(terminal, said._replace(text=f"{said.text}\nWhat is asked for: edge brainstorm prompt"))
    return 0


def _run_scan(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    scan = patrolling.scan(project, project.state.read())
    for each in scan.skipped:
        terminal.warn(f"not looked at: {each}")
    asked = patrolling.challenges(scan)
    lines = [f"{n}. {each}" for n, each in enumerate(asked, 1)]
    lines.append(f'Begin one: edge brainstorm "{asked[0]}"' if asked else "No challenge was seen.")
    terminal.show({"challenges": asked, "skipped": list(scan.skipped)}, "\n".join(lines))
    return 0


def _run_show(args: argparse.Namespace, terminal: Terminal) -> int:
    there = board.board_of(opened(args).state.read())
    text = "\n".join(board.lines(there)) if there else f"No brainstorm yet: {brainstorm.START}"
    terminal.show(there or None, text)
    return 0


def _run_prompt(args: argparse.Namespace, terminal: Terminal) -> int:
    state = opened(args).state.read()
    there = board.board_of(state)
    if not there:
        raise UsageError("there is no brainstorm", hint=brainstorm.START)
    text = ideation.prompt(state, there, secrets=secret_values(os.environ))
    phase = board.phase_of(there)
    terminal.show({"phase": phase, "prompt": text}, text.rstrip())
    return 0


def _run_load(args: argparse.Namespace, terminal: Terminal) -> int:
    given = _given(args.file)
    return write(
        args, terminal, lambda state: brainstorm.load(state, given), command="brainstorm load"
    )


def _given(path: str | None) -> Any:
    """The JSON of a file, or of what is piped in."""
    hint = "edge brainstorm load --file ANSWER.json"
    try:
        if path:
            with open(path, "rb") as file:
                data = file.read(_MOST + 1)
        else:
            data = sys.stdin.buffer.read(_MOST + 1)
        if len(data) > _MOST:
            raise UsageError(f"the answer is larger than {_MOST:,} bytes", hint=hint)
        return json.loads(data.decode())
    except OSError as error:
        what = f"the answer could not be read: {error.strerror or error}"
        raise UsageError(what, hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the answer is no JSON: {error}", hint=hint) from error


def _run_complete(args: argparse.Namespace, terminal: Terminal) -> int:
    answer(terminal, brainstorming.complete(opened(args), outcome=args.outcome))
    return 0


def _run_plan(args: argparse.Namespace, terminal: Terminal) -> int:
    def edit(state: State) -> Said:
        texts = brainstorm.actions_for_plan(state)
        if not texts:
            return Said("The plan says all of it already.", {"steps": []})
        return planning.add_steps(state, texts, fields=None)

    answer(terminal, intent.write(opened(args), edit, command="plan add"))
    return 0


def _run_drop(args: argparse.Namespace, terminal: Terminal) -> int:
    return write(args, terminal, brainstorm.drop, command="brainstorm drop")
