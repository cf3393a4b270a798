"""Ending an attempt whose watcher died: what it made is kept, the tree is as before, its result is written.

Owns what follows from the database's notes on an attempt (``bridge.attempt`` writes them before it acts).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import ids, layout, locks_store
from operators_edge.bridge.attempt import trailer
from operators_edge.bridge.audit import TreeSnapshot
from operators_edge.bridge.branches import Head
from operators_edge.bridge.result import gets_another, outcome
from operators_edge.errors import EdgeError
from operators_edge.git.commands import GitFailed
from operators_edge.redaction.redact import redact, secret_values
from operators_edge.storage import files

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
    locks_store.sweep(world.root, queue.epoch)
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
        self._secrets = secret_values(world.env)

    def end(self) -> None:
        judged = self._work.get("judged")
        if judged is not None:
            self._complete(judged)
        else:
            self._give_up()

    def _complete(self, judged: dict[str, Any]) -> None:
        """It had succeeded: what is missing is the commit, the return or the result."""
        result: Result = judged["result"]
        branch = self._work["branch"]
        if trailer(self._stem, self._row.attempt) in self._branches.message_of(branch):
            commit = self._branches.tip(branch)
        else:
            commit = self._branches.commit(judged["paths"], judged["message"])
        result["git"]["result_commit"] = commit
        self._branches.go_back(Head(*self._work["home"]))
        self._queue.finish(self._row, result, placed=self._placed())

    def _give_up(self) -> None:
        detail = "its watcher ended in the middle of it"
        placed: dict[str, str] = {}
        try:
            if "snapshot" in self._work:
                placed = self._put_back()
            if "home" in self._work:
                self._branches.go_back(Head(*self._work["home"]))
        except (GitFailed, EdgeError) as error:
            detail = f"{detail}; the tree could not be put back: {error}"
        found = self._queue.read(self._row, "running")
        status, exit_path = outcome(REASON)
        result: Result = {
            "id": self._row.stem,
            "status": status,
            "exit_path": exit_path,
            "reason": REASON,
            "detail": redact(detail, values=self._secrets),
            "attempt": self._row.attempt,
            "git": {
                key: self._work[name]
                for key, name in (("branch", "branch"), ("base_commit", "base"))
                if name in self._work
            },  # type: ignore[typeddict-item] # keys of GitRecord
            "commands": [],
            "artifacts": dict.fromkeys(map(layout.latest, placed), ""),
            "timestamp": self._world.clock().isoformat(),
        }
        again = found.task is not None and gets_another(found.task, REASON)
        self._queue.finish(self._row, result, again=again, placed=placed)

    def _put_back(self) -> dict[str, str]:
        """Keep the partial edit as a patch and on a side ref; then the tree is as it was before."""
        before, now = TreeSnapshot(self._work["snapshot"]), self._audit.snapshot()
        message = f"{self._stem}, attempt {self._row.attempt}: {REASON}\n"
        self._audit.keep(self._stem, self._row.attempt, now, self._world.clock, message)
        patch = self._audit.patch(before, now)
        shown = redact(patch.data.decode("utf-8", "replace"), values=self._secrets)
        name = layout.artifacts(self._stem, self._row.attempt).patch_pre
        placed = {}
        for each, data in ((name, patch.data), (layout.redacted(name), shown.encode())):
            path = os.path.join(self._folder(), os.path.basename(each))
            files.write_durable(path, data, mode=0o600)
            placed[each] = path
        self._audit.put_back(before)
        if self._branches.head().branch == self._work["branch"]:
            self._branches.reset(self._work["base"], None)
        return placed

    def _placed(self) -> dict[str, str]:
        """The artifacts that were staged before the watcher died."""
        names = layout.artifacts(self._stem, self._row.attempt)
        every = (*names, layout.redacted(names.patch_pre), layout.redacted(names.patch_post))
        paths = {each: os.path.join(self._folder(), os.path.basename(each)) for each in every}
        return {each: path for each, path in paths.items() if os.path.exists(path)}

    def _folder(self) -> str:
        folder = os.path.join(self._world.staging, f"{self._stem}.{self._row.attempt}")
        files.ensure_private_dir(folder)
        return folder
