"""A task whose executor has used up its limit waits until that ends, as the same attempt."""

import json
import os
import sys
import threading
from datetime import UTC, datetime, timedelta

from tests import repository
from tests.bridge.test_watcher import Bridge

from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors.agent import Surroundings
from operators_edge.bridge.executors.command import Command
from operators_edge.bridge.executors.contained import Containment
from operators_edge.bridge.executors.patch import PatchExecutor
from operators_edge.bridge.queue_store import LocalQueue
from operators_edge.cli.queue_view import state_words

KNOWN_END = "You've hit your usage limit. Try again in 2 hours 30 minutes."
UNKNOWN_END = "You've hit your usage limit."


def limited(bridge, message=KNOWN_END):
    event = json.dumps({"type": "turn.failed", "error": {"message": message}})
    line = f"open('half.txt', 'w'); print({event!r}); raise SystemExit(1)"
    words = ExecutorSettings(command=(sys.executable, "-c", line), reads="codex")
    containment = Containment("off", bridge.root, bridge.env)
    return Command("patch", words, Surroundings(bridge.root, bridge.env, containment))


def test_a_task_waits_for_the_end_of_its_executors_limit_and_then_runs(tmp_path):
    bridge = Bridge(repository.make(tmp_path / "work"), tmp_path / "state")
    now = [datetime(2030, 1, 1, 12, tzinfo=UTC)]
    bridge.queue = LocalQueue(bridge.root, clock=lambda: now[0], database=bridge.database)
    bridge.world = bridge.world._replace(clock=lambda: now[0])
    bridge.executors["patch"] = limited(bridge)
    bridge.submit()
    assert bridge.run() == (("usage_limited",), False)
    result, row = bridge.result(), bridge.queue.task("t-1")
    assert (result["status"], result["due"]) == ("blocked", "2030-01-01T14:30:00+00:00")
    assert result["detail"].endswith("tried again at 2030-01-01 14:30:00 UTC")
    assert bridge.told[-1][2]["due"] == result["due"]
    assert state_words(row) == "waits until 2030-01-01 14:30:00 UTC"
    assert not os.path.exists(os.path.join(bridge.root, "half.txt"))
    now[0] += timedelta(hours=2)
    assert bridge.run() == ((), False)
    now[0] += timedelta(hours=1)
    bridge.executors["patch"] = PatchExecutor()
    assert bridge.run() == ((None,), False)
    assert (bridge.queue.task("t-1").attempt, "due" in bridge.result()) == (1, False)


class Hours(threading.Event):
    """Each wait of a watcher takes a minute, and ends it when so many seconds are over."""

    def __init__(self, seconds):
        super().__init__()
        self.now = datetime(2030, 1, 1, 12, tzinfo=UTC)
        self.end = self.now + timedelta(seconds=seconds)

    def clock(self):
        return self.now

    def wait(self, timeout=None):
        self.now += timedelta(minutes=1)
        if self.now >= self.end:
            self.set()
        return self.is_set()


def watched_for(bridge, hours):
    bridge.queue = LocalQueue(bridge.root, clock=hours.clock, database=bridge.database)
    bridge.world = bridge.world._replace(clock=hours.clock, stop=hours)
    reasons, _ = bridge.run(is_drain=False)
    return reasons


def test_without_a_known_end_the_task_is_tried_after_growing_pauses_and_others_still_start(
    tmp_path,
):
    bridge = Bridge(repository.make(tmp_path / "work"), tmp_path / "state")
    bridge.executors["codex"] = limited(bridge, UNKNOWN_END)
    for number in (1, 2, 3):
        bridge.submit(f"t-{number}", executor="codex" if number < 3 else "patch")
    assert watched_for(bridge, Hours(0)) == ("usage_limited", "usage_limited", None)
    assert "due" not in bridge.result("t-1")
    assert bridge.queue.task("t-1").attempt == 1
    hours = Hours(3_600)
    started = [what[1] for what in bridge.told if what[0] == "started"]
    assert started == ["t-1", "t-2", "t-3"]
    tries = 7  # after 0, 1, 3, 7, 15, 30 and 45 minutes
    assert watched_for(bridge, hours) == ("usage_limited",) * 2 * tries
    bridge.executors["codex"] = PatchExecutor()
    assert watched_for(bridge, Hours(0)) == (None, None)
    assert bridge.queue.task("t-1").attempt == 1
