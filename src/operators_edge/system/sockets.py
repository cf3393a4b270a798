"""Sockets of this machine: who owns the other end of one, which have a path (Linux; unknown elsewhere)."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.system.processes import Identity

_LOOPBACK = "0100007F"
_LISTENING = "0A"


def is_end_of(known: Identity, theirs: int, ours: int) -> bool | None:
    """Whether the process holds the socket at port ``theirs`` that is connected to port ``ours``.

    None if this system does not show it.
    """
    if not sys.platform.startswith("linux"):
        return None
    row = _row(theirs, ours)
    return row is not None and _holds(known.pid, f"socket:[{row[9]}]")


def user_of_end(theirs: int, ours: int) -> int | None:
    """The user who owns the socket at port ``theirs`` connected to port ``ours``; None if unknown."""
    if not sys.platform.startswith("linux"):
        return None
    row = _row(theirs, ours)
    return None if row is None else int(row[7])


def process_of_end(theirs: int, ours: int) -> int | None:
    """A process that holds the socket at port ``theirs`` connected to port ``ours``; None: not seen."""
    if not sys.platform.startswith("linux"):
        return None
    row = _row(theirs, ours)
    return None if row is None else _holder(row)


def listener(port: int) -> int | None:
    """A process that listens at this port of 127.0.0.1 or of every address; None if it cannot be seen."""
    if not sys.platform.startswith("linux"):
        return None
    for name in ("tcp", "tcp6"):
        for fields in _rows(name):
            if fields[3] == _LISTENING and fields[1].endswith(f":{port:04X}"):
                return _holder(fields)
    return None


def program(pid: int) -> str:
    """The name of the program that a process runs; "" if it cannot be seen."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def named() -> list[str]:
    """The paths of the Unix sockets that are open now."""
    try:
        with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as file:
            paths = {path for line in file for path in line.rstrip("\n").split(None, 7)[7:]}
    except OSError:
        return []
    return sorted(each for each in paths if os.path.isabs(each))


def _row(local: int, remote: int) -> list[str] | None:
    """The system's fields for the socket from one port of 127.0.0.1 to the other.

    ``/proc/net/tcp`` has addresses in the byte order of the machine and ports in hexadecimal.
    """
    wanted = [f"{_address()}:{port:04X}" for port in (local, remote)]
    return next((fields for fields in _rows("tcp") if fields[1:3] == wanted), None)


def _rows(name: str) -> Iterator[list[str]]:
    try:
        with open(f"/proc/net/{name}", encoding="ascii") as file:
            yield from map(str.split, file)
    except OSError:
        return


def _holder(row: list[str]) -> int | None:
    """A process that has this socket open, among those that may be looked at."""
    target = f"socket:[{row[9]}]"
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return next((pid for pid in pids if _holds(pid, target)), None)


def _address() -> str:
    return _LOOPBACK if sys.byteorder == "little" else "7F000001"


def _holds(pid: int, target: str) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    for name in names:
        try:
            if os.readlink(os.path.join(folder, name)) == target:
                return True
        except OSError:
            continue  # closed meanwhile
    return False


# end of module
