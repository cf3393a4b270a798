"""A lock that one process of ours holds as long as it lives: a resident, an http server, a relay."""

from __future__ import annotations

import fcntl
import os

from operators_edge.storage.keys import make_user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def acquire(path: str, env: Mapping[str, str]) -> int | None:
    """The descriptor of the lock at this path, held until the process ends; None if another one has it."""
    make_user_dir(env, "run")
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


# end of module
