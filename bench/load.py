"""Many sessions at once, by both ways, for a long time: errors, times, and what it takes of memory.

    python -m bench.load [--sessions 64] [--calls 200000] [--clients 4]

Half of the sessions speak to the resident as the process hook does, the other half over http, each on a
connection of its own that it keeps. They are spread over a few client processes; each session is a thread
that sends its next call when the last is answered, so there are as many calls at once as sessions.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.hosting import COMMAND, clean_env

from bench import servers
from bench.hooks import event, project, session_of
from bench.rows import percentile
from operators_edge import hook_client
from operators_edge.project import wall_clock
from operators_edge.storage import transport
from operators_edge.storage.log import ProofLog
from operators_edge.storage.registry import Registry
from operators_edge.storage.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterator

SESSIONS, CALLS, CLIENTS = 64, 200_000, 4
DENIED = b'"permissionDecision": "deny"'


class Call(NamedTuple):
    """An event, and whether it has to be denied (None: it has to be met with silence)."""

    kind: str
    name: str
    fields: dict[str, Any]
    is_denied: bool = False


def mix(number: int) -> Call:
    """Of twenty calls two are denied and two leave an entry in the log; most ask for nothing."""
    at = number % 20
    if at in (5, 15):
        command = {"command": f"rm -rf / --no-preserve-root # {number}"}
        return Call("denied", "PreToolUse", {"tool_name": "Bash", "tool_input": command}, True)
    if at in (9, 19):
        shell = {"tool_name": "Bash", "tool_input": {"command": f"make part{number}"}}
        return Call("after", "PostToolUse", {**shell, "tool_response": {"stdout": "done"}})
    if at in (3, 12):
        command = {"command": f"git commit -am 'part {number}' && npm test"}
        return Call("parsed", "PreToolUse", {"tool_name": "Bash", "tool_input": command})
    if at % 2:
        read = {"tool_name": "Read", "tool_input": {"file_path": f"src/part{number}.py"}}
        return Call("read", "PreToolUse", read)
    shell = {"tool_name": "Bash", "tool_input": {"command": f"ls part{number} | head -5"}}
    return Call("quiet", "PreToolUse", shell)


class Session(threading.Thread):
    """One session of a client process: ``known`` None speaks to the resident."""

    def __init__(
        self, number: int, root: str, calls: int, known: transport.Endpoint | None
    ) -> None:
        super().__init__()
        self.id = f"session-{number}"
        self.root = root
        self.calls = calls
        self.known = known
        self.way = "resident" if known is None else "http"
        self.spent: dict[str, list[float]] = {}
        self.errors: list[str] = []
        self.passed_over = 0

    def run(self) -> None:
        connection = servers.Connection(self.known) if self.known else None
        for number in range(self.calls):
            call = mix(number)
            fields = {**call.fields, "tool_use_id": f"{self.id}-{number}"}
            data = event(self.root, call.name, self.id, **fields)
            started = time.perf_counter()
            try:
                said = connection.post(data) if connection else self._answer(data)
            except Exception as error:  # noqa: BLE001 - each is counted and told
                self.errors.append(f"{self.way}, {call.kind}: {type(error).__name__}: {error}")
                connection = servers.Connection(self.known) if self.known else None
                continue
            self.spent.setdefault(call.kind, []).append((time.perf_counter() - started) * 1e3)
            if (DENIED in said) != call.is_denied or (said and not call.is_denied):
                self.errors.append(f"{self.way}, {call.kind}: {said.decode()[:300]}")
        if connection:
            connection.close()

    def _answer(self, data: bytes) -> bytes:
        """As the hook does: a call that is not accepted in time is decided by its own process."""
        reply = hook_client.ask_resident("claude", data, os.environ, self.root)
        if reply is not None:
            return reply.answer
        self.passed_over += 1
        env = {**os.environ, hook_client.RESIDENT_VARIABLE: "off"}
        return subprocess.run(COMMAND, input=data, env=env, capture_output=True, check=True).stdout


def client(first: int, count: int, root: str, calls: int) -> int:
    """One client process: its sessions start and call, and are reported on stdout."""
    known = transport.load(os.environ)
    sessions = []
    for number in range(first, first + count):
        start = event(root, "SessionStart", f"session-{number}", source="startup")
        env = {**os.environ, hook_client.RESIDENT_VARIABLE: "off", "CLAUDE_PID": str(os.getpid())}
        subprocess.run(COMMAND, input=start, env=env, capture_output=True, check=True)
        sessions.append(Session(number, root, calls, known if number % 2 else None))
    print("ready", flush=True)
    sys.stdin.readline()
    for session in sessions:
        session.start()
    for session in sessions:
        session.join()
    found: dict[str, Any] = {"errors": [], "spent": {}, "passed_over": 0}
    for session in sessions:
        found["errors"] += session.errors
        found["passed_over"] += session.passed_over
        for kind, spent in session.spent.items():
            found["spent"].setdefault(f"{session.way}, {kind}", []).extend(spent)
    print(json.dumps(found), flush=True)
    return 0


class Measured(NamedTuple):
    """What came of it: milliseconds by kind of call, and kilobytes by process and time."""

    errors: list[str]
    spent: dict[str, list[float]]
    memory: dict[str, tuple[int, ...]]
    seconds: float
    log_entries: int
    is_log_whole: bool
    passed_over: int


def load(
    top: str, sessions: int = SESSIONS, calls: int = CALLS, clients: int = CLIENTS
) -> Measured:
    """Half the calls, then the other half: what is never freed shows between the two."""
    root = project(top, "project")
    env = {**clean_env(os.path.join(top, "home")), **session_of(root)}
    env["PYTHONPATH"] = os.pathsep.join(sys.path)
    each = max(1, calls // sessions // 2)
    errors: list[str] = []
    spent: dict[str, list[float]] = {}
    passed_over = 0
    with servers.resident(env) as resident, servers.http_server(env) as (holder, _):
        memory: dict[str, tuple[int, ...]]
        memory = {"resident": (kilobytes(resident),), "holder": (kilobytes(holder),)}
        seconds = 0.0
        for half in range(2):
            started = time.perf_counter()
            for found in _clients(
                root, env, half, each, sessions=sessions, clients=min(clients, sessions)
            ):
                errors += found["errors"]
                passed_over += found["passed_over"]
                for kind, times in found["spent"].items():
                    spent.setdefault(kind, []).extend(times)
            seconds += time.perf_counter() - started
            memory["resident"] += (kilobytes(resident),)
            memory["holder"] += (kilobytes(holder),)
    registry = Registry(root, clock=wall_clock, env=env)
    log = ProofLog(root, registry=registry, clock=wall_clock)
    report = verify(log)
    entries = sum(1 for _ in log.entries())
    return Measured(errors, spent, memory, seconds, entries, report.ok, passed_over)


def _clients(
    root: str, env: dict[str, str], half: int, calls: int, *, sessions: int, clients: int
) -> Iterator[dict[str, Any]]:
    shares = [sessions // clients + (number < sessions % clients) for number in range(clients)]
    started = []
    for number, share in enumerate(shares):
        first = half * sessions + sum(shares[:number])
        words = ["--client", str(first), str(share), root, str(calls)]
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.load", *words],
            env={**env, hook_client.RESIDENT_VARIABLE: "on"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
    for process in started:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise RuntimeError("a client did not start")
    for process in started:
        if process.stdin is not None:
            process.stdin.write("go\n")
            process.stdin.flush()
    for process in started:
        out, _ = process.communicate()
        yield json.loads(out)


def kilobytes(pid: int) -> int:
    """What the process itself holds in memory."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("VmRSS"):
                return int(line.split()[1])
    raise RuntimeError(f"process {pid} has ended")


