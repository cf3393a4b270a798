"""The holder: the one process that listens for the http transport.

Owns the listening socket and who may speak to it. Does not own any answer: each event goes the way that
a process hook goes, so a resident can be killed, replaced or hung, and every event is answered.

    client ── POST /…/claude ──> _Handler ── request ──> resident          (``_warm_reply``)
                                          ── no reply ──> a hook process    (``cold``)
    client <── its answer ────── _Handler

A hook that looks after the transport asks ``GET /…/proof/NUMBER`` instead (``held.state``).

It stays while a client that a session is bound to lives. When its own code changes, it becomes the new
code and keeps the socket.
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
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge import hook_client
from operators_edge.hosts.claude import identity, rewire
from operators_edge.resident import http_client, lifecycle
from operators_edge.resident.lock import hold
from operators_edge.storage import transport
from operators_edge.system import processes, sockets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.hook_client import Reply
    from operators_edge.hosts.claude.identity import Binding
    from operators_edge.resident.server import Deciding
    from operators_edge.storage.transport import Endpoint

LOOK_SECONDS = 5.0
"""How often it looks whether anybody is left to stay for."""

ALONE_SECONDS = 60.0
"""So long it stays without a living client: one may be starting."""

TAKEN_UP_SECONDS = 4.0
"""So long it still answers when nobody wants it: clients that run read their settings again first."""

COLD_SECONDS = 11.0
"""How long a process that decides by itself may take; its own deadline is earlier."""

STRANGER_SECONDS = 10.0
"""How long a connection may say nothing before it has shown that it knows the person's word."""

FRIEND_SECONDS = 3600.0
"""And afterwards: a client keeps it between its calls."""

MOST_BYTES = 64 << 20

_MOST_OF_A_STRANGERS = 1 << 16

_SOCKET = "EDGE_HELD_SOCKET"

_MOST_ENVIRONMENTS = 64


# -- the server ------------------------------------------------------------------------------------


class Environment(NamedTuple):
    """The environment of a client's calls, and the same as it is sent."""

    variables: dict[str, str]
    packed: bytes


