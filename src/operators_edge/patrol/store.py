"""The facts of files from earlier scans, so that a scan only analyses what changed.

Owns ``.proof/cache/patrol``: when an entry is still valid, how much is kept, and that entries from elsewhere
are not trusted (the file is signed with the person's key). It can be deleted at any time. Does not own the
facts of a file (``patrol.analysis.files``) or their meaning.
"""

from __future__ import annotations

import json
import os
import stat
import zlib

from operators_edge.errors import EdgeError
from operators_edge.redaction.redact import redact, strings_in
from operators_edge.storage import files, keys, segments
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import datetime
    from typing import Any

MAX_BYTES = 32_000_000
"""Of all entries together, before compression."""

_MIN_AGE = 2.0
"""Seconds. A younger file could be written again within the same tick of the clock, and would then seem
unchanged."""


class AnalysisCache:
    """The facts of earlier scans. ``version`` identifies the analysers; other versions are not used."""

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
        self._is_changed = False
        try:
            self._entries = dict(self._read())
        except (OSError, EdgeError, ValueError, zlib.error):
            self._entries = {}  # none yet, damaged or foreign: everything is analysed again

    def stamp(self, name: str, variant: str = "") -> str:
        """Identifies this version of a file and the kind of analysis; "" if that is impossible."""
        try:
            status = os.lstat(os.path.join(self._root, name))
        except OSError:
            return ""
        age = self._clock().timestamp() - max(status.st_mtime, status.st_ctime)
        if not stat.S_ISREG(status.st_mode) or age < _MIN_AGE:
            return ""
        return " ".join(map(str, (*files.stamp_of(status), status.st_ctime_ns, variant)))

    def facts(self, name: str, stamp: str) -> dict[str, Any] | None:
        """The facts of this version of the file, if they are known."""
        cached_stamp, _, text = self._entries.get(name, "").partition("\t")
        return json.loads(text) if stamp and cached_stamp == stamp else None

    def add(
        self, name: str, stamp: str, facts: Mapping[str, Any], *, secrets: Iterable[str] = ()
    ) -> None:
        """Add the facts of that version, unless something in them looks like a secret."""
        text = "\n".join(strings_in(facts))
        if stamp and redact(text, values=secrets) == text:
            self._entries[name] = f"{stamp}\t{json.dumps(facts, separators=(',', ':'))}"
            self._is_changed = True

    def save(self, names: Collection[str]) -> None:
        """Write the entries of these files; others are dropped."""
        rows: list[str] = []
        size = 0
        for name in names:
            if name in self._entries:
                row = f"{json.dumps(name)}\t{self._entries[name]}"
                size += len(row) + 1
                if size > MAX_BYTES:
                    break
                rows.append(row)
        if not self._is_changed and len(rows) == len(self._entries):
            return
        body = zlib.compress("\n".join([self._version, *rows]).encode(), 1)
        try:
            data = f"{self._seal(body)}\n".encode() + body
            files.write_cache(self._path(), data)
        except EdgeError:
            return  # no key or no folder: the next scan analyses everything again

    def _read(self) -> Iterable[tuple[str, str]]:
        path = self._path()
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
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


# end of module
