"""What is wanted, written: one edit of the state and its entries in the log, as one act.

Owns how an edit of ``core.planning`` and ``core.concerns`` gets into the project. Does not own the edits, nor
the words with which people and agents ask for them (``cli``, ``hosts``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.core.planning import Said
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.store.transaction import Transaction


def write(
    project: Project,
    edit: Callable[[State], Said],
    *,
    command: str,
    session: str | None = None,
    env: Mapping[str, str] = os.environ,
) -> Said:
    """Apply ``edit`` to the state and log what it says of itself; all of it happens, or nothing.

    ``edit`` may be called again on a newer state, when an editor wrote in between. ``session`` is whose
    doing it is in the log; None means the latest one's.
    """
    from operators_edge.core.redact import secret_values  # noqa: PLC0415 - loads many patterns

    def change(tx: Transaction) -> Said:
        whose = session
        if whose is None:
            whose = str((tx.state.get("session") or {}).get("id") or "")
        said = edit(tx.state)
        for event, data in said.events:
            tx.log(event, data, session=whose)
        return said

    return project.transact(change, command=command, secrets=secret_values(env))
