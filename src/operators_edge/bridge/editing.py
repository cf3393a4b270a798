"""The edit of an attempt: an executor is asked for it, and for each repair, and what it says is recorded.

Does not own what an executor is (``bridge.executors``) or what changed (``bridge.audit``).
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from operators_edge.bridge import staging
from operators_edge.bridge.executors import limits
from operators_edge.bridge.executors.port import UNAVAILABLE, Request
from operators_edge.bridge.result import AttemptEnded
from operators_edge.text.wording import point_in_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.bridge.claim import Claim
    from operators_edge.bridge.executors.port import Edited, Executor
    from operators_edge.bridge.record import Record
    from operators_edge.bridge.staging import Staging
    from operators_edge.bridge.task import Task
    from operators_edge.bridge.workplace import Workplace
    from operators_edge.bridge.world import World

_OWN_REASON = ("interrupted", "usage_limited", "cost_exceeded")
"""How an edit can end for which the result has the same word."""


class Editing:
    """The executor of one task."""

    def __init__(
        self,
        world: World,
        claim: Claim,
        task: Task,
        record: Record,
        staged: Staging,
    ) -> None:
        self.name = task["executor"] or world.settings.executor
        self._world = world
        self._claim = claim
        self._task = task
        self._record = record
        self._staging = staged

    def require_known(self) -> None:
        """A task names none that the settings do not know."""
        name, known = self._task["executor"], sorted(self._world.executors(self._world.root))
        if name and name not in known:
            why = f"there is no executor {name!r}: {', '.join(known)}"
            raise AttemptEnded("schema_invalid", why)

    def require_ready(self, root: str) -> None:
        """Before anything is touched: what is not there yet costs no attempt."""
        problem = self._executor(root).problem()
        if problem is not None:
            self._record.executor = {"name": self.name, "outcome": problem.outcome}
            raise AttemptEnded("executor_unavailable", f"{self.name}: {problem.detail}")

    def _executor(self, root: str) -> Executor:
        executors = self._world.executors(root)
        executor = executors.get(self.name)
        if executor is None:
            known = ", ".join(sorted(executors))
            raise AttemptEnded(
                "executor_unavailable", f"there is no executor {self.name!r}: {known}"
            )
        return executor

    def run(self, text: str, workplace: Workplace) -> Edited:
        """One round."""
        executor = self._executor(workplace.tree.root)
        self._claim.note("editing")
        self._world.tell("editing", self._claim.stem, {"executor": self.name})
        workplace.log.heading(f"executor {self.name}")
        capture = workplace.capture()
        spent = self._record.usage.cost or 0.0
        request = Request(self._task, text, workplace.place, workplace.limits, capture.feed, spent)
        with self._distrusted(executor):
            edited = executor.edit(request)
        self._record.edit(self.name, edited, output=workplace.text_of(capture))
        ended = {"outcome": edited.outcome, "seconds": edited.seconds}
        self._world.tell("edited", self._claim.stem, ended)
        return edited

    @contextmanager
    def _distrusted(self, executor: Executor) -> Iterator[None]:
        """What appears among the tasks meanwhile waits for a person, if the executor may have written it."""
        if executor.is_kept_out:
            yield
            return
        before = self._claim.queue.seen()
        self._staging.keep(staging.WAITING, json.dumps(before).encode())
        try:
            yield
        finally:
            self._claim.queue.distrust(before)
            self._staging.drop(staging.WAITING)

    def require_done(self, edited: Edited) -> None:
        if edited.outcome == "done":
            return
        detail = self._record.hide(f"{self.name}: {edited.detail}")
        if edited.outcome in UNAVAILABLE:
            raise AttemptEnded("executor_unavailable", detail)
        if edited.outcome == "usage_limited":
            end = limits.ends_at(edited.due or edited.detail, self._world.clock())
            self._record.due = end.isoformat(timespec="seconds") if end else ""
            detail += f"; tried again at {point_in_time(self._record.due)}" if end else ""
        is_own = edited.outcome in _OWN_REASON
        raise AttemptEnded(edited.outcome if is_own else "opencode_failed", detail)


# end of module
