"""What the claims of a project are worth: asks the log and git, and gives the facts to the pure part.

Owns what is asked. Does not own how it is judged (``core.claims``, ``core.quality``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.core.claims import Claim

if TYPE_CHECKING:
    from operators_edge.model import State
    from operators_edge.project import Project


def claims_of(project: Project, state: State) -> tuple[Claim, ...]:
    """A claim for every completed step, in the plan's order."""
    return tuple(
        Claim(
            step=number,
            key="",
            text=str(step.get("description") or ""),
            proof=str(step.get("proof") or ""),
            source=str(step.get("source") or ""),
            verdict="UNVERIFIED",
            why="nothing was observed either way",
        )
        for number, step in enumerate(state.get("plan") or [], 1)
        if step.get("status") == "completed"
    )
