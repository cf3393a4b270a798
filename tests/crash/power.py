"""A power loss at every step of an operation: nothing acknowledged is lost or torn, no false alarm."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.crash import disk
from tests.crash.everywhere import Report, judged
from tests.crash.operations import ready

if TYPE_CHECKING:
    from tests.crash.operations import Operation
    from tests.crash.world import World


def losses(world: World, operation: Operation, *, most: int = 0, seed: int = 1) -> Report:
    """Lose the power at each step, with each disk that this can leave; ``most``: so many, drawn at random."""
    ready(world, operation)
    before = world.picture()
    begun = disk.read(world.live)
    steps = disk.recorded(lambda: operation.act(world.project(100)), world.live)
    after = world.picture()
    cases = list(disk.images(begun, steps))
    if most and len(cases) > most:
        cases = random.Random(seed).sample(cases, most)  # noqa: S311 - a load, no secret
    found: dict[str, int] = {"before": 0, "after": 0, "recovered": 0}
    wrong: list[str] = []
    for count, lost, image in cases:
        world.load("before")
        disk.write(world.live, begun, image)
        found["recovered"] += world.has_record()
        was = found["before"]
        where = f"{operation.name}, power lost after step {count} {steps[count - 1]}, {lost}"
        wrong += [f"{where}: {each}" for each in judged(world, before, after, found, is_fault=True)]
        if count == len(steps) and found["before"] > was and operation.is_synced:
            wrong.append(f"{where}: it was acknowledged, and did not happen")
    return Report(
        f"power: {operation.name}",
        len(steps),
        len(cases),
        found["before"],
        found["after"],
        found["recovered"],
        wrong,
    )
