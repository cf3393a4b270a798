"""The database: which tasks there are, who holds them, and which files are the Bridge's own.

The files in ``.ai-handoff`` are what planners and people see; the database is outside the project, where an
executor does not reach. A change is one transaction: the database first, with the steps on files that follow
from it, then the files. What a dead process left is finished by the next one.

Owns the database, its tables, and these steps. Does not own what a transition means (``bridge.queue``).
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from operators_edge.bridge.queue import Event, TaskRow
from operators_edge.errors import StateDamaged, StateError
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import files, journal
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import project_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.bridge.queue import TaskState

FORM = 1
_WAIT_SECONDS = 10.0
_TABLES = """
create table task (
    stem text primary key collate nocase,
    sequence integer not null unique,
    state text not null,
    attempt integer not null,
    epoch integer not null default 0,
    digest text not null,
    origin text not null,
    interrupted integer not null default 0,
    answered_by text not null default '',
    work text not null default '{}',
    text text not null default '',
    changed_at text not null,
    lease_until text not null default '',
    due text not null default '',
    cancelled_by text not null default ''
);
create index task_queue on task (state, sequence);
create table result (
    stem text not null collate nocase,
    attempt integer not null,
    number integer not null,
    digest text not null,
    status text not null,
    reason text,
    at text not null,
    primary key (stem, attempt, number)
) without rowid;
create index result_blocked on result (stem, attempt, number) where status = 'blocked';
create table event (
    number integer primary key autoincrement,
    at text not null,
    name text not null,
    stem text not null,
    data text not null
);
create table worker (
    only integer primary key check (only = 1),
    epoch integer not null
);
insert into worker values (1, 0);
create table step (number integer primary key autoincrement, body text not null);
"""

_SELECT = f"select {', '.join(TaskRow._fields)} from task"  # noqa: S608 - our own names
_PUT = f"replace into task values ({', '.join('?' * len(TaskRow._fields))})"  # noqa: S608 - see above
_BLOCKED = """
select task.stem from result cross join task using (stem, attempt)  -- in this order: few are blocked
where result.status = 'blocked' and task.state = 'queued' and result.number = (
    select max(number) from result as other where other.stem = task.stem and other.attempt = task.attempt
)
order by task.sequence
"""


class FileStep(TypedDict, total=False):
    """One step on a file below the root; repeating it changes nothing.

    write: ``text`` with ``mode``. place: a copy of the file ``source``, which is outside the root. move: from
    ``path`` to ``to``, replacing it.
    """

    do: Literal["write", "place", "move"]
    path: str
    to: str
    text: str
    mode: int
    source: str


class Database:
    """One project's database, for any thread. ``env`` determines the person's folder."""

    def __init__(self, root: str, *, env: Mapping[str, str] = os.environ) -> None:
        self.root = root
        self._env = env
        self._open: sqlite3.Connection | None = None
        self._mutex = threading.Lock()

    @contextmanager
    def change(self, command: str) -> Iterator[Change]:
        """One transaction; nothing of it holds if the block raises. Raises StateError, LockHeld."""
        folder = make_user_dir(self._env, "projects", project_id(self.root))
        lock = os.path.join(folder, "bridge.lock")
        held = files.Lock(lock, command=command, limit=_WAIT_SECONDS)
        with self._mutex, held, _as_state_error(folder):
            database = self._database(folder)
            self._finish(database)
            database.execute("begin immediate")
            try:
                change = Change(database)
                yield change
                _keep(database, change.steps)
                database.execute("commit")
            except BaseException:
                with suppress(sqlite3.Error):  # the first error is the one to report
                    database.execute("rollback")
                raise
            self._finish(database)

    def _finish(self, database: sqlite3.Connection) -> None:
        """Do the steps on files that a transaction left, in order."""
        rows = database.execute("select number, body from step order by number").fetchall()
        for _, body in rows:
            _apply(self.root, json.loads(body))
        if rows:
            database.execute("delete from step where number <= ?", (rows[-1][0],))

    def _database(self, folder: str) -> sqlite3.Connection:
        if self._open is None:
            path = os.path.join(folder, "bridge.db")
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            database = sqlite3.connect(
                path,
                timeout=_WAIT_SECONDS,
                isolation_level=None,
                check_same_thread=False,  # one at a time, see ``change``
            )
            database.execute("pragma synchronous = full")
            database.execute(
                "pragma secure_delete = on"
            )  # a task that is over may have held secrets
            _check_form(database, path)
            self._open = database
        return self._open


class Change:
    """One transaction on the database; ``steps`` are done when it is committed."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self.steps: list[FileStep] = []

    # -- workers ---------------------------------------------------------------------------------

    def epoch(self) -> int:
        """The number of the last worker that took the queue."""
        return int(self._database.execute("select epoch from worker").fetchone()[0])

    def next_epoch(self) -> int:
        """Take the queue: from here on, every earlier worker is refused."""
        self._database.execute("update worker set epoch = epoch + 1")
        return self.epoch()

    def end_leases(self) -> None:
        self._database.execute("update task set lease_until = '' where state = 'running'")

    # -- files -----------------------------------------------------------------------------------

    def write(self, path: str, text: str, *, mode: int = 0o600) -> None:
        self.steps.append({"do": "write", "path": path, "text": text, "mode": mode})

    def place(self, path: str, source: str, *, mode: int = 0o600) -> None:
        self.steps.append({"do": "place", "path": path, "source": source, "mode": mode})

    def move(self, path: str, to: str) -> None:
        self.steps.append({"do": "move", "path": path, "to": to})

    # -- tasks -----------------------------------------------------------------------------------

    def task(self, stem: str) -> TaskRow | None:
        found = self._database.execute(f"{_SELECT} where stem = ?", (stem,)).fetchone()
        return TaskRow(*found) if found else None

    def counts(self) -> dict[str, int]:
        """How many tasks are in each state; those without one are left out."""
        query = "select state, count(*) from task group by state"
        return dict(self._database.execute(query).fetchall())

    def blocked(self, limit: int = -1) -> tuple[int, list[TaskRow]]:
        """How many queued tasks are blocked, by the last result of their attempt, and the first of them."""
        found = self._database.execute(_BLOCKED).fetchall()
        wanted = found if limit < 0 else found[:limit]
        rows = (self.task(stem) for (stem,) in wanted)
        return len(found), [row for row in rows if row is not None]

    def names(self, state: TaskState) -> set[str]:
        """The stems of the tasks in this state."""
        query = "select stem from task where state = ?"
        return {stem for (stem,) in self._database.execute(query, (state,))}

    def tasks(self, state: TaskState, *, limit: int = -1) -> Iterator[TaskRow]:
        """The tasks in this state, in the order in which they were submitted."""
        query = f"{_SELECT} where state = ? order by sequence limit ?"
        for each in self._database.execute(query, (state, limit)):
            yield TaskRow(*each)

    def due(self, now: str, *, after: int, limit: int) -> Iterator[TaskRow]:
        """The queued tasks behind a place that may run now."""
        query = f"{_SELECT} where state = 'queued' and sequence > ? and due <= ? order by sequence limit ?"
        for each in self._database.execute(query, (after, now, limit)):
            yield TaskRow(*each)

    def every_task(self) -> Iterator[TaskRow]:
        for each in self._database.execute(f"{_SELECT} order by sequence"):
            yield TaskRow(*each)

    def next_sequence(self) -> int:
        """The place at the end of the queue."""
        return int(self._database.execute("select max(sequence) from task").fetchone()[0] or 0) + 1

    def put(self, row: TaskRow) -> None:
        """Add a task, or replace its row."""
        self._database.execute(_PUT, row)

    def update(self, row: TaskRow, event: str, *, at: str, **fields: Any) -> TaskRow:
        """Change a task, or add it, and tell of it; returns its row."""
        new = row._replace(changed_at=at, **fields)
        self.put(new)
        self.tell(event, new.stem, {"attempt": new.attempt}, at=at)
        return new

    # -- results and events ----------------------------------------------------------------------

    def add_result(
        self, stem: str, attempt: int, text: str, *, status: str, reason: str | None, at: str
    ) -> int:
        """Record a result of an attempt; returns its number among those of the attempt, from 1."""
        query = "select count(*) from result where stem = ? and attempt = ?"
        number = int(self._database.execute(query, (stem, attempt)).fetchone()[0]) + 1
        digest = sha256_hex(text.encode())
        row = (stem, attempt, number, digest, status, reason, at)
        self._database.execute("insert into result values (?, ?, ?, ?, ?, ?, ?)", row)
        return number

    def result_digests(self, stem: str) -> set[str]:
        """The digests of all results of a task."""
        rows = self._database.execute("select digest from result where stem = ?", (stem,))
        return {digest for (digest,) in rows}

    def tell(self, name: str, stem: str, data: Mapping[str, Any], *, at: str) -> None:
        """Record an event; what is in it is redacted."""
        body = json.dumps(data, ensure_ascii=False)
        query = "insert into event (at, name, stem, data) values (?, ?, ?, ?)"
        self._database.execute(query, (at, name, stem, body))

    def events(self, after: int, limit: int) -> list[Event]:
        """The events after one."""
        query = "select number, at, name, stem, data from event where number > ? limit ?"
        rows = self._database.execute(query, (after, limit))
        return [
            Event(number, at, name, stem, json.loads(data)) for number, at, name, stem, data in rows
        ]


