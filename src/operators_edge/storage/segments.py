"""Reading the proof log's files: the segments, their lines, and the last valid line.

Nothing here writes, and reading needs no lock while others write: a line without its newline does not count
yet.
"""

from __future__ import annotations

import errno
import os
import re
import stat

from operators_edge import jsons
from operators_edge.errors import StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.storage.files import failure, write_durable
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from operators_edge.records import LogEntry

KEEP_EVERY = 20_000
"""Entries after which a reader keeps what it has made of them: if it is stopped, they are not read again."""

LOG_NAME = "session_log.jsonl"
SEALED_DIR = "log"
SCRUB_LIST = "scrub.json"
"""What a command that takes secrets out of the record leaves when it is killed (``storage.scrub``)."""

START = "0" * 64
"""The hash of the line before in the very first line."""

_BLOCK = 64 * 1024

# Characters that a terminal, an editor or a line splitter acts on; they are stored as escapes.
_ESCAPED = "[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"

Position = tuple[int, int, str]
"""Where reading stopped: first number of the segment, offset, hash of the last line read."""


def folder_of(root: str) -> str:
    """``.proof``; refused if it is a link, as the log would be somewhere else."""
    folder = os.path.join(root, PROOF_DIR)
    if os.path.islink(folder):
        raise _is_link(folder)
    return folder


def current_path(root: str) -> str:
    return os.path.join(folder_of(root), LOG_NAME)


def sealed_dir(root: str) -> str:
    folder = os.path.join(folder_of(root), SEALED_DIR)
    if os.path.islink(folder):
        raise _is_link(folder)
    return folder


def sealed_path(root: str, first_seq: int) -> str:
    return os.path.join(sealed_dir(root), f"{first_seq:012d}.jsonl")


def sealed(root: str, before: int | None = None) -> list[tuple[int, str]]:
    """First number and path of every sealed segment (with entries before a number), oldest first."""
    folder = sealed_dir(root)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise failure("read", folder, error) from error
    found = (name.removesuffix(".jsonl") for name in names if name.endswith(".jsonl"))
    numbers = sorted(int(each) for each in found if each.isdecimal())
    return [(n, sealed_path(root, n)) for n in numbers if before is None or n < before]


def open_log(path: str, flags: int = os.O_RDONLY) -> int:
    """Open a regular file, never the target of a link. FileNotFoundError is passed on."""
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe would block
    if is_alias(path):
        _clear_alias(path, flags)
    if not hasattr(os, "O_NOFOLLOW") and os.path.islink(path):
        raise _is_link(path)
    try:
        fd = os.open(path, flags, 0o600)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _is_link(path) from error
        raise failure("open", path, error) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise StateError(f"{path} is not an ordinary file", hint="Move it away.")
    return fd


class Opened:
    """A descriptor for reading a file of the log while this context lasts; None if there is no such file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd: int | None = None

    def __enter__(self) -> int | None:
        try:
            self._fd = open_log(self._path)
        except FileNotFoundError:
            return None
        return self._fd

    def __exit__(self, *_: object) -> None:
        if self._fd is not None:
            os.close(self._fd)


def is_alias(path: str) -> bool:
    """Whether the log's name is a link of versions before 4, to their own log."""
    if os.path.basename(path) != LOG_NAME or not os.path.islink(path):
        return False
    folder, _, name = os.readlink(path).replace("\\", "/").rpartition("/")
    return folder == "sessions" and name.endswith(".jsonl")


def _clear_alias(path: str, flags: int) -> None:
    """Remove the link before the log is created; for a reader there is no log yet. Its target stays."""
    if not flags & os.O_CREAT:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    try:
        os.unlink(path)
    except OSError as error:
        raise failure("remove", path, error) from error


def _is_link(path: str) -> StateError:
    return StateError(f"{path} is a symbolic link", hint="Put the folder or file itself there.")


def parsed(line: bytes) -> LogEntry | None:
    """The entry of a line; None for a line that is not an entry."""
    try:
        entry = jsons.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("prev"), str):
        return None
    seq = entry.get("seq")
    if not isinstance(seq, int) or isinstance(seq, bool):
        return None
    return cast("LogEntry", entry)


def encoded(entry: Mapping[str, Any]) -> bytes:
    """The line of an entry, without its end."""
    text = jsons.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    if not text.isascii() or "\x7f" in text:
        text = re.sub(_ESCAPED, lambda found: f"\\u{ord(found.group()):04x}", text)
    return text.encode()


UNREADABLE = "log_unreadable"
"""The event of a line that is not an entry."""


def read(line: bytes) -> LogEntry:
    """The entry of a line; an entry with the event UNREADABLE for anything else."""
    entry = parsed(line)
    if entry is None:
        return cast("LogEntry", {"seq": None, "event": UNREADABLE, "data": {"bytes": len(line)}})
    return entry


class End:
    """The last valid line of a file: its number, the hash of its bytes, and the offset after it."""

    __slots__ = ("hash", "offset", "seq")

    def __init__(self, seq: int = 0, digest: str = START, offset: int = 0) -> None:
        self.seq = seq
        self.hash = digest
        self.offset = offset


def end_of(fd: int, size: int) -> End:
    """Search from the file's end, at a cost that does not depend on its length."""
    reach = _BLOCK
    while True:
        start = max(0, size - reach)
        data = _read_at(fd, start, size - start)
        stop = data.rfind(b"\n")
        while stop >= 0:
            begin = data.rfind(b"\n", 0, stop) + 1
            if begin == 0 and start > 0:
                break  # the line begins before this block
            line = data[begin:stop]
            entry = parsed(line)
            if entry is not None:
                return End(entry["seq"], sha256_hex(line), start + stop + 1)
            stop = begin - 1
        if start == 0:
            return End()
        reach *= 4


