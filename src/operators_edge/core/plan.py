"""Objective and plan as the log tells them: what a step is called, and what the log does not say yet.

Pure. Owns a step's key and the events ``objective`` and ``plan``. Does not own what is observed beside them
(``work``) or when it is asked (``project``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.core.digest import sha256_hex
from operators_edge.core.fingerprint import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.core.evidence import Entry
    from operators_edge.core.work import Work
    from operators_edge.model import State

TEXT_LIMIT = 200
"""Characters of a step's text, and of its verification, that the log keeps."""

STEPS_LOGGED = 200
"""Steps of a longer plan are not followed one by one; the log keeps no longer lists."""

NO_OBJECTIVE = ""


def keys_of(texts: Iterable[object]) -> list[str]:
    """One key for each description; a repeated one is numbered from its second time on."""
    found: dict[str, int] = {}
    keys = []
    for text in texts:
        key = sha256_hex(" ".join(str(text or "").split()).encode("utf-8", "backslashreplace"))[:12]
        found[key] = found.get(key, 0) + 1
        keys.append(key if found[key] == 1 else f"{key}#{found[key]}")
    return keys


def objective_hash(state: State) -> str:
    """The objective's identity; ``NO_OBJECTIVE`` where there is none."""
    objective = state.get("objective")
    return sha256_hex(canonical(objective)) if objective else NO_OBJECTIVE


def remark(state: State, said: Work) -> list[Entry]:
    """The entries that tell what the state's objective and plan are and the log does not say yet."""
    raise NotImplementedError
