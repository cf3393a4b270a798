"""What git does not store of files and folders: permissions, times, hard links, empty folders.

Owns reading them for a snapshot, and setting them when one is applied. Does not own the files' contents
(``undo.snapshots``, ``undo.restore``). Of a tree of any size only the files are looked at that changed since
the last snapshot: ``_Known`` holds what the others had.
"""

from __future__ import annotations

import filecmp
import os
import stat
from contextlib import suppress

from operators_edge import jsons
from operators_edge.storage import files
from operators_edge.tuples import NamedTuple
from operators_edge.undo import worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.git.objects import Shadow

MODE = 0o777
"""The permissions that are kept; not those that make a program run as another user."""

FOLDER_MODE = 0o3777
"""Of folders also whose group new files get, and who may remove them."""

_MAX_FOLDERS = 5_000
_MIN_RENEWED = 500
_RENEWED_PART = 5


class Attributes(NamedTuple):
    """Of one file: its permissions, when it was changed, and the same ``links`` for all names of one file.

    ``mode`` is 0 for a link, and ``links`` is "" for a file with one name. ``owner`` are user and group of a
    file of somebody else; ``extended`` are the names and, byte for byte, the values of its attributes.
    """

    mode: int
    mtime_ns: int
    links: str = ""
    owner: tuple[int, ...] = ()
    extended: tuple[tuple[str, str], ...] = ()


def of_file(path: str) -> Attributes | None:
    """What a file or link has now; None if there is none."""
    try:
        return of_info(os.lstat(path), path)
    except (OSError, ValueError):
        return None


def of_info(info: os.stat_result, path: str) -> Attributes | None:
    """The same, if it was looked at already."""
    if stat.S_ISLNK(info.st_mode):
        return Attributes(0, info.st_mtime_ns)
    if not stat.S_ISREG(info.st_mode):
        return None
    links = f"{info.st_dev}:{info.st_ino}" if info.st_nlink > 1 else ""
    mode = stat.S_IMODE(info.st_mode) & MODE
    owner = () if (info.st_uid, info.st_gid) == _US else (info.st_uid, info.st_gid)
    return Attributes(mode, info.st_mtime_ns, links, owner, extended_of(path))


def stored(fields: Sequence[Any]) -> Attributes:
    """Those that a snapshot holds, as JSON has them."""
    listed = Attributes(*fields)
    extended = tuple((name, value) for name, value in listed.extended)
    return listed._replace(owner=tuple(listed.owner), extended=extended)


_US = (os.geteuid(), os.getegid()) if hasattr(os, "geteuid") else (0, 0)


def extended_of(path: str) -> tuple[tuple[str, str], ...]:
    """What a person or a program noted at a file, and its access list; not what needs rights to be set."""
    if not hasattr(os, "listxattr"):
        return ()
    with suppress(OSError):
        names = os.listxattr(path)
        kept = (each for each in names if each.startswith("user.") or each in _ACCESS_LISTS)
        return tuple((each, os.getxattr(path, each).decode("latin-1")) for each in kept)
    return ()


_ACCESS_LISTS = ("system.posix_acl_access", "system.posix_acl_default")


def _of_files(top: str, paths: Iterable[str]) -> dict[str, Attributes | None]:
    return {path: of_file(os.path.join(top, path)) for path in paths}


