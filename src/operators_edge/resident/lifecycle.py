"""When a hook starts the resident: if none runs, it is not switched off, and no attempt was just made.

Every hook that found no resident imports this, so it imports next to nothing itself. Starting, querying and
stopping are in ``resident.control``.
"""

from __future__ import annotations

import os
import time

from operators_edge import hook_client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

RETRY_SECONDS = 10.0
"""Minimum time between two attempts: a resident that cannot start costs a hook one `stat`, no more."""


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
    if is_switched_off(env) or not _is_due(hook_client.lock_path(env)):
        return 0
    from operators_edge.resident import control  # noqa: PLC0415 - once in a while

    return control.spawn(hook_client.RESIDENT_OPTION, env)


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


def is_switched_off(env: Mapping[str, str] = os.environ) -> bool:
    return os.path.exists(hook_client.off_path(env))


# end of module
