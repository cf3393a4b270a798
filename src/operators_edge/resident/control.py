"""Starting, querying, stopping and switching off the resident.

Owns the program that is started, for the http server too, and its environment.
"""

from __future__ import annotations

import json
import os
import subprocess

from operators_edge import hook_client
from operators_edge.storage.keys import make_user_dir
from operators_edge.system import processes
from operators_edge.system.user_dirs import background_env

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def spawn(option: str, env: Mapping[str, str]) -> int:
    """Start ``hook.py`` with this option, in a session of its own; a failure is reported on stderr.

    Returns the PID, which a long-running caller must reap; 0 if none was started.
    """
    interpreter, hook = processes.own_program()
    null = subprocess.DEVNULL
    try:
        return subprocess.Popen(
            [interpreter, "-I", "-S", hook, option],
            # An http server that was started with this variable starts no resident either.
            env=background_env(env, (hook_client.RESIDENT_VARIABLE,)),
            stdin=null,
            stdout=null,
            stderr=null,
            start_new_session=True,
        ).pid
    except OSError as error:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"{option} was not started: {error.strerror}")
        return 0


def query(kind: str, env: Mapping[str, str] = os.environ) -> dict[str, Any] | None:
    """The running resident's answer to ``status`` or ``stop``; None if none runs.

    ``stop`` kills one that hangs. OSError: one runs and does not answer.
    """
    try:
        connection = hook_client.connect(env)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    if connection is None:
        return None
    try:
        reply = hook_client.query(connection, kind.encode())
    except TimeoutError:
        pid = (
            hook_client.kill_hung(connection, hook_client.socket_path(env)) if kind == "stop" else 0
        )
        if not pid:
            raise
        return {"pid": pid}
    return None if reply is None else dict(json.loads(reply.answer))


def switch(env: Mapping[str, str] = os.environ, *, is_on: bool) -> None:
    """Allow starting the resident, or prevent it."""
    make_user_dir(env, "run")
    path = hook_client.off_path(env)
    if not is_on:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    elif os.path.lexists(path):
        os.unlink(path)


# end of module
