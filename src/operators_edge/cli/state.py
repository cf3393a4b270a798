"""``edge state history|diff|restore``: the good versions of the state file, and the way back."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from operators_edge.cli.main_options import common, opened
from operators_edge.errors import AnswerIsNo
from operators_edge.model import PROOF_DIR
from operators_edge.system import root as roots

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.project import Project
    from operators_edge.store.state import StateStore


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "state", help="good versions of the state file", epilog="edge state history"
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    history = verbs.add_parser(
        "history", parents=[common()], help="list the kept versions", epilog="edge state history"
    )
    history.set_defaults(run=_history)
    diff = verbs.add_parser(
        "diff",
        parents=[common()],
        help="what changed since a version",
        epilog="edge state diff 20260131T0930",
    )
    diff.add_argument(
        "id", nargs="?", help="a version, or how its id begins; else the one before now"
    )
    diff.set_defaults(run=_diff)
    restore = verbs.add_parser(
        "restore",
        parents=[common()],
        help="put a version back (people only); never its approvals or its pending decision",
        epilog="edge state restore 20260131T0930",
    )
    restore.add_argument("id", help="a version, or how its id begins")
    restore.set_defaults(run=_restore)


def _project(args: argparse.Namespace) -> Project:
    """The project, also where its state file was removed: then there is most need of its history."""
    found = roots.named(args.project) if args.project else roots.find(os.getcwd())
    if found.root and os.path.isdir(os.path.join(found.root, PROOF_DIR, "history")):
        from operators_edge.project import Project  # noqa: PLC0415 - not every command opens one

        return Project(found.root, is_set_up=True)
    return opened(args)


def _history(args: argparse.Namespace, terminal: Terminal) -> int:
    versions = _project(args).state.history()
    lines = [
        f"{each.id}  {each.time}  {each.size:>7} bytes  {each.objective or '-'}"
        for each in versions
    ]
    terminal.show([asdict(each) for each in versions], "\n".join(lines) or "no version kept yet")
    return 0


def _diff(args: argparse.Namespace, terminal: Terminal) -> int:
    store = _project(args).state
    version = args.id or _before_now(store)
    text = store.diff(version)
    terminal.show({"id": version, "diff": text}, text.rstrip("\n") or "nothing changed")
    return 0


def _before_now(store: StateStore) -> str:
    """The newest version that differs from the present text, machine block aside."""
    for each in store.history():
        if store.differs(each.id):
            return each.id
    raise AnswerIsNo("no kept version differs from the present one", hint="edge state history")


def _restore(args: argparse.Namespace, terminal: Terminal) -> int:
    from operators_edge.cli.person import require_person  # noqa: PLC0415 - this verb only

    project = _project(args)
    require_person("state restore", project.root)
    aside = project.state.restore(args.id)
    text = f"restored {args.id}; approvals and the pending decision are as they were"
    if aside:
        text += f"\nthe damaged file is kept as {aside}"
    terminal.show({"id": args.id, "damaged": aside or None}, text)
    return 0