def report_of(found: Measured) -> str:
    count = sum(map(len, found.spent.values()))
    lines = [
        (
            f"{count} calls in {found.seconds:.0f} s ({count / found.seconds:.0f} a second), "
            f"{len(found.errors)} errors, {found.passed_over} not taken in time"
        ),
        f"log: {found.log_entries} entries, chain {'whole' if found.is_log_whole else 'BROKEN'}",
    ]
    for name, sizes in found.memory.items():
        at = ", ".join(f"{size / 1024:.1f}" for size in sizes)
        lines.append(f"{name}: {at} MB at the start, after half, at the end")
    lines.append(f"{'':20} {'calls':>8} {'median':>9} {'p99':>9} {'longest':>9}")
    for kind, spent in sorted(found.spent.items()):
        numbers = (statistics.median(spent), percentile(spent, 0.99), max(spent))
        shown = " ".join(f"{number:6.1f} ms" for number in numbers)
        lines.append(f"{kind:20} {len(spent):8} {shown}")
    lines += [f"error: {each}" for each in found.errors[:20]]
    return "\n".join(lines)


def main(words: list[str]) -> int:
    if words[:1] == ["--client"]:
        return client(int(words[1]), int(words[2]), words[3], int(words[4]))
    parser = argparse.ArgumentParser(description="Many sessions at once.")
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="edge-") as top:
        found = load(os.path.realpath(top), given.sessions, given.calls, given.clients)
    print(report_of(found))
    return 1 if found.errors or not found.is_log_whole else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
