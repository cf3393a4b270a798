"""Starting the resident: once, not again at every call, and not where nobody wants one."""

import os
import time

import pytest

from operators_edge import hook_client
from operators_edge.resident import control, lifecycle
from operators_edge.storage.keys import make_user_dir
from tests.hosting import clean_env, end_staying, staying
from tests.resident.conftest import staying as resident


@pytest.fixture
def env(fenced):
    env = clean_env(fenced, EDGE_RESIDENT="on")
    make_user_dir(env)
    yield env
    end_staying(fenced)


def until(is_so):
    """Wait for another process, a few seconds at most."""
    end = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < end
        os.sched_yield()


def started(env):
    return staying(env["HOME"], "--stay")


def the_started(env):
    """The number of the one that was started; a process has no name for its first moment."""
    until(lambda: started(env))
    (pid,) = started(env)
    return pid


def test_one_is_started_where_none_runs_and_answers(env):
    assert control.query("status", env) is None
    lifecycle.start_if_absent(env)
    until(lambda: control.query("status", env))
    assert control.query("status", env)["pid"] == the_started(env)


def test_one_that_did_not_come_is_not_started_again_at_every_call(env):
    lifecycle.start_if_absent(env)
    os.kill(the_started(env), 9)
    until(lambda: not started(env))
    lifecycle.start_if_absent(env)
    assert started(env) == []
    os.utime(hook_client.lock_path(env), (0, 0))
    lifecycle.start_if_absent(env)
    assert the_started(env)


def test_none_is_started_where_one_runs(env):
    with resident(env) as process:
        os.utime(hook_client.lock_path(env), (0, 0))
        lifecycle.start_if_absent(env)
        assert started(env) == [process.pid]


def test_none_is_started_where_nobody_wants_one(env):
    lifecycle.start_if_absent({**env, hook_client.RESIDENT_VARIABLE: "off"})
    control.switch(env, is_on=False)
    control.switch(env, is_on=False)
    assert lifecycle.is_switched_off(env)
    lifecycle.start_if_absent(env)
    assert started(env) == []
    control.switch(env, is_on=True)
    control.switch(env, is_on=True)
    assert not lifecycle.is_switched_off(env)
    lifecycle.start_if_absent(env)
    assert the_started(env)


def test_what_is_started_has_of_the_starters_environment_its_folders_and_no_secret(env):
    lifecycle.start_if_absent(
        {**env, "DEPLOY_TOKEN": "secret", "CLAUDE_PID": "1", "PYTHONPATH": "/nowhere"}
    )
    pid = the_started(env)
    with open(f"/proc/{pid}/environ", "rb") as file:
        names = {each.partition(b"=")[0] for each in file.read().split(b"\0")}
    assert {b"HOME", b"PATH", b"XDG_STATE_HOME"} <= names
    assert not names & {b"DEPLOY_TOKEN", b"CLAUDE_PID", b"PYTHONPATH"}


def test_a_program_that_cannot_be_started_is_said_and_harms_nobody(env, monkeypatch, capfd):
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert control.spawn(hook_client.RESIDENT_OPTION, env) == 0
    assert "--stay was not started" in capfd.readouterr().err


def test_switching_off_writes_into_the_persons_folder_also_where_no_socket_can_be_made(
    env, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    far = {**env, "XDG_STATE_HOME": str(tmp_path / ("x" * 100))}
    assert hook_client.socket_path(far) == ""
    control.switch(far, is_on=False)
    assert not os.path.lexists("off")
    assert lifecycle.is_switched_off(far)
    control.switch(far, is_on=True)
    assert not lifecycle.is_switched_off(far)
