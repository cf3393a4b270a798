"""Durable files: the lock between processes, and atomic writes.

Owns locking, durable replacement, private folders and the messages for errors of the disk. Does not own the
content of the files.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.errors import LockHeld, StateDamaged, StateError, remedy
from operators_edge.system import file_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from typing import Any, Self

Stamp = tuple[int, int, int]
"""Size, mtime in nanoseconds and inode: these identify a version of a file."""

OLD_SECONDS = 3600
"""A temporary file that nobody has written to for so long is nobody's any more."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def stamp_of(status: os.stat_result) -> Stamp:
    return (status.st_size, status.st_mtime_ns, status.st_ino)


ABSENT = (FileNotFoundError, NotADirectoryError)
"""A path does not exist; the second: there is a file in the place of a folder above it."""


UNCHANGED = "The file is unchanged."


class Unconfirmed(StateError):
    """The new content is in place, but the disk did not confirm that it will stay."""


def failure(what: str, path: str, error: OSError) -> StateError:
    """An error of the operating system as one that says what to do about it."""
    hint = remedy(error.errno, os.path.dirname(path) or ".") or "edge doctor"
    if error.errno in _FULL:
        hint = f"{hint} {UNCHANGED}"
    return StateError(f"Cannot {what} {path}: {error.strerror or error}", hint=hint)


def read_bytes(path: str) -> bytes | None:
    """The file's content; None only if it does not exist. Any other failure is a StateError."""
    try:
        with open(path, "rb", opener=file_cache.open_regular) as stream:
            return stream.read()
    except ABSENT:
        return None
    except OSError as error:
        raise failure("read", path, error) from error


def json_object(path: str, data: bytes, *, hint: str) -> dict[str, Any]:
    """The JSON object that the file's content is; StateDamaged for anything else."""
    try:
        value = jsons.loads(data)
    except ValueError as error:
        raise StateDamaged(path, f"it cannot be read as JSON: {error}", hint=hint) from error
    if not isinstance(value, dict):
        raise StateDamaged(path, "it holds no JSON object", hint=hint)
    return value


def ensure_private_dir(path: str) -> None:
    """Create the folder, private and durably, with its parents; an existing one is not changed."""
    made, above = [path], os.path.dirname(path) or "."
    while not os.path.isdir(above) and os.path.dirname(above) not in ("", above):
        made.append(above)
        above = os.path.dirname(above)
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        os.mkdir(path, 0o700)
        for each in made:
            sync_dir(os.path.dirname(each) or ".")
    except FileExistsError:
        if not os.path.isdir(path):
            raise StateError(f"{path} is not a folder", hint="Move it away.") from None
    except OSError as error:
        raise failure("make", path, error) from error


def write_durable(
    path: str, data: bytes, *, mode: int | None = None, before: Callable[[], None] | None = None
) -> Stamp:
    """Replace the file's content atomically and durably, and return the new file's stamp.

    A symbolic link is followed and stays; an existing file keeps its mode and (for root) its owner; ``mode``
    is for a new one, 0600 by default. ``before`` runs when the data is synced and only the rename is left: if
    it raises, the old file stays.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    temp = os.path.join(folder, f".{os.path.basename(target)}.{os.urandom(6).hex()}.tmp")
    try:
        stamp = _fill(temp, target, data, 0o600 if mode is None else mode)
        if before is not None:
            before()
        _replace(temp, target)
    except BaseException as error:
        with suppress(OSError):  # it may not exist; the first error is the one to report
            os.unlink(temp)
        if isinstance(error, OSError):
            raise failure("write", target, error) from error
        raise
    try:
        sync_dir(folder)
    except OSError as error:
        hint = "The new content is in place, but the disk did not confirm it."
        raise Unconfirmed(failure("confirm", target, error).message, hint=hint) from error
    return stamp


def write_all(fd: int, data: bytes) -> None:
    """Write all of it, even if the system takes it in pieces."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def write_cache(path: str, data: bytes) -> None:
    """Replace a file that can be rebuilt, atomically, without waiting for the disk.

    If it cannot be written (a full disk, a read-only project) it stays unchanged, which only costs time.
    """
    with suppress(OSError, StateError):
        ensure_private_dir(os.path.dirname(path))
        replace_file(path, data, temp=f"{path}.{os.urandom(6).hex()}.tmp")


