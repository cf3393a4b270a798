"""``edge prune``: move what is finished from the state to the archive.

Does not own what is moved (``archive.retention``) or how (``archive.service``).
"""

from __future__ import annotations

from operators_edge.archive import service as archive_service
from operators_edge.cli.command import DRY_RUN, Answer, Args, command
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.archive.retention import Pruned

ARCHIVE = ".proof/archive.jsonl"
SHOWN = 40


@command("prune", DRY_RUN, example="--dry-run")
def _prune(args: Args) -> Answer:
    act = archive_service.preview_prune if args.dry_run else archive_service.prune
    done = act(args.project)
    data = {"pruned": done.counts, "entries": list(done.entries), "dry_run": args.dry_run}
    return Answer(data, _lines(done, is_dry=args.dry_run))


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


# end of module
