"""What a rehearsed command changed: its layers, compared with the folders that they lie over.

The command has ended and nothing writes to the layers any more, but what it left in them is looked at as
hostile: no link is followed, no device or pipe is opened, and all is bounded.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from operators_edge.gate.facts import home
from operators_edge.rehearsal import mounts
from operators_edge.rehearsal.effects import Change, Surroundings
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.rehearsal.service import Layer, Rehearsal

MAX_CHANGES = 100_000
_MAX_TEXT = 256 << 10
_MAX_TEXTS = 8 << 20
_MAX_COMPARED = 256 << 20
_MAX_COUNTED = 200_000
_PIECE = 1 << 20
_OPAQUE = "user.overlay.opaque"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class Changes(NamedTuple):
    """``is_whole`` is False if there are more than are listed."""

    changes: list[Change]
    is_whole: bool = True


def found_in(rehearsal: Rehearsal) -> Changes:
    reader = _Reader(rehearsal.layers)
    changes: list[Change] = []
    for each in rehearsal.layers:
        for change in reader.layer(each):
            if len(changes) == MAX_CHANGES:
                return Changes(changes, is_whole=False)
            changes.append(change)
    return Changes(changes)


def surroundings(rehearsal: Rehearsal, env: Mapping[str, str] = os.environ) -> Surroundings:
    temporary = {"/tmp", "/var/tmp", env.get("TMPDIR", "")}  # noqa: S108 - only named
    return Surroundings(
        rehearsal.project,
        tuple(each for each in rehearsal.repository if each),
        tuple(os.path.realpath(each) for each in temporary if os.path.isabs(each)),
        home(env),
    )


class _Reader:
    def __init__(self, layers: list[Layer]) -> None:
        self._elsewhere = {each.path for each in layers} | {*mounts.OWN, *mounts.EMPTY}
        self._texts = 0

    def layer(self, layer: Layer) -> Iterator[Change]:
        yield from self._folder(os.dup(layer.upper), layer.path, is_whole=layer.is_whole)

    def _folder(self, upper: int, lower: str, *, is_whole: bool) -> Iterator[Change]:
        """What differs in a folder. ``is_whole``: what is missing in it was deleted. Closes the folder."""
        try:
            seen = set()
            with os.scandir(upper) as entries:
                names = sorted(each.name for each in entries)
            for name in names:
                seen.add(name)
                yield from self._entry(upper, name, os.path.join(lower, name))
            if is_whole:
                yield from self._missing(lower, seen)
        finally:
            os.close(upper)

    def _missing(self, lower: str, seen: set[str]) -> Iterator[Change]:
        with suppress(OSError), os.scandir(lower) as entries:
            for each in entries:
                if each.name not in seen and _was_shown(each):
                    yield self._deleted(each.path, each.stat(follow_symlinks=False))

    def _entry(self, upper: int, name: str, path: str) -> Iterator[Change]:
        new = os.stat(name, dir_fd=upper, follow_symlinks=False)
        old = _info(path)
        if stat.S_ISCHR(new.st_mode) and new.st_rdev == 0:
            if old is not None:
                yield self._deleted(path, old)
        elif stat.S_ISDIR(new.st_mode):
            if path not in self._elsewhere:
                yield from self._changed_folder(upper, name, path, old, new)
        elif old is None:
            yield self._created(upper, name, path, new)
        elif stat.S_IFMT(old.st_mode) != stat.S_IFMT(new.st_mode):
            yield self._deleted(path, old)
            yield self._created(upper, name, path, new)
        else:
            yield from self._changed(upper, name, path, old, new)

    def _changed_folder(
        self, upper: int, name: str, path: str, old: os.stat_result | None, new: os.stat_result
    ) -> Iterator[Change]:
        folder = os.open(name, _FOLDER, dir_fd=upper)
        is_new = old is None or not stat.S_ISDIR(old.st_mode)
        if is_new:
            if old is not None:
                yield self._deleted(path, old)
            yield Change(path, "created", new_mode=new.st_mode, files=0)
        elif old is not None and stat.S_IMODE(old.st_mode) != stat.S_IMODE(new.st_mode):
            yield Change(path, "mode", old.st_mode, new.st_mode)
        is_opaque = False
        with suppress(OSError):
            is_opaque = os.getxattr(folder, _OPAQUE) == b"y"
        yield from self._folder(folder, path, is_whole=is_opaque and not is_new)

    def _deleted(self, path: str, old: os.stat_result) -> Change:
        if stat.S_ISDIR(old.st_mode):
            files, size = _counted(path)
            return Change(path, "deleted", old.st_mode, size=size, files=files)
        before = self._text(None, path, old)
        return Change(path, "deleted", old.st_mode, size=old.st_size, before=before)

    def _created(self, upper: int, name: str, path: str, new: os.stat_result) -> Change:
        after = self._text(upper, name, new)
        return Change(path, "created", new_mode=new.st_mode, size=new.st_size, after=after)

    def _changed(
        self, upper: int, name: str, path: str, old: os.stat_result, new: os.stat_result
    ) -> Iterator[Change]:
        if _is_same(upper, name, path, old, new):
            if stat.S_IMODE(old.st_mode) != stat.S_IMODE(new.st_mode):
                yield Change(path, "mode", old.st_mode, new.st_mode)
            return
        before, after = self._text(None, path, old), self._text(upper, name, new)
        yield Change(
            path, "changed", old.st_mode, new.st_mode, size=new.st_size, before=before, after=after
        )

    def _text(self, folder: int | None, name: str, info: os.stat_result) -> bytes | None:
        """The content of a short file, or the target of a link."""
        if stat.S_ISLNK(info.st_mode):
            return os.fsencode(os.readlink(name, dir_fd=folder))
        if not stat.S_ISREG(info.st_mode) or info.st_size > _MAX_TEXT or self._texts > _MAX_TEXTS:
            return None
        with suppress(OSError), os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb") as file:
            data = file.read(_MAX_TEXT)
            self._texts += len(data)
            return data
        return None


def _info(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None


def _was_shown(entry: os.DirEntry[str]) -> bool:
    """Whether a folder that was made again holds it: no socket, and no file that this user cannot read."""
    is_plain = entry.is_file(follow_symlinks=False) and os.access(entry.path, os.R_OK)
    return is_plain or entry.is_symlink() or entry.is_dir()


def _is_same(upper: int, name: str, path: str, old: os.stat_result, new: os.stat_result) -> bool:
    """Whether two files of one type have the same content; False where that cannot be found out."""
    if stat.S_ISLNK(new.st_mode):
        return os.readlink(name, dir_fd=upper) == os.readlink(path)
    if not stat.S_ISREG(new.st_mode):
        return True
    if old.st_size != new.st_size or new.st_size > _MAX_COMPARED:
        return False
    try:
        with (
            os.fdopen(os.open(name, _FILE, dir_fd=upper), "rb") as one,
            os.fdopen(os.open(path, _FILE), "rb") as other,
        ):
            while piece := one.read(_PIECE):
                if piece != other.read(_PIECE):
                    return False
    except OSError:
        return False
    return True


def _counted(folder: str) -> tuple[int, int]:
    """How many files a folder holds, and their bytes; counted up to a limit."""
    files = size = 0
    left = [folder]
    while left and files < _MAX_COUNTED:
        with suppress(OSError), os.scandir(left.pop()) as entries:
            for each in entries:
                if each.is_dir(follow_symlinks=False):
                    left.append(each.path)
                else:
                    files += 1
                    size += each.stat(follow_symlinks=False).st_size
    return files, size


# end of module
