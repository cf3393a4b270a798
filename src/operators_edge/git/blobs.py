"""Ids of file contents, computed like git's blob ids but without running git.

A content id is git's id of the bytes on the disk, with a prefix for anything but an ordinary file: "x:"
executable, "l:" the target of a link, "m:" a repository of its own. "~" stands for a file that is too long to
be read, "?" for one that cannot be read, "" for no file. Does not own which files are compared
(``git.worktree``).
"""

from __future__ import annotations

import os
import stat

from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES = 16 * 1024 * 1024
"""A longer file is identified by its size, its time and three pieces of it."""

_MARKS = {"100644": "", "100755": "x:", "120000": "l:", "160000": "m:"}
_PIECE = 1024 * 1024
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


def content_id(
    path: str, hash_name: str, *, mode: str = "", nested: Callable[[str], str] | None = None
) -> str:
    """The id of what is at the path; ``hash_name`` is the repository's hash, "sha1" or "sha256".

    ``mode`` is the file's mode as git knows it ("" if unknown): not every file system has an executable bit.
    ``nested`` gives the id of a folder; without it a folder counts as no file.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return f"?{error.errno}"
    if stat.S_ISLNK(status.st_mode):
        return "l:" + _blob_id(os.fsencode(os.readlink(path)), hash_name)
    if stat.S_ISDIR(status.st_mode):
        return nested(path) if nested else ""
    if not stat.S_ISREG(status.st_mode):
        return f"?{stat.S_IFMT(status.st_mode):o}"
    is_executable = mode == "100755" or (mode != "100644" and bool(status.st_mode & stat.S_IXUSR))
    try:
        return ("x:" if is_executable else "") + _file_id(path, status, hash_name)
    except OSError:
        return f"?{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}"


def committed_id(mode: str, ident: str) -> str:
    """The content id of an object in git; "" for a mode that git does not store."""
    return _MARKS[mode] + ident if mode in _MARKS else ""


def hash_name_of(known: str) -> str:
    """The hash that a content id was made with."""
    return "sha256" if len(known.rpartition(":")[2]) == 64 else "sha1"


def _file_id(path: str, status: os.stat_result, hash_name: str) -> str:
    fd = os.open(path, _FLAGS)
    try:
        if status.st_size > MAX_BYTES:
            return _long_file_id(fd, status)
        data = bytearray()
        while piece := os.read(fd, max(status.st_size - len(data), 0) + _PIECE):
            data += piece
    finally:
        os.close(fd)
    return _blob_id(bytes(data), hash_name)


def _long_file_id(fd: int, status: os.stat_result) -> str:
    pieces = [f"{status.st_size} {status.st_mtime_ns} ".encode()]
    for at in (0, status.st_size // 2, status.st_size - _PIECE):
        os.lseek(fd, at, os.SEEK_SET)
        pieces.append(os.read(fd, _PIECE))
    return "~" + sha256_hex(b"".join(pieces))


def _blob_id(data: bytes, hash_name: str) -> str:
    return digest(b"blob %d\0%b" % (len(data), data), hash_name)


def digest(whole: bytes, hash_name: str) -> str:
    """Git's id of an object, with its kind and its length before its content."""
    return sha256_hex(whole) if hash_name == "sha256" else _sha1_hex(whole)


def _sha1_hex(data: bytes) -> str:
    """SHA-1 is git's choice; without ``hashlib`` for the reason given in ``system.digest``."""
    try:
        from _sha1 import sha1  # type: ignore[import-not-found]  # noqa: PLC0415
    except ImportError:
        from hashlib import sha1  # noqa: PLC0415 - an interpreter built without it
    digest: str = sha1(data, usedforsecurity=False).hexdigest()
    return digest


# end of module
