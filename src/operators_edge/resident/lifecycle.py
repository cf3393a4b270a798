"""Starting, querying and stopping the resident.

Owns the program that is started and when another attempt may be made. Every hook that found no resident
imports this, so it imports next to nothing itself.
"""

from __future__ import annotations

import os
import time

from operators_edge import hook_client
from operators_edge.locations import known_user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

RETRY_SECONDS = 10.0
"""Minimum time between two attempts: a resident that cannot start costs a hook one `stat`, no more."""

_INHERITED = (
    "HOME",
    "USER",
    "LOGNAME",
    "PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    hook_client.RESIDENT_VARIABLE,  # an http server that was started with it starts no resident either
)
"""Variables that a resident inherits; each call brings its own environment."""


def start_if_absent(env: Mapping[str, str] = os.environ) -> int:
    """Start a resident, unless one runs, is just being started, or is switched off; its PID, or 0."""
    try:
        connection = hook_client.connect(env)
    except OSError:
        pass
    else:
        if connection is not None:
            connection.close()
        return 0
    if not os.path.exists(_off_path(env)) and _is_due(hook_client.lock_path(env)):
        return spawn(hook_client.RESIDENT_OPTION, env)
    return 0


def _is_due(lock: str) -> bool:
    """Whether another attempt is due. It is noted in the lock file's time, so not every call tries again.

    False, too, if the folder belongs to another user, as below ``sudo``, or cannot be written.
    """
    folder = os.path.dirname(lock)
    try:
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o700)
        if os.stat(folder).st_uid != os.geteuid():
            return False
        noted = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        pass
    except OSError:
        return False
    else:
        os.close(noted)
        return True
    try:
        if 0 <= time.time() - os.stat(lock).st_mtime < RETRY_SECONDS:
            return False
        os.utime(lock)
    except OSError:
        return False
    return True


def spawn(option: str, env: Mapping[str, str]) -> int:
    """Start ``hook.py`` with this option, in a session of its own; a failure is reported on stderr.

    Returns the PID, which a long-running caller must reap; 0 if none was started.
    """
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415 - `signal` imports enum

    from operators_edge.system import processes  # noqa: PLC0415 - only to start one

    interpreter, hook = processes.own_program()
    command = [interpreter, "-I", "-S", hook, option]
    inherited = {name: env[name] for name in _INHERITED if name in env}
    streams = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    try:
        return os.posix_spawn(
            command[0],
            command,
            inherited,
            file_actions=streams,
            setsid=True,
            setsigmask=(),
            setsigdef=(_signal.SIGCHLD, _signal.SIGTERM, _signal.SIGALRM),
        )
    except NotImplementedError:  # an older system
        import subprocess  # noqa: PLC0415 - see above

        null = subprocess.DEVNULL
        return subprocess.Popen(
            command, env=inherited, stdin=null, stdout=null, stderr=null, start_new_session=True
        ).pid
    except OSError as error:
        os.write(2, f"operators-edge: {option} was not started: {error.strerror}\n".encode())
        return 0


def query(kind: str, env: Mapping[str, str] = os.environ) -> dict[str, Any] | None:
    """The running resident's answer to ``status`` or ``stop``; None if none runs.

    ``stop`` kills one that hangs. OSError: one runs and does not answer.
    """
    import json  # noqa: PLC0415 - only for a person's command

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
    from operators_edge.storage.keys import make_user_dir  # noqa: PLC0415 - only for a person's command

    make_user_dir(env, "run")
    path = _off_path(env)
    if not is_on:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    elif os.path.lexists(path):
        os.unlink(path)


def is_switched_off(env: Mapping[str, str] = os.environ) -> bool:
    return os.path.exists(_off_path(env))


def _off_path(env: Mapping[str, str]) -> str:
    """The file that switches the resident off; "" without a home."""
    folder = known_user_dir(env)
    return os.path.join(folder, "run", "off") if folder else ""
