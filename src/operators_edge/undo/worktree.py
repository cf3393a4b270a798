"""Writing and removing single files of a working tree, to restore a snapshot.

Owns that a file is written atomically, never through a link and never outside the folder, and that what a
killed process left goes. What is restored is in ``undo.restore``.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager, suppress

from operators_edge import jsons
from operators_edge.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

EXECUTABLE, SYMLINK = "100755", "120000"
MODES = ("100644", EXECUTABLE, SYMLINK)


LOCKED = b"edge undo\n"
"""What is in a lock of git's that is ours."""

_DRAFT = re.compile(r"\.edge-[0-9a-f]{12}\.tmp\Z")


def draft_name() -> str:
    """The name of a file that is being written, in the folder of the file that it will be."""
    return f".edge-{os.urandom(6).hex()}.tmp"


@contextmanager
def noted(record: str, top: str, paths: Iterable[str], index: str = "") -> Iterator[None]:
    """Note in a file where something will be written, until all of it is; under the caller's lock.

    ``paths`` are files below ``top``, and ``index`` is one of git's.
    """
    folders = sorted({os.path.dirname(path) for path in paths})
    data = {"top": top, "folders": folders, "index": index}
    files.write_durable(record, jsons.dumps(data).encode())
    try:
        yield
    finally:
        os.unlink(record)


def sweep(record: str) -> None:
    """Remove what a killed process left where it had noted that it writes."""
    try:
        data = jsons.loads(files.read_bytes(record) or b"")
    except ValueError:
        return
    for folder in data["folders"]:
        full = os.path.join(data["top"], folder)
        if not os.path.islink(full) and not has_linked_parent(data["top"], folder):
            _remove_in(full, _DRAFT)
    if index := data["index"]:
        with suppress(OSError):
            if files.read_bytes(f"{index}.lock") == LOCKED:
                os.unlink(f"{index}.lock")
        _remove_in(os.path.dirname(index), re.compile(r"index\.edge-[0-9a-f]{12}(\.lock)?\Z"))
    os.unlink(record)


def _remove_in(folder: str, names: re.Pattern[str]) -> None:
    with suppress(OSError):
        for name in os.listdir(folder):
            if names.match(name):
                os.unlink(os.path.join(folder, name))


class Occupied(Exception):
    """Something that is in no snapshot is where the file must be written."""


def path_below(top: str, path: str) -> str | None:
    """The path as git names it, "." for the top itself; None if it is outside.

    Links above it are resolved, the last component is not.
    """
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    below = os.path.relpath(os.path.normpath(real), top).replace(os.sep, "/")
    return None if below == ".." or below.startswith("../") else below


def is_safe(path: str) -> bool:
    """Whether a path from a snapshot stays below its folder and outside ``.git``."""
    parts = path.replace("\\", "/").split("/") if os.name == "nt" else path.split("/")
    return not os.path.isabs(path) and not any(
        part in ("", ".", "..") or is_git_folder(part) for part in parts
    )


def is_git_folder(part: str) -> bool:
    """``.git``, in every spelling that some file system accepts for it."""
    plain = "".join(c for c in part if ord(c) < 128).rstrip(". ").lower()
    return plain.partition(":")[0].rstrip(". ") in (".git", "git~1")


def write(
    top: str,
    path: str,
    mode: str,
    content: Iterable[bytes],
    *,
    saved: Container[str],
    is_private: bool = False,
) -> None:
    """Write one file or link; what occupies its place is removed only if it is in ``saved``.

    ``saved`` are the paths that can be restored. An existing file keeps its permissions except the executable
    bit; a new private one is for its owner alone. Raises Occupied, OSError.
    """
    target = os.path.join(top, path)
    _make_folders(top, path, saved)
    _clear(top, path, saved)
    draft = os.path.join(os.path.dirname(target), draft_name())
    try:
        if mode == SYMLINK:
            os.symlink(os.fsdecode(b"".join(content)), draft)
        else:
            _fill(draft, content, _permissions(target, mode, is_private=is_private))
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):  # it may never have been created
            os.unlink(draft)
        raise


def remove(top: str, path: str) -> None:
    """Remove one file, and the folders that are empty then."""
    target = os.path.join(top, path)
    if has_linked_parent(top, path):
        return  # it is not the file in the snapshot
    with suppress(FileNotFoundError, NotADirectoryError):
        os.unlink(target)
    files.remove_empty_folders(top, os.path.dirname(path))


def has_linked_parent(top: str, path: str) -> bool:
    """Whether a folder above the path is a link."""
    folder = os.path.dirname(path)
    while folder:
        if os.path.islink(os.path.join(top, folder)):
            return True
        folder = os.path.dirname(folder)
    return False


def _make_folders(top: str, path: str, saved: Container[str]) -> None:
    """Create the folders above the path; a file or link in place of one is removed if it is in ``saved``."""
    folder = ""
    for part in path.split("/")[:-1]:
        folder = f"{folder}/{part}" if folder else part
        full = os.path.join(top, folder)
        try:
            info = os.lstat(full)
        except FileNotFoundError:
            os.mkdir(full)
            continue
        if not stat.S_ISDIR(info.st_mode):
            if folder not in saved:
                raise Occupied(f"{folder} is not a folder, and could not be saved first")
            os.unlink(full)
            os.mkdir(full)


def _clear(top: str, path: str, saved: Container[str]) -> None:
    """Remove what occupies the path: a saved file or link, or a folder with nothing unsaved in it."""
    target = os.path.join(top, path)
    try:
        info = os.lstat(target)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(info.st_mode):
        if path not in saved:
            raise Occupied("what is there could not be saved first")
        return
    files, folders = [], [target]
    for base, inner, names in os.walk(target):
        links = [name for name in inner if os.path.islink(os.path.join(base, name))]
        folders += [os.path.join(base, name) for name in inner if name not in links]
        files += [os.path.join(base, name) for name in (*names, *links)]
    for each in files:
        if os.path.relpath(each, top).replace(os.sep, "/") not in saved:
            raise Occupied("there is a folder with files that could not be saved first")
    for each in files:
        os.unlink(each)
    for each in reversed(folders):
        os.rmdir(each)


def _permissions(target: str, mode: str, *, is_private: bool) -> int:
    try:
        info = os.lstat(target).st_mode
    except FileNotFoundError:
        info = 0
    if stat.S_ISREG(info):
        kept = stat.S_IMODE(info)
    else:
        mask = os.umask(0)
        os.umask(mask)
        kept = 0o600 if is_private else 0o666 & ~mask
    if mode != EXECUTABLE:
        return kept & ~0o111
    return kept | (kept & 0o444) >> 2


def _fill(draft: str, content: Iterable[bytes], permissions: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(draft, flags, 0o600), "wb") as file:
        for piece in content:
            file.write(piece)
        if hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), permissions)


# end of module
