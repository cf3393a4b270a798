"""The http transport as a client meets it: a real holder, a real resident, and neither."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, nullcontext, suppress

import pytest
from bench import servers

from operators_edge import hook_local
from operators_edge.hosts.claude import identity
from operators_edge.project import Project
from operators_edge.resident import control, http_client, http_server
from operators_edge.storage import transport
from tests.hosting import COMMAND, Client, clean_env
from tests.processes import HOOK, SOURCE
from tests.resident.conftest import staying

HOLD = [*COMMAND[:3], HOOK, http_client.SERVER_OPTION]


class Posting(Client):
    """A client whose tool calls go to the person's port, over one connection as the real one's do."""

    def __init__(self, root, env, known, hook=None):
        super().__init__(root, env)
        self.known = known
        self.hook = hook
        self.connection = None

    def raw(self, data, command=None):
        if b'"PreToolUse"' not in data and b'"PostToolUse' not in data:
            return super().raw(data, command or self.hook)
        self.connection = self.connection or http.client.HTTPConnection(
            "127.0.0.1", self.known.port, timeout=30
        )
        self.connection.request("POST", f"/{self.known.token}/claude", data)
        reply = self.connection.getresponse()
        body = reply.read()
        assert reply.status == 200, reply.status
        return body


@pytest.fixture
def env(fenced):
    """Everything that is started says where it lives, and ends with the test."""
    return clean_env(fenced, EDGE_RESIDENT="off")


@pytest.fixture
def known(env):
    """A port of the test's own, forgotten at its end: then the server on it ends."""
    chosen = servers.choose_port(env)
    yield chosen
    transport.remove(env)


@contextmanager
def holding(env):
    with staying(env, HOLD) as process:
        yield process


@pytest.fixture
def posting(project, env, known):
    """A session of this very process, over http, without a resident."""
    with holding(env):
        client = Posting(project, env, known)
        client.start()
        yield client
        client.connection and client.connection.close()


def test_calls_are_decided_and_recorded_over_http(posting):
    assert posting.bash("ls") == ""
    assert posting.bash("rm -rf /") == "deny"
    posting.done("Bash", {"stdout": "x"}, command="make")
    posting.done("Bash", error="Exit code 2\nno", command="make")
    entries = [each for each, _ in Project(posting.root, is_set_up=True).log.entries()]
    assert [each["exit_code"] for each in entries if each.get("success") is not None] == [0, 2]


def test_a_resident_behind_it_answers_and_may_come_and_go(project, fenced, known):
    env = clean_env(fenced, EDGE_RESIDENT="on")
    with staying(env), holding(env):
        client = Posting(project, env, known)
        client.start()
        assert client.bash("rm -rf /") == "deny"
        assert client.bash("ls") == ""
        assert control.query("status", env)["quiet"] == 1
        control.switch(env, is_on=False)
        control.query("stop", env)
        assert client.bash("rm -rf /") == "deny"
        assert client.bash("ls") == ""


def test_one_connection_to_the_resident_serves_until_a_call_needs_a_process(project, fenced, known):
    env = clean_env(fenced, EDGE_RESIDENT="on")
    with staying(env) as resident, holding(env):
        client = Posting(project, env, known)
        client.start()
        assert [client.bash("ls") for _ in range(3)] == [""] * 3
        assert keeps(resident.pid, 2), "it listens, and one is kept"
        assert client.bash("rm -rf /") == "deny"
        assert [client.bash("ls") for _ in range(3)] == [""] * 3
        assert control.query("status", env)["quiet"] == 6
        assert keeps(resident.pid, 2)


def keeps(pid, count):
    """What was answered may be let go of a moment later."""
    end = time.monotonic() + 5
    while sockets_of(pid) != count and time.monotonic() < end:
        os.sched_yield()
    return sockets_of(pid) == count


def sockets_of(pid):
    folder = f"/proc/{pid}/fd"
    fds = [name for name in os.listdir(folder) if int(name) > 2]
    return sum("socket:" in os.readlink(os.path.join(folder, name)) for name in fds)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hung"])
def test_a_resident_that_fails_behind_a_kept_connection_costs_no_answer(
    project, fenced, known, how
):
    env = clean_env(fenced, EDGE_RESIDENT="on")
    with staying(env) as resident, holding(env):
        client = Posting(project, env, known)
        client.start()
        assert client.bash("ls") == ""
        control.switch(env, is_on=False)
        resident.send_signal(how)
        assert client.bash("rm -rf /") == "deny"
        assert client.bash("ls") == ""
        assert client.bash("rm -rf /") == "deny"


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b'"PreToolUse"', b"[" * 100_000, b"\xff"])
def test_an_event_that_cannot_be_read_denies_the_call(posting, data):
    posting.bash("ls")
    posting.connection.request("POST", f"/{posting.known.token}/claude", data)
    answer = json.loads(posting.connection.getresponse().read())
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def ask(known, method="POST", path=None, body=b"{}", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", known.port, timeout=30)
    path = f"/{known.token}/claude" if path is None else path
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body, names)
        return connection.getresponse().status
    finally:
        connection.close()


