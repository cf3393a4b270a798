"""Starting the resident, asking how it is, and ending it.

Owns the one program that is started and when another attempt may be made. On the way of every hook
that found no resident: it imports next to nothing.
"""

from __future__ import annotations

import os
import time

from operators_edge import hook_client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

BETWEEN_SECONDS = 10.0
"""At least so long between two attempts: one that cannot start costs a hook a file's look, no more."""

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
    hook_client.OFF,  # a holder that was started so starts no resident either
)
"""What a resident needs of the environment that started it; each call brings its own with it."""


def if_absent(env: Mapping[str, str] = os.environ) -> int:
    """Start a resident unless one runs, one was started a moment ago, or none is wanted; its number, or 0."""
    try:
        connection = hook_client.connect(env)
    except OSError:
        pass
    else:
        if connection is not None:
            connection.close()
        return 0
    if not os.path.exists(_off_path(env)) and _is_due(hook_client.lock_path(env)):
        return spawn(hook_client.STAY, env)
    return 0


def _is_due(lock: str) -> bool:
    """Whether it is time for an attempt, which is noted: one that fails is not made at every call.

    False, too, where the folder is not this user's, as below ``sudo``, or nothing can be noted in it.
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
        if 0 <= time.time() - os.stat(lock).st_mtime < BETWEEN_SECONDS:
            return False
        os.utime(lock)
    except OSError:
        return False
    return True


def spawn(word: str, env: Mapping[str, str]) -> int:
    """Start what ``hook.py`` becomes with this word, in a session of its own; a failure is told.

    The process's number, which whoever stays has to wait for at its end; 0 where none was started.
    """
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415 - `signal` imports enum

    from operators_edge.system import processes  # noqa: PLC0415 - where one is started

    interpreter, hook = processes.own_program()
    command = [interpreter, "-I", "-S", hook, word]
    kept = {name: env[name] for name in _INHERITED if name in env}
    nowhere = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    try:
        return os.posix_spawn(
            command[0],
            command,
            kept,
            file_actions=nowhere,
            setsid=True,
            setsigmask=(),
            setsigdef=(_signal.SIGCHLD, _signal.SIGTERM, _signal.SIGALRM),
        )
    except NotImplementedError:  # an older system: the same, by a slower way
        import subprocess  # noqa: PLC0415 - see above

        null = subprocess.DEVNULL
        return subprocess.Popen(
            command, env=kept, stdin=null, stdout=null, stderr=null, start_new_session=True
        ).pid
    except OSError as error:
        os.write(2, f"operators-edge: {word} was not started: {error.strerror}\n".encode())
        return 0


def said(kind: str, env: Mapping[str, str] = os.environ) -> dict[str, Any] | None:
    """The running resident's answer to ``status`` or ``stop``; None where there is none.

    One that hangs is ended by ``stop`` all the same. OSError: one is there and does not answer.
    """
    import json  # noqa: PLC0415 - for a person who asks

    try:
        connection = hook_client.connect(env)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    if connection is None:
        return None
    try:
        reply = hook_client.exchange(connection, kind.encode())
    except TimeoutError:
        pid = (
            hook_client.end_hung(connection, hook_client.socket_path(env)) if kind == "stop" else 0
        )
        if not pid:
            raise
        return {"pid": pid}
    return None if reply is None else dict(json.loads(reply.answer))


def switch(env: Mapping[str, str] = os.environ, *, is_on: bool) -> None:
    """Keep the resident from being started, or let it be again."""
    from operators_edge.storage.keys import make_user_dir  # noqa: PLC0415 - for a person who asks

    make_user_dir(env, "run")
    path = _off_path(env)
    if not is_on:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    elif os.path.lexists(path):
        os.unlink(path)


def is_switched_off(env: Mapping[str, str] = os.environ) -> bool:
    return os.path.exists(_off_path(env))


def _off_path(env: Mapping[str, str]) -> str:
    return os.path.join(os.path.dirname(hook_client.socket_path(env)), "off")
