"""The trash: files and folders moved to a private folder in place of deletion, and moved back.

Owns the moves, the data about each entry, and that there is a complete copy at every moment. Does not own
what may be moved, or where to (``undo.trash_rules``).

An entry is at ``<user's folder>/trash/<project>/<number>/item``, with ``about.json`` next to it. If that is
on another file system, a small entry is copied, compared and only then removed; a large one is moved into the
project's ``.proof/trash``, because a copy would fill another disk. ``expire`` deletes what is too old.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.datetimes import timedelta
from operators_edge.errors import AnswerIsNo, StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.user_dirs import project_id, user_dir
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from typing import Any

LARGE = 200 << 20
"""Bytes above which an entry is not copied to another file system, if the project's own has room."""

_CHUNK = 1 << 20
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS, errno.EXDEV)


class Entry(NamedTuple):
    """``path`` is the original path, ``item`` the current one; ``time`` is ISO 8601, ``size`` in bytes."""

    id: int
    path: str
    item: str
    time: str
    by: str
    kind: str
    size: int
    files: int


class Trash:
    """The trash of one project and one user."""

    def __init__(
        self,
        root: str,
        *,
        clock: Callable[[], datetime],
        env: Mapping[str, str] = os.environ,
        large: int = LARGE,
    ) -> None:
        self._root = root
        self._clock = clock
        self._env = env
        self._large = large

    def move(self, path: str, *, by: str) -> Entry:
        """Move the file, folder or link at the absolute path here; raises StateError, AnswerIsNo."""
        kind, size, count = _measure(path)
        folder = self._new_folder()
        item = os.path.join(self._location(path, size, folder), "item")
        number, time = int(os.path.basename(folder)), self._clock().isoformat()
        entry = Entry(number, path, item, time, by, kind, size, count)
        about = {key: value for key, value in entry._asdict().items() if key != "id"}
        try:
            files.write_durable(os.path.join(folder, "about.json"), jsons.dumps(about).encode())
            _move(path, item, rename=_rename)
        except BaseException as error:
            self._forget(number, item)
            if isinstance(error, OSError):
                raise files.failure("move to the trash", path, error) from error
            raise
        return entry

    def entries(self) -> list[Entry]:
        """The entries, the newest first."""
        entries = (self._read(number) for number in self._numbers())
        return [each for each in entries if each is not None]

    def entry(self, number: int) -> Entry:
        entry = self._read(number)
        if entry is None:
            raise AnswerIsNo(f"there is no {number} in the trash", hint="edge trash list")
        return entry

    def restore(self, number: int, target: str) -> None:
        """Move an entry out to the absolute path, which must be free; its folder is created."""
        entry = self.entry(number)
        if os.path.lexists(target):
            hint = f"edge trash restore {number} --to ANOTHER_PATH"
            raise AnswerIsNo(f"{target} exists, and nothing is overwritten", hint=hint)
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            _move(entry.item, target, rename=_rename_to_free)
        except OSError as error:
            raise files.failure("restore to", target, error) from error
        self._forget(number, entry.item)

    def empty(self, *, before: datetime | None = None) -> list[Entry]:
        """Delete permanently everything, or what was moved here earlier than ``before``; returns it."""
        deleted = []
        for number in self._numbers():
            entry = self._read(number)
            if entry is not None and (before is None or entry.time < before.isoformat()):
                try:
                    _remove(entry.item)
                except OSError as error:
                    raise files.failure("delete", entry.item, error) from error
                deleted.append(entry)
                self._forget(number, entry.item)
        return deleted

    def expire(self, days: int | None) -> list[Entry]:
        """Delete what was moved here more days ago; nothing, if they are None."""
        return [] if days is None else self.empty(before=self._clock() - timedelta(days=days))

    # -- where entries are -----------------------------------------------------------------------

    def _folder(self) -> str:
        return os.path.join(user_dir(self._env), "trash", project_id(self._root))

    def _numbers(self) -> list[int]:
        try:
            names = os.listdir(self._folder())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise files.failure("list", self._folder(), error) from error
        return sorted((int(n) for n in names if n.isascii() and n.isdigit()), reverse=True)

    def _new_folder(self) -> str:
        """The folder of the next number; numbers are never used again."""
        base = make_user_dir(self._env, "trash", project_id(self._root))
        last = os.path.join(base, "last")
        with files.Lock(os.path.join(base, "lock"), command="edge trash"):
            known = files.read_bytes(last) or b"0"
            number = max([int(known) if known.isdigit() else 0, *self._numbers()]) + 1
            files.write_durable(last, str(number).encode())
            folder = os.path.join(base, str(number))
            files.ensure_private_dir(folder)
        return folder

    def _location(self, path: str, size: int, folder: str) -> str:
        device = os.lstat(path).st_dev
        proof = os.path.join(self._root, PROOF_DIR)
        if size <= self._large or os.lstat(folder).st_dev == device:
            return folder
        if not os.path.isdir(proof) or os.lstat(proof).st_dev != device:
            return folder
        inside = os.path.join(proof, "trash", os.path.basename(folder))
        files.ensure_private_dir(os.path.dirname(inside))
        files.ensure_private_dir(inside)
        return inside

    def _read(self, number: int) -> Entry | None:
        """None if the item is missing: the move was interrupted, or it was moved out again."""
        raw = files.read_bytes(os.path.join(self._folder(), str(number), "about.json"))
        if raw is None:
            return None
        try:
            entry = _entry(number, jsons.loads(raw))
        except (ValueError, KeyError, TypeError) as error:
            where = os.path.join(self._folder(), str(number))
            raise StateError(f"{where} cannot be read as an entry", hint="inspect it") from error
        return entry if os.path.lexists(entry.item) else None

    def _forget(self, number: int, item: str) -> None:
        """Delete the data about an entry whose item is missing; never an item."""
        folder = os.path.join(self._folder(), str(number))
        if os.path.lexists(item):
            return
        with suppress(OSError):  # an empty folder that remains takes no space and is not listed
            os.unlink(os.path.join(folder, "about.json"))
        for each in {folder, os.path.dirname(item)}:
            with suppress(OSError):  # see above
                os.rmdir(each)


