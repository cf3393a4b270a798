"""The dashboard as a process: it starts once, says who has its port, and ends with every link to it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.web import access, control, links_store
from tests.web.conftest import Page


@pytest.fixture
def started(env, project):
    """A dashboard in the background, on any free port."""
    try:
        yield control.start(env, port=0, here=project)
    finally:
        control.stop(env)


def test_it_starts_once_answers_and_ends_with_its_links(started, env, project):
    assert control.running(env) == started
    assert control.start(env, port=0) == started
    assert control.state_of(started.port, env) == "ours"
    link = control.link(started, env)
    assert link.startswith(f"http://127.0.0.1:{started.port}{access.BASE}#code=")
    token = links_store.redeem(link.partition("#code=")[2], env)
    page = Page(started.port, token)
    assert project in page.view("home")["html"]
    assert control.stop(env) == started
    assert control.running(env) is None
    assert control.state_of(started.port, env) == "nobody"
    assert not links_store.is_token(token, env)
    assert control.stop(env) is None


def test_nothing_of_an_agents_shell_comes_with_it(env, project, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    known = control.start({**env, "CLAUDECODE": "1", "SECRET": "x"}, port=0)
    try:
        with open(f"/proc/{known.pid}/environ", "rb") as file:
            names = {each.partition(b"=")[0] for each in file.read().split(b"\0")}
        assert not {b"CLAUDECODE", b"SECRET"} & names
        with open(f"/proc/{known.pid}/cmdline", "rb") as file:
            assert links_store.path(env).encode() not in file.read()
    finally:
        control.stop(env)


def test_one_that_was_killed_leaves_no_trace_that_counts(started, env):
    os.kill(started.pid, signal.SIGKILL)
    os.waitpid(started.pid, 0)
    assert control.running(env) is None


@pytest.mark.parametrize("record", [b"", b"{", b'{"pid": 1}', b'{"pid":"x","port":1,"since":2}'])
def test_one_that_runs_with_a_damaged_record_is_not_taken_for_none(started, env, record):
    path = Path(control._path(env))
    whole = path.read_bytes()
    path.write_bytes(record)
    for act in (control.running, control.stop):
        with pytest.raises(AnswerIsNo, match="its record cannot be read"):
            act(env)
    path.write_bytes(whole)


def test_a_taken_port_is_named_with_the_program_that_has_it(env):
    script = (
        "import socket, sys\n"
        "held = socket.create_server(('127.0.0.1', 0))\n"
        "print(held.getsockname()[1], flush=True)\n"
        "sys.stdin.read()"
    )
    pipe = subprocess.PIPE
    taken = subprocess.Popen([sys.executable, "-c", script], stdin=pipe, stdout=pipe, text=True)
    with taken:
        port = int(taken.stdout.readline())
        with pytest.raises(AnswerIsNo) as caught:
            control.claim(port, env)
        with pytest.raises(AnswerIsNo, match="is taken"):
            control.start(env, port=port)
        assert control.state_of(port, env) in ("hung", "another")
        taken.stdin.close()
    who = f" by process {taken.pid} " if sys.platform.startswith("linux") else ""
    assert f"port {port} is taken{who}" in caught.value.message
    assert caught.value.hint == "EDGE_PORT=8090 edge serve"


def test_another_program_that_answers_on_the_port_is_not_taken_for_ours(env):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        script = (
            "import http.server\n"
            "class Any(http.server.BaseHTTPRequestHandler):\n"
            "    def do_GET(self):\n"
            "        self.send_response(200); self.end_headers(); self.wfile.write(b'0' * 64)\n"
            f"served = http.server.HTTPServer(('127.0.0.1', {port}), Any)\n"
            "print('up', flush=True)\n"
            "served.handle_request()\n"
        )
        other.close()
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            state = control.state_of(port, env)
            child.kill()
    assert state == "another"


@pytest.mark.parametrize(
    ("variable", "given", "port"),
    [({}, None, 8080), ({"EDGE_PORT": "8090"}, None, 8090), ({"EDGE_PORT": "8090"}, 1, 1)],
)
def test_the_port_is_given_or_chosen_by_the_variable(variable, given, port):
    assert control.port_of(variable, given) == port


@pytest.mark.parametrize("text", ["x", "-1", "65536", "80.5", "\u0661"])
def test_what_is_not_a_port_is_refused(text):
    with pytest.raises(UsageError):
        control.port_of({"EDGE_PORT": text})
