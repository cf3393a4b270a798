"""Regular files that a tool call reads, parsed once for each version of the file.

Owns what is not opened at all, and the detection of a new version. Does not own what the files mean. The
cache only helps a process that stays; for one that ends after a call it costs one ``stat``.
"""

from __future__ import annotations

import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

SETTLED_NS = 2_000_000_000
"""The coarsest clock of a file system in use (FAT). A file that was younger than this when it was read could
have changed again within the same tick, with the same size and time."""

_MAX_FILES = 256
_MAX_BYTES = 1 << 16

_entries: dict[str, tuple[tuple[int, ...], Any]] = {}


def open_regular(path: str, flags: int) -> int:
    """An ``opener`` for ``open`` that refuses named pipes and devices, which could block until a deadline."""
    # Non-blocking, because opening a pipe waits for its writer.
    fd = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    kind = os.fstat(fd).st_mode
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(
        kind
    ):  # for a folder, `open` raises its own error
        os.close(fd)
        raise OSError("it is not an ordinary file")
    return fd


def read_cached(path: str, parse: Callable[[bytes], T], *, most: int = -1) -> T:
    """The result of ``parse`` for the file's bytes. It is shared: callers must not change it.

    A path always has the same ``parse``. Errors of opening and parsing are raised and not cached. ``most``:
    of a longer file only so many bytes are read.
    """
    entry = _entries.get(path)
    if entry is not None and entry[0] == _version(os.stat(path)):
        cached: T = entry[1]
        return cached
    with open(path, "rb", opener=open_regular) as file:
        status = os.fstat(file.fileno())
        data = file.read(most)
    value = parse(data)
    if len(data) <= _MAX_BYTES and is_settled(status.st_mtime_ns):
        if len(_entries) >= _MAX_FILES:
            _entries.clear()  # a simple bound
        _entries[path] = (_version(status), value)
    return value


def is_settled(changed_ns: int) -> bool:
    """Whether a change at this time is old enough that another one shows in the file's time."""
    return time.time_ns() - changed_ns > SETTLED_NS


def _version(status: os.stat_result) -> tuple[int, ...]:
    """New content changes ``ctime``, which no program can set."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev


# end of module
