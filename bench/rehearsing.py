"""What a rehearsal adds to a command, in a repository of 50,000 files.

python -m bench.rehearsing
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from bench.rows import Row, alone
from bench.snapshots import tree
from operators_edge.errors import EdgeError
from operators_edge.rehearsal.changes import found_in
from operators_edge.rehearsal.service import Rehearsal
from operators_edge.system.subprocesses import shell

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = 50_000
ROUNDS = 15
COMMANDS = ("git status --short", "echo x > new.txt")
BAR = 60.0
_EDGE = (sys.executable, "-m", "operators_edge")


def measure(top: str) -> Iterator[Row]:
    """Rows for the machinery beside the bare command, and for `edge rehearse` beside `edge --version`."""
    root = tree(os.path.join(top, "rehearsed"), FILES)
    for line in COMMANDS:
        what = f"rehearsed, {FILES:,} files: {line.split(maxsplit=1)[0]}"
        try:
            bare, rehearsed = _interleaved(root, line)
        except EdgeError as error:
            yield Row("GA-15", what, None, "ms", BAR, note=f"{error}.")
            continue
        note = f"{bare:.0f} ms bare, {rehearsed:.0f} ms rehearsed"
        yield Row("GA-15", what, rehearsed - bare, "ms", BAR, note=note)
    spent = [[_seconds([*_EDGE, *words], root) for _ in range(ROUNDS)] for words in _WORDS]
    version, whole = (statistics.median(each) * 1e3 for each in spent)
    note = f"{version:.0f} ms for edge --version, {whole:.0f} ms for edge rehearse true"
    yield Row("GA-15", "edge rehearse beside edge --version", whole - version, "ms", note=note)


_WORDS = (("--version",), ("rehearse", "true"))


def _interleaved(root: str, line: str) -> tuple[float, float]:
    """Medians in milliseconds: the bare command, and its rehearsal with what it changed."""
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        spent[0].append(_seconds([shell(), "-c", line], root))
        started = time.perf_counter()
        with Rehearsal(line, folder=root, project=root) as rehearsal:
            found_in(rehearsal)
        spent[1].append(time.perf_counter() - started)
    return statistics.median(spent[0]) * 1e3, statistics.median(spent[1]) * 1e3


def _seconds(words: list[str], root: str) -> float:
    started = time.perf_counter()
    subprocess.run(words, cwd=root, capture_output=True, check=False)
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(alone(measure))
