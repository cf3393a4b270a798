"""The files that a call would delete or overwrite: how many, how large, and what git has of them.

Owns the scan, which is bounded in time and number. It only reads, and follows no link.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from itertools import islice
from typing import TYPE_CHECKING

from operators_edge.git import commands as git

if TYPE_CHECKING:
    from operators_edge.approvals.impact.report import FileReport
    from operators_edge.git.commands import Budget

MAX_ENTRIES = 20_000
_MAX_SPECS = 100
_MAX_TREES = 4


class FileScan:
    """Files, and everything below folders, counted up to the limits of time and number."""

    def __init__(self, budget: Budget, *, is_deep: bool = True) -> None:
        self.budget = budget
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
        if os.path.lexists(path) or not any(sign in path for sign in "*?["):
            return [path]
        matches = [os.sep]
        for part in path.split(os.sep)[1:]:
            if not any(sign in part for sign in "*?["):
                matches = [os.path.join(folder, part) for folder in matches]
                continue
            matching: list[str] = []
            for folder in matches:
                if self._is_at_limit() or len(matching) > MAX_ENTRIES:
                    self.is_cut = True
                    break
                names = fnmatch.filter(_names(folder), part)
                hidden = part.startswith(".")
                matching += [os.path.join(folder, n) for n in names if hidden or n[0] != "."]
            matches = matching
        return matches

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

    def report(self) -> FileReport:
        """Files, bytes, and how many of them are in which state for git."""
        report: FileReport = {"files": len(self.files), "bytes": sum(self.files.values())}
        if self.is_cut:
            report["is_more"] = True
        if self.devices:
            report["devices"] = self.devices
        if self.histories:
            report["histories"] = self.histories
        if self.files:
            report |= self._in_git()
        return report

    def _in_git(self) -> FileReport:
        """How many are clean (unchanged since the commit), modified, untracked, ignored, or outside."""
        counts = dict.fromkeys(("clean", "modified", "untracked", "ignored", "outside"), 0)
        try:
            trees = self._trees()
            for path in self.files:
                tree = next((each for each in trees if each.holds(path)), None)
                counts[tree.kind(path) if tree else "outside"] += 1
        except git.TooSlow:
            return {"git": "git did not answer in time"}
        return {"in_git": {kind: count for kind, count in counts.items() if count}}

    def _trees(self) -> list[_Tree]:
        trees: list[_Tree] = []
        for path in self.tops:
            folder = path if os.path.isdir(path) and not os.path.islink(path) else None
            if any(tree.holds(path) for tree in trees) or len(trees) == _MAX_TREES:
                continue
            top = self.budget.ask(folder or os.path.dirname(path), "rev-parse", "--show-toplevel")
            if top:
                top = top.rstrip("\n")
                below = [each for each in self.tops if _is_in(each, top)]
                trees.append(_Tree(top, below, self.budget))
        return trees


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []  # not a folder, or unreadable: the shell finds nothing there either


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


class _Tree:
    """The state, for git, of the files below some paths of one working tree."""

    def __init__(self, top: str, paths: list[str], budget: Budget) -> None:
        self.top = top
        if len(paths) > _MAX_SPECS:
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
