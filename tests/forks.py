"""A process with all of our code loaded, from which our programs are forked: ``python -m tests.forks FD``.

It holds nothing of the tests. To fork a worker of the suite, which does, takes three times as long: each page
of its memory is listed again. A forked program is a child of who asked for it, not of this process.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import gc
import importlib
import inspect
import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Any, NamedTuple

import operators_edge
from operators_edge import __main__, hook
from operators_edge.gate import rules
from operators_edge.locations import STATE_FILE
from operators_edge.redaction import redact
from operators_edge.state import document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STATE = "objective: token=x\nplan:\n- description: one\n"
_LENGTH = 8
"""Bytes of a number on the socket."""

_CLONE3 = 435
_CLONE_PARENT = 0x8000
_CLONE_NUMBERS = 8
"""Of ``struct clone_args``; the first are the flags."""


# -- who asks --------------------------------------------------------------------------------------


class Forked(subprocess.Popen[Any]):
    """A process that runs one of ``PROGRAMS`` with these words."""

    def __init__(
        self, program: str, words: Sequence[str], *, env: Mapping[str, str] | None, **more: Any
    ) -> None:
        known = dict(os.environ if env is None else env)
        self._wanted = {"program": program, "words": words, "env": known}
        super().__init__([program, *words], **more)

    def _execute_child(self, *given: Any) -> None:
        said = _EXECUTE.bind(self, *given).arguments
        pipes = [said[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        streams = [own if end == -1 else end for own, end in enumerate(pipes)]
        mask = os.umask(0o077)
        os.umask(mask)
        how = {"mask": mask, "is_leader": said["start_new_session"]}
        folder = os.open(said["cwd"] or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            self.pid = _ask(json.dumps({**self._wanted, **how}).encode(), [*streams, folder])
        finally:
            os.close(folder)
        self._child_created = True
        ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(said[name] for name in ends))  # type: ignore[attr-defined]


_EXECUTE = inspect.signature(subprocess.Popen._execute_child)  # type: ignore[attr-defined]


@functools.cache
def can_fork() -> bool:
    """Whether this system can; elsewhere a fork without a new program is no safe thing to do."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return Forked("nothing", (), env=None).wait() == 0
    except OSError:
        return False  # an older kernel, or a sandbox that does not know the call


def _ask(request: bytes, files: list[int]) -> int:
    """The number of the process that was forked."""
    if load_everything.cache_info().currsize:  # this one, too, is a process with all of our code
        pid = os.fork()
        if not pid:
            gc.freeze()
            _be(request, files)
        return pid
    server = _server(os.getpid())
    with server.one_at_a_time:
        socket.send_fds(server.line, [len(request).to_bytes(_LENGTH, "big")], files)
        server.line.sendall(request)
        pid = int.from_bytes(_received(server.line, _LENGTH), "big", signed=True)
    if pid < 0:
        raise OSError(-pid, os.strerror(-pid))
    return pid


class _Server(NamedTuple):
    """The line to it, and what each thread holds from its request to the answer."""

    line: socket.socket
    one_at_a_time: threading.Lock


@functools.cache
def _server(_pid: int) -> _Server:
    """It ends with this process; what is forked from this one has its own."""
    ours, theirs = socket.socketpair()
    with theirs:
        words = [sys.executable, "-m", "tests.forks", str(theirs.fileno())]
        process = subprocess.Popen(
            words, cwd=_REPOSITORY, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
        )
    process.returncode = 0  # nobody waits for it
    return _Server(ours, threading.Lock())


def _received(line: socket.socket, length: int) -> bytes:
    """So many bytes."""
    found = b""
    while len(found) < length:
        part = line.recv(length - len(found))
        if not part:
            raise OSError(errno.EPIPE, "the process that forks programs has ended")
        found += part
    return found


# -- who forks -------------------------------------------------------------------------------------


def _hook() -> int:
    return hook.main("claude")


PROGRAMS = {"edge": __main__.main, "hook": _hook, "nothing": lambda: 0}


def serve(line: socket.socket) -> None:
    """Fork a program for each request, until nobody asks any more."""
    load_everything()
    gc.collect()
    gc.freeze()  # what is there stays: to walk it would copy this process's memory
    while True:
        head, files, _, _ = socket.recv_fds(line, _LENGTH, 4)
        if not head:
            return
        request = _received(line, int.from_bytes(head, "big"))
        try:
            pid = _sibling()
        except OSError as error:
            pid = -(error.errno or errno.EIO)
        if pid == 0:
            _be(request, files)
        for each in files:
            os.close(each)
        line.sendall(pid.to_bytes(_LENGTH, "big", signed=True))


@functools.cache
def load_everything() -> None:
    """Load what any child would load, and make what its first use makes: here once, not in each child.

    The process that calls it forks its programs from itself.
    """
    for each in pkgutil.walk_packages(operators_edge.__path__, "operators_edge."):
        importlib.import_module(each.name)
    rules.load()
    rules.needs_parsing("")
    document.parse(_STATE, STATE_FILE)
    redact.redact(_STATE)


def _sibling() -> int:
    """Fork as ``os.fork`` does, only that the child is one of this process's parent."""
    numbers = (ctypes.c_uint64 * _CLONE_NUMBERS)(_CLONE_PARENT)
    call = ctypes.PyDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = int(call(_CLONE3, ctypes.byref(numbers), ctypes.c_size_t(ctypes.sizeof(numbers))))
    failed = ctypes.get_errno()
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(failed, os.strerror(failed))
    return pid


def _be(request: bytes, files: list[int]) -> None:
    """Run the program, and end as it would."""
    code = 70
    try:
        wanted = json.loads(request)
        _become(wanted, files)
        sys.argv[:] = [wanted["program"], *wanted["words"]]
        code = _ended(wanted["program"])
    finally:
        os._exit(code)


def _become(wanted: dict[str, Any], files: list[int]) -> None:
    """Take over what a new interpreter takes from its start."""
    if wanted["is_leader"]:
        os.setsid()
    *streams, folder = files
    for own, each in enumerate(streams):
        os.dup2(each, own)
    os.fchdir(folder)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.umask(wanted["mask"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), errors="backslashreplace")


def _ended(program: str) -> int:
    """The exit code of a program that acts like this."""
    try:
        code: object = PROGRAMS[program]()
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
        code = 1
    for each in (sys.stdout, sys.stderr):
        if not each.closed:
            each.flush()
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as asked:
        serve(asked)
