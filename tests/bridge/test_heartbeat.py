"""An attempt of any length keeps its task, and one that has lost it ends."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest
from tests import repository
from tests.bridge.test_watcher import Bridge

from operators_edge.bridge import layout, lease
from operators_edge.bridge.claim import Claim
from operators_edge.bridge.heartbeat import Heartbeat
from operators_edge.bridge.locks_store import LockFile, own_record
from operators_edge.bridge.queue_store import LocalQueue
from operators_edge.errors import StateError

TTL = 100


class Worker:
    """A worker with one claimed task, and a clock that stands still until it is moved."""

    def __init__(self, folder):
        bridge = Bridge(repository.make(folder / "work"), folder / "state", worker_lock_ttl_sec=TTL)
        self.now = datetime(2030, 1, 1, 12, tzinfo=UTC)
        self.bridge = bridge
        self.world = bridge.world._replace(clock=self.clock)
        self.queue = self.connect()
        self.queue.submit({"id": "t-1", "prompt": "Do it.", "timeout_sec": 1})
        self.queue.become_worker()
        lock = LockFile(bridge.root, layout.WORKER_LOCK)
        record = own_record(self.now, "worker")
        assert lock.take(record)
        self.heartbeat = Heartbeat(self.world, self.queue, lock, record)
        self.claim = Claim(self.world, self.queue, next(self.queue.candidates()))
        self.heartbeat.hold(self.claim)

    def clock(self):
        return self.now

    def move(self, seconds):
        self.now += timedelta(seconds=seconds)

    def connect(self):
        return LocalQueue(self.bridge.root, clock=self.clock, database=self.bridge.database)

    def is_stale(self, path):
        """Whether a worker on another host would take this lock."""
        seen = LockFile(self.bridge.root, path).seen()
        assert seen is not None
        return lease.verdict(seen, now=self.now, ttl=TTL, host="another") == "stale"


@pytest.fixture
def worker(tmp_path):
    return Worker(tmp_path)


def test_as_long_as_a_worker_lives_its_lock_and_its_claims_hold(worker):
    locks = (layout.WORKER_LOCK, layout.lock_file("t-1"))
    with worker.claim:
        for _ in range(5):
            worker.move(TTL - 1)
            assert worker.heartbeat.beat()
        assert worker.queue.abandoned() == []
        assert [worker.is_stale(each) for each in locks] == [False, False]
        assert not worker.claim.is_set()
        worker.move(TTL + 1)
        assert [each.stem for each in worker.queue.abandoned()] == ["t-1"]
        assert [worker.is_stale(each) for each in locks] == [True, True]


def test_a_claim_lasts_as_long_as_the_worker_s_lease(worker):
    with worker.claim:
        worker.move(TTL - 1)
        assert worker.queue.abandoned() == []
        worker.move(1)
        assert [each.stem for each in worker.queue.abandoned()] == ["t-1"]


def test_an_attempt_whose_task_was_taken_over_ends(worker):
    with worker.claim:
        worker.move(TTL + 1)
        other = worker.connect()
        other.become_worker()
        other.adopt(other.abandoned()[0])
        assert worker.heartbeat.beat()
        assert worker.claim.is_set()


def test_a_queue_that_cannot_be_reached_ends_an_attempt_when_its_lease_is_over(worker):
    class Unreachable(LocalQueue):
        def renew(self, row, *, seconds=0):
            raise StateError("no route to the queue")

    away = Unreachable(worker.bridge.root, clock=worker.clock, database=worker.bridge.database)
    with worker.claim:
        worker.move(TTL - 1)
        worker.claim.renew(away)
        assert not worker.claim.is_set()
        worker.move(1)
        worker.claim.renew(away)
        assert worker.claim.is_set()


def test_the_heartbeat_leaves_no_lock_of_a_task_that_is_over(worker):
    path = os.path.join(worker.bridge.root, layout.lock_file("t-1"))
    with worker.claim, open(path, encoding="utf-8") as file:
        assert json.load(file)["task_id"] == "t-1"
    assert worker.heartbeat.beat()
    assert not os.path.exists(path)


def test_a_worker_that_has_lost_its_lock_ends_what_it_runs(worker):
    with worker.claim:
        os.unlink(os.path.join(worker.bridge.root, layout.WORKER_LOCK))
        other = LockFile(worker.bridge.root, layout.WORKER_LOCK)
        assert other.take(own_record(worker.now, "another"))
        assert not worker.heartbeat.beat()
        assert worker.claim.is_set()
