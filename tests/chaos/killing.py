"""Watchers killed at their steps, killed at random moments, and paused until another takes over."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from typing import TYPE_CHECKING, NamedTuple

from tests.bridge.test_audit import git
from tests.chaos.stage import Stage
from tests.crash import killing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST_LIFE = 1.2
"""Seconds: a task of the stage takes about half of that."""

SHORT_LEASE = 2
MAX_KILLS = 60


class Report(NamedTuple):
    """How often watchers were killed or paused, how many attempts they cost, and what was wrong."""

    name: str
    kills: int
    attempts: int
    wrong: list[str]


def clean(folder: str) -> Stage:
    """Tasks that pass and one that fails, in a clean tree."""
    stage = Stage(folder)
    stage.submit("t-1", passes=True)
    stage.submit("t-2", passes=False)
    stage.submit("t-3", passes=True, depends_on=["t-1"], base="task:t-1")
    stage.begin()
    return stage


def dirty(folder: str) -> Stage:
    """Tasks that fail, in a tree with work of the person that is committed nowhere."""
    stage = Stage(folder)
    for name in ("readme.txt", "new.txt", "staged.txt"):
        with open(os.path.join(stage.root, name), "w", encoding="utf-8") as file:
            file.write("the person's\n")
    git(stage.root, "add", "staged.txt")
    stage.submit("t-1", passes=False, allow_dirty=True)
    stage.submit("t-2", passes=False, allow_dirty=True)
    stage.begin()
    return stage


def beside(folder: str) -> Stage:
    """Tasks side by side, each in a working tree of its own, while the person's tree is dirty."""
    stage = Stage(folder, parallel=2)
    with open(os.path.join(stage.root, "new.txt"), "w", encoding="utf-8") as file:
        file.write("the person's\n")
    stage.submit("t-1", passes=True)
    stage.submit("t-2", passes=False)
    stage.submit("t-3", passes=True)
    stage.submit("t-4", passes=True, depends_on=["t-1"], base="task:t-1")
    stage.begin()
    return stage


def apart(folder: str) -> Stage:
    """One task that passes, in a working tree of its own."""
    stage = Stage(folder, isolation="worktree")
    stage.submit("t-1", passes=True)
    stage.begin()
    return stage


def one(folder: str) -> Stage:
    """One task that passes."""
    stage = Stage(folder)
    stage.submit("t-1", passes=True)
    stage.begin()
    return stage


def at_steps(base: str, *, every: int) -> Report:
    """Kill a watcher before each ``every``-th of its durable steps; the next one ends the work."""
    kills, wrong, attempts = 0, [], 0
    for make in (one, dirty, apart):
        stage = make(os.path.join(base, "count"))
        steps = killing.steps_of(stage.watch)
        shutil.rmtree(stage.folder)
        for number in range(1, len(steps) + 1, every):
            stage = make(os.path.join(base, "step"))
            try:
                killing.killed_at(stage.watch, number)
            except killing.Died as error:
                if "survived" not in str(error):
                    wrong.append(f"{make.__name__}, step {number}: {error}")
            else:
                kills += 1
            finish(stage)
            wrong += [
                f"{make.__name__}, step {number} {steps[number - 1]}: {each}"
                for each in stage.wrong()
            ]
            attempts += len(stage.reports_of_agents()) // 2
            shutil.rmtree(stage.folder)
    return Report("at their steps", kills, attempts, wrong)


def at_random(base: str, *, kills: int, seed: int) -> Report:
    """Kill one watcher after another at random moments; look at everything when a queue is empty."""
    chance = random.Random(seed)  # noqa: S311 - a load, no secret
    done, number, attempts = 0, 0, 0
    wrong: list[str] = []
    while done < kills:
        number += 1
        stage = chance.choice((clean, dirty, beside))(os.path.join(base, f"random-{number}"))
        here = 0  # of one stage, so that its tasks have attempts left on a busy machine
        while min(kills - done, MAX_KILLS - here) and not _ends_within(
            stage, chance.uniform(0.01, LONGEST_LIFE)
        ):
            done, here = done + 1, here + 1
        finish(stage)
        wrong += [f"seed {seed}, stage {number}: {each}" for each in stage.wrong()]
        attempts += len(stage.reports_of_agents()) // 2
        shutil.rmtree(stage.folder)
    return Report("at random moments", done, attempts, wrong)


def paused(base: str, *, times: int, seed: int) -> Report:
    """Pause a watcher until another has taken over; some go on then, the others are ended by that one."""
    chance = random.Random(seed)  # noqa: S311 - see above
    wrong: list[str] = []
    attempts = 0
    for number in range(times):
        stage = Stage(
            os.path.join(base, f"paused-{number}"),
            worker_lock_ttl_sec=SHORT_LEASE,
            parallel=chance.choice((1, 2)),
        )
        for ident in ("t-1", "t-2"):
            stage.submit(ident, passes=True)
        stage.begin()
        first = _start(stage.watch)
        if _wait(first, chance.uniform(0.05, LONGEST_LIFE)):
            first = _start(stage.watch)  # it was done: the next one finds an empty queue
        os.kill(first, signal.SIGSTOP)
        second = _start(stage.watch)
        has_ended = False
        if number % 2:
            has_ended = _wait(second, SHORT_LEASE + chance.uniform(0.0, 2.0))
            os.kill(first, signal.SIGCONT)
        if not has_ended:
            os.waitpid(second, 0)
        os.kill(first, signal.SIGCONT)
        os.waitpid(first, 0)
        wrong += [f"pause {number}, seed {seed}: {each}" for each in stage.wrong()]
        attempts += len(stage.reports_of_agents()) // 2
        shutil.rmtree(stage.folder)
    return Report("paused", times, attempts, wrong)


def finish(stage: Stage) -> None:
    """Let the next watcher end the work, as a process of its own."""
    os.waitpid(_start(stage.watch), 0)


def _ends_within(stage: Stage, seconds: float) -> bool:
    """Start a watcher and kill it after so many seconds, unless it has ended."""
    pid = _start(stage.watch)
    if _wait(pid, seconds):
        return True
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


def _wait(pid: int, seconds: float) -> bool:
    """Whether the process ends within so many seconds; then it is reaped."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.005)
    return False


def _start(act: Callable[[], object]) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        act()
    except BaseException:  # noqa: BLE001 - its last word
        import traceback  # noqa: PLC0415 - in the child

        traceback.print_exc()
    finally:
        os._exit(0)


def reports(base: str, *, every: int, kills: int, pauses: int, seed: int) -> Iterator[Report]:
    yield at_steps(base, every=every)
    yield at_random(base, kills=kills, seed=seed)
    yield paused(base, times=pauses, seed=seed)
