"""What ended tasks leave behind, found by age and removed: logs, patches, old task files and side refs.

Results stay, and so do branches and what the database knows. Only what was found is removed, so a second
look removes the rest of what an interrupted one left.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.bridge import layout
from operators_edge.bridge.audit import NAMESPACE
from operators_edge.datetimes import datetime
from operators_edge.git.commands import Budget
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import files, journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.bridge.layout import Folder
    from operators_edge.bridge.queue import TaskRow

_FOLDERS: tuple[Folder, ...] = ("logs", "patches", "meta")
_SECONDS = 60.0


class Leftovers(NamedTuple):
    """Paths below the project with their size in bytes together, side refs, and the tasks that left them."""

    files: tuple[str, ...]
    size: int
    refs: tuple[str, ...]
    tasks: tuple[str, ...]


def found(root: str, rows: Iterable[TaskRow], until: datetime) -> Leftovers:
    """What those tasks left that did not change after ``until``. Raises GitFailed, StateError."""
    old = {each.stem for each in rows if datetime.fromisoformat(each.changed_at) <= until}
    named = list(_files(root, old))
    refs = list(_refs(root, old))
    size = sum(_size(journal.place(root, path)) for _, path in named)
    tasks = sorted({stem for stem, _ in (*named, *refs)})
    paths = tuple(path for _, path in named)
    return Leftovers(paths, size, tuple(ref for _, ref in refs), tuple(tasks))


def remove(root: str, leftovers: Leftovers) -> None:
    """Remove them. Raises GitFailed, StateError."""
    if leftovers.refs:
        steps = "".join(f"delete {ref}\n" for ref in leftovers.refs)
        Budget(_SECONDS).run(root, "update-ref", "--stdin", stdin=steps.encode())
    for path in leftovers.files:
        place = journal.place(root, path)
        if os.path.isdir(place) and not os.path.islink(place):
            files.remove_tree(place)
            continue
        try:
            with suppress(FileNotFoundError):
                os.unlink(place)
        except OSError as error:
            raise files.failure("remove", place, error) from error


def _files(root: str, stems: set[str]) -> Iterator[tuple[str, str]]:
    """Each file of these tasks with the task's stem."""
    owners = {name: stem for stem in stems for name in layout.names_of(stem)}
    for folder in _FOLDERS:
        for name in sorted(os.listdir(journal.target(root, f"{HANDOFF_DIR}/{folder}"))):
            stem = owners.get(f"{folder}/{layout.latest(name)}")
            if stem is not None:
                yield stem, f"{HANDOFF_DIR}/{folder}/{name}"


def _refs(root: str, stems: set[str]) -> Iterator[tuple[str, str]]:
    said = Budget(_SECONDS).run(root, "for-each-ref", "--format=%(refname)", NAMESPACE)
    for ref in os.fsdecode(said).splitlines():
        stem = ref.removeprefix(NAMESPACE).rpartition("/")[0]
        if stem in stems:
            yield stem, ref


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


# end of module
