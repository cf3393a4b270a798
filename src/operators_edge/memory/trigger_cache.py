"""Trigger words: every call that a lesson is about contains one, so most calls need not read the state.

Owns ``.proof/cache/needles.json``, which is valid for one version of the state file and of the person's own
lessons, and can be deleted at any time. Does not own the words (``memory.triggers``).
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.locations import PROOF_DIR, STATE_FILE, known_user_dir
from operators_edge.system import file_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from operators_edge.model import Call

PERSON_FILE = "lessons.json"
"""In the person's folder: their own lessons, for every project (``memory.person_store``)."""


def may_concern(root: str, text: str, env: Mapping[str, str] = os.environ) -> bool:
    """Whether a lesson could be about a call; False guarantees that no exact trigger matches.

    ``text`` is its tool, command and path, a line each.
    """
    stamp = stamp_of(root, env)
    if not stamp:
        return False  # no state, no lessons
    try:
        cached_stamp, words = file_cache.read_cached(_path(root), jsons.loads)
    except (OSError, ValueError, TypeError):
        return True  # not there yet, or damaged: the closer check writes it
    if cached_stamp != stamp or not isinstance(words, list):
        return True
    lower = text.lower()
    return any(str(word) in lower for word in words)


def is_state_known(root: str, env: Mapping[str, str] = os.environ) -> bool:
    """Whether the words are of the state file as it is now: then it could be read."""
    stamp = stamp_of(root, env)
    try:
        return not stamp or bool(file_cache.read_cached(_path(root), jsons.loads)[0] == stamp)
    except (OSError, ValueError, TypeError, LookupError):
        return False


def may_concern_call(root: str, call: Call, env: Mapping[str, str] = os.environ) -> bool:
    """The same for a call."""
    command, path = command_and_path(call)
    return may_concern(root, f"{call.tool}\n{command}\n{path}", env)


def command_and_path(call: Call) -> tuple[str, str]:
    """What a call runs and which file it is about, "" for none."""
    command = call.input.get("command")
    path = call.input.get("file_path") or call.input.get("notebook_path")
    whole = os.path.join(call.cwd, path) if isinstance(path, str) and path else ""
    return (command if isinstance(command, str) else "", whole)


def stamp_of(root: str, env: Mapping[str, str] = os.environ) -> str:
    """Identifies this version of the state file and of the person's lessons; "" without a state file."""
    state = _version(os.path.join(root, STATE_FILE))
    return state and f"{state}, {_version(f'{known_user_dir(env)}/{PERSON_FILE}')}"


def _version(path: str) -> str:
    try:
        seen = os.stat(path)
    except OSError:
        return ""
    return f"{seen.st_mtime_ns} {seen.st_size} {seen.st_ino}"


def save(root: str, stamp: str, words: Iterable[str]) -> None:
    """Save the words for the state with that stamp, if a file can be written here."""
    from operators_edge.storage import files  # noqa: PLC0415 - hot path

    files.write_cache(_path(root), jsons.dumps([stamp, list(words)]).encode())


def _path(root: str) -> str:
    return os.path.join(root, PROOF_DIR, "cache", "needles.json")


# end of module
