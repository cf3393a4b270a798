"""Views that take long do not hold up the page: it learns that they are being read, and asks again.

A view is slow when a cache was lost: what many log entries add up to is read again, once. Meanwhile every
other view and decision is answered.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError as StillRunning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SECONDS = 2.0
MAX_AT_ONCE = 16


class Patience:
    """One for a server. ``seconds``: how long a page waits for a view."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._pool = ThreadPoolExecutor(MAX_AT_ONCE, thread_name_prefix="view")
        self._slow: dict[str, Future[Any]] = {}
        self._lock = threading.Lock()

    def result(self, key: str, act: Callable[[], Any]) -> Any:
        """What ``act`` returns or raises; None while it, or one before it for this key, still runs."""
        with self._lock:
            before = self._slow.get(key)
            if before is not None and not before.done():
                return None
            self._slow.pop(key, None)
        future = self._pool.submit(act)
        try:
            return future.result(self.seconds)
        except StillRunning:
            if future.done():
                raise  # it was the view's own
            with self._lock:
                self._slow[key] = future
            return None

    def end(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


# end of module
