"""An attempt's hold on its task: the lock file, the queue's claim, and whether the attempt has to end.

Does not own what a claim promises (``bridge.queue``) or when a lock is stale (``bridge.lease``).
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import ids, layout, lease
from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.locks_store import LockFile, own_record
from operators_edge.errors import EdgeError, LockHeld

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from operators_edge.bridge.lease import LockRecord
    from operators_edge.bridge.queue import Queue, TaskFile
    from operators_edge.bridge.world import World

_LOOK_SECONDS = 1.0


class Claim:
    """Held with ``with``, which raises LockHeld if somebody else has the task.

    ``row`` is the task as the queue has it; ``cancelled_by`` says who cancelled it meanwhile.
    """

    def __init__(self, world: World, queue: Queue, found: TaskFile) -> None:
        self.row = found.row
        self.stem = ids.safe_stem(found.row.stem)
        self.cancelled_by = ""
        self._world = world
        self.queue = queue
        self._found = found
        self._lock = LockFile(world.root, layout.lock_file(self.stem))
        self._record: LockRecord | None = None
        self._look_at = math.inf

    def __enter__(self) -> Self:
        """Take the task's lock (step 4), and move the task to ``running/`` (step 5)."""
        limit = self._found.task["timeout_sec"] if self._found.task else 1
        ttl = lease.task_ttl(limit, self._world.settings.worker_lock_ttl_sec)
        now = self._world.clock()
        record: LockRecord = {
            **own_record(now, self._world.new_id()),
            "task_id": self.row.stem,
            "timeout_sec": limit,
            "epoch": self.queue.epoch,
        }
        if self._lock.acquire(record, now, ttl, is_alone=True) is not None:
            raise LockHeld(f"{self.stem} is held by another host", hint="edge bridge list")
        self._record = record
        try:
            self.row = self.queue.claim(self._found)
        except BaseException:
            self._lock.release(record)
            raise
        self._look_later()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._record is not None:
            self._lock.release(self._record)

    def note(self, event: str, **work: Any) -> None:
        """Record what the attempt does next, before it does so."""
        self.row = self.queue.note(self.row, event, **work)

    def not_ours(self) -> list[str]:
        """The Bridge's files for this attempt that somebody else has written."""
        seen = self._lock.seen()
        own = (self._record or {}).get("token")
        is_other = seen is not None and (seen.record or {}).get("token") != own
        locks = [layout.lock_file(self.stem)] if is_other else []
        return [*locks, *self.queue.planted(self.row)]

    def is_set(self) -> bool:
        """Whether the attempt has to end: the watcher ends, or a person has cancelled the task."""
        if time.monotonic() >= self._look_at:
            self._look_later()
            try:
                self.cancelled_by = self.cancelled_by or self.queue.renew(self.row)
            except LeaseLost:
                return True  # what is noted next says so, too
            except EdgeError:
                pass  # nobody could say; it is looked at again
        return self._world.stop.is_set() or self.cancelled_by != ""

    def _look_later(self) -> None:
        self._look_at = time.monotonic() + _LOOK_SECONDS


# end of module
