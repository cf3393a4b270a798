"""The holder of the http transport as everybody else sees it: there or not, ours or not; and mending it.

Owns telling a holder from whoever else listens on the person's port. Does not own answering
(``resident.http_server``).
"""

from __future__ import annotations

import contextlib
import hmac
import http.client
import os
import secrets
import sys
import time
from typing import TYPE_CHECKING, Any, Literal

from operators_edge import hook_client
from operators_edge.resident import lifecycle
from operators_edge.storage import bindings, transport
from operators_edge.system import processes
from operators_edge.system.user_dirs import user_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.storage.transport import Endpoint

State = Literal["ours", "nobody", "hung", "another"]

HOLD = "--hold"
"""The word with which ``hook.py`` becomes the holder."""

PROOF_SECONDS = 1.0
"""How long the listener may take to prove itself."""

READY_SECONDS = 3.0
"""How long a new holder may take to listen."""


def state(known: Endpoint, env: Mapping[str, str] = os.environ) -> State:
    """Who listens on the port."""
    nonce = secrets.token_hex(16)
    connection = http.client.HTTPConnection("127.0.0.1", known.port, timeout=PROOF_SECONDS)
    try:
        connection.request("GET", f"/{known.token}/proof/{nonce}")
        said = connection.getresponse().read(200)
    except TimeoutError:
        return "hung"
    except ConnectionRefusedError:
        return "nobody"
    except (OSError, http.client.HTTPException):
        return "another"
    finally:
        connection.close()
    return "ours" if hmac.compare_digest(said, transport.proof(known, nonce, env)) else "another"


def mend(env: Mapping[str, str] = os.environ, *, patience: float = READY_SECONDS) -> State | None:
    """See that the holder is there; the state that is left, None where no http is wanted.

    One that is about to go still has the lock: with more ``patience`` another try is made.
    """
    known = transport.load(env)
    if known is None:
        return None
    found = state(known, env)
    if found == "hung" and _end_hung(env):
        found = "nobody"
    if found == "nobody":
        until = time.monotonic() + patience
        again = 0.0
        while found == "nobody" and time.monotonic() < until:
            if time.monotonic() >= again:
                lifecycle.spawn(HOLD, env)
                again = time.monotonic() + READY_SECONDS
            time.sleep(0.02)
            found = state(known, env)
    return found


def lock_path(env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "run", "holder.lock")


def _end_hung(env: Mapping[str, str]) -> bool:
    """End a holder of ours that answers nothing; False where what hangs there is not ours."""
    try:
        with open(lock_path(env), encoding="ascii") as file:
            pid = int(file.read())
    except (OSError, ValueError):
        return False
    if not hook_client.is_one_of_us(pid, HOLD):
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 9)
    return True


def is_possible() -> bool:
    """Whether a holder can run on this system."""
    return os.name == "posix" and sys.platform != "cygwin"


def any_client(env: Mapping[str, str]) -> bool:
    """Whether a client that a session is bound to lives."""
    return any(map(is_client_alive, bindings.session_bindings(env=env)))


def is_client_alive(record: Mapping[str, Any]) -> bool:
    """Whether the client of this binding lives."""
    pid = record.get("pid")
    return isinstance(pid, int) and processes.is_alive(
        processes.Identity(pid, str(record.get("started")))
    )
