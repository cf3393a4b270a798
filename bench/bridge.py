"""What the Bridge costs: a task beside the commands that it runs, and a queue with many tasks.

python -m bench.bridge
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import repository

from bench.rows import Row, alone
from operators_edge.bridge import layout
from operators_edge.bridge.database_store import Database
from operators_edge.bridge.permissions import Answer, Permission, Ran
from operators_edge.bridge.queue import TaskRow
from operators_edge.bridge.queue_store import LocalQueue
from operators_edge.bridge.service import Bridge
from operators_edge.git import commands
from operators_edge.project import wall_clock
from operators_edge.sessions import tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

TASKS = 7
MANY = 100_000
_SECONDS = 2.0
"""How long the executor works and the tests run: little, beside a real agent and a real suite."""


def measure(top: str) -> Iterator[Row]:
    env = {**os.environ, "XDG_STATE_HOME": os.path.join(top, "bridge-state")}
    env["XDG_CONFIG_HOME"] = os.path.join(top, "bridge-config")
    yield from _overhead(top, env)
    yield from _many(top, env)


# -- one task --------------------------------------------------------------------------------------


class _Open:
    """A gate that lets everything run: its judgement is measured by itself (PE-4)."""

    def look(self, _: object) -> Permission:
        return Permission("run")

    take = look

    def ran(self, *_: object, **__: object) -> Ran:
        return Ran()

    def finished(self, *_: object) -> str:
        return ""

    def answer(self, *_: object) -> Answer:
        return Answer("open")


def _overhead(top: str, env: dict[str, str]) -> Iterator[Row]:
    """A task's whole time over that of its commands, and what is left between them."""
    root = repository.make(os.path.join(top, "bridge-one"))
    work = f"import time; time.sleep({_SECONDS}); open('new.txt', 'w').write('x')"
    words = [sys.executable, "-c", work]
    verify = f"sleep {_SECONDS}"
    settings = Path(env["XDG_CONFIG_HOME"], "operators-edge", "bridge.config.json")
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"contain": "off", "executors": {"agent": {"command": words}}}))
    bridge = Bridge(root, env=env)
    bridge.queue.prepare()
    for number in range(TASKS):
        task = {"id": f"t-{number}", "prompt": "x", "executor": "agent"}
        bridge.queue.submit({**task, "commands_to_run": [verify]})
    marks: dict[str, list[float]] = {"started": [], "ended": []}

    def tell(event: str, _: str, __: Mapping[str, Any]) -> None:
        marks.setdefault(event, []).append(time.perf_counter())

    with _timed_git() as spent:
        ran = bridge.watcher(tell, _Open()).run(is_drain=True)
    if ran.reasons != (None,) * TASKS:
        raise RuntimeError(f"not all tasks succeeded: {ran.reasons}")
    pairs = zip(marks["started"], marks["ended"], strict=True)
    whole = statistics.median(ended - started for started, ended in pairs)
    git = sum(spent) / TASKS
    bare = git + _bare(words, root) + _bare(["sh", "-c", verify], root)
    what = f"task; executor and test take {_SECONDS:g} s each"
    yield Row("PE-6", what, whole / bare, "x commands", 1.3)
    note = f"git itself: {git * 1e3:.0f} ms, {len(spent) / TASKS:.0f} commands"
    yield Row("-", "  between its commands", (whole - bare) * 1e3, "ms", note=note)


def _bare(words: list[str], root: str) -> float:
    started = time.perf_counter()
    subprocess.run(words, cwd=root, check=True)
    return time.perf_counter() - started


@contextmanager
def _timed_git() -> Iterator[list[float]]:
    """How long each git command took that this process runs."""
    spent: list[float] = []
    begun: dict[int, float] = {}
    start, finish = commands.start, commands.finish

    def timed_start(*words: Any, **options: Any) -> Any:
        now = time.perf_counter()
        process = start(*words, **options)
        begun[process.pid] = now
        return process

    def timed_finish(process: Any, *args: Any, **options: Any) -> Any:
        answer = finish(process, *args, **options)
        spent.append(time.perf_counter() - begun.pop(process.pid))
        return answer

    commands.start, commands.finish = timed_start, timed_finish
    try:
        yield spent
    finally:
        commands.start, commands.finish = start, finish


# -- many tasks ------------------------------------------------------------------------------------


def _many(top: str, env: dict[str, str], count: int = MANY) -> Iterator[Row]:
    """A queue with so many tasks that wait, and as many that are over."""
    root = repository.make(os.path.join(top, "bridge-many"))
    _fill(root, env, count)

    def queue() -> LocalQueue:
        return LocalQueue(root, clock=wall_clock, database=Database(root, env=env))

    def start() -> None:
        fresh = queue()
        fresh.prepare()
        fresh.become_worker()
        fresh.abandoned()
        next(fresh.candidates())

    bar = f"{count:,} tasks"
    yield Row("PE-7", f"start, {count:,} results, {bar} queued", _median(start, 5), "s", 1.0)
    worker = queue()
    worker.become_worker()

    def pick() -> None:
        worker.release(worker.claim(next(worker.candidates())))

    yield Row("PE-7", f"next of {bar}, with claim and release", _median(pick, 25) * 1e3, "ms", 50.0)
    worst = max(_spent(lambda: next(worker.candidates())) for _ in range(100))
    yield Row("-", "  the longest of 100 looks for it", worst * 1e3, "ms")
    os.environ["XDG_STATE_HOME"] = env["XDG_STATE_HOME"]  # as in the process of a hook
    asked = _median(lambda: tasks.gather(root), 9) * 1e3
    yield Row("-", "  what status and a session's start ask", asked, "ms")
    shutil.rmtree(root)


def _median(act: Callable[[], object], rounds: int) -> float:
    return statistics.median(_spent(act) for _ in range(rounds))


def _spent(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _fill(root: str, env: dict[str, str], count: int) -> None:
    """As ``submit`` and ``finish`` leave it; a result's two names are one file here."""
    database = Database(root, env=env)
    LocalQueue(root, clock=wall_clock, database=database).prepare()
    at = wall_clock().isoformat()
    with database.change("bench") as change:
        for number in range(1, count + 1):
            done = TaskRow.new(
                number, f"d-{number}", origin="submitted", at=at, text=_text(f"d-{number}")
            )
            change.put(done._replace(state="done"))
            result = json.dumps({"id": done.stem, "status": "success", "detail": "x" * 900})
            change.add_result(done.stem, 1, result, status="success", reason=None, at=at)
            path = Path(root, layout.result_file(done.stem))
            path.write_text(result)
            os.link(path, Path(root, layout.attempt_result(done.stem, 1)))
        for number in range(count + 1, 2 * count + 1):
            text = _text(f"t-{number}")
            row = TaskRow.new(number, f"t-{number}", origin="submitted", at=at, text=text)
            change.put(row)
            Path(root, layout.task_file("tasks", row.stem)).write_text(text)


def _text(ident: str) -> str:
    return json.dumps({"id": ident, "prompt": "Do it. " * 20, "commands_to_run": ["make test"]})


if __name__ == "__main__":
    sys.exit(alone(measure))