def replace_file(path: str, data: bytes, *, temp: str) -> None:
    """Replace a file atomically, without waiting for the disk; ``temp`` is written first."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        fd = os.open(temp, flags | getattr(os, "O_BINARY", 0), 0o600)
        try:
            write_all(fd, data)
        finally:
            os.close(fd)
        os.replace(temp, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temp)
        raise


def remove_tree(path: str) -> None:
    """Remove a folder with everything in it, however deep, and whatever its permissions are.

    What cannot be removed stays; a link is not followed. Each folder is moved up before it is looked into, so
    that no path gets too long.
    """
    todo = [path]
    while todo:
        folder = todo.pop()
        with suppress(OSError):
            if os.path.islink(folder) or not os.path.isdir(folder):
                os.unlink(folder)
                continue
            os.chmod(folder, 0o700)
            for each in os.listdir(folder):
                inner = os.path.join(folder, each)
                if os.path.isdir(inner) and not os.path.islink(inner):
                    os.chmod(inner, 0o700)  # to move it
                    lifted = f"{path}.{os.urandom(6).hex()}.gone"
                    os.rename(inner, lifted)
                    todo.append(lifted)
                else:
                    os.unlink(inner)
            os.rmdir(folder)


def remove_empty_folders(top: str, folder: str) -> None:
    """Remove a folder below ``top``, and those above it, as long as they are empty."""
    while folder:
        try:
            os.rmdir(os.path.join(top, folder))
        except OSError:
            return  # it is not empty
        folder = os.path.dirname(folder)


def sweep(path: str) -> None:
    """Delete temporary files of killed writers of ``path``; none may be running."""
    folder, name = os.path.split(os.path.realpath(path))
    with suppress(OSError):  # leftovers only take space
        for each in os.listdir(folder):
            if each.startswith(f".{name}.") and each.endswith(".tmp"):
                os.unlink(os.path.join(folder, each))


def free_path(folder: str, name: str) -> str:
    """A path in the folder that nothing has yet."""
    ensure_private_dir(folder)
    number, path = 1, os.path.join(folder, name)
    while os.path.lexists(path):
        number += 1
        path = os.path.join(folder, f"{name}.{number}")
    return path


def sweep_folder(folder: str, *, older_than: float = 0) -> None:
    """Delete temporary files of killed writers in this folder; none may be running.

    ``older_than``: only files that were last written so many seconds ago.
    """
    with suppress(OSError):  # see sweep
        for each in os.scandir(folder):
            if not re.search(r".\.[0-9a-f-]{12,}\.tmp$", each.name):
                continue
            if time.time() - each.stat(follow_symlinks=False).st_mtime >= older_than:
                os.unlink(each.path)


def _fill(temp: str, target: str, data: bytes, mode: int) -> Stamp:
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        try:
            status = os.stat(target)
        except FileNotFoundError:
            status = None
        if status is not None:
            mode = stat.S_IMODE(status.st_mode)
        if hasattr(os, "fchown"):
            if status is not None and os.geteuid() == 0:
                os.fchown(fd, status.st_uid, status.st_gid)
            os.fchmod(fd, mode)
        write_all(fd, data)
        os.fsync(fd)
        return stamp_of(os.fstat(fd))
    finally:
        os.close(fd)


def _replace(temp: str, target: str) -> None:
    """Rename over ``target``. On Windows a reader without share-delete makes this fail for a moment."""
    if sys.platform != "win32":
        os.replace(temp, target)
        return
    patience = time.monotonic() + 2.0
    while True:
        try:
            os.replace(temp, target)
        except PermissionError:
            if time.monotonic() > patience:
                raise
            time.sleep(0.01)  # Windows has nothing to wait on for another process's open file
        else:
            return


def sync_file(fd: int) -> None:
    """Make what was written to a file survive a power cut, and close it. On Windows it must be writable."""
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_dir(folder: str) -> None:
    """Make renames in the folder survive a power cut; do nothing if folders cannot be synced."""
    if sys.platform == "win32":
        return
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems
            raise
    finally:
        os.close(fd)


if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    class _Overlapped(ctypes.Structure):
        _fields_ = (
            ("internal", ctypes.c_void_p),
            ("internal_high", ctypes.c_void_p),
            ("offset", wintypes.DWORD),
            ("offset_high", wintypes.DWORD),
            ("event", wintypes.HANDLE),
        )

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.LockFileEx.argtypes = (
        wintypes.HANDLE,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.DWORD,
        ctypes.POINTER(_Overlapped),
    )
    _kernel.LockFileEx.restype = wintypes.BOOL
    _EXCLUSIVE, _AT_ONCE, _LOCK_VIOLATION = 2, 1, 33

    def _lock(fd: int, *, block: bool) -> bool:
        # One byte far beyond the text: a locked range could not be read by waiting processes.
        where = _Overlapped(offset=0x7FFFFFFF)
        flags = _EXCLUSIVE if block else _EXCLUSIVE | _AT_ONCE
        if _kernel.LockFileEx(msvcrt.get_osfhandle(fd), flags, 0, 1, 0, ctypes.byref(where)):
            return True
        code = ctypes.get_last_error()
        if code == _LOCK_VIOLATION and not block:
            return False
        raise ctypes.WinError(code)

else:
    import fcntl

    def _lock(fd: int, *, block: bool) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX if block else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_held: set[int] = set()


def _close_inherited() -> None:
    """In a forked child: close the copies of the parent's locks, or they would outlive it."""
    for fd in _held:
        with suppress(OSError):  # closed between the fork and here
            os.close(fd)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited)


_queue_seconds = 0.0


