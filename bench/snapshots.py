"""What a snapshot costs before a risky call, as multiples of ``git status`` on the same tree."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from operators_edge.project import wall_clock
from operators_edge.undo.snapshots import BEFORE_CALL, SnapshotReason, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PER_FOLDER = 100


def measure(top: str) -> Iterator[tuple[str, float, float, float | None]]:
    """What, the milliseconds of a snapshot and of git status, and the bar for their ratio."""
    env = {**os.environ, "XDG_STATE_HOME": os.path.join(top, "state")}
    for files, rounds in ((1_000, 30), (50_000, 7)):
        root = tree(top, files)
        started = time.perf_counter()
        _snapshot(root, env)
        first = (time.perf_counter() - started) * 1e3
        numbers = count()
        changed = Path(root, "0", "0.txt")

        def change(changed: Path = changed, numbers: Iterator[int] = numbers) -> None:
            changed.write_text(f"changed {next(numbers)}\n")

        status, same = _interleaved(root, env, rounds, lambda: None)
        yield f"snapshot, {files:,} files, the first", first, status, None
        yield f"  {files:,} files, nothing changed", same, status, 6.0
        status, one = _interleaved(root, env, rounds, change)
        yield f"  {files:,} files, one changed", one, status, 10.0


def _interleaved(
    root: str, env: dict[str, str], rounds: int, before: Callable[[], None]
) -> tuple[float, float]:
    """Medians in milliseconds: git status, a snapshot."""
    spent: tuple[list[float], list[float]] = ([], [])
    words = ["git", "-C", root, "status", "--porcelain"]
    for _ in range(rounds):
        before()
        started = time.perf_counter()
        subprocess.run(words, capture_output=True, check=True)
        middle = time.perf_counter()
        _snapshot(root, env)
        spent[0].append(middle - started)
        spent[1].append(time.perf_counter() - middle)
    return statistics.median(spent[0]) * 1e3, statistics.median(spent[1]) * 1e3


def _snapshot(root: str, env: dict[str, str]) -> None:
    with opened(root, root, env, BEFORE_CALL) as work:
        work.keep(work.capture(), SnapshotReason("git reset --hard"), wall_clock)


def tree(top: str, files: int) -> str:
    """A repository of so many committed files; it is made once."""
    root = os.path.join(top, f"tree-{files}")
    if os.path.exists(root):
        return root
    for folder in range(files // _PER_FOLDER):
        os.makedirs(os.path.join(root, str(folder)))
        for name in range(_PER_FOLDER):
            Path(root, str(folder), f"{name}.txt").write_text(f"{folder} {name}\n" * 50)
    git = [
        "git",
        "-c",
        "gc.auto=0",
        "-c",
        "user.name=b",
        "-c",
        "user.email=b@example.invalid",
        "-C",
        root,
    ]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"], ["gc", "-q"]):
        subprocess.run([*git, *words], check=True)
    return root
