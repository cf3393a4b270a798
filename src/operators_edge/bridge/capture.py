"""Output of an attempt: redacted as it arrives, whole in the log, and cut for the result.

No byte reaches the disk unredacted, a temporary file included. Logs are staged in the person's folder, where
an executor does not reach them, and placed when the attempt is over.
"""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from operators_edge.redaction.redact import redact
from operators_edge.redaction.stream import Stream
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterable


class AttemptLog:
    """The log of one attempt; ``values`` are known secrets."""

    def __init__(self, path: str, *, values: Iterable[str] = ()) -> None:
        self.path = path
        self.values = tuple(values)
        files.ensure_private_dir(os.path.dirname(path))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        try:
            self._fd = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
        except OSError as error:
            raise files.failure("write", path, error) from error
        self._lock = Lock()
        self._error: OSError | None = None

    def heading(self, text: str) -> None:
        self.add(f"\n== {redact(text, values=self.values)}\n")

    def add(self, text: str) -> None:
        """Append redacted text; a full disk is reported by ``close``, and gets half of the log back.

        Else nothing else could be written there either, the result included.
        """
        if text and self._error is None:
            with self._lock:
                try:
                    files.write_all(self._fd, text.encode("utf-8", "backslashreplace"))
                except OSError as error:
                    self._error = error
                    with suppress(OSError):
                        os.ftruncate(self._fd, os.fstat(self._fd).st_size // 2)

    def close(self) -> str:
        """Close it; returns what could not be written, for the result, or ""."""
        os.close(self._fd)
        return "" if self._error is None else f"the log is incomplete: {self._error.strerror}"


class Capture:
    """One stream of one program: into the log, and its beginning and end for the result."""

    def __init__(self, log: AttemptLog, *, cap: int) -> None:
        self._stream = Stream(values=log.values)
        self._log = log
        self._cap = cap
        self._size = 0
        self._head = ""

    def feed(self, data: bytes) -> None:
        self._keep(self._stream.feed(data))

    def end(self, log_name: str) -> str:
        """The redacted text for the result: whole, or a note that names the log."""
        self._keep(self._stream.end())
        if self._size <= self._cap:
            return self._head
        return f"[TRUNCATED - see {log_name}]"

    def _keep(self, text: str) -> None:
        self._log.add(text)
        self._size += len(text.encode("utf-8", "backslashreplace"))
        if self._size <= self._cap:
            self._head += text


# end of module
