"""A look at a work tree: what it holds, told by content, and what has changed between two looks.

Owns when two trees are the same: a touch, a stash and its pop, an edit that is taken back, a commit, an
amend or a rebase onto the same content change nothing. Tracked files count, and untracked ones that are not
ignored; never the product's own (PR-9). Looks are taken at a session's start, at a turn's end and around
checks, never on an ordinary call. Does not own where a look is kept (``evidence.tree_cache``) or what
counts as work (``evidence.session_facts``).
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from operators_edge.git import blobs, commands as git, status as git_status
from operators_edge.git.status import Blind, Limit, Place
from operators_edge.model import OWN_PATHS
from operators_edge.system.digest import sha256_hex

LIMIT_SECONDS = 4.0
"""A tree that cannot be looked through in this time is not looked at; that is said, not guessed."""

MOST_FILES = 5_000
"""More files than this that differ from the commit are not compared."""

_DEEPEST = 3

_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""What git calls the tree without files, which it knows without having it."""


class TreeState(NamedTuple):
    """A work tree as it was at one moment.

    ``digest`` stands for all of it: the same digest is the same tree, and whether another one is another tree
    ``changed`` tells. ``head`` is the commit ("" before the first) and ``tree`` git's id of what it holds
    below the root. ``differs`` maps each path, relative to the root, that is not as the commit has it to its
    content's value ("" when it is gone); None where only their number, ``differing``, is still known.
    """

    digest: str
    head: str
    tree: str
    differing: int
    differs: dict[str, str] | None

    def as_data(self) -> dict[str, Any]:
        """For a file or a log line; without names where they are not known."""
        data = {"digest": self.digest, "head": self.head, "tree": self.tree}
        named = {} if self.differs is None else {"differs": self.differs}
        return {**data, "count": self.differing, **named}

    @classmethod
    def of_data(cls, data: object) -> TreeState | None:
        """The look that ``as_data`` was made of; None for anything else.

        Names that were cut or redacted on the way do not fit the digest: they are not known then.
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
    """The tree could not be looked at, which is not the same as an unchanged one; ``why``."""

    why: str


def tree_state(root: str, *, seconds: float = LIMIT_SECONDS) -> TreeState | UnknownTreeState:
    """The tree as it is now."""
    try:
        return _tree_state(root, Limit(seconds), depth=0)
    except git.TooSlow:
        return UnknownTreeState(f"git and the disk took longer than {seconds:g} seconds")
    except Blind as error:
        return UnknownTreeState(str(error))
    except OSError as error:
        return UnknownTreeState(f"git could not be asked: {error.strerror or error}")


def changed(root: str, before: TreeState, now: TreeState) -> list[str] | None:
    """The files that are not as they were, relative to the root, sorted; committed ones too.

    ``now`` was taken just now: where a commit has a file in another form than the disk (line endings, a
    filter), the disk is asked. None where it cannot be told: names are lost, or git has the old tree no more.
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
            known = blobs.value(os.path.join(root, path), blobs.form_of(was))
            if known == was:
                continue
        found.append(path)
    return sorted(found)


def _tree_state(root: str, limit: Limit, *, depth: int) -> TreeState:
    place, files = git_status.status(root, limit)

    def nested(path: str) -> str:
        return _nested(path, place, limit, depth)

    differs = {}
    for path, file in files.items():
        limit.left()
        name = path.rstrip("/")
        value = blobs.value(os.path.join(root, name), place.form, mode=file.mode, nested=nested)
        value = value or file.staged
        if value != file.head:
            differs[name] = value
            if len(differs) > MOST_FILES:
                raise Blind(f"more than {MOST_FILES} files differ from the commit")
    return TreeState(_digest(place.tree, differs), place.head, place.tree, len(differs), differs)


def _nested(path: str, outer: Place, limit: Limit, depth: int) -> str:
    """The value of a repository inside: a submodule, or one that nobody has told git about."""
    link = os.path.join(path, ".git")
    if not os.path.lexists(link) or _is_work_tree_of(link, outer.common):
        return ""
    if depth == _DEEPEST:
        raise Blind(f"{path} lies too deep: a repository in a repository in a repository")
    try:
        inner = _tree_state(path, limit, depth=depth + 1)
    except Blind as error:
        raise Blind(f"{path}, a repository of its own: {error}") from error
    return f"m:{inner.head}" + (f".{inner.digest}" if inner.differs else "")


def _is_work_tree_of(link: str, common: str) -> bool:
    """Another work tree of the same repository is another tree, wherever it lies."""
    try:
        with open(link, encoding="utf-8", errors="surrogateescape") as file:
            target = file.read(4096).removeprefix("gitdir:").strip()
    except OSError:
        return False  # a folder: a repository with a history of its own
    target = os.path.realpath(os.path.join(os.path.dirname(link), target))
    return os.path.dirname(target) == os.path.join(os.path.realpath(common), "worktrees")


def _committed(root: str, before: str, now: str) -> dict[str, tuple[str, str]] | None:
    """What differs between two committed trees, as values; None where git cannot tell."""
    if before == now:
        return {}
    empty = _EMPTY_TREES[len(before or now)]
    words = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index")
    try:
        answer = git.ask(root, *words, before or empty, now or empty)
    except git.TooSlow:
        return None
    if answer is None:
        return None
    fields = answer.split("\0")
    found = {}
    for about, path in zip(fields[::2], fields[1::2], strict=False):
        mode_before, mode_now, id_before, id_now, _ = about.removeprefix(":").split(" ")
        if path.split("/")[0] not in OWN_PATHS:
            found[path] = (
                blobs.committed(mode_before, id_before),
                blobs.committed(mode_now, id_now),
            )
    return found


def _digest(tree: str, differs: dict[str, str]) -> str:
    parts = [tree, *(f"{path}\0{differs[path]}" for path in sorted(differs))]
    return sha256_hex("\0\0".join(parts).encode("utf-8", "surrogatepass"))
