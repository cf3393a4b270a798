"""The dashboard's process, from its start to its end."""

from __future__ import annotations

import os
import signal
import threading

from operators_edge.errors import EdgeError
from operators_edge.web import control
from operators_edge.web.routes import Routes
from operators_edge.web.server import Dashboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.web.control import Claimed


def serve(claimed: Claimed, env: Mapping[str, str], here: str) -> None:
    """Serve until SIGTERM or SIGINT. For the main thread of a process."""
    server = Dashboard(claimed.listening, Routes(env, here), env)
    over = threading.Event()
    before = [(each, signal.signal(each, lambda *_: over.set())) for each in _ENDING]
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        while not over.wait(1.0):  # in steps: a signal is handled between them on every system
            pass
        server.end()
        thread.join(control.END_SECONDS)
    finally:
        for each, handler in before:
            signal.signal(each, handler)
        os.close(claimed.lock)


_ENDING = (signal.SIGTERM, signal.SIGINT)


def main(port: int, here: str, env: Mapping[str, str] = os.environ) -> int:
    """In the background: says on stdout whether it could start, and serves."""
    try:
        claimed = control.claim(port, env)
    except EdgeError as error:
        os.write(1, f"{error.message}\t{error.hint}\n".encode())
        return error.exit_code
    os.write(1, b"ready\n")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.close(null)
    serve(claimed, env, here)
    return 0


# end of module
