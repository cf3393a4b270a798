"""The watcher: one worker on a project's queue, which takes one task after another.

Owns the worker lock, the order of recovery and work, and when the queue stops. Does not own an attempt's
steps (``bridge.attempt``) or the renewal of locks (``bridge.heartbeat``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.bridge import ids, layout, locks_store, permissions, recovery
from operators_edge.bridge.attempt import Attempt
from operators_edge.bridge.heartbeat import Heartbeat
from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.locks_store import LockFile, own_record
from operators_edge.bridge.project_lock import ProjectLock
from operators_edge.bridge.result import outcome, stops_queue
from operators_edge.bridge.task import circle
from operators_edge.datetimes import timedelta
from operators_edge.errors import LockHeld

if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.bridge.crew import Crew
    from operators_edge.bridge.lease import LockRecord
    from operators_edge.bridge.queue import Dropped, Queue, TaskFile
    from operators_edge.bridge.world import World

_LOOK_SECONDS = 0.5
_PAUSES = (15.0, 240.0)
"""Seconds until a blocked task is tried again: the first time, each time twice as long, and the longest."""
_LONG_PAUSES = (60.0, 900.0)
"""The same for a usage limit whose end is not known: each try starts the executor."""


class Ran(NamedTuple):
    """What one ``watch`` did: the reason of each result (None: success); whether a failure stopped it."""

    reasons: tuple[str | None, ...] = ()
    did_stop: bool = False


class Watcher:
    """One worker on one project's queue."""

    def __init__(self, world: World, queue: Queue) -> None:
        self._world = world
        self._queue = queue
        self._lock = LockFile(world.root, layout.WORKER_LOCK)

    def stop(self) -> None:
        """End: what runs is stopped, its attempt ended and queued again."""
        self._world.stop.set()

    def run(self, *, is_once: bool = False, is_drain: bool = False) -> Ran:
        """Take the worker lock and work through the queue. LockHeld if another watcher has it."""
        self._queue.prepare()
        record = self._take_lock()
        heartbeat = Heartbeat(self._world, self._queue, self._lock, record)
        try:
            with heartbeat, ProjectLock(self._world.staging):
                self._queue.become_worker()
                for stem in recovery.recover(self._world, self._queue):
                    said = {"status": "failed", "reason": recovery.REASON}
                    self._world.tell("ended", stem, said)
                return self._work(heartbeat, is_once=is_once, is_final=is_once or is_drain)
        except LeaseLost as error:
            raise LockHeld(str(error), hint="edge bridge list") from error
        finally:
            self._lock.release(record)

    def _work(self, heartbeat: Heartbeat, *, is_once: bool, is_final: bool) -> Ran:
        """Task after task, as many at once as the settings say."""
        from operators_edge.bridge.crew import Crew  # noqa: PLC0415 - it starts threads: only a watcher needs it

        crew = Crew(self._world.settings.parallel)
        parts = (self._world, self._queue, crew, heartbeat)
        shift = _Shift(*parts, is_once=is_once, is_final=is_final)
        try:
            return shift.work()
        except BaseException:
            self._world.stop.set()
            raise
        finally:
            crew.close()
            locks_store.sweep(self._world.root)

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


class _Pause(NamedTuple):
    until: datetime
    seconds: float


