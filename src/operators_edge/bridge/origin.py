"""What an attempt found when it began, and how it is restored: tree, index, HEAD, branches, git's own files.

A running attempt measures its change against it. However an attempt ends, by itself or by the watcher that
finds it dead, what it made is kept and the tree is as it was.

Does not own when that happens (``bridge.attempt``, ``bridge.recovery``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.bridge import fixed_parts, strays
from operators_edge.bridge.audit import Audit, TreeSnapshot
from operators_edge.bridge.branches import Branches, Head
from operators_edge.bridge.submodules import Submodules
from operators_edge.errors import StateError
from operators_edge.git.commands import GitFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from operators_edge.bridge.audit import Patch
    from operators_edge.bridge.fixed_parts import FixedParts
    from operators_edge.bridge.staging import Staging

_FIXED, _INDEX = "fixed.json", "index"
_STRAYS, _SUBMODULES = "strays.json", "submodules.json"
"""In the staging folder: git's own files, the person's index, what git cannot store, and the submodules."""

_NAMED = 5


class WorkTree(NamedTuple):
    """The working tree that an attempt edits, as its files and as its branches."""

    root: str
    audit: Audit
    branches: Branches
    env: Mapping[str, str]
    is_own: bool = False
    """It is this attempt's alone; others work in the same repository meanwhile, the person too."""

    @classmethod
    def at(cls, root: str, env: Mapping[str, str], *, is_own: bool = False) -> WorkTree:
        audit = Audit(root, env=env)
        return cls(root, audit, Branches(root, lambda: audit.repository), env, is_own)


class Kept(NamedTuple):
    """What an attempt had made: as a snapshot, and the side ref that holds it."""

    made: TreeSnapshot
    ref: str
    left: tuple[str, ...]
    """What could not be put back, and why."""

    @property
    def problem(self) -> str:
        return f"not put back: {', '.join(self.left[:_NAMED])}" if self.left else ""


