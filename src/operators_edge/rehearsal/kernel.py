"""The calls of Linux that a rehearsal needs and Python does not have. Each raises OSError if it fails."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
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
_SOCKET = {"x86_64": 41, "aarch64": 198, "riscv64": 198, "ppc64le": 326, "s390x": 359}
_FAMILIES = (0, 1, 2, 10, 16, 17)
"""Kinds of sockets that a network namespace holds: local, IP, netlink and packets. A virtual machine's host
(AF_VSOCK), Bluetooth and others would be reached through them all."""
_SECCOMP, _FILTER = 22, 2
_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOWED, _REFUSED = 0x7FFF0000, 0x00050000

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
    """What is executed next makes no sockets that lead out of its network; after ``drop_privileges``."""
    number = _SOCKET.get(platform.machine())
    if number is None:
        raise OSError(0, f"sockets: this kind of machine is not known: {platform.machine()}")
    count = len(_FAMILIES)
    first = 16 + (4 if sys.byteorder == "big" else 0)  # the lower half of the first argument
    program = [
        (_LOAD, 0, 0, 0),
        (_IF_EQUAL, 0, count + 2, number),
        (_LOAD, 0, 0, first),
        *((_IF_EQUAL, count - at, 0, family) for at, family in enumerate(_FAMILIES)),
        (_RETURN, 0, 0, _REFUSED | errno.EAFNOSUPPORT),
        (_RETURN, 0, 0, _ALLOWED),
    ]
    code = b"".join(struct.pack("=HBBI", *each) for each in program)
    held = ctypes.create_string_buffer(code)
    given = struct.pack("@HP", len(program), ctypes.addressof(held))
    _checked(_libc.prctl(_SECCOMP, _FILTER, given, 0, 0), "a filter for sockets")


def _prctl(option: int, value: Any) -> None:
    _checked(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


# end of module