def _entry(number: int, about: dict[str, Any]) -> Entry:
    texts = {key: str(about[key]) for key in ("path", "item", "time", "by", "kind")}
    return Entry(number, **texts, size=int(about["size"]), files=int(about["files"]))


# -- measuring ------------------------------------------------------------------------------------


def _measure(path: str) -> tuple[str, int, int]:
    """Its kind, bytes, and how many files and links; no link is followed."""
    try:
        info = os.lstat(path)
        if stat.S_ISLNK(info.st_mode):
            return "link", info.st_size, 1
        if not stat.S_ISDIR(info.st_mode):
            return "file", info.st_size, 1
        size = count = 0
        for _, each in _below(path):
            if each.st_dev != info.st_dev:
                raise AnswerIsNo(f"{path} contains another file system", hint="unmount it first")
            if not stat.S_ISDIR(each.st_mode):
                size, count = size + each.st_size, count + 1
    except OSError as error:
        raise files.failure("inspect", path, error) from error
    return "folder", size, count


def _below(path: str) -> Iterator[tuple[str, os.stat_result]]:
    """Everything below the folder; a folder before its contents."""
    for name in sorted(os.listdir(path)):
        full = os.path.join(path, name)
        info = os.lstat(full)
        yield full, info
        if stat.S_ISDIR(info.st_mode):
            yield from _below(full)


# -- moving ----------------------------------------------------------------------------------------


def _move(source: str, target: str, *, rename: Callable[[str, str], None]) -> None:
    """Move; at every moment one of the two is complete."""
    try:
        rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_across(source, target)
    else:
        files.sync_dir(os.path.dirname(source))
    files.sync_dir(os.path.dirname(target))


def _rename(source: str, target: str) -> None:
    info = os.lstat(source)
    mode = stat.S_IMODE(info.st_mode)
    if not stat.S_ISDIR(info.st_mode) or mode & 0o200:
        os.rename(source, target)
        return
    # A folder must itself be writable to change its parent.
    os.chmod(source, mode | 0o200)
    try:
        os.rename(source, target)
    except OSError:
        os.chmod(source, mode)
        raise
    os.chmod(target, mode)


def _rename_to_free(source: str, target: str) -> None:
    """Rename, and fail if the target exists: a rename replaces files, creating a link does not."""
    if os.path.isdir(source) and not os.path.islink(source):
        _rename(source, target)  # replaces no more than an empty folder
        return
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.rename(source, target)
        return
    try:
        os.unlink(source)
    except OSError:
        os.unlink(target)
        raise


def _move_across(source: str, target: str) -> None:
    draft = f"{target}.{os.urandom(6).hex()}.part"
    try:
        _copy(source, draft)
        _rename_to_free(draft, target)
    except BaseException:
        with suppress(OSError):  # the first error is the one to report
            if os.path.lexists(draft):
                _remove(draft)
        raise
    files.sync_dir(os.path.dirname(target))
    _remove(source)


def _copy(source: str, target: str) -> None:
    """A copy, verified by reading it back, with times and permissions."""
    info = os.lstat(source)
    if stat.S_ISLNK(info.st_mode):
        os.symlink(os.readlink(source), target)
    elif stat.S_ISDIR(info.st_mode):
        os.mkdir(target, 0o700)
        for name in os.listdir(source):
            _copy(os.path.join(source, name), os.path.join(target, name))
    elif stat.S_ISREG(info.st_mode):
        _copy_file(source, target, info)
    else:
        raise AnswerIsNo(
            f"{source} is a pipe, socket or device, and cannot be copied", hint=f"rm {source}"
        )
    if hasattr(os, "lchown") and os.geteuid() == 0:
        os.lchown(target, info.st_uid, info.st_gid)
    shutil.copystat(source, target, follow_symlinks=False)


def _copy_file(source: str, target: str, info: os.stat_result) -> None:
    digest = hashlib.sha256()
    fd = os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with open(source, "rb") as reading, os.fdopen(fd, "w+b") as writing:
        while chunk := reading.read(_CHUNK):
            digest.update(chunk)
            writing.write(chunk)
        writing.flush()
        os.fsync(writing.fileno())
        writing.seek(0)
        copied = hashlib.file_digest(writing, "sha256").digest()
    now = os.lstat(source)
    if copied != digest.digest() or files.stamp_of(now) != files.stamp_of(info):
        raise AnswerIsNo(f"{source} changed while it was copied", hint="repeat the command")


def _remove(path: str) -> None:
    """Delete a file or folder, even in read-only folders; links are not followed."""
    if os.path.islink(path) or not os.path.isdir(path):
        os.unlink(path)
        return
    os.chmod(path, 0o700)
    for full, info in _below(path):
        if stat.S_ISDIR(info.st_mode):
            os.chmod(full, 0o700)
    shutil.rmtree(path)


# end of module
