"""Ending an attempt whose watcher died: what it made is kept, the tree is as before, its result is written.

Owns what follows from the database's notes on an attempt (``bridge.attempt`` writes them before it acts).
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import fixed_parts, ids, locks_store, result as results, staging
from operators_edge.bridge.attempt import FIXED, INDEX, trailer
from operators_edge.bridge.audit import TreeSnapshot
from operators_edge.bridge.branches import Head
from operators_edge.bridge.json_text import read_object
from operators_edge.bridge.task import with_defaults
from operators_edge.errors import EdgeError
from operators_edge.git.commands import GitFailed
from operators_edge.redaction.redact import redact, secret_values

if TYPE_CHECKING:
    from operators_edge.bridge.attempt import World
    from operators_edge.bridge.audit import Audit
    from operators_edge.bridge.branches import Branches
    from operators_edge.bridge.database_store import TaskRow
    from operators_edge.bridge.queue import Queue
    from operators_edge.bridge.result import Result

REASON = "stale_lock_recovered"


def recover(world: World, queue: Queue, audit: Audit, branches: Branches) -> list[str]:
    """End every attempt that an earlier worker left; returns the tasks."""
    found = queue.running()
    for row in found:
        _Dead(world, queue, audit, branches, row).end()
    locks_store.sweep(world.root)
    staging.sweep(world.staging)
    return [row.stem for row in found]


class _Dead:
    """One attempt that its watcher left."""

    def __init__(
        self, world: World, queue: Queue, audit: Audit, branches: Branches, row: TaskRow
    ) -> None:
        self._world = world
        self._queue = queue
        self._audit = audit
        self._branches = branches
        self._stem = ids.safe_stem(row.stem)
        self._work: dict[str, Any] = json.loads(row.work)
        self._row = queue.adopt(row)
        self._staging = staging.Staging(world.staging, self._stem, row.attempt)
        self._secrets = secret_values(world.env)

    def end(self) -> None:
        fixed = self._staging.kept(FIXED)
        self._fixed = None if fixed is None else fixed_parts.from_bytes(fixed)
        if self._fixed is not None:
            fixed_parts.remove_locks(self._fixed)
            fixed_parts.put_back_files(self._fixed)
        judged = self._work.get("judged")
        if judged is not None:
            with suppress(GitFailed):
                self._complete(judged)
                return
        self._give_up()

    def _complete(self, judged: dict[str, Any]) -> None:
        """It had succeeded: what is missing is the commit, the return or the result."""
        result: Result = judged["result"]
        branch = self._work["branch"]
        if trailer(self._stem, self._row.attempt) in self._branches.message_of(branch):
            commit = self._branches.tip(branch)
        else:
            self._branches.reset(branch, self._work["base"], self._staging.kept(INDEX))
            commit = self._branches.commit(judged["paths"], judged["message"])
        result["git"]["result_commit"] = commit
        self._branches.go_back(Head(*self._work["home"]))
        task = self._queue.read(self._row, "running").task
        self._queue.finish(self._row, result, placed=self._staging.placed())
        self._world.permissions.finished(task or {}, result)

    def _give_up(self) -> None:
        detail = "its watcher ended in the middle of it"
        try:
            if "snapshot" in self._work:
                self._put_back()
            if "home" in self._work:
                self._branches.go_back(Head(*self._work["home"]))
        except (GitFailed, EdgeError) as error:
            detail = f"{detail}; the tree could not be put back: {error}"
        result = results.bare(
            self._row.stem,
            self._row.attempt,
            REASON,
            detail=redact(detail, values=self._secrets),
            at=self._world.clock().isoformat(),
        )
        if "branch" in self._work:
            result["git"] = {"branch": self._work["branch"], "base_commit": self._work["base"]}
        result["artifacts"] = self._staging.named()
        text = self._row.text
        task = with_defaults(read_object(text.encode())) if text else None
        again = task is not None and results.gets_another(task, REASON)
        self._queue.finish(self._row, result, again=again, placed=self._staging.placed())

    def _put_back(self) -> None:
        """Keep the partial edit as a patch and on a side ref; then the tree is as it was before."""
        branch = self._work["branch"]
        self._branches.reset(branch, self._work["base"], self._staging.kept(INDEX))
        before, now = TreeSnapshot(self._work["snapshot"]), self._audit.snapshot()
        message = f"{self._stem}, attempt {self._row.attempt}: {REASON}\n"
        self._audit.keep(self._stem, self._row.attempt, now, self._world.clock, message)
        patch = self._audit.patch(before, now)
        kind = "post" if "patch_pre" in self._staging.named() else "pre"
        self._staging.patch(kind, patch.data, secrets=self._secrets)
        if self._fixed is not None:
            fixed_parts.put_back_refs(self._world.root, self._fixed, but=branch)
        self._audit.put_back(before)
