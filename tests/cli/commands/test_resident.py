import json
import signal
import time

import pytest
from tests.hosting import clean_env, end_staying, staying
from tests.resident.conftest import staying as resident

from operators_edge.cli.main import main
from operators_edge.resident import control, lifecycle


@pytest.fixture
def env(fenced, monkeypatch):
    monkeypatch.setenv("EDGE_RESIDENT", "on")
    yield clean_env(fenced, EDGE_RESIDENT="on")
    end_staying(fenced)


def status(capsys, *words):
    capsys.readouterr()
    assert main(["resident", *words]) == 0
    text = capsys.readouterr().out
    assert all(len(line) <= 80 for line in text.splitlines())
    return text


def test_status_says_whether_one_runs_and_what_it_did(env, capsys):
    assert "No resident runs now" in status(capsys, "status")
    with resident(env) as process:
        text = " ".join(status(capsys, "status").split())
        assert f"Process {process.pid} has run for 0 minutes and answered 0 calls" in text
        answer = json.loads(said_as_json(capsys))["data"]
        assert (answer["running"], answer["pid"]) == (True, process.pid)


def said_as_json(capsys):
    capsys.readouterr()
    assert main(["resident", "status", "--json"]) == 0
    return capsys.readouterr().out


def test_one_that_hangs_is_told_as_such_and_ended_by_stop(env, capsys):
    with resident(env) as process:
        process.send_signal(signal.SIGSTOP)
        assert main(["resident", "status"]) != 0
        assert "The next call waits a second for it, kills it" in capsys.readouterr().err
        assert f"Process {process.pid} has ended" in status(capsys, "stop")
        assert process.wait(timeout=20) == -signal.SIGKILL


def test_stop_ends_it_and_none_is_started_until_a_person_says_so(env, capsys):
    with resident(env) as process:
        assert f"Process {process.pid} has ended" in status(capsys, "stop")
        assert process.wait(timeout=20) == 0
    lifecycle.start_if_absent(env)
    assert staying(env["HOME"], "--stay") == []
    assert "switched off" in status(capsys, "status")
    assert "No resident was running" in status(capsys, "stop")
    assert "edge resident status" in status(capsys, "start")
    end = time.monotonic() + 10
    while control.query("status", env) is None:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_start_says_where_one_runs_already_and_where_none_is_started(env, capsys, monkeypatch):
    with resident(env) as process:
        assert f"Process {process.pid} is already running" in status(capsys, "start")
    monkeypatch.setenv("EDGE_RESIDENT", "off")
    assert "EDGE_RESIDENT=off" in status(capsys, "start")
    assert staying(env["HOME"], "--stay") == []


def test_where_none_can_run_stop_and_start_say_why(env, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", env["HOME"] + "/" + "x" * 90)
    assert "No resident can run here" in status(capsys, "status")
    for verb in ("start", "stop"):
        assert main(["resident", verb]) == 1
        assert "too long for a socket" in capsys.readouterr().err
