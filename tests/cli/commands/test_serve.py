"""``edge serve``: only a person gets a link, and everybody may ask whether it runs."""

import json
import os
import signal
import subprocess

import pytest
from tests import processes
from tests.hosting import at_a_terminal, clean_env, forget_client

from operators_edge.web import control, links_store


@pytest.fixture
def env(client, monkeypatch):
    """The environment of a person's terminal; the client is gone."""
    forget_client(client)
    found = {k: v for k, v in client.env.items() if not k.startswith("CLAUDE")}
    found["EDGE_PORT"] = "0"
    monkeypatch.setenv("XDG_STATE_HOME", found["XDG_STATE_HOME"])
    yield found
    control.stop(found)


def test_a_person_starts_it_in_the_background_gets_links_and_ends_it(client, env):
    started = at_a_terminal(client.root, "serve", "start", env=env)
    assert started.returncode == 0, started.stderr
    known = control.running(env)
    assert f"http://127.0.0.1:{known.port}/operators-edge/#code=" in started.stdout
    again = at_a_terminal(client.root, "serve", "start", env=env).stdout
    assert f":{known.port}/operators-edge/#code=" in again
    assert again != started.stdout
    status = processes.edge(client.root, "serve", "status", env=env)
    assert f"Dashboard  http://127.0.0.1:{known.port}/operators-edge/" in status.stdout
    assert "code" not in status.stdout
    linked = at_a_terminal(client.root, "serve", "link", "--json", env=env)
    code = json.loads(linked.stdout)["data"]["link"].partition("#code=")[2]
    assert links_store.redeem(code, env)
    ended = at_a_terminal(client.root, "serve", "stop", env=env)
    assert f"Process {known.pid} has ended" in ended.stdout
    assert "No dashboard runs" in processes.edge(client.root, "serve", "status", env=env).stdout


def test_in_the_foreground_it_ends_with_ctrl_c(client, env):
    import pty  # noqa: PLC0415 - not on Windows

    ours, theirs = pty.openpty()
    process = processes.start_edge(
        "serve",
        cwd=client.root,
        env=env,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        assert "/operators-edge/#code=" in process.stdout.readline()
        assert "Ctrl-C ends it" in process.stderr.readline()
        assert control.running(env).pid == process.pid
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    os.close(ours)
    os.close(theirs)
    assert control.running(env) is None


@pytest.mark.parametrize(
    "words", [("serve",), ("serve", "start"), ("serve", "link"), ("serve", "stop")]
)
def test_without_a_person_there_is_no_link(client, env, words):
    done = processes.edge(client.root, *words, env=env)
    assert done.returncode == 1
    assert "only a person decides this" in done.stderr
    assert "code=" not in done.stdout + done.stderr
    assert not os.path.exists(links_store.path(env))


def test_an_agent_gets_none_and_the_attempt_is_logged(client, env):
    done = at_a_terminal(client.root, "serve", "link", env={**env, "CLAUDECODE": "1"})
    assert done.returncode == 1
    with open(os.path.join(client.root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        assert any('"approval_forgery"' in line and "serve link" in line for line in file)


def test_outside_of_any_project_it_shows_those_that_are_guarded(tmp_path, fenced, monkeypatch):
    env = {**clean_env(fenced), "EDGE_PORT": "0"}
    monkeypatch.setenv("XDG_STATE_HOME", env["XDG_STATE_HOME"])
    try:
        done = at_a_terminal(str(tmp_path), "serve", "start", env=env)
        assert done.returncode == 0, done.stderr
    finally:
        control.stop(env)
