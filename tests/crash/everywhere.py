"""SIGKILL at every durable step of an operation; after each, all of it happened or nothing of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.plan import edits as plan_edits, service as plan_service
from operators_edge.state import notices_store, transaction
from operators_edge.storage.verify import verify
from tests.crash import killing
from tests.crash.operations import ready

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crash.operations import Operation
    from tests.crash.world import World

THEIRS = 1000
"""The first id of those who come after the victim."""


class Report(NamedTuple):
    """How often a victim was killed, what it left, and every violation."""

    name: str
    steps: int
    kills: int
    before: int
    after: int
    recovered: int
    violations: list[str]


def everywhere(world: World, operation: Operation) -> Report:
    """Kill the operation at each of its steps, and at each write half-way."""
    before, after, steps = _outcomes(world, operation)
    found: dict[str, int] = {"before": 0, "after": 0, "recovered": 0}
    wrong: list[str] = []
    kills = 0
    for number, how in _kills(steps):
        world.load("before")
        killing.killed_at(lambda: operation.act(world.project(100)), number, how)
        kills += 1
        found["recovered"] += world.has_record()
        where = f"{operation.name}, step {number} {steps[number - 1]} {how}"
        wrong += [f"{where}: {each}" for each in judged(world, before, after, found)]
    return Report(
        operation.name,
        len(steps),
        kills,
        found["before"],
        found["after"],
        found["recovered"],
        wrong,
    )


def recovery_everywhere(world: World, operation: Operation, *, every: int = 4) -> Report:
    """Kill the operation at steps that leave a record; then what finishes it, at each of its steps.

    ``every``: of the operation's own steps each so-many-th is taken, as most leave the same behind.
    """
    before, after, steps = _outcomes(world, operation)
    found: dict[str, int] = {"before": 0, "after": 0, "recovered": 0}
    wrong: list[str] = []
    total = kills = 0

    def finish() -> None:
        world.project(500).state.read()

    for first, how in list(_kills(steps))[::every]:
        world.load("before")
        killing.killed_at(lambda: operation.act(world.project(100)), first, how)
        if not world.has_record():
            continue
        world.keep("crashed")
        second = killing.steps_of(finish)
        total += len(second)
        for number, again in _kills(second):
            world.load("crashed")
            killing.killed_at(finish, number, again)
            kills += 1
            found["recovered"] += world.has_record()
            where = f"{operation.name}, step {first}, recovery step {number}"
            wrong += [f"{where}: {each}" for each in judged(world, before, after, found)]
    name = f"recovery of: {operation.name}"
    return Report(name, total, kills, found["before"], found["after"], found["recovered"], wrong)


def _outcomes(world: World, operation: Operation) -> tuple[Any, Any, list[str]]:
    ready(world, operation)
    before = world.picture()
    steps = killing.steps_of(lambda: operation.act(world.project(100)))
    after = world.picture()
    return before, after, steps


def _kills(steps: list[str]) -> Iterator[tuple[int, str]]:
    for number, name in enumerate(steps, 1):
        yield number, ""
        if name == "write":
            yield number, killing.HALF


def judged(
    world: World, before: Any, after: Any, found: dict[str, int], *, is_fault: bool = False
) -> Iterator[str]:
    """What is wrong with what a killed process left, once the next one has come by.

    ``is_fault``: the disk failed or lost something, so the log may end otherwise than recorded.
    """
    had_record = world.has_record()
    project = world.project(THEIRS)
    try:
        project.state.read()
    except Exception as error:  # noqa: BLE001 - a file that was damaged before may be so after
        if before["files"].get("active_context.yaml") != world.state_text():
            yield f"the state cannot be read: {error}"
    project.log.recover()
    picture = world.picture()
    if picture == before:
        found["before"] += 1
    elif picture == after:
        found["after"] += 1
    else:
        yield f"neither before nor after: {_difference(picture, before, after)}"
    if had_record and picture == before:
        yield "it was written down, and did not happen"
    told = [e for e, _ in project.log.entries() if e["event"] == "transaction_recovery"]
    if had_record and len(told) != 1:
        yield f"the recovery was logged {len(told)} times"
    if len(notices_store.take(world.root)) != len(told):
        yield "the recovery was not told once"
    yield from next_works(world, is_fault=is_fault)


def next_works(world: World, *, is_fault: bool = False) -> Iterator[str]:
    project = world.project(THEIRS * 2)
    is_damaged = b"not yaml" in world.state_text()
    if is_damaged:  # as it was before the victim came
        transaction.restore(project, project.state.history()[0].id, by="a person")
    plan_service.write(
        project, lambda state: plan_edits.set_next(state, "go on"), command="next", session="s"
    )
    project.transact(lambda tx: tx.refuse("s", "x"), command="refuse")
    if project.state.read().get("next_action") != "go on":
        yield "the next command did nothing"
    report = verify(project.log)
    if not report.ok and not (is_fault and report.is_unanchored):
        yield f"the log's chain is broken: {report.first_broken} {report.problems}"
    if world.has_record():
        yield "a record is still there"
    if is_fault:
        project.tidy()  # as the next session does: no lock tells of a crash of the machine
    if world.leftovers():
        yield f"left behind: {[os.path.basename(each) for each in world.leftovers()]}"


def _difference(picture: Any, before: Any, after: Any) -> str:
    parts = []
    for key in picture:
        if picture[key] not in (before[key], after[key]):
            parts.append(
                f"{key} is neither: {picture[key]}\nBEFORE {before[key]}\nAFTER {after[key]}"
            )
        elif before[key] != after[key]:
            parts.append(f"{key} as {'before' if picture[key] == before[key] else 'after'}")
    return "; ".join(parts)
