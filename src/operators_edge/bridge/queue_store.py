"""The queue of one machine: rows in the project's database, task files in ``.ai-handoff``.

A task waits in ``tasks/``. ``claim`` moves it to ``running/``, ``finish`` on from there, by the result.

Owns these transitions and the files that follow from them. Does not own what the verbs promise
(``bridge.queue``), what others do in ``tasks/`` (``bridge.arrivals_store``) or the tables
(``bridge.database_store``).
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import ids, inbox_store, layout, result as results
from operators_edge.bridge.arrivals_store import Arrivals
from operators_edge.bridge.inbox_store import is_gone_or_one_of, read_task
from operators_edge.bridge.json_text import NotJson, legible, read_object
from operators_edge.bridge.lease import WORKER_TTL, LeaseLost
from operators_edge.bridge.queue import Event, Queue, TaskRow
from operators_edge.bridge.task import problems_with, with_defaults
from operators_edge.datetimes import UTC, datetime, timedelta
from operators_edge.errors import AnswerIsNo, LockHeld, StateError, UsageError
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import files, journal
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from operators_edge.bridge.database_store import Change, Database
    from operators_edge.bridge.layout import Folder
    from operators_edge.bridge.queue import Dropped, Stamps, TaskFile, TaskState
    from operators_edge.bridge.result import Result
    from operators_edge.bridge.task import Task

_BATCH = 200

_AFTER: Mapping[str, tuple[str, TaskState, Folder | None]] = {
    "success": ("succeeded", "done", None),
    "failed": ("failed", "failed", "failed"),
    "blocked": ("blocked", "queued", "tasks"),
    "needs_confirmation": ("needs_confirmation", "pending", "pending"),
}
"""By a result's status: the event, the task's state, and where its file goes."""

_ENDED_BY: Mapping[Dropped, tuple[TaskState, ...]] = {
    "cancelled": ("queued", "pending"),
    "rejected": ("pending",),
    "dependency_failed": ("queued",),
}
"""In which states a task can be dropped for a reason."""


class LocalQueue(Queue):
    """One project's queue. One watcher has it at a time: the claims of the one before are abandoned.

    ``defaults`` returns what the settings say for tasks that do not say it themselves.
    """

    def __init__(
        self,
        root: str,
        *,
        clock: Callable[[], datetime],
        database: Database,
        defaults: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        self.epoch = 0
        self._root = root
        self._clock = clock
        self._database = database
        self._defaults = defaults
        self._arrivals = Arrivals(root, self._now, self._read)
        self._inbox = self._arrivals.inbox

    def prepare(self) -> None:
        """Create the folders; git ignores all of them. What was deleted with them is there again."""
        is_new = not os.path.isdir(self._path("tasks"))
        for name in layout.FOLDERS:
            files.ensure_private_dir(self._path(name))
        ignore = journal.target(self._root, f"{HANDOFF_DIR}/.gitignore")
        if not os.path.lexists(ignore):
            files.write_durable(ignore, b"*\n", mode=0o644)
        if is_new:
            self._restore()

    def _require_folders(self) -> None:
        if not os.path.isdir(self._path("tasks")):
            self.prepare()

    def become_worker(self) -> None:
        """Take the queue over: every earlier worker is refused from here on.

        Files that are in work or waiting and that the database does not know wait for a person: it was lost,
        or somebody put them there.
        """
        with self._database.change("edge bridge watch") as change:
            self.epoch = change.next_epoch()
            change.end_leases()
            self._inbox.known = change.names("queued")
            for name in layout.FOLDERS:  # nobody of ours writes meanwhile; in tasks/ a planner may
                files.sweep_folder(self._path(name), older_than=3_600 if name == "tasks" else 0)
            unknown: tuple[Folder, ...] = ("running", "pending")
            for folder in unknown:
                for stem in sorted(inbox_store.stems(self._root, folder)):
                    if change.task(stem) is None:
                        pending = layout.task_file("pending", stem)
                        change.move(layout.task_file(folder, stem), pending)
                        self._arrivals.add(change, stem, "found", state="pending")

    # -- a planner and a person ------------------------------------------------------------------

    def submit(self, value: Mapping[str, Any]) -> TaskRow:
        problems = problems_with(value, defaults=self._defaults())
        if problems:
            raise UsageError("not a valid task: " + "; ".join(map(str, problems)))
        self._require_folders()
        stem, text = str(value["id"]), _text(value)
        with self._change("edge bridge submit") as change:
            _require_new(change, stem)
            change.write(layout.task_file("tasks", stem), text)
            row = TaskRow.new(
                change.next_sequence(),
                stem,
                attempt=with_defaults(value)["attempt"],
                text=text,
                origin="submitted",
                at=self._now(),
            )
            change.put(row)
            change.tell("submitted", stem, {"attempt": row.attempt}, at=self._now())
            return row

    def approve(self, stem: str, *, by: str) -> TaskRow:
        with self._change("edge bridge approve") as change:
            row = _required(change, stem, "pending")
            digest = sha256_hex(self._read(row, "pending").raw)
            is_changed = row.digest not in ("", digest)
            if is_changed:
                self._set(change, row, "changed", digest=digest)
            else:
                row = self._back(change, row, "approved", answered_by=by, digest=digest)
        if is_changed:
            raise AnswerIsNo(
                f"{layout.task_file('pending', row.stem)} was changed while it waited",
                hint="Read it, then approve it again.",
            )
        return row

    def go_on(self, stem: str) -> TaskRow:
        with self._change("edge bridge approve") as change:
            return self._back(change, _required(change, stem, "pending"), "answered")

    def retry(self, stem: str) -> TaskRow:
        with self._change("edge bridge retry") as change:
            known = change.task(stem)
            if known is not None and known.state == "queued" and known.due:
                return self._set(change, known, "retried", due="")
            row = _required(change, stem, "failed")
            found = self._read(row, "failed")
            if found.task is None:
                raise AnswerIsNo(
                    f"the file of {row.stem} is not a valid task: {found.problems[0]}",
                    hint=f"Correct {layout.task_file('failed', row.stem)}, then repeat.",
                )
            again = row._replace(
                sequence=change.next_sequence(), text=found.raw.decode(), interrupted=0
            )
            return self._queue_again(change, again, "failed", self._latest_result(row.stem))

    def drop(self, stem: str, reason: Dropped, *, detail: str) -> TaskRow:
        with self._change(f"edge bridge {reason}") as change:
            known = change.task(stem)
            if known is not None and known.state == "running" and reason == "cancelled":
                return self._set(change, known, "cancelling", cancelled_by=detail)
            row = _required(change, stem, *_ENDED_BY[reason])
            result = results.bare(row.stem, row.attempt, reason, detail=detail, at=self._now())
            self._write_result(change, row, result)
            change.move(_waiting_file(row), layout.task_file("failed", row.stem))
            return self._set(change, row, reason, state="failed", due="", text="", work="{}")

    # -- the next task ---------------------------------------------------------------------------

    def candidates(
        self, tried: Container[str] = (), *, is_final: bool = False
    ) -> Iterator[TaskFile]:
        """Also those that were just dropped into ``tasks/``."""
        seen: set[str] = set()
        for at_once in (False, True) if is_final else (False,):
            self._look(at_once=at_once)
            for row in self._due():
                if row.stem in tried or row.stem in seen:
                    continue
                seen.add(row.stem)
                found = self._read(row)
                if found.unsettled and not is_final:
                    age = self._clock() - found.unsettled
                    if age < inbox_store.SETTLES:
                        return
                    if age < inbox_store.GIVEN_UP:
                        continue
                yield found

    def dependency(self, task: Task) -> tuple[str, TaskState | None]:
        with self._change("edge bridge watch") as change:
            for ident in task["depends_on"]:
                row = change.task(ident)
                if row is None or row.state != "done":
                    return ident, row.state if row else "queued"
        return "", None

    def _read(self, row: TaskRow, folder: Folder = "tasks") -> TaskFile:
        return read_task(self._root, row, folder, defaults=self._defaults())

    def _most_attempts(self, value: Mapping[str, Any]) -> int:
        return with_defaults(value, self._defaults())["retry_policy"]["max_attempts"]

    def _look(self, *, at_once: bool) -> None:
        """Enter what was dropped into ``tasks/``; what went with its folder is there again."""
        self._require_folders()
        new = self._inbox.new(at_once=at_once)
        if new:
            with self._change("edge bridge watch") as change:
                queued = [stem for stem in new if self._arrivals.take_in(change, stem)]
            self._inbox.known.update(queued)

    def _restore(self) -> None:
        """Write the files of tasks again that wait, as they were submitted or claimed."""
        places: tuple[tuple[TaskState, Folder], ...] = (("queued", "tasks"), ("pending", "pending"))
        with self._change("edge bridge watch") as change:
            for state, folder in places:
                for row in change.tasks(state):
                    if row.text:
                        change.write(layout.task_file(folder, row.stem), row.text)

    # -- what an executor may have written -------------------------------------------------------

    def seen(self) -> Stamps:
        return inbox_store.stamps(self._root)

    def distrust(self, before: Stamps) -> None:
        now = self.seen()
        if now != before:
            with self._change("edge bridge watch") as change:
                self._arrivals.distrust(change, before, now)

    def planted(self, row: TaskRow) -> list[str]:
        with self._change("edge bridge watch") as change:
            return self._arrivals.planted(change, row)

    # -- an attempt ------------------------------------------------------------------------------

    def claim(self, found: TaskFile, *, seconds: int = WORKER_TTL) -> TaskRow:
        """The file goes to ``running/``."""
        self._inbox.known.discard(found.row.stem)  # a file of that name is another from here on
        with self._change("edge bridge watch") as change:
            row = change.task(found.row.stem)
            if row is None or row.state != "queued":
                raise LockHeld(f"{found.row.stem} is no longer waiting", hint="edge bridge list")
            change.move(layout.task_file("tasks", row.stem), layout.task_file("running", row.stem))
            work = {key: value for key, value in json.loads(row.work).items() if key != "before"}
            before = {"digest": row.digest, "text": row.text, "answered_by": row.answered_by}
            return self._set(
                change,
                row,
                "claimed",
                state="running",
                attempt=found.attempt,
                epoch=row.epoch + 1,
                lease_until=self._after(seconds),
                due="",
                cancelled_by="",
                digest=sha256_hex(found.raw),
                text=found.raw.decode() if found.task else "",
                answered_by="" if found.is_changed else row.answered_by,
                work=_json({"before": {**before, "work": _json(work)}}),
            )

    def renew(self, row: TaskRow, *, seconds: int = WORKER_TTL) -> str:
        with self._change("edge bridge watch") as change:
            known = _held(change, row)
            change.put(known._replace(lease_until=self._after(seconds)))
            return known.cancelled_by

    def note(self, row: TaskRow, event: str, **work: Any) -> TaskRow:
        with self._change("edge bridge watch") as change:
            known = _held(change, row)
            return self._set(change, known, event, work=_json({**json.loads(known.work), **work}))

    def release(self, row: TaskRow) -> TaskRow:
        with self._change("edge bridge watch") as change:
            known = _held(change, row)
            change.move(layout.task_file("running", row.stem), layout.task_file("tasks", row.stem))
            before = json.loads(known.work)["before"]
            return self._set(change, known, "released", state="queued", lease_until="", **before)

    def finish(
        self,
        row: TaskRow,
        result: Result,
        *,
        again: bool = False,
        due: str = "",
        placed: Mapping[str, str] | None = None,
    ) -> TaskRow:
        with self._change("edge bridge watch") as change:
            known = _held(change, row)
            for name, source in (placed or {}).items():
                change.place(f"{HANDOFF_DIR}/{name}", source)
                change.place(f"{HANDOFF_DIR}/{layout.latest(name)}", source)
            self._write_result(change, known, result)
            if again and not known.cancelled_by:
                is_interrupted = result.get("reason") == "interrupted"
                known = known._replace(interrupted=known.interrupted + is_interrupted)
                return self._queue_again(change, known, "running", result)
            running = layout.task_file("running", row.stem)
            if known.text and not is_gone_or_one_of(self._root, running, {known.digest}):
                change.write(running, known.text)  # a person may try it again
            event, state, folder = _AFTER[result["status"]]
            if folder is None:
                _keep_task(change, known, running, result)
            else:
                change.move(running, layout.task_file(folder, row.stem))
            due = datetime.fromisoformat(due).astimezone(UTC).isoformat() if due else ""
            is_over = {"text": "", "work": "{}"} if results.is_terminal(result) else {}
            return self._set(change, known, event, state=state, lease_until="", due=due, **is_over)

    def abandoned(self) -> list[TaskRow]:
        with self._change("edge bridge watch") as change:
            return [row for row in change.tasks("running") if row.lease_until <= self._after(0)]

    def adopt(self, row: TaskRow, *, seconds: int = WORKER_TTL) -> TaskRow:
        with self._change("edge bridge watch") as change:
            known = _held(change, row)
            if known.lease_until > self._after(0):
                raise LeaseLost(f"somebody else works on {row.stem}")
            until = self._after(seconds)
            epoch = known.epoch + 1
            return self._set(change, known, "recovering", epoch=epoch, lease_until=until)

    # -- looking ---------------------------------------------------------------------------------

    def task(self, stem: str) -> TaskRow:
        with self._change("edge bridge show") as change:
            return _required(change, stem)

    def tasks(self) -> list[TaskRow]:
        with self._change("edge bridge list") as change:
            return list(change.every_task())

    def pending(self, limit: int = -1) -> list[TaskRow]:
        with self._change("edge bridge list") as change:
            return list(change.tasks("pending", limit=limit))

    def blocked(self, limit: int = -1) -> tuple[int, list[TaskRow]]:
        with self._change("edge bridge list") as change:
            return change.blocked(limit)

    def counts(self) -> dict[str, int]:
        with self._change("edge bridge list") as change:
            return change.counts()

    def events(self, after: int = 0, limit: int = 1_000) -> list[Event]:
        with self._change("edge bridge list") as change:
            return change.events(after, limit)

    # -- parts -----------------------------------------------------------------------------------

    @contextmanager
    def _change(self, command: str) -> Iterator[Change]:
        """A transaction; for a worker only while the queue is its own."""
        with self._database.change(command) as change:
            if self.epoch and change.epoch() != self.epoch:
                raise LeaseLost("another watcher has taken the queue")
            yield change

    def _set(self, change: Change, row: TaskRow, event: str, **fields: Any) -> TaskRow:
        return change.update(row, event, at=self._now(), **fields)

    def _back(self, change: Change, row: TaskRow, event: str, **fields: Any) -> TaskRow:
        """A task that waited for a person goes back to its place."""
        change.move(layout.task_file("pending", row.stem), layout.task_file("tasks", row.stem))
        return self._set(change, row, event, state="queued", **fields)

    def _queue_again(
        self, change: Change, row: TaskRow, folder: Folder, result: Mapping[str, Any]
    ) -> TaskRow:
        """Put the next attempt into ``tasks/``, as the planner wrote it; the file may be another by now."""
        value = read_object(row.text.encode())
        most = max(self._most_attempts(value), row.attempt + 1)
        value["attempt"] = row.attempt + 1
        value["retry_policy"] = {**value.get("retry_policy", {}), "max_attempts": most}
        text = _text(value)
        _keep_task(change, row, layout.task_file(folder, row.stem), result)
        change.write(layout.task_file("tasks", row.stem), text)
        return self._set(
            change,
            row,
            "queued_again",
            state="queued",
            attempt=row.attempt + 1,
            lease_until="",
            digest=sha256_hex(text.encode()),
            text=text,
        )

    def _latest_result(self, stem: str) -> dict[str, Any]:
        """{} if there is none, or it was damaged."""
        try:
            path = journal.place(self._root, layout.result_file(ids.safe_stem(stem)))
            return read_object(files.read_bytes(path) or b"")
        except (StateError, NotJson):
            return {}

    def _write_result(self, change: Change, row: TaskRow, result: Result) -> None:
        text = legible(_text(result))
        status = result["status"]
        stem = ids.safe_stem(row.stem)
        number = change.add_result(
            row.stem,
            row.attempt,
            text,
            status=status,
            reason=result.get("reason"),
            at=self._now(),
        )
        kind = "" if results.is_terminal(result) else status
        change.write(layout.attempt_result(stem, row.attempt, kind, number), text, mode=0o644)
        change.write(layout.result_file(stem), text, mode=0o644)

    def _due(self) -> Iterator[TaskRow]:
        """The queued tasks that may run by now, in order, so many at a time."""
        after = 0
        while True:
            with self._change("edge bridge watch") as change:
                rows = list(change.due(self._after(0), after=after, limit=_BATCH))
            yield from rows
            if len(rows) < _BATCH:
                return
            after = rows[-1].sequence

    def _path(self, folder: Folder) -> str:
        return journal.target(self._root, f"{HANDOFF_DIR}/{folder}")

    def _now(self) -> str:
        return self._clock().isoformat()

    def _after(self, seconds: int) -> str:
        """So long from now; such times are in the order of their texts."""
        return (self._clock() + timedelta(seconds=seconds)).astimezone(UTC).isoformat()


def _required(change: Change, stem: str, *states: TaskState) -> TaskRow:
    """The task, in one of these states if any is named."""
    row = change.task(stem)
    if row is None:
        raise AnswerIsNo(f"there is no task {stem}", hint="edge bridge list")
    if states and row.state not in states:
        raise AnswerIsNo(
            f"task {row.stem} is {row.state}, not {' or '.join(states)}", hint="edge bridge list"
        )
    return row


def _require_new(change: Change, stem: str) -> None:
    known = change.task(stem)
    if known is not None:
        raise AnswerIsNo(
            f"there is a task {known.stem} already: it is {known.state}",
            hint=f"edge bridge show {known.stem}",
        )


def _held(change: Change, row: TaskRow) -> TaskRow:
    """The task as it is now, while this claim holds."""
    known = change.task(row.stem)
    if known is None or known.state != "running" or known.epoch != row.epoch:
        raise LeaseLost(f"the claim on {row.stem} is over")
    return known


def _keep_task(change: Change, row: TaskRow, path: str, result: Mapping[str, Any]) -> None:
    """The task file of an attempt that is over: redacted, as in its result."""
    kept = layout.kept_task(row.stem, row.attempt)
    change.move(path, kept)
    change.write(kept, _text(result.get("task_snapshot") or {"id": row.stem}))


def _waiting_file(row: TaskRow) -> str:
    return layout.task_file("pending" if row.state == "pending" else "tasks", row.stem)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value))  # a name in it may be no text


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, indent=2) + "\n"


# end of module
