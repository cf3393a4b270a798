"""The score of the work for the objective: computed from the log, stored in the state.

Owns which entries are read. Does not own the checks (``quality.score``).
"""

from __future__ import annotations

from operators_edge.evidence.claims import service as claims_service
from operators_edge.plan import service as plan_service
from operators_edge.quality import score
from operators_edge.storage import archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.quality.score import Rating


def rate(project: Project, state: State) -> dict[str, Rating]:
    """Every check, from the evidence since the objective was set."""
    since = project.evidence.work()["since"]
    entries = project.log.since(since["seq"] if since else 0)
    return score.judge(state, entries, claims_service.claims_of(project, state))


def current(project: Project, state: State) -> dict[str, Any]:
    """The score of a state; nothing is written."""
    return score.score_of(rate(project, state), {}, now=project.clock())


def record(project: Project, reports: Mapping[str, str]) -> EditResult:
    """Compute and store the score, and report it with those of earlier objectives."""
    checks, now = rate(project, project.state.read()), project.clock()
    content = archive.read(project.root)
    before = score.past_scores(content.entries)

    def edit(state: State) -> EditResult:
        return score.record(state, checks, reports, now=now, before=before)

    said = plan_service.write(project, edit, command="score")
    return said._replace(remarks=(*said.remarks, *content.problems[:1]))


# end of module
