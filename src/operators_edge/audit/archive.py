"""The archive, ``.proof/archive.jsonl``: what is finished and need not stand in the state any more.

Owns its entries' types, how long each is kept, and reading it back. Writes nothing itself: it says what
has to be written, and a transaction writes it.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.storage import files, journal
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.text.tokens import last_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from operators_edge.storage.journal import Step

PATH = f"{PROOF_DIR}/archive.jsonl"

LAST_MISMATCH = "last_mismatch"
"""Where the state keeps the last number given, so that the end of a turn need not read the archive."""

TYPES = (
    "completed_step",
    "resolved_mismatch",
    "completed_objective",
    "decayed_lesson",
    "completed_research",
    "completed_brainstorm",
)

Entry = dict[str, Any]


class Content(NamedTuple):
    """The archive as read: its entries, oldest first, and a sentence for each line that is none."""

    entries: tuple[Entry, ...]
    problems: tuple[str, ...]


def read(root: str) -> Content:
    """Everything that is archived. A damaged line is left out and named; the others count."""
    entries, problems = [], []
    for number, line in enumerate(_lines(_data(root)), 1):
        entry = _parsed(line)
        if entry is None:
            problems.append(f"{PATH}:{number} is no entry of the archive")
        else:
            entries.append(entry)
    return Content(tuple(entries), tuple(problems))


def highest(entries: Iterable[Entry]) -> int:
    """The highest number among the ids of the resolved mismatches; 0 where there is none."""
    return last_number(
        each.get("mismatch_id") for each in entries if each.get("type") == "resolved_mismatch"
    )


def last_mismatch(root: str, said: object) -> int:
    """The highest number that an archived mismatch ever had: a new one gets a higher one.

    ``said`` is what the state says of its archive, which also knows those whose time is over. One that says
    nothing of it was written before it was kept: then all of the archive is read, until it grows.
    """
    known = said.get(LAST_MISMATCH) if isinstance(said, dict) else None
    return known if type(known) is int else highest(read(root).entries)


def step(
    root: str,
    entries: list[Entry],
    *,
    tx: str,
    now: datetime,
    keep_days: Mapping[str, int | None],
) -> tuple[Step, Counter[str]]:
    """What adds the entries and leaves out those whose time is over; and how many those are, by type."""
    for entry in entries:
        if entry.get("type") not in TYPES:
            raise StateError(f"{entry.get('type')!r} is nothing that is archived", hint="")
    stamped = [{"timestamp": now.isoformat(), **entry, "tx": tx} for entry in entries]
    added = "".join(f"{_encoded(_ordered(entry))}\n" for entry in stamped)
    data = _data(root)
    kept, gone = [], Counter[str]()
    for line in _lines(data):
        over = _over(line, now, keep_days)
        gone.update([over] if over else [])
        kept.extend([] if over else [line])
    text = "".join(f"{line}\n" for line in kept)
    if gone:
        before = sha256_hex(data)
        write = {"do": "write", "path": PATH, "before": before, "text": text + added}
        return {**write, "added": added}, gone
    glue = "\n" if data and not data.endswith(b"\n") else ""
    return {"do": "append", "path": PATH, "size": len(data), "text": glue + added}, gone


def _ordered(entry: Entry) -> Entry:
    """As the archive's readers see it: what it is and when first."""
    return {"type": entry["type"], "timestamp": entry["timestamp"], **entry}


def _encoded(entry: Entry) -> str:
    text = json.dumps(entry, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode()


def _data(root: str) -> bytes:
    return files.read_bytes(journal.target(root, PATH)) or b""


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return lines[:-1] if not lines[-1] else lines


def _parsed(line: str) -> Entry | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("type"), str) else None


def _over(line: str, now: datetime, keep_days: Mapping[str, int | None]) -> str:
    """The line's type where its time is over; a line that cannot be read or dated stays."""
    entry = _parsed(line)
    days = keep_days.get(entry["type"]) if entry is not None else None
    if entry is None or days is None:
        return ""
    when = timestamps.parse(entry.get("timestamp"))
    is_over = when is not None and when < now - timedelta(days=days)
    return str(entry["type"]) if is_over else ""
