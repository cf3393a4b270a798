"""What is mounted where, as ``/proc/self/mountinfo`` says; which folders a rehearsal leaves empty. Pure."""

from __future__ import annotations

import os

from operators_edge.locations import is_within
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OWN = ("/proc", "/sys", "/dev")
"""Made for it alone, or shown read-only."""

EMPTY = ("/run", "/dev/shm")  # noqa: S108 - nothing is written there
"""Where other programs keep their sockets and shared memory."""

_ESCAPE = pattern(r"\\([0-7]{3})")


class Mounts:
    """The mount points, by path; of several at one path the last counts."""

    def __init__(self, mountinfo: str) -> None:
        self._read_only: dict[str, bool] = {}
        for line in filter(None, mountinfo.split("\n")):  # other ends of lines may be in names
            words = line.split(" ")
            path = _ESCAPE.sub(lambda found: chr(int(found[1], 8)), words[4])
            self._read_only[path] = "ro" in words[5].split(",")
        self._above = {
            above for path in self._read_only for above in _parents(path) if path != above
        }

    def has_below(self, folder: str) -> bool:
        """Whether something is mounted in a folder, or deeper."""
        return folder in self._above

    def is_read_only(self, path: str) -> bool:
        return next(
            (self._read_only[each] for each in _parents(path) if each in self._read_only), False
        )


def _parents(path: str) -> list[str]:
    """A path and the folders above it, up to the root."""
    found = [path]
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        found.append(path)
    return found


def is_below(path: str, folders: Iterable[str]) -> bool:
    return any(is_within(path, each) for each in folders)


# end of module
