"""The queue's port: what a task's row says, and the verbs by which it changes, each one transaction.

An engine behind it keeps what is written here, and passes ``tests/bridge/queue_contract.py``. The one for a
single machine is ``bridge.queue_store``.

Pure: types and what they promise. Does not own what an attempt does (``bridge.attempt``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from operators_edge.bridge.json_text import read_object
from operators_edge.bridge.lease import WORKER_TTL
from operators_edge.bridge.task import with_defaults
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from datetime import datetime

    from operators_edge.bridge.result import Result
    from operators_edge.bridge.task import Task

TaskState = Literal["queued", "running", "pending", "done", "failed"]
Stamps = Mapping[str, tuple[int, ...]]
"""Files, each with what changes when it is written or put there."""

APPEARED = "appeared"
"""The origin of a file that came or changed in ``tasks/`` while an executor that can write there worked."""

Dropped = Literal["cancelled", "rejected", "dependency_failed"]


class TaskRow(NamedTuple):
    """A task as the queue has it.

    ``epoch`` counts how often it was claimed or taken over: the holder of a claim has its number, and is
    refused once the task's own is another. The claim may be taken over after ``lease_until``. A task does not
    run before ``due``. ``work`` is JSON: what the running attempt has done to the repository, for the worker
    that ends it. ``text`` is the task, as it was submitted or claimed, ``digest`` that of its bytes.
    """

    stem: str
    sequence: int
    state: TaskState
    attempt: int
    epoch: int
    digest: str
    origin: str
    interrupted: int
    answered_by: str
    work: str
    text: str
    changed_at: str
    lease_until: str = ""
    due: str = ""
    cancelled_by: str = ""
    """Who cancelled it while it ran."""

    @classmethod
    def new(
        cls, sequence: int, stem: str, *, origin: str, at: str, attempt: int = 1, text: str = ""
    ) -> TaskRow:
        """A task that waits for its turn."""
        digest = sha256_hex(text.encode()) if text else ""
        return cls(stem, sequence, "queued", attempt, 0, digest, origin, 0, "", "{}", text, at)

    def task(self, defaults: Mapping[str, Any] = MappingProxyType({})) -> Task | None:
        """The task that was claimed; None if that was no valid one. ``defaults``: see ``Settings``."""
        return with_defaults(read_object(self.text.encode()), defaults) if self.text else None

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions about its commands that a person has to answer."""
        return tuple(json.loads(self.work).get("asked", ())) if self.state == "pending" else ()


class TaskFile(NamedTuple):
    """What can be claimed: a valid task, or what is wrong with it."""

    row: TaskRow
    raw: bytes
    task: Task | None
    problems: tuple[str, ...] = ()
    is_gone: bool = False
    unsettled: datetime | None = None
    """When it last changed, if it does not parse, as while it is being written."""

    @property
    def is_changed(self) -> bool:
        """Whether it is not what was submitted, or what a person approved."""
        known = self.row.digest if self.row.origin == "submitted" or self.row.answered_by else ""
        return known not in ("", sha256_hex(self.raw))

    @property
    def is_nobodys(self) -> bool:
        """Whether an executor may have written it, and no person has seen it since."""
        return self.row.origin == APPEARED and not self.row.answered_by

    @property
    def attempt(self) -> int:
        return self.task["attempt"] if self.task else self.row.attempt


class Event(NamedTuple):
    """A change of a task's state."""

    number: int
    at: str
    name: str
    stem: str
    data: dict[str, Any]


