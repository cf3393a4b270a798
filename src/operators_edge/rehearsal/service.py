"""Running a command as a rehearsal: starts ``stage``, gathers its output, and holds what it changed.

Nothing of it is on a disk: the changes lie in memory until the rehearsal is closed. Does not own what the
changes amount to (``changes``) or how they are shown (``shown``).
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress

from operators_edge.errors import AnswerIsNo
from operators_edge.locations import known_home
from operators_edge.rehearsal import stage
from operators_edge.system.project_root import git_folder, shared_folder
from operators_edge.system.subprocesses import Output, shell
from operators_edge.system.user_dirs import user_dir
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO, Any, Self

_PIECE = 1 << 16
_MAX_LAYERS = 250
_LATE_SECONDS = 15.0
_TICK_SECONDS = 0.0005
_COARSE = 5
"""The clock by which file systems note changes (CLOCK_REALTIME_COARSE); Python has no name for it."""
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy")
_MAX_MEMORY = 4 << 30
_MAX_DISK = 2 << 30


class Limits(NamedTuple):
    """What a rehearsal may take; ``disk`` lies in memory, too."""

    seconds: float = 60.0
    memory: int = _MAX_MEMORY
    disk: int = _MAX_DISK
    files: int = 500_000
    processes: int = 1_000


class Layer(NamedTuple):
    """A folder, and the folder with what changed in it, opened.

    ``is_whole``: that one holds everything of the folder, not only what changed.
    """

    path: str
    upper: int
    is_whole: bool = False


class Rehearsed(NamedTuple):
    """What came of it. ``code`` is None if it was ended; ``cut`` names the limit, "" if none was reached.

    ``network`` are the hosts that it wanted to reach, ``left`` the processes that it would have left, and
    ``unseen`` folders that it could not be shown.
    """

    code: int | None
    output: str
    seconds: float
    cut: str = ""
    network: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()


class Rehearsal:
    """Context manager: the command has run when it is entered, and its changes are kept until it is left."""

    def __init__(
        self,
        command: str,
        *,
        folder: str,
        project: str,
        env: Mapping[str, str] = os.environ,
        limits: Limits | None = None,
    ) -> None:
        self.command = command
        self.folder = os.path.realpath(folder)
        self.project = os.path.realpath(project)
        self.repository = [os.path.realpath(each) for each in _repository_of(self.project)]
        """The folders of the repository itself."""
        self.started = 0
        """When it began, by the clock of file systems, in nanoseconds."""
        self.layers: list[Layer] = []
        self._env = env
        self._limits = limits or here()

    def __enter__(self) -> Self:
        refusal = why_not()
        if refusal:
            raise AnswerIsNo(f"commands cannot be rehearsed here: {refusal}", hint=_HINT)
        try:
            self.result = self._run()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        for each in self.layers:
            os.close(each.upper)
        self.layers = []

    def _run(self) -> Rehearsed:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.started = _a_moment_ago()
        begin = time.monotonic()
        reader, writer = os.pipe()
        with ours, os.fdopen(reader, "rb", buffering=0) as printed:
            process = self._fork(theirs, writer)
            output = Output(None)
            try:
                said = self._listen(printed, ours, output)
            finally:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
        if "refused" in said or "layers" not in said or "network" not in said:
            why = said.get("refused") or "it did not end as it should"
            raise AnswerIsNo(f"commands cannot be rehearsed here: {why}", hint=_HINT)
        code = said.get("code")
        return Rehearsed(
            code=128 - code if code is not None and code < 0 else code,
            output=output.text(),
            seconds=time.monotonic() - begin,
            cut=said.get("cut") or "",
            network=tuple(said.get("network", ())),
            left=tuple(said.get("left", ())),
            unseen=tuple(said.get("unseen", ())),
        )

    def _fork(self, theirs: socket.socket, writer: int) -> int:
        """The process that directs the rehearsal, by number; it has the other ends."""
        spec = {
            "command": [shell(), "-c", self.command],
            "env": {name: text for name, text in self._env.items() if name.lower() not in _PROXIES},
            "folder": self.folder,
            "needed": self._needed(),
            "hidden": [os.path.realpath(user_dir(self._env))],
            "made": [
                each for each in (self._env.get("XDG_RUNTIME_DIR", ""),) if os.path.isabs(each)
            ],
            "limits": self._limits._asdict(),
        }
        try:
            process = os.fork()
            if process == 0:
                stage.be(spec, theirs, writer)
        finally:
            theirs.close()
            os.close(writer)
        return process

    def _needed(self) -> list[str]:
        folders = [self.project, self.folder, known_home(self._env), *self.repository]
        found = {os.path.realpath(each) for each in folders}
        return sorted(each for each in found if os.path.isdir(each))

    def _listen(self, printed: IO[bytes], ours: socket.socket, output: Output) -> dict[str, Any]:
        """All that the stage says, and the output of the command, until both are closed."""
        said: dict[str, Any] = {}
        end = time.monotonic() + self._limits.seconds + _LATE_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(printed, selectors.EVENT_READ)
            selector.register(ours, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(0.0, end - time.monotonic()))
                if not ready:
                    said["cut"] = "time"
                    return said
                for key, _ in ready:
                    if key.fileobj is ours:
                        data, files, _, _ = socket.recv_fds(ours, _PIECE, _MAX_LAYERS)
                        known = json.loads(data) if data else {}
                        cut = said.get("cut") or known.get("cut", "")
                        said |= known | {"cut": cut}
                        if files:
                            self.layers = [
                                Layer(path, file, is_whole)
                                for (path, is_whole), file in zip(
                                    known["layers"], files, strict=True
                                )
                            ]
                    else:
                        data = os.read(printed.fileno(), _PIECE)
                        output.keep(data)
                    if not data:
                        selector.unregister(key.fileobj)
        return said


_HINT = "docs/rehearsal.md says what it needs"


def why_not(platform: str = sys.platform) -> str:
    """Why this system cannot rehearse, as far as it is known without trying; "" if it may."""
    if not platform.startswith("linux"):
        return "only Linux can lay a copy over the files of a command"
    return ""


def _a_moment_ago() -> int:
    """A time, in nanoseconds, that lies after every earlier change of a file and before every later one.

    File systems note changes by a clock that goes in steps and lags behind; here it has come past this time.
    """
    now = time.time_ns()
    while time.clock_gettime_ns(_COARSE) <= now:
        time.sleep(_TICK_SECONDS)
    return now


def here() -> Limits:
    """Limits that leave this machine half of its free memory."""
    half = _MAX_MEMORY
    with suppress(OSError, ValueError), open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            name, _, rest = line.partition(":")
            if name == "MemAvailable":
                half = int(rest.split()[0]) * 1024 // 2
    return Limits(memory=min(_MAX_MEMORY, half), disk=min(_MAX_DISK, half // 2))


def _repository_of(project: str) -> list[str]:
    """The folders of the project's repository itself; those of a linked working tree lie elsewhere."""
    own = git_folder(project)
    return [own, shared_folder(own)] if own else []


# end of module