def test_who_does_not_know_the_word_or_comes_from_a_page_gets_nothing(posting):
    assert ask(posting.known, path="/claude") == 404
    assert ask(posting.known, path="/x/claude") == 404
    assert ask(posting.known, path=f"/{posting.known.token}/other") == 404
    assert ask(posting.known, Origin="https://example.com") == 404
    assert ask(posting.known, Host=f"evil.example:{posting.known.port}") == 404
    assert ask(posting.known, method="GET") == 404
    assert ask(posting.known, method="PUT") == 501
    assert ask(posting.known) == 200


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0, reason="it takes another user"
)
def test_another_user_of_the_machine_gets_nothing_whatever_is_known(posting):
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setuid(65534)
            ask(posting.known)
        except OSError:
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert posting.bash("rm -rf /") == "deny"


def test_who_does_not_know_the_word_is_not_waited_for(posting):
    with socket.create_connection(("127.0.0.1", posting.known.port)) as end:
        end.sendall(b"POST /x/claude HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
        said = b""
        while chunk := end.recv(1000):
            said += chunk
    assert said.startswith(b"HTTP/1.1 404")


HOST = "HOST: 127.0.0.1:{port}\r\n"
LENGTH = "content-LENGTH: {length}\r\n"


@pytest.mark.parametrize(
    ("version", "headers", "status"),
    [
        ("1.1", HOST + LENGTH, 200),
        ("1.1", HOST + LENGTH + "Connection: close\r\n", 200),
        ("1.0", HOST + LENGTH, 200),
        ("1.1", HOST + "X-Long: " + "x" * 20_000 + "\r\n" + LENGTH, 200),
        ("1.1", "Host: 127.0.0.1:1\r\n" + HOST + LENGTH, 404),
        ("1.1", HOST + LENGTH + "Origin: https://example.com\r\n", 404),
        ("1.1", HOST + LENGTH + "ORIGIN:\r\n", 404),
        ("1.1", HOST + LENGTH + "X-Any: a\nOrigin: https://example.com\r\n", 404),
        ("1.1", HOST, 404),
        ("1.1", HOST + "Content-Length: -1\r\n", 404),
        ("1.1", HOST + "Transfer-Encoding: chunked\r\n", 404),
    ],
)
@pytest.mark.parametrize("is_whole", [True, False], ids=["at once", "in pieces"])
def test_a_request_is_understood_whatever_its_form(posting, version, headers, status, is_whole):
    command = {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "tool_use_id": "t"}
    event = {"hook_event_name": "PreToolUse", "session_id": posting.session, "cwd": posting.root}
    body = json.dumps({**event, **command})
    told = headers.format(port=posting.known.port, length=len(body))
    data = f"POST /{posting.known.token}/claude HTTP/{version}\r\n{told}\r\n{body}".encode()
    with socket.create_connection(("127.0.0.1", posting.known.port), timeout=30) as end:
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        size = len(data) if is_whole else 61
        said = b""
        # One that is refused may be answered, and the connection ended, before it is sent whole.
        with suppress(ConnectionError) if status == 404 else nullcontext():
            for at in range(0, len(data), size):
                end.sendall(data[at : at + size])
            end.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError) if status == 404 else nullcontext():
            while chunk := end.recv(1 << 16):
                said += chunk
    assert said.split()[1:2] == [str(status).encode()] or (not said and status == 404)
    assert (b'"deny"' in said) == (status == 200)


def test_a_hook_that_dies_denies_the_call_however_the_holder_was_started(
    project, env, known, tmp_path
):
    """A program that was started with SIGCHLD ignored reads every exit code as 0."""
    copy = tmp_path / "lib" / "operators_edge"
    copy.parent.mkdir()
    subprocess.run(["cp", "-r", os.path.dirname(HOOK), str(copy)], check=True)
    was = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        context = staying(env, [*COMMAND[:3], str(copy / "hook.py"), http_client.SERVER_OPTION])
        process = context.__enter__()
    finally:
        signal.signal(signal.SIGCHLD, was)
    try:
        hook = [*COMMAND[:3], str(copy / "hook.py"), "claude"]
        client = Posting(project, env, known, hook)
        client.start()
        assert client.bash("ls") == ""
        (copy / "hook.py").write_text("raise SystemExit(3)")
        assert client.bash("ls") == "deny"
        (copy / "hook.py").write_text("print('no answer')")
        assert client.bash("ls") == "deny"
        client.connection.close()
    finally:
        context.__exit__(None, None, None)
    assert process.returncode is not None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone tells the other end")
