"""Runs inside a contained command's own network: its loopback ports lead to the door outside.

    python -I -S inside.py SPEC PROGRAM [WORD...]

SPEC is JSON: ``door``, the path of a Unix socket; ``ports``, the ports of this machine that can be reached
at their own number. A port more is a proxy for everything else; the usual variables name it. With ``inward``,
a path and a port, the program's own server can be reached: a connection to the Unix socket at this path
is led to the port. A script of its own, started without our package. The door's side is
``containment.network``.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import threading

TYPE_CHECKING = False  # typing would have to be read at each start
if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE = 65_536
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
_LOCAL = "localhost,127.0.0.1,::1"


def main() -> None:
    """Open the ports, leave them to a child, and become the program."""
    spec, words = json.loads(sys.argv[1]), sys.argv[2:]
    proxy = socket.create_server(("127.0.0.1", 0))
    ports = [(socket.create_server(("127.0.0.1", each)), each) for each in spec["ports"]]
    door = spec["door"]
    servers = [(proxy, _through(door, b"proxy\n"))]
    servers += [(each, _through(door, f"port {port}\n".encode())) for each, port in ports]
    if spec.get("inward"):
        path, port = spec["inward"]
        inward = socket.socket(socket.AF_UNIX)
        inward.bind(path)
        inward.listen()
        servers.append((inward, lambda: socket.create_connection(("127.0.0.1", port))))
    if os.fork() == 0:
        _serve(servers)
    url = f"http://127.0.0.1:{proxy.getsockname()[1]}"
    env = {**os.environ, **dict.fromkeys(_PROXIES, url), "NO_PROXY": _LOCAL, "no_proxy": _LOCAL}
    try:
        os.execvpe(words[0], words, env)  # noqa: S606 - the words are the watcher's own
    except OSError as error:
        sys.exit(f"{words[0]}: {error.strerror}")


def _through(door: str, first: bytes) -> Callable[[], socket.socket]:
    """A connection to the door, with the first line that it wants."""

    def opened() -> socket.socket:
        outside = socket.socket(socket.AF_UNIX)
        outside.connect(door)
        outside.sendall(first)
        return outside

    return opened


def _serve(servers: list[tuple[socket.socket, Callable[[], socket.socket]]]) -> None:
    """Until the end of the namespace, which comes with the program's end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(nothing, each)
    threads = [threading.Thread(target=_accept, args=each) for each in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _accept(server: socket.socket, opened: Callable[[], socket.socket]) -> None:
    while True:
        client, _ = server.accept()
        threading.Thread(target=_lead, args=(client, opened), daemon=True).start()


def _lead(client: socket.socket, opened: Callable[[], socket.socket]) -> None:
    with client, contextlib.suppress(OSError), opened() as other:
        tunnel(client, other)


def tunnel(one: socket.socket, other: socket.socket) -> None:
    """Copy both ways, each to its end."""
    back = threading.Thread(target=_copy, args=(one, other), daemon=True)
    back.start()
    _copy(other, one)
    back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """All that arrives, to its end; then the other side hears of the end."""
    try:
        while data := source.recv(_PIECE):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    main()

# end of module
