"""Lock files in ``.ai-handoff/locks``: taken by one, seen by everybody, renewed while their owner lives.

Owns the files. Does not own when one is stale (``bridge.lease``) or what is done with a stale one.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from operators_edge.bridge import layout, lease
from operators_edge.bridge.lease import LeaseLost
from operators_edge.datetimes import UTC, datetime
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import files, journal
from operators_edge.system import file_cache, processes
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from operators_edge.bridge.lease import LockRecord, Seen


_MAX_BYTES = 64 * 1024


def hostname() -> str:
    return socket.gethostname()


class LockFile:
    """One lock file; ``path`` is below the root."""

    def __init__(self, root: str, path: str) -> None:
        self._path = journal.place(root, path)

    def seen(self) -> Seen | None:
        """The lock as it is; None if there is none."""
        return _seen(self._path)

    def acquire(
        self, record: LockRecord, now: datetime, ttl: int, *, is_alone: bool = False
    ) -> Seen | None:
        """Take the lock, in the place of a stale one, too. None if it is ours now, else who has it.

        ``is_alone``: nobody else on this host can hold it, as the caller has the project's lock.
        """
        while not self.take(record):
            seen = self.seen()
            if seen is None:  # it was released just now
                continue
            is_alive = is_process_alive(seen.record or {})
            verdict = lease.verdict(seen, now=now, ttl=ttl, host=hostname(), is_alive=is_alive)
            is_nobodys = is_alone and not lease.is_of_another_host(seen, hostname())
            is_stale = is_nobodys or verdict == "stale"
            return None if is_stale and self.replace(seen, record) else seen
        return None

    def take(self, record: LockRecord) -> bool:
        """Create the lock with its content at once; False if there is one."""
        draft = self._draft(record)
        try:
            os.link(draft, self._path)
        except FileExistsError:
            return False
        except OSError as error:
            raise files.failure("lock", self._path, error) from error
        finally:
            os.unlink(draft)
        return True

    def replace(self, stale: Seen, record: LockRecord) -> bool:
        """Take the place of a stale lock; False if it is no longer what was seen."""
        aside = f"{self._path}.{record['token']}.stale"
        try:
            os.rename(self._path, aside)
        except FileNotFoundError:
            return self.take(record)
        moved = _seen(aside)
        is_other = moved is not None and moved.digest != stale.digest
        if is_other:  # another was faster: its lock goes back
            with suppress(FileExistsError):
                os.link(aside, self._path)
        _discard(aside)
        return not is_other and self.take(record)

    def renew(self, record: LockRecord, now: datetime) -> LockRecord:
        """Say that the owner lives; a deleted lock is there again. LeaseLost if it is another one."""
        renewed: LockRecord = {**record, "renewed_at": now.isoformat()}
        if self.seen() is None and self.take(renewed):
            return renewed
        self.require(record)
        os.replace(self._draft(renewed), self._path)
        return renewed

    def require(self, record: LockRecord) -> None:
        """Raise LeaseLost unless the lock is still this one."""
        seen = self.seen()
        if seen is None or (seen.record or {}).get("token") != record["token"]:
            raise LeaseLost(f"{self._path} is held by somebody else")

    def release(self, record: LockRecord) -> None:
        """Remove the lock if it is still this one."""
        with suppress(LeaseLost, FileNotFoundError):
            self.require(record)
            os.unlink(self._path)

    def _draft(self, record: LockRecord) -> str:
        """The content, durable, beside the lock: a link makes it the lock."""
        files.ensure_private_dir(os.path.dirname(self._path))
        draft = f"{self._path}.{os.urandom(6).hex()}.tmp"
        files.write_durable(draft, json.dumps(record, ensure_ascii=False).encode() + b"\n")
        return draft


def sweep(root: str) -> None:
    """Remove the task locks that are no worker's on this host any more, and what a killed one was writing."""
    folder = journal.target(root, f"{HANDOFF_DIR}/locks")
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        path = f"{HANDOFF_DIR}/locks/{name}"
        if name.endswith((".tmp", ".stale")):
            _discard(os.path.join(folder, name))
        elif name.endswith(".lock") and path != layout.WORKER_LOCK:
            seen = LockFile(root, path).seen()
            if seen is not None and not lease.is_of_another_host(seen, hostname()):
                _discard(os.path.join(folder, name))


def own_record(now: datetime, token: str) -> LockRecord:
    """What a lock of this process says."""
    return {
        "pid": os.getpid(),
        "created_at": now.isoformat(),
        "host": hostname(),
        "token": token,
    }


def is_process_alive(record: LockRecord) -> bool | None:
    """Whether the owner's process runs; None if that cannot be known here."""
    pid = record.get("pid")
    if record.get("host") != hostname() or not isinstance(pid, int):
        return None
    return processes.identity(pid) is not None


def _seen(path: str) -> Seen | None:
    """What is at this path; a link, a folder or a pipe is a lock that says nothing."""
    try:
        modified = datetime.fromtimestamp(os.lstat(path).st_mtime, UTC)
        with open(path, "rb", opener=open_plain) as file:
            data = file.read(_MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return lease.Seen(None, modified, "")
    return lease.Seen(_record(data), modified, sha256_hex(data))


def open_plain(path: str, flags: int) -> int:
    return file_cache.open_regular(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _discard(path: str) -> None:
    try:
        os.unlink(path)
    except IsADirectoryError:
        files.remove_tree(path)


def _record(data: bytes) -> LockRecord | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return cast("LockRecord", value) if isinstance(value, dict) else None


# end of module