def first_seq(fd: int) -> int | None:
    """The seq of the file's first good line."""
    for line, _ in lines(fd, 0, None, reach=_BLOCK):
        entry = parsed(line)
        if entry is not None:
            return int(entry["seq"])
    return None


def lines(
    fd: int, offset: int, stop: int | None, *, mark: bytes = b"", reach: int = _BLOCK * 16
) -> Iterator[tuple[bytes, int]]:
    """Every complete line from ``offset``, without its newline, and the offset after it.

    ``stop`` limits what is read; None means up to the end at the time it is reached. With a ``mark`` only
    the lines that contain it are returned, and the last line of each block, so that the offset advances.
    ``reach`` is the size of a block.
    """
    rest = b""
    where = offset
    while stop is None or where < stop:
        block = _read_at(fd, where, reach if stop is None else min(reach, stop - where))
        if not block:
            return
        where += len(block)
        whole, newline, rest = (rest + block).rpartition(b"\n")
        if newline:
            yield from _marked(whole, mark, offset) if mark else _every(whole, offset)
            offset += len(whole) + 1


def _every(whole: bytes, offset: int) -> Iterator[tuple[bytes, int]]:
    for line in whole.split(b"\n"):
        offset += len(line) + 1
        yield line, offset


def _marked(whole: bytes, mark: bytes, offset: int) -> Iterator[tuple[bytes, int]]:
    at = 0
    while at <= len(whole):
        found = whole.find(mark, at)
        near = len(whole) if found < 0 else found
        begin = max(at, whole.rfind(b"\n", at, near) + 1)
        end = whole.find(b"\n", near)
        at = len(whole) + 1 if end < 0 else end + 1
        yield whole[begin : at - 1], offset + at


def last_lines(fd: int, size: int, count: int) -> list[bytes]:
    """The last ``count`` complete lines, oldest first."""
    reach = _BLOCK
    while True:
        start = max(0, size - reach)
        data = _read_at(fd, start, size - start)
        data = data[: data.rfind(b"\n") + 1]
        if data.count(b"\n") > count or start == 0:
            return data.split(b"\n")[:-1][-count:] if count else []
        reach *= 4


def last_with(fd: int, mark: bytes, event: str) -> int | None:
    """The offset of the last complete line with that event; ``mark`` as in ``lines``."""
    found = None
    for line, behind in lines(fd, 0, None, mark=mark):
        entry = parsed(line) if mark in line else None
        if entry is not None and entry.get("event") == event:
            found = behind - len(line) - 1
    return found


def _read_at(fd: int, start: int, count: int) -> bytes:
    os.lseek(fd, start, os.SEEK_SET)
    parts = []
    while count > 0:
        part = os.read(fd, count)
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


# -- across segments -------------------------------------------------------------------------------


def shorten(path: str, seq: int) -> None:
    """Replace a segment by its entries from a number on, byte for byte."""
    with Opened(path) as fd:
        if fd is None:
            return
        kept = [line for line, _ in lines(fd, 0, None) if int(read(line).get("seq") or seq) >= seq]
    write_durable(path, b"".join(line + b"\n" for line in kept), mode=0o600)


def lines_of(path: str) -> Iterator[bytes]:
    """Every complete line of one file of the log."""
    with Opened(path) as fd:
        if fd is not None:
            yield from (line for line, _ in lines(fd, 0, None))


class PositionLost(StateError):
    """The log was replaced or truncated since the position was taken: read it from the beginning."""


def position(line: bytes, place: tuple[int, int]) -> Position:
    """The position after a line: its segment, the offset after it, its hash."""
    return (*place, sha256_hex(line))


def all_lines(
    root: str, start: Position | None, *, skip_before: int = 0, mark: bytes = b""
) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Raw lines across segments, each with its segment's first number and the offset after it.

    The current segment is opened first, so that none is lost if it is sealed meanwhile. ``mark`` as in
    ``lines``.
    """
    with Opened(current_path(root)) as current:
        newest = first_seq(current) if current is not None else None
        older = sealed(root, before=newest)
        least = start[0] if start else skip_before
        if start is not None and least not in (newest, *(first for first, _ in older)):
            raise PositionLost("The log is not the same one as before")
        for first, path in older:
            if first >= least:
                with Opened(path) as fd:
                    yield from _segment(fd, first, start, mark)
        if newest is not None and newest >= least:
            yield from _segment(current, newest, start, mark)


def digest_of_all(root: str) -> str:
    """The SHA-256 of every complete line of the log, in hex."""
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL: see system.digest

    whole = sha256()
    for line, _ in all_lines(root, None):
        whole.update(line + b"\n")
    return whole.hexdigest()


def lines_from(root: str, seq: int) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """The same from the segment on that contains an entry's number."""
    segment = max((first for first, _ in sealed(root) if first <= seq), default=0)
    return all_lines(root, None, skip_before=segment)


def _segment(
    fd: int | None, first: int, start: Position | None, mark: bytes
) -> Iterator[tuple[bytes, tuple[int, int]]]:
    if fd is None:
        return  # deleted meanwhile
    offset, digest = 0, ""
    if start is not None and start[0] == first:
        _, offset, digest = start
        before = b"".join(last_lines(fd, offset, 1)) if offset else b""
        is_same = not offset or sha256_hex(before) == digest
        if offset > os.fstat(fd).st_size or not is_same:
            raise PositionLost("The log was changed before the place where reading stopped")
    for line, behind in lines(fd, offset, None, mark=mark):
        yield line, (first, behind)


# end of module
