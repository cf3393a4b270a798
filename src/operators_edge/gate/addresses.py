"""The host that an address names, and hosts that mean more: this machine, and a cloud's metadata service.

The latter hands out credentials to any process that asks, however its address is spelled. Owns taking the
host out of an address, and which hosts these are. Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import compiled, pattern

_URL = r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?(?:[^/@?#]*@)?(\[[^\]]*\]|[^/:?#]*)"
_LOOPBACK = pattern(
    r"localhost|.*\.localhost|127(\.\d+){1,3}|0\.0\.0\.0|host\.docker\.internal|\[?::1\]?"
)

_EMULATORS = pattern(r"localstack|minio|(?:.*\.)?localhost\.localstack\.cloud")
"""What stands in for a cloud: containers of these names, and the names that lead to them."""
_NAMES = pattern(
    r"(metadata|metadata\.(goog|google\.internal|azure\.(com|internal)|tencentyun\.com|platformequinix\.com)"
    r"|instance-data(\..*)?|.*169[.-]254[.-]1(69[.-]254|70[.-]\d+)\..+)\.?"
)
_LINK_LOCAL = 169 << 8 | 254
"""169.254.0.0/16: only the machine itself and its host answer there."""
_OTHERS = frozenset((0x646464C8, 0xC00000C0, 0xA83F8110))
"""100.100.100.200, 192.0.0.192 and 168.63.129.16, of other clouds."""
_NUMBER = pattern(r"0x[0-9a-f]*|\d+")
_EMBEDDED = frozenset((0, 0xFFFF, 0x64FF9B << 64))
"""The upper bits of IPv6 addresses that contain an IPv4 address."""
_UNIQUE_LOCAL = 0xFD000EC2
"""fd00:ec2::/32."""


def host_of(text: str) -> str:
    """Return the host that a URL names, in lower case; HOLE when it is unknown."""
    match = compiled(_URL).match(text)
    host = match.group(1).lower() if match else ""
    return HOLE if HOLE in host else host


def is_this_machine(url: str) -> bool:
    """Whether an address surely names this machine; one without a host does not."""
    return _LOOPBACK.fullmatch(host_of(url)) is not None


def is_emulator(url: str) -> bool:
    """Whether an address surely names what stands in for a cloud on this machine."""
    return is_this_machine(url) or _EMULATORS.fullmatch(host_of(url)) is not None


def is_metadata(host: str) -> bool:
    """Whether a host, as in a URL, is a cloud's metadata service."""
    host = re.sub(r"%([0-9a-f]{2})", lambda match: chr(int(match[1], 16)), host.lower())
    if _NAMES.fullmatch(host):
        return True
    if host.startswith("["):
        return _is_ipv6(host.strip("[]").partition("%")[0])
    address = _ipv4(host.rstrip("."))
    return address is not None and _is_ipv4(address)


def _is_ipv4(address: int) -> bool:
    return address >> 16 == _LINK_LOCAL or address in _OTHERS


def _ipv4(host: str) -> int | None:
    """Return the address as the C library reads it: one to four numbers, decimal, octal or hexadecimal."""
    parts = host.split(".")
    if len(parts) > 4 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *first, last = numbers
    if any(number > 255 for number in first):
        return None
    address = last
    for place, number in enumerate(first):
        address += number << (24 - 8 * place)
    return address if address < 1 << 32 else None


def _number(text: str) -> int:
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8) if text[0] == "0" else int(text)


def _is_ipv6(text: str) -> bool:
    from ipaddress import IPv6Address  # noqa: PLC0415 - few calls name one

    try:
        address = int(IPv6Address(text))
    except ValueError:
        return False
    if address >> 96 == _UNIQUE_LOCAL:
        return True
    return address >> 32 in _EMBEDDED and _is_ipv4(address & 0xFFFFFFFF)


# end of module
