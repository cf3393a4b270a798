"""Research as acts on a project: ids that are never given twice, results of any length.

Owns the file in which long results lie, so that the state stays short and nothing of them is lost. Does not
own what is made of them (``inquiry.research``).
"""

from __future__ import annotations

import itertools
import os
import re
from typing import TYPE_CHECKING

from operators_edge.audit import archive
from operators_edge.inquiry.research import IN_STATE, Research, results_text
from operators_edge.locations import PROOF_DIR
from operators_edge.plan import service as plan_service
from operators_edge.redaction.redact import secret_values
from operators_edge.state import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

FOLDER = f"{PROOF_DIR}/research"


def read(project: Project) -> Research:
    """The research of the project as it is now."""
    return _opened(project, project.state.read(), _archived(project))


def write(
    project: Project,
    edit: Callable[[Research], EditResult],
    *,
    command: str,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """Apply an edit, and log it."""
    return plan_service.write(project, on_state(project, edit, env=env), command=command, env=env)


def on_state(
    project: Project, edit: Callable[[Research], EditResult], *, env: Mapping[str, str] = os.environ
) -> Callable[[State], EditResult]:
    """The edit of the research as an edit of the state."""
    archived = _archived(project)
    return lambda state: edit(_opened(project, state, archived, env))


def take_results(
    project: Project,
    ident: str,
    text: str,
    *,
    replace: bool = False,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """Store results; long ones go whole into a file, which the state names."""
    whole = results_text(text)
    archived = _archived(project)

    def change(tx: Transaction) -> EditResult:
        research = _opened(project, tx.state, archived, env)
        name = research.entry(ident)["id"]
        path = _free_path(project.root, name) if len(whole) > IN_STATE else ""
        said = research.complete(ident, whole, kept_in=path, replace=replace)
        if path:
            tx.write(path, f"{whole}\n")
        tx.tell(said.events, session=schema.latest_session(tx.state))
        return said

    return project.transact(change, command="research results", secrets=secret_values(env))


def _opened(
    project: Project, state: State, archived: Mapping[str, str], env: Mapping[str, str] = os.environ
) -> Research:
    return Research(state, now=project.clock(), archived=archived, secrets=secret_values(env))


def _archived(project: Project) -> dict[str, str]:
    """The ids of archived research, each with its topic; ids in lines that cannot be read are unknown."""
    return {
        str(each["research_id"]): str(each.get("topic") or "")
        for each in archive.read(project.root).entries
        if each.get("type") == "completed_research" and each.get("research_id")
    }


def _free_path(root: str, ident: str) -> str:
    """A file of that research that is not there yet: results that came before stay."""
    name = re.sub(r"[^A-Za-z0-9]", "-", ident)[:40]
    later = (f"{FOLDER}/{name}-{number}.md" for number in itertools.count(2))
    paths = itertools.chain([f"{FOLDER}/{name}.md"], later)
    return next(each for each in paths if not os.path.lexists(os.path.join(root, each)))
