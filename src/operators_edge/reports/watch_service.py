"""Follows a project for ``edge watch``: the entries that are new, and what waits for the person.

Reads only what has changed: the state when its file has, the log from where it ended. Does not own what is
shown of it (``reports.watch``).
"""

from __future__ import annotations

import os

from operators_edge.errors import EdgeError
from operators_edge.plan import modes
from operators_edge.reports.watch import Top
from operators_edge.sessions import status, tasks
from operators_edge.state import schema
from operators_edge.storage import segments
from operators_edge.text.wording import many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.storage.segments import Position

TASKS_SECONDS = 5.0
"""How often the queue of the Bridge is looked at."""


class LogFollower:
    """The entries that are appended from now on, and the last ones before."""

    def __init__(self, project: Project) -> None:
        self._log = project.log
        self._root = project.root
        self._where: Position | None = None
        self._size: tuple[int, int] | None = None
        self._is_at_start = False
        self._go_to_end()

    def _go_to_end(self) -> None:
        with segments.Opened(segments.current_path(self._root)) as fd:
            first = segments.first_seq(fd) if fd is not None else None
            if fd is None or first is None:
                self._where, self._is_at_start = None, True
                return
            end = segments.end_of(fd, os.fstat(fd).st_size)
            self._where = (first, end.offset, end.hash)

    def last(self, count: int) -> list[LogEntry]:
        return self._log.tail(count)

    def new(self) -> list[LogEntry]:
        """What was appended since the last call; after a change of the log itself, an entry that says so."""
        stamp = self._stamp()
        if stamp == self._size:
            return []
        self._size = stamp
        found: list[LogEntry] = []
        try:
            if self._where is None and not self._is_at_start:
                self._go_to_end()
            for entry, where in self._log.entries(self._where):
                found.append(entry)
                self._where = where
        except segments.PositionLost:
            self._go_to_end()
            found.append({"event": "log_replaced", "data": {"shown": "it is read from its end on"}})
        return found

    def _stamp(self) -> tuple[int, int] | None:
        try:
            status_ = os.stat(segments.current_path(self._root))
        except OSError:
            return None
        return status_.st_size, status_.st_ino


class TopReader:
    """What stands above the entries, read again when it may have changed."""

    def __init__(self, project: Project, *, seconds: Callable[[], float]) -> None:
        self._project = project
        self._seconds = seconds
        self._stamp: object = ""
        self._looked = float("-inf")
        self._top = Top("")

    def read(self) -> Top:
        stamp = self._file_stamp()
        is_due = self._seconds() - self._looked >= TASKS_SECONDS
        if stamp != self._stamp or is_due:
            self._stamp, self._looked = stamp, self._seconds()
            self._top = self._gathered()
        return self._top

    def _file_stamp(self) -> object:
        try:
            found = os.stat(self._project.state.path)
        except OSError as error:
            return str(error)
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _gathered(self) -> Top:
        name = os.path.basename(self._project.root) or self._project.root
        try:
            state = self._project.state.read()
            off = status.switch_lines(
                status.active_switches(self._project, ""), self._project.clock()
            )
        except EdgeError as error:
            return Top(name, problems=[f"The state is not read: {error.message}", error.hint])
        waiting = []
        if state.get("junction"):
            waiting += status.junction_lines(state["junction"], at_terminal=True)
        waiting += status.left_lines(state.get("left_questions") or [], at_terminal=True)
        bridge = tasks.line(tasks.gather(self._project.root))
        waiting += [f"Bridge     {bridge}"] if bridge else []
        problems = [self._project.state.unfinished] if self._project.state.unfinished else []
        return Top(_heading(name, state), off, waiting, problems)


def _heading(name: str, state: dict[str, object]) -> str:
    plan = state.get("plan")
    steps = plan if isinstance(plan, list) else []
    number = schema.current_step(state)
    parts = [name, modes.current(state)]
    if 1 <= number <= len(steps):
        step = steps[number - 1]
        text = step.get("description") if isinstance(step, dict) else step
        parts.append(f"step {number}/{len(steps)} {one_line(text or '', 200)}")
    elif steps:
        parts.append(f"all {many(len(steps), 'step')} done")
    return "  ".join(parts)


# end of module