def test_another_process_cannot_speak_for_the_session(posting):
    event = {
        "hook_event_name": "PostToolUse",
        "session_id": posting.session,
        "cwd": posting.root,
        "tool_name": "Bash",
        "tool_input": {"command": "pytest"},
        "tool_response": {"stdout": "9 passed"},
    }
    code = (
        "import http.client, sys\n"
        f"connection = http.client.HTTPConnection('127.0.0.1', {posting.known.port})\n"
        f"connection.request('POST', '/{posting.known.token}/claude', sys.stdin.read())\n"
        "print(connection.getresponse().status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "403\n"
    entries = [each for each, _ in Project(posting.root, is_set_up=True).log.entries()]
    assert not any(each.get("tool") for each in entries)


def test_a_secret_of_the_clients_environment_is_hidden_though_http_brings_none(project, env, known):
    """The client's own environment is read from the system; here the client is a process of its own."""
    code = (
        "import http.client, json, os, subprocess, sys\n"
        "given = json.load(sys.stdin)\n"
        "os.environ['CLAUDE_PID'] = str(os.getpid())\n"
        "start = json.dumps({**given, 'hook_event_name': 'SessionStart', 'source': 'startup'})\n"
        f"subprocess.run({COMMAND!r}, input=start.encode(), check=True, capture_output=True)\n"
        f"connection = http.client.HTTPConnection('127.0.0.1', {known.port})\n"
        f"connection.request('POST', '/{known.token}/claude', json.dumps(given))\n"
        "sys.exit(connection.getresponse().status != 200)\n"
    )
    event = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "cwd": project,
        "tool_name": "Bash",
        "tool_input": {"command": "env"},
        "tool_response": {"stdout": "it is Xyzzy-4711-plugh here"},
    }
    with holding(env):
        subprocess.run(
            [sys.executable, "-c", code],
            input=json.dumps(event),
            env={**env, "CLAUDE_PROJECT_DIR": project, "DEPLOY_TOKEN": "Xyzzy-4711-plugh"},
            text=True,
            check=True,
        )
    with open(os.path.join(project, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        text = file.read()
    assert '"tool":"Bash"' in text.replace(": ", ":")
    assert "Xyzzy" not in text


def test_a_session_start_sees_to_it_that_the_port_is_held(project, env, known):
    client = Posting(project, env, known)
    client.start()
    try:
        assert http_client.listener_state(known, env) == "ours"
        assert client.bash("rm -rf /") == "deny"
    finally:
        end_holder(env)


def end_holder(env):
    with open(http_client.lock_path(env), encoding="ascii") as file:
        os.kill(int(file.read()), signal.SIGKILL)


def test_a_hung_holder_is_ended_and_replaced(project, env, known):
    with holding(env) as process:
        process.send_signal(signal.SIGSTOP)
        assert http_client.listener_state(known, env) == "hung"
        client = Posting(project, env, known)
        client.start()
        assert process.wait(timeout=10) == -signal.SIGKILL
        assert client.bash("rm -rf /") == "deny"
        end_holder(env)


def test_another_program_on_the_port_sends_the_project_back_to_processes(project, env, known):
    """A program that answers "no opinion" there would let every call run."""
    code = (
        "import http.server\n"
        "class Yes(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        self.send_response(200)\n"
        "        self.end_headers()\n"
        "    do_POST = do_GET\n"
        f"server = http.server.HTTPServer(('127.0.0.1', {known.port}), Yes)\n"
        "print('ready', flush=True)\n"
        "server.serve_forever()\n"
    )
    folder = os.path.join(project, ".claude")
    os.makedirs(folder)
    path = os.path.join(folder, "settings.local.json")
    entry = {"type": "http", "url": known.url, "timeout": 15, "onFailure": "block"}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"model": "x", "hooks": {"PreToolUse": [{"hooks": [entry]}]}}, file)
    with staying(env, [sys.executable, "-c", code]):
        client = Client(project, env)
        said = client.send("SessionStart", source="startup")
    assert "another program listens on its port" in said["systemMessage"]
    with open(path, encoding="utf-8") as file:
        settings = json.load(file)
    assert settings["model"] == "x"
    assert settings["hooks"]["PreToolUse"][0]["hooks"][0]["type"] == "command"


