"""What files held when a scan last looked into them, so that the next one reads what changed.

Owns ``.proof/cache/patrol``: when an answer still holds, how much is kept, and that nobody else's answers
are believed (they are signed with the person's key). It can be deleted at any time. Does not own what is told
of a file (``patrol.analysis.files``) or what follows from it.
"""

from __future__ import annotations

import json
import os
import stat
import zlib
from typing import TYPE_CHECKING, Any

from operators_edge.audit import segments
from operators_edge.errors import EdgeError
from operators_edge.redaction.redact import redact
from operators_edge.storage import files, keys
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from datetime import datetime

MOST_BYTES = 32_000_000
"""Of all answers together, before they are packed."""

_SETTLED = 2.0
"""Seconds. A file that was written so shortly ago may be written again within the same tick of its clock,
and would look as if it were the same."""


class Measured:
    """The answers of earlier scans. ``version`` names whoever made them: others' are not used."""

    def __init__(
        self,
        root: str,
        version: str,
        *,
        clock: Callable[[], datetime],
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self._root = root
        self._version = version
        self._clock = clock
        self._env = env
        self._has_news = False
        try:
            self._kept = dict(self._read())
        except (OSError, EdgeError, ValueError, zlib.error):
            self._kept = {}  # none yet, damaged or somebody else's: all is measured anew

    def stamp(self, name: str, asked: str = "") -> str:
        """What tells this version of a file, and what is asked of it, from every other; "" where that
        cannot be told.
        """
        try:
            found = os.lstat(os.path.join(self._root, name))
        except OSError:
            return ""
        age = self._clock().timestamp() - max(found.st_mtime, found.st_ctime)
        if not stat.S_ISREG(found.st_mode) or age < _SETTLED:
            return ""
        return " ".join(map(str, (*files.stamp_of(found), found.st_ctime_ns, asked)))

    def told(self, name: str, stamp: str) -> dict[str, Any] | None:
        """What was told of this version of the file."""
        before, _, text = self._kept.get(name, "").partition("\t")
        return json.loads(text) if stamp and before == stamp else None

    def keep(
        self, name: str, stamp: str, told: Mapping[str, Any], *, secrets: Iterable[str] = ()
    ) -> None:
        """Keep what was told of that version, if nothing in it looks like a secret."""
        said = "\n".join(_texts(told))
        if stamp and redact(said, values=secrets) == said:
            self._kept[name] = f"{stamp}\t{json.dumps(told, separators=(',', ':'))}"
            self._has_news = True

    def save(self, names: Collection[str]) -> None:
        """Write what is known of these files; of others nothing is kept."""
        rows: list[str] = []
        size = 0
        for name in names:
            if name in self._kept:
                row = f"{json.dumps(name)}\t{self._kept[name]}"
                size += len(row) + 1
                if size > MOST_BYTES:
                    break
                rows.append(row)
        if not self._has_news and len(rows) == len(self._kept):
            return
        body = zlib.compress("\n".join([self._version, *rows]).encode(), 1)
        try:
            data = f"{self._seal(body)}\n".encode() + body
            files.write_cache(self._path(), data)
        except EdgeError:
            return  # no key, no folder: the next scan measures again

    def _read(self) -> Iterable[tuple[str, str]]:
        path = self._path()
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            return
        seal, _, body = (files.read_bytes(path) or b"").partition(b"\n")
        if seal.decode("ascii", "replace") != self._seal(body):
            return
        version, *rows = zlib.decompress(body).decode().split("\n")
        for row in rows if version == self._version else ():
            name, _, answer = row.partition("\t")
            yield json.loads(name), answer

    def _path(self) -> str:
        return os.path.join(segments.folder_of(self._root), "cache", "patrol")

    def _seal(self, body: bytes) -> str:
        return keys.seal(
            f"patrol\0{os.path.realpath(self._root)}\0{sha256_hex(body)}", env=self._env
        )


def _texts(told: Any) -> Iterator[str]:
    """Every text in an answer."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, list | tuple):
        for each in told:
            yield from _texts(each)
    elif isinstance(told, dict):
        yield from _texts(list(told.values()))
