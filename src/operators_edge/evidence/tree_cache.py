"""Tree states, stored in the log line if they fit, else with their file names in a cache.

Owns ``.proof/cache/looks/``. It can be deleted at any time: then the log still shows that a tree differed,
but not in which files. Does not own tree states (``git.worktree``).
"""

from __future__ import annotations

import json
import os

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.git.worktree import TreeState
from operators_edge.redaction.redact import clean
from operators_edge.storage import files, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

IN_LINE = 40
"""Names that fit in a log line."""

KEPT = 50
"""Tree states in the cache, the newest."""

_MAX_TEXT = 4000


def store(root: str, look: TreeState) -> dict[str, Any]:
    """The tree state for a log line; what does not fit there, or would be redacted, goes into the cache."""
    data = look.as_data()
    if look.differs is not None and len(look.differs) <= IN_LINE:
        cleaned = clean(data, _MAX_TEXT)
        if cleaned == data:
            return data
    if look.differs is not None:
        _write(root, look)
    return look._replace(differs=None).as_data()


def load(root: str, data: object) -> TreeState | None:
    """The tree state of a log line, with its names if they are still known; None if there is none."""
    look = TreeState.of_data(data)
    if look is None or look.differs is not None:
        return look
    if not look.digest.isalnum():
        return None
    try:
        with open(_path(root, look.digest), "rb") as file:
            whole = TreeState.of_data(json.load(file))
    except (OSError, ValueError):
        return look  # a cache: it may be deleted, or half written
    return look if whole is None or whole.digest != look.digest else whole


def _write(root: str, look: TreeState) -> None:
    path = _path(root, look.digest)
    files.write_cache(path, jsons.dumps(look.as_data(), separators=(",", ":")).encode())
    with suppress(OSError):  # another process may delete as well
        _delete_old(os.scandir(os.path.dirname(path)))


def _delete_old(entries: Iterable[os.DirEntry[str]]) -> None:
    for old in sorted(entries, key=lambda each: each.stat().st_mtime_ns)[:-KEPT]:
        os.unlink(old.path)


def _path(root: str, digest: str) -> str:
    return os.path.join(segments.folder_of(root), "cache", "looks", f"{digest}.json")


# end of module
