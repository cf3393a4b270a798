"""Which of the person's decisions count now: what ``edge grants`` and ``edge status`` show.

Does not own how one is made or revoked (``sessions.decisions``).
"""

from __future__ import annotations

from operators_edge.approvals import junction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.records import Grant

GRANT_KEYS = ("allowances", "dismissals", "overrides")


def live_grants(project: Project, state: State) -> list[Grant]:
    """Every grant that counts now, each with its ``kind``: what ``edge grants`` lists."""
    return classify_grants(project, state)[0]


def classify_grants(project: Project, state: State) -> tuple[list[Grant], list[str]]:
    """The grants that count now; and why other unused ones do not, each reason once."""
    counting: list[Grant] = []
    reasons: dict[str, None] = {}
    for grant in junction.open_grants(state, project.clock(), *GRANT_KEYS):
        reason = project.refusal_reason(grant)
        if reason:
            reasons[reason] = None
        else:
            counting.append(grant)
    return counting, list(reasons)


# end of module
