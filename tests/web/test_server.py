"""The server: what it gives out without a token, whom it refuses, and how long it waits."""

import contextlib
import json
import socket
import subprocess
import sys
import time

import pytest

from operators_edge.system.user_dirs import project_id
from operators_edge.web import access, links_store, server as server_module
from tests.hosting import events, forget_client, read_state
from tests.web.conftest import Page, serving

BASE = access.BASE
STATIC = ["", "page.js", "page.css", "base.css", "icon.svg"]


def test_without_a_token_only_the_empty_page_is_given_out(page, project):
    for name in STATIC:
        status, data = page.get(name, authorization=None)
        assert status == 200
        assert b"ship it" not in data
        assert project.encode() not in data
    for path in ("view/home", "live", "view/overview", "nothing"):
        assert page.get(path, authorization=None)[0] == 401
    assert page.send("POST", f"{BASE}act", b"{}", authorization=None)[0] == 401


def test_the_bare_address_leads_to_the_page(page):
    status, answer, data = page.send("GET", "/", authorization=None)
    assert (status, answer.headers["location"], data) == (302, BASE, b"")


@pytest.mark.parametrize(
    "header", ["Bearer wrong", "Bearer", "Basic {}", "{}", "Bearer {}x", "Bearer {} x", "Token {}"]
)
def test_a_wrong_token_shows_and_decides_nothing(page, header):
    sent = header.replace("{}", page.token)
    assert page.get("view/home", authorization=sent)[0] == 401
    assert page.send("POST", f"{BASE}act", b"{}", authorization=sent)[0] == 401
    assert page.send("GET", f"{BASE}view/home?token={page.token}", authorization=None)[0] == 401
    cookie = {"cookie": f"token={page.token}", "authorization": None}
    assert page.get("view/home", **cookie)[0] == 401


def test_after_many_wrong_tokens_the_right_one_still_counts(page):
    wrong = [page.get("view/home", authorization="Bearer x")[0] for _ in range(30)]
    assert set(wrong) == {401, 429}
    assert page.get("view/home")[0] == 200


def test_a_link_opens_one_page_and_is_used_up(page, env):
    body = json.dumps({"code": links_store.new_code(env)}).encode()
    status, _, data = page.send("POST", f"{BASE}enter", body, authorization=None)
    token = json.loads(data)["token"]
    assert status == 200
    assert page.get("view/home", authorization=f"Bearer {token}")[0] == 200
    again = page.send("POST", f"{BASE}enter", body, authorization=None)
    assert again[0] == 401
    assert b"used" in again[2]


@pytest.mark.parametrize(
    "path",
    [
        "../../../etc/passwd",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "view/../../../../etc/passwd",
        "view/..",
        "view/overview?project=../../../etc",
        "assets/page.js",
        "page.js/../page.css",
        "page.js%00.txt",
        "proof/../../key",
        "/etc/passwd",
        "\\..\\..\\etc\\passwd",
        "shell.html",
    ],
)
def test_no_path_leads_to_a_file(page, path):
    status, data = page.get(path)
    assert status in (200, 404)
    assert b"root:" not in data
    if status == 200:
        assert path.startswith(("proof/", "view/overview"))
        assert b"No such project" in data or len(data) < 100


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example:80", ""])
def test_a_rebound_name_gets_nothing_not_even_the_page(page, name):
    for path in ("", "view/home", "page.js"):
        status, data = page.get(path, host=name)
        assert status == 421
        assert page.token.encode() not in data


