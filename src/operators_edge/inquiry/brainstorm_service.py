"""Brainstorms in a project: unique ids across the archive, and a file for each finished one.

The archive keeps one line for each; the file keeps all of it. Does not own their phases
(``inquiry.brainstorm``).
"""

from __future__ import annotations

import json
import os
import re

from operators_edge.inquiry import brainstorm, brainstorm_model
from operators_edge.locations import PROOF_DIR
from operators_edge.patrol import findings, service as patrol_service
from operators_edge.plan import service as plan_service
from operators_edge.plan.edits import EditResult
from operators_edge.state import schema
from operators_edge.storage import archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

FOLDER = f"{PROOF_DIR}/brainstorms"


def scan(project: Project, *, env: Mapping[str, str] = os.environ) -> EditResult:
    """Scan the project for challenges worth a brainstorm, and store them in the state."""
    result = patrol_service.scan(project, project.state.read(), env=env)
    stored = findings.stored(result.findings, now=project.clock())
    challenges = stored["suggested_challenges"]
    lines = [f"{number}. {each}" for number, each in enumerate(challenges, 1)]
    lines.append(
        "Begin with the first: edge brainstorm 1" if challenges else "No challenge was found."
    )
    said = EditResult(
        "\n".join(lines),
        {**stored, "skipped": list(result.skipped)},
        (("brainstorm", {"to": "scanned", "challenges": len(challenges)}),),
        tuple(f"not scanned: {each}" for each in result.skipped),
    )

    def edit(state: State) -> EditResult:
        state["scan_findings"] = stored
        return said

    return plan_service.write(project, edit, command="brainstorm scan", env=env)


def begin(project: Project, challenge: str, *, env: Mapping[str, str] = os.environ) -> EditResult:
    """Begin one; a finished one that is still in the state is archived."""
    now = project.clock()
    taken = {
        str(each.get("brainstorm_id"))
        for each in archive.read(project.root).entries
        if each.get("type") == "completed_brainstorm"
    }

    def change(tx: Transaction) -> EditResult:
        before = brainstorm_model.brainstorm_of(tx.state)
        meant, mode = brainstorm.challenge_of(tx.state, challenge)
        result = brainstorm.begin(tx.state, meant, mode=mode, now=now, taken=taken)
        if before:
            tx.archive(brainstorm.archive_entry(before, now))
        tx.tell(result.events, session=schema.latest_session(tx.state))
        return result

    secrets = project.secrets(env)
    checked = plan_service.without_secrets(change, secrets)
    return project.transact(checked, command="brainstorm", secrets=secrets)


def complete(project: Project, *, outcome: str, env: Mapping[str, str] = os.environ) -> EditResult:
    """Finish it, and write all of it to a file."""

    def change(tx: Transaction) -> EditResult:
        result = brainstorm.complete(tx.state, outcome=outcome, now=project.clock())
        name = re.sub(r"[^\w-]", "_", str(result.data["id"]))[:40]
        text = json.dumps(tx.state["brainstorm"], ensure_ascii=False, indent=1)
        tx.write(f"{FOLDER}/{name}.json", f"{text}\n")
        tx.tell(result.events, session=schema.latest_session(tx.state))
        return result

    secrets = project.secrets(env)
    checked = plan_service.without_secrets(change, secrets)
    return project.transact(checked, command="brainstorm complete", secrets=secrets)


# end of module
