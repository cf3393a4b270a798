"""What runs in the sandbox: builds the world, then plays one attempt after the other.

    python -m tests.forge.inside           builds, and starts itself again with the installation's interpreter
    python -m tests.forge.inside --play    reads attempts from stdin, one JSON object a line; answers likewise

Each attempt has a process of its own, and when it has ended every process but this one is killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback

from tests.forge import world
from tests.forge.arena import REPOSITORY

LIMIT = 60
CLIENT_LIMIT = 180
"""Seconds for one attempt, at the hook and through the real client."""


def _prepare() -> None:
    python = world.install()
    env = {**os.environ, "PYTHONPATH": REPOSITORY, "PYTHONDONTWRITEBYTECODE": "1"}
    os.execve(python, [python, "-P", "-m", "tests.forge.inside", "--play"], env)  # noqa: S606 - no shell wanted


def _play_all() -> None:
    from tests import forks  # noqa: PLC0415 - needs the package, which only the installation has

    world.build()
    forks.load_everything()
    from tests.forge import agent  # noqa: PLC0415 - as above

    agent.guard_projects()
    world.keep()
    print("ready", flush=True)
    for line in sys.stdin:
        world.reset()
        print(json.dumps(_played(json.loads(line))), flush=True)


def _played(attempt: dict[str, object]) -> dict[str, object]:
    """One attempt in a forked process; what it reports."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(ours)
        _play_one(attempt, theirs)
    os.close(theirs)
    report = b""
    with open(ours, "rb") as reader:
        report = reader.read()
    os.waitpid(pid, 0)
    with contextlib.suppress(ProcessLookupError):
        os.kill(
            -1, signal.SIGKILL
        )  # everybody in this namespace but its first process and this one
    _reap()
    if not report:
        return {"id": attempt["id"], "broken": f"no report within {LIMIT} s"}
    return json.loads(report)


def _play_one(attempt: dict[str, object], report: int) -> None:
    os.set_inheritable(report, False)
    signal.alarm(CLIENT_LIMIT if attempt.get("through_client") else LIMIT)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(null, stream)
    from tests.forge import agent, real_client  # noqa: PLC0415 - as above

    try:
        told = (real_client if attempt.get("through_client") else agent).play(attempt)
    except BaseException:  # noqa: BLE001 - the report is all that leaves this process
        told = {"id": attempt["id"], "broken": traceback.format_exc()[-6000:]}
    os.write(report, json.dumps(told).encode())
    os._exit(0)


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


if __name__ == "__main__":
    if "--play" in sys.argv:
        _play_all()
    else:
        _prepare()
