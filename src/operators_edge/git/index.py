"""Whether something is staged or hidden, read from git's own files: that takes no process.

Owns the format of the index (gitformat-index(5)) as far as it says which tree it holds, and whether it has
git take files as unchanged. Does not own what is staged (``git.commands``) or hidden (``git.status``): git is
asked for that.
"""

from __future__ import annotations

import os

from operators_edge.git import blobs, refs
from operators_edge.system import file_cache
from operators_edge.tuples import NamedTuple

_MAX_INDEX = 512 * 1024
"""Bytes of an index that is read here, some thousand files: git takes less time for more of them."""
_MAX_COMMIT = 65_536
_HEADER, _NAME_LENGTH = 12, 0xFFF
_EXTENDED = 0x4000
_ASSUME_UNCHANGED, _SKIP_WORKTREE = 0x8000, 0x4000


def has_nothing_new(own: str, common: str) -> bool:
    """Whether the index holds nothing, or what HEAD holds; False if git has to be asked.

    ``own`` is the working tree's git folder, ``common`` the one that the repository's worktrees share.
    """
    index = os.path.join(own, "index")
    if not os.path.lexists(index):
        return os.path.isfile(os.path.join(own, "HEAD"))
    found = refs.head(own, common)
    if found is None:
        return False
    tree = tree_of_commit(common, found[1])
    held = _read(index, len(tree) // 2) if tree else None
    return held is not None and held.tree == tree


def hides_nothing(own: str, size: int = 20) -> bool:
    """Whether git takes no file as unchanged without a look at it; False if git has to be asked.

    ``own`` is the working tree's git folder, ``size`` the length of an id in bytes.
    """
    path = os.path.join(own, "index")
    if not os.path.lexists(path):
        return os.path.isfile(os.path.join(own, "HEAD"))
    found = _read(path, size)
    return found is not None and not found.has_hidden


def tree_of_commit(common: str, commit: str) -> str:
    """The tree of a commit; "" if it is in a pack, long or damaged.

    Git may have the same commit in a pack, too, so that what this file holds is compared with its name.
    """
    import zlib  # noqa: PLC0415 - for few commands

    try:
        path = os.path.join(common, "objects", commit[:2], commit[2:])
        with open(path, "rb", opener=file_cache.open_regular) as file:
            data = zlib.decompressobj().decompress(file.read(_MAX_COMMIT), _MAX_COMMIT)
    except (OSError, zlib.error):
        return ""
    if blobs.digest(data, blobs.hash_name_of(commit)) != commit:
        return ""
    kind, _, text = data.partition(b"\0")
    tree = text.partition(b"\n")[0].decode("ascii", "replace").removeprefix("tree ")
    is_commit = kind.startswith(b"commit ") and text.startswith(b"tree ")
    return tree if is_commit and len(tree) == len(commit) and refs.is_id(tree) else ""


class _Index(NamedTuple):
    """``tree`` is what it would be committed as; "" if it does not say."""

    tree: str
    has_hidden: bool


def _read(path: str, size: int) -> _Index | None:
    """Read a whole index with ids of so many bytes; None if it is damaged, too large or of another format."""
    try:
        with open(path, "rb", opener=file_cache.open_regular) as file:
            data = file.read(_MAX_INDEX + 1)
    except OSError:
        return None
    count = int.from_bytes(data[8:12], "big")
    is_known = data[:8] in (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3") and len(data) <= _MAX_INDEX
    at, has_hidden = _after_entries(data, count, size) if is_known else (-1, False)
    end, tree = len(data) - size, ""
    while 0 < at < end:
        kind, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
        if kind[:1].islower():  # it changes what the entries mean: parts of them are elsewhere
            return None
        held = data[at + 8 : at + 8 + length]
        if kind == b"TREE":
            tree = _whole_tree(held, count, size)
        at += 8 + length
    return _Index(tree, has_hidden) if at == end else None


def _whole_tree(held: bytes, count: int, size: int) -> str:
    """The tree of all entries, which comes first and has no name; "" if it is not valid any more."""
    counts, _, rest = held.partition(b"\n")
    return rest[:size].hex() if counts.startswith(b"\0%d " % count) else ""


def _after_entries(data: bytes, count: int, size: int) -> tuple[int, bool]:
    """The place after the entries, each padded to a multiple of eight bytes, and whether one is hidden.

    The place is -1 if they are damaged.
    """
    at, before, hidden = _HEADER, 40 + size + 2, 0
    for _ in range(count):
        start, flags = at, int.from_bytes(data[at + before - 2 : at + before], "big")
        hidden |= flags & _ASSUME_UNCHANGED
        at += before
        if flags & _EXTENDED:
            hidden |= int.from_bytes(data[at : at + 2], "big") & _SKIP_WORKTREE
            at += 2
        length = flags & _NAME_LENGTH
        at = at + length if length < _NAME_LENGTH else data.find(b"\0", at)
        if not start < at < len(data) or data[at]:
            return -1, False
        at += 8 - (at - start) % 8
    return at, hidden != 0


# end of module
