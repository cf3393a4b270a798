"""A dashboard of its own for a test, in a thread of this process, and a page that has its token."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest

from operators_edge.web import access, links_store
from operators_edge.web.routes import Routes
from operators_edge.web.server import Dashboard
from tests.hosting import clean_env, forget_client

if TYPE_CHECKING:
    from collections.abc import Iterator


class Page:
    """What a page of the dashboard can send: requests as a browser makes them."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token

    def send(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> tuple[int, http.client.HTTPResponse, bytes]:
        """One request; a header that is None is left out. Names have _ for -."""
        sent: dict[str, str | None] = {
            "host": f"127.0.0.1:{self.port}",
            "authorization": f"Bearer {self.token}",
            "sec-fetch-site": "same-origin",
        }
        if body is not None:
            sent |= {"content-type": "application/json", "content-length": str(len(body))}
            sent["origin"] = f"http://127.0.0.1:{self.port}"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer, answer.read()

    def get(self, path: str, **headers: str | None) -> tuple[int, bytes]:
        status, _, data = self.send("GET", access.BASE + path, **headers)
        return status, data

    def view(self, name: str, **asked: str) -> dict[str, Any]:
        query = "&".join(f"{key}={value}" for key, value in asked.items())
        status, data = self.get(f"view/{name}?{query}")
        assert status == 200, data
        found: dict[str, Any] = json.loads(data)
        return found

    def act(self, **given: Any) -> dict[str, Any]:
        body = json.dumps(given).encode()
        _, _, data = self.send("POST", f"{access.BASE}act", body)
        found: dict[str, Any] = json.loads(data)
        return found


@contextlib.contextmanager
def serving(
    env: dict[str, str], here: str = "", port: int = 0, **limits: float
) -> Iterator[Dashboard]:
    """A dashboard, on any free port if none is given."""
    listening = socket.create_server(("127.0.0.1", port))
    server = Dashboard(listening, Routes(env, here), env, **limits)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join(5)


@pytest.fixture
def env(fenced: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The person's folders, the same for the dashboard in this process and for a client's hooks."""
    found = clean_env(fenced)
    monkeypatch.setenv("XDG_STATE_HOME", found["XDG_STATE_HOME"])
    return found


@pytest.fixture
def server(env: dict[str, str], project: str) -> Iterator[Dashboard]:
    with serving(env, project) as found:
        yield found


@pytest.fixture
def page(server: Dashboard, env: dict[str, str]) -> Page:
    """A page that was opened by a link."""
    return Page(server.port, links_store.redeem(links_store.new_code(env), env))


@pytest.fixture
def session(env: dict[str, str], client: Any) -> Any:
    """A headless session whose client is gone: only then is this test's process no agent's."""
    forget_client(client)
    assert os.environ["XDG_STATE_HOME"] == client.env["XDG_STATE_HOME"]
    return client
