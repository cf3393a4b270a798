"""SIGKILL at random moments over writers that work side by side; nothing acknowledged is lost or doubled."""

from __future__ import annotations

import collections
import os
import random
import select
import signal
import time
import traceback
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.project import Project
from operators_edge.state import schema
from operators_edge.storage import archive
from tests.crash.everywhere import next_works

if TYPE_CHECKING:
    from tests.crash.world import World

WRITERS = 8
KINDS = ("note", "grant", "archive", "use", "log")
LONGEST_LIFE = 0.06
"""Seconds that a writer lives at most once it has begun, so that most die at work."""


class Measured(NamedTuple):
    kills: int
    acknowledged: int
    unacknowledged: int
    of_which_happened: int
    recoveries: int
    seconds: float
    violations: list[str]


# -- a writer --------------------------------------------------------------------------------------


def _operate(project: Project, kind: str, word: str) -> None:
    """One operation that leaves ``word`` in every file it is about."""

    def change(tx: Any) -> None:
        if kind == "log":
            tx.log("storm", {"word": word})
            return
        tx.state.setdefault("progress", {}).setdefault(kind, []).append(word)
        tx.log("storm", {"word": word})
        if kind == "archive":
            tx.archive({"type": "completed_step", "description": word})
        elif kind == "grant":
            tx.grant({"id": word, "kind": "allowance"})
        elif kind == "use":
            tx.grant({"id": word, "kind": "allowance"})
            tx.refuse("storm", word)
        del tx.state["progress"][kind][:-50]

    project.transact(change, command=f"storm {kind}")
    if kind == "use":

        def use(tx: Any) -> None:
            tx.consume(word)
            tx.log("storm_used", {"word": word})

        project.transact(use, command="storm use")


def _write_on(root: str, name: str, seed: int, told: int) -> None:
    """Operate until the end comes; say each word before it is begun and when it is done."""
    chance = random.Random(seed)  # noqa: S311 - a load, no secret
    project = Project(root, is_set_up=True)
    number = 0
    while True:
        word = f"{name}-{number}"
        kind = chance.choice(KINDS)
        os.write(told, f"begin {kind} {word}\n".encode())
        _operate(project, kind, word)
        os.write(told, f"done {kind} {word}\n".encode())
        number += 1


