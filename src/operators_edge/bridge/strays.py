"""What an attempt leaves in the working tree that git cannot store, and what keeps git from storing it.

Repositories of their own, pipes, sockets, devices, paths too long to be named, folders that nobody may enter.
What was there before stays; of what is new, what has content is moved aside and the rest is removed. What git
ignores is nobody's business. Does not own ordinary files (``bridge.audit``).
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from operators_edge.git import commands
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Kind = Literal[
    "a repository of its own",
    "rules that hide themselves",
    "a pipe",
    "a socket",
    "a device",
    "too deep",
    "closed",
]

_SECONDS = 120.0
_MAX_ROUNDS = 50
_SPECIAL: Mapping[int, Kind] = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_CLOSED: Mapping[int, Kind] = {
    errno.ENAMETOOLONG: "too deep",
    errno.EACCES: "closed",
    errno.EPERM: "closed",
}


def look(root: str) -> dict[str, Kind]:
    """All of them, by path below the root. Raises GitFailed."""
    listed = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    ignored = set(commands.names(commands.Budget(_SECONDS).run(root, *listed)))
    found = dict(_below(root, frozenset(ignored)))
    own = f"{HANDOFF_DIR}/"
    hidden = [path for path in ignored if os.path.basename(path) == ".gitignore"]
    rules = [path for path in hidden if not path.startswith(own)]
    shared = _tracked_folders(root) if rules else set()
    for path in rules:
        if (
            os.path.dirname(path) in shared
        ):  # else a cache that hides itself, as many tools make them
            found[path] = "rules that hide themselves"
    return found


def _tracked_folders(root: str) -> set[str]:
    """The root, and the folders with files that git tracks."""
    found = {""}
    for path in commands.names(commands.Budget(_SECONDS).run(root, "ls-files", "-z")):
        folder = os.path.dirname(path)
        while folder not in found:
            found.add(folder)
            folder = os.path.dirname(folder)
    return found


def repositories(found: Mapping[str, Kind]) -> list[str]:
    return sorted(path for path, kind in found.items() if kind == "a repository of its own")


def uncover(root: str, before: Mapping[str, Kind], aside: str) -> tuple[dict[str, Kind], list[str]]:
    """Let git see what the attempt made: give permissions back, and put rules aside that hide themselves.

    Returns what is there then, and a sentence for each file that was moved aside. Raises GitFailed.
    """
    said: list[str] = []
    for _ in range(_MAX_ROUNDS):  # behind what was closed there may be more
        found = look(root)
        new = sorted(path for path in found if path not in before)
        closed = [path for path in new if found[path] == "closed"]
        hiding = [path for path in new if found[path] == "rules that hide themselves"]
        said += [_end(root, path, found[path], aside) for path in hiding]
        opened = [open_one(os.path.join(root, path), is_folder=True) for path in closed]
        if not hiding and not any(opened):
            break
    return found, said


def open_one(path: str, *, is_folder: bool = False) -> bool:
    """Give a file or folder the usual permissions, if that is possible."""
    mask = os.umask(0)
    os.umask(mask)
    with suppress(OSError):
        os.chmod(path, (0o777 if is_folder else 0o666) & ~mask)
        return True
    return False


def make_as_before(
    root: str, before: Mapping[str, Kind], aside: str
) -> tuple[dict[str, Kind], list[str]]:
    """Remove what has no content, and move the rest to the folder ``aside``.

    Returns what was there, and what a person should know, a sentence for each. Raises GitFailed.
    """
    found, said = uncover(root, before, aside)
    new = sorted(path for path in found if path not in before and found[path] != "closed")
    return found, said + [_end(root, path, found[path], aside) for path in new]


def _below(root: str, ignored: frozenset[str]) -> Iterator[tuple[str, Kind]]:
    todo = [""]
    while todo:
        folder = todo.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                found = list(entries)
        except OSError as error:
            kind = _CLOSED.get(error.errno or 0)
            if kind:
                yield folder, kind
            continue
        if folder and any(each.name == ".git" for each in found):
            yield folder, "a repository of its own"
            continue
        if not os.access(os.path.join(root, folder), os.W_OK | os.X_OK):
            yield folder, "closed"
        for each in found:
            path = os.path.join(folder, each.name)
            if each.is_dir(follow_symlinks=False):
                if f"{path}/" not in ignored and path not in (".git", HANDOFF_DIR):
                    todo.append(path)
            elif path not in ignored and (special := _special(each)):
                yield path, special


def _special(entry: os.DirEntry[str]) -> Kind | None:
    """What it is, if it is neither a file nor a link."""
    if entry.is_symlink() or entry.is_file():
        return None
    with suppress(OSError):  # it is gone again
        return _SPECIAL.get(stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode))
    return None


def _end(root: str, path: str, kind: Kind, aside: str) -> str:
    try:
        if kind in _SPECIAL.values():
            os.unlink(os.path.join(root, path))
            files.remove_empty_folders(root, os.path.dirname(path))
            return f"removed {path} ({kind})"
        moved = _outermost(root, path) if kind == "too deep" else path
        place = files.free_path(aside, os.path.basename(moved))
        os.rename(os.path.join(root, moved), place)
    except OSError as error:
        return f"{path} ({kind}) is still there: {error.strerror}"
    files.remove_empty_folders(root, os.path.dirname(moved))
    name = moved if kind != "too deep" else f"{moved[:100]}…"
    return f"git cannot store {name} ({kind}): it is in {os.path.relpath(place, root)}"


def _outermost(root: str, path: str) -> str:
    """The folder above, as far up as it has nothing else in it."""
    path = os.path.dirname(path)
    while True:
        above = os.path.dirname(path)
        if not above or len(os.listdir(os.path.join(root, above))) > 1:
            return path
        path = above


# end of module
