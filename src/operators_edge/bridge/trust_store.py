"""Which text of a repository's settings a person trusted, by its digest: a change has to be trusted again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.storage.confirmations import Confirmation
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Mapping

RECORD = Confirmation("bridge-trust.json", "bridge-trust")


def confirm(root: str, text: str, *, by: str, at: str, env: Mapping[str, str]) -> None:
    """Store exactly this text as trusted, instead of what was trusted before."""
    RECORD.write(root, {"digest": sha256_hex(text.encode())}, by=by, at=at, env=env)


def is_confirmed(root: str, text: str, env: Mapping[str, str]) -> bool:
    """Whether a person trusted exactly this text. Raises StateError if that cannot be read."""
    record = RECORD.read(root, env)
    return record is not None and record.get("digest") == sha256_hex(text.encode())


# end of module
