"""How a person sees the Bridge's queue: each event as it happens, the list, and a task's result.

A terminal gets a line for what has ended, and below it one that shows what happens now. Anything else gets
plain lines, a program one object for each event. Does not own the events (``bridge.events``).
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import AbstractContextManager
from types import MappingProxyType

from operators_edge.bridge.result import REASONS
from operators_edge.cli import layout
from operators_edge.cli.screen import ERASE_LINE
from operators_edge.locations import HANDOFF_DIR
from operators_edge.text import outgoing
from operators_edge.text.markup import hanging_indent, labelled
from operators_edge.text.wording import WIDTH, columns, fitted, one_line, point_in_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any, Self

    from operators_edge.bridge.queue import Queue, TaskRow
    from operators_edge.cli.terminal import Terminal

STATES = {
    "queued": "waits for its turn",
    "running": "is being worked on",
    "pending": "waits for a person",
    "done": "succeeded",
    "failed": "failed",
}
_MAX_ID = 32
_MAX_LINE = 400


class View(AbstractContextManager["View"]):
    """Shows the events of one watcher; entered before the first one.

    ``ended``: how each task has ended, by the status of its result.
    """

    def __init__(self) -> None:
        self.ended: dict[str, str] = {}

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, event: str, task: str, data: Mapping[str, Any]) -> None:
        """Show an event."""
        raise NotImplementedError


class Objects(View):
    """For a program: one JSON object on a line for each event."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self._clock = clock

    def tell(self, event: str, task: str, data: Mapping[str, Any]) -> None:
        said = {**as_object(event, task, self._clock()), **data}
        print(outgoing.to_program(said), flush=True)


