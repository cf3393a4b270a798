"""How the Bridge's tasks stand, for the status and the start of a session: in one line, or nothing.

Where a project has no Bridge, nothing is loaded. Does not own the queue (``bridge.queue``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.locations import HANDOFF_DIR
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NAMED = 3
_COUNTED = (("running", "in work"), ("queued", "queued"), ("failed", "failed"))


def gather(root: str) -> dict[str, Any] | None:
    """How many tasks are in each state, and which wait for a person or are blocked; None without a Bridge."""
    if not os.path.isdir(os.path.join(root, HANDOFF_DIR, "tasks")):
        return None
    from operators_edge.bridge.service import Bridge  # noqa: PLC0415 - few projects have one

    bridge = Bridge(root)
    try:
        rows = bridge.queue.tasks()
        latest = {
            each.stem: bridge.result(each.stem)
            for each in rows
            if each.state in ("pending", "queued")
        }
        waiting = [
            {"id": each.stem, "why": _why(latest[each.stem])}
            for each in rows
            if each.state == "pending"
        ]
        blocked = [
            {"id": stem, "why": _why(each)}
            for stem, each in latest.items()
            if each.get("status") == "blocked"
        ]
    except EdgeError as error:
        return {"problem": error.message, "waiting": [], "blocked": [], "counts": {}}
    counts: dict[str, int] = {}
    for each in rows:
        counts[each.state] = counts.get(each.state, 0) + 1
    return {"problem": "", "waiting": waiting, "blocked": blocked, "counts": counts}


def _why(result: Mapping[str, Any]) -> str:
    return str(result.get("detail") or result.get("reason") or "")


def line(seen: Mapping[str, Any] | None) -> str:
    """In a line; "" if there is nothing to say."""
    if seen is None:
        return ""
    if seen["problem"]:
        return f"the queue cannot be read: {seen['problem']}"
    waiting: Sequence[Mapping[str, str]] = seen["waiting"]
    named = [f"{each['id']}: {one_line(each['why'], 100)}" for each in waiting[:_NAMED]]
    more = [f"and {len(waiting) - _NAMED} more"] if len(waiting) > _NAMED else []
    parts = []
    if waiting:
        verb = "waits" if len(waiting) == 1 else "wait"
        asked = "; ".join([*named, *more])
        parts.append(
            f"{many(len(waiting), 'task')} {verb} for you ({asked}): edge bridge approve ID"
        )
    parts += [
        f"blocked: {each['id']} ({one_line(each['why'], 100)})" for each in seen["blocked"][:1]
    ]
    counts = [f"{seen['counts'][key]} {word}" for key, word in _COUNTED if seen["counts"].get(key)]
    if counts:
        parts.append(f"{', '.join(counts)}: edge bridge list")
    return "; ".join(parts)
