"""Attempts side by side: each in a thread of its own; what they share stays with the thread that began.

The queue, the gate, the tracker and the terminal are used in that one thread: what an attempt calls
waits until it is served there. With room for one attempt there is no other thread.

Does not own what an attempt does (``bridge.attempt``) or which is next (``bridge.watcher``).
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


class Crew:
    """Room for so many attempts; used in one thread, but for what ``shared`` returns."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._owner = threading.get_ident()
        self._threads = ThreadPoolExecutor(room)
        self._busy: dict[str, Future[str | None]] = {}
        self._asked: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None]
        self._asked = queue.SimpleQueue()

    @property
    def has_room(self) -> bool:
        return len(self._busy) < self._room

    @property
    def is_busy(self) -> bool:
        return bool(self._busy)

    @property
    def names(self) -> set[str]:
        """The attempts that have begun and not been taken out by ``ended``."""
        return set(self._busy)

    def start(self, name: str, run: Callable[[], str | None]) -> None:
        """Run an attempt; how it ended is among ``ended``."""
        if self._room == 1:
            self._busy[name] = Future()
            _answer(run, self._busy[name])
        else:
            self._busy[name] = self._threads.submit(run)
            self._busy[name].add_done_callback(lambda _: self._asked.put(None))

    def ended(self) -> Iterator[tuple[str, Future[str | None]]]:
        """The attempts that have ended, each once, with their result or their error."""
        for name in [name for name, future in self._busy.items() if future.done()]:
            yield name, self._busy.pop(name)

    def serve(self, seconds: float) -> None:
        """Do what an attempt asks for; returns when one has ended, or if none asks for so long."""
        try:
            while (asked := self._asked.get(timeout=seconds)) is not None:
                _answer(*asked)
        except queue.Empty:
            return

    def close(self) -> None:
        """Wait until all attempts have ended, and serve them meanwhile."""
        while any(not each.done() for each in self._busy.values()):
            self.serve(1.0)
        self._threads.shutdown()

    def shared(self, target: T) -> T:
        """The same object for attempts: what they call is done in the owner's thread."""
        return target if self._room == 1 else cast("T", _Shared(target, self._ask))

    def _ask(self, act: Callable[[], Any]) -> Any:
        if threading.get_ident() == self._owner:
            return act()
        answer: Future[Any] = Future()
        self._asked.put((act, answer))
        return answer.result()


class _Shared:
    def __init__(self, target: object, ask: Callable[[Callable[[], Any]], Any]) -> None:
        self._target = target
        self._ask = ask

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        return self._called(found) if callable(found) else found

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._called(self._target)(*args, **named)

    def _called(self, act: Any) -> Callable[..., Any]:
        return lambda *args, **named: self._ask(lambda: act(*args, **named))


def _answer(act: Callable[[], T], answer: Future[T]) -> None:
    try:
        answer.set_result(act())
    except BaseException as error:
        answer.set_exception(error)
        if not isinstance(error, Exception):
            raise


# end of module
