"""The network of a contained command: a door outside that connects it to listed hosts, and to no other.

A command that bubblewrap contains has its own loopback and nothing else. ``inside`` runs in front of it and
leads its connections to a Unix socket; this is the other side. It speaks as a web proxy and knows hosts by
the name that the command asks for, unless the name leads to this machine.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import shutil
import socket
import tempfile
import threading
from importlib import resources
from urllib.parse import urlsplit

from operators_edge.containment.inside import tunnel
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Self

_PIECE = 65_536
_MAX_HEAD = 65_536
_SECONDS = 30.0
_WEB = (80, 443)
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_MAX_SENT = 64 * 1024 * 1024
_MAX_REFUSED = 20


class Address(NamedTuple):
    host: str
    port: int


class Listed:
    """Hosts as a person lists them: ``example.org`` by the web's ports, ``*.example.org``, ``HOST:PORT``."""

    def __init__(self, hosts: Iterable[str]) -> None:
        self._hosts = tuple(each.lower() for each in hosts)

    def __contains__(self, wanted: Address) -> bool:
        return any(_matches(each, wanted) for each in self._hosts)

    @property
    def ports(self) -> list[int]:
        """The ports of this machine itself."""
        found = [_split(each) for each in self._hosts]
        return sorted({each.port for each in found if each.host in LOOPBACK and each.port})


def _split(entry: str) -> Address:
    """Host and port of ``HOST:PORT``; port 0 if there is none."""
    host, _, port = entry.rpartition(":")
    if host and port.isdecimal():
        return Address(host.strip("[]"), int(port))
    return Address(entry, 0)


def _matches(entry: str, wanted: Address) -> bool:
    host, port = _split(entry)
    name = wanted.host.lower().rstrip(".")
    is_host = name.endswith(host[1:]) if host.startswith("*.") else name == host
    return is_host and (wanted.port == port if port else wanted.port in _WEB)


