"""The end of an attempt: its result is written, then what follows from it is done.

A watcher that dies in between loses neither: the result is kept beside the database until all is done.

Does not own what is in a result (``bridge.attempt``, ``bridge.recovery``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import staging

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.bridge.attempt import World
    from operators_edge.bridge.queue import Queue, TaskRow
    from operators_edge.bridge.result import Result
    from operators_edge.bridge.staging import Staging


def close(
    world: World,
    queue: Queue,
    staged: Staging,
    row: TaskRow,
    *,
    task: Mapping[str, Any] | None,
    result: Result,
    again: bool = False,
) -> str:
    """Write the result of an attempt, with ``again`` queue the next one; what follows, or ""."""
    kept = {"task": dict(task or {}), "result": result}
    staged.keep(staging.RESULT, json.dumps(kept).encode())
    due = result.get("due", "")
    queue.finish(row, result, again=again, due=due, placed=staged.placed())
    follows = world.permissions.finished(kept["task"], result)
    staged.remove()
    return follows


def catch_up(world: World) -> None:
    """Do what follows from results that a dead watcher had written; no attempt may be running."""
    for data in staging.results_left(world.staging):
        kept = json.loads(data)
        world.permissions.finished(kept["task"], kept["result"], is_again=True)


# end of module