class Lines(View):
    """Plain lines: what begins to be edited, what ran, and how it ended; nothing is said twice in a row."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self._terminal = terminal
        self._last: dict[str, str] = {}

    def tell(self, event: str, task: str, data: Mapping[str, Any]) -> None:
        for line in self.lines_of(event, task, data):
            self._terminal.show({}, line)

    def lines_of(self, event: str, task: str, data: Mapping[str, Any]) -> list[str]:
        """The lines for an event; a task that is blocked again for the same reason is not said again."""
        if event == "ended":
            self.ended[task] = str(data.get("status"))
        line = event_line(event, task, data)
        if not line or (event == "ended" and self._last.get(task) == line):
            return []
        self._last[task] = line
        return [line]


class Live(Lines):
    """At a terminal: below those lines one that shows what happens now, since when, and what waits."""

    def __init__(self, terminal: Terminal, queue: Queue, seconds: Callable[[], float]) -> None:
        super().__init__(terminal)
        self._queue = queue
        self._seconds = seconds
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._now: dict[str, tuple[str, float]] = {}
        self._waiting = ""
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._ticker.join()
        with self._lock:
            self._erase()

    def tell(self, event: str, task: str, data: Mapping[str, Any]) -> None:
        now = now_line(event, task, data)
        waiting = waiting_words(self._queue.counts())
        with self._lock:
            self._erase()
            name = task if event == "ended" else fitted(task, _MAX_ID)
            for line in self.lines_of(event, name, data):
                self._terminal.show({}, self._styled(event, data, line))
            self._keep(task, now)
            self._waiting = waiting
            self._draw()

    def _keep(self, task: str, now: str | None) -> None:
        """What each task does, and since when."""
        if now == "":
            self._now.pop(task, None)
        elif now is not None and now != self._now.get(task, ("",))[0]:
            self._now[task] = now, self._seconds()
        if task:
            self._now.pop("", None)  # it is idle no more

    def _tick(self) -> None:
        while not self._ended.wait(1.0):
            with self._lock:
                self._erase()
                self._draw()

    def _styled(self, event: str, data: Mapping[str, Any], line: str) -> str:
        """Within the terminal: how a task ended in full and in colour, the rest cut."""
        if event != "ended":
            return fitted(line, layout.columns())
        colour = {"success": "green", "failed": "red"}.get(str(data.get("status")), "yellow")
        return self._terminal.paint("\n".join(hanging_indent("", line, indent=2)), colour)

    def _erase(self) -> None:
        self._terminal.out.write(ERASE_LINE)

    def _draw(self) -> None:
        parts = [self._described(*each) for each in self._now.values()]
        parts = [*parts, self._so_far(), self._waiting]
        text = fitted("  ".join(filter(None, parts)), layout.columns() - 1)
        self._terminal.out.write(outgoing.to_terminal(text))
        self._terminal.out.flush()

    def _so_far(self) -> str:
        """How many tasks have ended how, of this watcher."""
        counts = Counter(self.ended.values())
        words = {"success": "done", "failed": "failed"}
        return ", ".join(f"{counts[each]} {word}" for each, word in words.items() if counts[each])

    def _described(self, text: str, since: float) -> str:
        room = max(20, (layout.columns() - 30) // max(1, len(self._now)))
        return f"{fitted(text, room)}  {elapsed(self._seconds() - since)}"


# -- events ----------------------------------------------------------------------------------------


def as_object(event: str, task: str, at: datetime) -> dict[str, str]:
    """What the object of every event has."""
    return {"event": event, "task": task, "at": at.isoformat()}


def event_line(event: str, task: str, data: Mapping[str, Any]) -> str:
    """The line that stays of an event; "" for one that only begins something."""
    if event == "editing":
        text = f"{data.get('executor')} edits"
    elif event == "repairing":
        text = f"repair round {data.get('round')} of {data.get('of')}"
    elif event == "command_ended":
        code = data.get("exit_code")
        ended = "did not end by itself" if code is None else f"exit {code}"
        where = f"{data.get('number')}/{data.get('of')}"
        text = f"{where} {ended}, {data.get('seconds') or 0:.1f} s: {data.get('cmd')}"
    elif event == "ended":
        text = _ended(data)
    elif event == "locked":
        text = "somebody else works on it"
    else:
        return ""
    return one_line(f"{task}  {text}", _MAX_LINE)


def _ended(data: Mapping[str, Any]) -> str:
    more = ". ".join(filter(None, (_detail(data), str(data.get("follows") or ""))))
    reason = str(data.get("reason") or "success")
    return f"{reason}: {more}" if more else reason


def _detail(result: Mapping[str, Any]) -> str:
    """Why it ended so, without the words that its reason says."""
    return str(result.get("detail") or "").removeprefix("failed: ")


def elapsed(seconds: float) -> str:
    """A time that has passed, with its units."""
    whole = max(0, int(seconds))
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


def now_line(event: str, task: str, data: Mapping[str, Any]) -> str | None:
    """What happens now, by an event; None if that has not changed."""
    if event == "idle":
        return "Waiting for tasks"
    if event == "ended":
        return ""
    if event == "started":
        text = "begins"
    elif event == "editing":
        text = f"{data.get('executor')} edits"
    elif event == "edited":
        text = "looks at the change"
    elif event == "command":
        text = f"command {data.get('number')} of {data.get('of')}: {data.get('cmd')}"
    else:
        return None
    return fitted(one_line(f"{fitted(task, _MAX_ID)}  {text}", _MAX_LINE), 60)


def waiting_words(counts: Mapping[str, int]) -> str:
    """How many tasks wait, and for what, by the number in each state."""
    words = [f"{counts['queued']} queued"] if counts.get("queued") else []
    if counts.get("pending"):
        words.append(f"{counts['pending']} for you: edge bridge list")
    return ", ".join(words)


# -- the list and a result -------------------------------------------------------------------------


def state_words(row: TaskRow) -> str:
    attempt = f", attempt {row.attempt}" if row.attempt > 1 else ""
    if row.state == "queued" and row.due:
        return f"waits until {point_in_time(row.due)}{attempt}"
    return f"{STATES[row.state]}{attempt}"


def list_lines(rows: Sequence[tuple[TaskRow, Mapping[str, Any]]]) -> list[str]:
    """A line for each task, within a terminal's usual width: its name, its state, and why."""
    names = [fitted(one_line(row.stem, 200), _MAX_ID) for row, _ in rows]
    width = max(map(columns, names), default=0)
    lines = []
    for name, (row, result) in zip(names, rows, strict=True):
        why = _detail(result) or str(result.get("reason") or "")
        text = state_words(row) + (f": {why}" if why else "")
        padding = " " * (width - columns(name))
        lines.append(fitted(f"{name}{padding}  {one_line(text, _MAX_LINE)}", WIDTH))
    return lines


def show_lines(
    row: TaskRow, result: Mapping[str, Any], task: Mapping[str, Any] = MappingProxyType({})
) -> list[str]:
    """A task's result on one screen, and what can be done next; ``task`` is what is still to be done."""
    lines = labelled("Task", f"{row.stem} {state_words(row)}") + _task_rows(task)
    if result:
        lines += _result_rows(row, result)
    return lines + labelled("Next", _next(row, result))


