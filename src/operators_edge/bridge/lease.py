"""Leases: when a lock file still holds, for the worker and for a task.

Pure. Age decides; whether a process is alive is only a hint, as ids are reused and containers hide them. An
owner that lives renews its lease, so that one of any length is kept. Does not own the files
(``bridge.locks_store``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from operators_edge.datetimes import datetime, timedelta

if TYPE_CHECKING:
    from collections.abc import Mapping

WORKER_TTL = 7_200
SMALLEST_TTL = 2
RENEWALS = 4
"""An owner renews so often within a lease: three may be late before it is lost."""


class LockRecord(TypedDict, total=False):
    """A lock file's content. The first four keys are the protocol's; times are ISO 8601."""

    pid: int
    created_at: str
    host: str
    task_id: str
    timeout_sec: int
    ttl_sec: int
    renewed_at: str
    epoch: int
    token: str
    """Random: two locks with the same token are the same lock."""


class Seen(NamedTuple):
    """A lock file as it was found; ``record`` is None if it is empty or cannot be read."""

    record: LockRecord | None
    modified: datetime
    digest: str


class LeaseLost(Exception):
    """Somebody else has it now: a process that lost a lock or a claim writes nothing more."""


Verdict = Literal["held", "stale"]


def renewal_seconds(ttl: float) -> float:
    return ttl / RENEWALS


def task_ttl(timeout_sec: int, worker_ttl: int = WORKER_TTL) -> int:
    """The age at which a task's lock is stale without regard to its holder."""
    return max(2 * timeout_sec, worker_ttl)


def verdict(
    seen: Seen, *, now: datetime, ttl: int, host: str, is_alive: bool | None = None
) -> Verdict:
    """Whether the lock still holds. ``is_alive``: its process, on this host; None if that is unknown.

    A process that is gone on this host frees the lock at once; one that is there frees nothing.
    """
    record = seen.record or LockRecord()
    if is_alive is False and record.get("host") == host:
        return "stale"
    age = now - min(_last_sign(record, seen.modified, now), now)
    return "stale" if age > timedelta(seconds=max(ttl, SMALLEST_TTL)) else "held"


def is_of_another_host(seen: Seen, host: str) -> bool:
    """Whether it names another host; one that says nothing does not."""
    named = (seen.record or {}).get("host")
    return isinstance(named, str) and named not in ("", host)


def _last_sign(record: Mapping[str, Any], modified: datetime, now: datetime) -> datetime:
    """When the owner last gave a sign: what it wrote, else, or if that is to come, when the file changed."""
    for key in ("renewed_at", "created_at"):
        try:
            found = datetime.fromisoformat(str(record[key]))
        except (KeyError, ValueError):
            continue
        if found.tzinfo is not None:
            return found if found <= now else modified
    return modified


# end of module
