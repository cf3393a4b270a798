"""A worker process with a time limit: started when needed, replaced when it died or took too long.

Owns the process. Does not own the questions (``patrol.analysis.worker``) or the time for all of them
(``patrol.service``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib import metadata

from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

MAX_SECONDS = 3.0
"""For one question; a typical file takes a few milliseconds."""


def version() -> str:
    """Identifies what an answer depends on besides the file: the analysis and the analysers."""
    read = b""
    for name in ("files.py", "line_patterns.py", "line_patterns.toml"):
        with open(os.path.join(os.path.dirname(__file__), name), "rb") as source:
            read += source.read()
    analysis = sha256_hex(read)
    installed = (f"{each} {metadata.version(each)}" for each in ("lizard", "pygments"))
    return " ".join([analysis, *installed])


class NoAnswer(Exception):
    """The worker died during a question or took too long; the text says which."""


class Worker:
    """Use as a context manager. One question at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, question: dict[str, Any], seconds: float = MAX_SECONDS) -> Any:
        """The answer; raises NoAnswer, and the next question goes to a new process.

        The worker ends itself when the time is up.
        """
        try:
            process = self._process or self._start()
        except OSError as error:
            raise NoAnswer(f"no analyser could be started: {error.strerror}") from error
        assert process.stdin is not None  # noqa: S101 - opened as pipes
        assert process.stdout is not None  # noqa: S101 - see above
        line = ""
        with suppress(OSError):  # it died before it read the question
            process.stdin.write(json.dumps({**question, "seconds": max(0.01, seconds)}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        if line.endswith("\n"):
            return json.loads(line)
        errors = self._stop().strip().splitlines()
        if any(each.startswith("Timeout (") for each in errors):
            raise NoAnswer(f"it took more than {seconds:.1f} seconds")
        raise NoAnswer(one_line(errors[-1], 200) if errors else "the analyser ended without output")

    def _start(self) -> subprocess.Popen[str]:
        # -P: a file of the project with the name of a module must not be imported instead of it.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "operators_edge.patrol.analysis.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        return self._process

    def _stop(self) -> str:
        """End the process; returns what it wrote to stderr."""
        process, self._process = self._process, None
        if process is None:
            return ""
        process.kill()
        return process.communicate()[1]


# end of module
