"""The look after the http transport that a prompt, a turn's end and a session's start take."""

import json
import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from operators_edge.hosts.claude import rewire, wiring
from operators_edge.hosts.claude.install import Installation
from operators_edge.resident import http_client, http_watch
from operators_edge.storage import transport
from tests.hosting import Client, clean_env, end_staying, staying, write


@pytest.fixture
def env(fenced):
    yield clean_env(fenced, EDGE_RESIDENT="off")
    end_staying(fenced)


@pytest.fixture
def known(env):
    return transport.ensure(env)


def wire(root, env, url):
    here = Installation("local", root, home=env["HOME"], env=env)
    runner = wiring.Runner("python", "operators_edge/hook.py", url=url)
    here.apply(here.plan(wiring.hooks("http", runner), permissions=(), exclude=None))


@pytest.fixture
def over_http(project, env, known):
    """A session of a project whose calls go to the port, which nobody holds yet."""
    wire(project, env, known.url)
    return Client(project, env)


@contextmanager
def other_program(known):
    """Another program on the port, which does not say a word that anybody could take for ours."""

    def serve():
        while True:
            try:
                end, _ = listening.accept()
            except OSError:
                return
            with end:
                end.recv(4096)
                end.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    with socket.create_server(("127.0.0.1", known.port)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        yield
        listening.shutdown(socket.SHUT_RDWR)
    thread.join()


def look(client, name="UserPromptSubmit", **more):
    event = {"hook_event_name": name, "session_id": client.session, "cwd": client.root, **more}
    return http_watch.check(event, client.env)


def reloads(client):
    """The client reads its settings again, as it tells by an event, once they are rewritten."""
    run = Path(client.env["XDG_STATE_HOME"], "operators-edge", "run")

    def read():
        end = time.monotonic() + 10
        while not list(run.glob("reload-*")) and time.monotonic() < end:
            time.sleep(0.02)
        rewire.mark_reloaded(client.session, client.env)

    thread = threading.Thread(target=read)
    thread.start()
    return thread


def test_a_start_starts_the_holder_without_a_word_and_a_prompt_finds_it(over_http, known, env):
    assert look(over_http, "SessionStart", source="startup") == ("", True)
    assert http_client.listener_state(known, env) == "ours"
    assert look(over_http) == ("", True)


def test_a_prompt_that_finds_the_holder_gone_starts_it_and_says_so(over_http, known, env):
    text, is_safe = look(over_http)
    assert "had ended, and was restarted" in text
    assert is_safe
    assert http_client.listener_state(known, env) == "ours"


def test_each_session_says_once_that_the_holder_was_restarted_whichever_check_did_it(
    over_http, known, env
):
    other = Client(over_http.root, env)
    for each in (over_http, other):
        assert look(each, "SessionStart", source="startup") == ("", True)
    over_http.start()
    (pid,) = staying(env["HOME"], "--hold")
    os.kill(pid, 9)
    while http_client.listener_state(known, env) == "ours":
        os.sched_yield()
    http_watch.check_all_sessions(env)  # as the resident does between two events
    assert staying(env["HOME"], "--hold") != [pid]
    for each in (over_http, other):
        assert "had ended, and was restarted" in look(each, "Stop").text
        assert look(each) == ("", True)


def test_a_project_of_processes_is_not_told_of_the_port(project, env, known):
    with other_program(known):
        assert look(Client(project, env)) == ("", True)


def test_with_another_program_on_the_port_nothing_goes_on_before_the_client_has_left_it(
    over_http, known, env
):
    with other_program(known):
        client_reads = reloads(over_http)
        text, is_safe = look(over_http)
    client_reads.join()
    assert "another program listens on its port" in text
    assert is_safe
    assert rewire.port_urls(over_http.root, env) == []


def test_a_client_that_does_not_leave_the_port_is_held_up_until_it_is_started_anew(
    over_http, known, monkeypatch
):
    monkeypatch.setattr(rewire, "RELOAD_SECONDS", 0.05)
    with other_program(known):
        assert not look(over_http).is_safe
        text, is_safe = look(over_http)
        assert "Restart the client" in text
        assert not is_safe
        assert look(over_http, "SessionStart", source="startup") == ("", True)
        assert look(over_http) == ("", True)


@pytest.mark.parametrize("what", ["forgotten", "damaged", "another"])
def test_settings_that_name_a_port_which_is_not_the_persons_go_back(over_http, env, what):
    path = transport.path(env)
    os.unlink(path)
    if what == "damaged":
        with open(path, "w", encoding="utf-8") as file:
            file.write("{")
    if what == "another":
        transport.ensure(env)
    client_reads = reloads(over_http)
    text, is_safe = look(over_http)
    client_reads.join()
    assert "Each tool call starts a process again" in text
    assert is_safe
    assert rewire.port_urls(over_http.root, env) == []


def test_settings_that_cannot_be_changed_let_no_prompt_through(over_http, known):
    path = os.path.join(over_http.root, ".claude", "settings.local.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:-2])
    with other_program(known):
        looked = look(over_http)
    assert path in looked.text
    assert not looked.is_safe


def test_settings_that_are_damaged_and_name_no_port_hold_nobody_up(project, env, known):
    write(project, ".claude/settings.local.json", '{"model": ')
    with other_program(known):
        assert look(Client(project, env)) == ("", True)


def test_what_another_one_has_just_put_right_is_no_news_to_the_client_yet(
    over_http, known, env, monkeypatch
):
    """Its settings cannot be read then, or were changed while they were read."""
    monkeypatch.setattr(rewire, "RELOAD_SECONDS", 0.05)
    rewire.expect_reload(over_http.session, env)
    write(over_http.root, ".claude/settings.local.json", '{"model": ')
    with other_program(known):
        assert not look(over_http).is_safe


def test_who_looks_sends_every_session_back_and_each_waits_for_its_own_client(
    over_http, known, env, monkeypatch
):
    monkeypatch.setattr(rewire, "RELOAD_SECONDS", 0.05)
    other = Client(over_http.root, env)
    other.start()
    end_staying(env["HOME"])
    while http_client.listener_state(known, env) == "ours":
        os.sched_yield()
    with other_program(known):
        assert not look(over_http).is_safe
        assert not look(other).is_safe
        rewire.mark_reloaded(other.session, env)
        assert look(other) == ("", True)


def test_every_session_of_a_living_client_is_looked_after_between_its_events(over_http, known, env):
    over_http.start()
    (pid,) = staying(env["HOME"], "--hold")
    os.kill(pid, 9)
    while http_client.listener_state(known, env) == "ours":
        os.sched_yield()
    http_watch.check_all_sessions(env)
    assert http_client.listener_state(known, env) == "ours"
    end_staying(env["HOME"])
    while http_client.listener_state(known, env) == "ours":
        os.sched_yield()
    with other_program(known):
        http_watch.check_all_sessions(env)
        assert rewire.port_urls(over_http.root, env) == []
        client_reads = reloads(over_http)
        assert look(over_http) == ("", True)
        client_reads.join()


def test_without_a_living_client_nobody_looks(env, known):
    http_watch.check_all_sessions(env)
    assert http_client.listener_state(known, env) == "nobody"


# -- through the hook itself -----------------------------------------------------------------------


def test_a_prompt_is_not_sent_and_a_loop_not_gone_on_with_while_another_program_is_asked(
    over_http, known, env
):
    """The client here never reads its settings again, so each event waits its time, side by side."""
    rewire.expect_reload(over_http.session, env)
    with other_program(known), ThreadPoolExecutor() as pool:
        prompt = pool.submit(over_http.send, "UserPromptSubmit", prompt="go on")
        stop = pool.submit(over_http.send, "Stop")
        blocked, ended = prompt.result(), stop.result()
    assert blocked["decision"] == "block"
    assert "Restart the client" in blocked["reason"]
    assert ended.keys() == {"systemMessage"}
    assert "Restart the client" in ended["systemMessage"]


def test_a_change_of_settings_that_is_let_in_ends_the_waiting(over_http, env):
    rewire.expect_reload(over_http.session, env)
    rewire.use_processes(over_http.root, env)
    path = os.path.join(over_http.root, ".claude", "settings.local.json")
    assert over_http.send("ConfigChange", source="local_settings", file_path=path) == {}
    assert rewire.wait_until_reloaded(over_http.session, env)


def test_a_change_that_is_refused_does_not(over_http, env, monkeypatch):
    monkeypatch.setattr(rewire, "RELOAD_SECONDS", 0.05)
    rewire.expect_reload(over_http.session, env)
    path = os.path.join(over_http.root, ".claude", "settings.local.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"disableAllHooks": True}, file)
    refused = over_http.send("ConfigChange", source="local_settings", file_path=path)
    assert refused["decision"] == "block"
    assert not rewire.wait_until_reloaded(over_http.session, env)