class _Shift:
    """The work on the queue, until it is over.

    One that is blocked or held is tried again after a pause; when the work is to end, it is not.
    """

    def __init__(
        self,
        world: World,
        queue: Queue,
        crew: Crew,
        heartbeat: Heartbeat,
        *,
        is_once: bool,
        is_final: bool,
    ) -> None:
        self._world = world
        self._queue = queue
        self._crew = crew
        self._heartbeat = heartbeat
        self._is_once = is_once
        self._is_final = is_final
        self._reasons: list[str | None] = []
        self._did_stop = False
        self._paused: dict[str, _Pause] = {}
        self._is_idle = False

    def work(self) -> Ran:
        """Until nothing is to be done, or a failure or a person stops it."""
        while self._take_ended() or self._take_next() or self._wait():
            pass
        return Ran(tuple(self._reasons), self._did_stop)

    def _take_ended(self) -> bool:
        """Take up how attempts have ended; whether any had."""
        had_ended = False
        for stem, ended in self._crew.ended():
            had_ended = True
            self._heartbeat.let_go(ids.safe_stem(stem))
            try:
                reason = ended.result()
            except LockHeld:
                self._world.tell("locked", stem, {})
                self._pause(stem)
                continue
            self._reasons.append(reason)
            if outcome(reason)[0] == "blocked" and not self._queue.task(stem).due:
                self._pause(stem, reason)
            else:  # its next attempt may be queued already
                self._paused.pop(stem, None)
            if stops_queue(reason, continue_on_failure=not self._world.settings.stop_on_failure):
                self._did_stop = True
        # An executor may have left a lock in the place of its own.
        if had_ended and not self._crew.is_busy:
            locks_store.sweep(self._world.root)
        return had_ended

    def _pause(self, stem: str, reason: str | None = None) -> None:
        first, longest = _LONG_PAUSES if reason == "usage_limited" else _PAUSES
        before = self._paused.get(stem)
        seconds = min(2 * before.seconds, longest) if before else first
        self._paused[stem] = _Pause(self._world.clock() + timedelta(seconds=seconds), seconds)

    def _not_now(self) -> set[str]:
        """The tasks that have begun, or are not tried again yet."""
        now = self._world.clock()
        paused = {stem for stem, each in self._paused.items() if self._is_final or now < each.until}
        return paused | self._crew.names

    def _take_next(self) -> bool:
        """Begin with the next task, if there is room; whether one has begun."""
        is_one = self._is_once and bool(self._reasons or self._crew.is_busy)
        is_enough = self._did_stop or self._world.stop.is_set()
        if is_enough or not self._crew.has_room or is_one:
            return False
        world, queue = self._world, self._queue
        answered = permissions.take_up_answers(queue, world.permissions)
        for stem in answered:
            self._paused.pop(stem, None)
        for row in map(queue.task, answered):
            if row.state == "failed":
                self._dropped(row.stem, "rejected", attempt=row.attempt)
        found = self._next()
        if found is None:
            return False
        self._is_idle = False
        attempt = Attempt(self._for_attempts(), self._crew.shared(queue), found)
        self._heartbeat.hold(attempt.claim)
        self._crew.start(found.row.stem, attempt.run)
        return True

    def _for_attempts(self) -> World:
        shared, world = self._crew.shared, self._world
        return world._replace(
            permissions=shared(world.permissions),
            tracker=shared(world.tracker),
            tell=shared(world.tell),
        )

    def _wait(self) -> bool:
        """Wait for attempts, or for tasks; False when the work is over."""
        if self._crew.is_busy:
            self._crew.serve(_LOOK_SECONDS)
            return True
        if self._did_stop or self._is_final or self._world.stop.is_set():
            return False
        if not self._is_idle:
            self._world.tell("idle", "", {})
        self._is_idle = True
        self._world.stop.wait(_LOOK_SECONDS)
        return True

    def _next(self) -> TaskFile | None:
        """The first task that can be taken now."""
        waits: dict[str, list[str]] = {}
        for found in self._queue.candidates(self._not_now(), is_final=self._is_final):
            if not self._waits(found):
                return found
            waits[found.row.stem] = found.task["depends_on"] if found.task else []
        stems = circle(waits)
        self._end_circle(stems)
        return self._next() if stems else None

    def _end_circle(self, stems: list[str]) -> None:
        """End tasks that depend on each other, as they would wait forever."""
        for stem in stems:
            order = " → ".join([*stems, stems[0]])
            detail = f"these depend on each other: {order}"
            self._queue.drop(stem, "dependency_failed", detail=detail)
            self._dropped(stem, "dependency_failed")

    def _dropped(self, stem: str, reason: Dropped, **more: Any) -> None:
        """A task has failed without an attempt."""
        self._reasons.append(reason)
        self._world.tell("ended", stem, {"status": "failed", "reason": reason, **more})

    def _waits(self, found: TaskFile) -> bool:
        """Whether it depends on a task that is not over."""
        if found.task is None:
            return False
        return self._queue.dependency(found.task)[1] not in (None, "failed")


# end of module
