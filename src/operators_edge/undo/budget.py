"""How much the snapshots of a repository may take, which of them go first, and a record of those that went.

Owns the sizes, which are measured only when an estimate says that there may be too much. Does not own the
snapshots themselves (``undo.snapshots``). Git frees the space of what was removed when it collects garbage.
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.errors import StateError
from operators_edge.storage import files
from operators_edge.text.wording import amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from operators_edge.git.objects import Kept, Shadow

RECENT = 3600
"""Seconds in which no snapshot is removed, whatever it takes."""

_LEFT_FREE = 0.9
_MAX_RECORDS = 1_000


class Sizes:
    """The sizes of a repository's snapshots, and what was removed; all its worktrees share the ``folder``."""

    def __init__(self, folder: str, shadow: Shadow, limit: int) -> None:
        self._path = os.path.join(folder, "sizes")
        self._shadow = shadow
        self._limit = limit
        self._data = _read(self._path)
        self._adding = 0
        self._is_removed = False

    def estimate(self, kept: Iterable[Kept]) -> int:
        """What they take at most: as last measured, and all that was stored since."""
        stored = self._data.get("stored", {})
        since = sum(int(stored.get(str(each.id), 0)) for each in kept)
        return since + int(self._data.get("measured", 0))

    def too_old(self, kept: Sequence[Kept], adding: int, commit: str, now: int) -> list[Kept]:
        """Those that have to go, the oldest; StateError rather than one that was taken just now.

        ``kept`` are the newest first; the next one is the ``commit``, and takes at most ``adding``.
        """
        self._adding = adding
        is_known = "measured" in self._data or not kept
        if is_known and self.estimate(kept) + adding <= self._limit:
            return []

        def size(count: int) -> int:
            return self._shadow.size_of([commit, *(each.commit for each in kept[:count])])

        self._adding, measured = 0, size(len(kept))
        self._data.update(measured=measured, stored={})
        if measured <= self._limit:
            return []
        fewest = sum(now - each.time < RECENT for each in kept)
        low, high = fewest, len(kept)
        while low < high:  # the most that fit, the newest first
            middle = (low + high + 1) // 2
            if size(middle) <= self._limit * _LEFT_FREE:
                low = middle
            else:
                high = middle - 1
        self._data["measured"] = measured = size(low)
        if measured > self._limit:
            text = f"the snapshots of the last hour take {amount(measured)} with this one"
            raise StateError(text, hint="edge config set undo_megabytes N")
        return list(kept[low:])

    def added(self, number: int) -> None:
        """The snapshot that room was made for is taken."""
        self._data.setdefault("stored", {})[str(number)] = self._adding
        data = jsons.dumps(self._data).encode()
        if self._is_removed:
            files.write_durable(self._path, data)
            return
        with open(self._path, "wb") as file:  # if it is lost, all is measured again
            file.write(data)

    def removed(self, kept: Sequence[Kept], why: str, now: int) -> None:
        """Remember those that are removed now."""
        gone = [
            {"id": each.id, "commit": each.commit, "time": each.time, "at": now, "why": why}
            for each in kept
        ]
        self._is_removed |= bool(gone)
        self._data["removed"] = [*self.records(), *gone][-_MAX_RECORDS:]
        for each in kept:
            self._data.get("stored", {}).pop(str(each.id), None)

    def records(self) -> list[dict[str, Any]]:
        """What was removed, the oldest first: ``id``, ``commit``, ``time``, ``at`` and ``why``."""
        return list(self._data.get("removed", ()))


def known_size(folder: str) -> int:
    """What the snapshots of a repository take, about; git is not asked."""
    data = _read(os.path.join(folder, "sizes"))
    return sum(map(int, data.get("stored", {}).values())) + int(data.get("measured", 0))


def _read(path: str) -> dict[str, Any]:
    try:
        data = jsons.loads(files.read_bytes(path) or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


# end of module
