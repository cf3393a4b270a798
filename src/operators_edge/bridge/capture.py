"""Output of an attempt: redacted as it arrives, whole in the log, and cut for the result.

No byte reaches the disk unredacted, a temporary file included. Logs are staged in the person's folder, where
an executor does not reach them, and placed when the attempt is over.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.redaction.redact import redact
from operators_edge.redaction.stream import Stream
from operators_edge.storage import files
from operators_edge.text.wording import amount

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


class Keep(NamedTuple):
    """How many bytes of one stream are kept: whole in a result, and in the log."""

    in_result: int = 10 * 1024
    in_log: int = 32 * 1024 * 1024


class Capture:
    """One stream of one program: into the log, and for the result if it is short.

    Of a stream that is too long for the log, its beginning and its end are there.
    """

    def __init__(self, log: AttemptLog, keep: Keep) -> None:
        self._stream = Stream(values=log.values)
        self._log = log
        self._cap = keep.in_result
        self._room = keep.in_log // 2
        self._rest = _End(keep.in_log // 2)
        self._size = 0
        self._head = ""

    def feed(self, data: bytes) -> None:
        self._keep(self._stream.feed(data))

    def end(self, log_name: str) -> str:
        """The redacted text for the result: whole, or a note that names the log."""
        self._keep(self._stream.end())
        left_out = self._rest.left_out
        if left_out:
            self._log.add(f"\n[{amount(left_out)} of output are left out here]\n")
        self._log.add(self._rest.text())
        if self._size <= self._cap:
            return self._head
        more = f" [the log lacks {amount(left_out)} in the middle]" if left_out else ""
        return f"[TRUNCATED - see {log_name}]{more}"

    def _keep(self, text: str) -> None:
        size = len(text.encode("utf-8", "backslashreplace"))
        self._size += size
        if self._size <= self._cap:
            self._head += text
        if self._size <= self._room:
            self._log.add(text)
        else:
            self._rest.add(text, size)


class _End:
    """The last pieces of a text that are about so many bytes together; ``left_out``: bytes before them."""

    def __init__(self, size: int) -> None:
        self._most = size
        self._size = 0
        self._pieces: deque[tuple[str, int]] = deque()
        self.left_out = 0

    def add(self, text: str, size: int) -> None:
        self._pieces.append((text, size))
        self._size += size
        while len(self._pieces) > 1 and self._size - self._pieces[0][1] >= self._most:
            first = self._pieces.popleft()[1]
            self._size -= first
            self.left_out += first

    def text(self) -> str:
        return "".join(text for text, _ in self._pieces)


# end of module
