"""Replacing several files of a project's record at once: all of them, or none, whatever happens meanwhile.

The new files are written beside the record first. A signed list of them is the moment from which on the
change happens, in this process or in the next one that writes to the log. Owns that list, and how the log's
lines are chained again. Does not own what is changed (``sessions.scrub_service``).
"""

from __future__ import annotations

import hashlib
import os

from operators_edge import jsons
from operators_edge.errors import StateError
from operators_edge.storage import files, keys, segments
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from operators_edge.records import LogEntry
    from operators_edge.storage.registry import Registry

_STAGED = "scrub"
_NO_SCRUB = "edge log scrub"


def is_pending(root: str) -> bool:
    """Whether a list waits: a process was killed after it was written."""
    return os.path.lexists(os.path.join(segments.folder_of(root), segments.SCRUB_LIST))


class Staging:
    """New files that are written, but not yet in their places. One at a time, under the log's lock."""

    def __init__(self, root: str, env: Mapping[str, str]) -> None:
        self.root = root
        self.env = env
        self.items: list[dict[str, Any]] = []
        self.gone: list[str] = []
        self.end: tuple[int, str] | None = None
        """Number and hash of the last line of the new log."""
        self._folder = os.path.join(segments.folder_of(root), _STAGED)
        files.remove_tree(self._folder)  # of a process that was killed before its list was written
        files.ensure_private_dir(self._folder)

    def write(self, path: str, parts: Iterable[bytes]) -> None:
        """The new content of a file, in parts; its mode stays."""
        name = f"{len(self.items):06d}"
        digest = hashlib.sha256()
        fd = os.open(os.path.join(self._folder, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.fchmod(fd, os.stat(path).st_mode & 0o777)
            for part in parts:
                digest.update(part)
                files.write_all(fd, part)
            os.fsync(fd)
        except OSError as error:
            raise files.failure("write", path, error) from error
        finally:
            os.close(fd)
        inner = os.path.relpath(path, self.root).replace(os.sep, "/")
        self.items.append({"path": inner, "name": name, "sum": digest.hexdigest()})

    def drop(self, path: str) -> None:
        """A file or folder that goes: it can be made again."""
        self.gone.append(os.path.relpath(path, self.root).replace(os.sep, "/"))

    def commit(self, registry: Registry) -> None:
        """From here on it happens."""
        files.sync_dir(self._folder)
        record = {"files": self.items, "gone": self.gone, "end": self.end and list(self.end)}
        data = jsons.dumps(keys.signed(self.root, record, env=self.env)).encode()
        path = os.path.join(segments.folder_of(self.root), segments.SCRUB_LIST)
        files.write_durable(path, data, mode=0o600)
        finish(self.root, registry)

    def abandon(self) -> None:
        files.remove_tree(self._folder)


def finish(root: str, registry: Registry | None) -> None:
    """Put every file of the list into its place, under the log's lock; repeating it changes nothing.

    StateError if the list is not this person's: then nothing of it is done.
    """
    folder = segments.folder_of(root)
    path, staged = os.path.join(folder, segments.SCRUB_LIST), os.path.join(folder, _STAGED)
    data = files.read_bytes(path)
    if data is None:
        return
    if registry is None:
        raise StateError(f"{path} waits to be finished", hint=_NO_SCRUB)
    record = files.json_object(path, data, hint=f"Remove {path}: nothing of it was done.")
    if not keys.is_genuine(root, record, env=registry.env):
        hint = f"Somebody else wrote it. Remove it, and {staged}; then: edge log verify"
        raise StateError(f"{path} is not signed with your key", hint=hint)
    for each in record["files"]:
        _put(os.path.join(staged, each["name"]), _inside(root, each["path"]), each["sum"])
    for inner in record["gone"]:
        files.remove_tree(_inside(root, inner))
    if record["end"] is not None:
        seq, digest = record["end"]
        registry.write_head(seq, digest, [])
        registry.sync_head()
    os.unlink(path)
    files.sync_dir(folder)
    files.remove_tree(staged)


def _inside(root: str, inner: str) -> str:
    """The path of a file of the list; no part of it may be a link, which would lead elsewhere."""
    where = root
    for part in inner.split("/"):
        if part in ("", ".", ".."):
            raise StateError(f"{inner!r} is not a path in the project", hint=_NO_SCRUB)
        where = os.path.join(where, part)
        if os.path.islink(where):
            raise StateError(f"{where} is a symbolic link", hint="Put the file itself there.")
    return where


def _put(new: str, path: str, digest: str) -> None:
    try:
        with open(new, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return  # it is in its place already
    if found != digest:
        raise StateError(f"{new} is not what was written", hint="edge doctor")
    try:
        os.replace(new, path)
        files.sync_dir(os.path.dirname(path))
    except OSError as error:
        raise files.failure("replace", path, error) from error


# -- the log ---------------------------------------------------------------------------------------


class Chain:
    """The log's lines with changed entries, chained again from the first change on.

    ``change`` returns the entry without its secrets, or the same object; ``changed_line`` does so for a line
    that is no entry. A signed entry of this person is signed again, so that it still holds.
    """

    def __init__(
        self,
        root: str,
        change: Callable[[LogEntry], LogEntry],
        changed_line: Callable[[bytes], bytes],
        *,
        env: Mapping[str, str],
    ) -> None:
        self.root = root
        self.env = env
        self.changed: list[int] = []
        """The numbers of the entries that were changed."""
        self.seq = 0
        self.hash: str | None = None
        self._change = change
        self._changed_line = changed_line
        self._is_moved = False  # whether a line before was changed, so that hashes differ
        self._old, self._new = hashlib.sha256(), hashlib.sha256()  # of all lines so far

    def lines(self, given: Iterable[bytes]) -> Iterator[bytes]:
        """Each line as it will be, with its end."""
        for line in given:
            new = self._line(line)
            self._old.update(line + b"\n")
            self._new.update(new + b"\n")
            if new != line:
                self._is_moved = True
            if segments.parsed(new) is not None:
                self.hash = sha256_hex(new)
            yield new + b"\n"

    def _line(self, line: bytes) -> bytes:
        entry = segments.parsed(line)
        if entry is None:
            return self._changed_line(line)
        self.seq = entry["seq"]
        new = self._change(entry)
        is_changed = new is not entry
        if is_changed:
            self.changed.append(entry["seq"])
        new = self._signed_again(entry, new)
        if self._is_moved and self.hash is not None:
            new = {**new, "prev": self.hash}
        return line if new is entry else segments.encoded(new)

    def _signed_again(self, entry: LogEntry, new: LogEntry) -> LogEntry:
        data = entry.get("data")
        if not isinstance(data, dict) or "mac" not in data:
            return new
        changed = dict(new.get("data") or {})
        if entry.get("event") == "log_accepted" and data.get("digest") == self._old.hexdigest():
            changed["digest"] = self._new.hexdigest()
        if changed == data or not keys.is_genuine(self.root, data, env=self.env):
            return new
        return {**new, "data": keys.signed(self.root, changed, env=self.env)}

    def add(self, entry: LogEntry) -> bytes:
        """One more entry, at the end."""
        line = segments.encoded({**entry, "prev": self.hash or segments.START})
        self.seq, self.hash = entry["seq"], sha256_hex(line)
        return line + b"\n"


# end of module
