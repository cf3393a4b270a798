"""Kill a process at its N-th durable step: at the operating system's own calls, not inside our code."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = ("write", "fsync", "replace", "rename", "unlink", "ftruncate", "mkdir", "rmdir", "link")
"""What changes a disk; besides these an ``open`` that may create a file."""

HALF = "half"
"""A write that is torn: half of its bytes are there."""


class Died(Exception):
    """The victim ended by itself with an error: that is no crash of ours."""


def steps_of(act: Callable[[], object]) -> list[str]:
    """The durable steps of an act that is left to survive, in its process's order."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        seen = _arm(None)
        run(act, after=lambda: _send(theirs, seen))
    os.close(theirs)
    with os.fdopen(ours) as stream:
        names = stream.read().split()
    require_clean(os.waitpid(pid, 0)[1])
    return names


def killed_at(act: Callable[[], object], number: int, how: str = "") -> None:
    """Run an act in a process of its own that is killed at its step ``number``, counted from 1."""
    pid = os.fork()
    if pid == 0:
        _arm(number, how)
        run(act)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return
    require_clean(status)
    raise Died(f"it survived step {number}")


def killed_when(
    act: Callable[[], object], is_reached: Callable[[], bool], reset: Callable[[], object]
) -> None:
    """Kill an act at the first of its steps after which ``is_reached`` holds; ``reset`` undoes the others."""
    for number in range(1, len(steps_of(act)) + 1):
        reset()
        killed_at(act, number)
        if is_reached():
            return
    raise Died("no step leaves that")


def stopped_at(act: Callable[[], object], number: int) -> int:
    """Start an act that stops, alive, at its step ``number``; returns its process, to be continued."""
    pid = os.fork()
    if pid == 0:
        _arm(number, signal_number=signal.SIGSTOP)
        run(act)
    os.waitpid(pid, os.WUNTRACED)
    return pid


def go_on(pid: int) -> None:
    os.kill(pid, signal.SIGCONT)
    require_clean(os.waitpid(pid, 0)[1])


def require_clean(status: int) -> None:
    if status:
        raise Died(f"it ended with status {status}; its traceback stands above")


def _send(fd: int, names: list[str]) -> None:
    _REAL["write"](fd, " ".join(names).encode())


def run(act: Callable[[], object], after: Callable[[], object] | None = None) -> None:
    try:
        act()
        if after is not None:
            after()
    except BaseException:  # noqa: BLE001 - the victim's last word, then it is gone
        traceback.print_exc(file=sys.stderr)
        sys.stderr.flush()
        os._exit(3)
    os._exit(0)


_REAL = {name: getattr(os, name) for name in (*CALLS, "open")}


def _arm(
    number: int | None, how: str = "", *, signal_number: signal.Signals = signal.SIGKILL
) -> list[str]:
    """Count the calls from now on; send this very process the signal before the ``number``-th."""
    seen: list[str] = []

    def reached(name: str, args: tuple[object, ...]) -> None:
        seen.append(name)
        if len(seen) != number:
            return
        if how == HALF and name == "write":
            data = bytes(args[1])  # type: ignore[call-overload]
            _REAL["write"](args[0], data[: len(data) // 2])
        os.kill(os.getpid(), signal_number)

    def wrapped(name: str) -> Callable[..., object]:
        def call(*args: object, **options: object) -> object:
            reached(name, args)
            return _REAL[name](*args, **options)

        return call

    def opened(path: object, flags: int, *args: object, **options: object) -> object:
        if flags & os.O_CREAT:
            reached("open", ())
        return _REAL["open"](path, flags, *args, **options)

    for name in CALLS:
        setattr(os, name, wrapped(name))
    os.open = opened  # type: ignore[assignment]
    return seen
