"""What a contained executor can write and reach, tried from inside; and what is said when it is not."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.tables import for_each

from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.containment import service
from operators_edge.containment.network import Address, Listed
from operators_edge.system.user_dirs import user_dir

WHY_NOT = service.why_not() if sys.platform.startswith("linux") else "only Linux"
CONTAINED = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

TRIES = """
import json, os, socket, subprocess, sys, urllib.request
def tried(act):
    try:
        return act() or "yes"
    except Exception as error:
        return f"no: {error}"
def write(path):
    with open(path, "a") as file:
        file.write("x")
def get(url):
    return urllib.request.urlopen(url, timeout=5).read().decode()
def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout
given = json.loads(sys.argv[1])
acts = {"write": write, "get": get, "list": lambda path: " ".join(os.listdir(path)),
        "unix": lambda path: socket.socket(socket.AF_UNIX).connect(path),
        "tcp": lambda port: socket.create_connection(("127.0.0.1", int(port)), 3).close(),
        "git": lambda words: git(*words.split())}
print(json.dumps({f"{kind} {about}": tried(lambda: acts[kind](about)) for kind, about in given}))
"""


class _Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, format, *args):
        """Nothing."""


@pytest.fixture
def port():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hello) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def tried(bench, tries, *, hosts=(), writable=()):
    words = (sys.executable, "-I", "-S", "-c", TRIES, json.dumps(tries))
    bench.settings["try"] = ExecutorSettings(
        command=words, hosts=tuple(hosts), writable=tuple(writable)
    )
    edited = bench.edit("try")
    assert edited.outcome == "done", edited
    return edited, json.loads(bench.output.decode().strip().splitlines()[-1])


def content(path):
    """What the disk really has at a path."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


@CONTAINED
def test_it_writes_in_the_work_tree_and_nowhere_else(bench):
    bench.contain = "require"
    handoff = os.path.join(bench.root, ".ai-handoff")
    os.makedirs(os.path.join(handoff, "tasks"))
    os.makedirs(user_dir(bench.env))
    with open(os.path.join(user_dir(bench.env), "key"), "w", encoding="utf-8") as file:
        file.write("k")
    temporary = f"/tmp/edge-{os.getpid()}"
    may = [("write", "new.txt"), ("write", "readme.txt"), ("write", temporary)]
    may += [("git", "status --short"), ("write", f"{bench.notes}/kept")]
    never = [
        ("write", ".git/config"),
        ("write", ".git/hooks/pre-commit"),
        ("write", ".ai-handoff/tasks/t-2.json"),
        ("write", f"{bench.home}/x"),
        ("write", f"{bench.programs}/opencode"),
        ("list", user_dir(bench.env)),
        ("git", "commit -qam x"),
    ]
    before = [content(os.path.join(bench.root, about)) for kind, about in never if kind == "write"]
    writable = [str(bench.notes)]
    tries = [*may, *never]
    edited, found = tried(bench, tries, hosts=["127.0.0.1:65000"], writable=writable)
    assert (bench.notes / "kept").read_text() == "x"
    assert edited.contained == "yes"
    for kind, about in may:
        assert not found[f"{kind} {about}"].startswith("no"), found
    # Some places look as if they could be written, and what is written is gone with the command.
    after = [content(os.path.join(bench.root, about)) for kind, about in never if kind == "write"]
    assert after == before
    assert all(found[f"{kind} {about}"].startswith("no") for kind, about in never[:3])
    assert "key" not in found[f"list {user_dir(bench.env)}"]
    assert found["git commit -qam x"].startswith("no")
    assert not os.path.exists(temporary)