def _result_rows(row: TaskRow, result: Mapping[str, Any]) -> list[str]:
    reason = str(result.get("reason") or "")
    about = REASONS[reason].about if reason in REASONS else ""
    before = result.get("attempt") or row.attempt
    which = f"of attempt {before}: " if before != row.attempt else ""
    text = f"{reason}: {_detail(result) or about}" if reason else "success"
    lines = labelled("Result", f"{which}{text}")
    lines += labelled("", "" if reason else result.get("detail"))
    for each in result.get("problems") or []:
        lines += labelled("", each)
    lines += _git_rows(result.get("git") or {})
    lines += _executor_rows(result.get("executor") or {})
    lines += labelled("Defaults", _values(result.get("defaults") or {}))
    for each in result.get("commands") or []:
        lines += labelled("Ran", _command(each))
    if result.get("status") == "success" and not result.get("commands"):
        lines += labelled("Ran", "nothing: the change is not verified")
    lines += labelled("Tracker", (result.get("bead") or {}).get("error"))
    for each in (result.get("artifacts") or {}).values():
        lines += labelled("File", f"{HANDOFF_DIR}/{each}")
    return lines


def _task_rows(task: Mapping[str, Any]) -> list[str]:
    """What a task asks for, as its file says it."""
    lines = labelled("Title", task.get("bead_title"))
    lines += labelled("Prompt", one_line(task.get("prompt") or "", _MAX_LINE))
    lines += labelled("Scope", ", ".join(task.get("scope") or []))
    for each in task.get("commands_to_run") or []:
        lines += labelled("To run", each)
    return lines + labelled("Defaults", _values(task.get("defaults") or {}))


def _values(value: Any) -> str:
    """A stored value as a person reads it: "timeout_sec 600, protect tests/**, ci/*"."""
    if isinstance(value, dict):
        return "; ".join(f"{name} {_values(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_values, value)) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _git_rows(git: Mapping[str, Any]) -> list[str]:
    if not git.get("branch"):
        return []
    commit = f", commit {git['result_commit'][:10]}" if git.get("result_commit") else ""
    return labelled("Branch", f"{git['branch']}{commit}") + labelled(
        "Change", git.get("diff_stat_post")
    )


def _executor_rows(executor: Mapping[str, Any]) -> list[str]:
    if not executor.get("name"):
        return []
    text = ", ".join([f"{executor['name']}: {executor.get('outcome')}", *_used(executor)])
    lines = labelled("Executor", text)
    inside = str(executor.get("contained") or "")
    if inside:
        lines += labelled("Contained", inside)
    lines += labelled("Refused", "; ".join(map(str, executor.get("denied") or [])))
    return lines + labelled("Kept", executor.get("kept"))


def _used(executor: Mapping[str, Any]) -> Iterator[str]:
    """Time, and what the executor says it used."""
    if executor.get("seconds") is not None:
        yield f"{executor['seconds']:.1f} s"
    usage = executor.get("usage") or {}
    tokens = (usage.get("input_tokens") or 0) + (usage.get("output_tokens") or 0)
    if tokens:
        yield f"{tokens:,} tokens"
    if usage.get("cost") is not None:
        yield f"${usage['cost']:.2f}" if usage["cost"] >= 0.01 else "less than $0.01"
    if usage.get("model"):
        yield str(usage["model"])


def _command(record: Mapping[str, Any]) -> str:
    code = record.get("exit_code")
    ended = record.get("ended") if code is None else f"exit {code}"
    return f"{ended}, {record.get('seconds') or 0:.1f} s: {record.get('cmd')}"


_SUMMARY = {
    "success": "Succeeded",
    "failed": "Failed",
    "blocked": "Blocked",
    "needs_confirmation": "For you",
}


def summary(
    ended: Mapping[str, str], look: Callable[[str], tuple[TaskRow, Mapping[str, Any]]]
) -> list[str]:
    """How many tasks have ended how, and the command that goes on from there; ``look`` shows one."""
    lines = []
    for status, label in _SUMMARY.items():
        stems = [stem for stem, each in ended.items() if each == status]
        if not stems:
            continue
        command = "edge bridge list" if len(stems) > 1 else _follow_up(*look(stems[0]))
        lines += labelled(label, f"{len(stems)}: {command}")
    return lines


def _follow_up(row: TaskRow, result: Mapping[str, Any]) -> str:
    """The command that goes on from the end of an attempt; a failed or blocked one is looked at first."""
    is_clear = row.state in ("done", "pending")
    return (_next(row, result) if is_clear else "") or f"edge bridge show {row.stem}"


def _next(row: TaskRow, result: Mapping[str, Any]) -> str:
    """The command that goes on from here."""
    branch = (result.get("git") or {}).get("branch")
    if row.state == "done":
        is_committed = branch and (result.get("git") or {}).get("result_commit")
        return f"git merge {branch}" if is_committed else ""
    if row.state == "pending":
        return f"edge bridge approve {row.stem}, or edge bridge reject {row.stem}"
    if row.state == "failed":
        return f"edge bridge logs {row.stem}, then edge bridge retry {row.stem}"
    if row.due:
        return f"edge bridge retry {row.stem}, to try it before that"
    return "edge bridge watch" if row.state == "queued" else ""


# end of module
