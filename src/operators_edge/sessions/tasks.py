"""How the Bridge's tasks stand, for the status and the start of a session: in one line, or nothing.

Where a project has no Bridge, nothing is loaded. Does not own the queue (``bridge.queue``).
"""

from __future__ import annotations

import os

from operators_edge.errors import EdgeError
from operators_edge.locations import HANDOFF_DIR
from operators_edge.text.wording import many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_NAMED = 3
_COUNTED = (("running", "in work"), ("queued", "queued"), ("failed", "failed"))


def gather(root: str) -> dict[str, Any] | None:
    """How many tasks are in each state, and the first that wait for a person or are blocked.

    None without a Bridge. Those who are blocked are queued, too.
    """
    if not os.path.isdir(os.path.join(root, HANDOFF_DIR, "tasks")):
        return None
    from operators_edge.bridge.service import Bridge  # noqa: PLC0415 - few projects have one

    bridge = Bridge(root)
    try:
        counts = bridge.queue.counts()
        counts["blocked"], blocked = bridge.queue.blocked(_NAMED)
        waiting = bridge.queue.pending(_NAMED)
        named = {
            key: [{"id": each.stem, "why": _why(bridge.result(each.stem))} for each in rows]
            for key, rows in (("waiting", waiting), ("blocked", blocked))
        }
    except EdgeError as error:
        return {"problem": error.message, "waiting": [], "blocked": [], "counts": {}}
    return {"problem": "", **named, "counts": counts}


def _why(result: Mapping[str, Any]) -> str:
    return str(result.get("detail") or result.get("reason") or "")


def line(seen: Mapping[str, Any] | None) -> str:
    """In a line; "" if there is nothing to say."""
    if seen is None:
        return ""
    if seen["problem"]:
        return f"the queue cannot be read: {seen['problem']}"
    named = [f"{each['id']}: {one_line(each['why'], 100)}" for each in seen["waiting"]]
    waiting = seen["counts"].get("pending", 0)
    parts = []
    if waiting:
        verb = "waits" if waiting == 1 else "wait"
        others = [f"and {waiting - len(named)} more"] if waiting > len(named) else []
        asked = "; ".join([*named, *others])
        parts.append(f"{many(waiting, 'task')} {verb} for you ({asked}): edge bridge approve ID")
    for each in seen["blocked"][:1]:
        more = seen["counts"]["blocked"] - 1
        also = f", and {more} more" if more else ""
        parts.append(f"blocked: {each['id']} ({one_line(each['why'], 100)}){also}")
    counts = [f"{seen['counts'][key]} {word}" for key, word in _COUNTED if seen["counts"].get(key)]
    if counts:
        parts.append(f"{', '.join(counts)}: edge bridge list")
    return "; ".join(parts)


# end of module