class Door:
    """Context manager: connects until it is left. ``refused`` are the hosts that were asked for in vain.

    ``services`` answer, by name, what a contained program sends them as a whole.
    """

    def __init__(
        self,
        hosts: Iterable[str],
        *,
        env: Mapping[str, str] = os.environ,
        services: Mapping[str, Callable[[bytes], bytes]] | None = None,
    ) -> None:
        self._listed = Listed(hosts)
        self._upstream = _upstream(env)
        self._services = services or {}
        self._lock = threading.Lock()
        self.refused: list[str] = []

    @property
    def ports(self) -> list[int]:
        return self._listed.ports

    def __enter__(self) -> Self:
        # A short path: a socket's has at most 108 characters.
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="edge-door-"))
        self.path = os.path.join(self.folder, "door")
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(self.path)
        self._server.listen()
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:  # the door was closed
                return
            threading.Thread(target=self._lead, args=(client,), daemon=True).start()

    def _lead(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError, ValueError):  # one of the two ends is gone
            client.settimeout(_SECONDS)
            kind, _, rest = _until(client, b"\n", b"").partition(b"\n")
            name, _, about = kind.decode("ascii", "replace").partition(" ")
            if name == "port" and about.isdecimal():
                self._connect(client, Address(LOOPBACK[0], int(about)), rest)
            elif name == "proxy":
                self._proxy(client, rest)
            elif name in self._services:
                client.sendall(self._services[name](rest + _all(client)))

    def _proxy(self, client: socket.socket, start: bytes) -> None:
        """One request of a web client: CONNECT for a tunnel, or a whole address."""
        head, _, rest = _until(client, b"\r\n\r\n", start).partition(b"\r\n\r\n")
        line, _, fields = head.partition(b"\r\n")
        method, target, version = line.decode("latin-1").split(" ", 2)
        if method == "CONNECT":
            host, port = _split(target)
            self._connect(client, Address(host, port), rest, reply=_ESTABLISHED)
            return
        parts = urlsplit(target)
        path = parts._replace(scheme="", netloc="").geturl() or "/"
        kept = [each for each in fields.split(b"\r\n") if not _is_about_connection(each)]
        # One request for each connection: the next one may name another host.
        kept = [f"{method} {path} {version}".encode("latin-1"), *kept, b"Connection: close"]
        again = b"\r\n".join(kept) + b"\r\n\r\n"
        self._connect(client, Address(parts.hostname or "", parts.port or 80), again + rest)

    def _connect(
        self, client: socket.socket, wanted: Address, first: bytes, reply: bytes = b""
    ) -> None:
        if wanted not in self._listed:
            self._refuse(client, wanted)
            return
        try:
            outside = self._dial(wanted)
        except LeadsInward:
            self._refuse(client, wanted, "leads to this machine and is not listed as such")
            return
        except OSError as error:
            client.sendall(_answer("502 Bad Gateway", f"{wanted.host}: {error}"))
            return
        with outside:
            client.sendall(reply)
            outside.sendall(first)
            client.settimeout(None)
            tunnel(client, outside)

    def _refuse(
        self, client: socket.socket, wanted: Address, why: str = "is not on the list of hosts"
    ) -> None:
        name = f"{wanted.host}:{wanted.port}"
        with self._lock:
            if name not in self.refused and len(self.refused) < _MAX_REFUSED:
                self.refused.append(name)
        client.sendall(_answer("403 Forbidden", f"{name} {why}"))

    def _dial(self, wanted: Address) -> socket.socket:
        """A connection, by way of the machine's own proxy if it has one."""
        if self._upstream is None or wanted.host in LOOPBACK:
            return _open_outward(wanted)
        outside = _open(self._upstream)
        name = f"{wanted.host}:{wanted.port}"
        outside.sendall(f"CONNECT {name} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
        head = _until(outside, b"\r\n\r\n", b"")
        if head.split(b" ", 2)[1:2] != [b"200"]:
            outside.close()
            raise ConnectionRefusedError("the machine's own proxy refused it")
        return outside


_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


def _is_about_connection(field: bytes) -> bool:
    name = field.partition(b":")[0].strip().lower()
    return name in (b"connection", b"proxy-connection", b"keep-alive", b"proxy-authorization")


def _answer(status: str, text: str) -> bytes:
    data = f"{text}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(data)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + data


def _upstream(env: Mapping[str, str]) -> Address | None:
    for name in ("https_proxy", "HTTPS_PROXY"):
        parts = urlsplit(env.get(name, ""))
        if parts.hostname:
            return Address(parts.hostname, parts.port or 80)
    return None


def _open(wanted: Address) -> socket.socket:
    outside = socket.create_connection(wanted, _SECONDS)
    outside.settimeout(None)
    return outside


class LeadsInward(OSError):
    """A listed name leads to this machine or its own network, no matter who answered for it."""


def _open_outward(wanted: Address) -> socket.socket:
    """A connection to one of the addresses that the host has now, each looked at before it is used."""
    if wanted.host in (*LOOPBACK, socket.gethostname()) or _is_number(wanted.host):
        return _open(wanted)
    problem: OSError = LeadsInward()
    for *_, address in socket.getaddrinfo(wanted.host, wanted.port, type=socket.SOCK_STREAM):
        number = str(address[0])
        if not _leads_inward(number):
            try:
                return _open(Address(number, wanted.port))
            except OSError as error:
                problem = error
    raise problem


def _is_number(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def _leads_inward(number: str) -> bool:
    """Whether an address is this machine's own, or of the link: a cloud's metadata service is."""
    address = ipaddress.ip_address(number.partition("%")[0])
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_link_local or address.is_multicast:
        return True
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind((str(address), 0))  # only what is this machine's can be bound
    except OSError:
        return False
    return True


def _until(source: socket.socket, mark: bytes, start: bytes) -> bytes:
    """What arrives up to a mark, and perhaps more. ValueError: it does not come."""
    data = start
    while mark not in data:
        more = source.recv(_PIECE)
        if not more or len(data) > _MAX_HEAD:
            raise ValueError("no whole request")
        data += more
    return data


def _all(source: socket.socket) -> bytes:
    data = b""
    while more := source.recv(_PIECE):
        data += more
        if len(data) > _MAX_SENT:
            raise ValueError("too much for a service")
    return data


def inner(
    door: Door,
    command: Sequence[str],
    *,
    interpreter: str,
    inward: tuple[str, int] | None = None,
) -> list[str]:
    """The words that run a command inside, with its way to the door.

    ``inward``: a Unix socket that leads to this port of the command's own.
    """
    spec = json.dumps({"door": door.path, "ports": door.ports, "inward": inward})
    return [*_script("inside.py", interpreter), spec, *command]


def asking(door: Door, service: str, *, interpreter: str) -> list[str]:
    """The words that, inside, ask a service of the door."""
    return [*_script("ask.py", interpreter), door.path, service]


def _script(name: str, interpreter: str) -> list[str]:
    """As text: inside, our package may not be there."""
    source = resources.files(__package__).joinpath(name).read_text("utf-8")
    return [interpreter, "-I", "-S", "-c", source]


# end of module
