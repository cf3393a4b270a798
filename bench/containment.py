"""What containment adds to a shell command: in the real client, and bubblewrap by itself.

    python -m bench.containment

The same scripted session is run by turns with and without the settings that `edge init --contain` writes.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.e2e import client as clients
from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import bash
from tests.hosting import git

from bench.client import TimedModel
from bench.rows import Row, alone
from operators_edge.containment import service
from operators_edge.hosts.claude import sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.containment.policy import Policy

ROUNDS = 3
CALLS = 20
ALONE = 40
IN_CLIENT = "contained: added to a shell command"
BY_ITSELF = "contained: bubblewrap alone / a bare command"


def measure(top: str, rounds: int = ROUNDS) -> Iterator[Row]:
    """The rows; each says why where its means are missing."""
    project = Path(top, "contained", "project")
    project.mkdir(parents=True)
    git(str(project), "init", "-q", "-b", "main")
    policy = service.policy(str(project))
    os.makedirs(policy.relay, exist_ok=True)
    yield _alone(policy)
    yield _in_client(Path(top, "contained"), policy, rounds)


def _alone(policy: Policy) -> Row:
    why = service.why_not()
    if why:
        return Row("SE-2", BY_ITSELF, None, "x", note=f"{why}.")
    inside = service.arguments(policy, ["true"], folder=policy.project, temp=policy.cache)
    spent: dict[str, list[float]] = {"bare": [], "inside": []}
    for _ in range(ALONE):
        for name, words in (("bare", ["true"]), ("inside", inside)):
            started = time.perf_counter()
            subprocess.run(words, check=True)
            spent[name].append(time.perf_counter() - started)
    medians = {name: statistics.median(each) for name, each in spent.items()}
    added = (medians["inside"] - medians["bare"]) * 1e3
    ratio = medians["inside"] / medians["bare"]
    return Row("SE-2", BY_ITSELF, ratio, "x", note=f"{added:.1f} ms more")


def _in_client(top: Path, policy: Policy, rounds: int) -> Row:
    binary = clients.program(clients.CACHE / clients.VERSION)
    why = service.why_not(*sandbox.NEEDED)
    if not binary.exists():
        why = f"Claude Code {clients.VERSION} is not installed here; make e2e installs it"
    if why:
        return Row("SE-2", IN_CLIENT, None, "ms", note=f"{why}.")
    spent: dict[bool, list[float]] = {False: [], True: []}
    server = TimedModel()
    server.times = []
    with server:
        world = World(top, binary, server)
        for number in range(rounds * 2):
            is_contained = bool(number % 2)
            settings = sandbox.settings(policy) if is_contained else {}
            spent[is_contained] += _run(world, server, settings)
    plain, inside = (statistics.median(spent[each]) * 1e3 for each in (False, True))
    note = f"{plain:.0f} ms without, {inside:.0f} ms with; {rounds * CALLS} calls each way"
    return Row("SE-2", IN_CLIENT, inside - plain, "ms", note=note)


def _run(world: World, server: TimedModel, settings: dict[str, Any]) -> list[float]:
    """One session; the seconds of each call."""
    world.settings("settings.local.json", permissions={"allow": ["Bash"]}, **settings)
    server.times.clear()
    server.requests.clear()
    server.play(*[[bash("true")] for _ in range(CALLS)], ["Done."])
    done = one_shot(world, "Go on.")
    if done.returncode or server.unplayed() or len(server.times) != CALLS + 1:
        raise RuntimeError(f"the session did not go as scripted: {done.stderr[-500:]}")
    return [after - before for before, after in zip(server.times, server.times[1:], strict=False)]


if __name__ == "__main__":
    sys.exit(alone(measure))
