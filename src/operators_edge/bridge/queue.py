"""The queue: which task is next, and every change of a task's state, each one transaction.

A task waits in ``tasks/``. ``claim`` moves it to ``running/``, ``finish`` on from there, by the result.

Owns these transitions and the order of the queue. A worker that lost the queue is refused (``LeaseLost``).
Does not own what an attempt does (``bridge.watcher``) or the tables (``bridge.database_store``).
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from operators_edge.bridge import ids, layout, result as results
from operators_edge.bridge.database_store import TaskRow
from operators_edge.bridge.json_text import MAX_BYTES, NotJson, read_object
from operators_edge.bridge.locks_store import LeaseLost, open_plain
from operators_edge.bridge.task import Problem, problems_with, with_defaults
from operators_edge.errors import AnswerIsNo, StateError, UsageError
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import files, journal
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from operators_edge.bridge.database_store import Change, Database, TaskState
    from operators_edge.bridge.layout import Folder
    from operators_edge.bridge.result import Result
    from operators_edge.bridge.task import Task

    Stamps = Mapping[str, tuple[int, ...]]

SETTLES = timedelta(seconds=5)
"""A file that does not parse holds back those behind it for so long after its last change."""

GIVEN_UP = timedelta(seconds=60)
"""After so long without a change it is not being written: it is no task."""


_REFUSED = "refused: "
"""An origin that starts so names why the file's name cannot be that of a task."""

APPEARED = "appeared"
"""The origin of a file that came or changed in ``tasks/`` while an executor that can write there worked."""

_BATCH = 200

_LOOKING_SHARE = 20
"""The folder of tasks is looked through for at most one part in so many of the time."""

_AFTER: Mapping[str, tuple[str, TaskState, Folder | None]] = {
    "success": ("succeeded", "done", None),
    "failed": ("failed", "failed", "failed"),
    "blocked": ("blocked", "queued", "tasks"),
    "needs_confirmation": ("needs_confirmation", "pending", "pending"),
}
"""By a result's status: the event, the task's state, and where its file goes."""


Dropped = Literal["cancelled", "rejected", "dependency_failed"]


class TaskFile(NamedTuple):
    """A task file as it was read: a valid task, or what is wrong with it."""

    row: TaskRow
    raw: bytes
    modified: datetime
    task: Task | None
    problems: tuple[str, ...] = ()
    is_partial: bool = False
    """It does not parse, as while it is being written."""
    is_gone: bool = False

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


