"""``edge status|active|review|done``: show the project on one screen, set its mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.cli.commands import review
from operators_edge.cli.options import common, opened
from operators_edge.cli.person import is_at_terminal
from operators_edge.cli.writing import one_text
from operators_edge.loop import guidance
from operators_edge.sessions import status
from operators_edge.sessions.decisions import Decisions

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.model import Mode


def register(nouns: Any) -> None:
    parser = nouns.add_parser("status", parents=[common()], epilog="edge status")
    parser.set_defaults(run=_status)
    for mode in ("active", "review", "done"):
        parser = nouns.add_parser(mode, parents=[common()], epilog=f"edge {mode}")
        if mode == "active":
            parser.add_argument("objective", nargs="*", metavar="TEXT", help="what to work on")
        if mode == "review":
            review.add_verbs(parser)
        parser.set_defaults(run=_mode, mode=mode, objective=[])


def _status(args: argparse.Namespace, terminal: Terminal) -> int:
    data = status.gather(opened(args))
    terminal.show(data, status.render(data, at_terminal=is_at_terminal(args)))
    return 0


def _mode(args: argparse.Namespace, terminal: Terminal) -> int:
    set_mode(args, terminal, args.mode, one_text(args.objective))
    return 0


def set_mode(
    args: argparse.Namespace, terminal: Terminal, mode: Mode, objective: str | None
) -> None:
    project = opened(args)
    session = project.latest_session()
    text = Decisions(project, session=session, by="edge").set_mode(mode, objective)
    told = guidance.for_new_mode(mode, project.state.read(), is_typed=bool(project.asking))
    terminal.show({"mode": mode}, "\n".join([text, *told]))
