"""The hook's deadline where no signal can end a wait (Windows): a thread that ends with the process."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_timers: list[threading.Timer] = []


def start(seconds: float, act: Callable[[], None]) -> None:
    """Call ``act`` in so many seconds."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    _timers.append(timer)


def set_to(seconds: float) -> None:
    """Set the running timer to this many seconds from now; 0 stops it."""
    if not _timers:
        return
    timer = _timers.pop()
    timer.cancel()
    if seconds:
        start(seconds, timer.function)


# end of module
