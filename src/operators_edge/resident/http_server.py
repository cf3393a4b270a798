"""The http server: the one process that listens for the http transport.

Owns the listening socket and who may use it. Does not own any answer: as a process hook does, it asks the
resident, and if there is none, starts a hook that decides on its own. So a resident can be killed, replaced
or hung, and every event is still answered.

    client ── POST /…/claude ──> _Handler ── request ──> resident          (``_warm_reply``)
                                          ── no reply ──> a hook process    (``run_hook``)
    client <── its answer ────── _Handler

A hook that checks the transport asks ``GET /…/proof/NUMBER`` instead (``http_client.listener_state``).

It runs while the client of any session runs. When its own code changes, it executes the new code and keeps
the socket.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from operators_edge import hook_client
from operators_edge.hosts.claude import identity, rewire
from operators_edge.resident import http_client, lifecycle
from operators_edge.storage import transport
from operators_edge.storage.process_lock import acquire
from operators_edge.system import launch, processes, sockets
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from operators_edge.hook_client import Reply
    from operators_edge.hosts.claude.identity import Binding
    from operators_edge.resident.server import EventHandler
    from operators_edge.storage.transport import Endpoint

CHECK_SECONDS = 5.0
"""How often it checks whether to end."""

NO_CLIENT_SECONDS = 60.0
"""How long it runs without a live client: one may be starting."""

RELOAD_SECONDS = 4.0
"""How long it answers after http was switched off: running clients must reload their settings first."""

HOOK_SECONDS = 11.0
"""For a hook process that decides on its own; its own deadline is earlier."""

UNAUTHENTICATED_SECONDS = 10.0
"""How long a connection may be idle before it has shown that it knows the person's token."""

KEEPALIVE_SECONDS = 3600.0
"""How long it may be idle afterwards: a client keeps it open between its calls."""

MAX_EVENT_BYTES = 64 << 20

_MAX_UNAUTHENTICATED_BYTES = 1 << 16

_SOCKET = "EDGE_HELD_SOCKET"

_MAX_ENVIRONMENTS = 64


# -- the server ------------------------------------------------------------------------------------


class Environment(NamedTuple):
    """The environment of a client's calls, and the same encoded for a request."""

    variables: dict[str, str]
    packed: bytes


