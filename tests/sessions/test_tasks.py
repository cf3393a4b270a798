"""How the Bridge's tasks stand, in one line."""

import time

import pytest
from tests import repository
from tests.bridge.test_audit import git, put
from tests.bridge.test_watcher import Bridge

from operators_edge.project import Project
from operators_edge.sessions import notify_service, tasks
from operators_edge.sessions.notify import Settings


@pytest.fixture
def bridge(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Bridge(repository.make(tmp_path / "work"), tmp_path / "state")


def test_the_first_that_wait_are_named_and_the_others_counted(bridge):
    for number in range(1, 6):
        bridge.submit(f"t-{number}", requires_confirmation=True)
    bridge.run()
    assert tasks.line(tasks.gather(bridge.root)) == (
        "5 tasks wait for you (t-1: the task asks for a person's approval; "
        "t-2: the task asks for a person's approval; t-3: the task asks for a person's approval; "
        "and 2 more): edge bridge approve ID"
    )


def test_a_task_is_blocked_while_its_last_result_says_so(bridge):
    put(bridge.root, "readme.txt", b"mine\n")
    bridge.submit("t-1")
    bridge.submit("t-2")
    bridge.run()
    dirty = "the working tree has uncommitted changes; commit or stash them"
    assert tasks.line(tasks.gather(bridge.root)) == (
        f"blocked: t-1 ({dirty}), and 1 more; 2 queued: edge bridge list"
    )
    git(bridge.root, "checkout", "readme.txt")
    bridge.run(is_once=True)
    bridge.submit("t-3")
    said = tasks.line(tasks.gather(bridge.root))
    assert said == f"blocked: t-2 ({dirty}); 2 queued: edge bridge list"


def test_a_task_that_waits_for_a_person_is_announced(bridge):
    notify_service.save(Settings(("json://127.0.0.1:9",), after_seconds=0))
    bridge.submit("t-1", requires_confirmation=True)
    bridge.run()
    log, end = Project(bridge.root, is_set_up=True).log, time.monotonic() + 30
    while not (found := [*log.search(event="notified")]):
        assert time.monotonic() < end
    assert found[0]["data"]["questions"] == 1
