"""What a call would take with it, asked of this machine: files and bytes, and what git could bring back.

Owns the looking, bounded in time and number; a number that is not known is said to be unknown, never
zero. Does not own what git knows of commits (``commits``), what the command says by itself
(``core.stakes``), or how any of it reads (``core.card``). Reads only, follows no link, touches no
network.
"""

from __future__ import annotations

import os
import stat
import time
from itertools import islice
from typing import TYPE_CHECKING, Any

from operators_edge.core.card import stakes
from operators_edge.core.paths import Ground
from operators_edge.system import git

if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.core.invocation import Invocation
    from operators_edge.core.rules import Rules
    from operators_edge.model import Call, Facts, Finding, Place, Verdict

LIMIT_SECONDS = 1.0
"""For everything that one card asks."""

MAX_ENTRIES = 20_000
MOST_FACTS = 3
_MOST_SPECS = 100
_MOST_TREES = 4

_DELETING = frozenset(("rm", "rmdir", "unlink", "shred", "find", "fd", "mv", "rsync"))
_AT_MOST = frozenset(("find", "fd", "rsync"))
"""Programs that choose among the files below what they name."""

_LITERAL = frozenset(
    ("", "rm", "rmdir", "unlink", "shred", "truncate", "tee", "cp", "mv", "dd", "@edit")
)
"""Programs that name each file they take: what is not there is nothing, and not unknown."""

_VERSIONED = frozenset(("hg", "svn", "bzr", "fossil", "jj", "p4", "dolt"))

Fact = dict[str, Any]


class Budget:
    """The time that is left for asking."""

    def __init__(self, seconds: float = LIMIT_SECONDS) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def ask(self, folder: str, *words: str) -> str | None:
        """Git's answer; None when it refuses. Raises git.TooSlow."""
        left = self.left
        if left <= 0:
            raise git.TooSlow
        return git.ask(folder, *words, seconds=left)


def measure(
    verdict: Verdict,
    call: Call,
    place: Place,
    facts: Facts,
    rules: Rules,
    *,
    now: datetime,
    seconds: float = LIMIT_SECONDS,
) -> list[Fact]:
    """One fact for each finding whose rule says what a card counts, the decisive one first."""
    budget = Budget(seconds)
    found: list[Fact] = []
    for finding in verdict.findings:
        if not finding.radius or len(found) == MOST_FACTS:
            continue
        ground = Ground(call._replace(cwd=finding.cwd or call.cwd), place, facts)
        try:
            fact = _fact(finding, ground, rules, budget, now)
        except (OSError, ValueError, RecursionError) as error:  # a name no system call takes, say
            fact = {"kind": finding.radius, "unknown": f"it could not be looked at ({error})"[:200]}
        if fact not in found:
            found.append(fact)
    return found


def _fact(finding: Finding, ground: Ground, rules: Rules, budget: Budget, now: datetime) -> Fact:
    inv = stakes.command_of(finding, rules)
    if inv is None:
        return {"kind": finding.radius, "unknown": "the command could not be read back"}
    if finding.radius == "tables":
        return stakes.tables(inv, ground)
    if finding.radius == "request":
        return _request(inv, ground)
    if inv.program == "git":
        from operators_edge.system import commits  # noqa: PLC0415 - for git alone

        words = [word.text for word in inv.command.argv[1:]]
        return commits.measure(words, finding, budget, now)
    if finding.radius == "commits":
        return {"kind": "commits", "unknown": f"the commits of {inv.program} are not counted"}
    if inv.program in _VERSIONED:
        return {"kind": "files", "unknown": f"what {inv.program} has not committed is not counted"}
    return _deletion(inv, _targets(inv, finding, ground), budget)


def _targets(inv: Invocation, finding: Finding, ground: Ground) -> tuple[str, ...]:
    words = [word.text for word in inv.command.argv[1:]]
    if inv.program == "@edit":
        named = words[:1]
    elif inv.program == "find" and finding.targets:
        first = next((at for at, word in enumerate(words) if word[:1] in "-(!"), len(words))
        named = words[:first] or ["."]
    elif inv.program == "rsync":
        named = [word.text for word in inv.operands[-1:] if ":" not in word.text]
    else:
        return finding.targets
    paths = (ground.resolve(name, ground.cwd) for name in named if stakes.UNKNOWN not in name)
    return tuple(path for path in paths if path)


def _request(inv: Invocation, ground: Ground) -> Fact:
    fact = stakes.request(inv)
    uploads = []
    for name in fact.get("uploads", ()):
        path = ground.resolve(name, ground.cwd)
        uploads.append({"path": name, "bytes": ground.facts.size(path) if path else None})
    return {**fact, "uploads": uploads} if uploads else fact


# -- files ---------------------------------------------------------------------------------------


def _deletion(inv: Invocation, targets: tuple[str, ...], budget: Budget) -> Fact:
    act = "delete" if inv.program in _DELETING else "overwrite"
    fact: Fact = {"kind": "files", "act": act}
    if not targets:
        return fact | {"unknown": "which files cannot be known before it runs"}
    names = {flag.name for flag in inv.flags}
    is_deep = inv.program != "rm" or any(
        name[:2] in ("-r", "-R") or name[:3] == "--r" for name in names
    )
    look = Look(budget, is_deep=is_deep and act == "delete")
    for path in targets:
        look.add(path)
    if not look.tops and inv.program not in _LITERAL:
        return fact | {"unknown": "which files it takes is not known before it runs"}
    fact |= look.counted()
    if inv.program in _AT_MOST:
        fact["is_at_most"] = True
    if inv.command.has_more_words or stakes.UNKNOWN in (word.text for word in inv.operands):
        fact["is_open"] = True
    return fact


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
