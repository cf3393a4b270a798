"""Back to processes: what of the settings changes, and whether the client has taken it up."""

import json
import os
import threading

import pytest
from tests.hosting import clean_env, write

from operators_edge.hosts.claude import rewire, wiring
from operators_edge.hosts.claude.install import Installation
from operators_edge.storage import bindings

URL = "http://127.0.0.1:20000/operators-edge/word/claude"


@pytest.fixture
def env(fenced):
    return clean_env(fenced)


def wire(scope, root, env, url=URL, permissions=wiring.PERMISSIONS[:2]):
    """Settings of this scope whose tool calls go to the port."""
    here = Installation(scope, root, home=env["HOME"], env=env)
    runner = wiring.Runner("python", "operators_edge/hook.py", url=url)
    hooks = wiring.hooks("http" if url else "exec", runner)
    here.apply(here.plan(hooks, permissions=permissions, exclude=None))
    return here.settings


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


@pytest.mark.parametrize("scope", ["local", "user"])
def test_tool_calls_start_processes_again_and_everything_else_stays(project, env, scope):
    folder = env["HOME"] if scope == "user" else project
    name = "settings.json" if scope == "user" else "settings.local.json"
    write(folder, f".claude/{name}", '{"model": "x", "hooks": {"Stop": []}}')
    path = wire(scope, None if scope == "user" else project, env)
    assert rewire.port_urls(project, env) == [URL]
    before = read(path)
    assert rewire.use_processes(project, env) == [path]
    after = read(path)
    assert rewire.port_urls(project, env) == []
    assert wiring.is_guarding(after, wiring.this_runner(env))
    assert {**after, "hooks": 0} == {**before, "hooks": 0}
    assert after["permissions"]["allow"] == list(wiring.PERMISSIONS[:2])


def test_a_project_that_starts_processes_is_not_touched(project, env):
    path = wire("local", project, env, url="")
    before = read(path)
    assert rewire.use_processes(project, env) == []
    assert read(path) == before


def test_outside_of_a_project_the_persons_own_settings_are_looked_at(env):
    assert rewire.use_processes(None, env) == []
    path = wire("user", None, env)
    assert rewire.use_processes(None, env) == [path]


def test_after_going_back_an_uninstall_still_restores_every_byte(project, env):
    path = write(project, ".claude/settings.local.json", '{"hooks":  {"Stop": [ ]}}')
    wire("local", project, env)
    rewire.use_processes(project, env)
    here = Installation("local", project, home=env["HOME"], env=env)
    here.remove(here.plan_removal(None))
    with open(path, encoding="utf-8") as file:
        assert file.read() == '{"hooks":  {"Stop": [ ]}}'


def test_the_port_is_in_use_while_any_project_names_it(project, tmp_path, env):
    assert not rewire.is_http_used(env)
    other = str(tmp_path / "other")
    wire("local", project, env)
    wire("local", other, env)
    rewire.use_processes(project, env)
    assert rewire.is_http_used(env)
    rewire.use_processes(other, env)
    assert not rewire.is_http_used(env)


def test_settings_that_cannot_be_read_keep_the_port(project, env):
    path = wire("local", project, env)
    with open(path, "w", encoding="utf-8") as file:
        file.write("{")
    assert rewire.is_http_used(env)


def test_nobody_waits_for_a_client_that_has_nothing_to_take_up(env):
    assert rewire.wait_until_reloaded("s", env)
    rewire.mark_reloaded("s", env)


def test_a_client_is_waited_for_until_it_has_read_its_settings(env):
    rewire.expect_reload("s", env)
    rewire.expect_reload("s", env)
    assert rewire.wait_until_reloaded("another session", env)
    reads = threading.Timer(0.1, rewire.mark_reloaded, ("s", env))
    reads.start()
    assert rewire.wait_until_reloaded("s", env)
    reads.join()


def test_another_session_of_the_same_client_waits_as_well_and_another_client_does_not(
    env, monkeypatch
):
    monkeypatch.setattr(rewire, "RELOAD_SECONDS", 0.05)
    for session, pid in (("s", 7), ("cleared", 7), ("other", 8)):
        bindings.bind_session(session, {"root": "/a", "pid": pid, "started": "1"}, env=env)
    rewire.expect_reload("s", env)
    assert not rewire.wait_until_reloaded("cleared", env)
    assert rewire.wait_until_reloaded("other", env)


def test_a_note_made_before_the_session_was_bound_to_its_client_still_counts(env, monkeypatch):
    monkeypatch.setattr(rewire, "RELOAD_SECONDS", 0.05)
    rewire.expect_reload("s", env)
    bindings.bind_session("s", {"root": "/a", "pid": 7, "started": "1"}, env=env)
    assert not rewire.wait_until_reloaded("s", env)
    rewire.mark_reloaded("s", env)
    assert rewire.wait_until_reloaded("s", env)


def test_a_client_that_does_not_read_them_is_not_believed_to_have(env, monkeypatch):
    monkeypatch.setattr(rewire, "RELOAD_SECONDS", 0.05)
    rewire.expect_reload("s", env)
    assert not rewire.wait_until_reloaded("s", env)
    assert not rewire.wait_until_reloaded("s", env)
    assert os.listdir(os.path.join(env["XDG_STATE_HOME"], "operators-edge", "run"))
