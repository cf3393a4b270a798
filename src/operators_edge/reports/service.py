"""Reads a project for its reports."""

from __future__ import annotations

from operators_edge.evidence.claims import service as claims_service
from operators_edge.reports import proof_ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.rerun import Rerun
    from operators_edge.project import Project
    from operators_edge.reports.proof_ledger import ProofLedger


def proof_ledger_of(project: Project, ran: Sequence[Rerun] = ()) -> ProofLedger:
    """The verdict on each completed step, as it is now."""
    return proof_ledger.proof_ledger(claims_service.claims_of(project, project.state.read()), ran)


# end of module
