"""The dashboard's server: its socket, its connections, and the path of a request to its answer.

Owns the limits: who may connect, how many at a time, and how long a request may take to arrive. Does not own
which requests are answered (``web.access``) or what with (``web.routes``).
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from operators_edge.errors import EdgeError
from operators_edge.system import sockets
from operators_edge.web import access, control, links_store, peer_facts
from operators_edge.web.routes import Reply, as_json, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.web.routes import Routes

MAX_CONNECTIONS = 64
REQUEST_SECONDS = 10.0
"""For a request to arrive whole, and for a browser to take the answer."""

IDLE_SECONDS = 60.0
"""How long a connection stays open between two requests."""

WATCH_SECONDS = 0.5
MAX_WRONG_TOKENS = 20
"""In a minute; more are not even answered with a reason. The right one always is."""


class Dashboard(ThreadingHTTPServer):
    """``env`` names the person's folders; ``routes`` knows what is shown and decided."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self,
        listening: socket.socket,
        routes: Routes,
        env: Mapping[str, str],
        *,
        patience: float = REQUEST_SECONDS,
    ) -> None:
        self.port = int(listening.getsockname()[1])
        super().__init__(("127.0.0.1", self.port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.routes = routes
        self.env = env
        self.patience = patience
        self.is_ending = threading.Event()
        self._wrong: list[float] = []
        self._open: dict[socket.socket, float] = {}
        self._lock = threading.Lock()

    def serve(self) -> None:
        """Answer until ``end`` is called."""
        threading.Thread(target=self._close_slow, daemon=True).start()
        self.serve_forever(poll_interval=0.2)

    def end(self) -> None:
        """Stop, and end what is still open."""
        self.is_ending.set()
        self.routes.end()
        self.shutdown()
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            is_full = len(self._open) >= MAX_CONNECTIONS
            if not is_full:
                self._open[request] = time.monotonic() + self.patience
        if is_full:
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def expect(self, connection: socket.socket, seconds: float) -> None:
        """Close the connection unless it sends a whole request within so many seconds."""
        with self._lock:
            if connection in self._open:
                self._open[connection] = time.monotonic() + seconds

    def _close_slow(self) -> None:
        while not self.is_ending.wait(WATCH_SECONDS):
            now = time.monotonic()
            with self._lock:
                late = [each for each, until in self._open.items() if until < now]
            for each in late:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def note_wrong_token(self) -> bool:
        """Count it; whether there were too many in the last minute."""
        now = time.monotonic()
        with self._lock:
            self._wrong = [each for each in self._wrong if now - each < 60.0] + [now]
            return len(self._wrong) > MAX_WRONG_TOKENS

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the library's
        """A browser that closes its connection is no error; anything else goes to stderr."""
        if not isinstance(sys.exception(), OSError):
            traceback.print_exc()


class _Handler(BaseHTTPRequestHandler):
    """One connection of a browser, with its requests one after the other."""

    server: Dashboard
    protocol_version = "HTTP/1.1"
    server_version = "operators-edge"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(IDLE_SECONDS)
        self.peer: str | None = None

    def handle(self) -> None:
        """Read nothing from another user of this machine (Linux; elsewhere the user is unknown)."""
        theirs = sockets.user_of_end(self.client_address[1], self.server.port)
        if theirs in (None, os.geteuid()):
            super().handle()

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            super().finish()

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            key = name.lower()
            headers[key] = f"{headers[key]}, {value}" if key in headers else value
        asked = access.Request(self.command, self.path, headers)
        refused = access.refusal(asked, self.server.port)
        if refused is not None:
            self.close_connection = True  # a body that was not read is no next request
            self._send(text(refused.status, refused.why))
            return
        body = self.rfile.read(int(headers.get("content-length", "0")))
        self.server.expect(self.connection, float("inf"))
        try:
            self._answer(asked, body)
        except EdgeError as error:
            self._send(as_json({"ok": False, "why": error.message, "hint": error.hint}, 409))
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - the edge: a page must not end the server
            traceback.print_exc()
            why = f"{type(error).__name__}: {error}"
            self._send(as_json({"ok": False, "why": why, "hint": "edge doctor"}, 500))
        self.server.expect(self.connection, IDLE_SECONDS)

    def _answer(self, asked: access.Request, body: bytes) -> None:
        path, _, query = asked.target.partition("?")
        routes = self.server.routes
        static = routes.static(path)
        if static is not None and asked.method == "GET":
            self._send(static)
        elif path.startswith(f"{access.BASE}proof/") and asked.method == "GET":
            self._send(
                text(200, control.proof(self.server.port, path.rpartition("/")[2], self.server.env))
            )
        elif path == f"{access.BASE}enter" and asked.method == "POST":
            self._enter(_object(body))
        elif self._is_allowed(asked):
            if path == f"{access.BASE}live" and asked.method == "GET":
                self._stream()
            else:
                self._send(routes.answer(asked.method, path, query, _object(body)))

    def _enter(self, given: dict[str, Any]) -> None:
        """A code of a link for the token of a page."""
        if self._is_agents():
            return
        token = links_store.redeem(str(given.get("code", "")), self.server.env)
        if token:
            self._send(as_json({"ok": True, "token": token}))
        else:
            self._send_wrong("this link was used, or is too old")

    def _is_allowed(self, asked: access.Request) -> bool:
        """Whether the person's page asks; else the answer says why not."""
        if not links_store.is_token(access.token_of(asked.headers), self.server.env):
            self._send_wrong("no page with such a token is open")
            return False
        return not self._is_agents()

    def _is_agents(self) -> bool:
        """Whether an agent's client started the program that asks: no person's page, whatever it knows."""
        if self.peer is None:
            self.peer = peer_facts.sign_of_an_agent(
                self.client_address[1], self.server.port, self.server.env
            )
        if self.peer:
            self.server.routes.note_forgery(self.peer)
            self._send(as_json({"ok": False, "why": self.peer, "hint": ""}, 403))
        return bool(self.peer)

    def _send_wrong(self, why: str) -> None:
        if self.server.note_wrong_token():
            self.close_connection = True
            self._send(text(429, "too many wrong tokens"))
        else:
            self._send(as_json({"ok": False, "why": why, "hint": "edge serve link"}, 401))

    def _stream(self) -> None:
        """What changes, as server-sent events, until the page goes away."""
        self.close_connection = True
        self.send_response(200)
        self._send_headers("text/event-stream")
        self.connection.settimeout(self.server.patience)
        for event in self.server.routes.changes(self.server.is_ending):
            self.wfile.write(event)
            self.wfile.flush()

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self._send_headers(reply.kind)
        self.wfile.write(reply.body)
        self.wfile.flush()

    def _send_headers(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        for name, value in access.HEADERS:
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def send_error(self, code: int, *_: Any, **__: Any) -> None:
        """For a request that cannot be read: the headers of any other answer, and nothing of it repeated."""
        self.close_connection = True
        self._send(text(int(code), "not a request for the dashboard"))

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: what matters is in the project's own log."""


def _object(body: bytes) -> dict[str, Any]:
    """The body of a request; {} where it is not a JSON object."""
    with contextlib.suppress(ValueError, RecursionError):
        found = json.loads(body)
        if isinstance(found, dict):
            return found
    return {}


# end of module
