"""The calls of Linux that a rehearsal needs and Python does not have. Each raises OSError if it fails."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000

RDONLY, NOSUID, NODEV = 1, 2, 4
BIND, REC, PRIVATE = 4096, 16384, 1 << 18

_DETACH = 2
_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_PDEATHSIG, _DUMPABLE, _DROP_BOUND, _NO_NEW_PRIVS = 1, 4, 24, 38
_KILL = 9
_LAST_CAPABILITY = 63
_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280}
_JOIN_SESSION = 1
_FAMILIES = (0, 1, 2, 10, 16, 17)
"""Kinds of sockets that a network namespace holds: local, IP, netlink and packets. A virtual machine's host
(AF_VSOCK), Bluetooth and others would be reached through them all."""
_SECCOMP, _FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _FAIL, _KILL_ALL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _MACHINE, _FIRST = 0, 4, 16
_OTHER_INTERFACE = 0x40000000
"""A third set of calls on x86_64, which none of its programs uses."""
_MACHINES = {
    "x86_64": (0xC000003E, 41),
    "aarch64": (0xC00000B7, 198),
    "riscv64": (0xC00000F3, 198),
    "ppc64le": (0xC0000015, 326),
    "s390x": (0x80000016, 359),
}
"""How a filter calls the machine, and its number of the call `socket`."""
_MULTIPLEXED = {"ppc64le": 102, "s390x": 102}
_URING = 425

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "new namespaces")


def mount(source: str, target: str, kind: str, flags: int = 0, options: str = "") -> None:
    words = [os.fsencode(each) for each in (source, target, kind)]
    done = _libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None)
    _checked(done, f"{kind or 'mount'} at {target}")


def make_read_only(target: str, *, is_deep: bool = True) -> None:
    """Make a mount read-only, and all below it."""
    wanted = struct.pack("QQQQ", RDONLY | NOSUID, 0, 0, 0)
    way = _AT_RECURSIVE if is_deep else 0
    done = _libc.syscall(_SETATTR, _AT_FDCWD, os.fsencode(target), way, wanted, len(wanted))
    _checked(done, f"read-only at {target}")


def become_root_folder() -> None:
    """Make the current folder the root of all files, and forget the old one."""
    _checked(_libc.pivot_root(b".", b"."), "a new root folder")
    _checked(_libc.umount2(b".", _DETACH), "leaving the old root folder")
    os.chdir("/")


def end_with_parent() -> None:
    _prctl(_PDEATHSIG, _KILL)


def hide_memory() -> None:
    """No other process of this user can look into this one."""
    _prctl(_DUMPABLE, 0)


def drop_privileges(kept: frozenset[int]) -> None:
    """What is executed next has at most these capabilities, and gets no others."""
    for number in range(_LAST_CAPABILITY + 1):
        if number not in kept:
            _libc.prctl(
                _DROP_BOUND, number, 0, 0, 0
            )  # fails for those that the kernel does not know
    _prctl(_NO_NEW_PRIVS, 1)


def leave_keyring() -> None:
    """A session keyring of its own: the person's cannot be read or written."""
    number = _KEYCTL.get(platform.machine())
    if number is None:
        raise OSError(0, f"keyrings: this kind of machine is not known: {platform.machine()}")
    _checked(_libc.syscall(number, _JOIN_SESSION, None), "a keyring of its own")


def keep_sockets_inside() -> None:
    """What is executed next makes no sockets that lead out of its network; after ``drop_privileges``.

    What a filter cannot read is not there: rings, which make sockets, too,
    and the 32-bit interface, which ends its program.
    """
    machine, make = _MACHINES.get(platform.machine(), (0, 0))
    if not machine:
        raise OSError(0, f"sockets: this kind of machine is not known: {platform.machine()}")
    first = _FIRST + 4 * (sys.byteorder == "big")
    steps = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL_ALL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _OTHER_INTERFACE),
        (_RETURN, 0, 0, _FAIL | errno.ENOSYS),
    ]
    for number in filter(None, (_URING, _MULTIPLEXED.get(platform.machine()))):
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _FAIL | errno.ENOSYS)]
    steps += [(_EQUAL, 1, 0, make), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, first)]
    for family in _FAMILIES:
        steps += [(_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    steps.append((_RETURN, 0, 0, _FAIL | errno.EAFNOSUPPORT))
    code = b"".join(struct.pack("HBBI", *each) for each in steps)
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HL", len(steps), ctypes.addressof(kept))
    _checked(_libc.prctl(_SECCOMP, ctypes.c_ulong(_FILTER), program, 0, 0), "a filter of sockets")


def _prctl(option: int, value: Any) -> None:
    _checked(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


# end of module
