"""Keeping the state small: what is finished goes to the archive, in one act (LC-4).

Owns when the log is asked and that the whole is one transaction. Does not own what leaves
(``archive.retention``) or the end of an objective (``archive.service``).
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from operators_edge.archive import retention
from operators_edge.memory.lessons import Seen
from operators_edge.quality import evals_service
from operators_edge.state import schema
from operators_edge.text import timestamps

if TYPE_CHECKING:
    from operators_edge.archive.retention import Pruned
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction


def preview(project: Project) -> Pruned:
    """What a prune would take out now; nothing is written."""
    state = copy.deepcopy(project.state.read_fast())
    done = retention.prune(
        state,
        now=project.clock(),
        session=schema.latest_session(state),
        exposures=exposures(project),
    )
    return done.with_runs(*evals_service.untidy(project))


def prune(project: Project, *, session: str | None = None) -> Pruned:
    """Take it out and archive it. Where nothing is finished, no file is touched.

    Eval runs past their time go first: where one cannot be removed, nothing else has happened.
    """
    whose = schema.latest_session(project.state.read_fast()) if session is None else session
    seen = exposures(project)
    runs = evals_service.tidy(project, whose)

    def change(tx: Transaction) -> Pruned:
        done = retention.prune(tx.state, now=project.clock(), session=whose, exposures=seen)
        for entry in done.entries:
            tx.archive(entry)
        if done.counts:
            tx.log("pruned", dict(done.counts), session=whose)
        return done

    return project.transact(change, command="prune").with_runs(*runs)


def exposures(project: Project) -> dict[str, Seen]:
    """How often each lesson was told, by its key, as the log has it."""
    found: dict[str, Seen] = {}
    for entry in project.log.search(event="lesson_told"):
        data = entry.get("data") or {}
        key = str(data.get("key") or "")
        if key:
            found[key] = Seen(
                found.get(key, Seen(0)).times + 1, timestamps.parse(entry.get("timestamp"))
            )
    return found
