"""A worker process with a time limit: started when needed, replaced when it died or did not answer.

Owns the process. Does not own the questions (``patrol.analysis.worker``) or the time for all of them
(``patrol.service``).
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from importlib import metadata
from typing import TYPE_CHECKING, Any, Self

from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from types import TracebackType
    from typing import IO

MAX_SECONDS = 3.0
"""For one question; a typical file takes a few milliseconds."""


def version() -> str:
    """Identifies what an answer depends on besides the file: the analysis and the analysers."""
    with open(os.path.join(os.path.dirname(__file__), "files.py"), "rb") as source:
        analysis = sha256_hex(source.read())
    installed = (f"{each} {metadata.version(each)}" for each in ("lizard", "pygments"))
    return " ".join([analysis, *installed])


class NoAnswer(Exception):
    """The worker died during a question or took too long; the text says which."""


class Worker:
    """Use as a context manager. One question at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._errors: IO[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()
        if self._errors is not None:
            self._errors.close()

    def ask(self, question: dict[str, Any], seconds: float = MAX_SECONDS) -> Any:
        """The answer; raises NoAnswer, and the next question goes to a new process."""
        try:
            process = self._process or self._start()
            assert process.stdin is not None  # noqa: S101 - opened as a pipe
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = self._answers.get(timeout=max(0.01, seconds))
        except queue.Empty:
            self._stop()
            raise NoAnswer(f"it took more than {seconds:.1f} seconds") from None
        except OSError as error:
            if self._process is None:
                raise NoAnswer(f"no analyser could be started: {error.strerror}") from error
            line = ""  # it died before it read the question
        if not line:
            self._stop()
            raise NoAnswer(self._failure_reason())
        return json.loads(line)

    def _start(self) -> subprocess.Popen[str]:
        if self._errors is None:
            # Not a pipe: nothing reads it while the worker is busy, so it could fill up.
            self._errors = tempfile.TemporaryFile(  # noqa: SIM115 - closed at the exit
                "w+", encoding="utf-8", errors="replace"
            )
        self._errors.seek(0)
        self._errors.truncate()
        # -P: a file of the project with the name of a module must not be imported instead of it.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "operators_edge.patrol.analysis.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
        )
        self._answers = queue.SimpleQueue()
        given = (self._process, self._answers)
        threading.Thread(target=_read, args=given, daemon=True).start()
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    _close(pipe)

    def _failure_reason(self) -> str:
        """The last line that a worker wrote to stderr before it died."""
        assert self._errors is not None  # noqa: S101 - it was opened for the worker that died
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return one_line(lines[-1], 200) if lines else "the analyser ended without output"


def _read(process: subprocess.Popen[str], answers: queue.SimpleQueue[str]) -> None:
    """Pass on each line as it comes; an empty one at the end."""
    assert process.stdout is not None  # noqa: S101 - opened as a pipe
    for line in process.stdout:
        answers.put(line)
    answers.put("")


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:
        # Closing flushes what the dead process no longer reads.
        return
