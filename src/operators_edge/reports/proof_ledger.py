"""The proof ledger: each claim of the plan with its verdict, why, and what clears it.

Pure. Terminal, proof page and dashboard show these rows. Does not own the verdicts (``evidence.claims``).
"""

from __future__ import annotations

from operators_edge.evidence.claims.check_history import describe
from operators_edge.model import HOST
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.evidence.checks.rerun import Rerun
    from operators_edge.evidence.claims.model import Claim, Verdict
    from operators_edge.reports.entries import Tone

MARKS: dict[Verdict, tuple[str, Tone]] = {
    "VERIFIED": ("✓", "good"),
    "STALE": ("~", "wait"),
    "CONTRADICTED": ("✗", "bad"),
    "UNVERIFIED": ("?", ""),
    "OVERRIDDEN": ("=", "note"),
}
"""The sign and the tone of each verdict, in the order in which they are counted."""


class Row(NamedTuple):
    """One claim; every text is one line.

    ``run`` clears it, "" where nothing has to. ``seen``: the range of log entries in which it was worked on.
    """

    step: int
    mark: str
    tone: Tone
    verdict: Verdict
    text: str
    proof: str
    is_todo: bool
    why: str
    run: str
    beside: tuple[str, ...]
    files: tuple[str, ...]
    check: str
    check_entry: int
    seen: tuple[int, int] | None


class ProofLedger(NamedTuple):
    """The claims. Not ok if one is contradicted, or a check that ran again did not pass."""

    claims: Sequence[Claim]
    rows: tuple[Row, ...]
    ran: Sequence[Rerun]
    counted: str
    is_ok: bool

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"claims": [claim.as_data() for claim in self.claims]}
        if self.ran:
            data["ran"] = [each._asdict() for each in self.ran]
        return data


def proof_ledger(claims: Sequence[Claim], ran: Sequence[Rerun] = ()) -> ProofLedger:
    """The proof ledger of these claims; ``ran`` are checks that have just run again."""
    is_ok = not any(claim.verdict == "CONTRADICTED" for claim in claims)
    return ProofLedger(
        claims,
        tuple(map(row, claims)),
        ran,
        _counted(claims),
        is_ok and all(each.passed is True for each in ran),
    )


def row(claim: Claim) -> Row:
    """One claim for showing."""
    mark, tone = MARKS[claim.verdict]
    seen = claim.evidence
    return Row(
        step=claim.step,
        mark=mark,
        tone=tone,
        verdict=claim.verdict,
        text=one_line(claim.text, 200),
        proof=one_line(claim.proof, 400),
        is_todo=claim.source == HOST,
        why=one_line(claim.why, 400),
        run=one_line(claim.command, 300) if claim.verdict != "VERIFIED" else "",
        beside=tuple(one_line(each, 200) for each in claim.beside),
        files=claim.files,
        check=one_line(describe(claim.check), 200) if claim.check else "",
        check_entry=claim.check["seq"] if claim.check else 0,
        seen=(int(seen["from"]), int(seen["to"])) if seen.get("to") else None,
    )


def _counted(claims: Sequence[Claim]) -> str:
    if not claims:
        return "No step is completed, so nothing is claimed."
    counts = [
        f"{number} {verdict.lower()}"
        for verdict in MARKS
        if (number := sum(claim.verdict == verdict for claim in claims))
    ]
    return f"{many(len(claims), 'claim')}: {', '.join(counts)}"


# end of module
