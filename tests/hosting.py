"""A stand-in for a client: starts the real hook process and feeds it, as Claude Code does."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import signal
import socket
import subprocess
import uuid
from pathlib import Path
from typing import Any

from operators_edge.project import Project
from tests.processes import COMMAND, ended, start_edge, start_hook

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def clean_env(home: str, **more: str) -> dict[str, str]:
    """An environment with nothing of the caller's in it but the path and the locale."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL") if key in os.environ}
    where = {"HOME": home, "XDG_STATE_HOME": os.path.join(home, "state")}
    return {**kept, **where, "EDGE_RESIDENT": "off", **more}


def at_a_terminal(
    root: str, *words: str, answer: str = "y\n", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``edge WORDS`` as a person would: with a terminal on its stdin, and the answer typed."""
    import pty  # noqa: PLC0415 - not on Windows

    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    pipe = subprocess.PIPE
    try:
        process = start_edge(
            *words,
            cwd=root,
            env=env,
            stdin=theirs,
            stdout=pipe,
            stderr=pipe,
            text=True,
            start_new_session=True,
        )
        return ended(process)
    finally:
        os.close(ours)
        os.close(theirs)


def staying(home: str, word: str) -> list[int]:
    """The processes of this home that outlive a call: ``--stay`` is the resident, ``--hold`` the holder.

    Without what they have forked.
    """
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            is_one = (place / "cmdline").read_bytes().endswith(f"hook.py\0{word}\0".encode())
            if is_one and f"HOME={home}".encode() in (place / "environ").read_bytes().split(b"\0"):
                stat = (place / "stat").read_text().rpartition(")")[2].split()
                found[int(place.name)] = int(stat[1])
    return [pid for pid, parent in found.items() if parent not in found]


def end_staying(home: str) -> None:
    """Leave no process behind."""
    for word in ("--stay", "--hold"):
        for pid in staying(home, word):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def git(root: str, *words: str, data: bytes | None = None) -> bytes:
    """Run git as somebody, and see that it succeeds; returns its output."""
    base = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-C", root]
    return subprocess.run([*base, *words], check=True, capture_output=True, input=data).stdout


def write(root: str, name: str | bytes, content: str | bytes = b"x\n") -> str:
    """Write a file below the root, folders included; returns its path."""
    path = os.path.join(os.fsencode(root), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return os.fsdecode(path)


def list_installed(package: Path) -> None:
    """Write what an installer writes beside a package: the digests of its files."""
    beside = package.parent / "operators_edge-0.1.0.dist-info"
    beside.mkdir(exist_ok=True)
    lines = []
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            data = path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            lines.append(f"{path.relative_to(package.parent)},sha256={digest},{len(data)}\n")
    (beside / "RECORD").write_text("".join(lines))


class Client:
    """One session at one project; this very process is the client that the hooks see."""

    def __init__(self, root: str, env: dict[str, str], *, attended: bool = False) -> None:
        self.root = root
        self.session = str(uuid.uuid4())
        self.env = {
            **env,
            "CLAUDE_PROJECT_DIR": root,
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_CODE_SESSION_ATTENDED": "1" if attended else "0",
        }
        self.calls = 0

    def send(self, name: str, **fields: Any) -> dict[str, Any]:
        """One event through the real hook; its answer, {} for silence."""
        event = {
            "session_id": self.session,
            "transcript_path": os.path.join(self.root, "no-transcript.jsonl"),
            "cwd": self.root,
            "hook_event_name": name,
            **fields,
        }
        text = self.raw(json.dumps(event).encode()).decode()
        answer: dict[str, Any] = json.loads(text) if text else {}
        return answer

    def raw(self, data: bytes, command: list[str] | None = None) -> bytes:
        """Any bytes on the hook's stdin, over a socket pair of our own; its stdout.

        With a command, or where a resident may answer, that is the very file that a client starts.
        """
        ours, theirs = socket.socketpair()
        with ours, theirs:
            streams = {"stdin": theirs, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            cwd = self.root if os.path.isdir(self.root) else None
            if command is not None or self.env["EDGE_RESIDENT"] != "off":
                process = subprocess.Popen(command or COMMAND, env=self.env, cwd=cwd, **streams)
            else:
                process = start_hook(env=self.env, cwd=cwd, **streams)
            theirs.close()
            try:
                ours.sendall(data)
                ours.shutdown(socket.SHUT_WR)
            except BrokenPipeError:
                pass  # the hook has answered without reading all: its answer is what counts
            out, self.stderr = process.communicate(timeout=60)
        self.returncode = process.returncode
        return out

    def start(self, source: str = "startup") -> str:
        answer = self.send("SessionStart", source=source)
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def before(self, tool: str, agent: str = "", folder: str = "", **given: Any) -> dict[str, Any]:
        """PreToolUse: its ``hookSpecificOutput``, {} for silence."""
        self.calls += 1
        more = {"agent_id": agent} if agent else {}
        answer = self.send(
            "PreToolUse",
            tool_name=tool,
            tool_input=given,
            tool_use_id=f"toolu_{self.calls}",
            permission_mode="default",
            **({"cwd": folder} if folder else {}),
            **more,
        )
        inner: dict[str, Any] = answer.get("hookSpecificOutput", {})
        return inner

    def bash(self, command: str, agent: str = "") -> str:
        """The decision on a command: "" for silence, else allow, ask or deny."""
        return str(self.before("Bash", agent, command=command).get("permissionDecision", ""))

    def done(self, tool: str, response: Any = None, error: str | None = None, **given: Any) -> None:
        """PostToolUse, or PostToolUseFailure with an error, of the last call."""
        fields = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self.calls}"}
        if error is None:
            self.send("PostToolUse", tool_response=response or {}, duration_ms=3, **fields)
        else:
            self.send("PostToolUseFailure", error=error, duration_ms=3, **fields)

    def prompt(self, text: str) -> str:
        """What the person reads after typing it; "" when it goes on to the model."""
        return str(self.send("UserPromptSubmit", prompt=text).get("reason", ""))


# -- what a project shows afterwards ---------------------------------------------------------------


def forget_client(client: Client) -> None:
    """The binding names this very test process as the agent's client; a person's shell is not below it."""
    folder = os.path.join(client.env["XDG_STATE_HOME"], "operators-edge", "sessions")
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        write(folder, name, json.dumps({**record, "pid": 1, "started": "other"}))


def opened(client: Client) -> Project:
    return Project(client.root, is_set_up=True)


def read_state(client: Client) -> dict[str, Any]:
    return opened(client).state.read()


def change(client: Client, **values: Any) -> None:
    """A person's edit of the human part of the state."""
    opened(client).transact(lambda tx: tx.state.update(values), command="edit")


def logged(client: Client) -> list[dict[str, Any]]:
    with open(os.path.join(client.root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def events(client: Client, name: str) -> list[dict[str, Any]]:
    """What the log says of each such event."""
    return [entry["data"] for entry in logged(client) if entry["event"] == name]
