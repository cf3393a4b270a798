"""A working tree as it is now, to compare snapshots with it: neither the repository nor our own files change.

Owns the temporary folder in which git notes what it sees. Does not own what is seen (``undo.snapshots``) or
the comparison (``undo.restore``).
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time

from operators_edge.contexts import contextmanager, suppress
from operators_edge.git.commands import Budget
from operators_edge.git.objects import Shadow, find
from operators_edge.system.user_dirs import undo_dir
from operators_edge.undo.snapshots import WorkingTree, prepare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.undo.snapshots import Bounds

_KNOWN = ("index", "seen", "attributes", "index-state")
"""What saves reading the whole tree again."""

_PREFIX = "edge-undo-"
_OLD_SECONDS = 86_400
_MEMORY = "/dev/shm"  # noqa: S108 - a private folder is made in it


@contextmanager
def viewed(folder: str, root: str, env: Mapping[str, str], bounds: Bounds) -> Iterator[WorkingTree]:
    """The working tree around the folder, of which nothing may be kept; also where no disk takes anything."""
    started = time.monotonic()
    budget = Budget(bounds.seconds)
    repository = find(folder, budget)
    kept = undo_dir(repository.common, env, repository.top)
    parent = _roomiest() or tempfile.gettempdir()
    _remove_left(parent)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=parent) as place:
        own = os.path.join(place, "tree")
        os.mkdir(own)
        for name in (*_KNOWN, "../sizes"):
            with suppress(OSError):  # without it, the tree is read again
                shutil.copy2(os.path.join(kept, name), os.path.join(own, name))
        prepare(repository, own)
        objects = os.path.join(own, "objects")
        os.mkdir(os.path.join(objects, "info"))
        with open(os.path.join(objects, "info", "alternates"), "wb") as file:
            file.write(os.fsencode(f"{repository.objects}\n"))
        shadow = Shadow(repository._replace(objects=objects), own, budget)
        yield WorkingTree(shadow, root, bounds, started, env)


def _remove_left(parent: str) -> None:
    """Remove what killed processes of this person have left there."""
    with suppress(OSError):  # it only takes space
        for each in os.scandir(parent):
            if each.name.startswith(_PREFIX) and each.is_dir(follow_symlinks=False):
                info = each.stat(follow_symlinks=False)
                is_own = not hasattr(os, "getuid") or info.st_uid == os.getuid()
                if is_own and time.time() - info.st_mtime > _OLD_SECONDS:
                    shutil.rmtree(each.path, ignore_errors=True)


def _roomiest() -> str | None:
    """The folder for temporary files, or memory if there is more room; None: the usual one."""
    try:
        usual = tempfile.gettempdir()
        is_full = shutil.disk_usage(usual).free < shutil.disk_usage(_MEMORY).free
    except OSError:  # no place for temporary files, or no memory that is a file system
        is_full = os.access(_MEMORY, os.W_OK)
    return _MEMORY if is_full else None


# end of module
