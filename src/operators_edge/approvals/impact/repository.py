"""Questions to one repository within a card's time limit, and parsing git's own command lines.

Does not own what follows from the answers (``approvals.impact.commits``, ``approvals.impact.uncommitted``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.approvals.impact.command import UNKNOWN
from operators_edge.approvals.impact.report import Unmeasurable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from operators_edge.git.commands import Budget

MAX_SUBJECTS = 3

_GLOBAL_VALUES = ("-c", "-C", "--namespace", "--super-prefix", "--config-env", "--exec-path")
_VALUES = {
    "push": {"-o", "--push-option", "--receive-pack", "--exec", "--repo"},
    "clean": {"-e", "--exclude"},
    "restore": {"-s", "--source", "--pathspec-from-file"},
    "checkout": {"-b", "-B", "--orphan", "--pathspec-from-file", "--conflict"},
    "switch": {"-c", "-C", "--create", "--force-create", "--orphan", "--conflict"},
    "rebase": {"--onto", "-s", "--strategy", "-X", "--strategy-option", "-x", "--exec"},
    "tag": {"-m", "--message", "-F", "--file", "-u", "--local-user"},
    "commit": {"-m", "--message", "-F", "--file", "-C", "-c", "--author", "--date", "-t"},
}


class GitCommand(NamedTuple):
    """Git's command line: subcommand, options (values after "="), operands, and ``paths`` after ``--``."""

    sub: str
    flags: tuple[str, ...]
    operands: tuple[str, ...]
    paths: tuple[str, ...] | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """Operands and paths together, where git takes them alike."""
        return (*self.operands, *(self.paths or ()))

    def has(self, *names: str) -> bool:
        return any(flag.partition("=")[0] in names for flag in self.flags)

    def value(self, *names: str) -> str:
        values = [flag.partition("=")[2] for flag in self.flags if flag.partition("=")[0] in names]
        return values[-1] if values else ""


@dataclass(frozen=True)
class Repository:
    """Questions to git in one folder, within the card's time limit."""

    folder: str
    budget: Budget
    now: datetime
    has_snapshot: bool
    """A snapshot of the working tree is taken before the call runs."""

    def ask(self, *words: str) -> str | None:
        answer = self.budget.ask(self.folder, *words)
        return None if answer is None else answer.rstrip("\n")

    def commit(self, name: str) -> str:
        """The commit that a name refers to; "" if there is none."""
        if name.startswith("-"):
            return ""
        return self.ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") or ""

    def count(self, *revisions: str) -> int:
        answer = self.ask("rev-list", "--count", *revisions, "--")
        if answer is None or not answer.isdigit():
            raise Unmeasurable("git could not count the commits")
        return int(answer)

    def subjects(self, *revisions: str) -> list[str]:
        form = ("--no-show-signature", "--no-color", "--format=%h %s")
        answer = self.ask("log", f"--max-count={MAX_SUBJECTS}", *form, *revisions, "--")
        return (answer or "").splitlines()

    @property
    def branch(self) -> str:
        """The branch checked out; "" when HEAD is detached."""
        return self.ask("symbolic-ref", "--quiet", "--short", "HEAD") or ""

    def other_refs(self, kind: str = "", name: str = "") -> tuple[str, ...]:
        """Arguments for ``--not``: every branch, tag and remote branch except the named one."""
        words = ["--not"]
        for each in ("branches", "tags", "remotes"):
            words += [f"--exclude={name}"] if each == kind and name else []
            words.append(f"--{each}")
        return tuple(words)


def parse(words: Sequence[str]) -> GitCommand:
    """The command after git's global options. The folder that ``-C`` names is in the finding already."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        name = words[at].partition("=")[0]
        if name in ("--git-dir", "--work-tree"):
            raise Unmeasurable("it names a repository by --git-dir or --work-tree")
        at += 2 if name in _GLOBAL_VALUES and "=" not in words[at] else 1
    if at >= len(words) or UNKNOWN in words[at]:
        raise Unmeasurable("which git command cannot be known before it runs")
    sub, rest = words[at], list(words[at + 1 :])
    if sub in ("stash", "worktree", "submodule", "reflog", "remote") and rest[:1]:
        sub = f"{sub} {rest.pop(0)}"
    return _git_command(sub, rest)


def _git_command(sub: str, words: list[str]) -> GitCommand:
    flags: list[str] = []
    operands: list[str] = []
    paths: tuple[str, ...] | None = None
    valued = _VALUES.get(sub, set())
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            paths = tuple(words[at:])
            break
        if not word.startswith("-") or word == "-":
            operands.append(word)
        elif word in valued and at < len(words):
            flags.append(f"{word}={words[at]}")
            at += 1
        elif word.startswith("--") or word[:2] in valued:
            flags.append(word if word.startswith("--") else f"{word[:2]}={word[2:]}")
        else:
            flags += [f"-{letter}" for letter in word[1:]]
    return GitCommand(sub, tuple(flags), tuple(operands), paths)
