"""The files that a call would delete or overwrite: how many, how large, and what git has of them.

Owns the scan, which is bounded in time and number. It only reads, and follows no link.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from itertools import islice

from operators_edge.approvals.impact.file_loss import FileLoss
from operators_edge.git import commands as git
from operators_edge.locations import is_within
from operators_edge.system.project_root import is_of_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from operators_edge.git.commands import Budget

MAX_ENTRIES = 20_000
_MAX_SPECS = 100
_MAX_TREES = 4
ANY_DEPTH = "**"
"""In a pattern: the folder so far and all below it; the name after it may be a hidden one."""


class FileScan:
    """Files, and everything below folders, counted up to the limits of time and number."""

    def __init__(self, budget: Budget, *, root: str = "", is_deep: bool = True) -> None:
        """``root`` is the project: of what is not in its working trees, no snapshot is taken."""
        self.budget = budget
        self.root = root
        self.is_deep = is_deep
        self.files: dict[str, int] = {}
        self.tops: list[str] = []
        self.histories = 0
        self.devices = 0
        self.is_cut = False

    def add(self, path: str) -> None:
        """Scan what a path, or a pattern of paths, matches now."""
        for each in self._expanded(path):
            real = os.path.join(os.path.realpath(os.path.dirname(each)), os.path.basename(each))
            if os.path.lexists(each) and not self.is_cut:
                self.tops.append(real)
                self._walk(real)

    def _expanded(self, path: str) -> list[str]:
        """What a shell would make of the pattern; folder by folder, so that the limits apply in between."""
        if os.path.lexists(path) or not _is_pattern(path):
            return [path]
        matches, before = [os.sep], ""
        for part in path.split(os.sep)[1:]:
            found: list[str] = []
            for folder in matches:
                if self._is_at_limit() or len(found) > MAX_ENTRIES:
                    self.is_cut = True
                    break
                if part == ANY_DEPTH:
                    found += self._folders_from(folder)
                    continue
                names = _matching(folder, part, with_hidden=before == ANY_DEPTH)
                found += [os.path.join(folder, name) for name in names]
            matches, before = found, part
        return matches

    def _folders_from(self, top: str) -> Iterator[str]:
        for count, (folder, _, _) in enumerate(os.walk(top)):
            if count > MAX_ENTRIES or self._is_at_limit():
                self.is_cut = True
                return
            yield folder

    def _is_at_limit(self) -> bool:
        self.is_cut = self.is_cut or len(self.files) >= MAX_ENTRIES or self.budget.left <= 0
        return self.is_cut

    def _walk(self, top: str) -> None:
        left = [top]
        while left and not self._is_at_limit():
            path = left.pop()
            try:
                info = os.lstat(path)
                if stat.S_ISBLK(info.st_mode) or stat.S_ISCHR(info.st_mode):
                    self.devices += 1
                    continue
                if not stat.S_ISDIR(info.st_mode):
                    self.files[path] = info.st_size if stat.S_ISREG(info.st_mode) else 0
                    continue
                if not self.is_deep:
                    continue
                if os.path.basename(path) == ".git":
                    self.histories += 1
                    continue
                with os.scandir(path) as entries:
                    left += [entry.path for entry in islice(entries, MAX_ENTRIES + 1)]
            except OSError:
                continue  # deleted meanwhile, or unreadable: then the command cannot read it either

    def loss(self, act: Literal["delete", "overwrite"]) -> FileLoss:
        """Files, bytes, and how many of them are in which state for git."""
        found = FileLoss(
            act,
            len(self.files),
            sum(self.files.values()),
            is_more=self.is_cut,
            devices=self.devices,
            histories=self.histories,
        )
        try:
            if not self.files:
                return found
            counts, uncovered = self._in_git()
            return found._replace(in_git=counts, uncovered=uncovered)
        except git.TooSlow:
            return found._replace(git_problem="git did not answer in time")

    def _in_git(self) -> tuple[dict[str, int], int]:
        """How many are clean (unchanged since the commit), modified, untracked, ignored, or outside.

        And how many with work that is in another repository, of which no snapshot is taken.
        """
        trees = self._trees()
        covered = {tree.top: is_of_project(tree.top, self.root) for tree in trees}
        uncovered = 0
        counts: dict[str, int] = {}
        for path in self.files:
            tree = next((each for each in trees if each.holds(path)), None)
            kind = tree.kind(path) if tree else "outside"
            counts[kind] = counts.get(kind, 0) + 1
            if tree and kind != "clean":
                uncovered += not covered[tree.top]
        return counts, uncovered

    def _trees(self) -> list[_Tree]:
        trees: list[_Tree] = []
        for path in self.tops:
            folder = path if os.path.isdir(path) and not os.path.islink(path) else None
            if any(tree.holds(path) for tree in trees) or len(trees) == _MAX_TREES:
                continue
            top = self.budget.ask(folder or os.path.dirname(path), "rev-parse", "--show-toplevel")
            if top:
                top = top.rstrip("\n")
                below = [each for each in self.tops if is_within(each, top)]
                trees.append(_Tree(top, below, self.budget))
        return trees


def _is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def _matching(folder: str, part: str, *, with_hidden: bool) -> list[str]:
    """The names in the folder that one part of a pattern matches; a plain name is not looked for."""
    if not _is_pattern(part):
        return [part]
    try:
        names = fnmatch.filter(os.listdir(folder), part)
    except OSError:
        return []  # not a folder, or unreadable: the shell finds nothing there either
    with_hidden = with_hidden or part.startswith(".")
    return [name for name in names if with_hidden or not name.startswith(".")]


class _Tree:
    """The state, for git, of the files below some paths of one working tree."""

    def __init__(self, top: str, paths: list[str], budget: Budget) -> None:
        self.top = top
        if len(paths) > _MAX_SPECS:
            paths = [os.path.commonpath(paths)]
        specs = ("--", *(os.path.relpath(path, top) for path in paths))

        def ask(*words: str) -> list[str]:
            return (budget.ask(top, "--literal-pathspecs", *words, *specs) or "").split("\0")

        self.tracked = set(ask("ls-files", "-z"))
        lines = ask("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
        states = {line[3:]: line[:2] for line in lines}
        self.untracked = {path for path, state in states.items() if state == "??"}
        self.modified = {path for path, state in states.items() if state.strip()} - self.untracked
        self.untracked_folders = tuple(path for path in self.untracked if path.endswith("/"))

    def holds(self, path: str) -> bool:
        return is_within(path, self.top)

    def kind(self, path: str) -> str:
        name = os.path.relpath(path, self.top)
        if name in self.modified:
            return "modified"
        if name in self.tracked:
            return "clean"
        is_untracked = name in self.untracked or name.startswith(self.untracked_folders)
        return "untracked" if is_untracked else "ignored"


# end of module