class Origin:
    """``home`` is what was checked out before; ``start`` the task's branch and the commit it starts from."""

    def __init__(
        self,
        tree: WorkTree,
        home: Head,
        start: Head,
        *,
        before: TreeSnapshot,
        index: bytes | None,
        fixed: FixedParts,
        strays: Mapping[str, strays.Kind],
        submodules: Submodules,
        aside: str,
    ) -> None:
        self.home = home
        self.start = start
        self.before = before
        self._tree = tree
        self._index = index
        self._fixed = fixed
        self._strays = strays
        self._submodules = submodules
        self._aside = aside
        self.said: list[str] = []
        """What happened to what git cannot store, a sentence for each."""
        self.inner: list[str] = []
        """New repositories in the tree at the last look at its change: git stores nothing of them."""

    @classmethod
    def taken(cls, tree: WorkTree, home: Head, start: Head, *, mark: str, aside: str) -> Origin:
        """As it is now; the task's branch is checked out.

        ``aside`` is a folder for what git cannot store. ``mark``: see ``FixedParts``.
        """
        repository = tree.audit.repository
        return cls(
            tree,
            home,
            start,
            index=tree.branches.index(),
            before=tree.audit.snapshot(),
            fixed=fixed_parts.read(tree.root, repository.common, repository.folder, mark),
            strays=strays.look(tree.root),
            submodules=Submodules.look(tree.root, tree.env, mark),
            aside=aside,
        )

    @classmethod
    def noted(
        cls, tree: WorkTree, work: Mapping[str, Any], staging: Staging, *, aside: str
    ) -> Origin | None:
        """As a watcher that died noted it; None if the attempt had not begun.

        Raises StateError if what it noted is gone.
        """
        if "snapshot" not in work:
            return None
        fixed = staging.kept(_FIXED)
        if fixed is None:
            raise StateError(
                "the record of what the attempt started from is missing in the staging folder"
            )
        return cls(
            tree,
            Head(*work["home"]),
            Head(work["branch"], work["base"]),
            before=TreeSnapshot(work["snapshot"]),
            index=staging.kept(_INDEX),
            fixed=fixed_parts.from_bytes(fixed),
            strays=json.loads(staging.kept(_STRAYS) or b"{}"),
            submodules=Submodules.noted(tree.root, tree.env, staging.kept(_SUBMODULES)),
            aside=aside,
        )

    def note(self, staging: Staging) -> dict[str, str]:
        """Keep it where a dead attempt's is found; returns what goes into the database."""
        staging.keep(_FIXED, fixed_parts.to_bytes(self._fixed))
        staging.keep(_INDEX, self._index)
        staging.keep(_STRAYS, json.dumps(self._strays).encode())
        staging.keep(_SUBMODULES, self._submodules.note())
        branch, base = self.start
        return {"branch": branch, "base": base, "snapshot": self.before.tree}

    @property
    def about(self) -> str:
        """What a person should know of how it was restored."""
        return "; ".join(self.said[:_NAMED])

    # -- what differs now ------------------------------------------------------------------------

    def change(self, *, is_final: bool = False) -> Patch:
        """The change of the tree since then; what was hidden from git is seen again.

        ``is_final``: what git cannot store and was not there is moved aside.
        """
        found = self._clear() if is_final else self._uncover()
        self.inner = [each for each in strays.repositories(found) if each not in self._strays]
        made = self._tree.audit.snapshot(since=self.before)
        return self._tree.audit.patch(self.before, made)

    def changed_files(self) -> list[str]:
        """Git's own files that differ; git is not asked. What killed processes left there is removed."""
        fixed_parts.remove_leftovers(self._fixed)
        return fixed_parts.changed_files(self._fixed)

    def changed_refs(self, now: FixedParts | None = None) -> list[str]:
        """The refs that differ, but for the task's branch."""
        now = now or self.git_parts()
        return fixed_parts.changed_refs(self._tree.root, self._fixed, now, but=self.start.branch)

    def changed_submodules(self) -> list[str]:
        """The submodules in which something was done: git stores nothing of that with the tree."""
        return self._submodules.changed()

    def git_parts(self) -> FixedParts:
        """Git's own files and refs as they are now."""
        return fixed_parts.read(self._tree.root, self._fixed.folder, self._fixed.own)

    def accept_refs(self, before: FixedParts) -> None:
        """The refs as they are now are right, if they were before what was allowed to change them."""
        if not self.changed_refs(before):
            self._fixed = self._fixed._replace(refs=self.git_parts().refs)

    def moved(self) -> list[str]:
        """Whether HEAD or what the index holds differ; the index is as it was then."""
        branches = self._tree.branches
        if branches.head() != self.start:
            return ["HEAD"]
        if branches.index() == self._index:
            return []
        try:
            now = branches.entries()
        except GitFailed:
            return ["the index"]
        self.reset()
        return [] if branches.entries() == now else ["the index"]

    # -- restoring it -----------------------------------------------------------------------------

    def put_back_head(self) -> Head:
        """Branch and index as they were: what was committed or staged is a change like others.

        Returns what was checked out.
        """
        head = self._tree.branches.head()
        if head != self.start or self._tree.branches.index() != self._index:
            self.reset()
        return head

    def reset(self) -> None:
        """Check out the task's branch where it started, with the index from that time; no file changes."""
        self._tree.branches.reset(*self.start, self._index)

    def put_back_entry(self) -> bool:
        """The tree's ``.git`` itself, if it was replaced; whether it was. StateError if it is gone."""
        return fixed_parts.put_back_entry(self._tree.root, self._fixed, self._aside)

    def put_back_files(self) -> None:
        """Git's own files as they were, so that git works as it did."""
        self.put_back_entry()
        fixed_parts.remove_leftovers(self._fixed)
        fixed_parts.put_back_files(self._fixed)

    def put_back_submodules(self, stem: str, attempt: int, clock: Callable[[], datetime]) -> None:
        """Each submodule as it was; what was done in it is kept on a side ref there."""
        changed = self._submodules.changed()
        self.said += self._submodules.put_back(changed, stem, attempt, clock, self._aside)

    def put_back(self, stem: str, attempt: int, reason: str, clock: Callable[[], datetime]) -> Kept:
        """Keep what the attempt made on a side ref; then everything is as it was."""
        audit = self._tree.audit
        self.put_back_files()
        self.put_back_submodules(stem, attempt, clock)
        self.reset()
        self._clear()
        made = audit.snapshot(since=self.before)
        ref = audit.keep(stem, attempt, made, clock, f"{stem}, attempt {attempt}: {reason}\n")
        fixed_parts.put_back_refs(self._tree.root, self._fixed, but=self.start.branch)
        audit.put_back(self.before)
        return Kept(made, ref, self._put_back_hidden(stem, attempt, clock))

    def _uncover(self) -> dict[str, strays.Kind]:
        found, said = strays.uncover(self._tree.root, self._strays, self._aside)
        self.said += said
        return found

    def _clear(self) -> dict[str, strays.Kind]:
        found, said = strays.make_as_before(self._tree.root, self._strays, self._aside)
        self.said += said
        return found

    def go_home(self) -> None:
        """Check out what was checked out before."""
        self._tree.branches.go_back(self.home)

    def leave(
        self, changed: Iterable[str], stem: str, attempt: int, clock: Callable[[], datetime]
    ) -> None:
        """After a success that changed these paths."""
        self.go_home()
        hides = any(path.rpartition("/")[2] == ".gitignore" for path in changed)
        if hides and self.home.commit == self.start.commit:
            self._put_back_hidden(stem, attempt, clock)

    def _put_back_hidden(
        self, stem: str, attempt: int, clock: Callable[[], datetime]
    ) -> tuple[str, ...]:
        """What only the attempt's own rules of what to ignore had hidden is kept, and goes, too."""
        audit = self._tree.audit
        hidden = audit.snapshot(since=self.before)
        if hidden.tree == self.before.tree:
            return ()
        about = f"{stem}, attempt {attempt}: what its .gitignore hid\n"
        audit.keep(stem, f"{attempt}-ignored", hidden, clock, about)
        return audit.put_back(self.before)


# end of module
