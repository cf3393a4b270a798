"""The last valid versions of the state file, and damaged files that a restore replaced.

Owns their names, number and order. Does not own what a restore may restore (``state.store``).
"""

from __future__ import annotations

import os

from operators_edge.contexts import suppress
from operators_edge.errors import UsageError
from operators_edge.storage import files
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

KEPT_VERSIONS = 20
KEPT_DAMAGED = 5
_GOOD, _DAMAGED = ".yaml", ".damaged"


class Version(NamedTuple):
    """A stored version; ``time`` (ISO 8601, UTC) is when it was stored."""

    id: str
    time: str
    size: int
    objective: str | None


class History:
    """The folder ``.proof/history``; its writers hold the state's lock."""

    def __init__(
        self, folder: str, *, clock: Callable[[], datetime], new_id: Callable[[], str]
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._new_id = new_id

    def ids(self, suffix: str = _GOOD) -> list[str]:
        """Oldest first."""
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise files.failure("list", self._folder, error) from error
        return sorted(
            n.removesuffix(suffix) for n in names if n[:1].isdigit() and n.endswith(suffix)
        )

    def read(self, version: str) -> bytes:
        """The version's content, by its id or the beginning of one."""
        matches = [each for each in self.ids() if each.startswith(version)] if version else []
        data = files.read_bytes(self._path(matches[0], _GOOD)) if len(matches) == 1 else None
        if data is None:
            problem = "names several versions" if len(matches) > 1 else "is not a version"
            raise UsageError(f"{version!r} {problem}", hint="edge history")
        return data

    def damaged(self) -> list[str]:
        """The paths of the damaged files, newest first."""
        return [self._path(each, _DAMAGED) for each in reversed(self.ids(_DAMAGED))]

    def newest(self) -> bytes | None:
        ids = self.ids()
        return files.read_bytes(self._path(ids[-1], _GOOD)) if ids else None

    def keep(self, data: bytes) -> None:
        """Add a valid version; the oldest ones beyond the limit are deleted."""
        self._add(data, _GOOD, KEPT_VERSIONS)

    def keep_damaged(self, data: bytes) -> str:
        """Store a damaged text, in case the person needs something from it; returns its path."""
        return self._add(data, _DAMAGED, KEPT_DAMAGED)

    def _add(self, data: bytes, suffix: str, limit: int) -> str:
        files.ensure_private_dir(self._folder)
        ids = self.ids(suffix)
        path = self._path(self._next_id(ids), suffix)
        files.write_durable(path, data)
        for old in ids[: max(0, len(ids) + 1 - limit)]:
            with suppress(FileNotFoundError):
                os.unlink(self._path(old, suffix))
        return path

    def _next_id(self, ids: list[str]) -> str:
        """Begins with the time, so that names sort, and always after the newest one, whatever the clock."""
        stamp = self._clock().strftime("%Y%m%dT%H%M%S%f")
        if ids and stamp <= (last := ids[-1].partition("-")[0]):
            day, _, rest = last.partition("T")
            stamp = f"{day}T{int(rest) + 1:012d}"
        return f"{stamp}-{self._new_id()[-4:]}"

    def _path(self, version: str, suffix: str) -> str:
        return os.path.join(self._folder, version + suffix)


def time_of(version: str) -> str:
    """The ISO 8601 time that a version's id begins with."""
    stamp = version.partition("-")[0]
    day, _, rest = stamp.partition("T")
    clock = f"{rest[:2]}:{rest[2:4]}:{rest[4:6]}.{rest[6:9]}"
    return f"{day[:4]}-{day[4:6]}-{day[6:8]}T{clock}+00:00"


# end of module
