"""The supervisor: a small process between the watcher and what it runs, so that nothing outlives the watcher.

    python -I -S supervisor.py REPORT_FD < (a length, JSON of that length, then heartbeats)

It starts the program in a session of its own and waits until the program ends, the time is up, the watcher
dies (end of input) or stalls (no heartbeat for too long, as when it is paused). Then it ends the program and
everything that this started, daemons included, and reports on a descriptor. On Linux orphans of the program
become the supervisor's children; elsewhere only the program's own group can be found.

Runs alone: imports nothing of the package. The watcher's side is ``bridge.supervised``.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

GRACE_SECONDS = 2.0
LENGTH_DIGITS = 12
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.02


def main() -> int:
    """Run what the watcher asks for; the exit code is 0 if a report was written."""
    length = _taken(LENGTH_DIGITS)
    request = _taken(int(length)) if length else b""
    if not request:
        return 1
    asked = json.loads(request)
    _adopt_orphans()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # the watcher decides when it ends, not a terminal's interrupt
            # By a handler: what is ignored would be ignored by the program, too.
            signal.signal(getattr(signal, name), lambda *_: None)
    with suppress(OSError):  # the watcher is gone; nobody reads it
        os.write(int(sys.argv[1]), json.dumps(_run(asked)).encode())
    return 0


def _taken(length: int) -> bytes:
    """So many bytes of the input, b"" if it ends before; the heartbeats after them stay in the pipe."""
    taken = bytearray()
    while len(taken) < length:
        piece = os.read(0, length - len(taken))
        if not piece:
            return b""
        taken += piece
    return bytes(taken)


def _run(asked: dict[str, object]) -> dict[str, object]:
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            asked["argv"],  # type: ignore[call-overload] # the watcher's list of words
            cwd=asked["cwd"],
            env=asked["env"],
            stdin=subprocess.PIPE if asked.get("input") else subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_die_with_parent,  # noqa: PLW1509 - there is one thread here
        )
    except (OSError, subprocess.SubprocessError) as error:
        why = getattr(error, "strerror", None) or str(error)
        return {"code": None, "why": "not_started", "detail": why}
    if process.stdin is not None:
        _feed(process, str(asked["input"]))
    why = _wait(process, float(str(asked["seconds"])), float(str(asked["stall_seconds"])))
    code = process.poll()
    left = _end(process)
    seconds = round(time.monotonic() - started, 3)
    return {"code": code, "why": why, "left_running": left, "seconds": seconds}


def _feed(process: subprocess.Popen[bytes], text: str) -> None:
    """Give the program its input from a child, so that one that never reads it blocks nobody."""
    pipe = process.stdin
    assert pipe is not None  # noqa: S101 - the caller asked for a pipe
    if os.fork():
        pipe.close()
        return
    try:
        with suppress(OSError):  # the program ended or closed its input
            pipe.write(text.encode("utf-8", "surrogateescape"))
            pipe.close()
    finally:
        os._exit(0)


def _wait(process: subprocess.Popen[bytes], seconds: float, stall: float) -> str:
    """Why it is over: "ended", "timed_out", "watcher_ended" or "watcher_stalled"."""
    end, heard = time.monotonic() + seconds, time.monotonic()
    while process.poll() is None:
        now = time.monotonic()
        if now >= end:
            return "timed_out"
        if now - heard >= stall:
            return "watcher_stalled"
        ready, _, _ = select.select([0], [], [], _POLL_SECONDS)
        if ready:
            if not os.read(0, 4096):
                return "watcher_ended"
            heard = time.monotonic()
    return "ended"


# -- ending everything -----------------------------------------------------------------------------


def _end(process: subprocess.Popen[bytes]) -> int:
    """End the program and all that it started; returns how many were still running."""
    left = _descendants() or _group(process.pid)
    for sign, grace in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, GRACE_SECONDS)):
        end = time.monotonic() + grace
        while True:
            running = _descendants()
            if not running and not _group(process.pid):
                break
            _signal(process.pid, running, sign)
            if time.monotonic() >= end:
                break
            time.sleep(_POLL_SECONDS)
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_SECONDS)
    return len(left)


def _signal(group: int, pids: list[int], sign: signal.Signals) -> None:
    with suppress(OSError):
        os.killpg(group, sign)
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, sign)
            if sign is signal.SIGTERM:
                os.kill(pid, signal.SIGCONT)  # a stopped process does not see it


def _group(group: int) -> list[int]:
    try:
        os.killpg(group, 0)
    except OSError:
        return []
    return [group]


def _adopt_orphans() -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _die_with_parent() -> None:
    """In the program's process: end with the supervisor, should somebody kill that."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _descendants() -> list[int]:
    """Every process below this one; dead ones are reaped on the way. Only Linux can tell."""
    if not sys.platform.startswith("linux"):
        return []
    _reap()
    parents = dict(_parents())
    below = {os.getpid()}
    while True:
        more = {pid for pid, parent in parents.items() if parent in below} - below
        if not more:
            return sorted(below - {os.getpid()})
        below |= more


def _reap() -> None:
    """Wait for adopted orphans that have ended; the program itself is left to its ``Popen``."""
    for pid, parent in _parents(dead=True):
        if parent == os.getpid():
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _parents(*, dead: bool = False) -> list[tuple[int, int]]:
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # it has ended
            continue
        if (fields[0] in (b"Z", b"X")) is dead:
            found.append((int(name), int(fields[1])))
    return found


if __name__ == "__main__":
    sys.exit(main())

# end of module
