"""Files that are read on the way of a tool call: ordinary ones, parsed once for each version of them.

Owns what is not read at all, and telling one version from the next. Does not own what the files mean. A
process that ends after one call has nothing of the latter, and loses a look at the file.
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
"""The coarsest clock of a file system in use (FAT): a file younger than this when it was read could have
changed again within the same tick, with size and time as they were."""

_MOST_KEPT = 256
_MOST_BYTES = 1 << 16

_kept: dict[str, tuple[tuple[int, ...], Any]] = {}


def opener(path: str, flags: int) -> int:
    """For ``open``: a named pipe or a device in a project holds nobody up until the deadline."""
    # Not blocking, because the opening of a pipe waits for whoever writes into it.
    fd = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    kind = os.fstat(fd).st_mode
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):  # of a folder `open` says what it is
        os.close(fd)
        raise OSError("it is not an ordinary file")
    return fd


def parsed(path: str, parse: Callable[[bytes], T]) -> T:
    """What ``parse`` makes of the file's bytes; it is shared, so nobody may change it.

    A path has one ``parse``. Raises what opening and parsing raise; such a file is read again.
    """
    held = _kept.get(path)
    if held is not None and held[0] == _version(os.stat(path)):
        made: T = held[1]
        return made
    with open(path, "rb", opener=opener) as file:
        found = os.fstat(file.fileno())
        data = file.read()
    made = parse(data)
    if len(data) <= _MOST_BYTES and is_settled(found.st_mtime_ns):
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()  # many at once: read again, not kept without end
        _kept[path] = (_version(found), made)
    return made


def is_settled(changed_ns: int) -> bool:
    return time.time_ns() - changed_ns > SETTLED_NS


def _version(found: os.stat_result) -> tuple[int, ...]:
    """A changed content changes the time of change, which nobody can set."""
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev
