"""Questions to one repository within a card's time limit, and git's command lines.

Does not own what follows from the answers (``approvals.impact.commits``, ``approvals.impact.uncommitted``).
"""

from __future__ import annotations

from dataclasses import dataclass

from operators_edge.approvals.impact.command import UNKNOWN
from operators_edge.approvals.impact.report import Unmeasurable
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.approvals.binding.repositories import GitScope
    from operators_edge.gate.invocation import Flag, Invocation

MAX_SUBJECTS = 3

_SUBCOMMANDS = ("stash", "worktree", "submodule", "reflog", "remote")
"""Commands whose first operand is a part of their name."""


class GitCommand(NamedTuple):
    """Git's command line: subcommand, the options after it, operands, and ``paths`` after ``--``."""

    sub: str
    flags: tuple[Flag, ...]
    operands: tuple[str, ...]
    paths: tuple[str, ...] | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """Operands and paths together, where git takes them alike."""
        return (*self.operands, *(self.paths or ()))

    def has(self, *names: str) -> bool:
        return self.count(*names) > 0

    def count(self, *names: str) -> int:
        return sum(flag.name in names for flag in self.flags)

    def value(self, *names: str) -> str:
        values = [flag.value.text for flag in self.flags if flag.value and flag.name in names]
        return values[-1] if values else ""


@dataclass(frozen=True)
class Repository:
    """Questions to git as one command would have them answered, within the card's time limit."""

    git: GitScope
    now: datetime
    has_snapshot: bool
    """A snapshot of the working tree is taken before the call runs."""

    @property
    def folder(self) -> str:
        return self.git.folder

    def ask(self, *words: str) -> str | None:
        return self.git.ask(*words)

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


def git_command(inv: Invocation) -> GitCommand:
    """The command after git's global options. The folder that ``-C`` names is in the finding already."""
    if inv.values(("--git-dir", "--work-tree")):
        raise Unmeasurable("it names a repository by --git-dir or --work-tree")
    words = [word.text for word in inv.operands]
    if not words or UNKNOWN in words[0]:
        raise Unmeasurable("which git command cannot be known before it runs")
    end = len(words) if inv.dashes < 0 else inv.dashes
    paths = None if inv.dashes < 0 else tuple(words[end:])
    sub, *operands = words[:end]
    if sub in _SUBCOMMANDS and operands:
        sub = f"{sub} {operands.pop(0)}"
    flags = tuple(flag for flag in inv.flags if flag.span > inv.operands[0].span)
    return GitCommand(sub, flags, tuple(operands), paths)


# end of module
