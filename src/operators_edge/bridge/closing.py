"""The end of an attempt: its result is written, then what follows from it is done.

A watcher that dies in between loses neither: the result is kept beside the database until all is done.

Does not own what is in a result (``bridge.record``, ``bridge.recovery``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from operators_edge.bridge import staging
from operators_edge.bridge.result import gets_another

if TYPE_CHECKING:
    from operators_edge.bridge.queue import Queue, TaskRow
    from operators_edge.bridge.result import Result
    from operators_edge.bridge.staging import Staging
    from operators_edge.bridge.world import World


def close(world: World, queue: Queue, staged: Staging, row: TaskRow, result: Result) -> str:
    """Write the result of an attempt, and queue the next one if there is to be one; what follows, or ""."""
    task = row.task(world.settings.defaults)
    again = task is not None and gets_another(
        task, result["reason"], was_interrupted_before=row.interrupted > 0
    )
    kept = {"task": dict(task or {}), "result": result}
    staged.keep(staging.RESULT, json.dumps(kept).encode())
    queue.finish(row, result, again=again, due=result.get("due", ""), placed=staged.placed())
    follows = world.permissions.finished(kept["task"], result)
    staged.remove()
    return follows


def catch_up(world: World) -> None:
    """Do what follows from results that a dead watcher had written; no attempt may be running."""
    for data in staging.results_left(world.staging):
        kept = json.loads(data)
        world.permissions.finished(kept["task"], kept["result"], is_again=True)


# end of module
