"""Research in a project: unique ids across the archive, and results of any length.

Owns the files with long results, which keep the state short. Does not own the entries
(``inquiry.research``).
"""

from __future__ import annotations

import itertools
import os
import re

from operators_edge.inquiry.research import MAX_IN_STATE, Research, results_text
from operators_edge.locations import PROOF_DIR
from operators_edge.plan import service as plan_service
from operators_edge.state import schema
from operators_edge.storage import archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.model import State
    from operators_edge.plan.edits import EditResult
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

FOLDER = f"{PROOF_DIR}/research"


def read(project: Project) -> Research:
    """The current research of the project."""
    return _research_of(project, project.state.read(), _archived(project))


def write(
    project: Project,
    edit: Callable[[Research], EditResult],
    *,
    command: str,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """Apply an edit and log it."""
    return plan_service.write(
        project, as_state_edit(project, edit, env=env), command=command, env=env
    )


def as_state_edit(
    project: Project, edit: Callable[[Research], EditResult], *, env: Mapping[str, str] = os.environ
) -> Callable[[State], EditResult]:
    """The edit of the research as an edit of the state."""
    archived = _archived(project)
    return lambda state: edit(_research_of(project, state, archived, env))


def store_results(
    project: Project,
    ident: str,
    text: str,
    *,
    replace: bool = False,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """Store results; long ones go to a file that the state names."""
    whole = results_text(text)
    archived = _archived(project)

    def change(tx: Transaction) -> EditResult:
        research = _research_of(project, tx.state, archived, env)
        name = research.entry(ident)["id"]
        path = _unused_path(project.root, name) if len(whole) > MAX_IN_STATE else ""
        result = research.complete(ident, whole, kept_in=path, replace=replace)
        if path:
            tx.write(path, f"{whole}\n")
        tx.tell(result.events, session=schema.latest_session(tx.state))
        return result

    secrets = project.secrets(env)
    checked = plan_service.without_secrets(change, secrets)
    return project.transact(checked, command="research results", secrets=secrets)


def _research_of(
    project: Project, state: State, archived: Mapping[str, str], env: Mapping[str, str] = os.environ
) -> Research:
    return Research(state, now=project.clock(), archived=archived, secrets=project.secrets(env))


def _archived(project: Project) -> dict[str, str]:
    """The ids of archived research, each with its topic; ids in unreadable lines are unknown."""
    return {
        str(each["research_id"]): str(each.get("topic") or "")
        for each in archive.read(project.root).entries
        if each.get("type") == "completed_research" and each.get("research_id")
    }


def _unused_path(root: str, ident: str) -> str:
    """A path that does not exist yet, so that earlier results are kept."""
    name = re.sub(r"[^A-Za-z0-9]", "-", ident)[:40]
    later = (f"{FOLDER}/{name}-{number}.md" for number in itertools.count(2))
    paths = itertools.chain([f"{FOLDER}/{name}.md"], later)
    return next(each for each in paths if not os.path.lexists(os.path.join(root, each)))


# end of module
