"""What a hook costs as a process, cold and warm, as multiples of a bare interpreter (PE-2).

Cold is without a resident: the process decides by itself. Warm is with one that is up. All cases
take turns, so that a busy machine slows both sides of a ratio alike.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.hosting import COMMAND, clean_env, git

from bench import servers
from bench.rows import Row
from operators_edge import hook_client, statusline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUNDS = 40

QUIET = "tokei src && ls src | head -5"
PARSED = 'git commit -m "$(date)" && git push --dry-run'
GRAMMAR = "for f in src/*.py; do git push --dry-run; done"
TOOL = "import os, subprocess\n" + "".join(
    f"def f{at}(a):\n    x = os.path.join('a', str(a))\n    return subprocess.run(['git', 'status', x])\n"
    for at in range(40)
)
"""A program of the project that starts harmless commands."""
CLAIM = {"last_assistant_message": "Done. All tests pass and I committed it."}
RED = "Exit code 1\nFAILED test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.02s"
AFTER_FAILURE = "bench-failed"
"""Its own session: one belongs to the project in which it began."""


class Case(NamedTuple):
    """One event, and the bars for it, cold and warm; ``before`` is what the ancestor published.

    ``is_after_failure``: in a project where a check has failed.
    """

    what: str
    event: str
    fields: dict[str, Any]
    cold: float | None = None
    warm: float | None = None
    before: str = ""
    is_after_failure: bool = False


def cases(root: str) -> list[Case]:
    shell = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    after = {**shell, "tool_response": {"stdout": "x"}, "tool_use_id": "t"}
    read = {"tool_name": "Read", "tool_input": {"file_path": os.path.join(root, "readme.txt")}}

    def bash(command: str) -> dict[str, Any]:
        return {"tool_name": "Bash", "tool_input": {"command": command}}

    return [
        Case("PreToolUse, no trigger word", "PreToolUse", bash(QUIET), 4.0, 1.5, "15"),
        Case("PreToolUse, with parsing", "PreToolUse", bash(PARSED), 8.0, 1.5, "15"),
        Case("PreToolUse, with the grammar", "PreToolUse", bash(GRAMMAR), 8.0, 1.5, "15"),
        Case("PreToolUse, the Read tool", "PreToolUse", read, 8.0, 1.5, "15"),
        Case("PreToolUse, following a make target", "PreToolUse", bash("make check"), 12.0, 1.5),
        Case("PreToolUse, following a program", "PreToolUse", bash("python3 tool.py"), None, 1.5),
        Case("PreToolUse, denied", "PreToolUse", bash("rm -rf /"), before="15"),
        Case("PostToolUse", "PostToolUse", after, before="16"),
        Case("Stop", "Stop", {}, 8.0, before="15"),
        Case("Stop, with a claim", "Stop", CLAIM, 8.0),
        Case("Stop, with a claim after a failed check", "Stop", CLAIM, 10.0, is_after_failure=True),
        Case("SessionStart", "SessionStart", {"source": "startup"}, before="28"),
    ]


def measure(top: str, rounds: int = ROUNDS) -> Iterator[Row]:
    root, red = project(top, "hooks"), project(top, "failed")
    with open(os.path.join(root, "tool.py"), "w", encoding="utf-8") as file:
        file.write(TOOL)
    off = {**clean_env(os.path.join(top, "home-hooks")), **session_of(root)}
    on = {**off, hook_client.RESIDENT_VARIABLE: "on"}
    known = cases(root)

    def sent(case: Case, env: dict[str, str]) -> Callable[[], None]:
        where = red if case.is_after_failure else root
        session = AFTER_FAILURE if case.is_after_failure else "bench"
        data = event(where, case.event, session, **case.fields)
        given = {**env, **session_of(where)}
        return lambda: run(COMMAND, data, given)

    acts = {"bare": lambda: run([sys.executable, "-I", "-S", "-c", "pass"], b"", off)}
    acts |= {f"cold {case.what}": sent(case, off) for case in known}
    acts |= {f"warm {case.what}": sent(case, on) for case in known}
    line = [sys.executable, "-I", "-S", statusline.__file__]
    acts["status line"] = lambda: run(line, json.dumps({"cwd": root}).encode(), off)
    run(COMMAND, event(root, "SessionStart", source="startup"), off)
    _fail_a_check(red, {**off, **session_of(red)})
    with servers.resident(on):
        times = interleaved(acts, rounds)
    bare = times["bare"]
    yield Row("-", "status line of the client", times["status line"] / bare, "x bare", 3.0)
    for way in ("cold", "warm"):
        for case in known:
            bar = case.cold if way == "cold" else case.warm
            ratio = times[f"{way} {case.what}"] / bare
            number = "-" if bar is None else "PE-2"
            yield Row(number, f"{case.what}, {way}", ratio, "x bare", bar, before=case.before)


def _fail_a_check(root: str, env: dict[str, str]) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_use_id": "red"}
    failed = {**given, "error": RED, "is_interrupt": False}
    run(COMMAND, event(root, "SessionStart", AFTER_FAILURE, source="startup"), env)
    run(COMMAND, event(root, "PreToolUse", AFTER_FAILURE, **given), env)
    run(COMMAND, event(root, "PostToolUseFailure", AFTER_FAILURE, **failed), env)


def project(top: str, name: str) -> str:
    """A repository that is set up, and has nothing of anybody's in it."""
    root = os.path.join(top, name)
    os.makedirs(root)
    git(root, "init", "-q", "-b", "main")
    with open(os.path.join(root, "readme.txt"), "w", encoding="utf-8") as file:
        file.write("hello\n")
    with open(os.path.join(root, "Makefile"), "w", encoding="utf-8") as file:
        file.write("check:\n\tpython -m unittest\nclean:\n\trm -rf build\n")
    with open(os.path.join(root, "active_context.yaml"), "w", encoding="utf-8") as file:
        file.write(
            "schema_version: 4\nobjective: measure\nplan:\n"
            "- {description: measure, status: in_progress}\nconstraints: []\n"
        )
    return root


def session_of(root: str) -> dict[str, str]:
    """What the client adds to a hook's environment in a session without a person."""
    return {"CLAUDE_PROJECT_DIR": root, "CLAUDE_CODE_SESSION_ATTENDED": "0"}


def event(root: str, name: str, session: str = "bench", **fields: Any) -> bytes:
    body = {"session_id": session, "cwd": root, "hook_event_name": name, **fields}
    return json.dumps(body).encode()


def interleaved(acts: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in acts}
    for act in acts.values():
        act()  # once for the caches of the system
    for _ in range(rounds):
        for name, act in acts.items():
            started = time.perf_counter()
            act()
            spent[name].append(time.perf_counter() - started)
    return {name: statistics.median(each) for name, each in spent.items()}


def run(command: list[str], data: bytes, env: dict[str, str]) -> None:
    subprocess.run(command, input=data, env=env, capture_output=True, check=True)


if __name__ == "__main__":
    import tempfile

    from bench.rows import table

    with tempfile.TemporaryDirectory(prefix="edge-bench-") as folder:
        print(table(list(measure(folder))))
