"""The seal of a proof page: what it was written from, and the digest by which a change of it is seen.

Pure. The digest covers every byte of the file but its own place. By itself it shows only that nobody changed
the file without making a new one; the log, which records the digest, shows that it is the file that was
written. Does not own the log (``storage.log``) or how it is asked (``reports.proof_page_service``).
"""

from __future__ import annotations

import json

from operators_edge.system.digest import sha256_hex
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1
_PLACE = "0" * 64
_SEAL = pattern(rb'<script type="application/json" id="seal">(\{[^<]*\})</script>')
_DIGEST = pattern(r'"digest":"([0-9a-f]{64})"')


class Head(NamedTuple):
    """The last line of the log that the page is written from."""

    seq: int
    hash: str


class Manifest(NamedTuple):
    """What the page was written from; ``written`` is a time."""

    version: str
    project: str
    written: str
    first: int
    last: int
    entries: int
    head: Head

    def as_data(self) -> dict[str, Any]:
        """With an empty place for the digest."""
        own = {"format": FORMAT, "digest": _PLACE}
        return {**own, **self._asdict(), "head": self.head._asdict()}


class Sealed(NamedTuple):
    """What a file says of itself, and the digest that it really has."""

    manifest: Manifest
    stated: str
    digest: str

    @property
    def is_whole(self) -> bool:
        return self.stated == self.digest


def sealed(page: str) -> str:
    """The page with its digest in its place."""
    digest = sha256_hex(page.encode())
    return page.replace(f'"digest":"{_PLACE}"', f'"digest":"{digest}"', 1)


def opened(data: bytes) -> Sealed | None:
    """The seal of a file; None if it has none, or one of another format."""
    found = _SEAL.search(data)
    if found is None or len(_SEAL.findall(data)) != 1:
        return None
    try:
        said = json.loads(found[1])
        head = Head(int(said["head"]["seq"]), str(said["head"]["hash"]))
        version, project, written = (str(said[name]) for name in ("version", "project", "written"))
        first, last, entries = (int(said[name]) for name in ("first", "last", "entries"))
        manifest = Manifest(version, project, written, first, last, entries, head)
        stated = _DIGEST.search(found[1].decode())
    except (ValueError, KeyError, TypeError):
        return None
    if stated is None or said.get("format") != FORMAT:
        return None
    start = found.start(1) + len(found[1].decode()[: stated.start(1)].encode())
    plain = data[:start] + _PLACE.encode() + data[start + len(_PLACE) :]
    return Sealed(manifest, stated[1], sha256_hex(plain))


# end of module
