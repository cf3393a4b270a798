"""OpenCode's server: a session of it for each edit, over its HTTP API, and the server itself.

One that is started here ends with the watcher, and with any session that did not end by itself. One that a
person runs is only spoken to. Either listens on this machine alone, and wants a password.

A session's events become those that ``opencode run`` prints, so that one reader takes both
(``opencode_events``). Does not own what a session may do (``opencode``). Tried with 1.18.33.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import http.client
import json
import math
import os
import queue
import re
import secrets
import socket
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlsplit

from operators_edge.bridge import supervised
from operators_edge.bridge.executors.transcript import cut, number, table, without_colours
from operators_edge.bridge.supervised import Ended
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.bridge.executors.agent import Output, Program
    from operators_edge.bridge.executors.contained import Box, Containment, Needs
    from operators_edge.bridge.verify import Limits, Place

PASSWORD, USER = "OPENCODE_SERVER_PASSWORD", "OPENCODE_SERVER_USERNAME"
PORT = 4096
_START_SECONDS = 120.0
_ANSWER_SECONDS = 30.0
_SILENCE_SECONDS = 60.0
"""It gives a sign of life every ten."""

_LOOK_SECONDS = 0.2
_MAX_ANSWER = 1024 * 1024
_MAX_EVENT = 16 * 1024 * 1024
_LISTENS = re.compile(r"listening on (http://\S+)")


class Refused(Exception):
    """The server does not answer, or not as it should; the text says what to do."""


class Address(NamedTuple):
    """Where a server is: ``path`` is a socket that leads to it, if it has a network of its own."""

    url: str
    password: str = ""
    user: str = "opencode"
    path: str = ""

    @classmethod
    def of(cls, url: str, env: Mapping[str, str]) -> Address:
        """One that a person runs; the password is in their environment."""
        return cls(url, env.get(PASSWORD, ""), env.get(USER) or "opencode")

    def opened(self, seconds: float) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(
            parts.hostname or "", parts.port or 80, timeout=seconds
        )
        if self.path:
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.settimeout(seconds)
            connection.sock.connect(self.path)
        return connection

    def send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: object = None
    ) -> http.client.HTTPResponse:
        """Refused for any answer but a good one."""
        given = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        headers = {"Authorization": f"Basic {given}"} if self.password else {}
        data = None if body is None else json.dumps(body).encode()
        connection.request(
            method, path, data, headers | ({"Content-Type": "application/json"} if data else {})
        )
        answer = connection.getresponse()
        if answer.status == http.HTTPStatus.UNAUTHORIZED:
            raise Refused(f"the server refused the password: set {PASSWORD}")
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            raise Refused(f"the server answered {answer.status}: {cut(_text(answer), 300)}")
        return answer

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """One request and its answer; None if that is empty. Raises Refused."""
        try:
            with contextlib.closing(self.opened(_ANSWER_SECONDS)) as connection:
                text = _text(self.send(connection, method, path, body))
                return json.loads(text) if text.strip() else None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Refused(f"no server answers at {self.url}: {_why(error)}") from error

    def check(self) -> None:
        """Raises Refused unless it is there and takes the password."""
        self.ask("GET", "/global/health")


def _text(answer: http.client.HTTPResponse) -> str:
    return answer.read(_MAX_ANSWER).decode("utf-8", "replace")


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


# -- a session -------------------------------------------------------------------------------------


class Session:
    """One edit in the tree at ``root``: ``run`` has it done.

    ``patience`` in seconds for the server to end it before its time.
    """

    def __init__(
        self,
        address: Address,
        root: str,
        *,
        title: str,
        rules: Sequence[object],
        patience: float = 0.0,
    ) -> None:
        self._address = address
        self._patience = patience
        self._is_stuck = False
        self._where = f"?directory={quote(root, safe='')}"
        made = address.ask(
            "POST", f"/session{self._where}", {"title": title, "permission": list(rules)}
        )
        self._id = str(table(made).get("id", ""))
        if not re.fullmatch(r"\w+", self._id):
            raise Refused("the server made no session")
        self.has_ended = False
        """Whether the server says that nothing of it runs any more."""

    def run(self, model: str, prompt: str, seconds: float, output: Output) -> Ended:
        """To its end, at most so many seconds; its events go to ``output``. Never raises."""
        started = time.monotonic()
        why, detail = self._run(model, prompt, started + seconds, output)
        if not self.has_ended:
            self._abort()
        took = round(time.monotonic() - started, 3)
        return Ended(0 if why == "ended" else None, why, detail, seconds=took)

    def _run(
        self, model: str, prompt: str, end: float, output: Output
    ) -> tuple[supervised.Ending, str]:
        try:
            with self._events() as events:
                provider, _, name = model.partition("/")
                asked = {
                    "model": {"providerID": provider, "modelID": name},
                    "parts": [{"type": "text", "text": prompt}],
                }
                self._address.ask("POST", self._path("prompt_async"), asked)
                return self._follow(events, end, output)
        except Refused as error:
            return "supervisor_died", str(error)

    def _follow(
        self, events: queue.Queue[Mapping[str, Any] | None], end: float, output: Output
    ) -> tuple[supervised.Ending, str]:
        while time.monotonic() < end:
            if output.is_set():
                return "watcher_ended", ""
            try:
                event = events.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            if event is None:
                return "supervisor_died", "the connection to its server ended"
            said = self._take(event)
            if said:
                output.feed(f"{json.dumps(said)}\n".encode())
            if self.has_ended or self._is_stuck:
                return "ended", ""
        return "timed_out", ""

    def _take(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """What ``opencode run`` prints for an event; {} for nothing."""
        about, kind = table(event.get("properties")), event.get("type")
        part = table(about.get("part"))
        if self._id not in (about.get("sessionID"), part.get("sessionID")):
            return {}
        if kind == "session.idle":
            self.has_ended = True
        elif kind == "session.error":
            return {"type": "error", "error": about.get("error")}
        elif kind == "permission.asked":  # nobody is there to answer
            self._is_stuck = True
            asked = cut(str(about.get("permission", "")), 100)
            return {"type": "error", "error": {"name": f"it asked for a permission: {asked}"}}
        elif kind == "session.status":
            return _waiting(table(about.get("status")))
        elif kind == "message.part.updated":
            return _printed(part)
        return {}

    def _abort(self) -> None:
        """End what runs of it; ``has_ended`` then says whether the server did so."""
        end = time.monotonic() + self._patience
        with contextlib.suppress(Refused):
            self._address.ask("POST", self._path("abort"))
            while time.monotonic() < end and not self.has_ended:
                states = table(self._address.ask("GET", f"/session/status{self._where}"))
                self.has_ended = table(states.get(self._id, {"type": "idle"})).get("type") == "idle"
                time.sleep(0 if self.has_ended else _LOOK_SECONDS)

    def _path(self, verb: str) -> str:
        return f"/session/{self._id}/{verb}{self._where}"

    @contextlib.contextmanager
    def _events(self) -> Iterator[queue.Queue[Mapping[str, Any] | None]]:
        """The server's events from now on; None when no more come."""
        found: queue.Queue[Mapping[str, Any] | None] = queue.Queue(maxsize=1_000)
        over = threading.Event()
        try:
            connection = self._address.opened(_SILENCE_SECONDS)
            answer = self._address.send(connection, "GET", f"/event{self._where}")
        except (OSError, http.client.HTTPException) as error:
            raise Refused(f"no server answers at {self._address.url}: {_why(error)}") from error
        reader = threading.Thread(target=_read, args=(answer, found, over), daemon=True)
        reader.start()
        try:
            yield found
        finally:
            over.set()
            if connection.sock is not None:
                with contextlib.suppress(OSError):
                    connection.sock.shutdown(socket.SHUT_RDWR)
            reader.join(_LOOK_SECONDS)
            connection.close()


