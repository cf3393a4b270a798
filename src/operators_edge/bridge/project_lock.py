"""The lock of a project: one watcher, and what it runs, at any time, whatever the lock files say.

A lease can pass to another watcher while its holder is paused, and a watcher can die before what it ran has
ended. So a watcher holds a lock of the operating system, too, which git and each of its supervisors inherit:
it is free when the last of them has ended. A holder that has lost its lease and does not end is ended.
"""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from operators_edge.errors import LockHeld
from operators_edge.git.commands import kept_open
from operators_edge.storage import files
from operators_edge.system import processes
from operators_edge.system.processes import Identity

if TYPE_CHECKING:
    from typing import Self

PATIENCE = 30.0
"""Seconds for a holder that lost its lease to notice, and to end what it runs."""


def _path(folder: str) -> str:
    return os.path.join(folder, "bridge.watch.lock")


def no_watcher(folder: str) -> files.Lock:
    """A lock that keeps watchers from starting, for a moment. LockHeld, at once, while one runs."""
    return files.Lock(_path(folder), command="edge bridge gc", limit=0.0)


class ProjectLock:
    """Held with ``with``, by a watcher that has the worker lock; ``folder`` is the person's for the project.

    Raises LockHeld if something that an earlier watcher started cannot be ended.
    """

    def __init__(self, folder: str, *, patience: float = PATIENCE) -> None:
        path = _path(folder)
        self._lock = files.Lock(path, command="edge bridge watch", limit=patience)
        self._holder = f"{path}.json"

    def __enter__(self) -> Self:
        try:
            self._lock.__enter__()
        except LockHeld:
            self._end_holder()
            self._lock.__enter__()
        own = processes.identity(os.getpid())
        files.write_durable(self._holder, json.dumps(own).encode())
        kept_open.add(self._lock.fileno())
        return self

    def __exit__(self, *error: object) -> None:
        kept_open.discard(self._lock.fileno())
        self._lock.__exit__(*error)

    def _end_holder(self) -> None:
        """End the watcher that has lost its lease: a paused one would go on where it stopped."""
        try:
            pid, started = json.loads(files.read_bytes(self._holder) or b"")
        except (ValueError, TypeError):
            return
        holder = Identity(pid, started)
        if pid != os.getpid() and processes.is_alive(holder):
            with suppress(ProcessLookupError):
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


# end of module