def test_it_goes_when_nobody_wants_it_any_more(env, known):
    with holding(env) as process:
        transport.remove(env)
        began = time.monotonic()
        assert process.wait(timeout=20) == 0
        assert time.monotonic() - began > 2.5  # what a client took at most to leave the port


def test_with_the_last_client_goes_a_port_that_no_settings_name_any_more(project, env, known):
    """As when the hooks are taken out while a session runs: it keeps them, and needs the port."""
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r});"
        "from operators_edge import hook_local;"
        "from operators_edge.resident import http_server;"
        "http_server.NO_CLIENT_SECONDS = 0; http_server.CHECK_SECONDS = 0.05;"
        "sys.exit(hook_local.run_http_server())"
    )
    with staying(env, [sys.executable, "-c", code]) as process:
        assert process.wait(timeout=20) == 0
    assert transport.load(env) is None


def test_one_holds_the_port_and_another_steps_back(env, known):
    with holding(env):
        second = subprocess.run(HOLD, env=env, capture_output=True, text=True, check=True)
        assert second.stdout == "another one holds the port\n"


def test_the_environment_of_an_answer_is_the_sessions(project, env):
    client = Client(project, env)
    client.start()
    bound = identity.binding(client.session, env)
    found = http_server.environment(bound, {"A": "1", "HOME": "/theirs", "CLAUDE_X": "1"}, env)
    assert (found["A"], "CLAUDE_X" in found) == ("1", False)
    assert found["CLAUDE_PROJECT_DIR"] == project
    assert found["CLAUDE_CODE_SESSION_ATTENDED"] == "0"
    assert found["HOME"] == env["HOME"]


def test_a_session_of_another_installation_is_answered_by_its_own_rules(
    project, env, known, tmp_path
):
    copy = str(tmp_path / "operators_edge")
    shutil.copytree(os.path.dirname(HOOK), copy)
    pack = os.path.join(copy, "gate", "packs", "filesystem.toml")
    with open(pack, encoding="utf-8") as file:
        text = file.read()
    with open(pack, "w", encoding="utf-8") as file:
        file.write(text.replace("Deletes a folder with", "By other rules: deletes a folder with"))
    hook = [*COMMAND[:3], os.path.join(copy, "hook.py"), "claude"]
    with holding(env):
        other = Posting(project, env, known, hook)
        other.start()
        assert (
            "By other rules"
            in other.before("Bash", command="rm -rf /opt/x")["permissionDecisionReason"]
        )
        own = Posting(project, env, known)
        own.start()
        assert (
            "By other rules"
            not in own.before("Bash", command="rm -rf /")["permissionDecisionReason"]
        )
        os.rename(copy, f"{copy}.gone")  # what still runs from it may write compiled modules
        assert other.bash("rm -rf /") == "deny", "what is gone is not waited for"


def test_an_installation_that_is_reached_over_a_link_is_no_other(project, fenced, known, tmp_path):
    os.symlink(os.path.dirname(HOOK), tmp_path / "operators_edge")
    hook = [*COMMAND[:3], str(tmp_path / "operators_edge" / "hook.py"), "claude"]
    env = clean_env(fenced, EDGE_RESIDENT="on")
    with staying(env) as resident, holding(env):
        client = Posting(project, env, known, hook)
        client.start()
        assert identity.binding(client.session, env).program[1] == hook[3]
        assert client.bash("ls") == ""
        assert keeps(resident.pid, 2), "asked by the holder, which keeps its connection"


def test_a_holder_whose_package_is_gone_leaves_the_sessions_of_another_their_answers(
    project, env, known, tmp_path
):
    copy = str(tmp_path / "operators_edge")
    shutil.copytree(os.path.dirname(HOOK), copy)
    with staying(env, [*COMMAND[:3], os.path.join(copy, "hook.py"), http_client.SERVER_OPTION]):
        client = Posting(project, env, known)
        client.start()
        assert client.bash("ls") == ""
        shutil.rmtree(copy)
        assert client.bash("ls") == ""


def test_new_code_takes_over_when_what_was_asked_is_answered(env, known):
    """A client whose request breaks off blocks its call."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = http_server.HttpServer(listening, known, hook_local, env)
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    finishing = threading.Thread(target=server.finish, daemon=True)
    serving.start()
    with server.answering():
        finishing.start()
        serving.join(10)
        assert not serving.is_alive()
        assert finishing.is_alive()
    finishing.join(10)
    assert not finishing.is_alive()
    listening.close()
