"""Brainstorms as acts: ids that are never given twice, and a finished one kept whole in a file.

Does not own their phases (``inquiry.brainstorm``). The archive keeps a line of each; the file keeps all of
it.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from operators_edge.audit import archive
from operators_edge.inquiry import brainstorm, brainstorm_model
from operators_edge.locations import PROOF_DIR
from operators_edge.patrol import findings, service as patrol_service
from operators_edge.plan import service as plan_service
from operators_edge.plan.edits import EditResult
from operators_edge.redaction.redact import secret_values
from operators_edge.state import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

FOLDER = f"{PROOF_DIR}/brainstorms"


def scan(project: Project, *, env: Mapping[str, str] = os.environ) -> EditResult:
    """Look at the project for what is worth a brainstorm, and keep what was found in the state."""
    seen = patrol_service.scan(project, project.state.read(), env=env)
    found = findings.stored(seen.findings, now=project.clock())
    asked = found["suggested_challenges"]
    lines = [f"{number}. {each}" for number, each in enumerate(asked, 1)]
    lines.append("Begin the first: edge brainstorm 1" if asked else "No challenge was seen.")
    said = EditResult(
        "\n".join(lines),
        {**found, "skipped": list(seen.skipped)},
        (("brainstorm", {"to": "scanned", "challenges": len(asked)}),),
        tuple(f"not looked at: {each}" for each in seen.skipped),
    )

    def edit(state: State) -> EditResult:
        state["scan_findings"] = found
        return said

    return plan_service.write(project, edit, command="brainstorm scan", env=env)


def begin(project: Project, challenge: str, *, env: Mapping[str, str] = os.environ) -> EditResult:
    """Begin one; a finished one that still stands in the state goes to the archive with it."""
    now = project.clock()
    taken = {
        str(each.get("brainstorm_id"))
        for each in archive.read(project.root).entries
        if each.get("type") == "completed_brainstorm"
    }

    def change(tx: Transaction) -> EditResult:
        before = brainstorm_model.board_of(tx.state)
        meant, mode = brainstorm.challenge_of(tx.state, challenge)
        said = brainstorm.begin(tx.state, meant, mode=mode, now=now, taken=taken)
        if before:
            tx.archive(brainstorm.archive_entry(before, now))
        tx.tell(said.events, session=schema.latest_session(tx.state))
        return said

    return project.transact(change, command="brainstorm", secrets=secret_values(env))


def complete(project: Project, *, outcome: str, env: Mapping[str, str] = os.environ) -> EditResult:
    """Finish it, and keep it whole."""

    def change(tx: Transaction) -> EditResult:
        said = brainstorm.complete(tx.state, outcome=outcome, now=project.clock())
        name = re.sub(r"[^\w-]", "_", str(said.data["id"]))[:40]
        text = json.dumps(tx.state["brainstorm"], ensure_ascii=False, indent=1)
        tx.write(f"{FOLDER}/{name}.json", f"{text}\n")
        tx.tell(said.events, session=schema.latest_session(tx.state))
        return said

    return project.transact(change, command="brainstorm complete", secrets=secret_values(env))
