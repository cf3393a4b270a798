"""Files that a call would delete, overwrite or discard: what is said of them, and how to restore them.

Pure. Does not own counting them (``approvals.impact.files``, ``approvals.impact.uncommitted``).
"""

from __future__ import annotations

from operators_edge.approvals.impact.report import Impact
from operators_edge.text.wording import amount, many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

_IN_GIT = {
    "clean": "git has as they are",
    "modified": "with uncommitted changes",
    "untracked": "untracked",
    "ignored": "ignored by git",
    "outside": "in no repository",
}


class FileLoss(NamedTuple):
    """How many files, and what is known of them."""

    act: Literal["delete", "overwrite", "discard"]
    files: int = 0
    bytes: int | None = None
    in_git: Mapping[str, int] = {}
    """How many are ``clean``, ``modified``, ``untracked``, ``ignored``, or ``outside`` of any repository."""
    uncovered: int = 0
    """How many with work are in a repository of which no snapshot is taken."""
    git_problem: str = ""
    """Why ``in_git`` is missing."""
    is_more: bool = False
    """The scan stopped at a limit."""
    is_at_most: bool = False
    is_open: bool = False
    """More files that only the running command determines."""
    devices: int = 0
    histories: int = 0
    """Git repositories that would go with all their history."""
    is_index: bool = False
    """Only what is staged is discarded."""

    def impact(self, *, has_snapshot: bool) -> Impact:
        """``has_snapshot``: a snapshot of the working tree is taken before the call runs."""
        return Impact(self.at_stake(), *self._undo(has_snapshot=has_snapshot))

    def at_stake(self) -> list[str]:
        if self.is_index:
            return ["nothing but what is staged; the files stay as they are"]
        lines = [self._discarded()] if self.act == "discard" else [self._counted(), *self._kinds()]
        if self.histories:
            lines.append(f"with {many(self.histories, 'git repository')} and all history in it")
        return lines

    def _counted(self) -> str:
        if self.devices:
            return f"{many(self.devices, 'device')} and everything on it"
        verb = "would be overwritten" if self.act == "overwrite" else "would go"
        size = "" if self.bytes is None else f", {amount(self.bytes)}"
        bound = ("at most " if self.is_at_most else "") + ("more than " if self.is_more else "")
        text = f"{bound}{many(self.files, 'file')}{size} {verb}"
        text = text if self.files or self.is_more else "no file that exists"
        return f"{text}, and others that cannot be known before" if self.is_open else text

    def _kinds(self) -> list[str]:
        if self.git_problem:
            return [f"what git has of them is not known: {self.git_problem}"]
        kinds = [kind for kind in _IN_GIT if self.in_git.get(kind)]
        parts = [f"{self.in_git[kind]} {_IN_GIT[kind]}" for kind in kinds]
        return [f"of them {', '.join(parts)}"] if parts else []

    def _discarded(self) -> str:
        parts = []
        if self.in_git.get("modified"):
            parts.append(f"uncommitted changes in {many(self.in_git['modified'], 'file')}")
        kinds = [kind for kind in ("untracked", "ignored") if self.in_git.get(kind)]
        parts += [many(self.in_git[kind], f"{kind} file") for kind in kinds]
        if not parts:
            return "nothing: there is no such uncommitted work"
        size = f" ({amount(self.bytes)})" if self.bytes else ""
        return f"{'at least ' if self.is_more else ''}{' and '.join(parts)}{size} would go"

    def _undo(self, *, has_snapshot: bool) -> tuple[str, str]:
        clean = self.in_git.get("clean", 0)
        work = self.in_git.get("modified", 0) + self.in_git.get("untracked", 0)
        lost = self.in_git.get("outside", 0)
        # A snapshot also holds ignored files if the command names them or a folder above them.
        if has_snapshot and self.act != "discard":
            work += self.in_git.get("ignored", 0)
        else:
            lost += self.in_git.get("ignored", 0)
        work, lost = work - self.uncovered, lost + self.uncovered
        answer = self._undo_uncounted(has_others=bool(clean or work))
        if answer is not None:
            return answer
        if not work and not lost:
            return "yes", "git restore"
        if has_snapshot and work and not lost:
            return "yes", "edge undo (a snapshot is taken first)"
        if has_snapshot and (work or clean):
            return "partly", f"edge undo, but for {many(lost, 'file')} that no snapshot holds"
        if clean:
            return "partly", f"git restore, for {clean} of {many(self.files, 'file')}"
        return "no", "git has none of it as it is now"

    def _undo_uncounted(self, *, has_others: bool) -> tuple[str, str] | None:
        """The answer that needs no counts, if there is one."""
        if self.devices:
            return "no", ""
        if self.histories:
            return "no", "the history in the repository goes too"
        if self.in_git.get("outside") and not has_others:
            return "no", "it is in no repository"
        if self.git_problem or self.is_more or self.is_open:
            return "unknown", "not all of it could be counted"
        if not self.files or self.is_index:
            return "yes", "there is nothing to lose"
        return None


# end of module
