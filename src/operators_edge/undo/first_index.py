"""The first index of a shadow, made from the user's own: git knows already what most files hold.

Owns which of the user's entries say byte for byte what is on the disk. All others are read and stored like
new files, as are all files if there is no index to begin with. Does not own its form (``git.objects``).
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress

from operators_edge.git.commands import GitFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.git.objects import Shadow

_LFS = "filter.lfs"


def adopt(shadow: Shadow, own: tuple[str, ...]) -> dict[str, os.stat_result]:
    """Make the first index, if there is none; what the disk says of the files that are in it.

    ``own`` are the product's files. Git's own comparison follows: it finds, by its times, a file that changed
    since git looked at it.
    """
    if os.path.lexists(shadow.index) or set(shadow.repository.filters) - {_LFS}:
        return {}
    draft = f"{shadow.index}.draft"
    try:
        # With its time: what was written in the same moment as the index is read again.
        shutil.copy2(shadow.repository.users_index, draft)
        listed, others = _entries(shadow, draft, own)
        there = dict(_of_equal_size(shadow, listed))
        for path in shadow.converted(draft):
            there.pop(path, None)
        shadow.adopt(draft, [*others, *(path for path in listed if path not in there)])
    except (OSError, GitFailed):
        shadow.budget.require_left()
        return {}  # all files are new then
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)
    return there


def _entries(
    shadow: Shadow, index: str, own: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, None]]:
    """Files and links with their contents; and what is none, in conflict, or not to be looked at."""
    listed: dict[str, str] = {}
    others: dict[str, None] = {}
    for each in shadow.listed("ls-files", "-s", "-v", "-z", index=index):
        about, _, path = each.partition("\t")
        if about.startswith(("H 10", "H 12")) and about.endswith(" 0") and not path.startswith(own):
            listed[path] = about.split(" ", 3)[2]
        else:
            others[path] = None
    return listed, others


def _of_equal_size(shadow: Shadow, listed: dict[str, str]) -> Iterator[tuple[str, os.stat_result]]:
    """Those as long as their content in git: no conversion of line ends or names was made."""
    sizes = shadow.sizes_of(listed.values())
    top = shadow.repository.top
    for path, ident in listed.items():
        with suppress(OSError, ValueError):
            info = os.lstat(f"{top}/{path}")
            if 0 < info.st_size == sizes.get(ident):  # an empty one may only be intended
                yield path, info


# end of module
