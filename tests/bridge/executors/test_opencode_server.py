"""OpenCode by its server's HTTP API: what a session is asked for, and how each of its endings counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.bridge.executors.test_contained import CONTAINED

from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors.agent import Program
from operators_edge.bridge.executors.opencode_server import Started
from operators_edge.bridge.verify import Limits, Place

STAND_IN = os.path.join(os.path.dirname(__file__), "opencode_stand_in.py")
PROVIDER = {"p": {"options": {"baseURL": "http://127.0.0.1:65000/v1"}}}


@pytest.fixture
def bench(bench):
    path = bench.programs / "opencode"
    with open(STAND_IN, encoding="utf-8") as file:  # as text: inside, this folder may not be there
        path.write_text(f"#!{os.path.realpath(sys.executable)} -S\n{file.read()}")
    path.chmod(0o755)
    bench.settings["opencode"] = ExecutorSettings(model="p/m", server="start", provider=PROVIDER)
    made = {}
    real = bench.executor
    bench.executor = lambda name: made.get(name) or made.setdefault(name, real(name))
    yield bench
    for each in made.values():
        each.close()


@pytest.fixture
def own(bench):
    """A server that a person runs; returns its address."""
    words = [sys.executable, "-S", STAND_IN, "serve", "--port", "0"]
    env = {**bench.env, "OPENCODE_SERVER_PASSWORD": "mine"}
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().split()[-1]
        process.kill()


def requests(bench):
    lines = (bench.notes / "requests").read_text().splitlines()
    return [json.loads(line) for line in lines]


def running(bench):
    """What it started and is still there."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                env = file.read().split(b"\0")
        except OSError:
            continue
        if f"NOTES={bench.notes}".encode() in env:
            found.append(pid)
    return found


@pytest.mark.parametrize("contain", ["off", pytest.param("require", marks=CONTAINED)])
def test_one_server_has_an_edit_after_the_other_done_each_with_its_own_permissions(bench, contain):
    bench.contain = contain
    bench.notes = Path(bench.root)  # the one folder that it can write in either way
    bench.env["NOTES"] = bench.root
    edited = bench.edit("opencode")
    assert edited.outcome == "done", edited
    assert (edited.usage.cost, edited.usage.input_tokens) == (0.5, 7)
    assert edited.contained.startswith("no" if contain == "off" else "yes")
    assert bench.output.decode() == "> write a.txt\nAll done.\n"
    again = bench.edit("opencode", scope=["src/**"], enforce_scope=True)
    assert again.outcome == "done"
    asked = requests(bench)
    sessions = [each for each in asked if each["path"] == "/session"]
    assert len(sessions) == 2
    rules = [[tuple(each.values()) for each in one["body"]["permission"]] for one in sessions]
    assert rules[0][0] == ("*", "*", "deny")
    assert ("edit", "*", "allow") in rules[0]
    assert ("edit", "*", "allow") not in rules[1]
    assert ("edit", "src/*", "allow") in rules[1]
    for each in rules:
        allowed = [at for at, rule in enumerate(each) if (rule[0], rule[2]) == ("edit", "allow")]
        assert each.index(("edit", ".git/*", "deny")) > max(allowed)
        assert ("bash", "*", "deny") in each
    prompt = next(each for each in asked if each["path"].endswith("prompt_async"))
    assert prompt["body"]["model"] == {"providerID": "p", "modelID": "m"}
    assert prompt["body"]["parts"][0]["text"] == "Do it.\n"
    assert bench.root.replace("/", "%2F") in prompt["query"]
    bench.used.close()
    assert running(bench) == []


@pytest.mark.parametrize(
    ("mode", "fields", "outcome", "words"),
    [
        ("hangs", {"seconds": 3.0}, "timed_out", "after 3 s (timeout_sec)"),
        ("wedged", {"seconds": 3.0}, "timed_out", "after 3 s (timeout_sec)"),
        ("dies", {}, "crashed", "the connection to its server ended"),
        ("asks", {}, "failed", "it asked for a permission: bash"),
        ("waits", {}, "usage_limited", "the model's provider lets it wait for"),
        ("done", {"max_cost": 0.1}, "cost_exceeded", "0.50 dollars"),
    ],
)
def test_each_ending_has_its_kind_and_nothing_of_it_goes_on(bench, mode, fields, outcome, words):
    bench.env["MODE"] = mode
    edited = bench.edit("opencode", **fields)
    assert (edited.outcome, words in edited.detail) == (outcome, True), edited.detail
    assert running(bench) == []
    assert (edited.due != "") == (mode == "waits")


def test_a_server_outlives_the_task_it_was_started_for_but_not_its_working_tree(tmp_path):
    tree, stop = tmp_path / "tree", threading.Event()
    tree.mkdir()
    place = Place(str(tree), {}, stop)
    server = Started(Program(["opencode"]), place, Limits(1.0, 1.0), str(tmp_path / "home"))
    stop.set()
    assert not server.is_set()
    tree.rename(tmp_path / "old")
    tree.mkdir()
    assert server.is_set()
    os.rmdir(server.folder)


def test_after_a_bad_end_the_next_edit_has_a_new_server(bench):
    bench.env["MODE"] = "dies"
    assert bench.edit("opencode").outcome == "crashed"
    bench.env["MODE"] = "done"
    assert bench.edit("opencode").outcome == "done"


def test_a_server_that_does_not_start_says_what_it_said(bench):
    (bench.programs / "opencode").write_text("#!/bin/sh\necho no such option >&2; exit 2\n")
    edited = bench.edit("opencode")
    assert (edited.outcome, edited.detail) == (
        "crashed",
        "its server did not start: no such option",
    )
    assert running(bench) == []


def with_own(bench, address, **env):
    del bench.executor
    bench.settings["opencode"] = ExecutorSettings(model="p/m", server=address)
    bench.env.update(env)
    (bench.programs / "opencode").unlink()


def test_a_server_that_a_person_runs_is_asked_with_their_password_and_goes_on(bench, own):
    with_own(bench, own, OPENCODE_SERVER_PASSWORD="mine")
    assert bench.executor("opencode").problem() is None
    edited = bench.edit("opencode")
    assert (edited.outcome, edited.contained) == ("done", "no: the server is one that you run")
    assert not bench.used.is_kept_out
    bench.used.close()
    assert bench.executor("opencode").problem() is None


def test_what_is_wrong_with_such_a_server_shows_before_anything_begins(bench, own):
    with_own(bench, own, OPENCODE_SERVER_PASSWORD="other")
    problem = bench.executor("opencode").problem()
    assert (problem.outcome, "OPENCODE_SERVER_PASSWORD" in problem.detail) == (
        "not_configured",
        True,
    )
    bench.contain = "require"
    assert bench.executor("opencode").problem().outcome == "not_contained"
    bench.contain = "off"
    bench.settings["opencode"] = ExecutorSettings(model="p/m", server="http://127.0.0.1:1")
    problem = bench.executor("opencode").problem()
    assert "no server answers at http://127.0.0.1:1" in problem.detail


@pytest.fixture
def own_that_hangs(bench):
    bench.env["MODE"] = "wedged"


def test_a_session_that_such_a_server_does_not_end_is_told(bench, own_that_hangs, own, monkeypatch):
    monkeypatch.setattr("operators_edge.bridge.executors.opencode._PATIENCE", 2.0)
    with_own(bench, own, OPENCODE_SERVER_PASSWORD="mine")
    edited = bench.edit("opencode", seconds=2.0)
    assert edited.outcome == "timed_out"
    assert "the server did not say that the session is over" in edited.detail
