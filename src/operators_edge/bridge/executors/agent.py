"""Running an agent's program for one edit: its output into the log, what it says of itself, how it ended.

Owns what counts as done, the limits that end a program early, and the words for its endings. Does not own the
programs (``opencode``, ``claude``, ``command``) or what their output means (``*_events``).
"""

from __future__ import annotations

import os
import shutil
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.bridge import supervised
from operators_edge.bridge.executors.port import Edited, Problem
from operators_edge.bridge.executors.transcript import Lines, cut, without_colours
from operators_edge.containment import service
from operators_edge.storage import files
from operators_edge.system.user_dirs import project_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from operators_edge.bridge.executor_settings import ExecutorSettings
    from operators_edge.bridge.executors.contained import Box, Containment
    from operators_edge.bridge.executors.port import Request
    from operators_edge.bridge.executors.transcript import Transcript
    from operators_edge.bridge.verify import Place

_LAST_WORDS = 400


_UNUSUAL = {"not_started": "it did not start", "supervisor_died": "it could not be watched"}


class Program(NamedTuple):
    """What is run: its words, what its environment has besides the task's, and its input.

    ``dropped`` says which of the task's variables it does not get.
    """

    words: Sequence[str]
    variables: Mapping[str, str] = {}
    given: str = ""
    dropped: Callable[[str], bool] = lambda _: False

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        return {name: each for name, each in env.items() if not self.dropped(name)} | dict(
            self.variables
        )


class Finding(NamedTuple):
    """Where a program is, or why it cannot be used."""

    path: str
    problem: Problem | None = None


class Surroundings(NamedTuple):
    """What the executors of a project have in common."""

    root: str
    env: Mapping[str, str]
    containment: Containment

    def built_in(self, name: str, settings: ExecutorSettings, package: str) -> Finding:
        """The program of an executor that we know; ``package`` is the one of npm that has it."""
        key = f"executors.{name}.program"
        return self.find(settings.program or name, key=key, package=package)

    def find(self, name: str, *, key: str, package: str = "") -> Finding:
        """A program by its absolute path, or by its name on PATH: never one that the project itself brings.

        Else a repository would choose what runs, as with ``node_modules/.bin`` on PATH. ``key`` is the
        setting that names it.
        """
        if os.sep in name and not os.path.isabs(name):
            why = f"{key} is {name!r}: it must be a name on PATH or an absolute path"
            return Finding("", Problem("not_configured", why))
        path = shutil.which(name, path=self.env.get("PATH", os.defpath))
        if path is None:
            hint = f": npm install -g {package}" if package else ""
            why = f"`{name}` is not on PATH{hint}"
            return Finding("", Problem("not_installed", why))
        inside = os.path.join(os.path.realpath(self.root), "")
        if not os.path.isabs(name) and any(
            each.startswith(inside) for each in (os.path.realpath(path), os.path.abspath(path))
        ):
            why = f"the {name} on PATH is in this repository ({path}); name another with {key}"
            return Finding("", Problem("not_configured", why))
        return Finding(os.path.abspath(path))


def home_of(request: Request, name: str) -> str:
    """A new, empty folder for what the program keeps of itself: nothing of an earlier task is in it."""
    return new_home(request.place, f"{request.task['id']}.{name}")


def new_home(place: Place, name: str) -> str:
    """A new, empty folder of this name, outside the project."""
    caches = os.path.dirname(service.cache_of(place.root, place.env))
    folder = os.path.join(caches, "executors", project_id(place.root), name)
    remove_home(folder)
    files.ensure_private_dir(folder)
    return folder


def remove_home(folder: str) -> None:
    """What cannot be removed now is removed before the next attempt."""
    files.remove_tree(folder)


def run(
    program: Program, request: Request, transcript: Transcript, box: Box | None = None
) -> Edited:
    """Run it to its end, or until a limit ends it; nothing that it started is left.

    ``box`` keeps it inside; without one it is no agent, but a program of ours.
    """

    def work(output: Output) -> supervised.Ended:
        return supervised.run(
            box.wrapped(program.words) if box else program.words,
            cwd=request.place.root,
            env=program.environment(request.place.env),
            seconds=request.limits.seconds,
            output=output.feed,
            errors=output.feed_error,
            given=program.given,
            stall_seconds=request.limits.stall,
            stop=output,
        )

    return follow(work, request, transcript, box)


