"""Beads by its command line: a bead for each task, and nothing lost when the tracker fails."""

from __future__ import annotations

import json
import os
import pathlib
import stat
import sys

import pytest
from tests import repository
from tests.bridge.test_audit import put
from tests.bridge.test_watcher import Bridge

from operators_edge.bridge.trackers import Beads, Remembering, Tracker, choose

STAND_IN = pathlib.Path(__file__).with_name("bd.py")


@pytest.fixture
def bridge(tmp_path):
    """A Bridge in a repository that has beads, which git ignores."""
    root = repository.make(tmp_path / "work")
    os.mkdir(os.path.join(root, ".beads"))
    put(root, ".git/info/exclude", b".beads\n")
    found = Bridge(root, tmp_path / "state")
    memory = str(tmp_path / "state" / "tracker.json")
    tracker = Remembering(Beads(root, found.env, program(tmp_path), pause=lambda _: None), memory)
    found.world = found.world._replace(tracker=tracker)
    return found


def program(folder):
    path = folder / "bd"
    path.write_text(f"#!{sys.executable}\n{STAND_IN.read_text(encoding='utf-8')}", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def fail(bridge, *lines):
    put(bridge.root, ".beads/fail", "".join(f"{each}\n" for each in lines).encode())


def beads(bridge):
    with open(os.path.join(bridge.root, ".beads", "issues.json"), encoding="utf-8") as file:
        return list(json.load(file).values())


def test_a_task_has_one_bead_over_its_attempts_and_a_success_closes_it(bridge):
    bridge.submit(bead_title="-- Say hello", commands_to_run=["false"])
    bridge.run()
    (bead,) = beads(bridge)
    assert (bead["title"], bead["external_ref"]) == ("-- Say hello", "bridge:t-1")
    assert (bead["status"], bead["notes"]) == ("blocked", "verify_failed")
    assert bead["id"] in bridge.file("meta/t-1.bead")
    assert bridge.result()["bead"]["title"] == "-- Say hello"
    bridge.queue.retry("t-1")
    put(bridge.root, ".git/true", b"")
    bridge.run()
    assert [each["id"] for each in beads(bridge)] == [bead["id"]]
    bridge.submit("t-2")
    bridge.run()
    assert [each["status"] for each in beads(bridge)] == ["blocked", "closed"]


def test_a_tracker_that_fails_for_a_moment_is_asked_again(bridge):
    fail(bridge, "list 2", "create 2", "close 2")
    bridge.submit()
    bridge.run()
    assert [each["status"] for each in beads(bridge)] == ["closed"]
    assert "error" not in bridge.result()["bead"]


def test_one_that_keeps_failing_changes_no_result_is_named_and_asked_later(bridge):
    fail(bridge, "close 9")
    bridge.submit()
    assert bridge.run() == ((None,), False)
    assert "exclusive lock; this is sent again" in bridge.result()["bead"]["error"]
    assert [each["status"] for each in beads(bridge)] == ["in_progress"]
    fail(bridge)
    bridge.submit("t-2")
    bridge.run()
    assert [each["status"] for each in beads(bridge)] == ["closed", "closed"]


def test_a_tracker_that_cannot_make_a_bead_or_is_not_there_changes_no_result(bridge, tmp_path):
    fail(bridge, "create 9")
    bridge.submit()
    assert bridge.run() == ((None,), False)
    assert "exclusive lock" in bridge.result()["bead"]["error"]
    gone = Beads(bridge.root, bridge.env, str(tmp_path / "gone"), pause=lambda _: None)
    bridge.world = bridge.world._replace(tracker=gone)
    bridge.submit("t-2")
    assert bridge.run() == ((None,), False)
    assert "No such file" in bridge.result("t-2")["bead"]["error"]


def test_beads_are_chosen_where_there_are_some(bridge, tmp_path):
    memory = str(tmp_path / "m.json")
    env = {**bridge.env, "PATH": str(tmp_path)}
    assert isinstance(choose("auto", bridge.root, env, memory), Remembering)
    assert type(choose("none", bridge.root, env, memory)) is Tracker
    assert type(choose("auto", str(tmp_path), env, memory)) is Tracker
    assert isinstance(choose("beads", str(tmp_path), env, memory), Remembering)
