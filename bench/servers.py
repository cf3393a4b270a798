"""A person's resident and http server, started for a measurement or a test of it, and ended with it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from tests.hosting import COMMAND
from tests.processes import HOOK

from operators_edge import hook_client
from operators_edge.resident import control, http_client
from operators_edge.storage import transport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.storage.transport import Endpoint


@contextmanager
def resident(env: dict[str, str]) -> Iterator[int]:
    """A resident that is ready; its process."""
    with _ready(
        [*COMMAND[:3], HOOK, hook_client.RESIDENT_OPTION],
        {**env, hook_client.RESIDENT_VARIABLE: "on"},
    ) as pid:
        yield pid


@contextmanager
def http_server(env: dict[str, str]) -> Iterator[tuple[int, Endpoint]]:
    """A holder that is ready, at a port of its own; its process and where it listens."""
    known = choose_port(env)
    try:
        with _ready(
            [*COMMAND[:3], HOOK, http_client.SERVER_OPTION],
            {**env, hook_client.RESIDENT_VARIABLE: "on"},
        ) as pid:
            yield pid, known
    finally:
        transport.remove(env)


def choose_port(env: dict[str, str]) -> Endpoint:
    """Choose the http transport, at a port that nobody else at work on this machine has chosen."""
    known = transport.ensure(env)
    with socket.socket() as end:
        end.bind(("127.0.0.1", 0))
        known = known._replace(port=end.getsockname()[1])
    with open(transport.path(env), "w", encoding="utf-8") as file:
        json.dump(known._asdict(), file)
    return known


@contextmanager
def _ready(command: list[str], env: dict[str, str]) -> Iterator[int]:
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    if process.stdout is None or process.stdout.readline() != "ready\n":
        raise RuntimeError(f"{command[-1]} did not start")
    try:
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def end_all(env: dict[str, str]) -> None:
    """End what sessions of this person have started by themselves."""
    transport.remove(env)
    env = {**env, hook_client.RESIDENT_VARIABLE: "on"}
    with suppress(OSError):
        control.switch(env, is_on=False)
        control.query("stop", env)
    with suppress(OSError, ValueError), open(http_client.lock_path(env), encoding="ascii") as file:
        pid = int(file.read())
        if hook_client.is_own_process(pid, http_client.SERVER_OPTION):
            os.kill(pid, signal.SIGKILL)


class Connection:
    """Events over one connection that is kept, as the client keeps its own.

    Nothing but bytes: a client's own library would take as long as the answer.
    """

    def __init__(self, known: Endpoint) -> None:
        self._known = known

    @cached_property
    def _end(self) -> socket.socket:
        """Made with the first event: a connection that has not shown the token is closed after seconds."""
        end = socket.create_connection(("127.0.0.1", self._known.port), timeout=30)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return end

    def post(self, data: bytes) -> bytes:
        return self._answer("POST", "claude", data)

    def prove(self) -> None:
        """Ask for what needs no decision: the proof that it is ours."""
        self._answer("GET", "proof/00", b"")

    def _answer(self, method: str, path: str, body: bytes) -> bytes:
        head = (
            f"{method} /{self._known.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self._known.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._end.sendall(head.encode() + body)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._received()
        said, _, answer = data.partition(b"\r\n\r\n")
        length = int(said.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        while len(answer) < length:
            answer += self._received()
        if not said.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"the holder says {said.decode()}")
        return answer

    def _received(self) -> bytes:
        data = self._end.recv(1 << 16)
        if not data:
            raise RuntimeError("the holder went away")
        return data

    def close(self) -> None:
        if "_end" in self.__dict__:
            self._end.close()
