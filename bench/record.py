"""What a hook costs with a long history behind it, and what a look at many files costs.

The ancestor published 600 times for a hook at 100,000 entries; here the long log has ten times as many.

The log is written here as the product writes it: the same lines, chained, sealed in segments, its head
in the registry; the short one is checked with ``verify``. The long one takes 0.8 GB of disk meanwhile.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tests.hosting import COMMAND, clean_env, git

from bench import dashboard, snapshots
from bench.rows import Row
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.evidence.store import EvidenceStore
from operators_edge.git import worktree
from operators_edge.storage import segments
from operators_edge.storage.log import SEGMENT_BYTES, ProofLog
from operators_edge.storage.registry import Registry
from operators_edge.storage.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.records import LogEntry

ENTRIES = (1_000, 1_000_000)
FILES = (1_000, 50_000)
COLD_SECONDS = 2.0
ROUNDS = 13
SESSIONS = 8
_START = datetime(2030, 1, 1, tzinfo=UTC)


def looks(top: str) -> Iterator[Row]:
    """What a look at the tree costs (PE-9)."""
    for files in FILES:
        root = snapshots.tree(top, files)
        git(root, "checkout", "-q", ".")
        bar = 250.0 if files == FILES[-1] else None
        yield Row("PE-9", f"look at {files:,} files, none changed", _look(root), "ms", bar)
    for number in range(500):
        Path(root, str(number), "0.txt").write_text(f"other {number}\n")
    yield Row("-", f"look at {FILES[-1]:,} files, 500 differ", _look(root), "ms")


def _look(root: str) -> float:
    def act() -> None:
        found = worktree.tree_state(root)
        if isinstance(found, worktree.UnknownTreeState):
            raise RuntimeError(found.why)  # noqa: TRY004 - what was measured was no look

    return _interleaved([act])[0] * 1e3


def history(top: str, entries: tuple[int, int] = ENTRIES) -> Iterator[Row]:
    """What a long log costs, as multiples of a short one (PE-3)."""
    logs = [_Log(os.path.join(top, f"log-{count}"), count) for count in entries]
    logs[0].verify()
    os.environ["XDG_STATE_HOME"] = logs[1].env["XDG_STATE_HOME"]  # where the key of checkpoints is
    size = sum(os.path.getsize(each) for each in logs[1].files()) / 1e6
    yield Row("-", f"log of {entries[1]:,} entries", size, "MB")
    yield from _rebuilt(logs[1])
    yield from _hooks(logs, "objective at the start")
    for log in logs:
        log.set_objective()
    yield from _hooks(logs, "objective at the end")
    yield from _commands(logs)
    yield from dashboard.views(logs[0].root, logs[1].root, logs[1].env)
    for log in logs:
        shutil.rmtree(log.root)


def _rebuilt(log: _Log) -> Iterator[Row]:
    """What is rebuilt when the cache is lost.

    A hook has ten seconds: one that needs more is ended, and the next goes on where it was.
    """
    cases: dict[str, tuple[Callable[[], object], float | None]] = {
        "session record of 125,000 entries, no checkpoint": (
            lambda: EvidenceStore(log.root).session("session-7"),
            None,
        ),
        "checkpoint of 1,000,000 entries made": (lambda: EvidenceStore(log.root).work(), None),
        "edge status, caches lost": (log.command("status"), COLD_SECONDS),
        "edge metrics, caches lost": (log.command("metrics"), COLD_SECONDS),
    }
    for what, (act, bar) in cases.items():
        shutil.rmtree(os.path.join(log.root, ".proof", "cache"), ignore_errors=True)
        started = time.perf_counter()
        act()
        yield Row("-", what, time.perf_counter() - started, "s", bar)


def _hooks(logs: list[_Log], when: str) -> Iterator[Row]:
    after = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "x"}}
    events: dict[str, dict[str, Any]] = {
        "PostToolUse": {"tool_use_id": "t", **after},
        "Stop": {},
    }
    for name, fields in events.items():
        short, long = _interleaved([log.hook(name, **fields) for log in logs])
        yield Row("PE-3", f"{name}, {when}", long / short, "x short", 1.2, before="600")


def _commands(logs: list[_Log]) -> Iterator[Row]:
    cases = {
        "SessionStart": [log.hook("SessionStart", source="startup") for log in logs],
        "edge status": [log.command("status") for log in logs],
        "edge proof tail": [log.command("proof", "tail") for log in logs],
    }
    for what, pair in cases.items():
        short, long = _interleaved(pair, rounds=3)
        yield Row("-", f"{what}, long log", long / short, "x short")


def _interleaved(cases: list[Callable[[], None]], rounds: int = ROUNDS) -> list[float]:
    spent: list[list[float]] = [[] for _ in cases]
    for case in cases:
        case()
    for _ in range(rounds):
        for kept, case in zip(spent, cases, strict=True):
            started = time.perf_counter()
            case()
            kept.append(time.perf_counter() - started)
    return [statistics.median(each) for each in spent]


class _Log:
    """A project with a log of so many entries, and how its events are sent."""

    def __init__(self, root: str, count: int) -> None:
        os.makedirs(root)
        git(root, "init", "-q")
        Path(root, "active_context.yaml").write_text(
            "schema_version: 4\nobjective: measure\nplan:\n- description: one\n  status: pending\n"
            "constraints: []\n"
        )
        self.root = root
        self.env = {
            **clean_env(os.path.dirname(root)),
            "CLAUDE_PROJECT_DIR": root,
            "CLAUDE_CODE_SESSION_ATTENDED": "0",
        }
        last = _write(root, list(_templates(root)), count)
        self.registry.write_head(count, hashlib.sha256(last).hexdigest(), [last.decode()])

    @property
    def registry(self) -> Registry:
        return Registry(self.root, clock=_now, env=self.env)

    def open(self) -> ProofLog:
        begin = EvidenceStore(self.root).begin
        return ProofLog(self.root, registry=self.registry, clock=_now, on_session=begin)

    def files(self) -> list[str]:
        sealed = [path for _, path in segments.sealed(self.root)]
        return [*sealed, segments.current_path(self.root)]

    def verify(self) -> None:
        report = verify(self.open())
        if not report.ok:
            raise RuntimeError(f"the log is not as the product writes it: {report}")

    def set_objective(self) -> None:
        data = {"objective": "measure", "objective_hash": "0" * 64}
        self.open().append({"event": "objective", "session": "", "data": data})

    def hook(self, name: str, **fields: Any) -> Callable[[], None]:
        event = {"session_id": "bench", "cwd": self.root, "hook_event_name": name, **fields}
        data = json.dumps(event).encode()

        def send() -> None:
            done = subprocess.run(
                COMMAND, input=data, env=self.env, capture_output=True, check=True
            )
            if done.stderr:
                raise RuntimeError(done.stderr.decode())

        return send

    def command(self, *words: str) -> Callable[[], None]:
        line = [sys.executable, "-m", "operators_edge", *words]
        env = {**self.env, "PYTHONPATH": os.pathsep.join(sys.path)}
        return lambda: _quiet(line, self.root, env)


def _quiet(line: list[str], root: str, env: dict[str, str]) -> None:
    subprocess.run(line, cwd=root, env=env, capture_output=True, check=True)


def _now() -> datetime:
    return datetime.now(UTC)


# -- a log, written fast ---------------------------------------------------------------------------


def _templates(root: str) -> Iterator[bytes]:
    """What stands between number and chain in the product's own lines, for each session in turn."""
    model = ProofLog(os.path.join(root, "model"), clock=lambda: _START)
    os.makedirs(model.root)
    for session in range(SESSIONS):
        for entry in _day(f"session-{session}", root):
            model.append(tool_entry(entry) if entry["event"] == "tool" else cast("LogEntry", entry))
    with open(segments.current_path(model.root), "rb") as file:
        for line in file:
            yield line[line.index(b'"event"') : line.index(b',"prev":"')]
    shutil.rmtree(model.root)


