"""The folder in which a check begins, for a client that reports the one in which it ended.

After ``cd sub && pytest`` the client's event has the folder that the ``cd`` led to. So the folder is kept
when such a call is announced and taken when it has ended. Owns ``.proof/cache/begun``. Does not own which
commands are checks (``evidence.checks.detect``).
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from operators_edge.evidence.checks import detect
from operators_edge.storage import files, segments
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Call

KEPT_SECONDS = 24 * 3600.0

_MOVING = ("cd", "pushd", "popd")


def may_move(command: object) -> bool:
    """Whether a check may begin in another folder than the one in which its line ends."""
    if not isinstance(command, str) or not any(word in command for word in _MOVING):
        return False
    return detect.may_judge(command)


def keep(root: str, call: Call) -> None:
    """Remember where the call begins; for calls of which ``may_move`` is true."""
    if call.id:
        files.write_cache(_path(root, call.id), os.fsencode(call.cwd))


def begun(root: str, call: Call) -> Call:
    """The finished call with the folder in which it began, as far as that is known."""
    if not may_move(call.input.get("command")):
        return call
    path = _path(root, call.id)
    try:
        with open(path, "rb") as file:
            folder = os.fsdecode(file.read())
    except OSError:
        return call  # announced to another version, or not at all: the client's own folder
    with suppress(OSError):
        os.unlink(path)
    return call._replace(cwd=folder)


def sweep(root: str) -> None:
    """Forget calls that never ended."""
    with suppress(OSError):  # nothing was kept, or another process deletes as well
        for each in os.scandir(_folder(root)):
            if time.time() - each.stat().st_mtime > KEPT_SECONDS:
                os.unlink(each.path)


def _folder(root: str) -> str:
    return os.path.join(segments.folder_of(root), "cache", "begun")


def _path(root: str, call_id: str) -> str:
    return os.path.join(_folder(root), sha256_hex(call_id.encode())[:32])


# end of module
