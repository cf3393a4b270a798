"""What a command costs as a process, as multiples of a bare interpreter with its ``site``.

Processor time of the process and its children: how long one waits depends on what else the machine does. All
commands take turns, in a project that is set up, after one round that is not counted.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from tests.hosting import clean_env, git

from bench.rows import Row, alone

ROUNDS = 20
BAR = 2.5

COMMANDS = (("--version",), ("help", "exit-codes"), ("status",))


def measure(top: str) -> list[Row]:
    project, home = Path(top, "starting"), Path(top, "starting-home")
    project.mkdir()
    home.mkdir()
    git(str(project), "init", "-q")
    env = clean_env(str(home))
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    edge = os.path.join(os.path.dirname(sys.executable), "edge")
    subprocess.run([edge, "init", "--yes"], cwd=project, env=env, capture_output=True, check=True)
    programs = {(): [sys.executable, "-c", "pass"], **{each: [edge, *each] for each in COMMANDS}}
    spent: dict[tuple[str, ...], list[float]] = {each: [] for each in programs}
    for at in range(ROUNDS + 1):
        for each, words in programs.items():
            seconds = _processor_time(words, project, env)
            if at:
                spent[each].append(seconds)
    bare = statistics.median(spent.pop(()))
    return [
        Row("-", f"edge {' '.join(each)}", statistics.median(times) / bare, "x bare", BAR)
        for each, times in spent.items()
    ]


def _processor_time(words: list[str], cwd: Path, env: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, cwd=cwd, env=env, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    sys.exit(alone(measure))

# end of module
