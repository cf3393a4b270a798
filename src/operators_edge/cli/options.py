"""What every ``edge`` command takes, and how it finds its project."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from operators_edge.cli.parser import DEBUG_HELP
from operators_edge.errors import NotSetUp
from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.system import project_root

if TYPE_CHECKING:
    from operators_edge.project import Project


def common() -> argparse.ArgumentParser:
    """A parent parser: ``--json``, ``--project DIR`` and ``--debug``."""
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parent.add_argument(
        "--project", metavar="DIR", help="the project, instead of the one found here"
    )
    parent.add_argument("--debug", action="store_true", help=DEBUG_HELP)
    return parent


def verb(verbs: Any, name: str, run: Any, about: str, example: str = "") -> argparse.ArgumentParser:
    """A verb of a command; without an ``example``, that is the verb alone."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        name, parents=[common()], help=about, epilog=example or "%(prog)s"
    )
    parser.set_defaults(run=run)
    return parser


def opened(args: argparse.Namespace) -> Project:
    """The project that the command is about; NotSetUp where there is none.

    What a killed process left half done is finished first, and said.
    """
    from operators_edge.project import Project  # noqa: PLC0415 - not every command opens one
    from operators_edge.state.transaction import take_notices  # noqa: PLC0415 - see above

    found = project_root.named(args.project) if args.project else project_root.find(os.getcwd())
    if found.root is None:
        raise NotSetUp(f"there is no project here: {found.reason}", hint="edge init")
    if not found.is_set_up:
        raise _not_set_up(found.root)
    project = Project(found.root, is_set_up=True, asking=getattr(args, "asking", ""))
    project.state.finish()
    if project.state.unfinished:
        args.terminal.warn(f"a change that was interrupted waits: {project.state.unfinished}")
    for text in take_notices(found.root):
        args.terminal.warn(text)
    return project


def _not_set_up(root: str) -> NotSetUp:
    """A state file that was there and is gone has a way back; a fresh one would hide the loss."""
    if os.path.isdir(os.path.join(root, PROOF_DIR, "history")):
        return NotSetUp(
            f"{os.path.join(root, STATE_FILE)} is gone; its last good versions are kept",
            hint="edge state history, then edge state restore 1",
        )
    return NotSetUp(f"{root} is not set up", hint="edge init")
