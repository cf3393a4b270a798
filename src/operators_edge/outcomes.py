"""What a turn's outcomes leave in the state: mismatches that were observed, and those that are gone.

A call only adds to the log (PR-10); when the turn ends the state is told. Does not own what a mismatch is
(``core.mismatches``) or which command is a check (``checking``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.core import mismatches
from operators_edge.store import archive

if TYPE_CHECKING:
    from operators_edge.project import Project


def last_archived(project: Project) -> int:
    """The highest number among the ids of archived mismatches: a new one gets a higher one."""
    found = archive.read(project.root).entries
    return mismatches.last_number(
        each.get("mismatch_id") for each in found if each.get("type") == "resolved_mismatch"
    )
