"""``make bench``: what the hook costs, as multiples of a bare interpreter in the same run.

Runs are interleaved, so that a busy machine slows both sides of a ratio alike; the ratio is that of the
medians. A bar that does not hold is printed as such and ends the run with 1.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.hosting import COMMAND, clean_env

from bench import lessons, record, snapshots
from operators_edge.core import gate, rules
from operators_edge.model import Call, Place
from operators_edge.system.facts import SystemFacts

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 40
RESULTS = Path(__file__).with_name("results") / "latest.json"

EVERYDAY = (
    "ls -la src",
    "git status",
    "git diff HEAD~1",
    "git commit -m 'fix the parser'",
    "npm test",
    "cargo build",
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


@dataclass(frozen=True)
class Row:
    """One measured thing: a ratio or a share, or a time where the bar is absolute."""

    id: str
    what: str
    value: float
    unit: str
    bar: float | None
    before: str = ""
    is_least: bool = False
    """The bar is the least that has to be reached, not the most that may be."""

    @property
    def holds(self) -> bool | None:
        if self.bar is None:
            return None
        return self.value >= self.bar if self.is_least else self.value <= self.bar


def main() -> int:
    rules.load()  # compiled once, as on every call of an installation but its first
    with tempfile.TemporaryDirectory(prefix="edge-bench-") as top:
        rows = [*_hooks(top), *_classify(top), *_snapshots(top)]
        rows += [Row(*row) for row in (*record.looks(top), *record.history(top))]
        rows += [Row(*row[:5], is_least=row.is_least) for row in lessons.measure(top)]
    _print(rows)
    RESULTS.parent.mkdir(exist_ok=True)
    machine = {
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
        "cpus": os.cpu_count(),
    }
    body = [{**asdict(row), "holds": row.holds, "machine": machine} for row in rows]
    RESULTS.write_text(json.dumps(body, indent=1) + "\n")
    return 1 if any(row.holds is False for row in rows) else 0


def _hooks(top: str) -> list[Row]:
    """The process hook, cold, for each kind of event."""
    root = os.path.join(top, "project")
    os.makedirs(os.path.join(root, ".git"))
    state = "schema_version: 4\nobjective: measure\nplan: []\nconstraints: []\n"
    Path(root, "active_context.yaml").write_text(state)
    env = {**clean_env(top), "CLAUDE_PROJECT_DIR": root, "CLAUDE_CODE_SESSION_ATTENDED": "0"}

    def hook(name: str, **fields: Any) -> Callable[[], None]:
        event = {"session_id": "bench", "cwd": root, "hook_event_name": name, **fields}
        data = json.dumps(event).encode()
        return lambda: _run(COMMAND, data, env)

    def before(command: str) -> Callable[[], None]:
        return hook("PreToolUse", tool_name="Bash", tool_input={"command": command})

    after = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "x"}}
    hook("SessionStart", source="startup")()
    cases = {
        "bare": lambda: _run([sys.executable, "-I", "-S", "-c", "pass"], b"", env),
        "quiet": before("cargo build && ls src | head -5"),
        "parsed": before('git commit -m "$(date)" && git push --dry-run'),
        "grammar": before("for f in src/*.py; do git push --dry-run; done"),
        "post": hook("PostToolUse", tool_use_id="t", **after),
        "stop": hook("Stop"),
        "start": hook("SessionStart", source="startup"),
    }
    times = _interleaved(cases)
    base = times["bare"]
    return [
        Row(
            "PE-2", "PreToolUse, cold, no trigger word", times["quiet"] / base, "x bare", 4.0, "15"
        ),
        Row("PE-2", "PreToolUse, cold, with parsing", times["parsed"] / base, "x bare", 8.0, "15"),
        Row("PE-2", "  the same, with the grammar", times["grammar"] / base, "x bare", 8.0, "15"),
        Row("-", "PostToolUse, cold", times["post"] / base, "x bare", None, "16"),
        Row("-", "Stop, cold", times["stop"] / base, "x bare", None, "15"),
        Row("-", "SessionStart, cold", times["start"] / base, "x bare", None, "28"),
    ]


def _interleaved(cases: dict[str, Callable[[], None]]) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in cases}
    for case in cases.values():
        case()  # once for the caches of the system
    for _ in range(ROUNDS):
        for name, case in cases.items():
            started = time.perf_counter()
            case()
            spent[name].append(time.perf_counter() - started)
    return {name: statistics.median(each) for name, each in spent.items()}


def _run(command: list[str], data: bytes, env: dict[str, str]) -> None:
    subprocess.run(command, input=data, env=env, capture_output=True, check=True)


def _classify(top: str) -> list[Row]:
    """One command judged in process: the decision alone."""
    loaded, facts = rules.load(), SystemFacts()
    place = Place(root=top, home="/home/someone", temp=("/tmp",))  # noqa: S108 - a name, nothing is made
    spent = []
    for _ in range(ROUNDS * 5):
        for command in EVERYDAY:
            call = Call("Bash", {"command": command}, top)
            started = time.perf_counter()
            gate.assess(call, place, facts, loaded)
            spent.append((time.perf_counter() - started) * 1e6)
    spent.sort()
    return [
        Row("PE-4", "judge one command, median", statistics.median(spent), "us", 150.0),
        Row("PE-4", "judge one command, p99", spent[len(spent) * 99 // 100], "us", 1000.0),
    ]


def _snapshots(top: str) -> list[Row]:
    return [
        Row("-", what, spent / status, "x status", bar)
        for what, spent, status, bar in snapshots.measure(top)
    ]


def _print(rows: list[Row]) -> None:
    print(f"{'':5} {'what':38} {'measured':>15} {'bar':>8} {'ancestor':>9}")
    for row in rows:
        bar = f"{row.bar:g}" if row.bar is not None else "-"
        mark = {True: "holds", False: "MISSED", None: ""}[row.holds]
        value = f"{row.value:.{max(0, 2 - len(str(int(row.value))) + 1)}f} {row.unit}"
        print(f"{row.id:5} {row.what:38} {value:>15} {bar:>8} {row.before or '-':>9}  {mark}")


if __name__ == "__main__":
    sys.exit(main())
