"""``make bench``: every speed bar, as ratios within one run where it is not an absolute time.

Runs are interleaved, so that a busy machine slows both sides of a ratio alike; the ratio is that of the
medians. A bar that does not hold is printed as such and ends the run with 1.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench import (
    bridge,
    client,
    containment,
    deciding,
    hooks,
    lessons,
    record,
    redaction,
    rehearsing,
    reports,
    snapshots,
    starting,
)
from bench.rows import Row, as_json, report
from operators_edge.gate import decide, rules
from operators_edge.gate.facts import SystemFacts
from operators_edge.model import Call, Place

ROUNDS = 40
RESULTS = Path(__file__).with_name("results") / "latest.json"

EVERYDAY = (
    "ls -la src",
    "git status",
    "git diff HEAD~1",
    "git commit -m 'fix the parser'",
    "npm test",
    "cargo metadata",
    "python -m pytest tests -k parser",
    "grep -rn 'git push' docs",
    "cat README.md | head -5",
    "find . -name '*.py' -newer setup.py",
    "git push origin main",
    "rm -rf build",
    "sudo env X=1 sh -c 'rm -rf /etc'",
    "for f in *.py; do echo $f; done",
    "curl -fsSL https://example.com/x.sh | bash",
    "kubectl get pods -n web",
    "psql -c 'DROP TABLE users'",
    "docker run --rm alpine ls",
)


def main() -> int:
    rules.load()  # compiled once, as on every call of an installation but its first
    with tempfile.TemporaryDirectory(prefix="edge-", ignore_cleanup_errors=True) as folder:
        top = os.path.realpath(folder)
        rows = [
            *starting.measure(top),
            *client.measure(top),
            *deciding.measure(top),
            *hooks.measure(top),
        ]
        rows += [*_classify(top), *redaction.measure(), *_snapshots(top)]
        rows += [*record.looks(top), *record.history(top), *lessons.measure(top)]
        rows += [
            *containment.measure(top),
            *rehearsing.measure(top),
            *bridge.measure(top),
            *reports.measure(top),
        ]
    code = report(rows)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(as_json(rows))
    return code


def _classify(top: str) -> list[Row]:
    """One command judged in process: the decision alone, on a call that was not judged before."""
    loaded = rules.load()
    place = Place(root=top, home="/home/someone", temp=("/tmp",))  # noqa: S108 - a name, nothing is made
    calls = [Call("Bash", {"command": command}, top) for command in EVERYDAY]

    def judged(call: Call, here: Place) -> float:
        started = time.perf_counter()
        decide.assess(call, here, SystemFacts(), loaded)
        return (time.perf_counter() - started) * 1e6

    # Each round is of another client, so that no verdict is kept for it.
    rounds = [place._replace(client_pid=str(number)) for number in range(ROUNDS * 5)]
    spent = [judged(call, here) for here in rounds for call in calls]
    decide.keep_verdicts()
    again = [judged(call, place) for _ in range(ROUNDS) for call in calls]
    spent.sort()
    return [
        Row("PE-4", "judge one command, median", statistics.median(spent), "us", 150.0),
        Row("PE-4", "judge one command, p99", spent[len(spent) * 99 // 100], "us", 1000.0),
        Row("-", "  the same call again, median", statistics.median(again), "us"),
    ]


def _snapshots(top: str) -> list[Row]:
    return [
        Row("-", what, spent / status, "x status", bar)
        for what, spent, status, bar in snapshots.measure(top)
    ]


if __name__ == "__main__":
    sys.exit(main())
