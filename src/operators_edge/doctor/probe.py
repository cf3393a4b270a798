"""Running an installed hook exactly as its settings say: whether it answers correctly, and how fast.

Every run uses a temporary session in a temporary folder that is not a project, so only the built-in rules
apply, and nothing of a real project is read or written.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

TRIES = 3
"""Runs of one measurement; the fastest counts, because the others include other work of the machine."""

_DENIALS = ("deny", "ask")


@dataclass(frozen=True, slots=True)
class Run:
    """One hook's answers. ``problem`` is empty if all were correct.

    ``seconds`` is the wall time of each sample: for PreToolUse a harmless call and a risky one.
    """

    event: str
    seconds: tuple[float, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Bench:
    """A temporary folder to run hooks in.

    ``env`` redirects records away from the person's own folder. ``live`` does not; it is used for PreToolUse,
    which writes nothing outside a project, so that it takes as long as a real call.
    """

    folder: str
    env: dict[str, str]
    live: dict[str, str]

    def run(self, event: str, entry: Mapping[str, Any]) -> Run:
        """The hook's answer to this event's samples; the first wrong one is the problem."""
        times: list[float] = []
        for sample, judge in _samples(event, self.folder):
            best = float("inf")
            for _ in range(TRIES if event == "PreToolUse" else 1):
                seconds, answer, problem = self._ask(entry, sample)
                best = min(best, seconds)
                problem = problem or judge(answer)
                if problem:
                    return Run(event, (*times, best), problem)
            times.append(best)
        return Run(event, tuple(times))

    def _ask(self, entry: Mapping[str, Any], sample: Mapping[str, Any]) -> tuple[float, Any, str]:
        limit = entry.get("timeout")
        limit = float(limit) if isinstance(limit, int | float) and limit > 0 else 60.0
        data = json.dumps(sample).encode()
        started = time.perf_counter()
        if entry.get("type") == "http":
            text, problem = _posted(str(entry.get("url")), data, limit)
        else:
            is_live = sample["hook_event_name"] == "PreToolUse"
            text, problem = self._run(entry, data, limit, self.live if is_live else self.env)
        seconds = time.perf_counter() - started
        if problem:
            return seconds, None, problem
        try:
            return seconds, json.loads(text) if text.strip() else {}, ""
        except ValueError:
            return seconds, None, "the answer is not JSON"

    def _run(
        self, entry: Mapping[str, Any], data: bytes, limit: float, env: Mapping[str, str]
    ) -> tuple[bytes, str]:
        """The output of the hook's process, or what is wrong with it."""
        try:
            done = subprocess.run(
                _command(entry),
                input=data,
                cwd=self.folder,
                env=env,
                capture_output=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return b"", f"no answer within {limit:g} s"
        except OSError as error:
            return b"", f"cannot be started: {error.strerror} ({error.filename})"
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            return b"", f"exit code {done.returncode}{': ' if said else ''}{''.join(said)}"
        return done.stdout, ""

    def bare_seconds(self, interpreter: str) -> float:
        """The time of an interpreter that does nothing, as a yardstick for the hook's own time."""
        best = float("inf")
        for _ in range(TRIES):
            started = time.perf_counter()
            subprocess.run(
                [interpreter, "-I", "-S", "-c", "pass"], env=self.env, check=True, timeout=60
            )
            best = min(best, time.perf_counter() - started)
        return best


@contextmanager
def bench(env: Mapping[str, str]) -> Iterator[Bench]:
    """A temporary folder and the client's usual environment, with records redirected away from yours."""
    with tempfile.TemporaryDirectory(prefix="edge-doctor-") as made:
        folder = os.path.realpath(made)
        live = {name: value for name, value in env.items() if not name.startswith("CLAUDE")}
        apart = {name: os.path.join(folder, "state") for name in ("XDG_STATE_HOME", "LOCALAPPDATA")}
        if sys.platform == "darwin":
            apart["HOME"] = folder
        yield Bench(folder, {**live, **apart, "EDGE_RESIDENT": "off"}, live)


def _posted(url: str, data: bytes, limit: float) -> tuple[bytes, str]:
    """The answer of the http transport, or what is wrong with it."""
    where = urlsplit(url)
    connection = HTTPConnection(str(where.hostname), where.port, timeout=limit)
    try:
        connection.request("POST", where.path, data, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        body = reply.read()
    except TimeoutError:
        return b"", f"no answer within {limit:g} s"
    except (OSError, HTTPException) as error:
        return b"", f"nothing answers on port {where.port} ({error})"
    finally:
        connection.close()
    return body, "" if reply.status == 200 else f"the answer is HTTP {reply.status}"


def _command(entry: Mapping[str, Any]) -> list[str]:
    """How the client starts it: with ``args`` directly, else through its shell."""
    command = str(entry.get("command"))
    args = entry.get("args")
    if isinstance(args, list):
        return [command, *(str(each) for each in args)]
    return ["bash" if os.name == "nt" else "/bin/sh", "-c", command]


def _samples(event: str, folder: str) -> list[tuple[dict[str, Any], Any]]:
    """Events as the client sends them, each with a function that checks the answer."""
    common = {
        "session_id": f"edge-doctor-{os.getpid()}",
        "transcript_path": os.path.join(folder, "transcript.jsonl"),
        "cwd": folder,
        "hook_event_name": event,
    }
    tool = {**common, "tool_name": "Bash", "tool_use_id": "edge-doctor"}
    if event == "PreToolUse":
        push = {"command": "git push --force origin main"}
        return [
            ({**tool, "tool_input": {"command": "ls"}}, _passes),
            ({**tool, "tool_input": push}, _stops),
        ]
    if event == "UserPromptSubmit":
        return [({**common, "prompt": "/edge status"}, _blocks)]
    if event == "ConfigChange":
        path = os.path.join(folder, ".claude", "settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"disableAllHooks": true}')
        return [({**common, "source": "project_settings", "file_path": path}, _blocks)]
    done = {"tool_input": {"command": "ls"}, "tool_response": {"stdout": "", "stderr": ""}}
    return [
        ({**tool, **done, "source": "startup", "reason": "other", "error": "Exit code 1"}, _any)
    ]


def _decision(answer: Any) -> str:
    said = answer.get("hookSpecificOutput") if isinstance(answer, dict) else None
    return str(said.get("permissionDecision", "")) if isinstance(said, dict) else ""


def _stops(answer: Any) -> str:
    return "" if _decision(answer) in _DENIALS else "let `git push --force origin main` pass"


def _passes(answer: Any) -> str:
    return f"answered `ls` with {_decision(answer)}" if _decision(answer) in _DENIALS else ""


def _blocks(answer: Any) -> str:
    is_right = isinstance(answer, dict) and answer.get("decision") == "block"
    return "" if is_right else "did not answer with a block"


def _any(answer: Any) -> str:
    return "" if isinstance(answer, dict) else "the answer is not a JSON object"


# end of module
