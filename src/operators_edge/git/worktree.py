"""The state of a working tree: its content as ids, and what changed between two states.

Two states are the same if their content is: a touch, a stash and its pop, an edit that is reverted, and a
commit, amend or rebase onto the same content change nothing. Tracked files count, and untracked ones that are
not ignored; never the product's own (PR-9). A state is taken at a session's start, at a turn's end and around
checks, never on an ordinary call. Does not own where one is kept (``evidence.tree_cache``) or what counts as
work (``evidence.session_facts``).
"""

from __future__ import annotations

import os

from operators_edge.git import blobs, commands as git, status as git_status
from operators_edge.git.commands import Budget, GitFailed
from operators_edge.model import OWN_PATHS
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.git.status import Checkout

LIMIT_SECONDS = 4.0
"""If reading a tree takes longer, its state is unknown; nothing is guessed then."""

MAX_FILES = 5_000
"""If more files differ from the commit, they are not compared."""

_MAX_DEPTH = 3

_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""Git's ids of the tree without files, by the length of its ids; git knows it without storing it."""


class TreeState(NamedTuple):
    """A working tree at one moment.

    The same ``digest`` means the same tree; whether another digest means another one is determined by
    ``changed``. ``head`` is the commit ("" before the first) and ``tree`` git's id of its part below the
    root. ``differs`` maps each path that differs from the commit, relative to the root, to its content id
    ("" if it was deleted); None if only their number, ``differing``, is known.
    """

    digest: str
    head: str
    tree: str
    differing: int
    differs: dict[str, str] | None

    def as_data(self) -> dict[str, Any]:
        """For a file or a log entry; without the paths if they are unknown."""
        data = {"digest": self.digest, "head": self.head, "tree": self.tree}
        named = {} if self.differs is None else {"differs": self.differs}
        return {**data, "count": self.differing, **named}

    @classmethod
    def of_data(cls, data: object) -> TreeState | None:
        """What ``as_data`` was made from; None for anything else.

        Paths that were shortened or redacted do not fit the digest: they are unknown then.
        """
        if not isinstance(data, dict) or not data.get("digest") or "tree" not in data:
            return None
        digest, head, tree = (str(data.get(key) or "") for key in ("digest", "head", "tree"))
        count, differs = data.get("count"), data.get("differs")
        if isinstance(differs, dict):
            differs = {str(path): str(value) for path, value in differs.items()}
        if not isinstance(differs, dict) or _digest(tree, differs) != digest:
            differs = None
        return cls(digest, head, tree, count if isinstance(count, int) else 0, differs)


class UnknownTreeState(NamedTuple):
    """The state of the tree could not be determined, which does not mean that it is unchanged."""

    why: str


def tree_state(root: str, *, seconds: float = LIMIT_SECONDS) -> TreeState | UnknownTreeState:
    """The current state of the tree."""
    try:
        return _tree_state(root, Budget(seconds), depth=0)
    except (GitFailed, OSError) as error:
        return UnknownTreeState(str(error))


def changed(root: str, before: TreeState, now: TreeState) -> list[str] | None:
    """The files that changed, relative to the root, sorted; also by a commit.

    ``now`` must be the current state: a file that a commit stores in another form than the disk (line
    endings, a filter) is read from the disk. None if unknown: paths are lost, or git no longer has the old
    tree.
    """
    if before.digest == now.digest:
        return []
    if before.differs is None or now.differs is None:
        return None
    committed = _committed(root, before.tree, now.tree)
    if committed is None:
        return None
    found = []
    for path in before.differs.keys() | now.differs.keys() | committed.keys():
        then, since = committed.get(path, (None, None))
        was = before.differs.get(path, then)
        if now.differs.get(path, since) == was:
            continue
        if was is not None and path in before.differs and path not in now.differs:
            known = blobs.content_id(os.path.join(root, path), blobs.hash_name_of(was))
            if known == was:
                continue
        found.append(path)
    return sorted(found)


def _tree_state(root: str, budget: Budget, *, depth: int) -> TreeState:
    checkout, files = git_status.status(root, budget)

    def nested(path: str) -> str:
        return _nested(path, checkout, budget, depth)

    differs = {}
    for path, file in files.items():
        budget.require_left()
        name = path.rstrip("/")
        value = blobs.content_id(
            os.path.join(root, name), checkout.hash_name, mode=file.mode, nested=nested
        )
        value = value or file.staged
        if value != file.head:
            differs[name] = value
            if len(differs) > MAX_FILES:
                raise GitFailed(f"more than {MAX_FILES} files differ from the commit")
    return TreeState(
        _digest(checkout.tree, differs), checkout.head, checkout.tree, len(differs), differs
    )


def _nested(path: str, outer: Checkout, budget: Budget, depth: int) -> str:
    """The id of a nested repository: a submodule, or one that git does not know about."""
    link = os.path.join(path, ".git")
    if not os.path.lexists(link) or _is_worktree_of(link, outer.common):
        return ""
    if depth == _MAX_DEPTH:
        raise GitFailed(
            f"{path} is nested too deeply: a repository in a repository in a repository"
        )
    try:
        inner = _tree_state(path, budget, depth=depth + 1)
    except GitFailed as error:
        raise GitFailed(f"{path}, a repository of its own: {error}") from error
    return f"m:{inner.head}" + (f".{inner.digest}" if inner.differs else "")


def _is_worktree_of(link: str, common: str) -> bool:
    """A linked worktree of the same repository is not part of this tree, wherever it is."""
    try:
        with open(link, encoding="utf-8", errors="surrogateescape") as file:
            target = file.read(4096).removeprefix("gitdir:").strip()
    except OSError:
        return False  # a folder: a repository with a history of its own
    target = os.path.realpath(os.path.join(os.path.dirname(link), target))
    return os.path.dirname(target) == os.path.join(os.path.realpath(common), "worktrees")


def _committed(root: str, before: str, now: str) -> dict[str, tuple[str, str]] | None:
    """What differs between two committed trees, as content ids; None if git fails."""
    if before == now:
        return {}
    empty = _EMPTY_TREES[len(before or now)]
    try:
        raw = Budget(git.QUERY_SECONDS).run(root, *git.DIFF_TREES, before or empty, now or empty)
    except GitFailed:
        return None
    return {
        each.path: (
            blobs.committed_id(each.old_mode, each.old_id),
            blobs.committed_id(each.mode, each.id),
        )
        for each in git.changes(raw)
        if each.path.split("/")[0] not in OWN_PATHS
    }


def _digest(tree: str, differs: dict[str, str]) -> str:
    parts = [tree, *(f"{path}\0{differs[path]}" for path in sorted(differs))]
    return sha256_hex("\0\0".join(parts).encode("utf-8", "surrogatepass"))


# end of module