@CONTAINED
def test_it_reaches_the_listed_hosts_and_what_it_asked_for_in_vain_is_told(bench, port):
    bench.contain = "require"
    named = os.uname().nodename
    tries = [
        ("get", f"http://127.0.0.1:{port}/"),
        ("get", f"http://{named}:{port}/"),
        ("get", f"http://other.invalid:{port}/"),
        ("get", "http://third.invalid/"),
        ("get", f"http://127.1:{port}/"),  # a name for the loopback, as a name server may give one
        ("get", f"http://0:{port}/"),
        ("tcp", "22"),
    ]
    hosts = [f"127.0.0.1:{port}", f"{named}:{port}", f"127.1:{port}", f"0:{port}"]
    edited, found = tried(bench, tries, hosts=hosts)
    said = [found[f"{kind} {about}"] for kind, about in tries]
    assert said[:2] == ["hello", "hello"]
    assert all(each.startswith("no") for each in said[2:])

    refused = (f"other.invalid:{port}", "third.invalid:80", f"127.1:{port}", f"0:{port}")
    assert edited.denied == tuple(f"connect {each}" for each in refused)


@CONTAINED
def test_without_a_list_of_hosts_the_network_is_open_and_said_so_or_it_does_not_start(bench, port):
    bench.contain = "auto"
    edited, found = tried(
        bench, [("get", f"http://127.0.0.1:{port}/"), ("write", f"{bench.home}/x")]
    )
    assert "hello" in found.values()
    assert content(f"{bench.home}/x") is None
    assert edited.contained == "yes, but for its network: its `hosts` are not listed"
    bench.contain = "require"
    problem = bench.executor("try").problem()
    assert (problem.outcome, "`hosts`" in problem.detail) == ("not_contained", True)


def test_where_it_cannot_be_contained_require_refuses_and_auto_says_why(bench, monkeypatch):
    bench.program("opencode", """echo '{"type":"step_finish","part":{"reason":"stop"}}'""")
    monkeypatch.setenv("PATH", str(bench.programs))
    bench.contain = "require"
    problem = bench.executor("opencode").problem()
    assert problem.outcome == "not_contained"
    assert "bwrap" in problem.detail or "only Linux" in problem.detail
    bench.contain = "auto"
    assert bench.executor("opencode").problem() is None
    assert bench.edit("opencode").contained.startswith("no: ")
    bench.contain = "off"
    assert bench.edit("opencode").contained == "no: contain is off"


@pytest.mark.parametrize("contain", ["off", pytest.param("require", marks=CONTAINED)])
def test_a_daemon_of_an_executor_ends_with_its_time(bench, contain):
    bench.contain = contain
    note = os.path.join(bench.root, "beats")
    line = f"while :; do date +%s%N >> {note}; sleep 0.1; done"
    daemon = f"(setsid nohup sh -c '{line}' >/dev/null 2>&1 &); sleep 60"
    bench.settings["mine"] = ExecutorSettings(command=("sh", "-c", daemon), hosts=("x.invalid",))
    edited = bench.edit("mine", seconds=2.0)
    assert edited.outcome == "timed_out"
    with open(note, encoding="utf-8") as file:
        beats = file.read()
    assert beats
    time.sleep(0.4)  # a daemon that still ran would have written by now
    with open(note, encoding="utf-8") as file:
        assert file.read() == beats


@for_each(
    ("entry", "host", "port", "is_listed"),
    [
        ("api.example.org", "api.example.org", 443, True),
        ("api.example.org", "API.example.org.", 443, True),
        ("api.example.org", "api.example.org", 22, False),
        ("api.example.org", "evil-api.example.org", 443, False),
        ("api.example.org:8443", "api.example.org", 8443, True),
        ("api.example.org:8443", "api.example.org", 443, False),
        ("*.example.org", "a.b.example.org", 443, True),
        ("*.example.org", "example.org", 443, False),
        ("*.example.org", "badexample.org", 443, False),
        ("127.0.0.1:11434", "127.0.0.1", 11434, True),
        ("127.0.0.1:11434", "127.0.0.1", 22, False),
        ("[::1]:80", "::1", 80, True),
    ],
)
def test_a_host_is_listed_by_its_whole_name_and_port(entry, host, port, is_listed):
    assert (Address(host, port) in Listed([entry])) is is_listed
