"""The dashboard as a process: starting, querying and ending it, and the links that open it.

Owns its port and the lock that says that it runs. Does not own the server (``web.server``) or who may have a
link (``cli``). Nothing of the server is imported here: starting it is another process's work.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time

from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.storage import files, keys
from operators_edge.system import listener, sockets
from operators_edge.system.user_dirs import background_env, user_dir
from operators_edge.tuples import NamedTuple
from operators_edge.web import links_store
from operators_edge.web.access import BASE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.system.listener import State

PORT = 8080
PORT_VARIABLE = "EDGE_PORT"
READY_SECONDS = 10.0
END_SECONDS = 5.0
PROOF_SECONDS = 2.0
RECORD_SECONDS = 0.5
"""A dashboard writes its record right after it has the lock."""

MODULE = "operators_edge.web"


class Running(NamedTuple):
    """The dashboard that runs; ``since`` in seconds since 1970."""

    pid: int
    port: int
    since: float

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{BASE}"


def port_of(env: Mapping[str, str], given: int | None = None) -> int:
    """The port that the person chose: given, in ``EDGE_PORT``, or the usual one. 0: any that is free."""
    text = env.get(PORT_VARIABLE, "") if given is None else str(given)
    port = int(text) if text.isascii() and text.isdecimal() else PORT if not text else -1
    if not 0 <= port <= 65535:
        raise UsageError(f"{text} is not a port", hint=f"{PORT_VARIABLE}=8090 edge serve")
    return port


# -- seen from outside -----------------------------------------------------------------------------


def running(env: Mapping[str, str] = os.environ) -> Running | None:
    """The dashboard of this person; None if none runs. AnswerIsNo: one runs and does not answer."""
    known = _holder(env)
    if known is None:
        return None
    state = state_of(known.port, env)
    if state != "ours":
        raise AnswerIsNo(
            f"process {known.pid} has the dashboard and does not answer at port {known.port}",
            hint=f"end it, then start it again: kill {known.pid}",
        )
    return known


def state_of(port: int, env: Mapping[str, str]) -> State:
    """What listens there: our dashboard, nothing, something that hangs, or another program."""
    nonce = secrets.token_hex(16)
    expected = proof(port, nonce, env).encode()
    return listener.state_of(port, f"{BASE}proof/{nonce}", expected, seconds=PROOF_SECONDS)


def proof(port: int, nonce: str, env: Mapping[str, str]) -> str:
    """The answer to a number that only a dashboard of this person can compute."""
    return keys.seal(f"dashboard at {port} {nonce[:64]!a}", env=env)


def link(known: Running, env: Mapping[str, str] = os.environ) -> str:
    """A link that opens the dashboard, once and within ten minutes."""
    return f"{known.address}#code={links_store.new_code(env)}"


def start(
    env: Mapping[str, str] = os.environ, *, port: int | None = None, here: str = ""
) -> Running:
    """The dashboard that runs already, or a new one in the background. AnswerIsNo: it cannot start."""
    known = running(env)
    if known is not None:
        return known
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", MODULE, str(port_of(env, port)), here],
        env=background_env(env),
        cwd=os.sep,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    )
    with process.stdout or contextlib.nullcontext() as out:
        said = out.readline() if out else ""
    until = time.monotonic() + READY_SECONDS
    while said.startswith("ready") and time.monotonic() < until:
        known = running(env)
        if known is not None:
            return known
        time.sleep(0.02)
    why, _, hint = said.strip().partition("\t")
    raise AnswerIsNo(why or "the dashboard has not started", hint=hint or "edge serve")


def stop(env: Mapping[str, str] = os.environ) -> Running | None:
    """End the dashboard, and every link to it; returns the one that ran. AnswerIsNo: it goes on running."""
    links_store.forget(env)
    known = _holder(env)
    if known is None:
        return None
    with contextlib.suppress(ProcessLookupError):
        os.kill(known.pid, signal.SIGTERM)
    until = time.monotonic() + END_SECONDS
    while _is_held(env):
        if time.monotonic() > until:
            raise AnswerIsNo(f"process {known.pid} does not end", hint=f"kill -9 {known.pid}")
        time.sleep(0.02)
    return known


def _path(env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "run", "dashboard.lock")


def _holder(env: Mapping[str, str]) -> Running | None:
    """The process that has the lock; None if none has. AnswerIsNo: one has, and its record is damaged."""
    until = time.monotonic() + RECORD_SECONDS
    while _is_held(env):
        known = _recorded(env)
        if known is not None:
            return known
        if time.monotonic() > until:
            path = _path(env)
            raise AnswerIsNo(
                f"a dashboard runs, and its record cannot be read: {path}",
                hint=f"find its process, end it, then start it again: fuser {shlex.quote(path)}",
            )
        time.sleep(0.02)  # it is being written
    return None


def _recorded(env: Mapping[str, str]) -> Running | None:
    data = files.read_bytes(_path(env))
    try:
        known = None if data is None else Running(**json.loads(data))
    except (ValueError, TypeError):
        return None
    return known if known is not None and type(known.pid) is type(known.port) is int else None


def _acquired(env: Mapping[str, str]) -> int | None:
    from operators_edge.storage.process_lock import acquire  # noqa: PLC0415 - not on Windows

    return acquire(_path(env), env)


def _is_held(env: Mapping[str, str]) -> bool:
    lock = _acquired(env)
    if lock is None:
        return True
    os.close(lock)
    return False


# -- the process itself ----------------------------------------------------------------------------


class Claimed(NamedTuple):
    """What makes this process the dashboard: its lock and its socket."""

    lock: int
    listening: socket.socket
    known: Running


def claim(port: int, env: Mapping[str, str]) -> Claimed:
    """Become the dashboard of this person. AnswerIsNo: one runs already, or the port is taken."""
    lock = _acquired(env)
    if lock is None:
        raise AnswerIsNo("the dashboard runs already", hint="edge serve link")
    try:
        listening = _listen(port)
    except OSError:
        os.close(lock)
        raise AnswerIsNo(_who_has(port), hint=f"{PORT_VARIABLE}=8090 edge serve") from None
    known = Running(os.getpid(), int(listening.getsockname()[1]), time.time())
    os.ftruncate(lock, 0)
    os.pwrite(lock, json.dumps(known._asdict()).encode(), 0)
    return Claimed(lock, listening, known)


def _listen(port: int) -> socket.socket:
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(64)
    except OSError:
        listening.close()
        raise
    return listening


def _who_has(port: int) -> str:
    pid = sockets.listener(port)
    name = sockets.program(pid) if pid else ""
    return f"port {port} is taken" + (f" by process {pid} ({name})" if pid else "")


# end of module
