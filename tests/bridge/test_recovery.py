"""A watcher that is killed at any moment: the next one ends what it left; nothing is lost or done twice."""

from __future__ import annotations

import json
import os
import signal
from multiprocessing import get_context

import pytest
from tests import repository
from tests.bridge.test_audit import git, put
from tests.bridge.test_watcher import Bridge, work

from operators_edge.bridge import branches, database_store
from operators_edge.storage import files
from operators_edge.undo import snapshots

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.name == "nt", reason="kills a fork of this process"),
]


class Killer:
    """Counts the moments at which something lasting is done, and kills the process at one of them."""

    def __init__(self, monkeypatch, at):
        self.left = at
        self.seen = 0
        for owner, name in (
            (database_store, "_keep"),
            (database_store, "_apply"),
            (files, "write_durable"),
            (branches.Branches, "_do"),
            (snapshots.WorkingTree, "capture"),
        ):
            monkeypatch.setattr(owner, name, self.around(getattr(owner, name)))

    def around(self, real):
        def call(*args, **options):
            self.look()
            result = real(*args, **options)
            self.look()
            return result

        return call

    def look(self):
        self.seen += 1
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def moments(tmp_path, fields):
    """How many such moments one whole run has."""
    with pytest.MonkeyPatch.context() as patch:
        bridge = Bridge(repository.make(tmp_path / "count"), tmp_path / "count-state")
        bridge.submit(**fields)
        killer = Killer(patch, -1)
        bridge.run()
        return killer.seen


def run_and_die(root, state, at):
    with pytest.MonkeyPatch.context() as patch:
        bridge = Bridge(root, state)
        Killer(patch, at)
        bridge.run()


PASSES = {"commands_to_run": ["cat new.txt"], "retry_policy": {"max_attempts": 3}}
FAILS = {"commands_to_run": ["cat new.txt; false"], "retry_policy": {"max_attempts": 3}}


@pytest.mark.parametrize("fields", [PASSES, FAILS], ids=["passes", "fails"])
def test_killed_anywhere_every_attempt_has_one_result_and_the_tree_is_as_it_was(tmp_path, fields):
    count = moments(tmp_path, fields)
    assert count > 60
    step = int(os.environ.get("KILL_EVERY", "19"))
    for at in range(1, count + 1, step):
        root = repository.make(tmp_path / f"work-{at}")
        put(root, "ignored.log", b"the user's\n")
        put(root, ".git/info/exclude", b"*.log\n")
        state = tmp_path / f"state-{at}"
        bridge = Bridge(root, state)
        bridge.submit(**fields)
        was = work(root)
        child = get_context("fork").Process(target=run_and_die, args=(root, state, at))
        child.start()
        child.join()
        assert child.exitcode == -signal.SIGKILL, at
        last = Bridge(root, state)
        last.run()
        check(last, at, was, fields)


def check(bridge, at, was, fields):
    root = bridge.root
    row = bridge.queue.task("t-1")
    wanted = "done" if fields is PASSES else "failed"
    assert row.state == wanted, (at, row, bridge.result())
    results = {name: json.loads(bridge.file(f"results/{name}")) for name in bridge.names("results")}
    for number in range(1, row.attempt + 1):
        assert results[f"t-1.attempt-{number}.json"]["attempt"] == number, at
    assert len(results) == row.attempt + 1, (at, sorted(results))
    for number in range(1, row.attempt):
        assert results[f"t-1.attempt-{number}.json"]["reason"] == "stale_lock_recovered", at
    assert results["t-1.json"] == results[f"t-1.attempt-{row.attempt}.json"], at
    assert work(root) == was, at
    assert git(root, "status", "--porcelain") == b"", at
    assert git(root, "symbolic-ref", "--short", "HEAD") == b"main\n", at
    for folder in ("tasks", "running", "locks", "pending"):
        assert bridge.names(folder) == [], (at, folder)
    if wanted == "done":
        commit = results["t-1.json"]["git"]["result_commit"]
        assert git(root, "show", f"{commit}:new.txt") == b"hello\n", at
        assert b"feat/ai/t-1" in git(root, "branch", "--contains", commit), at


def watch_in_a_child(root, state, **settings):
    """Start a watcher that an executor can kill; returns its exit code."""

    def run():
        put(root, "watcher.log", str(os.getpid()).encode())
        Bridge(root, state, **settings).run()

    child = get_context("fork").Process(target=run)
    child.start()
    child.join()
    return child.exitcode


def test_a_partial_edit_of_a_dead_watcher_is_kept_and_taken_back(tmp_path):
    root, state = repository.make(tmp_path / "work"), tmp_path / "state"
    put(root, ".git/info/exclude", b"*.log\n")
    bridge = Bridge(root, state)
    line = (
        "import os; open('part.txt','w').write('half'); os.kill(int(open('watcher.log').read()), 9)"
    )
    bridge.script(f"{line}; import time; time.sleep(60)")
    assert watch_in_a_child(root, state) == -signal.SIGKILL
    Bridge(root, state).run()
    assert bridge.result()["reason"] == "stale_lock_recovered"
    assert git(root, "status", "--porcelain") == b""
    assert git(root, "show", "refs/operators-edge/bridge/t-1/1:part.txt") == b"half"
    assert "+half" in bridge.file(bridge.result()["artifacts"]["patch_pre"])


def test_what_a_dead_watcher_had_half_written_of_gits_own_files_is_removed(tmp_path):
    root, state = repository.make(tmp_path / "work"), tmp_path / "state"
    put(root, ".git/info/exclude", b"*.log\n")
    bridge = Bridge(root, state)
    bridge.script(
        "import os; os.kill(int(open('watcher.log').read()), 9); import time; time.sleep(60)"
    )
    assert watch_in_a_child(root, state) == -signal.SIGKILL
    for name in ("index", "config"):
        put(root, f".git/.{name}.0123456789ab.tmp", b"half")
    Bridge(root, state).run()
    assert bridge.result()["reason"] == "stale_lock_recovered"
    assert [each for each in os.listdir(os.path.join(root, ".git")) if each.endswith(".tmp")] == []


def test_what_a_dead_watchers_attempt_left_and_cannot_be_put_back_is_said(tmp_path):
    root, state = repository.make(tmp_path / "work"), tmp_path / "state"
    put(root, ".git/info/exclude", b"*.log\n")
    bridge = Bridge(root, state)
    line = (
        "import os; os.unlink('readme.txt'); os.makedirs('readme.txt'); "
        "open('readme.txt/x.log', 'w'); "
        "os.kill(int(open('watcher.log').read()), 9)"
    )
    bridge.script(f"{line}; import time; time.sleep(60)")
    assert watch_in_a_child(root, state) == -signal.SIGKILL
    Bridge(root, state).run()
    assert "not put back: readme.txt" in bridge.result()["detail"]


def test_what_follows_from_a_result_is_done_by_the_next_watcher_if_one_dies_before(tmp_path):
    root, state = repository.make(tmp_path / "work"), tmp_path / "state"
    Bridge(root, state).submit()

    def run():
        bridge = Bridge(root, state)
        bridge.permissions.finished = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
        bridge.run()

    child = get_context("fork").Process(target=run)
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    bridge = Bridge(root, state)
    assert bridge.queue.task("t-1").state == "done"
    bridge.run()
    assert bridge.permissions.finished_results == [("t-1", 1, True)]
    again = Bridge(root, state)
    again.run()
    assert again.permissions.finished_results == []
