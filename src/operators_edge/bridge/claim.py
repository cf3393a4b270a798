"""An attempt's hold on its task: the lock file, the queue's claim, and whether the attempt has to end.

Does not own what a claim promises (``bridge.queue``), when a lock is stale (``bridge.lease``) or when a claim
is renewed (``bridge.heartbeat``).
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import ids, layout, lease
from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.locks_store import LockFile, own_record
from operators_edge.datetimes import timedelta
from operators_edge.errors import EdgeError, LockHeld

if TYPE_CHECKING:
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
        self._seconds = world.settings.worker_lock_ttl_sec
        self._until = world.clock()
        self._is_lost = False
        self._look_at = math.inf
        self._mutex = threading.Lock()

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
            self.row = self.queue.claim(self._found, seconds=self._seconds)
        except BaseException:
            self._lock.release(record)
            raise
        self._until = now + timedelta(seconds=self._seconds)
        self._look_later()
        return self

    def __exit__(self, *_: object) -> None:
        with self._mutex:
            if self._record is not None:
                self._lock.release(self._record)
            self._record = None

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

    def renew(self, queue: Queue) -> None:
        """Extend the lease, in any thread, while this is held; what cannot be extended in time is lost."""
        with self._mutex:
            if self._record is None:
                return
            now = self._world.clock()
            try:
                self._extend(queue)
            except EdgeError:  # the queue cannot be reached: that may pass
                self._is_lost = self._is_lost or now >= self._until
            with suppress(
                LeaseLost, EdgeError
            ):  # what lies there instead is looked at by ``not_ours``
                self._record = self._lock.renew(self._record, now)

    def _extend(self, queue: Queue) -> None:
        until = self._world.clock() + timedelta(seconds=self._seconds)
        try:
            self.cancelled_by = queue.renew(self.row, seconds=self._seconds)
        except LeaseLost:
            self._is_lost = True
        else:
            self._until = until

    def is_set(self) -> bool:
        """Whether the attempt has to end: by the watcher, a person who cancelled it, or a lost lease."""
        if time.monotonic() >= self._look_at:
            self._look_later()
            with suppress(EdgeError):  # nobody could say; it is looked at again
                self._extend(self.queue)
        return self._world.stop.is_set() or self._is_lost or self.cancelled_by != ""

    def _look_later(self) -> None:
        self._look_at = time.monotonic() + _LOOK_SECONDS


# end of module