def _keep(database: sqlite3.Connection, steps: Sequence[FileStep]) -> None:
    rows = [(json.dumps(each),) for each in steps]
    database.executemany("insert into step (body) values (?)", rows)


def _apply(root: str, step: FileStep) -> None:
    path = journal.place(root, step["path"])
    try:
        if step["do"] == "move":
            _move(root, path, journal.place(root, step["to"]))
        else:
            is_text = step["do"] == "write"
            data = step["text"].encode() if is_text else files.read_bytes(step["source"])
            if data is not None:  # else it was placed before, and its source is gone
                _make_folder(root, os.path.dirname(path))
                _clear(root, path)
                files.write_durable(path, data, mode=step["mode"])
    except OSError as error:
        raise files.failure(step["do"], path, error) from error


def _clear(root: str, path: str) -> None:
    """Make room for a file of ours where somebody else put a folder or a link."""
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        _keep_aside(root, path)


def _keep_aside(root: str, path: str) -> None:
    """Links and pipes go; what has content may be a person's: it is kept in ``meta/``."""
    if os.path.islink(path) or not (os.path.isdir(path) or os.path.isfile(path)):
        os.unlink(path)
        return
    aside = f"{path}.{os.urandom(6).hex()}.tmp"
    os.rename(path, aside)
    meta = journal.place(root, f"{HANDOFF_DIR}/meta")
    _make_folder(root, meta)
    os.rename(aside, files.free_path(meta, f"{os.path.basename(path)}.left"))