class Queue(Protocol):
    """One repository's tasks.

    A verb for a task that is not there, or not in the state that the verb is for, raises AnswerIsNo and
    changes nothing. A worker that is no longer one, and a holder whose claim was taken over, gets LeaseLost
    from every verb that changes something. StateError: the queue cannot be reached.
    """

    epoch: int
    """Which worker this is; 0 for a command that is none."""

    def prepare(self) -> None:
        """Make what the queue needs; doing it again changes nothing."""

    # -- a planner and a person ------------------------------------------------------------------

    def submit(self, value: Mapping[str, Any]) -> TaskRow:
        """Put a task at the end. UsageError for one that is not valid."""

    def approve(self, stem: str, *, by: str) -> TaskRow:
        """Let a pending task run: back to its place. AnswerIsNo, once, if it changed while it waited."""

    def go_on(self, stem: str) -> TaskRow:
        """A person has answered the questions about a pending task's commands: back to its place."""

    def retry(self, stem: str) -> TaskRow:
        """Queue a failed task as its next attempt, at the end; one that waits until it is due can run now."""

    def drop(self, stem: str, reason: Dropped, *, detail: str) -> TaskRow:
        """Write a failed result for a task that waits; tell the holder of one that runs (``renew``)."""

    # -- a worker --------------------------------------------------------------------------------

    def become_worker(self) -> None:
        """Work on this queue. Where one worker has it at a time, the leases of the one before are over."""

    def candidates(
        self, tried: Container[str] = (), *, is_final: bool = False
    ) -> Iterator[TaskFile]:
        """The queued tasks that are due, but those in ``tried``, in the order of submission.

        ``is_final``: nothing is waited for, not even for a task that is still being written.
        """

    def dependency(self, task: Task) -> tuple[str, TaskState | None]:
        """The first task that this one depends on and that has not succeeded, with its state; ("", None)."""

    def claim(self, found: TaskFile, *, seconds: int = WORKER_TTL) -> TaskRow:
        """Begin an attempt, with a lease for so long. LockHeld if somebody else has the task by now."""

    def renew(self, row: TaskRow, *, seconds: int = WORKER_TTL) -> str:
        """Extend the lease from now; returns who has cancelled the task meanwhile, or "".

        A lease that is over can be renewed as long as nobody has taken the task over. Any thread may call
        this, whatever another one does with the queue.
        """

    def note(self, row: TaskRow, event: str, **work: Any) -> TaskRow:
        """Record what the attempt has done, before it does so: it is there for who takes the task over."""

    def release(self, row: TaskRow) -> TaskRow:
        """Give a task back to its place, as if it had not been claimed: of the attempt, nothing was done."""

    def finish(
        self,
        row: TaskRow,
        result: Result,
        *,
        again: bool = False,
        due: str = "",
        placed: Mapping[str, str] | None = None,
    ) -> TaskRow:
        """Write the attempt's result, once; where the task goes follows from its status.

        ``again``: the next attempt is queued, unless a person cancelled the task. ``due``: a blocked task
        waits until then (ISO 8601). ``placed``: where the attempt's artifacts are, by their name in
        ``.ai-handoff``.
        """

    def abandoned(self) -> list[TaskRow]:
        """The running tasks whose lease is over."""

    def adopt(self, row: TaskRow, *, seconds: int = WORKER_TTL) -> TaskRow:
        """Take an abandoned task over, to end its attempt; LeaseLost if another did, or it is renewed."""

    # -- what an executor may have written -------------------------------------------------------

    def seen(self) -> Stamps:
        """The task files that wait."""

    def distrust(self, before: Stamps) -> None:
        """What came or changed among them since may be an executor's: it waits for a person.

        But for what is there, byte for byte, by a command of ours.
        """

    def planted(self, row: TaskRow) -> list[str]:
        """The files of a running attempt that are not as the Bridge wrote them: somebody else did."""

    # -- looking ---------------------------------------------------------------------------------

    def task(self, stem: str) -> TaskRow:
        """One task."""

    def tasks(self) -> list[TaskRow]:
        """Every task, in the order of submission."""

    def pending(self, limit: int = -1) -> list[TaskRow]:
        """The tasks that wait for a person, in that order."""

    def blocked(self, limit: int = -1) -> tuple[int, list[TaskRow]]:
        """How many queued tasks are blocked, by the last result of their attempt, and the first of them."""

    def counts(self) -> dict[str, int]:
        """How many tasks are in each state; those without one are left out."""

    def events(self, after: int = 0, limit: int = 1_000) -> list[Event]:
        """What happened after an event, in order."""


# end of module
