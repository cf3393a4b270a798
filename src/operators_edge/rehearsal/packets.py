"""What a packet on a rehearsal's network tells: who should have been reached, which name was asked for. Pure.

Owns the made-up addresses: each name gets one, so that the program goes on to say which port it wants.
"""

from __future__ import annotations

import ipaddress
import struct

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TCP, _UDP = 6, 17
_SYN, _ACK = 2, 16
_FIRST = int(ipaddress.ip_address("198.18.0.0"))
_MAX_NAMES = 10_000
_A, _IN = 1, 1
_HEAD = 12
_POINTER = 0xC0
_DNS = 53


class Packet(NamedTuple):
    """The first one of a connection, or a datagram; ``is_answer``: someone listens at its source."""

    source: tuple[str, int]
    target: tuple[str, int]
    is_udp: bool = False
    is_answer: bool = False


def packet(data: bytes) -> Packet | None:
    """What a packet, from its IP header on, is about; None if it says nothing of who is reached."""
    try:
        version = data[0] >> 4
        if version == 4:
            kind, start = data[9], (data[0] & 15) * 4
            ends = data[12:16], data[16:20]
        else:
            kind, start = data[6], 40
            ends = data[8:24], data[24:40]
        ports = struct.unpack_from("!HH", data, start)
        flags = data[start + 13] if kind == _TCP else 0
    except (IndexError, struct.error):
        return None
    if kind not in (_TCP, _UDP) or (kind == _TCP and not flags & _SYN):
        return None
    source, target = (str(ipaddress.ip_address(each)) for each in ends)
    return Packet(
        (source, ports[0]), (target, ports[1]), is_udp=kind == _UDP, is_answer=bool(flags & _ACK)
    )


class Names:
    """A made-up address for each name that was asked for."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._used: set[str] = set()

    def address(self, name: str) -> str:
        if name not in self._known and len(self._known) < _MAX_NAMES:
            self._known[name] = str(ipaddress.ip_address(_FIRST + 1 + len(self._known)))
        return self._known.get(name, str(ipaddress.ip_address(_FIRST)))

    def name(self, address: str) -> str:
        """The name that has this address, or the address."""
        return next((name for name, one in self._known.items() if one == address), address)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)


def answered(question: bytes, names: Names) -> bytes | None:
    """The answer of a name server that knows every name by one address; None to what is no question."""
    try:
        ident, flags, count = struct.unpack_from("!HHH", question)
        name, end = _name(question)
        kind, group = struct.unpack_from("!HH", question, end)
    except (IndexError, struct.error, UnicodeDecodeError):
        return None
    if count != 1 or flags & 0x8000:
        return None
    asked = question[_HEAD : end + 4]
    found = b""
    address = names.address(name)
    if (kind, group) == (_A, _IN):
        found = struct.pack("!HHHIH", 0xC00C, _A, _IN, 1, 4) + ipaddress.ip_address(address).packed
    head = struct.pack("!HHHHHH", ident, 0x8180 | (flags & 0x0100), 1, int(bool(found)), 0, 0)
    return head + asked + found


def _name(question: bytes) -> tuple[str, int]:
    """The name that is asked for, and where it ends."""
    parts, at = [], _HEAD
    while size := question[at]:
        if size & _POINTER:
            raise IndexError("a question points nowhere")
        parts.append(question[at + 1 : at + 1 + size].decode("ascii"))
        at += 1 + size
    return ".".join(parts).lower(), at + 1


def reached(seen: list[Packet], names: Names) -> list[str]:
    """Whom the packets were for, as ``HOST:PORT``; names that were only asked for stand alone.

    A server of this rehearsal that answered on its own machine is left out, and so is the name server.
    """
    served = {each.source for each in seen if each.is_answer}
    found: dict[str, None] = {}
    for each in seen:
        if each.is_answer:
            continue
        host, port = each.target
        is_here = ipaddress.ip_address(host).is_loopback
        if is_here and (each.is_udp or port == _DNS or each.target in served):
            continue
        name = names.name(host)
        where = f"[{name}]:{port}" if ":" in name else f"{name}:{port}"
        found[f"{where} (udp)" if each.is_udp else where] = None
    hosts = {each.partition(":")[0] for each in found}
    return [*found, *(each for each in names if each not in hosts)]


# end of module
