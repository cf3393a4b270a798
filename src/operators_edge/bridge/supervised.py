"""Running a program under the supervisor: its output as it arrives, and a report on how it ended.

Owns the watcher's side: pipes, heartbeats, and the end of the supervisor itself. Does not own what is run
(``bridge.executors``, ``bridge.verify``) or what happens to the output (``bridge.capture``).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from operators_edge.bridge import supervisor
from operators_edge.git.commands import kept_open

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO

Ending = Literal[
    "ended", "timed_out", "watcher_ended", "watcher_stalled", "not_started", "supervisor_died"
]
CUT_OFF = ("watcher_ended", "watcher_stalled")
"""The watcher ended it, or was gone for too long: that says nothing about the program."""

STALL_SECONDS = 30.0
"""A watcher that is silent for so long is paused or hangs: another may take over its work."""

_BEATS = 6
_LOOK_SECONDS = 0.5
_OVERDUE = 4 * supervisor.GRACE_SECONDS
_PIECE = 65_536


class Stop(Protocol):
    """Whether a program has to end before its time, as an event says it."""

    def is_set(self) -> bool: ...


class Ended(NamedTuple):
    """How a program ended; ``code`` is None unless it ended by itself, negative for a signal."""

    code: int | None
    why: Ending
    detail: str = ""
    left_running: int = 0
    seconds: float = 0.0

    @property
    def is_success(self) -> bool:
        return self.why == "ended" and self.code == 0


def run(
    argv: Sequence[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    seconds: float,
    output: Callable[[bytes], None],
    errors: Callable[[bytes], None],
    given: str = "",
    stall_seconds: float = STALL_SECONDS,
    stop: Stop | None = None,
) -> Ended:
    """Run a program to its end, at most so many seconds; nothing that it started is left.

    ``output`` and ``errors`` get the bytes as they arrive, each in a thread of its own. ``given`` is its
    input. ``stop`` ends it early; the ending is "watcher_ended" then.
    """
    reports, report_end = os.pipe()
    words = [sys.executable, "-I", "-S", supervisor.__file__, str(report_end)]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            words,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            pass_fds=(report_end, *kept_open),
            start_new_session=True,
        )
    finally:
        os.close(report_end)
    asked = {
        "argv": list(argv),
        "cwd": cwd,
        "env": dict(env),
        "seconds": seconds,
        "stall_seconds": stall_seconds,
        "input": given,
    }
    streams = ((process.stdout, output), (process.stderr, errors))
    readers = [threading.Thread(target=_read, args=each, daemon=True) for each in streams]
    for each in readers:
        each.start()
    request = json.dumps(asked).encode()
    length = f"{len(request):0{supervisor.LENGTH_DIGITS}d}".encode()
    _keep_alive(process, length + request, stall_seconds / _BEATS, seconds, stop)
    for each in readers:
        each.join(supervisor.GRACE_SECONDS)
    with os.fdopen(reports, "rb") as file:
        return _report_of(file.read())


def _keep_alive(
    process: subprocess.Popen[bytes], first: bytes, every: float, seconds: float, stop: Stop | None
) -> None:
    """Wait for the supervisor's end, with a heartbeat now and then; ``stop`` closes its input."""
    pipe = process.stdin
    assert pipe is not None  # noqa: S101 - it was asked for
    end = time.monotonic() + seconds + _OVERDUE
    with suppress(OSError):  # the supervisor has ended: its report, or the lack of one, says how
        pipe.write(first)
        pipe.flush()
        while time.monotonic() < end and not (stop is not None and stop.is_set()):
            if _has_ended(process, min(every, _LOOK_SECONDS)):
                break
            pipe.write(b".")
            pipe.flush()
    with suppress(OSError):
        pipe.close()
    end = time.monotonic() + _OVERDUE
    while not _has_ended(process, _LOOK_SECONDS):
        if time.monotonic() > end:  # what it ran keeps it from its work
            process.kill()


def _has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the supervisor ends in that time; one that its program has paused goes on."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        return True
    if hasattr(signal, "SIGCONT"):
        process.send_signal(signal.SIGCONT)
    return False


def _read(stream: IO[bytes], take: Callable[[bytes], None]) -> None:
    while data := os.read(stream.fileno(), _PIECE):
        take(data)


def _report_of(data: bytes) -> Ended:
    try:
        return Ended(**json.loads(data))
    except (ValueError, TypeError):
        return Ended(None, "supervisor_died", "the supervisor ended without a report")


# end of module