def _make_folder(root: str, path: str) -> None:
    """Make one of our folders, also where an executor put a file in its place or in that of the one above."""
    for each in (os.path.dirname(path), path):
        if os.path.lexists(each) and not os.path.isdir(each):
            _keep_aside(root, each)
    files.ensure_private_dir(path)


def _move(root: str, old: str, new: str) -> None:
    _make_folder(root, os.path.dirname(new))
    if os.path.lexists(old):
        _clear(root, new)
    with suppress(FileNotFoundError):  # it was done before
        _make_private(old)
        os.replace(old, new)
        files.sync_dir(os.path.dirname(new))
        files.sync_dir(os.path.dirname(old))


def _make_private(path: str) -> None:
    """A planner's file can hold secrets; one that has another name, too, is not only ours."""
    found = os.lstat(path)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_mode & 0o077:
        os.chmod(path, 0o600)


def _check_form(database: sqlite3.Connection, path: str) -> None:
    form = database.execute("pragma user_version").fetchone()[0]
    if form > FORM:
        raise StateError(
            f"{path} was written by a newer version of edge (form {form})",
            hint="Use that version.",
        )
    if form == 0:
        database.executescript(f"begin; {_TABLES} pragma user_version = {FORM}; commit")


@contextmanager
def _as_state_error(folder: str) -> Iterator[None]:
    path = os.path.join(folder, "bridge.db")
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StateError(f"Cannot use {path}: {error}", hint="edge doctor") from error
    except sqlite3.DatabaseError as error:
        hint = "Move it away; the next command makes a new one from the files."
        raise StateDamaged(path, str(error), hint=hint) from error


# end of module
