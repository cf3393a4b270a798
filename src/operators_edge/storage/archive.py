"""The archive, ``.proof/archive.jsonl``: what is finished and was removed from the state.

Owns the types of its entries, how long each is kept, and reading. Writes nothing itself: it returns the step
that a transaction applies.
"""

from __future__ import annotations

from collections import Counter

from operators_edge import jsons
from operators_edge.datetimes import datetime, timedelta
from operators_edge.errors import StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.model import KEEP_DAYS
from operators_edge.storage import files, journal
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.text.tokens import last_number
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from operators_edge.storage.journal import Step

    Entry = dict[str, Any]

PATH = f"{PROOF_DIR}/archive.jsonl"

LAST_MISMATCH = "last_mismatch"
"""The state's key for the last number used, so that the end of a turn need not read the archive."""


class Content(NamedTuple):
    """The archive's entries, oldest first, and a message for each line that is not one."""

    entries: tuple[Entry, ...]
    problems: tuple[str, ...]


def read(root: str) -> Content:
    """Everything in the archive. A damaged line is skipped and reported."""
    entries, problems = [], []
    for number, line in enumerate(_lines(_data(root)), 1):
        entry = _parsed(line)
        if entry is None:
            problems.append(f"{PATH}:{number} is not an entry of the archive")
        else:
            entries.append(entry)
    return Content(tuple(entries), tuple(problems))


def highest(entries: Iterable[Entry]) -> int:
    """The highest number among the ids of the resolved mismatches; 0 if there is none."""
    return last_number(
        each.get("mismatch_id") for each in entries if each.get("type") == "resolved_mismatch"
    )


def last_mismatch(root: str, summary: object) -> int:
    """The highest number that an archived mismatch ever had; a new one gets a higher one.

    ``summary`` is the state's ``archive``, which also covers entries that have expired. An older one lacks
    the number: then the whole archive is read, until something is archived.
    """
    known = summary.get(LAST_MISMATCH) if isinstance(summary, dict) else None
    return known if type(known) is int else highest(read(root).entries)


def step(
    root: str,
    entries: list[Entry],
    *,
    tx: str,
    now: datetime,
    keep_days: Mapping[str, int | None],
) -> tuple[Step, Counter[str]]:
    """The step that adds the entries and drops expired ones, and how many are dropped, by type."""
    for entry in entries:
        if entry.get("type") not in KEEP_DAYS:
            raise StateError(f"{entry.get('type')!r} is not a type of the archive", hint="")
    stamped = [{"timestamp": now.isoformat(), **entry, "tx": tx} for entry in entries]
    added = "".join(f"{_encoded(_ordered(entry))}\n" for entry in stamped)
    data = _data(root)
    kept, dropped = [], Counter[str]()
    for line in _lines(data):
        if expired := _expired_type(line, now, keep_days):
            dropped[expired] += 1
        else:
            kept.append(line)
    text = "".join(f"{line}\n" for line in kept)
    if dropped:
        before = sha256_hex(data)
        write: Step = {
            "do": "write",
            "path": PATH,
            "before": before,
            "text": text + added,
            "added": added,
        }
        return write, dropped
    glue = "\n" if data and not data.endswith(b"\n") else ""
    return {"do": "append", "path": PATH, "size": len(data), "text": glue + added}, dropped


def _ordered(entry: Entry) -> Entry:
    """The entry with its type and time first."""
    return {"type": entry["type"], "timestamp": entry["timestamp"], **entry}


def _encoded(entry: Entry) -> str:
    text = jsons.dumps(entry, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode()


def _data(root: str) -> bytes:
    return files.read_bytes(journal.target(root, PATH)) or b""


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return lines[:-1] if not lines[-1] else lines


def _parsed(line: str) -> Entry | None:
    try:
        entry = jsons.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("type"), str) else None


def _expired_type(line: str, now: datetime, keep_days: Mapping[str, int | None]) -> str:
    """The type of an expired line, else ""; a line without a readable time never expires."""
    entry = _parsed(line)
    days = keep_days.get(entry["type"]) if entry is not None else None
    if entry is None or days is None:
        return ""
    when = timestamps.parse(entry.get("timestamp"))
    is_expired = when is not None and when < now - timedelta(days=days)
    return str(entry["type"]) if is_expired else ""


# end of module
