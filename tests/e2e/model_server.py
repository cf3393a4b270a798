"""A scripted model on loopback: answers the client's requests and remembers what it was shown.

A conversation is a list of turns, played in order: one turn per request. A request belongs to the
conversation whose `[[name]]` stands in its first user message (how a subagent's prompt names its
own), else to the one in the path of the base url (`server.url_of("nested")`), else to `main`.
Requests without tools (titles, quota checks, summaries) are answered aside and play no turn.
"""

import functools
import itertools
import json
import re
import threading
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

MAIN = "main"
ASIDE = "aside"
OVER = "The script is over."
SUMMARY_ASKED = "Your task is to create a detailed summary"
_MARK = re.compile(r"\[\[([a-z0-9-]+)\]\]")


@dataclass(frozen=True)
class Use:
    """One tool_use block; without an id of its own it gets a fresh one."""

    tool: str
    input: Mapping[str, Any]
    id: str = ""


@dataclass(frozen=True)
class Failure:
    """A turn that the server refuses, in the words of the API."""

    status: int
    kind: str
    message: str


Turn = Sequence[str | Use] | Failure  # text and tool_use blocks of one assistant message


def bash(command: str, *, id: str = "", **more: Any) -> Use:
    return Use("Bash", {"command": command, "description": "run a command", **more}, id)


@dataclass(frozen=True)
class Request:
    conversation: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.body.get("messages", [])
        return found

    def as_text(self) -> str:
        """Everything in the system prompt and the messages the model can read, as one text."""
        system = "\n".join(_texts(self.body.get("system", [])))
        return "\n".join([system, *(t for m in self.messages for t in _texts(m["content"]))])

    def result_of(self, tool_use_id: str) -> str | None:
        """The result of a call that the model got; None while it got none."""
        for message in self.messages:
            for block in _blocks(message["content"]):
                if block.get("type") == "tool_result" and block.get("tool_use_id") == tool_use_id:
                    return "\n".join(_texts(block.get("content", [])))
        return None


@dataclass
class ModelServer:
    """Context manager: serves from enter to exit, on a free port of the loopback."""

    script: dict[str, deque[Turn]] = field(default_factory=lambda: defaultdict(deque))
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, self))
        self._http.daemon_threads = True

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def url_of(self, conversation: str) -> str:
        """A base url whose requests play `conversation`: for a client started by the agent."""
        return f"{self.url}/{conversation}"

    def play(self, *turns: Turn, conversation: str = MAIN) -> None:
        """Append turns to a conversation's script."""
        with self._lock:
            self.script[conversation].extend(turns)

    def of(self, conversation: str = MAIN) -> list[Request]:
        with self._lock:
            return [r for r in self.requests if r.conversation == conversation]

    def unplayed(self) -> dict[str, int]:
        """Turns that no request asked for, by conversation."""
        with self._lock:
            return {name: len(turns) for name, turns in self.script.items() if turns}

    def result_of(self, tool_use_id: str, *, conversation: str = MAIN) -> str | None:
        """The result of a call in this conversation; None if there was none."""
        results = (request.result_of(tool_use_id) for request in self.of(conversation))
        return next((result for result in results if result is not None), None)

    def answer(
        self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> list[Any] | Failure:
        """Record a request and return the content blocks of its answer."""
        with self._lock:
            name = _conversation(path, body)
            self.requests.append(Request(name, path, headers, body))
            if name == ASIDE:
                return [{"type": "text", "text": _aside(body)}]
            turn = self.script[name].popleft() if self.script[name] else [OVER]
            return turn if isinstance(turn, Failure) else [self._block(part) for part in turn]

    def _block(self, part: str | Use) -> dict[str, Any]:
        if isinstance(part, str):
            return {"type": "text", "text": part}
        number = part.id or f"toolu_{next(self._numbers):04d}"
        return {"type": "tool_use", "id": number, "name": part.tool, "input": dict(part.input)}


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _texts(content: Any) -> Iterator[str]:
    for block in _blocks(content):
        if block.get("type") == "text":
            yield block["text"]
        elif block.get("type") == "tool_result":
            yield from _texts(block.get("content", []))


def _conversation(path: str, body: Mapping[str, Any]) -> str:
    messages = body.get("messages", [])
    last = "\n".join(_texts(messages[-1]["content"])) if messages else ""
    if not body.get("tools") or SUMMARY_ASKED in last:
        return ASIDE
    mark = _MARK.search("\n".join(_texts(messages[0]["content"])))
    if mark:
        return mark[1]
    return path.partition("/v1/")[0].strip("/") or MAIN


def _aside(body: Mapping[str, Any]) -> str:
    wanted = body.get("output_config", {}).get("format", {}).get("schema", {})
    if wanted:
        return json.dumps(dict.fromkeys(wanted.get("properties", {}), "Scripted"))
    return "<summary>Scripted summary.</summary>"


def _events(model: str, content: list[Any]) -> Iterator[dict[str, Any]]:
    """The answer as the events of the streaming API."""
    uses_tools = any(block["type"] == "tool_use" for block in content)
    yield {"type": "message_start", "message": _message(model, [])}
    for index, block in enumerate(content):
        if block["type"] == "text":
            start: dict[str, Any] = {"type": "text", "text": ""}
            delta = ("text_delta", "text", block["text"])
        else:
            start = {**block, "input": {}}
            delta = ("input_json_delta", "partial_json", json.dumps(block["input"]))
        change = {"type": delta[0], delta[1]: delta[2]}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": change}
        yield {"type": "content_block_stop", "index": index}
    reason = {"stop_reason": "tool_use" if uses_tools else "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": reason, "usage": {"output_tokens": 20}}
    yield {"type": "message_stop"}


def _message(model: str, content: list[Any]) -> dict[str, Any]:
    stop = ("tool_use" if content[-1]["type"] == "tool_use" else "end_turn") if content else None
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, model: ModelServer, *connection: Any) -> None:
        self._model = model  # before the base class, which serves within its own __init__
        super().__init__(*connection)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send("application/json", b'{"input_tokens": 100}')
        elif path.endswith("/v1/messages"):
            self._reply(path, body)
        else:
            self._send("application/json", b"{}")

    def do_GET(self) -> None:
        self._send("application/json", b"{}")

    def do_HEAD(self) -> None:
        self._send("application/json", b"{}")

    def _reply(self, path: str, body: dict[str, Any]) -> None:
        model = str(body.get("model", ""))
        content = self._model.answer(path, dict(self.headers), body)
        if isinstance(content, Failure):
            error = {"type": content.kind, "message": content.message}
            data = json.dumps({"type": "error", "error": error}).encode()
            self._send("application/json", data, content.status)
            return
        if not body.get("stream"):
            self._send("application/json", json.dumps(_message(model, content)).encode())
            return
        lines = (f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in _events(model, content))
        self._send("text/event-stream", "".join(lines).encode())

    def _send(self, kind: str, data: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what was asked is in `requests`."""
