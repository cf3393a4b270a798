"""The watcher: one worker on a project's queue, which takes one task after another.

Owns the worker lock and its renewal, the order of recovery and work, and when the queue stops. Does not own
an attempt's steps (``bridge.attempt``).
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.bridge import layout, lease, permissions, recovery
from operators_edge.bridge.attempt import Attempt
from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.locks_store import LockFile, own_record
from operators_edge.bridge.origin import WorkTree
from operators_edge.bridge.project_lock import ProjectLock
from operators_edge.bridge.result import stops_queue
from operators_edge.bridge.task import circle
from operators_edge.errors import EdgeError, LockHeld

if TYPE_CHECKING:
    from operators_edge.bridge.attempt import World
    from operators_edge.bridge.lease import LockRecord
    from operators_edge.bridge.queue import Queue, TaskFile

_LOOK_SECONDS = 0.5
_TRY_AGAIN_SECONDS = 15.0
"""After so long without another task, those that were blocked are tried again."""


class Ran(NamedTuple):
    """What one ``watch`` did: the reason of each result (None: success); whether a failure stopped it."""

    reasons: tuple[str | None, ...] = ()
    did_stop: bool = False


class Watcher:
    """One worker on one project's queue."""

    def __init__(self, world: World, queue: Queue) -> None:
        self._world = world
        self._queue = queue
        self._tree = WorkTree.at(world.root, world.env)
        self._lock = LockFile(world.root, layout.WORKER_LOCK)

    def stop(self) -> None:
        """End: what runs is stopped, its attempt ended and queued again."""
        self._world.stop.set()

    def run(self, *, is_once: bool = False, is_drain: bool = False) -> Ran:
        """Take the worker lock and work through the queue. LockHeld if another watcher has it."""
        self._queue.prepare()
        record = self._take_lock()
        ended = threading.Event()
        renewal = threading.Thread(target=self._renew, args=(record, ended), daemon=True)
        renewal.start()
        try:
            with ProjectLock(self._world.staging):
                self._queue.become_worker()
                for stem in recovery.recover(self._world, self._queue, self._tree):
                    said = {"status": "failed", "reason": recovery.REASON}
                    self._world.tell("ended", stem, said)
                return self._work(is_once=is_once, is_final=is_once or is_drain)
        except LeaseLost as error:
            raise LockHeld(str(error), hint="edge bridge list") from error
        finally:
            ended.set()
            renewal.join()
            self._lock.release(record)

    def _work(self, *, is_once: bool, is_final: bool) -> Ran:
        """Task after task. One that is blocked or held is not tried twice in a row."""
        reasons: list[str | None] = []
        tried: set[str] = set()
        is_idle = False
        look_again = 0.0
        while not self._world.stop.is_set():
            tried.difference_update(
                permissions.take_up_answers(self._queue, self._world.permissions)
            )
            found = self._next(tried, is_final=is_final)
            if found is None:
                if is_final:
                    break
                if time.monotonic() >= look_again:
                    tried.clear()
                if not is_idle:
                    self._world.tell("idle", "", {})
                is_idle = True
                self._world.stop.wait(_LOOK_SECONDS)
                continue
            is_idle = False
            tried.add(found.row.stem)
            look_again = time.monotonic() + _TRY_AGAIN_SECONDS
            attempt = Attempt(self._world, self._queue, self._tree, found)
            try:
                reasons.append(attempt.run())
            except LockHeld:
                self._world.tell("locked", found.row.stem, {})
                continue
            if stops_queue(
                reasons[-1], continue_on_failure=not self._world.settings.stop_on_failure
            ):
                return Ran(tuple(reasons), did_stop=True)
            if is_once:
                break
        return Ran(tuple(reasons))

    def _next(self, tried: set[str], *, is_final: bool) -> TaskFile | None:
        """The first task that can be taken now."""
        waits: dict[str, list[str]] = {}
        for found in self._queue.candidates(tried, is_final=is_final):
            if not self._waits(found):
                return found
            waits[found.row.stem] = found.task["depends_on"] if found.task else []
        stems = circle(waits)
        self._end_circle(stems)
        return self._next(tried, is_final=is_final) if stems else None

    def _end_circle(self, stems: list[str]) -> None:
        """Tasks that wait for each other would wait forever."""
        for stem in stems:
            order = " → ".join([*stems, stems[0]])
            detail = f"these depend on each other: {order}"
            self._queue.drop(stem, "dependency_failed", detail=detail)
            said = {"status": "failed", "reason": "dependency_failed"}
            self._world.tell("ended", stem, said)

    def _waits(self, found: TaskFile) -> bool:
        """Whether it depends on a task that is not over."""
        if found.task is None:
            return False
        return self._queue.dependency(found.task)[1] not in (None, "failed")

    # -- the worker lock -------------------------------------------------------------------------

    def _take_lock(self) -> LockRecord:
        ttl = self._world.settings.worker_lock_ttl_sec
        now = self._world.clock()
        record: LockRecord = {**own_record(now, self._world.new_id()), "ttl_sec": ttl}
        seen = self._lock.acquire(record, now, ttl)
        if seen is None:
            return record
        holder = seen.record or {}
        raise LockHeld(
            f"another watcher runs: process {holder.get('pid', '?')} on {holder.get('host', '?')}",
            hint="edge bridge list",
        )

    def _renew(self, record: LockRecord, ended: threading.Event) -> None:
        """Say that this worker lives; when it has lost the queue, it ends what it runs."""
        ttl = self._world.settings.worker_lock_ttl_sec
        while not ended.wait(lease.renewal_seconds(ttl)):
            try:
                record = self._lock.renew(record, self._world.clock())
            except (LeaseLost, EdgeError):
                self._world.stop.set()
                return