def follow(
    work: Callable[[Output], supervised.Ended],
    request: Request,
    transcript: Transcript,
    box: Box | None,
) -> Edited:
    """Have something work, and say how it ended: it gives what it prints to the output."""
    output, asked = Output(request, transcript), _hosts_refused(box)
    ended = work(output)
    output.end()
    edited = output.edited(ended)
    if box is None:
        return edited
    hosts = [each for each in _hosts_refused(box) if each not in asked]
    return edited._replace(contained=box.how, **_refused(hosts, edited))


def _hosts_refused(box: Box | None) -> tuple[str, ...]:
    return tuple(box.door.refused) if box and box.door else ()


def _refused(hosts: Sequence[str], edited: Edited) -> dict[str, Any]:
    """Hosts that it asked for in vain: without them it may have failed."""
    if not hosts:
        return {}
    denied = (*edited.denied, *(f"connect {each}" for each in hosts))
    if edited.outcome in ("done", "cost_exceeded", "interrupted"):
        return {"denied": denied}
    detail = f"{edited.detail}; not on its list of hosts: {', '.join(hosts[:5])}"
    return {"denied": denied, "detail": detail}


class Output:
    """Takes what a program prints; ``is_set`` says that it has to end now."""

    def __init__(self, request: Request, transcript: Transcript) -> None:
        self._request = request
        self._transcript = transcript
        self._lines, self._errors = Lines(), Lines()
        self._lock = threading.Lock()  # the log's stream takes one piece at a time
        self._last = ""

    def is_set(self) -> bool:
        report = self._transcript.report
        return self._request.place.stop.is_set() or report.is_hopeless or self._is_too_dear()

    def feed(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._line(line)

    def feed_error(self, data: bytes) -> None:
        for line in self._errors.feed(data):
            self._error(line)

    def end(self) -> None:
        for line in self._lines.end():
            self._line(line)
        for line in self._errors.end():
            self._error(line)

    def _line(self, line: str) -> None:
        self._write(self._transcript.read(f"{line}\n"))

    def _error(self, line: str) -> None:
        text = without_colours(line)
        self._last = text if text.strip() else self._last
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        if text:
            with self._lock:
                self._request.output(self._short(text).encode("utf-8", "backslashreplace"))

    def _short(self, text: str) -> str:
        """Paths of the project without where that lies."""
        return text.replace(os.path.join(self._request.place.root, ""), "")

    def _is_too_dear(self) -> bool:
        most, cost = self._request.most, self._transcript.report.usage.cost
        return bool(most) and cost is not None and cost > most

    def edited(self, ended: supervised.Ended) -> Edited:
        report = self._transcript.report
        code = ended.code if ended.why == "ended" else None
        known = Edited(
            "done",
            "",
            code,
            ended.seconds,
            tuple(map(self._short, report.denied)),
            report.usage,
            report.due,
        )
        if self._is_too_dear():
            most, cost = self._request.task["max_cost"], (report.usage.cost or 0)
            detail = (
                f"it cost {cost + self._request.spent:.2f} dollars, and the task allows {most:g}"
            )
            return known._replace(outcome="cost_exceeded", detail=detail)
        if report.outcome != "done":
            return known._replace(outcome=report.outcome, detail=report.detail)
        if ended.why == "ended":
            return self._by_itself(known, ended)
        if ended.why == "timed_out":
            limit = f"{self._request.limits.seconds:g} s"
            last = cut(self._last, _LAST_WORDS)
            detail = f"it was not done after {limit} (timeout_sec), and was ended"
            detail += f"; its last words: {last}" if last else ""
            return known._replace(outcome="timed_out", detail=detail)
        if ended.why in supervised.CUT_OFF:
            return known._replace(outcome="interrupted", detail="the watcher was stopped")
        return known._replace(
            outcome="crashed", detail=f"{_UNUSUAL.get(ended.why, ended.why)}: {ended.detail}"
        )

    def _by_itself(self, known: Edited, ended: supervised.Ended) -> Edited:
        if ended.is_success and self._transcript.report.is_finished is not False:
            return known
        code = ended.code or 0
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        words = cut(self._last, _LAST_WORDS)
        detail = f"it ended with {how}" + (f": {words}" if words else "")
        if ended.is_success:
            detail = "it ended without saying that it was done"
        return known._replace(outcome="crashed", detail=detail)


# end of module
