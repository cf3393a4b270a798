"""Reading one file of a tar or zip archive without unpacking it.

Owns the bounds: the size of the archive, the number of its members, and the bytes of the one that is read.
Nothing is written, and no link in an archive is followed.
"""

from __future__ import annotations

import os
import posixpath
import tarfile
import zipfile
import zlib
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ARCHIVE = 32 * 1024 * 1024
"""Bytes of an archive, packed; in a larger one nothing is looked for."""
MAX_MEMBERS = 20_000


def member(path: str, name: str, strip: int, limit: int) -> bytes | None:
    """Return at most ``limit`` bytes of the file that unpacking would put at ``name``; None without one.

    ``strip`` is the number of leading folders that are left out of the members' names.
    """
    try:
        if os.path.getsize(path) > MAX_ARCHIVE:
            return None
        if zipfile.is_zipfile(path):
            return _of_zip(path, name, limit)
        return _of_tar(path, name, strip, limit)
    except (OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile, zlib.error):
        return None
    except (RuntimeError, NotImplementedError):  # encrypted, or packed in a way that is not known
        return None


def _of_zip(path: str, name: str, limit: int) -> bytes | None:
    with zipfile.ZipFile(path) as archive:
        found = _chosen(archive.namelist()[:MAX_MEMBERS], name, 0)
        if found is None:
            return None
        with archive.open(found) as file:
            return file.read(limit)


def _of_tar(path: str, name: str, strip: int, limit: int) -> bytes | None:
    with tarfile.open(path, "r:*") as archive:
        for one in islice(archive, MAX_MEMBERS):
            if one.isfile() and _chosen([one.name], name, strip):
                file = archive.extractfile(one)
                return file.read(limit) if file is not None else None
    return None


def _chosen(names: Iterable[str], name: str, strip: int) -> str | None:
    for one in names:
        parts = posixpath.normpath(one).split("/")[strip:]
        if "/".join(parts) == name:
            return one
    return None


# end of module
