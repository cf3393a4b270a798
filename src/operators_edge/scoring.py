"""The score of the work for the objective: asks the log, and keeps the answer in the state.

Owns which entries are read. Does not own the checks (``core.score``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge import intent, judgement
from operators_edge.core import score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.core.planning import Said
    from operators_edge.core.score import Found
    from operators_edge.model import State
    from operators_edge.project import Project


def found(project: Project) -> dict[str, Found]:
    """Every check from evidence since the objective was set."""
    state = project.state.read()
    since = (project.log.work()["since"] or {}).get("seq") or 0
    entries = (entry for entry, _ in project.log.entries() if int(entry.get("seq") or 0) >= since)
    return score.judge(state, score.course_of(entries), judgement.claims_of(project, state))


def record(project: Project, reports: Mapping[str, str]) -> Said:
    """Compute the score and keep it."""
    checks, now = found(project), project.clock()

    def edit(state: State) -> Said:
        return score.record(state, checks, reports, now=now)

    return intent.write(project, edit, command="score")
