"""The files that a call would take: how many, how large, and which of them git could bring back.

Owns the walk, bounded in time and number. Reads only, and follows no link.
"""

from __future__ import annotations

import os
import stat
from itertools import islice
from typing import TYPE_CHECKING, Any

from operators_edge.git import commands as git

if TYPE_CHECKING:
    from operators_edge.git.commands import Budget

MAX_ENTRIES = 20_000
_MOST_SPECS = 100
_MOST_TREES = 4

Fact = dict[str, Any]


class Look:
    """A look at files and at everything below folders, no further than the bounds."""

    def __init__(self, budget: Budget, *, is_deep: bool = True) -> None:
        self.budget = budget
        self.is_deep = is_deep
        self.files: dict[str, int] = {}
        self.tops: list[str] = []
        self.histories = 0
        self.devices = 0
        self.is_cut = False

    def add(self, path: str) -> None:
        """Everything that a path, or a pattern of paths, stands for now."""
        for one in self._expanded(path):
            real = os.path.join(os.path.realpath(os.path.dirname(one)), os.path.basename(one))
            if os.path.lexists(one) and not self.is_cut:
                self.tops.append(real)
                self._walk(real)

    def _expanded(self, path: str) -> list[str]:
        """What a shell would make of the pattern, folder by folder, so that time can run out."""
        if os.path.lexists(path) or not any(sign in path for sign in "*?["):
            return [path]
        import fnmatch  # noqa: PLC0415 - for patterns alone

        found = [os.sep]
        for part in path.split(os.sep)[1:]:
            if not any(sign in part for sign in "*?["):
                found = [os.path.join(one, part) for one in found]
                continue
            matching: list[str] = []
            for folder in found:
                if self._is_over() or len(matching) > MAX_ENTRIES:
                    self.is_cut = True
                    break
                names = fnmatch.filter(_names(folder), part)
                hidden = part.startswith(".")
                matching += [os.path.join(folder, n) for n in names if hidden or n[0] != "."]
            found = matching
        return found

    def _is_over(self) -> bool:
        self.is_cut = self.is_cut or len(self.files) >= MAX_ENTRIES or self.budget.left <= 0
        return self.is_cut

    def _walk(self, path: str) -> None:
        left = [path]
        while left and not self._is_over():
            one = left.pop()
            try:
                found = os.lstat(one)
                if stat.S_ISBLK(found.st_mode) or stat.S_ISCHR(found.st_mode):
                    self.devices += 1
                    continue
                if not stat.S_ISDIR(found.st_mode):
                    self.files[one] = found.st_size if stat.S_ISREG(found.st_mode) else 0
                    continue
                if not self.is_deep:
                    continue
                if os.path.basename(one) == ".git":
                    self.histories += 1
                    continue
                with os.scandir(one) as entries:
                    left += [entry.path for entry in islice(entries, MAX_ENTRIES + 1)]
            except OSError:
                continue  # gone meanwhile, or not ours to read: then the command cannot either

    def counted(self) -> Fact:
        """Numbers: files, bytes, and of how many git knows what."""
        fact: Fact = {"files": len(self.files), "bytes": sum(self.files.values())}
        if self.is_cut:
            fact["is_more"] = True
        if self.devices:
            fact["devices"] = self.devices
        if self.histories:
            fact["histories"] = self.histories
        if self.files:
            fact |= self._known_to_git()
        return fact

    def _known_to_git(self) -> Fact:
        """clean: git has it as it is; modified, untracked, ignored; outside of any repository."""
        counts = dict.fromkeys(("clean", "modified", "untracked", "ignored", "outside"), 0)
        try:
            trees = self._trees()
            for path in self.files:
                tree = next((one for one in trees if one.holds(path)), None)
                counts[tree.kind(path) if tree else "outside"] += 1
        except git.TooSlow:
            return {"git": "git did not answer in time"}
        return {"in_git": {kind: count for kind, count in counts.items() if count}}

    def _trees(self) -> list[_Tree]:
        trees: list[_Tree] = []
        for path in self.tops:
            folder = path if os.path.isdir(path) and not os.path.islink(path) else None
            if any(tree.holds(path) for tree in trees) or len(trees) == _MOST_TREES:
                continue
            top = self.budget.ask(folder or os.path.dirname(path), "rev-parse", "--show-toplevel")
            if top:
                mine = top.rstrip("\n")
                trees.append(
                    _Tree(mine, [one for one in self.tops if _is_in(one, mine)], self.budget)
                )
        return trees


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []  # no folder, or not ours to read: the shell finds nothing there either


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


class _Tree:
    """What git knows of the files below some paths of one work tree."""

    def __init__(self, top: str, paths: list[str], budget: Budget) -> None:
        self.top = top
        if len(paths) > _MOST_SPECS:
            paths = [os.path.commonpath(paths)]
        specs = ("--", *(os.path.relpath(path, top) for path in paths))
        literal = "--literal-pathspecs"
        tracked = budget.ask(top, literal, "ls-files", "-z", *specs) or ""
        self.tracked = set(tracked.split("\0"))
        status = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
        lines = (budget.ask(top, literal, *status, *specs) or "").split("\0")
        self.untracked = {line[3:] for line in lines if line.startswith("??")}
        self.modified = {line[3:] for line in lines if line[:2].strip() and line[:2] != "??"}
        self.foreign = tuple(path for path in self.untracked if path.endswith("/"))

    def holds(self, path: str) -> bool:
        return _is_in(path, self.top)

    def kind(self, path: str) -> str:
        name = os.path.relpath(path, self.top)
        if name in self.modified:
            return "modified"
        if name in self.tracked:
            return "clean"
        is_untracked = name in self.untracked or name.startswith(self.foreign)
        return "untracked" if is_untracked else "ignored"
