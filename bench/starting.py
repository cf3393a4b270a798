"""What a command costs as a process, as multiples of a bare interpreter with its ``site``.

Processor time of the process and its children: how long one waits depends on what else the machine does. All
commands take turns, after one round that is not counted, in an ordinary project: with a plan, a log of a few
hundred entries, and questions that wait.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from tests.hosting import Client, clean_env, forget_client, git, write

from bench.rows import Row, alone

ROUNDS = 20
BAR = 2.5

COMMANDS = (
    "--version",
    "--help",
    "help exit-codes",
    "plan add --help",
    "plan show",
    "mode",
    "lesson",
    "history",
    "grants",
    "trash",
    "undo",
    "log",
    "log show 42",
    "stats",
    "rules list",
    "rules show git-push",
    "config",
    "explain ls",
    "status",
    "note add",
)
"""One of each kind: a text, the state, the registry, git, the log, the rules, everything, a change."""

SESSIONS, CALLS = 4, 25


def measure(top: str) -> list[Row]:
    project, home = Path(top, "starting"), Path(top, "starting-home")
    project.mkdir()
    home.mkdir()
    git(str(project), "init", "-q")
    env = clean_env(str(home))
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    edge = os.path.join(os.path.dirname(sys.executable), "edge")
    _begin(str(project), edge, env)
    programs = {"": [sys.executable, "-c", "pass"]}
    programs |= {each: [edge, *each.split()] for each in COMMANDS}
    spent: dict[str, list[float]] = {each: [] for each in programs}
    for at in range(ROUNDS + 1):
        for each, words in programs.items():
            # The same note again would not be written.
            text = [f"measured {at}"] if each == "note add" else []
            seconds = _processor_time([*words, *text], project, env)
            if at:
                spent[each].append(seconds)
    bare = statistics.median(spent.pop(""))
    return [
        Row("-", f"edge {each}", statistics.median(times) / bare, "x bare", BAR)
        for each, times in spent.items()
    ]


def _begin(root: str, edge: str, env: dict[str, str]) -> None:
    """Set the project up, and let sessions work in it that end with a question."""
    write(root, "src/part.py")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    for words in (
        ["init", "--yes"],
        ["objective", "Rewrite", "the", "parser", "of", "the", "settings"],
        *(["plan", "add", f"part {number}"] for number in range(5)),
        ["lesson", "add", "git push", "run the tests first"],
    ):
        subprocess.run([edge, *words], cwd=root, env=env, capture_output=True, check=True)
    for _ in range(SESSIONS):
        client = Client(root, env)
        client.start()
        for number in range(CALLS):
            command = f"pytest -k part{number}"
            client.bash(command)
            client.done("Bash", {"stdout": "3 passed in 0.12s"}, command=command)
        client.bash("git push --force origin main")
        client.send("SessionEnd", reason="exit")
        forget_client(client)


def _processor_time(words: list[str], cwd: Path, env: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, cwd=cwd, env=env, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    sys.exit(alone(measure))

# end of module
