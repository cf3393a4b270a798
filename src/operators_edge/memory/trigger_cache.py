"""Words of which one stands in every call that a lesson is about: most calls need no look at the state.

Owns ``.proof/cache/needles.json``, which holds for one version of the state file and can be deleted at any
time. Does not own what the words are (``memory.triggers``). A False is a promise that no exact trigger holds.
"""

from __future__ import annotations

import json
import os

from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.system import file_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def may_concern(root: str, text: str) -> bool:
    """Whether a lesson could be about a call; ``text`` is its tool, command and path, a line each."""
    stamp = stamp_of(root)
    if not stamp:
        return False  # no state, no lessons
    try:
        kept_stamp, words = file_cache.read_cached(_path(root), json.loads)
    except (OSError, ValueError, TypeError):
        return True  # not made yet, or damaged: whoever looks closer makes it
    if kept_stamp != stamp or not isinstance(words, list):
        return True
    low = text.lower()
    return any(str(word) in low for word in words)


def stamp_of(root: str) -> str:
    """Changes with the state file; "" where there is none that could be read."""
    try:
        seen = os.stat(os.path.join(root, STATE_FILE))
    except OSError:
        return ""
    return f"{seen.st_mtime_ns} {seen.st_size} {seen.st_ino}"


def keep(root: str, stamp: str, words: Iterable[str]) -> None:
    """Keep the words for the state of that stamp; where nothing can be written, they are asked for again."""
    from operators_edge.storage import files  # noqa: PLC0415 - not where a call concerns nothing

    files.write_cache(_path(root), json.dumps([stamp, list(words)]).encode())


def _path(root: str) -> str:
    return os.path.join(root, PROOF_DIR, "cache", "needles.json")
