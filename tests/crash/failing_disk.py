"""A disk that fails at every call of an operation: full, defective, read-only; once, or from then on.

The process lives, so it must say what holds: an answer means that all of it happened, an error that it did
not, or that the next command finishes it. An error of the system that nobody explains is a violation.
"""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.model import Outcome
from tests.crash import killing
from tests.crash.everywhere import Report, judged
from tests.crash.operations import ready
from tests.crash.world import ABOUT_ITSELF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.crash.operations import Operation
    from tests.crash.world import World

_GROWING = ("write", "open", "mkdir")
"""What needs space; a full disk can still delete and rename."""

FAULTS: dict[str, tuple[int, tuple[str, ...], bool]] = {
    "full from here": (errno.ENOSPC, _GROWING, True),
    "full for a moment": (errno.ENOSPC, (*_GROWING, "replace", "rename"), False),
    "defective for a moment": (errno.EIO, (*killing.CALLS, "open"), False),
    "read-only from here": (errno.EROFS, (*killing.CALLS, "open"), True),
    "half a write, then full": (errno.ENOSPC, _GROWING, True),
}
"""By name: the error, the calls that have it, and whether it stays."""

_HALF = "half a write, then full"
_STDERR = 2
_EXPLAINS = ("committed", "in place", "is kept: the next")


def failures(world: World, operation: Operation) -> Report:
    """Let each call of the operation fail in each way; then the disk works again."""
    ready(world, operation)
    # A denial because of the disk is recorded, if it can be; nothing else comes of it.
    world.aside = (*ABOUT_ITSELF, "denied") if operation.is_gate else ABOUT_ITSELF
    before = world.picture()
    steps = killing.steps_of(lambda: operation.act(world.project(100)))
    after = world.picture()
    found: dict[str, int] = {"before": 0, "after": 0, "recovered": 0}
    wrong: list[str] = []
    cases = 0
    for number, fault in _cases(steps):
        world.load("before")
        said = _failed_at(lambda: operation.act(world.project(100)), number, fault)
        cases += 1
        found["recovered"] += world.has_record()
        was = found["before"]
        where = f"{operation.name}, step {number} {steps[number - 1]}, {fault}, {said}"
        wrong += [f"{where}: {each}" for each in judged(world, before, after, found, is_fault=True)]
        is_before = found["before"] > was
        if operation.is_gate:
            if said["how"] != "denied" and (said["how"] != "allowed" or is_before):
                wrong.append(f"{where}: the gate is open")
        elif said["how"] == "raw":
            wrong.append(f"{where}: an error that says nothing of what holds")
        elif said["how"] == "done" and is_before and before != after:
            wrong.append(f"{where}: it was acknowledged, and did not happen")
        elif said["how"] == "error" and not is_before and not _is_explained(said["text"]):
            wrong.append(f"{where}: it happened, and the error does not say so")
    return Report(
        f"failing disk: {operation.name}",
        len(steps),
        cases,
        found["before"],
        found["after"],
        found["recovered"],
        wrong,
    )


def _is_explained(text: str) -> bool:
    return any(each in text for each in _EXPLAINS)


def _cases(steps: list[str]) -> Iterator[tuple[int, str]]:
    for number, name in enumerate(steps, 1):
        for fault, (_, calls, _) in FAULTS.items():
            if name in calls and (fault != _HALF or name == "write"):
                yield number, fault


def _failed_at(act: Callable[[], object], number: int, fault: str) -> dict[str, Any]:
    """Run the act in a process of its own, whose ``number``-th call fails; returns what it said."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what could not be recorded is said there
        disk = _Fault(number, fault)
        disk.arm()
        try:
            said = _answer(act())
        except EdgeError as error:
            said = {"how": "error", "text": f"{error.message} {error.hint}"}
        except OSError as error:
            said = {"how": "raw", "text": repr(error)}
        disk.real["write"](theirs, json.dumps(said).encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as stream:
        text = stream.read()
    killing.require_clean(os.waitpid(pid, 0)[1])
    said: dict[str, Any] = json.loads(text)
    return said


def _answer(result: object) -> dict[str, str]:
    if isinstance(result, Outcome):
        return {"how": "allowed" if result.effect in ("allow", "warn") else "denied", "text": ""}
    return {"how": "done", "text": ""}


class _Fault:
    """Counts the durable calls of this process; from the ``number``-th on those of the fault fail."""

    def __init__(self, number: int, fault: str) -> None:
        self.number, self.is_half = number, fault == _HALF
        self.code, self.calls, self.stays = FAULTS[fault]
        self.count = 0
        self.real = {name: getattr(os, name) for name in (*killing.CALLS, "open")}

    def arm(self) -> None:
        for name in killing.CALLS:
            setattr(os, name, self._failing(name))
        os.open = self._open  # type: ignore[assignment]

    def _is_hit(self, name: str) -> bool:
        self.count += 1
        is_in = self.count == self.number or (self.count > self.number and self.stays)
        return is_in and name in self.calls

    def _failing(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            is_terminal = name == "write" and args[0] <= _STDERR
            if self._is_hit(name) and not is_terminal:
                if self.is_half and self.count == self.number:
                    data = bytes(args[1])
                    self.real["write"](args[0], data[: len(data) // 2])
                raise OSError(self.code, os.strerror(self.code))
            return self.real[name](*args, **options)

        return call

    def _open(self, path: Any, flags: int, *args: Any, **options: Any) -> Any:
        needs_space = self.code == errno.EROFS or not os.path.lexists(path)
        if flags & os.O_CREAT and self._is_hit("open") and needs_space:
            raise OSError(self.code, os.strerror(self.code), path)
        return self.real["open"](path, flags, *args, **options)
