"""Research that goes out and comes back: ids that are never given twice, results of any length.

Owns the file in which long results lie, so that the state stays short and nothing of them is lost. Does not
own what is made of them (``inquiry.research``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.audit import archive
from operators_edge.errors import UsageError
from operators_edge.inquiry import research
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

MOST_FILES = 1000


def taken(project: Project) -> dict[str, str]:
    """The ids of archived research, each with its topic; ids in lines that cannot be read are unknown."""
    return {
        str(each["research_id"]): str(each.get("topic") or "")
        for each in archive.read(project.root).entries
        if each.get("type") == "completed_research" and each.get("research_id")
    }


def write(
    project: Project,
    edit: Callable[[State, Mapping[str, str], tuple[str, ...]], EditResult],
    *,
    command: str,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """Apply an edit of ``inquiry.research``; it gets the ids that are taken and the values to hide."""
    known, secrets = taken(project), secret_values(env)
    return plan_service.write(
        project, lambda state: edit(state, known, secrets), command=command, env=env
    )


def take_results(
    project: Project,
    ident: str,
    text: str,
    *,
    replace: bool = False,
    env: Mapping[str, str] = os.environ,
) -> EditResult:
    """Take results in; long ones lie whole in a file of their own, which the state names."""
    whole = research.results_text(text)
    known = taken(project)

    def change(tx: Transaction) -> EditResult:
        name = str(research.entry_of(tx.state, ident, known)["id"])
        path = _free_path(project.root, name) if len(whole) > research.IN_STATE else ""
        said = research.complete(
            tx.state,
            ident,
            whole,
            now=project.clock(),
            kept_in=path,
            replace=replace,
            taken=known,
        )
        if path:
            tx.write(path, f"{whole}\n")
        tx.tell(said.events, session=schema.latest_session(tx.state))
        return said

    return project.transact(change, command="research results", secrets=secret_values(env))


def _free_path(root: str, ident: str) -> str:
    """A file of that research that is not there yet: results that came before stay."""
    kept = "".join(each if each.isascii() and each.isalnum() else "-" for each in ident)[:40]
    for number in range(1, MOST_FILES):
        path = f"{FOLDER}/{kept}{f'-{number}' if number > 1 else ''}.md"
        if not os.path.lexists(os.path.join(root, path)):
            return path
    raise UsageError(f"{FOLDER} holds {MOST_FILES} results of {ident}", hint=f"ls {FOLDER}")
