"""``edge prune``: move what is finished from the state to the archive.

Owns the command's syntax. Does not own what is moved (``archive.retention``) or how (``archive.service``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.archive import service as archive_service
from operators_edge.cli.options import common, opened
from operators_edge.text.wording import many

if TYPE_CHECKING:
    import argparse

    from operators_edge.archive.retention import Pruned
    from operators_edge.cli.terminal import Terminal

ARCHIVE = ".proof/archive.jsonl"
SHOWN = 40


def register(nouns: Any) -> None:
    parser = nouns.add_parser("prune", parents=[common()], epilog="edge prune --dry-run")
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be moved, change nothing"
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    done = (
        archive_service.preview_prune(project) if args.dry_run else archive_service.prune(project)
    )
    data = {"pruned": done.counts, "entries": list(done.entries), "dry_run": args.dry_run}
    terminal.show(data, "\n".join(_lines(done, is_dry=args.dry_run)))
    return 0


def _lines(done: Pruned, *, is_dry: bool) -> list[str]:
    if not done.counts:
        return ["Nothing is finished that could leave the state."]
    listed = [f"  {each}" for each in done.lines[:SHOWN]]
    if len(done.lines) > SHOWN:
        listed.append(f"  and {len(done.lines) - SHOWN:,} more: --json names all")
    count = many(len(done.entries), "entry")
    if not done.entries:
        return ["Would be put in order:" if is_dry else "Put in order:", *listed]
    head = f"Would go to {ARCHIVE}: {count}" if is_dry else f"Archived in {ARCHIVE}: {count}"
    return [head, *listed]
