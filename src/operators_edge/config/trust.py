"""Which loosenings in a project's configuration a person confirmed (JU-4).

Does not own what a loosening is (``config.layers``).
"""

from __future__ import annotations

from operators_edge.storage.confirmations import Confirmation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RECORD = Confirmation("trust.json", "trust")


def confirm(
    root: str, loosenings: Iterable[str], *, by: str, at: str, env: Mapping[str, str]
) -> None:
    """Store exactly these ("git-push=warn") as confirmed, instead of what was confirmed before."""
    RECORD.write(root, {"loosenings": sorted(loosenings)}, by=by, at=at, env=env)


def confirmed(root: str, env: Mapping[str, str]) -> frozenset[str]:
    """What a person confirmed for this project. Raises StateError if that cannot be read."""
    record = RECORD.read(root, env) or {"loosenings": ()}
    return frozenset(map(str, record["loosenings"]))


# end of module
