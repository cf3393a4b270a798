"""Running a command line in its own process group, with a time limit, keeping and passing on its output.

Nothing that was started keeps running after the time limit. Does not own what may be run (``gate.decide``) or
what the outcome means (``evidence.checks.detect``).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time

from operators_edge.contexts import suppress
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

MAX_OUTPUT = 200_000
"""Bytes of output that are kept: the beginning and the end, where test runners report results."""

GRACE_SECONDS = 3.0
"""How long a group has to end on its own, and how long a child that left it can keep the output open."""

_POLL_SECONDS = 0.005


class Ran(NamedTuple):
    """The result; ``code`` is None if it was stopped or could not be started (``why``)."""

    code: int | None
    output: str
    duration_ms: int
    why: str = ""


def run(
    command: str, cwd: str, *, seconds: float, show: Callable[[str], None] | None = None
) -> Ran:
    """Run one command line as an agent's shell would, with an empty stdin.

    ``show`` gets the output, including stderr, as it arrives. The whole group is stopped when the time is up,
    and when this call is interrupted.
    """
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            [shell(), "-c", command],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Ran(None, "", 0, f"it could not be started: {error.strerror or error}")
    output = Output(show)
    reader = threading.Thread(target=output.read, args=(process.stdout,), daemon=True)
    reader.start()
    why = ""
    try:
        code: int | None = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        code, why = None, f"it was stopped after {seconds:g} seconds"
    finally:
        _stop(process)
    reader.join(GRACE_SECONDS)
    took = int((time.monotonic() - start) * 1000)
    if code is not None and code < 0:
        code = 128 - code
    return Ran(code, output.text(), took, why)


def shell() -> str:
    return shutil.which("bash") or shutil.which("sh") or "sh"


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stop the whole group, background processes included."""
    if os.name == "nt":
        process.kill()
        process.wait()
        return
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
            if _is_gone(process.pid, seconds=0.0 if sign is signal.SIGTERM else GRACE_SECONDS):
                return


def _is_gone(group: int, *, seconds: float) -> bool:
    """Whether no process of the group is left; waits so long for those that a signal is ending."""
    end = time.monotonic() + seconds
    while True:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return True
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_SECONDS)


class Output:
    """The output, shown as it arrives; if it is too long, its middle is dropped."""

    def __init__(self, show: Callable[[str], None] | None) -> None:
        self.show = show
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0

    def read(self, stream: IO[bytes]) -> None:
        with suppress(ValueError, OSError):
            while data := os.read(stream.fileno(), 65536):
                self.keep(data)
                if self.show is not None:
                    self.show(data.decode("utf-8", "replace"))

    def keep(self, data: bytes) -> None:
        room = MAX_OUTPUT // 2 - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        if len(self.tail) > MAX_OUTPUT:
            excess = len(self.tail) - MAX_OUTPUT // 2
            self.dropped += excess
            del self.tail[:excess]

    def text(self) -> str:
        if not self.dropped:
            return bytes(self.head + self.tail).decode("utf-8", "replace")
        parts = (bytes(part).decode("utf-8", "replace") for part in (self.head, self.tail))
        return f"\n[{self.dropped} characters truncated]\n".join(parts)


# end of module
