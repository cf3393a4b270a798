"""Signed notes of purges: what a person removed of a project's record, so that its absence is explained.

A note about a part of the log is an entry of it, ``log_purged``. One about a whole record is a file in the
person's folder. Does not own what is removed (``sessions.purge_service``).
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.storage import keys
from operators_edge.storage.files import json_object, read_bytes, write_durable
from operators_edge.system.user_dirs import project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def signed(root: str, note: Mapping[str, Any], env: Mapping[str, str]) -> dict[str, Any]:
    """The note with this person's signature, for this project only."""
    return keys.signed(root, dict(note), env=env)


def note_path(root: str, env: Mapping[str, str]) -> str:
    """Where the note of a whole purge is."""
    return os.path.join(user_dir(env), "purges", f"{project_id(root)}.json")


def keep(root: str, note: Mapping[str, Any], env: Mapping[str, str]) -> None:
    """Store the note of a whole purge: first with what is still to be removed, then without."""
    keys.make_user_dir(env, "purges")
    data = jsons.dumps(signed(root, note, env), ensure_ascii=False).encode("utf-8", "replace")
    write_durable(note_path(root, env), data, mode=0o600)


def kept(root: str, env: Mapping[str, str] = os.environ) -> dict[str, Any] | None:
    """The note of the last whole purge of this folder; None without one that is genuine.

    StateError: the note or the key cannot be read.
    """
    path = note_path(root, env)
    data = read_bytes(path)
    if data is None:
        return None
    note = json_object(path, data, hint=f"Remove {path}: it only explains a purge.")
    return note if keys.is_genuine(root, note, env=env) else None


# end of module
