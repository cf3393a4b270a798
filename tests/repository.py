"""A git repository with one commit: made by git once, copied for each test that wants one."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile

_STAT_BYTES = 40
_ENTRY_BYTES = 62
"""Of an index entry before its name: the ten numbers of its file's stat, the object's id, flags."""


@functools.cache
def _template() -> tempfile.TemporaryDirectory[str]:
    """The one that git made, kept as long as this process runs."""
    kept = tempfile.TemporaryDirectory(prefix="edge-template-")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-C", kept.name]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    with open(os.path.join(kept.name, "readme.txt"), "w", encoding="utf-8") as file:
        file.write("hello\n")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    return kept


def make(root: str | os.PathLike[str]) -> str:
    """The repository in a folder that is not there yet; git finds every file in it unchanged."""
    shutil.copytree(_template().name, root, copy_function=shutil.copy)  # with times of now
    _know_files(os.path.join(root, ".git", "index"), str(root))
    return str(root)


def _know_files(index: str, root: str) -> None:
    """Write into the index how its files lie on the disk now, as ``git update-index --refresh`` does.

    Without it git would read every file again, and what only compares numbers would call it changed.
    """
    with open(index, "rb") as file:
        data = bytearray(file.read()[:-20])
    assert data[:8] == b"DIRC\0\0\0\2"
    at = 12
    for _ in range(int.from_bytes(data[8:12], "big")):
        end = data.index(b"\0", at + _ENTRY_BYTES)
        found = os.lstat(os.path.join(os.fsencode(root), bytes(data[at + _ENTRY_BYTES : end])))
        changed, modified = divmod(found.st_ctime_ns, 10**9), divmod(found.st_mtime_ns, 10**9)
        numbers = (*changed, *modified, found.st_dev, found.st_ino, found.st_mode)
        numbers += (found.st_uid, found.st_gid, found.st_size)
        packed = b"".join((number & 0xFFFFFFFF).to_bytes(4, "big") for number in numbers)
        data[at : at + _STAT_BYTES] = packed
        at += (end - at + 8) // 8 * 8
    with open(index, "wb") as file:
        file.write(data + hashlib.sha1(data, usedforsecurity=False).digest())
