"""A child process with three pipes, without the cost of importing ``subprocess``.

That import takes longer than git takes to answer, and a command that asks git once needs nothing else of it.
Where the system has no ``posix_spawn``, or descriptors are to be inherited, ``subprocess`` starts the child.
Does not own groups of processes and time limits of whole command lines (``system.subprocesses``).
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Collection, Mapping, Sequence
    from typing import IO

_RESTORED = (13, 25)
"""SIGPIPE and SIGXFSZ, which Python ignores: Linux, macOS and the BSDs agree on these numbers."""

_PIECE = 1 << 16
_FIRST_PAUSE, _LONGEST_PAUSE = 0.0005, 0.05


def start(
    words: Sequence[str], *, env: Mapping[str, str], pass_fds: Collection[int] = ()
) -> Child | PopenChild:
    """Start a program that is looked for in PATH, in the current folder. Raises OSError."""
    if not pass_fds and hasattr(os, "posix_spawnp"):
        pipes = _pipes()
        if min(pipes) > 2:
            return Child(words, env, pipes)
        # One of our own standard streams is closed: subprocess knows how to move such a pipe.
        for each in pipes:
            os.close(each)
    import subprocess  # noqa: PLC0415 - see above

    pipe = subprocess.PIPE
    return PopenChild(
        subprocess.Popen(
            words,
            env=env,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            pass_fds=tuple(pass_fds),
        )
    )


def _pipes() -> tuple[int, ...]:
    """Of the child's input, output and errors, each the end to read and the end to write."""
    made: list[int] = []
    try:
        for _ in range(3):
            made += os.pipe()
    except OSError:
        for each in made:
            os.close(each)
        raise
    return tuple(made)


class Child:
    """A running program.

    ``returncode`` is None until it was waited for, and the negative number of a signal that ended it.
    """

    def __init__(self, words: Sequence[str], env: Mapping[str, str], pipes: Sequence[int]) -> None:
        given, self._input, self._output, printed, self._errors, complained = pipes
        theirs = (given, printed, complained)
        self._open = {self._input, self._output, self._errors}
        self._heard = {self._output: bytearray(), self._errors: bytearray()}
        self._given = memoryview(b"")
        self.returncode: int | None = None
        try:
            self.pid = os.posix_spawnp(
                words[0],
                tuple(words),
                env,
                file_actions=[(os.POSIX_SPAWN_DUP2, end, at) for at, end in enumerate(theirs)],
                setsigdef=_RESTORED,
            )
        except BaseException:
            for each in tuple(self._open):
                self._close(each)
            raise
        finally:
            for each in theirs:
                os.close(each)

    def streams(self) -> tuple[IO[bytes], IO[bytes]]:
        """The input and the output, for a conversation. The caller flushes what it writes."""
        # The descriptors stay ours, so that ``communicate`` can end them.
        return (
            open(self._input, "wb", closefd=False),
            open(self._output, "rb", closefd=False),
        )

    def communicate(self, given: bytes = b"", timeout: float | None = None) -> tuple[bytes, bytes]:
        """Write all of the input, and wait for the end: the output and the errors.

        Raises TimeoutError after so many seconds; a further call goes on where this one stopped.
        """
        import select  # noqa: PLC0415 - not for a child that only talks

        end = None if timeout is None else time.monotonic() + timeout
        self._given = self._given or memoryview(given)
        poll = select.poll()
        for each in self._open:
            if each != self._input:
                poll.register(each, select.POLLIN)
            elif self._given:
                os.set_blocking(each, False)
                poll.register(each, select.POLLOUT)
        if not self._given:
            self._close(self._input)
        while self._open:
            for ready, _ in poll.poll(None if end is None else _left(end) * 1000):
                if not (self._write() if ready == self._input else self._read(ready)):
                    poll.unregister(ready)
                    self._close(ready)
        self._wait(end)
        return bytes(self._heard[self._output]), bytes(self._heard[self._errors])

    def _write(self) -> bool:
        """Write what the pipe takes; False if that was the end."""
        try:
            self._given = self._given[os.write(self._input, self._given[:_PIECE]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:  # the program does not want the rest
            self._given = memoryview(b"")
        return bool(self._given)

    def _read(self, stream: int) -> bool:
        """Read what is there; False at the end of the stream."""
        data = os.read(stream, _PIECE)
        self._heard[stream] += data
        return bool(data)

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.remove(descriptor)
            os.close(descriptor)

    def _wait(self, end: float | None) -> None:
        pause = _FIRST_PAUSE
        while self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, 0 if end is None else os.WNOHANG)
            except ChildProcessError:  # somebody else of this process has waited for it
                pid, status = self.pid, 0
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
            elif end is not None:
                time.sleep(min(pause, _left(end)))
                pause = min(pause * 2, _LONGEST_PAUSE)

    def terminate(self) -> None:
        self._signal(15)

    def kill(self) -> None:
        self._signal(9)

    def _signal(self, number: int) -> None:
        # Once it was waited for, the number may be another process's.
        if self.returncode is None:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return


def _left(end: float) -> float:
    """The seconds until then; raises TimeoutError if there are none."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class PopenChild:
    """The same, started by ``subprocess``."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    def streams(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("there are no pipes")
        return self._process.stdin, self._process.stdout

    def communicate(self, given: bytes = b"", timeout: float | None = None) -> tuple[bytes, bytes]:
        import subprocess  # noqa: PLC0415 - it has been imported

        try:
            return self._process.communicate(given, timeout)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError from error

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


# end of module
