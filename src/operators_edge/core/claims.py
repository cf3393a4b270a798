"""What the plan says was done, each with a verdict from evidence, never from a model (PR-5).

Pure: the completed steps, the work record and what was asked of git go in, claims come out. A claim without
evidence is unverified and nothing worse. Does not own what was observed (``evidence``) or who asks
(``judgement``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Verdict = Literal["VERIFIED", "STALE", "CONTRADICTED", "UNVERIFIED", "OVERRIDDEN"]


class Claim(NamedTuple):
    """One completed step and what the evidence says of it; ``step`` counts from 1.

    ``why`` is one sentence that a person can check. ``files`` is what changed since (STALE), ``command``
    the one that clears it, ``check`` the check it rests on, ``beside`` what was taken away from the checks
    and would have helped this claim.
    """

    step: int
    key: str
    text: str
    proof: str
    source: str
    verdict: Verdict
    why: str
    files: tuple[str, ...] = ()
    command: str = ""
    check: dict[str, Any] | None = None
    evidence: Mapping[str, Any] = {}
    beside: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "evidence": dict(self.evidence)}
