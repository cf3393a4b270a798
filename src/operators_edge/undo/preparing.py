"""The first snapshot of a large tree, taken in the background at the start of a session.

Owns when it is worth it, and the process that takes it: slowly, for two minutes at most, and giving way to
calls, which continue with what it has stored. Without it the first call that destroys something would have
to wait, or would have no snapshot. Does not own the snapshot (``undo.snapshots``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress

from operators_edge.errors import EdgeError
from operators_edge.git.commands import TooSlow
from operators_edge.project import Project
from operators_edge.system.project_root import git_folder, shared_folder, top_of
from operators_edge.system.user_dirs import background_env, undo_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MODULE = "operators_edge.undo.preparing"
_MANY_BYTES = 1 << 20
"""Of git's index: about 10,000 files."""

_MANY_DIFFERING = 5_000
_SECONDS = 120.0
_SLICE = 2.0
"""Seconds after which it lets go of the lock, so that a call waits no longer."""

_PAUSE = 0.2
"""Seconds in which a call that waits takes the lock."""

_LONGEST_SLICE = 8.0


def is_wanted(root: str, differing: int | None, env: Mapping[str, str] = os.environ) -> bool:
    """Whether the tree has many files, of which no snapshot was begun yet; ``differing`` None: too many."""
    top = top_of(os.path.realpath(root))
    if not top:
        return False
    try:
        own = git_folder(top)
        is_large = differing is None or differing > _MANY_DIFFERING
        if not is_large and os.stat(os.path.join(own, "index")).st_size <= _MANY_BYTES:
            return False
        kept = undo_dir(shared_folder(own), env, top)
    except (EdgeError, OSError):  # no home, or git's files cannot be read: the first call says so
        return False
    return not os.path.lexists(os.path.join(kept, "index"))


def start(root: str, env: Mapping[str, str] = os.environ) -> None:
    """Start it, detached; never wait for it. Without it the first call does all the work."""
    null = subprocess.DEVNULL
    with suppress(OSError):
        subprocess.Popen(
            [sys.executable, "-I", "-m", MODULE, root],
            env=background_env(env),
            cwd=os.sep,
            stdin=null,
            stdout=null,
            stderr=null,
            start_new_session=True,
        )


def take(
    project: Project, *, env: Mapping[str, str] = os.environ, seconds: float = _SECONDS
) -> bool:
    """Take the snapshot, a slice of time after another; whether it was taken. Never raises."""
    from operators_edge.undo import snapshots  # noqa: PLC0415 - a session's start only decides

    end, piece = time.monotonic() + seconds, _SLICE
    bounds = snapshots.BEFORE_CALL._replace(total=project.undo_megabytes << 20)
    reason = snapshots.SnapshotReason("the first session")
    while piece <= _LONGEST_SLICE and (left := end - time.monotonic()) > 0:
        index, before = "", None
        try:
            limit = bounds._replace(seconds=min(piece, left))
            with snapshots.opened(project.root, project.root, env, limit) as work:
                index = work.shadow.index
                before = _stamp(index)
                work.keep(work.capture(), reason, project.clock)
                return True
        except TooSlow:
            piece = _SLICE if index and _stamp(index) != before else piece * 2
            time.sleep(_PAUSE)
        except (EdgeError, OSError, ValueError):
            return False  # read-only, or a call is at it
    return False


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns


def main(words: Sequence[str]) -> int:
    if hasattr(os, "nice"):
        os.nice(5)
    return 0 if take(Project(words[0], is_set_up=True)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# end of module
