"""What ``edge doctor`` says of the resident and of the person's port."""

import os
import signal
import socket

import pytest
from tests.hosting import clean_env, end_staying, staying
from tests.resident.conftest import staying as resident

from operators_edge.doctor import resident as doctor_resident
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import wiring
from operators_edge.hosts.claude.install import Installation
from operators_edge.resident import control
from operators_edge.storage import transport


@pytest.fixture
def env(fenced):
    yield clean_env(fenced, EDGE_RESIDENT="on")
    end_staying(fenced)


def found(env, root=None):
    return {"resident": doctor_resident.process(env), "http": doctor_resident.http(root, env)}


def wire(root, env, url):
    """Let tool calls of this project go to the address."""
    here = Installation("local", root, home=env["HOME"], env=env)
    hooks = wiring.hooks("http", wiring.this_runner(env)._replace(url=url))
    here.apply(here.plan(hooks, permissions=(), exclude=None))


def test_no_resident_is_no_problem(env):
    said = found(env)
    assert said["http"] is None
    assert said["resident"][:2] == ("ok", "none runs now; the next session starts one")


def test_a_resident_that_runs_is_named(env):
    with resident(env) as process:
        assert found(env)["resident"].what == f"process {process.pid} keeps the gate loaded"


def test_one_that_hangs_is_worth_a_warning_with_what_to_run(env):
    with resident(env) as process:
        process.send_signal(signal.SIGSTOP)
        said = found(env)["resident"]
    assert (said.level, said.run) == ("warning", "edge resident stop")


def test_one_that_is_switched_off_is_as_the_person_wishes(env):
    assert "switched off" in found({**env, "EDGE_RESIDENT": "off"})["resident"].what
    control.switch(env, is_on=False)
    assert "switched off" in found(env)["resident"].what


def test_where_none_can_run_that_is_said(env):
    long = {**env, "XDG_STATE_HOME": os.path.join(env["HOME"], "x" * 90)}
    assert "none can run here" in found(long)["resident"].what


def test_a_port_that_no_call_of_the_project_goes_to_is_no_matter_who_has_it(project, env):
    assert found(env, project)["http"] is None
    transport.ensure(env)
    said = found(env, project)["http"]
    assert (said.level, said.run) == ("ok", "")
    doctor_resident.begin(project, env)
    assert staying(env["HOME"], "--hold") == []


def test_where_calls_go_to_the_port_it_is_held_before_anybody_is_blamed(project, env):
    known = transport.ensure(env)
    wire(project, env, known.url)
    said = found(env, project)["http"]
    assert (said.level, said.run) == ("problem", "edge init --transport process")
    assert f"port {known.port}: nothing listens there" in said.what
    doctor_resident.begin(project, env)
    said = found(env, project)["http"]
    assert (said.level, said.what) == ("ok", f"a process of yours listens on port {known.port}")


def test_settings_that_name_another_port_than_the_persons_are_a_problem(project, env):
    known = transport.ensure(env)
    wire(project, env, known.url.replace(known.token, "other"))
    assert found(env, project)["http"].run == "edge init"
    transport.remove(env)
    assert found(env, project)["http"].level == "problem"


def test_another_program_on_the_port_and_one_that_does_not_answer_are_problems(project, env):
    known = transport.ensure(env)
    wire(project, env, known.url)
    with socket.create_server(("127.0.0.1", known.port)):
        doctor_resident.begin(project, env)
        said = found(env, project)["http"]
        assert said.level == "problem"
        assert "does not answer" in said.what


def test_a_choice_that_cannot_be_read_is_a_problem_with_the_way_out(env):
    transport.ensure(env)
    with open(transport.path(env), "w", encoding="utf-8") as file:
        file.write("{")
    with pytest.raises(EdgeError) as caught:
        found(env)
    assert "edge init --transport http" in caught.value.hint
