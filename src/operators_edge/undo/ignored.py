"""Ignored files that a call names: which of them go into a snapshot, and which are too large.

Owns finding them, and their limits. Does not own the snapshot (``undo.snapshots``).
"""

from __future__ import annotations

import glob
import os
from itertools import islice

from operators_edge.undo import worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.undo.snapshots import WorkingTree

_MAX_EXPANDED = 1_000
"""Names that one glob may match."""
_MAX_FOLDERS = 2_000
_INSTALLED = frozenset((".git", "node_modules", ".venv", "venv", ".tox", ".nox"))


class NamedFiles:
    """Files that a call names and that are not in the shadow's index, because git ignores them."""

    def __init__(self, work: WorkingTree) -> None:
        self._work = work
        self._bounds = work.bounds
        self._bytes = 0
        self.paths: dict[str, None] = {}
        self.folders: dict[str, None] = {}
        """The folders that the call names."""
        self.left_out: list[str] = []

    def add_files(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._add([path])

    def add_target(self, target: str) -> None:
        """A file or folder by its absolute path, or many by a glob."""
        try:
            if b"\0" in os.fsencode(target):
                return
        except UnicodeEncodeError:
            return  # no file can have that name
        matches = [target]
        if not os.path.lexists(target) and glob.has_magic(target):
            matches = list(islice(_matches(target), _MAX_EXPANDED))
        for each in matches:
            path = worktree.path_below(self._work.top, each)
            if path is not None and os.path.lexists(each):
                self._add_below("" if path == "." else path)

    def _add_below(self, path: str) -> None:
        known = self._work.shadow.known(*([path] if path else []))
        if self._is_folder(path):
            self.folders[path] = None
            self._descend(path, set(known), parents(known))
        elif not known:
            self._add([path])

    def _is_folder(self, path: str) -> bool:
        full = os.path.join(self._work.top, path)
        return os.path.isdir(full) and not os.path.islink(full)

    def _descend(self, folder: str, known: set[str], holding: set[str]) -> None:
        """A folder with files known to git is searched; any other is added completely or not at all."""
        if folder and folder not in holding:
            self._add_all(folder)
            return
        for name in sorted(os.listdir(os.path.join(self._work.top, folder))):
            path = f"{folder}/{name}" if folder else name
            if self._work.is_own(path):
                self._leave_out(OWN)
                continue
            if path == ".git" or path in known:
                continue
            if not self._is_folder(path):
                self._add([path])
            elif not os.path.lexists(os.path.join(self._work.top, path, ".git")):
                self._descend(path, known, holding)

    def _add_all(self, folder: str) -> None:
        inner = _inside(self._work.top, folder, self._bounds.ignored_files)
        if inner is None:
            self.left_out.append(f"{folder}/ is ignored by git and too large")
        else:
            self._add(inner, of=folder)

    def _add(self, paths: list[str], *, of: str = "") -> None:
        """Add all of the paths, or none if they are too large together."""
        wanted, size = [], 0
        for path in paths:
            if self._work.is_own(path):
                self._leave_out(OWN)
                continue
            if path in self.paths or not worktree.is_safe(path):
                continue
            why = self._work.refusal(path, self._bounds.ignored_file)
            if why is None:
                wanted.append(path)
                size += os.lstat(os.path.join(self._work.top, path)).st_size
            elif why:
                self.left_out.append(f"{path} {why}")
        too_large = self._bytes + size > self._bounds.ignored_bytes
        if too_large or len(self.paths) + len(wanted) > self._bounds.ignored_files:
            self.left_out.append(f"{of or paths[0]} is ignored by git and too large")
            return
        self._bytes += size
        self.paths.update(dict.fromkeys(wanted))

    def _leave_out(self, remark: str) -> None:
        if remark not in self.left_out:
            self.left_out.append(remark)


def _matches(target: str) -> Iterator[str]:
    """What a glob matches; ``**`` is any folder below, but for what tools install and links."""
    start, deep, rest = target.partition("/**/")
    if not deep:
        yield from glob.iglob(target, include_hidden=True)
        return
    for top in glob.iglob(start, include_hidden=True):
        for count, (base, inner, _) in enumerate(os.walk(top)):
            if count > _MAX_FOLDERS:
                return
            inner[:] = [name for name in inner if name not in _INSTALLED]
            yield from glob.iglob(f"{glob.escape(base)}/{rest}", include_hidden=True)


OWN = "active_context.yaml and .proof, which are not undone"
"""The remark about the product's own files, which are restored in their own way."""


def parents(paths: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for path in paths:
        folder = os.path.dirname(path)
        while folder and folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    return folders


def _inside(top: str, folder: str, limit: int) -> list[str] | None:
    """Every file and link below the folder, except in repositories; None if there are more than ``limit``."""
    paths: list[str] = []
    for base, inner, names in os.walk(os.path.join(top, folder)):
        below = os.path.relpath(base, top).replace(os.sep, "/")
        links = [name for name in inner if os.path.islink(os.path.join(base, name))]
        if ".git" in inner or ".git" in names:
            inner.clear()
            continue
        paths += [f"{below}/{name}" for name in (*names, *links)]
        if len(paths) > limit:
            return None
    return paths


# end of module