class HttpServer(ThreadingHTTPServer):
    """``known`` is the port and token that the person chose; ``env`` names the person's folders."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(
        self,
        listening: socket.socket,
        known: Endpoint,
        handler: EventHandler,
        env: Mapping[str, str],
    ) -> None:
        super().__init__(("127.0.0.1", known.port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.known = known
        self.handler = handler
        self.env = env
        self.code = hook_client.code_files()
        self.started = {0}
        self.mask = hook_client.current_umask()
        self._last_needed = time.monotonic()
        self._environments: dict[Binding | None, Environment] = {}
        self._active_events = 0
        self._done = threading.Condition()

    def environment(self, bound: Binding | None) -> Environment:
        """See ``environment``; cached for each binding whose client's environment can be read."""
        known = self._environments.get(bound)
        if known is None:
            client = bound.client if bound is not None else None
            own = processes.environment_of(client) if client is not None else None
            variables = environment(bound, own, self.env)
            known = Environment(variables, hook_client.encode_environment(variables))
            if len(self._environments) >= _MAX_ENVIRONMENTS:
                self._environments.clear()
            if own is not None or client is None:
                self._environments[bound] = known
        return known

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Count an event that is being answered: until it is, ``finish`` waits."""
        with self._done:
            self._active_events += 1
        try:
            yield
        finally:
            with self._done:
                self._active_events -= 1
                self._done.notify_all()

    def finish(self) -> None:
        """Answer the open requests and accept no new ones: those wait in the socket's queue."""
        self.shutdown()
        with self._done:
            self._done.wait_for(lambda: not self._active_events, HOOK_SECONDS)

    def watch(self) -> str:
        """Wait until the server must end; returns why."""
        while True:
            time.sleep(CHECK_SECONDS)
            self.started = {pid for pid in list(self.started) if not _reap(pid)}
            if transport.load(self.env) != self.known:
                time.sleep(RELOAD_SECONDS)
                return "nobody wants it any more"
            if hook_client.code_files(self.code) != self.code:
                return "its code has changed"
            if http_client.has_live_client(self.env):
                self._last_needed = time.monotonic()
            elif time.monotonic() - self._last_needed > NO_CLIENT_SECONDS:
                if not rewire.is_http_used(self.env):  # the hooks were removed while a client ran
                    transport.remove(self.env)
                return "no client is left"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore it: a client that closes its connection is not an error."""


def _reap(pid: int) -> bool:
    """Reap a resident that was started here; whether it has exited."""
    try:
        return pid > 0 and os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


# -- one connection --------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    """One connection of one client, with many requests."""

    server: HttpServer
    protocol_version = "HTTP/1.1"
    server_version = "operators-edge"
    sys_version = ""
    timeout = UNAUTHENTICATED_SECONDS
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self) -> None:
        super().setup()
        self.proven: set[str] = set()
        self.line: Any = None

    def handle(self) -> None:
        """Read nothing from another user of this machine (Linux; elsewhere the user is unknown)."""
        theirs = sockets.user_of_end(self.client_address[1], self.server.known.port)
        if theirs in (None, os.geteuid()):
            super().handle()

    def do_GET(self) -> None:
        """Prove that this server knows the person's key."""
        words = self._path_parts()
        if len(words) == 2 and words[0] == "proof":
            self._send(200, transport.proof(self.server.known, words[1], self.server.env))
        else:
            self._send(404)

    def do_POST(self) -> None:
        """Answer one event."""
        with self.server.answering():
            self._post()

    def _post(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_EVENT_BYTES:
            self.close_connection = True
            self._send(404)
            return
        is_known = self._path_parts() == ["claude"]
        raw = self.rfile.read(
            int(length) if is_known else min(int(length), _MAX_UNAUTHENTICATED_BYTES)
        )
        if not is_known:
            self.close_connection = True
            self._send(404)
            return
        event: dict[str, Any] = {}
        try:
            event.update(json.loads(raw.decode("utf-8", "surrogatepass")))
            status, answer = self._answer(event, raw)
        except Exception as error:  # noqa: BLE001 - the edge: no error may let a call run
            why = f"{type(error).__name__}: {error}"
            status, answer = 200, self.server.handler.failure(event, why).encode()
        self._send(status, answer)

    def _path_parts(self) -> list[str]:
        """The parts of the path after the person's token; empty if the request is not the person's."""
        _, _, rest = self.path.partition(f"/{self.server.known.token}/")
        is_local = self.headers.get("host") == f"127.0.0.1:{self.server.known.port}"
        if not rest or not is_local or "origin" in self.headers:
            return []
        if self.connection.gettimeout() != KEEPALIVE_SECONDS:
            self.connection.settimeout(KEEPALIVE_SECONDS)
        return rest.split("/")

    def _answer(self, event: dict[str, Any], raw: bytes) -> tuple[int, bytes]:
        session = str(event.get("session_id") or "unknown")
        bound = identity.binding(session, self.server.env)
        if not self._is_bound_client(session, bound):
            return 403, b""
        env = self.server.environment(bound)
        folder = str(event.get("cwd") or os.sep)
        if bound is not None and _is_other_installation(bound.program):
            return 200, run_hook(raw, env.variables, folder, bound.program)
        reply = self._resident_reply(
            hook_client.encode_request(raw, env.packed, folder, self.server.mask)
        )
        if reply is None:
            self.server.started.add(lifecycle.start_if_absent(self.server.env))
            return 200, run_hook(raw, env.variables, folder)
        return 200, reply.answer

    def _resident_reply(self, asked: bytes) -> Reply | None:
        """The resident's reply, over the last reply's connection if that is still open, else a new one."""
        env, line, self.line = self.server.env, self.line, None
        reply = hook_client.exchange(line, asked, env) if line is not None else None
        if reply is None:
            try:
                line = hook_client.connect(env)
            except OSError:
                return None
            reply = hook_client.exchange(line, asked, env) if line is not None else None
        if reply is not None and not reply.is_last:
            self.line = line
        return reply

    def _is_bound_client(self, session: str, bound: Binding | None) -> bool:
        """Whether the client that the session is bound to is at the other end (HO-9).

        Checked once per connection and session; if the system cannot tell, the token must be enough.
        """
        if bound is None or bound.client is None or session in self.proven:
            return True
        theirs = self.client_address[1]
        is_theirs = sockets.is_end_of(bound.client, theirs, self.server.known.port)
        if is_theirs is False:
            return False
        self.proven.add(session)
        return True

    def _send(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: what matters is in the project's own log."""


# -- where an answer comes from --------------------------------------------------------------------


def environment(
    bound: Binding | None, own: Mapping[str, str] | None, env: Mapping[str, str]
) -> dict[str, str]:
    """The environment that a process hook of the session would have had.

    The client's ``own``, if the system shows it; an http request brings none. The variables that identify
    the session come from its binding; the person's folders are this server's, which belong to its port.
    """
    found = {
        name: value
        for name, value in (own if own is not None else env).items()
        if not name.startswith("CLAUDE")
    }
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        found.pop(name, None)
        if name in env:
            found[name] = env[name]
    if bound is not None:
        found["CLAUDE_CODE_SESSION_ATTENDED"] = "1" if bound.is_attended else "0"
        if bound.first_root:
            found["CLAUDE_PROJECT_DIR"] = bound.first_root
        if bound.client is not None:
            found["CLAUDE_PID"] = str(bound.client.pid)
    return found


def _is_other_installation(program: tuple[str, ...]) -> bool:
    """Whether the session belongs to another installation that exists, which has rules of its own.

    An installation is identified by its folders, as for the resident: a link leads to the same one.
    """
    own = processes.own_program()
    if len(program) != 2 or program == own or not all(map(os.path.isfile, program)):
        return False
    folders = zip(map(os.path.dirname, program), map(os.path.dirname, own), strict=True)
    try:
        return not all(os.path.samefile(theirs, ours) for theirs, ours in folders)
    except OSError:
        return True  # ours is deleted


def run_hook(
    raw: bytes, env: dict[str, str], folder: str, program: tuple[str, ...] | None = None
) -> bytes:
    """The answer of a new process hook, or of the ``program`` of another installation.

    Raises an exception if it fails or its output is not an answer.
    """
    interpreter, hook = program or processes.own_program()
    done = subprocess.run(
        launch.command(interpreter, hook),
        input=raw,
        env=env if program else {**env, hook_client.RESIDENT_VARIABLE: "off"},
        cwd=folder if os.path.isdir(folder) else os.sep,
        capture_output=True,
        timeout=HOOK_SECONDS,
        check=True,
    )
    if done.stdout:
        json.loads(done.stdout)  # a client ignores what it cannot read, and the call runs
    return done.stdout


# -- the program -----------------------------------------------------------------------------------


def main(handler: EventHandler, env: Mapping[str, str] = os.environ) -> int:
    """Serve until the server must end. Prints its state on stdout."""
    known = transport.load(env)
    if known is None:
        return _report("no http transport was chosen", 0)
    lock = acquire(http_client.lock_path(env), env)
    if lock is None:
        return _report("another one holds the port", 0)
    os.ftruncate(lock, 0)
    os.pwrite(
        lock, str(os.getpid()).encode(), 0
    )  # for `http_client`, which kills a server that hangs
    listening = _listen(known)
    if listening is None:
        return _report(f"port {known.port} is taken", 1)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # else no exit code could be read: see `run_hook`
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    server = HttpServer(listening, known, handler, env)
    gc.collect()
    gc.freeze()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    _report("ready", 0)
    server.started.add(lifecycle.start_if_absent(env))
    why = server.watch()
    _report(why, 0)
    if why == "its code has changed":
        server.finish()
        _reexec(listening, env)
    return 0


def _listen(known: Endpoint) -> socket.socket | None:
    """The listening socket: inherited from the code before this one, or new; None if the port is taken."""
    given = os.environ.pop(_SOCKET, "")
    if given:
        with contextlib.suppress(OSError):
            return socket.socket(fileno=int(given))
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", known.port))
    except OSError:
        listening.close()
        return None
    listening.listen(256)
    return listening


def _reexec(listening: socket.socket, env: Mapping[str, str]) -> None:
    """Execute the new code in this process; new connections wait in the socket's queue."""
    listening.set_inheritable(True)
    given = {**env, _SOCKET: str(listening.fileno())}
    interpreter, hook = processes.own_program()
    os.execve(  # noqa: S606 - our own program
        interpreter, [interpreter, "-I", "-S", hook, http_client.SERVER_OPTION], given
    )


def _report(text: str, status: int) -> int:
    os.write(1, f"{text}\n".encode())
    return status


# end of module
