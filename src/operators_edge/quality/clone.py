"""What a clone shows of the work: which commits it has since the work began, and what they hold.

Owns the questions that a session's own tree would answer. What history can no longer tell, because it is
shallow or was rewritten, is unknown and counts for nothing.
"""

from __future__ import annotations

import os
from functools import cached_property

from operators_edge.evidence.claims.model import History
from operators_edge.evidence.claims.tree_facts import ProjectTreeFacts
from operators_edge.git import commands as git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.project import Project


class CloneTreeFacts(ProjectTreeFacts):
    """The tree of a clone; ``found`` says where the work began and where it was when that was written."""

    def __init__(self, project: Project, work: ObjectiveFacts, found: Mapping[str, Any]) -> None:
        super().__init__(project, work)
        self._base, self._commit = (_name(found.get(each)) for each in ("base", "commit"))
        self._said = "\n".join(str(each) for step in found["plan"] for each in step.values())

    @cached_property
    def _history(self) -> History | None:
        """The commits since the base. A file that none of them touches is not committed.

        One that the base does not have may have been removed again: it counts if it is spoken of.
        """
        touched = self._touched
        if touched is None:
            return None
        left = [path for path in self.work["files"] if path not in touched]
        known = self._lines("ls-tree", "-z", "--name-only", self._base, "--", *left)
        if known is None:
            return None
        meant = {path for path in left if path in known or os.path.basename(path) in self._said}
        return History(bool(touched), frozenset(meant - self._ignored(meant)))

    @cached_property
    def _touched(self) -> frozenset[str] | None:
        """The files that the commits since the base touched; None if this clone cannot tell."""
        if not self._base or not self._has(self._base) or self._ask("rev-parse", "HEAD") is None:
            return None
        words = ("log", "-z", "--format=", "--name-only", "--no-renames", "-m", "--relative")
        paths = self._lines(*words, f"{self._base}..HEAD")
        return None if paths is None else frozenset(each.strip("\n") for each in paths)

    def has_commit(self, name: str) -> bool | None:
        """A commit that is missing says nothing if this is not the history in which it was made."""
        if self._has(name):
            return True
        is_same = self._ask("merge-base", "--is-ancestor", self._commit, "HEAD") is not None
        is_whole = (self._ask("rev-parse", "--is-shallow-repository") or "").strip() == "false"
        return False if self._commit and is_same and is_whole else None

    def _has(self, commit: str) -> bool:
        return self._ask("cat-file", "-e", f"{commit}^{{commit}}") is not None

    def _ignored(self, paths: set[str]) -> set[str]:
        return {each for each in paths if git.is_ignored(self.root, each)}

    def _lines(self, *words: str) -> list[str] | None:
        """What git lists; None if it fails, as where the clone is damaged or git is too slow."""
        listed = self._ask(*words)
        return None if listed is None else [each for each in listed.split("\0") if each]


def _name(commit: object) -> str:
    """A commit as it may be given to git."""
    text = str(commit or "")
    return text if text.isalnum() else ""


# end of module