class Queue:
    """One project's queue. ``epoch`` is 0 for a command that is no worker."""

    def __init__(self, root: str, *, clock: Callable[[], datetime], database: Database) -> None:
        self.root = root
        self.epoch = 0
        self._clock = clock
        self._database = database
        self._noticed: set[str] = set()
        self._skipped: set[str] = set()
        self._look_again = 0.0

    def prepare(self) -> None:
        """Create the folders; git ignores all of them. What was deleted with them is there again."""
        is_new = not os.path.isdir(journal.target(self.root, f"{HANDOFF_DIR}/tasks"))
        for name in layout.FOLDERS:
            files.ensure_private_dir(journal.target(self.root, f"{HANDOFF_DIR}/{name}"))
        ignore = journal.target(self.root, f"{HANDOFF_DIR}/.gitignore")
        if not os.path.lexists(ignore):
            files.write_durable(ignore, b"*\n", mode=0o644)
        if is_new:
            self._restore()

    def become_worker(self) -> None:
        """Take the queue over: every earlier worker is refused from here on.

        Files that are in work or waiting and that the database does not know wait for a person: it was lost,
        or somebody put them there.
        """
        with self._database.change("edge bridge watch") as change:
            self.epoch = change.next_epoch()
            self._noticed = change.names("queued")
            for name in layout.FOLDERS:  # nobody of ours writes meanwhile; in tasks/ a planner may
                path = journal.target(self.root, f"{HANDOFF_DIR}/{name}")
                files.sweep_folder(path, older_than=3_600 if name == "tasks" else 0)
            unknown: tuple[Folder, ...] = ("running", "pending")
            for folder in unknown:
                for stem in sorted(self._stems(folder)):
                    if change.task(stem) is None:
                        pending = layout.task_file("pending", stem)
                        change.move(layout.task_file(folder, stem), pending)
                        new = TaskRow.new(
                            change.next_sequence(), stem, origin="found", at=self._now()
                        )
                        self._set(change, new, "found", state="pending")

    # -- submitting and answering ----------------------------------------------------------------

    def submit(self, value: Mapping[str, Any]) -> TaskRow:
        """Put a task at the end of the queue. UsageError for one that is not valid."""
        problems = problems_with(value)
        if problems:
            raise UsageError("not a valid task: " + "; ".join(map(str, problems)))
        stem, text = str(value["id"]), _text(value)
        with self._change("edge bridge submit") as change:
            known = change.task(stem)
            if known is not None:
                raise AnswerIsNo(
                    f"there is a task {known.stem} already: it is {known.state}",
                    hint=f"edge bridge show {known.stem}",
                )
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
        """A person lets a waiting task run: it goes back to its place in the queue.

        AnswerIsNo, once, if its file was changed while it waited: they may not have seen that.
        """
        with self._change("edge bridge approve") as change:
            row = _required(change, stem, "pending")
            digest = sha256_hex(self.read(row, "pending").raw)
            is_changed = row.digest not in ("", digest)
            if is_changed:
                self._set(change, row, "changed", digest=digest)
            else:
                pending, queued = (
                    layout.task_file(each, row.stem) for each in ("pending", "tasks")
                )
                change.move(pending, queued)
                row = self._set(
                    change, row, "approved", state="queued", answered_by=by, digest=digest
                )
        if is_changed:
            raise AnswerIsNo(
                f"{layout.task_file('pending', row.stem)} was changed while it waited",
                hint="Read it, then approve it again.",
            )
        return row

    def go_on(self, stem: str) -> TaskRow:
        """A person has answered the questions about a waiting task's commands: back to its place."""
        with self._change("edge bridge approve") as change:
            row = _required(change, stem, "pending")
            change.move(layout.task_file("pending", row.stem), layout.task_file("tasks", row.stem))
            return self._set(change, row, "answered", state="queued")

    def retry(self, stem: str) -> TaskRow:
        """Queue a failed task again, as its next attempt, at the end."""
        with self._change("edge bridge retry") as change:
            row = _required(change, stem, "failed")
            found = self.read(row, "failed")
            if found.task is None:
                raise AnswerIsNo(
                    f"the file of {row.stem} is no valid task: {found.problems[0]}",
                    hint=f"Correct {layout.task_file('failed', row.stem)}, then repeat.",
                )
            again = row._replace(
                sequence=change.next_sequence(), text=found.raw.decode(), interrupted=0
            )
            return self._queue_again(change, again, "failed", self._latest_result(row.stem))

    def drop(self, stem: str, reason: Dropped, *, detail: str) -> TaskRow:
        """A task is not to run any more: one that waits for its turn, or one that waits for a person."""
        with self._change(f"edge bridge {reason}") as change:
            state: TaskState = "pending" if reason == "rejected" else "queued"
            known = change.task(stem)
            if known is not None and known.state == "pending":
                state = "pending"
            row = _required(change, stem, state)
            result = results.bare(row.stem, row.attempt, reason, detail=detail, at=self._now())
            self._write_result(change, row, result)
            folder: Folder = "pending" if state == "pending" else "tasks"
            change.move(layout.task_file(folder, row.stem), layout.task_file("failed", row.stem))
            return self._set(change, row, reason, state="failed")

    # -- the next task ---------------------------------------------------------------------------

    def notice(self, *, at_once: bool = False) -> None:
        """Enter what was dropped into ``tasks/``, by name; what went with its folder is there again.

        A large folder is looked through only so often, unless ``at_once``.
        """
        started = time.monotonic()
        if started < self._look_again and not at_once:
            return
        if not os.path.isdir(journal.target(self.root, f"{HANDOFF_DIR}/tasks")):
            self.prepare()
        stems = set(self._stems("tasks"))
        new = stems - self._noticed
        self._noticed &= stems
        self._skipped &= stems
        if new:
            with self._change("edge bridge watch") as change:
                queued = [stem for stem in sorted(new) if self._notice(change, stem)]
            self._noticed.update(queued)
        ended = time.monotonic()
        self._look_again = ended + (ended - started) * _LOOKING_SHARE

    def _notice(self, change: Change, stem: str) -> bool:
        """Enter one file, under a name that the database and every file system can have.

        False: it is no queued task, and is looked at again.
        """
        try:
            known = change.task(stem)
        except UnicodeEncodeError:
            self._refuse_name(change, stem, "is not UTF-8")
            return False
        if known is None:
            row = TaskRow.new(change.next_sequence(), stem, origin="dropped", at=self._now())
            self._set(change, row, "dropped")
        elif known.stem != stem:
            self._refuse_name(change, stem, f"differs from that of {known.stem} only by case")
            return False
        elif known.state == "pending":
            self._set(change, known, "approved", state="queued", answered_by="moved")
        elif known.state in ("done", "failed"):
            found = self.read(known)
            if found.task is not None and found.attempt > known.attempt:
                sequence, attempt = change.next_sequence(), found.attempt
                again = known._replace(
                    sequence=sequence, attempt=attempt, digest="", answered_by=""
                )
                self._set(change, again, "dropped", state="queued", origin="dropped")
            elif stem not in self._skipped:
                self._skipped.add(stem)
                change.tell("skipped", stem, {"attempt": known.attempt}, at=self._now())
                return False
            else:
                return False
        return True

    # -- what an executor may have written -------------------------------------------------------

    def seen(self) -> Stamps:
        """The task files that wait, each with what changes when it is written or put there."""
        return _stamps(journal.target(self.root, f"{HANDOFF_DIR}/tasks"))

    def distrust(self, before: Stamps) -> None:
        """What came or changed in ``tasks/`` since may be an executor's: it waits for a person.

        But for what the database knows, byte for byte, as it is there by a command of ours.
        """
        now = self.seen()
        stems = sorted(stem for stem, each in now.items() if before.get(stem) != each)
        if stems:
            with self._change("edge bridge watch") as change:
                for stem in stems:
                    self._distrust(change, stem)

    def _distrust(self, change: Change, stem: str) -> None:
        try:
            known = change.task(stem)
        except UnicodeEncodeError:
            return  # a name that is refused in any case
        row = known or TaskRow.new(change.next_sequence(), stem, origin=APPEARED, at=self._now())
        found = self.read(row)
        if known is None:
            self._set(change, row, "dropped")
        elif known.stem != stem or (
            known.state == "queued" and known.digest == sha256_hex(found.raw)
        ):
            return
        elif known.state in ("queued", "pending"):
            self._set(change, row, "dropped", state="queued", origin=APPEARED, answered_by="")
        elif found.task is not None and found.attempt > known.attempt:
            new = row._replace(sequence=change.next_sequence(), attempt=found.attempt, digest="")
            self._set(change, new, "dropped", state="queued", origin=APPEARED, answered_by="")

    def planted(self, row: TaskRow) -> list[str]:
        """The files of a running attempt that are not as the Bridge wrote them: somebody else did."""
        with self._change("edge bridge watch") as change:
            known = change.result_digests(row.stem)
        stem = ids.safe_stem(row.stem)
        own = {
            layout.task_file("running", row.stem): {row.digest},
            layout.result_file(stem): known,
            layout.attempt_result(stem, row.attempt): known,
        }
        return [path for path, digests in own.items() if not self._is_one_of(path, digests)]

    def _is_one_of(self, path: str, digests: Container[str]) -> bool:
        """Whether a file is gone, or has one of these contents."""
        try:
            with open(journal.place(self.root, path), "rb", opener=open_plain) as file:
                return hashlib.file_digest(file, "sha256").hexdigest() in digests
        except FileNotFoundError:
            return True
        except (OSError, StateError):
            return False

    def _refuse_name(self, change: Change, stem: str, why: str) -> None:
        safe = ids.refused(stem)
        change.move(layout.task_file("tasks", stem), layout.task_file("tasks", safe))
        row = change.task(safe) or TaskRow.new(
            change.next_sequence(), safe, origin=_REFUSED + why, at=self._now()
        )
        self._set(change, row, "dropped", state="queued")

    def _restore(self) -> None:
        """Write the files of tasks again that wait, as they were submitted or claimed."""
        places: tuple[tuple[TaskState, Folder], ...] = (("queued", "tasks"), ("pending", "pending"))
        with self._change("edge bridge watch") as change:
            for state, folder in places:
                for row in change.tasks(state):
                    if row.text:
                        change.write(layout.task_file(folder, row.stem), row.text)

    def candidates(
        self, tried: Container[str] = (), *, is_final: bool = False
    ) -> Iterator[TaskFile]:
        """The queued tasks but those in ``tried``, in order, as far as they can be taken now.

        ``is_final``: nothing is waited for, and a file that does not parse is refused at once.
        """
        for row in self._queued():
            if row.stem in tried:
                continue
            found = self.read(row)
            if found.is_partial and not is_final:
                age = self._clock() - found.modified
                if age < SETTLES:
                    return
                if age < GIVEN_UP:
                    continue
            yield found

    def dependency(self, task: Task) -> tuple[str, TaskState | None]:
        """The first task that this one depends on and that has not succeeded, with its state; ("", None)."""
        with self._change("edge bridge watch") as change:
            for ident in task["depends_on"]:
                row = change.task(ident)
                if row is None or row.state != "done":
                    return ident, row.state if row else "queued"
        return "", None

    def read(self, row: TaskRow, folder: Folder = "tasks") -> TaskFile:
        """A task's file as it is now; never raises for what is in it."""
        try:
            path = journal.place(self.root, layout.task_file(folder, row.stem))
            raw, modified = _read(path)
        except (OSError, StateError) as error:
            why = error.message if isinstance(error, StateError) else error.strerror or str(error)
            unread = f"its file cannot be read: {why}"
            is_gone = isinstance(error, FileNotFoundError)
            return TaskFile(row, b"", self._clock(), None, (unread,), is_gone=is_gone)
        try:
            value = read_object(raw)
        except NotJson as error:
            return TaskFile(row, raw, modified, None, (str(error),), is_partial=True)
        problems = problems_with(value, stem=row.stem)
        unsafe = row.origin.removeprefix(_REFUSED) if row.origin.startswith(_REFUSED) else ""
        unsafe = unsafe or ids.problem_with(row.stem)
        if unsafe:
            problems.insert(0, Problem("file name", unsafe))
        task = None if problems else with_defaults(value)
        return TaskFile(row, raw, modified, task, tuple(map(str, problems)))

    # -- what a worker does ----------------------------------------------------------------------

    def claim(self, found: TaskFile) -> TaskRow:
        """The attempt begins: the file goes to ``running/``. The caller holds the task's lock."""
        self._noticed.discard(found.row.stem)  # a file of that name is another from here on
        with self._change("edge bridge watch") as change:
            row = _required(change, found.row.stem, "queued")
            change.move(layout.task_file("tasks", row.stem), layout.task_file("running", row.stem))
            return self._set(
                change,
                row,
                "claimed",
                state="running",
                attempt=found.attempt,
                digest=sha256_hex(found.raw),
                text=found.raw.decode() if found.task else "",
                answered_by="" if found.is_changed else row.answered_by,
                epoch=self.epoch,
                work="{}",
            )

    def adopt(self, row: TaskRow) -> TaskRow:
        """Take over the attempt of a worker that ended, to end it."""
        with self._change("edge bridge watch") as change:
            known = _required(change, row.stem, "running")
            return self._set(change, known, "recovering", epoch=self.epoch)

    def note(self, row: TaskRow, event: str, **work: Any) -> TaskRow:
        """Record what the attempt has done to the repository, before it does so."""
        with self._change("edge bridge watch") as change:
            known = _required(change, row.stem, "running")
            text = json.dumps({**json.loads(known.work), **work}, ensure_ascii=False)
            return self._set(change, known, event, work=text)

    def finish(
        self,
        row: TaskRow,
        result: Result,
        *,
        again: bool = False,
        placed: Mapping[str, str] | None = None,
    ) -> TaskRow:
        """Write the attempt's result; with ``again`` the next attempt is queued.

        ``placed``: where the attempt's artifacts are, by their name relative to ``.ai-handoff``.
        """
        with self._change("edge bridge watch") as change:
            known = _required(change, row.stem, "running")
            for name, source in (placed or {}).items():
                change.place(f"{HANDOFF_DIR}/{name}", source)
                change.place(f"{HANDOFF_DIR}/{layout.latest(name)}", source)
            self._write_result(change, known, result)
            if again:
                is_interrupted = result.get("reason") == "interrupted"
                known = known._replace(interrupted=known.interrupted + is_interrupted)
                return self._queue_again(change, known, "running", result)
            running = layout.task_file("running", row.stem)
            if known.text and not self._is_one_of(running, {known.digest}):
                change.write(running, known.text)  # a person may try it again
            event, state, folder = _AFTER[result["status"]]
            if folder is None:
                _keep_task(change, known, running, result)
            else:
                change.move(running, layout.task_file(folder, row.stem))
            return self._set(change, known, event, state=state)

    def task(self, stem: str) -> TaskRow:
        """AnswerIsNo if there is no such task."""
        with self._change("edge bridge show") as change:
            row = change.task(stem)
        if row is None:
            raise AnswerIsNo(f"there is no task {stem}", hint="edge bridge list")
        return row

    def tasks(self) -> list[TaskRow]:
        """Every task, in the order in which they were submitted."""
        with self._change("edge bridge list") as change:
            return list(change.every_task())

    def running(self) -> list[TaskRow]:
        with self._change("edge bridge watch") as change:
            return list(change.tasks("running"))

    def pending(self, limit: int = -1) -> list[TaskRow]:
        """The tasks that wait for a person."""
        with self._change("edge bridge list") as change:
            return list(change.tasks("pending", limit=limit))

    def counts(self) -> dict[str, int]:
        """How many tasks are in each state; those without one are left out."""
        with self._change("edge bridge list") as change:
            return change.counts()

    def blocked(self, limit: int = -1) -> tuple[int, list[TaskRow]]:
        """How many queued tasks are blocked, by the last result of their attempt, and the first of them."""
        with self._change("edge bridge list") as change:
            return change.blocked(limit)

    # -- parts -----------------------------------------------------------------------------------

    @contextmanager
    def _change(self, command: str) -> Iterator[Change]:
        """A transaction; for a worker only while the queue is its own."""
        with self._database.change(command) as change:
            if self.epoch and change.epoch() != self.epoch:
                raise LeaseLost("another watcher has taken the queue")
            yield change

    def _set(self, change: Change, row: TaskRow, event: str, **fields: Any) -> TaskRow:
        new = row._replace(changed_at=self._now(), **fields)
        change.put(new)
        change.tell(event, row.stem, {"attempt": new.attempt}, at=self._now())
        return new

    def _queue_again(
        self, change: Change, row: TaskRow, folder: Folder, result: Mapping[str, Any]
    ) -> TaskRow:
        """Put the next attempt into ``tasks/``, as the planner wrote it; the file may be another by now."""
        value = read_object(row.text.encode())
        most = max(with_defaults(value)["retry_policy"]["max_attempts"], row.attempt + 1)
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
            digest=sha256_hex(text.encode()),
            text=text,
        )

    def _latest_result(self, stem: str) -> dict[str, Any]:
        """{} if there is none, or it was damaged."""
        try:
            path = journal.place(self.root, layout.result_file(ids.safe_stem(stem)))
            return read_object(_read(path)[0])
        except (OSError, StateError, NotJson):
            return {}

    def _write_result(self, change: Change, row: TaskRow, result: Result) -> None:
        text = _text(result)
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

    def _queued(self) -> Iterator[TaskRow]:
        """The queued tasks in order, so many at a time."""
        after = 0
        while True:
            with self._change("edge bridge watch") as change:
                rows = list(change.tasks("queued", after=after, limit=_BATCH))
            yield from rows
            if len(rows) < _BATCH:
                return
            after = rows[-1].sequence

    def _stems(self, folder: Folder) -> list[str]:
        """The stems of the task files in a folder."""
        names = os.listdir(journal.target(self.root, f"{HANDOFF_DIR}/{folder}"))
        return list(filter(None, map(layout.stem_of, names)))

    def _now(self) -> str:
        return self._clock().isoformat()


def _required(change: Change, stem: str, state: TaskState) -> TaskRow:
    row = change.task(stem)
    if row is None:
        raise AnswerIsNo(f"there is no task {stem}", hint="edge bridge list")
    if row.state != state:
        raise AnswerIsNo(f"task {row.stem} is {row.state}, not {state}", hint="edge bridge list")
    return row


def _stamps(folder: str) -> Stamps:
    found = {}
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for each in entries:
            stem = layout.stem_of(each.name)
            if stem:
                info = each.stat(follow_symlinks=False)
                found[stem] = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
    return found


def _keep_task(change: Change, row: TaskRow, path: str, result: Mapping[str, Any]) -> None:
    """The task file of an attempt that is over: redacted, as in its result."""
    kept = layout.kept_task(row.stem, row.attempt)
    change.move(path, kept)
    change.write(kept, _text(result.get("task_snapshot") or {"id": row.stem}))


def _read(path: str) -> tuple[bytes, datetime]:
    """A regular file's content, a little more than a task may have at most, and when it changed."""
    with open(path, "rb", opener=open_plain) as file:
        modified = os.fstat(file.fileno()).st_mtime
        return file.read(MAX_BYTES + 1), datetime.fromtimestamp(modified, UTC)


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, indent=2) + "\n"
