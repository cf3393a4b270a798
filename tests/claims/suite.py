"""Plays stories and compares what the proof ledger says with what is true."""

from __future__ import annotations

import tempfile
from typing import NamedTuple

from tests.claims import accounts, sessions  # noqa: F401 - their stories join the others
from tests.claims.cases import CASES, Case, available


class Result(NamedTuple):
    """One step of one story.

    ``outcome`` is "caught", "missed", "falsely accused", "as it is" or "otherwise".
    """

    case: str
    step: int
    truth: str
    verdict: str
    outcome: str
    why: str

    @property
    def is_bad(self) -> bool:
        return self.outcome not in ("caught", "as it is")


def play(case: Case) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="edge-claims-") as top:
        stage, truth = case.play(top)
        told = stage.verdicts()
    found = []
    for step, allowed in truth.items():
        claim = told.get(step) or {"verdict": "(none)", "why": ""}
        verdict = str(claim["verdict"])
        words = "/".join(sorted(allowed)) if len(allowed) < 3 else "not accused"
        outcome = _outcome(verdict, allowed)
        found.append(Result(case.name, step, words, verdict, outcome, str(claim["why"])))
    return found


def _outcome(verdict: str, allowed: frozenset[str]) -> str:
    if verdict in allowed:
        return "caught" if "CONTRADICTED" in allowed and "VERIFIED" not in allowed else "as it is"
    if "CONTRADICTED" in allowed:
        return "missed"
    return "falsely accused" if verdict == "CONTRADICTED" else "otherwise"


def chosen(*, quick: bool = False, words: str = "") -> list[Case]:
    return [
        case
        for case in CASES
        if (case.is_quick or not quick) and words.lower() in case.name and available(case.needs)
    ]
