"""The heartbeat of a worker: at intervals it renews the worker's lock, and the leases of what it works on.

In a thread of its own, so that nothing that an attempt waits for delays it. Does not own when a lease is over
(``bridge.lease``) or what follows from a lost one (``bridge.claim``, ``bridge.watcher``).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from operators_edge.bridge import lease
from operators_edge.bridge.lease import LeaseLost
from operators_edge.errors import EdgeError

if TYPE_CHECKING:
    from typing import Self

    from operators_edge.bridge.claim import Claim
    from operators_edge.bridge.lease import LockRecord
    from operators_edge.bridge.locks_store import LockFile
    from operators_edge.bridge.queue import Queue
    from operators_edge.bridge.world import World


class Heartbeat:
    """Beats while it is used with ``with``. ``lock`` is the worker's, as ``record`` says."""

    def __init__(self, world: World, queue: Queue, lock: LockFile, record: LockRecord) -> None:
        self._world = world
        self._queue = queue
        self._lock = lock
        self._record = record
        self._claims: dict[str, Claim] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def hold(self, claim: Claim) -> None:
        """Renew this one, too, from when it is held until it is let go."""
        self._claims[claim.stem] = claim

    def let_go(self, stem: str) -> None:
        self._claims.pop(stem, None)

    def _run(self) -> None:
        seconds = lease.renewal_seconds(self._world.settings.worker_lock_ttl_sec)
        while not self._ended.wait(seconds) and self.beat():
            pass

    def beat(self) -> bool:
        """Renew everything once; a worker that has lost the queue ends what it runs, and this says False."""
        try:
            self._record = self._lock.renew(self._record, self._world.clock())
        except (LeaseLost, EdgeError):
            self._world.stop.set()
            return False
        for claim in tuple(self._claims.values()):
            claim.renew(self._queue)
        return True


# end of module
