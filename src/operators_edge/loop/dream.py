"""The DREAM gear: looking back over everything that is remembered.

Owns where the material comes from. Does not own what is seen in it (``loop.retrospective``), and writes
nothing: the engine raises the junction for a proposal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.audit import archive
from operators_edge.loop import retrospective
from operators_edge.loop.retrospective import Reflection
from operators_edge.text.wording import many

if TYPE_CHECKING:
    from operators_edge.model import State
    from operators_edge.project import Project

__all__ = ["Reflection", "reflect"]


def reflect(project: Project, state: State, *, session: str) -> Reflection:
    """Reflect over ``state`` and the archive; at most one proposal for each session.

    Who raises the proposal says so: ``state["gear"]["proposal_session"] = session``, and the junction's
    ``fingerprint`` is the proposal's ``id``. What a person answered once is then not proposed again. An
    archive that cannot be read is an error (StateError), lines of it that cannot are an observation.
    """
    content = archive.read(project.root)
    seen = retrospective.reflect(
        state,
        content.entries,
        now=project.clock(),
        is_spent=retrospective.is_spent(state, session),
    )
    if not content.problems:
        return seen
    unread = f"{many(len(content.problems), 'line')} of the archive could not be read"
    return seen._replace(
        observations=(*seen.observations, f"{unread}: {content.problems[0]}"),
        telemetry={**seen.telemetry, "unread": len(content.problems)},
    )