class Holder(ThreadingHTTPServer):
    """``known`` is what the person chose; ``env`` names the person's folders."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(
        self,
        listening: socket.socket,
        known: Endpoint,
        deciding: Deciding,
        env: Mapping[str, str],
    ) -> None:
        super().__init__(("127.0.0.1", known.port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.known = known
        self.deciding = deciding
        self.env = env
        self.code = hook_client.code_files()
        self.started = {0}
        self.mask = hook_client.own_mask()
        self._last_needed = time.monotonic()
        self._environments: dict[Binding | None, Environment] = {}
        self._at_work = 0
        self._done = threading.Condition()

    def environment(self, bound: Binding | None) -> Environment:
        """See ``environment``; looked up once for each binding, where the system tells the client's own."""
        known = self._environments.get(bound)
        if known is None:
            client = bound.client if bound is not None else None
            own = processes.environment_of(client) if client is not None else None
            variables = environment(bound, own, self.env)
            known = Environment(variables, hook_client.packed(variables))
            if len(self._environments) >= _MOST_ENVIRONMENTS:
                self._environments.clear()
            if own is not None or client is None:
                self._environments[bound] = known
        return known

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """While an event is answered the process does not become another."""
        with self._done:
            self._at_work += 1
        try:
            yield
        finally:
            with self._done:
                self._at_work -= 1
                self._done.notify_all()

    def finish(self) -> None:
        """Answer what was asked, and take nobody new: who comes now waits in the socket's queue."""
        self.shutdown()
        with self._done:
            self._done.wait_for(lambda: not self._at_work, COLD_SECONDS)

    def watch(self) -> str:
        """Wait until it is over; returns why."""
        while True:
            time.sleep(LOOK_SECONDS)
            self.started = {pid for pid in list(self.started) if not _is_buried(pid)}
            if transport.load(self.env) != self.known:
                time.sleep(TAKEN_UP_SECONDS)
                return "nobody wants it any more"
            if hook_client.code_files(self.code) != self.code:
                return "its code has changed"
            if http_client.any_client(self.env):
                self._last_needed = time.monotonic()
            elif time.monotonic() - self._last_needed > ALONE_SECONDS:
                if not rewire.is_used(self.env):  # the hooks were taken out while a client ran
                    transport.remove(self.env)
                return "no client is left"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that goes away is no error of ours."""


def _is_buried(pid: int) -> bool:
    """Whether a resident that was started here has ended; then nothing is left of it."""
    try:
        return pid > 0 and os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


# -- one connection --------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    """One connection of one client, which asks many times over it."""

    server: Holder
    protocol_version = "HTTP/1.1"
    server_version = "operators-edge"
    sys_version = ""
    timeout = STRANGER_SECONDS
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self) -> None:
        super().setup()
        self.proven: set[str] = set()
        self.line: Any = None

    def handle(self) -> None:
        """Nothing is even read from another user of this machine (Linux; elsewhere it is not told)."""
        theirs = sockets.user_of_end(self.client_address[1], self.server.known.port)
        if theirs in (None, os.geteuid()):
            super().handle()

    def do_GET(self) -> None:
        """Prove who listens here."""
        words = self._words()
        if len(words) == 2 and words[0] == "proof":
            self._say(200, transport.proof(self.server.known, words[1], self.server.env))
        else:
            self._say(404)

    def do_POST(self) -> None:
        """Answer one event."""
        with self.server.answering():
            self._post()

    def _post(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            self.close_connection = True
            self._say(404)
            return
        is_known = self._words() == ["claude"]
        raw = self.rfile.read(int(length) if is_known else min(int(length), _MOST_OF_A_STRANGERS))
        if not is_known:
            self.close_connection = True
            self._say(404)
            return
        event: dict[str, Any] = {}
        try:
            event.update(json.loads(raw.decode("utf-8", "surrogatepass")))
            status, answer = self._answer(event, raw)
        except Exception as error:  # noqa: BLE001 - the edge: nothing may fall open
            why = f"{type(error).__name__}: {error}"
            status, answer = 200, self.server.deciding.failure(event, why).encode()
        self._say(status, answer)

    def _words(self) -> list[str]:
        """What the path says behind the person's word; nothing for anybody else."""
        _, _, rest = self.path.partition(f"/{self.server.known.token}/")
        is_local = self.headers.get("host") == f"127.0.0.1:{self.server.known.port}"
        if not rest or not is_local or "origin" in self.headers:
            return []
        if self.connection.gettimeout() != FRIEND_SECONDS:
            self.connection.settimeout(FRIEND_SECONDS)
        return rest.split("/")

    def _answer(self, event: dict[str, Any], raw: bytes) -> tuple[int, bytes]:
        session = str(event.get("session_id") or "unknown")
        bound = identity.binding(session, self.server.env)
        if not self._is_the_client(session, bound):
            return 403, b""
        env = self.server.environment(bound)
        folder = str(event.get("cwd") or os.sep)
        if bound is not None and _is_anothers(bound.program):
            return 200, cold(raw, env.variables, folder, bound.program)
        reply = self._warm_reply(hook_client.request(raw, env.packed, folder, self.server.mask))
        if reply is None:
            self.server.started.add(lifecycle.if_absent(self.server.env))
            return 200, cold(raw, env.variables, folder)
        return 200, reply.answer

    def _warm_reply(self, asked: bytes) -> Reply | None:
        """The resident's, over the connection that the last reply has left; that one may be gone."""
        env, line, self.line = self.server.env, self.line, None
        reply = hook_client.answered(line, asked, env) if line is not None else None
        if reply is None:
            try:
                line = hook_client.connect(env)
            except OSError:
                return None
            reply = hook_client.answered(line, asked, env) if line is not None else None
        if reply is not None and not reply.is_last:
            self.line = line
        return reply

    def _is_the_client(self, session: str, bound: Binding | None) -> bool:
        """Whether the client that the session is bound to is at the other end (HO-9).

        Asked once for a connection; where the system does not tell, the word in the path has to do.
        """
        if bound is None or bound.client is None or session in self.proven:
            return True
        theirs = self.client_address[1]
        is_theirs = sockets.is_end_of(bound.client, theirs, self.server.known.port)
        if is_theirs is False:
            return False
        self.proven.add(session)
        return True

    def _say(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what counts is in the project's own log."""


# -- where an answer comes from --------------------------------------------------------------------


def environment(
    bound: Binding | None, own: Mapping[str, str] | None, env: Mapping[str, str]
) -> dict[str, str]:
    """What a process hook of the session would have found in its environment.

    The client's ``own``, as far as the system tells; an http hook brings none. What names the session
    comes from its binding, and the person's folders are the holder's, which belong to its port.
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


def _is_anothers(program: tuple[str, ...]) -> bool:
    """Whether the session is another installation's, which has rules of its own and is there.

    An installation is known by its folders, as to the resident: a link leads to the same one.
    """
    own = processes.own_program()
    if len(program) != 2 or program == own or not all(map(os.path.isfile, program)):
        return False
    folders = zip(map(os.path.dirname, program), map(os.path.dirname, own), strict=True)
    try:
        return not all(os.path.samefile(theirs, ours) for theirs, ours in folders)
    except OSError:
        return True  # ours is gone


def cold(
    raw: bytes, env: dict[str, str], folder: str, program: tuple[str, ...] | None = None
) -> bytes:
    """The answer of a process hook of its own, or of the ``program`` of another installation.

    Raises where it fails, or says what is no answer.
    """
    interpreter, hook = program or processes.own_program()
    done = subprocess.run(
        [interpreter, "-I", "-S", hook, "claude"],
        input=raw,
        env=env if program else {**env, hook_client.OFF: "off"},
        cwd=folder if os.path.isdir(folder) else os.sep,
        capture_output=True,
        timeout=COLD_SECONDS,
        check=True,
    )
    if done.stdout:
        json.loads(done.stdout)  # a client takes what it cannot read for no opinion
    return done.stdout


# -- the program -----------------------------------------------------------------------------------


def main(deciding: Deciding, env: Mapping[str, str] = os.environ) -> int:
    """Hold the port until it is over. Says on stdout how it goes."""
    known = transport.load(env)
    if known is None:
        return _tell("no http transport was chosen", 0)
    lock = hold(http_client.lock_path(env), env)
    if lock is None:
        return _tell("another one holds the port", 0)
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)  # whom to end when it hangs (``held``)
    listening = _listen(known)
    if listening is None:
        return _tell(f"port {known.port} is taken", 1)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # else no exit code could be read: see `cold`
    server = Holder(listening, known, deciding, env)
    gc.collect()
    gc.freeze()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    _tell("ready", 0)
    server.started.add(lifecycle.if_absent(env))
    why = server.watch()
    _tell(why, 0)
    if why == "its code has changed":
        server.finish()
        _become_new(listening, env)
    return 0


def _listen(known: Endpoint) -> socket.socket | None:
    """The listening socket, handed on by the code before this one, or new."""
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


def _become_new(listening: socket.socket, env: Mapping[str, str]) -> None:
    """Run the new code in this process; who connects meanwhile waits in the socket's queue."""
    listening.set_inheritable(True)
    given = {**env, _SOCKET: str(listening.fileno())}
    interpreter, hook = processes.own_program()
    os.execve(  # noqa: S606 - our own program
        interpreter, [interpreter, "-I", "-S", hook, http_client.HOLD], given
    )


def _tell(text: str, status: int) -> int:
    os.write(1, f"{text}\n".encode())
    return status