def test_another_origin_gets_nothing_even_with_the_token(page, client):
    for headers in (
        {"origin": "http://127.0.0.1:3000"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"},
    ):
        assert page.get("view/home", **headers)[0] == 403
        assert page.send("POST", f"{BASE}act", b"{}", **headers)[0] == 403
    status, answer, _ = page.send("OPTIONS", f"{BASE}act", origin="http://evil.example")
    assert status == 501
    assert "access-control-allow-origin" not in {name.lower() for name in answer.headers}


def test_every_answer_has_the_policy_and_none_is_kept(page):
    answers = [
        page.send("GET", BASE, authorization=None)[1],
        page.send("GET", f"{BASE}view/home")[1],
        page.send("GET", f"{BASE}view/home", authorization=None)[1],
        page.send("GET", f"{BASE}view/home", host="evil.example")[1],
        page.send("PUT", f"{BASE}act")[1],
        page.send("GET", f"{BASE}nothing")[1],
        page.send("POST", f"{BASE}act", b"{}")[1],
    ]
    for answer in answers:
        for name, value in access.HEADERS:
            assert answer.headers[name] == value
        assert answer.headers["cache-control"] == "no-store"
        assert "operators-edge" in answer.headers["server"]
        assert "set-cookie" not in answer.headers


def test_what_is_no_request_is_refused_in_a_word(server):
    for sent in (
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
            line.sendall(sent)
            data = line.recv(1 << 16)
        assert b"not a request for the dashboard" in data or data.startswith(b"HTTP/1.1 421")
    many = b"".join(b"x-%d: y\r\n" % number for number in range(200))
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n" + many + b"\r\n")
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 431")


def test_a_body_that_is_no_object_decides_nothing(page):
    for body in (b"", b"x", b"[]", b'"x"', b"null", b"[" * 50_000, b'{"act":'):
        status, _, data = page.send("POST", f"{BASE}act", body)
        assert status == 200
        assert json.loads(data)["ok"] is False


def test_a_request_that_never_ends_is_ended(env, project):
    with serving(env, project, patience=0.3) as slow:
        head = f"POST {BASE}act HTTP/1.1\r\nhost: 127.0.0.1:{slow.port}\r\n".encode()
        body = head + b"content-type: application/json\r\ncontent-length: 9\r\n\r\n{"
        for sent in (b"", b"GET /oper", head, body):
            with socket.create_connection(("127.0.0.1", slow.port), timeout=10) as line:
                line.sendall(sent)
                assert line.recv(1 << 16) == b""


def test_one_byte_at_a_time_buys_no_time(env, project):
    with (
        serving(env, project, patience=0.5) as slow,
        socket.create_connection(("127.0.0.1", slow.port), timeout=10) as line,
    ):
        began = time.monotonic()
        line.sendall(b"GET /")
        line.settimeout(0.05)
        while time.monotonic() - began < 10:
            with contextlib.suppress(TimeoutError):
                line.sendall(b"x")
                if line.recv(1 << 16) == b"":
                    break
    assert time.monotonic() - began < 5


def test_more_connections_than_it_has_room_for_are_closed_and_the_page_works_again(page, server):
    with contextlib.ExitStack() as stack:
        for _ in range(server_module.MAX_CONNECTIONS + 5):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            stack.callback(line.close)
        assert line.recv(10) == b""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            if page.get("view/home")[0] == 200:
                return
    pytest.fail("it did not come back")


# -- who is at the other end -----------------------------------------------------------------------


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux shows who asks")
def test_a_program_of_an_agent_is_refused_with_the_right_token_and_that_is_logged(page, client):
    """The session is open, and this very process is its client: so the page is an agent's."""
    client.bash("git push origin main")
    question = read_state(client)["junction"]["id"]
    said = page.act(project=project_id(client.root), question=question, act="approve")
    assert said == {
        "ok": False,
        "why": "an agent's client started the program that asks",
        "hint": "",
    }
    assert page.get("view/home")[0] == 403
    assert read_state(client)["junction"]["id"] == question
    assert events(client, "approval_forgery")[0]["words"] == "the dashboard"
    forget_client(client)
    assert page.act(project=project_id(client.root), question=question, act="approve")["ok"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux shows who asks")
def test_a_child_of_the_client_is_refused(page, client, env):
    """As ``curl`` in a tool of the agent is."""
    script = (
        "import http.client, sys\n"
        f"asked = http.client.HTTPConnection('127.0.0.1', {page.port})\n"
        f"asked.request('GET', '{BASE}view/home', headers={{'Authorization': 'Bearer {page.token}'}})\n"
        "print(asked.getresponse().status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "403\n"


# -- what changes ----------------------------------------------------------------------------------


def test_the_page_is_told_what_changes_and_the_server_ends_with_pages_open(page, server):
    line = socket.create_connection(("127.0.0.1", page.port), timeout=10)
    with line, line.makefile("rb") as answer:
        line.sendall(
            f"GET {BASE}live HTTP/1.1\r\nhost: 127.0.0.1:{page.port}\r\n"
            f"authorization: Bearer {page.token}\r\n\r\n".encode()
        )
        while not (first := answer.readline()).startswith(b"data:"):
            pass
        assert json.loads(first[5:])["is_first"]
        server.is_ending.set()
        assert answer.read() == b"\n"


def test_a_page_of_another_person_is_none_here(server, env, tmp_path):
    other = {**env, "XDG_STATE_HOME": str(tmp_path)}
    token = links_store.redeem(links_store.new_code(other), other)
    assert Page(server.port, token).get("view/home")[0] == 401