def stand_in_line(seconds: float) -> None:
    """From now on this process waits so long for a lock while it passes from one to the next.

    For commands: several at once wait for each other. A hook has a deadline, and gives up before.
    """
    global _queue_seconds  # noqa: PLW0603 - a property of the process
    _queue_seconds = seconds


class _Queue:
    """Whether a lock for which this process waits passes from one holder to the next."""

    def __init__(self, lock: Lock) -> None:
        self._lock = lock
        self._holder = lock.holder()
        self._end = time.monotonic() + _queue_seconds

    def is_moving(self) -> bool:
        before, self._holder = self._holder, self._lock.holder()
        return self._holder != before and time.monotonic() < self._end


class _Wait:
    """One blocking attempt in a thread: the thread can be abandoned, and polling would starve."""

    def __init__(self, fd: int) -> None:
        import threading  # noqa: PLC0415 - only if another process holds the lock

        self._fd = fd
        self._guard = threading.Lock()
        self._done = threading.Event()
        self._is_given_up = False
        self._error: OSError | None = None
        self._thread: threading.Thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            _lock(self._fd, block=True)
        except OSError as error:
            self._error = error
        with self._guard:
            if self._is_given_up:
                _drop(self._fd)
            self._done.set()

    def for_seconds(self, limit: float, is_moving: Callable[[], bool]) -> bool:
        """True if the lock was acquired; else the descriptor is closed now or as soon as possible.

        It waits as long again while ``is_moving``.
        """
        self._thread.start()
        got = False
        try:
            while not self._done.wait(limit) and is_moving():
                pass
            got = self._done.is_set() and self._error is None
        finally:
            with self._guard:
                if not got and self._done.is_set():
                    _drop(self._fd)
                self._is_given_up = not got
        if self._error is not None:
            raise self._error
        return got


def _drop(fd: int) -> None:
    _held.discard(fd)
    os.close(fd)  # the only descriptor of its open file: closing it releases the lock


class Lock:
    """An exclusive lock between processes and threads that ends with the process that holds it.

    ``with Lock(path, command="edge plan add"): ...`` blocks, and after ``limit`` seconds raises LockHeld
    with the holder's name. Not reentrant. ``is_after_crash`` is True if the previous holder ended without
    releasing it: its work may be unfinished.
    """

    def __init__(self, path: str, *, command: str, limit: float = 5.0) -> None:
        self.path = path
        self.command = command
        self.limit = limit
        self.is_after_crash = False
        self._fd = -1

    def __enter__(self) -> Self:
        ensure_private_dir(os.path.dirname(self.path))
        deadline = time.monotonic() + self.limit
        try:
            fd = self._take(deadline)
            while not self._is_current(fd):  # deleted while waiting: the new file is the lock
                _drop(fd)
                fd = self._take(deadline)
        except OSError as error:
            raise failure("lock", self.path, error) from error
        self.is_after_crash = os.fstat(fd).st_size > 0
        self._write_holder(fd)
        self._fd = fd
        return self

    def __exit__(self, *_: object) -> None:
        fd, self._fd = self._fd, -1
        with suppress(OSError):  # the name is only for waiting processes
            os.ftruncate(fd, 0)
        _drop(fd)

    def fileno(self) -> int:
        """The descriptor that holds it: a process that inherits it holds it, too."""
        return self._fd

    def _take(self, deadline: float) -> int:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        fd = os.open(self.path, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
        _held.add(fd)
        try:
            if _lock(fd, block=False):
                return fd
            limit = deadline - time.monotonic()
            wait = _Wait(fd)
        except BaseException:
            _drop(fd)
            raise
        if limit <= 0:
            _drop(fd)
        elif wait.for_seconds(limit, _Queue(self).is_moving):
            return fd
        raise self._held_error()

    def _is_current(self, fd: int) -> bool:
        if sys.platform == "win32":
            return True  # an open file cannot be removed there
        try:
            there = os.stat(self.path)
        except FileNotFoundError:
            ensure_private_dir(os.path.dirname(self.path))
            return False
        return os.path.samestat(there, os.fstat(fd))

    def _write_holder(self, fd: int) -> None:
        since = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
        holder = {"pid": os.getpid(), "command": self.command, "since": since}
        with suppress(OSError):  # a full disk: the lock holds without the name
            # Never empty in between: after a crash the next holder must see that there was one.
            os.lseek(fd, 0, os.SEEK_SET)
            os.ftruncate(fd, os.write(fd, jsons.dumps(holder).encode()))

    def holder(self) -> str:
        """Who holds it now, as far as it left a name."""
        try:
            holder = jsons.loads(read_bytes(self.path) or b"")
            return f"process {holder['pid']} ({holder['command']}), since {holder['since']}"
        except (ValueError, KeyError, TypeError, StateError):
            return "a process that left no name"

    def _held_error(self) -> LockHeld:
        who = self.holder()
        return LockHeld(
            f"{self.path} is held by {who}; waited {self.limit:g} s",
            hint="Let it finish, or end that process; the lock ends with it.",
        )


# end of module