class _Writer:
    def __init__(self, root: str, name: str, seed: int, lives: float) -> None:
        self.stream, theirs = os.pipe()
        self.text = b""
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.stream)
            try:
                _write_on(root, name, seed, theirs)
            except BaseException:  # noqa: BLE001 - the victim's last word
                os.write(theirs, f"failed {traceback.format_exc()!r}\n".encode())
            os._exit(3)
        os.close(theirs)
        self.dies_at = time.monotonic() + lives

    def read(self) -> None:
        self.text += os.read(self.stream, 1 << 16)

    def kill(self) -> list[list[str]]:
        """End it; returns what it said."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        while data := os.read(self.stream, 1 << 16):
            self.text += data
        os.close(self.stream)
        return [line.split(" ", 2) for line in self.text.decode().splitlines()]


# -- the storm -------------------------------------------------------------------------------------


def storm(world: World, *, kills: int, seed: int, writers: int = WRITERS) -> Measured:
    """Keep ``writers`` at work, kill them at random moments, and look at everything in the end."""
    chance = random.Random(seed)  # noqa: S311 - see above
    world.begin()
    begun: dict[str, str] = {}
    done: dict[str, str] = {}
    wrong: list[str] = []
    start = time.monotonic()
    alive: list[_Writer] = []
    for number in range(kills + writers):
        if len(alive) == writers or number >= kills:
            _end_first(alive, begun, done, wrong)
        if number < kills:
            lives = chance.uniform(0.002, LONGEST_LIFE) * writers
            alive.append(_Writer(world.root, f"w{number}", chance.randrange(1 << 30), lives))
    while alive:
        _end_first(alive, begun, done, wrong)
    seconds = time.monotonic() - start
    wrong += _judged(world, begun, done)
    happened = _words(world)
    return Measured(
        kills=kills,
        acknowledged=len(done),
        unacknowledged=len(begun) - len(done),
        of_which_happened=sum(happened[each] > 0 for each in begun if each not in done),
        recoveries=_recoveries(world),
        seconds=seconds,
        violations=wrong,
    )


def _end_first(
    alive: list[_Writer], begun: dict[str, str], done: dict[str, str], wrong: list[str]
) -> None:
    """Read what the writers say until the time of one has come; then kill that one."""
    first = min(alive, key=lambda each: each.dies_at)
    while (left := first.dies_at - time.monotonic()) > 0:
        ready, _, _ = select.select([each.stream for each in alive], [], [], left)
        for each in alive:
            if each.stream in ready:
                each.read()
                if b"failed" in each.text:
                    first, left = each, 0
        if left == 0:
            break
    alive.remove(first)
    for what, kind, rest in first.kill():
        if what == "begin":
            begun[rest] = kind
        elif what == "done":
            done[rest] = kind
        else:
            wrong.append(f"a writer failed: {kind} {rest}")


def _words(world: World) -> collections.Counter[str]:
    entries = (entry for entry, _ in world.project().log.entries())
    return collections.Counter(e["data"]["word"] for e in entries if e["event"] == "storm")


def _recoveries(world: World) -> int:
    entries = (entry for entry, _ in world.project().log.entries())
    return sum(e["event"] == "transaction_recovery" for e in entries)


def _judged(world: World, begun: dict[str, str], done: dict[str, str]) -> list[str]:
    """Every file against what was acknowledged, and against one another."""
    project = Project(world.root, is_set_up=True)
    project.state.read()
    project.log.recover()
    logged = _words(world)
    wrong = [
        f"{word} was acknowledged and is in the log {logged[word]} times"
        for word in done
        if logged[word] != 1
    ]
    wrong += [f"{word} is in the log {n} times" for word, n in logged.items() if n > 1]
    wrong += [f"{word} is in the log and was never begun" for word in logged if word not in begun]
    content = archive.read(world.root)
    wrong += list(content.problems)
    archived = collections.Counter(each["description"] for each in content.entries)
    book = world.registry()
    granted = {**book.get("grants", {}), **book.get("spent", {})}
    refused = book.get("sessions", {}).get("storm", {}).get("refused", [])
    for word, kind in begun.items():
        is_in = logged[word] == 1
        wrong += _apart(word, "the archive", archived[word], is_in and kind == "archive")
        wrong += _apart(word, "the registry", word in granted, is_in and kind in ("grant", "use"))
        wrong += _apart(word, "what is refused", refused.count(word), is_in and kind == "use")
    used = collections.Counter(
        e["data"]["word"] for e, _ in project.log.entries() if e["event"] == "storm_used"
    )
    for word, kind in begun.items():
        if kind == "use":
            is_spent = book.get("spent", {}).get(word, {}).get("how") == "consumed"
            wrong += _apart(word, "what was used", is_spent, used[word])
            if word in done and used[word] != 1:
                wrong.append(f"{word} was acknowledged as used {used[word]} times")
    state = project.state.read()
    wrong += [f"state: {each}" for each in schema.violations(state)]
    wrong += _violations(
        state, [e for e, _ in project.log.entries() if e["event"] == "storm"], begun
    )
    wrong += list(next_works(world))
    return wrong


def _apart(word: str, where: str, there: float, wanted: float) -> list[str]:
    return (
        [f"{word} is in {where} {int(there)} times, not {int(wanted)}"] if there != wanted else []
    )


def _violations(state: Any, entries: list[Any], begun: dict[str, str]) -> list[str]:
    """The state holds the last 50 words of each kind, in the order in which the log has them."""
    wrong = []
    for kind in KINDS:
        if kind == "log":
            continue
        words = [e["data"]["word"] for e in entries if begun[e["data"]["word"]] == kind]
        if words[-50:] != state.get("progress", {}).get(kind, []):
            wrong.append(f"state and log do not tell the same of {kind}")
    return wrong
