"""Whether an agent's commands are contained, tried through the person's own client.

The client is started once, with the project's settings but without hooks, and gets a model of ours on
the loopback that asks for one command: the probe. Nothing is sent anywhere else.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from operators_edge.containment import attempts, probe, store
from operators_edge.doctor.check import Check, ok, problem, warning
from operators_edge.hosts.claude import contained, environment, settings_files
from operators_edge.system import processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from operators_edge.containment.attempts import Attempt
    from operators_edge.containment.policy import Policy

CLIENT_SECONDS = 60.0
SHOWN = 4
"""Attempts that are named when more of them show that commands are not contained."""

_MARK = "EDGE-PROBE "


def checks(root: str, home: str, env: Mapping[str, str]) -> Iterator[Check]:
    """What the settings say, and what was found by trying."""
    policy = store.load(root, env)
    if policy is None:
        yield ok("off; `edge init --contain` keeps the agent's commands inside the project")
        return
    for each in contained.weaknesses(root, policy, env):
        yield problem(each, "commands can do more than was set up", "edge init, or remove it there")
    yield from _ignored(root, policy)
    client = environment.client_path(env)
    if client is None:
        yield warning("not tried: there is no client", "only the settings were read")
        return
    with _listening() as (port, path):
        tried = _attempts(root, home, policy, port, path)
        results, why = _tried(client, root, env, tried)
    if why:
        yield problem(
            f"not tried: {why}", "whether commands are contained is not known", "claude -p hello"
        )
        return
    yield from _findings(attempts.outcome(tried, results))
    yield ok(
        "a server that one command starts is not reached by the next: it is used in the same one"
    )


def _ignored(root: str, policy: Policy) -> Iterator[Check]:
    """Files that git ignores only because the sandbox makes up their names."""
    found = contained.hidden_from_git(root, policy)
    if found:
        what = f"git ignores {', '.join(found)}, because it was not there at `edge init`"
        yield warning(what, "it would not be committed", "edge init")


def _findings(found: attempts.Outcome) -> Iterator[Check]:
    if found.holds:
        words = ", ".join(found.holds).replace(
            "network", "network (unless permissions are bypassed)"
        )
        yield ok(f"tried, and holds: {words}")
    if found.broken:
        more = len(found.broken) - SHOWN
        what = "; ".join(found.broken[:SHOWN]) + (f"; and {more} more" if more > 0 else "")
        yield problem(
            what, "a command of the agent's tried it just now, by your client", "edge init"
        )
    for each in found.untried:
        yield warning(f"not tried: {each}")


def _attempts(root: str, home: str, policy: Policy, port: int, path: str) -> list[Attempt]:
    _, hook = processes.own_program()
    paths = settings_files.settings_paths(root, home).values()
    return list(
        attempts.attempts(
            policy,
            home=home,
            settings=[each for each in paths if os.path.exists(each)],
            product=os.path.dirname(hook),
            port=port,
            socket=path,
            is_linux=sys.platform.startswith("linux"),
        )
    )


@contextmanager
def _listening() -> Iterator[tuple[int, str]]:
    """A port and a socket that answer outside."""
    with (
        tempfile.TemporaryDirectory(prefix="edge-doctor-") as folder,
        _serving(_Hello) as server,
        socket.socket(socket.AF_UNIX) as listener,
    ):
        path = os.path.join(folder, "s")
        listener.bind(path)
        listener.listen()
        yield server.server_address[1], path


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def _tried(
    client: str, root: str, env: Mapping[str, str], tried: list[Attempt]
) -> tuple[dict[str, str], str]:
    """The probe's results, or why there are none."""
    given = json.dumps([[each.kind, each.target] for each in tried])
    line = shlex.join([sys.executable, "-I", "-S", probe.__file__, given])
    answers: list[str] = []
    handler = type("_Scripted", (_Model,), {"line": line, "answers": answers})
    with _serving(handler) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        ours = {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none-is-needed",
            "ANTHROPIC_AUTH_TOKEN": "",
            "CLAUDE_CODE_USE_BEDROCK": "",
            "CLAUDE_CODE_USE_VERTEX": "",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        # Settings on the command line outrank the person's files: no other model is ever asked.
        settings = json.dumps({"disableAllHooks": True, "env": ours})
        words = [client, "-p", "--settings", settings, "--allowedTools", "Bash"]
        words += ["--no-session-persistence", "--strict-mcp-config", "--", "edge doctor"]
        plain = {name: value for name, value in env.items() if not name.startswith("CLAUDE")}
        try:
            done = subprocess.run(
                words,
                cwd=root,
                env={**plain, **ours},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=CLIENT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return {}, f"the client did not end: {error}"
    for answer in answers:
        _, mark, rest = answer.partition(_MARK)
        if mark:
            return dict(json.loads(rest.splitlines()[0])), ""
    said = [*answers, done.stderr.strip(), done.stdout.strip()]
    return {}, next(filter(None, said), "the client said nothing")[:300]


# -- a model that asks for one command -------------------------------------------------------------


class _Hello(BaseHTTPRequestHandler):
    """Answers every request, so that reaching it shows."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


class _Model(_Hello):
    """The messages API as far as one command needs it; ``answers`` are the results of the command."""

    line = ""
    answers: list[str]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if not self.path.partition("?")[0].endswith("/v1/messages"):
            self._send("application/json", b'{"input_tokens": 1}')
            return
        results = list(_results(body))
        self.answers.extend(results)
        content: dict[str, Any] = {"type": "text", "text": "Done."}
        if not results and any(each.get("name") == "Bash" for each in body.get("tools", [])):
            content = {
                "type": "tool_use",
                "id": "toolu_edge_doctor",
                "name": "Bash",
                "input": {"command": self.line, "description": "edge doctor"},
            }
        self._reply(str(body.get("model", "")), content, is_stream=bool(body.get("stream")))

    def _reply(self, model: str, content: dict[str, Any], *, is_stream: bool) -> None:
        stop = "tool_use" if content["type"] == "tool_use" else "end_turn"
        message = {
            "id": "msg_edge_doctor",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [content],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        if not is_stream:
            self._send("application/json", json.dumps(message).encode())
            return
        empty = {**content, "input": {}} if stop == "tool_use" else {**content, "text": ""}
        delta = (
            {"type": "input_json_delta", "partial_json": json.dumps(content["input"])}
            if stop == "tool_use"
            else {"type": "text_delta", "text": content["text"]}
        )
        start = {**message, "content": [], "stop_reason": None}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": stop, "stop_sequence": None},
                "usage": {"output_tokens": 1},
            },
            {"type": "message_stop"},
        ]
        text = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
        self._send("text/event-stream", text.encode())

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _results(body: Mapping[str, Any]) -> Iterator[str]:
    """The texts of all tool results in a request."""
    for message in body.get("messages", []):
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                said = block.get("content")
                if isinstance(said, list):
                    said = "\n".join(str(each.get("text", "")) for each in said)
                yield str(said or "")


# end of module
