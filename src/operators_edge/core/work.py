"""What all sessions did since the objective was set, folded from the log's entries (QG-2).

Pure. Owns the work record: one for the project, where ``evidence`` keeps one for each session. Does not own
where it is kept (``store.counters``), nor what a claim is worth (``claims``, ``quality``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.core.evidence import Entry

Work = dict[str, Any]

SESSIONS_KEPT = 100
FILES_KEPT = 1000
OUTSIDE_KEPT = 100
CHECKS_KEPT = 200
COMMANDS_KEPT = 500
STEPS_KEPT = 300
TODOS_KEPT = 200
EVALS_KEPT = 100
TOOLS_KEPT = 200


def new_work(root: str) -> Work:
    """An empty record. ``objective_hash`` is None until the log says what the objective is."""
    return {
        "root": root,
        "objective_hash": None,
        "since": None,
        "sessions": [],
        "actions": 0,
        "own": 0,
        "tools_used": {},
        "files": {},
        "outside": [],
        "checks": [],
        "commands": {},
        "failures": 0,
        "plan_hash": None,
        "order": [],
        "steps": {},
        "elsewhere": False,
        "tampering": {},
        "evals": [],
        "todos": {},
    }


def fold_work(work: Work, entries: Iterable[Entry]) -> Work:
    """Add entries of any session to the record, in the log's order."""
    return work


def of_step(work: Work, key: str) -> dict[str, Any]:
    """What was observed while the step was at work: from its start, else the completion before it.

    ``{"files", "tree", "commands", "failed", "checks", "actions", "from", "to"}``: paths that tools wrote; paths
    that the tree's next look showed, which may be this step's; how many different commands ran and which of them
    failed; the checks' records; tool uses that were no claims; numbers of log entries.
    """
    raise NotImplementedError
