"""A look at the whole project for what is worth doing (GE-3).

Owns which looks are taken, in which order, and that they end in time. Does not own how a file is looked at
(``system.analysis``), a finding's shape and rank (``core.findings``) or what becomes of one (``decisions``).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.core import findings

if TYPE_CHECKING:
    from operators_edge.core.findings import Finding
    from operators_edge.model import State
    from operators_edge.project import Project

BUDGET_SECONDS = 20.0


class Scan(NamedTuple):
    """What was found, the most important first. ``skipped``: a sentence for each thing that was not looked
    at, and why; without any the scan is whole. ``files`` were looked into.
    """

    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]
    files: int
    seconds: float


def scan(project: Project, state: State, *, budget: float = BUDGET_SECONDS) -> Scan:
    """Look at the project, for at most ``budget`` seconds. Writes nothing."""
    begun = time.monotonic()
    found: list[Finding] = []
    return Scan(findings.ranked(found), ("no file was looked at",), 0, time.monotonic() - begun)


def challenges(scan: Scan) -> list[str]:
    """Questions worth a brainstorm, at most five: "How might we …"."""
    return findings.challenges(scan.findings)
