"""What the http transport adds to a tool call in the real client (PE-1).

    python -m bench.client

The same scripted session is run by turns without a hook, with a hook that runs ``true``, and with ours.
A call's time is that between two requests to the model, so all that the client does for it is in it.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.e2e import client as clients
from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import ASIDE, ModelServer, Use, bash
from tests.hosting import COMMAND, git

from bench import servers
from bench.rows import Row, alone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

BAR = 1.2
RUNS = 6
CALLS = 50
SAMPLES = 4000
NONE, TRUE, OURS = "no hook", "a hook that runs `true`", "ours over http"
WHAT = "http in the client: added by ours / by `true`"


class TimedModel(ModelServer):
    """Notes when each request of the conversation came."""

    times: list[float]

    def answer(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> list[Any]:
        came = time.perf_counter()
        content = super().answer(path, headers, body)
        if self.requests[-1].conversation != ASIDE:
            self.times.append(came)
        return content


def measure(top: str, runs: int = RUNS) -> Iterator[Row]:
    """The rows; one that says why where the client is not installed."""
    binary = clients.program(clients.CACHE / clients.VERSION)
    if not binary.exists():
        note = f"Claude Code {clients.VERSION} is not installed here; make e2e installs it."
        yield Row("PE-1", WHAT, None, "", BAR, note=note)
        return
    server = TimedModel()
    server.times = []
    with server:
        world = World(Path(top, "c"), binary, server)
        _set_up(world)
        with servers.resident(world.env()), servers.http_server(world.env()) as (_, known):
            hooks = _hooks(known.url)
            spent = {name: _Spent() for name in hooks}
            for number in range(runs):
                order = list(hooks)[number % 3 :] + list(hooks)[: number % 3]
                for name in order:
                    spent[name].append(_run(world, server, hooks[name]))
        servers.end_all(world.env())
    yield from _rows(spent)


_Spent = list[list[float]]


def _rows(spent: dict[str, _Spent]) -> Iterator[Row]:
    calls = sum(map(len, spent[NONE]))
    plain = statistics.median(itertools.chain(*spent[NONE])) * 1e3
    yield Row("-", f"a call without a hook, median of {calls}", plain, "ms")
    pairs = _pairs(spent)
    low_of_true = 0.0
    for name, at in ((TRUE, 1), (OURS, 2)):

        def added(chosen: list[tuple[float, ...]], at: int = at) -> float:
            return statistics.median(each[at] - each[0] for each in chosen) * 1e3

        low, high = interval(pairs, added)
        low_of_true = low if name == TRUE else low_of_true
        note = f"95 % of resampled: {low:.1f} to {high:.1f} ms"
        yield Row("-", f"  added by {name}", added(pairs), "ms", note=note)

    def ratio(chosen: list[tuple[float, ...]]) -> float:
        ours = statistics.median(each[2] - each[0] for each in chosen)
        return ours / statistics.median(each[1] - each[0] for each in chosen)

    if low_of_true <= 0:
        # On a quiet machine `true` costs less than one call differs from the next: no ratio means anything.
        note = (
            f"{calls} calls each way; `true` adds too little here to be distinguished from nothing"
        )
        yield Row("PE-1", WHAT, None, "x true", BAR, note=note)
        return
    low, high = interval(pairs, ratio)
    note = f"{calls} calls each way; 95 % of resampled: {low:.2f} to {high:.2f}"
    yield Row("PE-1", WHAT, ratio(pairs), "x true", BAR, note=note)


def _pairs(spent: dict[str, _Spent]) -> list[tuple[float, ...]]:
    """The same call of the same round, each way."""
    ways = [list(itertools.chain(*spent[name])) for name in (NONE, TRUE, OURS)]
    return list(zip(*ways, strict=True))


def interval(
    pairs: list[tuple[float, ...]], of: Callable[[list[tuple[float, ...]]], float]
) -> tuple[float, float]:
    """Where 95 of 100 samples drawn from these (with putting back) have it; the same on every run."""
    dice = Random("interval")  # noqa: S311 - statistics
    found = sorted(of(dice.choices(pairs, k=len(pairs))) for _ in range(SAMPLES))
    return found[SAMPLES // 40], found[-SAMPLES // 40]


def _set_up(world: World) -> None:
    root = str(world.project)
    git(root, "init", "-q", "-b", "main")
    for name in ("a.txt", "b.txt"):
        Path(root, name).write_text(f"{name} says hello\n" * 20)
    Path(root, "active_context.yaml").write_text(
        "schema_version: 4\nobjective: measure\nplan:\n"
        "- description: measure\n  status: in_progress\nconstraints: []\n"
    )
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")


def _hooks(url: str) -> dict[str, dict[str, Any]]:
    """The settings of each way. Ours has what binds the session, which runs before any call."""
    start = {
        "type": "command",
        "command": COMMAND[0],
        "args": COMMAND[1:],
    }
    http = {"type": "http", "url": url, "timeout": 15, "onFailure": "block"}
    true = {"type": "command", "command": "true", "timeout": 15}

    def on_calls(entry: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"matcher": "*", "hooks": [entry]}]

    return {
        NONE: {},
        TRUE: {"PreToolUse": on_calls(true)},
        OURS: {"SessionStart": [{"hooks": [start]}], "PreToolUse": on_calls(http)},
    }


def _run(world: World, server: TimedModel, hooks: dict[str, Any]) -> list[float]:
    """One session; the seconds of each call."""
    allow = ["Bash", "Edit", "Read"]
    world.settings("settings.local.json", hooks=hooks, permissions={"allow": allow})
    git(str(world.project), "checkout", "-q", ".")
    server.times.clear()
    server.requests.clear()
    for number in range(CALLS):
        server.play([_call(world, number)])
    server.play(["Done."])
    done = one_shot(world, "Go on.")
    if done.returncode or server.unplayed() or len(server.times) != CALLS + 1:
        raise RuntimeError(f"the session did not go as scripted: {done.stderr[-500:]}")
    for message in server.of()[-1].messages:
        for block in message["content"]:
            if isinstance(block, dict) and block.get("is_error"):
                raise RuntimeError(f"a call of the script did not succeed: {block}")
    return [after - before for before, after in zip(server.times, server.times[1:], strict=False)]


def _call(world: World, number: int) -> Use:
    """What an agent does most: it reads, changes and looks."""
    path = str(world.project / "a.txt")
    if number % 5 == 1:
        turn = number // 5
        old, new = (f"hello {turn - 1}" if turn else "hello", f"hello {turn}")
        return Use(
            "Edit", {"file_path": path, "old_string": old, "new_string": new, "replace_all": True}
        )
    return (
        Use("Read", {"file_path": path}),
        bash("ls"),  # never asked for: its turn is the edit's
        bash("ls -la | head -5"),
        Use("Read", {"file_path": str(world.project / "b.txt")}),
        bash("git log --oneline | head -3"),
    )[number % 5]


if __name__ == "__main__":
    sys.exit(alone(measure))