def _read(
    answer: http.client.HTTPResponse,
    found: queue.Queue[Mapping[str, Any] | None],
    over: threading.Event,
) -> None:
    """Read the stream of events until it ends, or nobody wants more."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
        while not over.is_set() and (line := answer.readline(_MAX_EVENT)):
            if line.startswith(b"data:"):
                _put(found, table(json.loads(line[5:])), over)
    _put(found, None, over)


def _put(
    found: queue.Queue[Mapping[str, Any] | None],
    event: Mapping[str, Any] | None,
    over: threading.Event,
) -> None:
    while not over.is_set():
        with contextlib.suppress(queue.Full):
            return found.put(event, timeout=_LOOK_SECONDS)
    return None


def _waiting(status: Mapping[str, Any]) -> Mapping[str, Any]:
    """That the model's provider has refused, and for how long nothing is asked; {} for another status."""
    if status.get("type") != "retry":
        return {}
    until = number(status.get("next")) // 1_000
    left = max(0, until - int(time.time()))
    return {"type": "retry", "message": status.get("message"), "until": until, "seconds": left}


def _printed(part: Mapping[str, Any]) -> Mapping[str, Any]:
    state = table(part.get("state"))
    match part.get("type"):
        case "text" if table(part.get("time")).get("end"):
            return {"type": "text", "part": part}
        case "tool" if state.get("status") in ("completed", "error"):
            return {"type": "tool_use", "part": part}
        case "step-finish":
            return {"type": "step_finish", "part": part}
    return {}


