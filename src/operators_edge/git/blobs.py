"""What tells one content of a file from another, told like git tells it, without asking git.

Owns reading and hashing. A value is git's id of the bytes as they lie on the disk, with a mark before it for
what is no ordinary file: "x:" executable, "l:" a link's target, "m:" a repository of its own; "~" stands for
one that is too long to be read, "?" for one that cannot be. "" is no file. Does not own which files are asked
about (``git.worktree``).
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 16 * 1024 * 1024
"""A longer file is known by its size, its time and three pieces of it."""

_MARKS = {"100644": "", "100755": "x:", "120000": "l:", "160000": "m:"}
_PIECE = 1024 * 1024
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


def value(
    path: str, form: str, *, mode: str = "", nested: Callable[[str], str] | None = None
) -> str:
    """The content at the path; ``form`` is the repository's way of hashing, "sha1" or "sha256".

    ``mode`` is what git takes the file's mode for, where it knows: not every file system has an executable
    bit. ``nested`` tells a folder's value; without it a folder is no file.
    """
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return f"?{error.errno}"
    if stat.S_ISLNK(found.st_mode):
        return "l:" + _id(os.fsencode(os.readlink(path)), form)
    if stat.S_ISDIR(found.st_mode):
        return nested(path) if nested else ""
    if not stat.S_ISREG(found.st_mode):
        return f"?{stat.S_IFMT(found.st_mode):o}"
    is_executable = mode == "100755" or (mode != "100644" and bool(found.st_mode & stat.S_IXUSR))
    try:
        return ("x:" if is_executable else "") + _of_file(path, found, form)
    except OSError:
        return f"?{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}"


def committed(mode: str, ident: str) -> str:
    """The value of what git holds under the id; "" for what it does not hold."""
    return _MARKS[mode] + ident if mode in _MARKS else ""


def form_of(known: str) -> str:
    """The way of hashing that a value shows."""
    return "sha256" if len(known.rpartition(":")[2]) == 64 else "sha1"


def _of_file(path: str, found: os.stat_result, form: str) -> str:
    fd = os.open(path, _FLAGS)
    try:
        if found.st_size > MOST_BYTES:
            return _of_long(fd, found)
        data = bytearray()
        while piece := os.read(fd, max(found.st_size - len(data), 0) + _PIECE):
            data += piece
    finally:
        os.close(fd)
    return _id(bytes(data), form)


def _of_long(fd: int, found: os.stat_result) -> str:
    pieces = [f"{found.st_size} {found.st_mtime_ns} ".encode()]
    for at in (0, found.st_size // 2, found.st_size - _PIECE):
        os.lseek(fd, at, os.SEEK_SET)
        pieces.append(os.read(fd, _PIECE))
    return "~" + sha256_hex(b"".join(pieces))


def _id(data: bytes, form: str) -> str:
    whole = b"blob %d\0%b" % (len(data), data)
    return sha256_hex(whole) if form == "sha256" else _sha1_hex(whole)


def _sha1_hex(data: bytes) -> str:
    """Git's own choice; without ``hashlib``, for the reason ``system.digest`` gives."""
    try:
        from _sha1 import sha1  # type: ignore[import-not-found]  # noqa: PLC0415
    except ImportError:
        from hashlib import sha1  # noqa: PLC0415 - an interpreter built without it
    digest: str = sha1(data, usedforsecurity=False).hexdigest()
    return digest
