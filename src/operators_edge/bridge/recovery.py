"""Ending an attempt whose watcher died: what it made is kept, the tree is as before, its result is written.

Owns what follows from the database's notes on an attempt (``bridge.attempt`` writes them before it acts).
"""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import closing, ids, layout, locks_store, result as results, staging
from operators_edge.bridge.branches import Head, trailer
from operators_edge.bridge.origin import Origin, WorkTree
from operators_edge.bridge.record import snapshot_of
from operators_edge.errors import EdgeError, StateError
from operators_edge.git.commands import GitFailed
from operators_edge.redaction.redact import redact
from operators_edge.storage import journal

if TYPE_CHECKING:
    from operators_edge.bridge.queue import Queue, TaskRow
    from operators_edge.bridge.result import Result
    from operators_edge.bridge.world import World

_NO_ROOM = (os.strerror(errno.ENOSPC), "Out of diskspace")
"""What git and the system say of a full disk."""

REASON = "stale_lock_recovered"


def recover(world: World, queue: Queue) -> list[str]:
    """End every attempt that an earlier worker left; returns the tasks."""
    found = queue.abandoned()
    for row in found:
        _Dead(world, queue, row).end()
    locks_store.sweep(world.root)
    closing.catch_up(world)
    staging.sweep(world.staging)
    for stem in world.trees.left({ids.safe_stem(row.stem) for row in queue.pending()}):
        world.trees.leave(stem)
    return [row.stem for row in found]


class _Dead:
    """One attempt that its watcher left."""

    def __init__(self, world: World, queue: Queue, row: TaskRow) -> None:
        self._world = world
        self._queue = queue
        self._stem = ids.safe_stem(row.stem)
        self._work: dict[str, Any] = json.loads(row.work)
        self._row = queue.adopt(row)
        own = self._work.get("tree", "")
        self._tree = WorkTree.at(own or world.root, world.env, is_own=bool(own))
        self._staging = staging.Staging(world.staging, self._stem, row.attempt)
        self._secrets = world.secrets()

    def end(self) -> None:
        waiting = self._staging.kept(staging.WAITING)
        if waiting is not None:  # the executor was at work
            before = {stem: tuple(each) for stem, each in json.loads(waiting).items()}
            self._queue.distrust(before)
        result, problem = None, ""
        try:
            self._require_tree()
            folder = layout.left_folder(self._stem, self._row.attempt)
            aside = journal.target(self._world.root, folder)
            origin = Origin.noted(self._tree, self._work, self._staging, aside=aside)
            result = self._completed(origin)
            if result is None:
                problem = self._put_back(origin)
        except EdgeError as error:
            if any(each in str(error) for each in _NO_ROOM):
                raise  # it is ended when there is room again
            problem = f"the tree could not be restored: {error}"
        result = result or self._failure(problem)
        closing.close(self._world, self._queue, self._staging, self._row, result)

    def _require_tree(self) -> None:
        """Its own tree, where it has one: a git command without it would find another."""
        top = self._tree.root
        if self._tree.is_own and not os.path.lexists(os.path.join(top, ".git")):
            raise StateError(f"its working tree {top} is gone, or was not complete")

    def _completed(self, origin: Origin | None) -> Result | None:
        """The result if it had succeeded, when the commit and the return are done, too; else None."""
        judged = self._work.get("judged")
        if origin is None or judged is None:
            return None
        result: Result = judged["result"]
        branches, branch = self._tree.branches, origin.start.branch
        try:
            origin.put_back_files()
            if trailer(self._stem, self._row.attempt) in branches.message_of(branch):
                commit = branches.tip(branch)
            else:
                origin.reset()
                commit = branches.commit(judged["paths"], judged["message"])
            result["git"]["result_commit"] = commit
            attempt, clock = self._row.attempt, self._world.clock
            origin.leave(judged["paths"], self._stem, attempt, clock)
        except GitFailed:
            return None
        return result

    def _put_back(self, origin: Origin | None) -> str:
        """Keep the partial edit as a patch and on a side ref; then the tree is as it was before.

        Returns what could not be put back, in a sentence.
        """
        if origin is None:
            if "home" in self._work:
                self._tree.branches.go_back(Head(*self._work["home"]))
            return ""
        origin.put_back_files()
        origin.reset()
        kind = "post" if "patch_pre" in self._staging.named() else "pre"
        self._staging.patch(kind, origin.change().data, secrets=self._secrets)
        kept = origin.put_back(self._stem, self._row.attempt, REASON, self._world.clock)
        origin.go_home()
        return "; ".join(filter(None, (origin.about, kept.problem)))

    def _failure(self, problem: str) -> Result:
        detail = "; ".join(filter(None, ("its watcher ended in the middle of it", problem)))
        result = results.bare(
            self._row.stem,
            self._row.attempt,
            "cancelled" if self._row.cancelled_by else REASON,
            detail=redact(detail, values=self._secrets),
            at=self._world.clock().isoformat(),
        )
        if "branch" in self._work:
            result["git"] = {"branch": self._work["branch"], "base_commit": self._work["base"]}
        result["artifacts"] = self._staging.named()
        result["task_snapshot"] = snapshot_of(self._row.text.encode(), self._secrets)
        result["task_digest"] = self._row.digest
        return result


# end of module