def _identity(folder: str) -> tuple[int, int] | None:
    """What a folder of the same name that is made later does not have."""
    try:
        info = os.stat(folder)
    except OSError:
        return None
    return info.st_dev, info.st_ino


# -- a server of ours ------------------------------------------------------------------------------


class Started:
    """A server that runs until ``end``, or until the watcher ends; ``home`` goes with it."""

    def __init__(self, program: Program, place: Place, limits: Limits, home: str) -> None:
        self._program = program
        self._place = place
        self._tree = _identity(place.root)
        self._stall = limits.stall
        self._home = home
        self._stop = threading.Event()
        self._is_settled = threading.Event()
        self._last = ""
        self.password = secrets.token_urlsafe(24)
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="edge-opencode-"))
        self.address: Address | None = None
        self.box: Box | None = None
        self.ended: Ended | None = None

    @property
    def socket(self) -> str:
        """Where it is reached if it is kept inside; short, as a socket's path has 108 characters at most."""
        return os.path.join(self.folder, "server")

    def start(self, containment: Containment, needs: Needs) -> None:
        """Returns when it listens. Raises Refused."""
        self._thread = threading.Thread(target=self._run, args=(containment, needs), daemon=True)
        self._thread.start()
        atexit.register(self.end)
        end = time.monotonic() + _START_SECONDS
        while not self._is_settled.wait(_LOOK_SECONDS):
            if time.monotonic() > end or self._place.stop.is_set():
                break
        if self.address is None:
            self.end()
            raise Refused(f"its server did not start: {self._last or 'it said nothing'}")

    def end(self) -> None:
        """End it and everything that it started."""
        atexit.unregister(self.end)
        self._stop.set()
        self._thread.join()
        for each in (self.folder, self._home):
            files.remove_tree(each)

    def is_set(self) -> bool:
        """When its working tree is gone, but not yet with the task for which it was started."""
        return self._stop.is_set() or _identity(self._place.root) != self._tree

    def _run(self, containment: Containment, needs: Needs) -> None:
        with containment.opened(needs) as box:
            self.box = box
            port = "0" if box.door is None else str(PORT)
            words = [*self._program.words, "--hostname", "127.0.0.1", "--port", port]
            self.ended = supervised.run(
                box.wrapped(words),
                cwd=self._place.root,
                env={**self._program.environment(self._place.env), PASSWORD: self.password},
                seconds=math.inf,
                output=self._line,
                errors=self._line,
                stall_seconds=self._stall,
                stop=self,
            )
        self._last = self._last or self.ended.detail
        self._is_settled.set()

    def _line(self, data: bytes) -> None:
        text = without_colours(data.decode("utf-8", "replace"))
        self._last = cut(text, 400) or self._last
        found = _LISTENS.search(text)
        if found and self.box is not None and self.address is None:
            path = "" if self.box.door is None else self.socket
            self.address = Address(found[1], self.password, path=path)
            self._is_settled.set()


# end of module