def _day(session: str, root: str) -> Iterator[dict[str, Any]]:
    """Entries of one session, as they come."""
    yield {"event": "session_start", "session": session, "data": {"source": "startup"}}
    call = {"event": "tool", "session": session, "success": True, "cwd": root, "duration_ms": 41}
    for number in range(100):
        path = os.path.join(root, "src", f"part{number % 10}", f"module{number}.py")
        yield {**call, "tool": "Read", "input": {"file_path": path}, "output": "x = 1\n" * 40}
        edit = {"file_path": path, "old_string": "x = 1\n" * 6, "new_string": "x = 2\n" * 6}
        yield {**call, "tool": "Edit", "input": edit, "output": "The file was updated.\n" * 4}
        command = {"command": f"git diff --stat HEAD~{number} -- src"}
        yield {**call, "tool": "Bash", "input": command, "output": " 1 file changed\n" * 20}
        command = {"command": f"python -m pytest -q tests/test_module{number}.py"}
        output = "....\n4 passed in 0.1s\n" * 12
        check = {"kind": "test", "name": "pytest", "passed": True, "counts": {"passed": 48}}
        check |= {"scope": [f"tests/test_module{number}.py"], "look": None, "look_why": "none"}
        yield {**call, "tool": "Bash", "input": command, "output": output, "data": {"check": check}}
    yield {"event": "stop", "session": session, "data": {}}


def _write(root: str, bodies: list[bytes], count: int) -> bytes:
    """Put so many lines into the log; returns the last. Each session has its share, one after the other."""
    share, day = -(-count // SESSIONS), len(bodies) // SESSIONS
    objective = _objective_body(root)
    stamp = itertools.cycle(range(1000))
    prev, line, size = segments.START, b"", 0
    path = segments.current_path(root)
    os.makedirs(segments.sealed_dir(root), mode=0o700)
    first, pieces = 1, []
    second = _START.isoformat(timespec="seconds")[:19].encode()
    for seq in range(1, count + 1):
        milli = next(stamp)
        if milli == 0:
            second = (_START + timedelta(seconds=seq // 1000)).isoformat()[:19].encode()
        session, at = divmod(seq - 1, share)
        body = objective if seq == 1 else bodies[session * day + at % day]
        line = b'{"seq":%d,"timestamp":"%b.%03d+00:00",%b,"prev":"%b"}' % (
            seq,
            second,
            milli,
            body,
            prev.encode(),
        )
        prev = hashlib.sha256(line).hexdigest()
        pieces.append(line)
        size += len(line) + 1
        if size >= SEGMENT_BYTES or seq == count:
            Path(path).write_bytes(b"\n".join([*pieces, b""]))
            if seq < count:
                os.rename(path, segments.sealed_path(root, first))
            first, size, pieces = seq + 1, 0, []
    return line


def _objective_body(root: str) -> bytes:
    model = ProofLog(os.path.join(root, "model"), clock=lambda: _START)
    os.makedirs(model.root)
    data = {"objective": "measure", "objective_hash": "0" * 64}
    model.append({"event": "objective", "session": "session-0", "data": data})
    with open(segments.current_path(model.root), "rb") as file:
        line = file.read()
    shutil.rmtree(model.root)
    return line[line.index(b'"event"') : line.index(b',"prev":"')]
