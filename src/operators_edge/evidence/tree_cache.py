"""Looks at the tree, kept for later: in a log line what fits, the names of many files beside it.

Owns ``.proof/cache/looks``. It can be deleted at any time: that a tree was another one is known all the same,
and which files differed is not. Does not own what a look is (``git.worktree``).
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from operators_edge.audit import segments
from operators_edge.git.worktree import TreeState
from operators_edge.redaction.redact import clean
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterable

IN_LINE = 40
"""Names that a log line holds by itself."""

KEPT = 50
"""Looks whose names are kept beside the log, the newest."""

_LONGEST = 4000


def keep(root: str, look: TreeState) -> dict[str, Any]:
    """The look for a log line; what does not fit there, or would be redacted there, is kept beside it."""
    data = look.as_data()
    if look.differs is not None and len(look.differs) <= IN_LINE:
        cleaned = clean(data, _LONGEST)
        if cleaned == data:
            return data
    if look.differs is not None:
        _write(root, look)
    return look._replace(differs=None).as_data()


def found(root: str, data: object) -> TreeState | None:
    """The look of a log line, with the names where they are still known; None where there is none."""
    look = TreeState.of_data(data)
    if look is None or look.differs is not None:
        return look
    if not look.digest.isalnum():
        return None
    try:
        with open(_path(root, look.digest), "rb") as file:
            whole = TreeState.of_data(json.load(file))
    except (OSError, ValueError):
        return look  # a cache: it may be gone, or half of it
    return look if whole is None or whole.digest != look.digest else whole


def _write(root: str, look: TreeState) -> None:
    path = _path(root, look.digest)
    files.write_cache(path, json.dumps(look.as_data(), separators=(",", ":")).encode())
    with suppress(OSError):  # others forget, too
        _forget(os.scandir(os.path.dirname(path)))


def _forget(entries: Iterable[os.DirEntry[str]]) -> None:
    for old in sorted(entries, key=lambda each: each.stat().st_mtime_ns)[:-KEPT]:
        os.unlink(old.path)


def _path(root: str, digest: str) -> str:
    return os.path.join(segments.folder_of(root), "cache", "looks", f"{digest}.json")
