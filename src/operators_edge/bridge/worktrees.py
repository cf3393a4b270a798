"""The working trees that attempts edit: the project's own one, or a linked one for each task.

A task's tree begins as the commit that is checked out in the project, with its submodules as they are there,
from what is on this disk. It lies outside the project, is always at the same place for the same task, and is
removed with the attempt; while the task waits for a person it stays, so that they can look at it.

Does not own what happens in a tree (``bridge.attempt``) or its branch (``bridge.branches``).
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from operators_edge.bridge import branches
from operators_edge.bridge.origin import WorkTree
from operators_edge.errors import EdgeError, StateError
from operators_edge.git.commands import Budget
from operators_edge.storage import files
from operators_edge.undo import snapshots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Trees:
    """Where the tasks of the project at ``root`` are worked on; their own trees are below ``folder``."""

    def __init__(self, root: str, folder: str, env: Mapping[str, str], *, are_own: bool) -> None:
        self._root = root
        self._folder = os.path.realpath(folder)
        self._env = env
        self.are_own = are_own

    def place(self, stem: str) -> str:
        """The folder of the task's own tree."""
        return os.path.join(self._folder, stem)

    def enter(self, stem: str) -> WorkTree:
        """The tree for a task. Raises GitFailed, StateError."""
        if not self.are_own:
            return WorkTree.at(self._root, self._env)
        problem = self.leave(stem)
        if problem:
            raise StateError(problem)
        if Budget(branches.SECONDS).ask(self._root, "rev-parse", "--verify", "HEAD") is None:
            raise StateError(branches.NO_COMMIT)
        files.ensure_private_dir(self._folder)
        _add(self._root, self.place(stem), "HEAD")
        return WorkTree.at(self.place(stem), self._env, is_own=True)

    def leave(self, stem: str) -> str:
        """Remove the task's own tree; returns why that was not possible, or ""."""
        place = self.place(stem)
        if not self.are_own and not os.path.lexists(place):
            return ""
        try:
            common = _common_folder(self._root)
            _remove(place)
            for each in list(_linked(common, place)):
                _remove(each)
            snapshots.forget(common, place, self._env)
        except OSError as error:
            return f"{place} cannot be removed: {error.strerror or error}"
        except EdgeError as error:
            return f"{place} cannot be removed: {error.message}"
        with suppress(OSError):  # there are others, or it is not there
            os.rmdir(self._folder)
        return ""

    def left(self, keep: Iterable[str] = ()) -> list[str]:
        """The tasks of which anything of their own trees is still there, but those to keep."""
        there = set()
        with suppress(FileNotFoundError):
            there = set(os.listdir(self._folder))
            if not there:  # a watcher died before it removed it
                os.rmdir(self._folder)
        for each in _linked(_common_folder(self._root), self._folder):
            there.add(os.path.relpath(_top_of(each), self._folder).split(os.sep)[0])
        return sorted(there.difference(keep))


def _add(repository: str, place: str, commit: str) -> None:
    """Make a linked worktree, and one in it for each submodule that is there in the repository's own."""
    budget = Budget(branches.SECONDS)
    budget.run(repository, "worktree", "add", "--quiet", "--detach", "--force", place, commit)
    for path, wanted in _submodules(place, budget):
        own = os.path.join(repository, path)
        if os.path.lexists(os.path.join(own, ".git")):
            _add(own, os.path.join(place, path), wanted)


def _submodules(tree: str, budget: Budget) -> Iterator[tuple[str, str]]:
    """The path and the commit of each submodule."""
    for line in budget.run(tree, "ls-files", "-z", "--stage").split(b"\0"):
        if line.startswith(b"160000 "):
            about, _, path = line.partition(b"\t")
            yield os.fsdecode(path), about.split()[1].decode()


def _common_folder(root: str) -> str:
    folder = os.path.join(root, ".git")
    if os.path.isdir(folder) and not os.path.lexists(os.path.join(folder, "commondir")):
        return os.path.realpath(folder)
    said = Budget(branches.SECONDS).run(
        root, "rev-parse", "--path-format=absolute", "--git-common-dir"
    )
    return os.fsdecode(said).removesuffix("\n")


def _linked(common: str, place: str) -> Iterator[str]:
    """Git's own folders of the worktrees at and below a place; git itself would spare one that it locked."""
    for folder in _git_folders(common):
        for each in _entries(os.path.join(folder, "worktrees")):
            top = _top_of(each)
            if top == place or top.startswith(place + os.sep):
                yield each


def _top_of(linked: str) -> str:
    """The tree that one of git's own folders for worktrees belongs to."""
    points_to = files.read_bytes(os.path.join(linked, "gitdir")) or b""
    return os.path.dirname(os.fsdecode(points_to).rstrip("\n"))


def _git_folders(folder: str) -> Iterator[str]:
    """A repository's folder, and those of its submodules; their names may hold slashes."""
    if os.path.exists(os.path.join(folder, "objects")):
        yield folder
        folder = os.path.join(folder, "modules")
    for each in _entries(folder):
        yield from _git_folders(each)


def _entries(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return sorted(each.path for each in found if each.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _remove(folder: str) -> None:
    """Remove a folder, also one that its owner may not write in, or that is deeper than Python can go."""
    if os.path.islink(folder):
        os.unlink(folder)
        return
    if not os.path.lexists(folder):
        return
    try:
        shutil.rmtree(folder)
    except (PermissionError, RecursionError):
        files.remove_tree(folder)
        if os.path.lexists(folder):
            raise


# end of module
