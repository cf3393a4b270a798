"""``edge review prompt``: the open changes with all that a reviewer has to hold them against.

Owns what the text holds, and how much of the changes. Does not own the mode (``edge review`` alone sets it).
Nothing is written; secrets are hidden, because the text may go to another model.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.cli.main_options import common, opened
from operators_edge.core import concerns, memory
from operators_edge.core.redact import redact, secret_values
from operators_edge.core.text import many, one_line
from operators_edge.errors import AnswerIsNo
from operators_edge.system import git

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import State

DIFF_LIMIT = 8000
"""Characters of the changes that are shown."""

LESSONS = 5

_TASK = """\
Review these changes against what they are for. Report each finding on one line:
critical|important|minor  FILE:LINE  what is wrong, and what mends it.
End with one line: APPROVE or CHANGES NEEDED. Change no file."""


def add_verbs(parser: argparse.ArgumentParser) -> None:
    """``edge review`` takes a verb; alone it is the mode."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    prompt = verbs.add_parser(
        "prompt",
        parents=[common()],
        help="the open changes and what they are to be held against, for a reviewer",
        epilog="edge review prompt --staged",
    )
    prompt.add_argument("--staged", action="store_true", help="only what is staged")
    prompt.set_defaults(run=_run)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    words = ("diff", "--no-color", "--no-ext-diff", "--cached" if args.staged else "HEAD")
    diff = git.ask(project.root, *words)
    if diff is None:
        raise AnswerIsNo("git could not say what changed here", hint="git status")
    values = secret_values(os.environ)
    shown = redact(diff, values=values)
    left = max(0, len(shown) - DIFF_LIMIT)
    if not shown.strip():
        raise AnswerIsNo("there is no change to review", hint="git status")
    told = [*_context(project.state.read()), "Changes:", shown[:DIFF_LIMIT].rstrip()]
    if left:
        told.append(f"[{many(left, 'character')} more are not shown: read them with git diff]")
        terminal.warn(f"the changes are cut after {DIFF_LIMIT:,} characters")
    text = redact("\n".join([_TASK, "", *told]), values=values)
    terminal.show({"prompt": text, "characters_left_out": left}, text)
    return 0


def _context(state: State) -> list[str]:
    told = [f"Objective: {one_line(state.get('objective') or 'none', 400)}"]
    intent = state.get("intent")
    if intent:
        said = intent if isinstance(intent, dict) else {"user_wants": intent}
        told += [f"Intent, {key}: {one_line(value, 400)}" for key, value in said.items() if value]
    for kind in (concerns.CONSTRAINT, concerns.RISK):
        entries = state.get(kind.key) or []
        told += [
            f"{kind.noun.capitalize()}: {one_line(concerns.text_of(kind, each), 300)}"
            for each in (entries if isinstance(entries, list) else [])
        ]
    lessons = state.get("memory") or []
    told += [
        f"Lesson: {one_line(memory.in_line(each), 300)}"
        for each in (lessons if isinstance(lessons, list) else [])[:LESSONS]
    ]
    return told
