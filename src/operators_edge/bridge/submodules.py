"""The submodules of a working tree: each is as it was when the attempt began, or what was done in it is kept.

Git stores nothing of them with the tree around them, so a change in one is no part of a task's change. Does
not own the tree itself (``bridge.origin``).
"""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.bridge import fixed_parts
from operators_edge.bridge.audit import Audit, TreeSnapshot
from operators_edge.git.commands import Budget
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from operators_edge.bridge.fixed_parts import FixedParts

_SECONDS = 60.0


class Submodule(NamedTuple):
    """One as it was found; ``own_index`` is None if it has none yet."""

    fixed: FixedParts
    own_index: bytes | None
    before: TreeSnapshot


class Submodules:
    """All that are checked out below ``root``, by path."""

    def __init__(self, root: str, env: Mapping[str, str], found: Mapping[str, Submodule]) -> None:
        self._root = root
        self._found = found
        self._audits = {path: Audit(os.path.join(root, path), env=env) for path in found}

    @classmethod
    def look(cls, root: str, env: Mapping[str, str], mark: str) -> Submodules:
        """As they are now; ``mark``: see ``FixedParts``. Raises GitFailed, StateError."""
        found = {}
        for path in _paths(root):
            audit = Audit(os.path.join(root, path), env=env)
            where = audit.repository
            found[path] = Submodule(
                fixed_parts.read(where.top, where.common, where.folder, mark),
                files.read_bytes(where.users_index),
                audit.snapshot(),
            )
        return cls(root, env, found)

    @classmethod
    def noted(cls, root: str, env: Mapping[str, str], data: bytes | None) -> Submodules:
        """As ``note`` kept them."""
        found = {}
        for path, (fixed, index, tree) in json.loads(data or b"{}").items():
            parts = fixed_parts.from_bytes(fixed.encode())
            known = None if index is None else base64.b64decode(index)
            found[path] = Submodule(parts, known, TreeSnapshot(tree))
        return cls(root, env, found)

    def note(self) -> bytes:
        texts = {}
        for path, each in self._found.items():
            index = None if each.own_index is None else base64.b64encode(each.own_index).decode()
            texts[path] = (fixed_parts.to_bytes(each.fixed).decode(), index, each.before.tree)
        return json.dumps(texts).encode()

    def changed(self) -> list[str]:
        """Those that differ now, by path; of one whose git files differ git is not asked."""
        return [path for path in self._found if self._is_changed(path)]

    def _is_changed(self, path: str) -> bool:
        fixed, _, before = self._found[path]
        top = os.path.join(self._root, path)
        if fixed_parts.is_replaced(top, fixed) or fixed_parts.changed_files(fixed):
            return True
        now = fixed_parts.read(top, fixed.folder, fixed.own)
        if fixed_parts.changed_refs(top, fixed, now, but=""):
            return True
        return self._audits[path].snapshot(since=before).tree != before.tree

    def put_back(
        self,
        paths: Iterable[str],
        stem: str,
        attempt: int,
        clock: Callable[[], datetime],
        aside: str,
    ) -> list[str]:
        """Make them as they were; a sentence for each: where what was in it is kept, and what is left."""
        told = []
        for path in paths:
            fixed, index, before = self._found[path]
            top, audit = os.path.join(self._root, path), self._audits[path]
            os.makedirs(top, exist_ok=True)
            fixed_parts.put_back_entry(top, fixed, aside)
            fixed_parts.remove_leftovers(fixed)
            fixed_parts.put_back_files(fixed)
            if index is not None:
                files.write_durable(os.path.join(fixed.own, "index"), index)
            fixed_parts.put_back_refs(top, fixed, but="")
            made = audit.snapshot(since=before)
            about = f"{stem}, attempt {attempt}: what it did in the submodule {path}\n"
            ref = audit.keep(stem, attempt, made, clock, about)
            left = audit.put_back(before)
            told.append(f"what was done in the submodule {path} is kept there as {ref}")
            told += [f"not put back: {path}/{each}" for each in left]
        return told


def _paths(root: str, below: str = "") -> Iterator[str]:
    """Where submodules are checked out, those in submodules, too."""
    top = os.path.join(root, below)
    if not os.path.lexists(os.path.join(top, ".gitmodules")):
        return
    listed = Budget(_SECONDS).run(top, "ls-files", "-z", "--stage")
    for line in listed.split(b"\0"):
        path = os.path.join(below, os.fsdecode(line.partition(b"\t")[2]))
        if line.startswith(b"160000 ") and os.path.lexists(os.path.join(root, path, ".git")):
            yield path
            yield from _paths(root, path)


# end of module
