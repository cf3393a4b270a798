"""What ``edge doctor`` says of the resident and of the person's port."""

import os
import signal
import socket

import pytest

from operators_edge.resident import held, look, start
from operators_edge.store import transport
from tests.hosting import clean_env, end_staying, staying
from tests.resident.conftest import staying as resident


@pytest.fixture
def env(fenced):
    yield clean_env(fenced, EDGE_RESIDENT="on")
    end_staying(fenced)


def found(env):
    return {each.name: each for each in look.checks(env)}


def test_no_resident_is_no_problem(env):
    (only,) = look.checks(env)
    assert (only.level, only.what) == ("ok", "none runs now; the next session starts one")


def test_a_resident_that_runs_is_named(env):
    with resident(env) as process:
        assert found(env)["resident"].what == f"process {process.pid} keeps the gate warm"


def test_one_that_hangs_is_worth_a_warning_with_what_to_run(env):
    with resident(env) as process:
        process.send_signal(signal.SIGSTOP)
        said = found(env)["resident"]
    assert (said.level, said.run) == ("warning", "edge resident stop")


def test_one_that_is_switched_off_is_as_the_person_wishes(env):
    assert "switched off" in found({**env, "EDGE_RESIDENT": "off"})["resident"].what
    start.switch(env, is_on=False)
    assert "switched off" in found(env)["resident"].what


def test_where_none_can_run_that_is_said(env):
    long = {**env, "XDG_STATE_HOME": os.path.join(env["HOME"], "x" * 90)}
    assert "none can run here" in found(long)["resident"].what


def test_a_port_is_looked_at_only_where_one_was_chosen(env):
    assert "http" not in found(env)
    known = transport.want(env)
    said = found(env)["http"]
    assert (said.level, said.run) == ("warning", "edge init --transport process")
    assert f"port {known.port}: nobody listens there now" in said.what
    assert held.mend(env) == "ours"
    assert found(env)["http"].what == f"port {known.port} is held by a process of yours"


def test_a_stranger_on_the_port_and_one_who_does_not_answer_are_problems(env):
    known = transport.want(env)
    with socket.create_server(("127.0.0.1", known.port)):
        said = found(env)["http"]
        assert said.level == "problem"
        assert "does not answer" in said.what
    held.mend(env)
    transport.forget(env)
    os.kill(staying(env["HOME"], "--hold")[0], 9)


def test_a_choice_that_cannot_be_read_is_a_problem_with_the_way_out(env):
    transport.want(env)
    with open(transport.path(env), "w", encoding="utf-8") as file:
        file.write("{")
    said = found(env)["http"]
    assert said.level == "problem"
    assert "edge init --transport http" in said.run
