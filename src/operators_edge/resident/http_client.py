"""The http server as other processes see it: whether it runs and is ours, and starting it.

Owns telling our server from another program on the person's port. Does not own answering events
(``resident.http_server``).
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time

from operators_edge import hook_client
from operators_edge.resident import control
from operators_edge.storage import bindings, transport
from operators_edge.system import listener, processes
from operators_edge.system.user_dirs import user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.storage.transport import Endpoint
    from operators_edge.system.listener import State

SERVER_OPTION = "--hold"
"""The argument with which ``hook.py`` becomes the http server."""

PROOF_SECONDS = 1.0
"""For the listener to prove that it knows the person's key."""

READY_SECONDS = 3.0
"""For a new server to listen."""


def listener_state(known: Endpoint, env: Mapping[str, str] = os.environ) -> State:
    """What listens on the port: our server, nothing, something that hangs, or another program."""
    nonce = secrets.token_hex(16)
    path, proof = f"/{known.token}/proof/{nonce}", transport.proof(known, nonce, env)
    return listener.state_of(known.port, path, proof, seconds=PROOF_SECONDS)


def ensure_running(
    env: Mapping[str, str] = os.environ, *, patience: float = READY_SECONDS
) -> State | None:
    """Start the server if it does not run; returns the state afterwards, None if http was not chosen.

    A server that is about to end still has the lock: with more ``patience`` it is tried again.
    """
    known = transport.load(env)
    if known is None:
        return None
    state = listener_state(known, env)
    if state == "hung" and _kill_hung(env):
        state = "nobody"
    until = time.monotonic() + patience
    next_attempt = 0.0
    while state == "nobody" and time.monotonic() < until:
        if time.monotonic() >= next_attempt:
            control.spawn(SERVER_OPTION, env)
            next_attempt = time.monotonic() + READY_SECONDS
        time.sleep(0.02)
        state = listener_state(known, env)
    return state


def lock_path(env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "run", "holder.lock")


def server_pid(env: Mapping[str, str] = os.environ) -> int:
    """The number of the server that was started last; 0 if none is known."""
    try:
        with open(lock_path(env), encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return 0


def _kill_hung(env: Mapping[str, str]) -> bool:
    """Kill a server of ours that does not answer; False if what hangs is not ours."""
    pid = server_pid(env)
    if not pid or not hook_client.is_own_process(pid, SERVER_OPTION):
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 9)
    return True


def has_live_client(env: Mapping[str, str]) -> bool:
    """Whether the client of any session is still running."""
    return any(map(is_client_alive, bindings.session_bindings(env=env)))


def is_client_alive(record: Mapping[str, Any]) -> bool:
    """Whether the client of this binding is still running."""
    client = processes.recorded(record)
    return client is not None and processes.is_alive(client)


# end of module
