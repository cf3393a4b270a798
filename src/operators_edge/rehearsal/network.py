"""The network of a rehearsal: it leads nowhere, and what a command wants to reach is seen.

Every address is this machine's own, where nobody listens: a connection is refused at once. Every name has an
address.
"""

from __future__ import annotations

import ctypes
import fcntl
import socket
import struct
from contextlib import suppress

from operators_edge.rehearsal.packets import Names, Packet, answered, packet, reached

_UP = 0x1
_SET_FLAGS = 0x8914
_NEW_ROUTE, _REQUEST, _ACK, _CREATE = 24, 1, 4, 0x400
_LOCAL_TABLE, _BOOT, _HOST, _LOCAL = 255, 3, 254, 2
_OUT_DEVICE = 4
_EVERYTHING = 0x0003
_ATTACH_FILTER = 26
_HEAD_BYTES = 120
_MAX_SEEN = 2_000
_PIECE = 4096

_FILTER = (
    # The first packets of TCP connections, and every UDP datagram; from the IP header on.
    *((0x30, 0, 0, 0), (0x74, 0, 0, 4), (0x15, 0, 6, 4)),
    *((0x30, 0, 0, 9), (0x15, 11, 0, 17), (0x15, 0, 9, 6)),
    *((0xB1, 0, 0, 0), (0x50, 0, 0, 13), (0x05, 0, 0, 5)),
    *((0x15, 0, 5, 6), (0x30, 0, 0, 6), (0x15, 4, 0, 17), (0x15, 0, 2, 6), (0x30, 0, 0, 53)),
    *((0x45, 1, 0, 2), (0x06, 0, 0, 0), (0x06, 0, 0, _HEAD_BYTES)),
)


class Network:
    """Made in the namespace that it is about."""

    def __init__(self) -> None:
        self._names = Names()
        self._seen: dict[Packet, None] = {}
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_:
            fcntl.ioctl(any_, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))
        _quiet_pings()
        for family in (socket.AF_INET, socket.AF_INET6):
            with suppress(OSError):  # a system without the sixth version
                _lead_everything_here(family)
        self._packets = socket.socket(
            socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_EVERYTHING)
        )
        _only_first_packets(self._packets)
        self._packets.setblocking(False)
        self._server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._server.bind(("127.0.0.1", 53))
        self._server.setblocking(False)

    def files(self) -> tuple[int, int]:
        return self._packets.fileno(), self._server.fileno()

    def answer(self, ready: list[int] | tuple[int, ...]) -> None:
        """Take what has arrived: look at the packets, answer who asks for a name."""
        if self._packets.fileno() in ready:
            with suppress(BlockingIOError):
                while True:
                    found = packet(self._packets.recv(_HEAD_BYTES))
                    if found is not None and len(self._seen) < _MAX_SEEN:
                        self._seen[_without_port(found)] = None
        if self._server.fileno() in ready:
            with suppress(BlockingIOError):
                while True:
                    question, sender = self._server.recvfrom(_PIECE)
                    said = answered(question, self._names)
                    if said is not None:
                        with suppress(OSError):
                            self._server.sendto(said, sender)

    def seen(self) -> list[str]:
        return reached([*self._seen], self._names)


def _without_port(found: Packet) -> Packet:
    """The port of the one who asks is always another one."""
    if found.is_answer:
        return found._replace(target=("", 0))
    return found._replace(source=("", 0))


def _quiet_pings() -> None:
    """An address that is ours would answer a ping."""
    for path in ("ipv4/icmp_echo_ignore_all", "ipv6/icmp/echo_ignore_all"):
        with suppress(OSError), open(f"/proc/sys/net/{path}", "w", encoding="ascii") as file:
            file.write("1")


def _lead_everything_here(family: int) -> None:
    """A route that makes every address this machine's own; as `ip route add local 0.0.0.0/0 dev lo`."""
    device = struct.pack("HHi", 8, _OUT_DEVICE, socket.if_nametoindex("lo"))
    route = struct.pack("BBBBBBBBI", family, 0, 0, 0, _LOCAL_TABLE, _BOOT, _HOST, _LOCAL, 0)
    size = 16 + len(route) + len(device)
    head = struct.pack("IHHII", size, _NEW_ROUTE, _REQUEST | _ACK | _CREATE, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as kernel:
        kernel.send(head + route + device)
        (error,) = struct.unpack_from("i", kernel.recv(_PIECE), 16)
    if error:
        raise OSError(-error, "a route to this machine")


def _only_first_packets(listening: socket.socket) -> None:
    code = b"".join(struct.pack("HBBI", *each) for each in _FILTER)
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HL", len(_FILTER), ctypes.addressof(kept))
    listening.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)


# end of module