class Known:
    """What the files of a working tree had when they were last stored: a full list, and what changed since.

    Both are stored with a snapshot; the list is an object that many of them share.
    """

    def __init__(self, shadow: Shadow) -> None:
        self._shadow = shadow
        self._path = os.path.join(shadow.folder, "attributes")
        self._data = self._read()
        self._new: dict[str, Attributes | None] = {}
        """What was looked at while there is no list."""

    def _read(self) -> dict[str, Any]:
        try:
            data = jsons.loads(files.read_bytes(self._path) or b"{}")
        except ValueError:
            return {}
        return data if isinstance(data, dict) and data.get("list") else {}

    def update(self, found: dict[str, Attributes | None]) -> None:
        """Note changed files, None for deleted ones, before they are stored: nothing is ever too old."""
        if not self._data:
            self._new.update(found)
            return
        if not found:
            return
        self._data["changed"].update(found)
        folders = set(self._data["folders"])
        if new := {os.path.dirname(path) for path in found} - folders:
            self._data["folders"] = sorted(folders | new)
        self._write()

    def complete(self) -> tuple[str, dict[str, Attributes | None]]:
        """The object with the full list, which is made if there is none; and what changed since."""
        data = self._data
        too_many = max(_MIN_RENEWED, data.get("files", 0) // _RENEWED_PART)
        if not data or len(data["changed"]) > too_many:
            paths = self._shadow.known()
            unseen = [path for path in paths if path not in self._new]
            found = {**self._new, **_of_files(self._shadow.repository.top, unseen)}
            listed = self._shadow.blob(jsons.dumps(found).encode())
            folders = sorted({os.path.dirname(path) for path in paths})
            self._data = {"list": listed, "files": len(paths), "folders": folders, "changed": {}}
            self._write()
        return self._data["list"], self._data["changed"]

    def forget(self) -> None:
        """The next list is a new one."""
        with suppress(FileNotFoundError):
            os.unlink(self._path)

    def folders(self) -> list[str]:
        return [each for each in self._data.get("folders", ()) if each]

    def _write(self) -> None:
        with open(self._path, "wb") as file:
            file.write(jsons.dumps(self._data).encode())


# -- folders ---------------------------------------------------------------------------------------


class Folders(NamedTuple):
    """What folders of a working tree had, "" being its top.

    ``modes`` are the permissions of those that a new one would not get, and of the top; ``extended`` are the
    attributes of those that have some, None in a snapshot of an older version.
    """

    modes: dict[str, int]
    extended: dict[str, tuple[tuple[str, str], ...]] | None = None

    def wanted(self, folder: str, usual: int, now: int) -> int:
        """The permissions that it had, if they are known, and otherwise ``now``."""
        mode = self.modes.get(folder, usual if folder else 0)
        if not mode:
            return now & FOLDER_MODE
        return mode if self.extended is not None else mode | (now & FOLDER_MODE & ~MODE)


def stored_folders(modes: Mapping[str, int], extended: Mapping[str, Any] | None) -> Folders:
    """Those that a snapshot holds, as JSON has them."""
    if extended is None:
        return Folders(dict(modes))
    pairs = {path: tuple((name, value) for name, value in each) for path, each in extended.items()}
    return Folders(dict(modes), pairs)


def of_folders(top: str, folders: Iterable[str]) -> Folders:
    """What these folders have now."""
    usual = usual_mode()
    modes, extended = {}, {}
    for folder in ("", *folders):
        full = os.path.join(top, folder)
        with suppress(OSError):
            mode = stat.S_IMODE(os.lstat(full).st_mode) & FOLDER_MODE
            if mode != usual or not folder:
                modes[folder] = mode
            if found := extended_of(full):
                extended[folder] = found
    return Folders(modes, extended)


def empty_folders(shadow: Shadow, roots: Iterable[str]) -> list[str]:
    """The folders below the roots, relative to the top, that hold no file; "" is the top."""
    top = shadow.repository.top
    found: dict[str, None] = {}
    for root in roots:
        starts = shadow.untracked_folders() if root == "" else [root]
        for start in starts:
            for base, inner, names in os.walk(os.path.join(top, start)):
                inner[:] = [name for name in inner if name != ".git"]
                if not inner and not names:
                    found[os.path.relpath(base, top).replace(os.sep, "/")] = None
                if len(found) >= _MAX_FOLDERS:
                    return list(found)
    return list(found)


def usual_mode() -> int:
    """The permissions of a new folder."""
    mask = os.umask(0o077)
    os.umask(mask)
    return MODE & ~mask


# -- restoring -------------------------------------------------------------------------------------


def restore_file(path: str, wanted: Attributes, *, is_time: bool) -> bool:
    """Give a file its permissions, and its time if ``is_time``; whether the permissions were others."""
    info = os.lstat(path)
    if is_time:
        _restore_what_is_possible(path, wanted, info)
        os.utime(path, ns=(info.st_atime_ns, wanted.mtime_ns), follow_symlinks=False)
    if not stat.S_ISREG(info.st_mode) or not wanted.mode or info.st_mode & MODE == wanted.mode:
        return False
    os.chmod(path, wanted.mode)
    return True


def _restore_what_is_possible(path: str, wanted: Attributes, info: os.stat_result) -> None:
    """Give back the owner, as far as our rights go, and attributes, as far as the file system has them."""
    owner = wanted.owner or _US
    if owner != (info.st_uid, info.st_gid):
        with suppress(OSError):
            os.chown(path, *owner, follow_symlinks=False)
    _restore_extended(path, wanted.extended)


def _restore_extended(path: str, wanted: Iterable[tuple[str, str]]) -> None:
    kept = dict(wanted)
    for name, _ in extended_of(path):
        if name not in kept:
            with suppress(OSError):
                os.removexattr(path, name, follow_symlinks=False)
    for name, value in kept.items():
        with suppress(OSError):
            os.setxattr(path, name, value.encode("latin-1"), follow_symlinks=False)


def restore_links(top: str, wanted: Mapping[str, Attributes]) -> None:
    """Join the names of one file again, where they have the same content and permissions now."""
    groups: dict[str, list[str]] = {}
    for path, each in wanted.items():
        groups.setdefault(each.links, []).append(os.path.join(top, path))
    for paths in groups.values():
        there = [path for path in paths if of_file(path) is not None]
        for path in there[1:]:
            if os.path.samefile(there[0], path) or not _is_alike(there[0], path):
                continue
            draft = os.path.join(os.path.dirname(path), worktree.draft_name())
            os.link(there[0], draft)
            os.replace(draft, path)


def parted(top: str, paths: Sequence[str]) -> list[str]:
    """Those that should be names of the first, which is there, have its content, and are not."""
    there = [path for path in paths if of_file(os.path.join(top, path)) is not None]
    found = []
    for path in there[1:]:
        one, other = os.path.join(top, there[0]), os.path.join(top, path)
        if not os.path.samefile(one, other) and filecmp.cmp(one, other, shallow=False):
            found += [there[0], path]
    return list(dict.fromkeys(found))


def _is_alike(one: str, other: str) -> bool:
    same = os.lstat(one).st_mode == os.lstat(other).st_mode
    return same and filecmp.cmp(one, other, shallow=False)


def restore_empty(top: str, empty: Iterable[str]) -> None:
    """Create these empty folders."""
    for folder in empty:
        full = os.path.join(top, folder)
        if not os.path.lexists(full) and not _is_below_file(top, folder):
            os.makedirs(full)


def restore_folder(path: str, mode: int, wanted: Iterable[tuple[str, str]]) -> None:
    """Give a folder its attributes and permissions."""
    _restore_extended(path, wanted)
    os.chmod(path, mode)


def _is_below_file(top: str, path: str) -> bool:
    """Whether a folder above is a file or a link now."""
    while path := os.path.dirname(path):
        full = os.path.join(top, path)
        if os.path.islink(full) or (os.path.lexists(full) and not os.path.isdir(full)):
            return True
    return False


# end of module
