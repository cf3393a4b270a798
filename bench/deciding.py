"""How long the decision itself takes over http: the holder's answer, at a connection that is kept (PE-1).

python -m bench.deciding
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

from tests.hosting import COMMAND, clean_env

from bench import servers
from bench.hooks import event, project, run, session_of
from bench.rows import Row, alone, percentile

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS = 400
MEDIAN_MS, P99_MS = 1.0, 5.0


def calls(root: str, number: int) -> dict[str, tuple[str, dict[str, Any]]]:
    """What an agent does most, and nothing of it is stopped or needs a note.

    Half of the calls are new ones in each round, the others are those of the round before.
    """
    path = os.path.join(root, "readme.txt")
    edit = {"file_path": path, "old_string": "a", "new_string": "b"}
    loop = f"for f in {number}/*.py; do git push --dry-run; done"
    return {
        "Read": ("Read", {"file_path": path}),
        "Read, new": ("Read", {"file_path": f"{path}.{number}"}),
        "Bash, no trigger word": ("Bash", {"command": "tokei src && ls src | head -5"}),
        "Edit": ("Edit", edit),
        "Edit, new": ("Edit", {**edit, "new_string": str(number)}),
        "Bash, parsed": ("Bash", {"command": "git commit -am 'fix the parser' && npm test"}),
        "Bash, parsed, new": ("Bash", {"command": f"git commit -am 'fix {number}' && npm test"}),
        "Grep": ("Grep", {"pattern": "git push", "path": root}),
        "Bash, grammar, new": ("Bash", {"command": loop}),
    }


def measure(top: str, rounds: int = ROUNDS) -> Iterator[Row]:
    root = project(top, "deciding")
    env = {**clean_env(os.path.join(top, "h")), **session_of(root), "CLAUDE_PID": str(os.getpid())}
    run(COMMAND, event(root, "SessionStart", source="startup"), env)
    spent: dict[str, list[float]] = {what: [] for what in calls(root, 0)}
    nothing: list[float] = []
    with servers.resident(env), servers.http_server(env) as (_, known):
        connection = servers.Connection(known)
        for number in range(rounds + 1):
            for what, (tool, given) in calls(root, number).items():
                data = event(root, "PreToolUse", tool_name=tool, tool_input=given, tool_use_id="t")
                started = time.perf_counter()
                answer = connection.post(data)
                if number:
                    spent[what].append((time.perf_counter() - started) * 1e3)
                if b'"deny"' in answer:
                    raise RuntimeError(f"{what}: {answer.decode()}")
            started = time.perf_counter()
            connection.prove()
            nothing.append((time.perf_counter() - started) * 1e3)
        connection.close()
    every = [each for times in spent.values() for each in times]
    yield Row("PE-1", "decision over http, median", statistics.median(every), "ms", MEDIAN_MS)
    yield Row("PE-1", "decision over http, p99", percentile(every, 0.99), "ms", P99_MS)
    note = (
        f"p99 {percentile(nothing, 0.99):.2f} ms: what the machine and HTTP take by turns with it"
    )
    what = "  a request without a decision, median"
    yield Row("-", what, statistics.median(nothing), "ms", note=note)
    for what, times in spent.items():
        note = f"p99 {percentile(times, 0.99):.2f} ms"
        yield Row("-", f"  {what}, median", statistics.median(times), "ms", note=note)


if __name__ == "__main__":
    sys.exit(alone(measure))
