"""What the plan says was done, each with a verdict from evidence, never from a model (PR-5).

Pure. A claim is contradicted only by what was positively observed against its words; without evidence it is
unverified and nothing worse. Owns the order of the verdicts. Does not own what was observed
(``evidence.objective_facts``), what words claim (``evidence.claims.check_claims``), what runs say together
(``evidence.claims.check_history``) or who asks (``evidence.claims.service``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.evidence.claims import contradictions, verdict as standing
from operators_edge.evidence.claims.model import Case, Claim, Ground, Subject, Trace, Verdict
from operators_edge.text.wording import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Case", "Claim", "Ground", "Subject", "Trace", "Verdict", "judge", "subject_of"]

_CARRIED_WITHIN = 2
"""A step that was complete within so many log entries of its objective was so before anybody watched."""


def subject_of(
    number: int, key: str, step: Mapping[str, Any], work: Mapping[str, Any], seen: Mapping[str, Any]
) -> Subject:
    """A completed step of the plan with what the work record knows of it."""
    record = (work.get("steps") or {}).get(key) or {}
    since = (work.get("since") or {}).get("seq") or 0
    end = record.get("completed_seq")
    first = record.get("first_seq")
    is_sudden = end is not None and end == first and record.get("started_seq") in (None, end)
    return Subject(
        step=number,
        key=key,
        text=_words(step.get("description")),
        proof=_words(step.get("proof")),
        actual=_words(step.get("actual")),
        verification=_words(step.get("verification")),
        source=_words(step.get("source")),
        seen=seen,
        start=int(seen.get("from") or since),
        end=end,
        is_carried=not record or (is_sudden and int(end or 0) - since <= _CARRIED_WITHIN),
    )


def judge(case: Case, override: Mapping[str, Any] | None = None) -> Claim:
    """The verdict on one completed step; ``override`` is what a person let pass, where it is in force."""
    subject = case.subject
    found = contradictions.contradiction(case) or standing.of(case)
    verdict, why = found.verdict, found.why
    if override is not None and verdict in ("CONTRADICTED", "STALE"):
        verdict, why = "OVERRIDDEN", f"{_who(override)} ({why})"
    return Claim(
        step=subject.step,
        key=subject.key,
        text=subject.text,
        proof=subject.proof,
        source=subject.source,
        verdict=verdict,
        why=why,
        files=found.files,
        command=found.command,
        check=found.check,
        evidence={
            name: subject.seen.get(name) for name in ("files", "commands", "checks", "from", "to")
        },
        beside=found.beside,
    )


def _who(override: Mapping[str, Any]) -> str:
    who = override.get("by") or "a person"
    when = str(override.get("approved_at") or "")[:16].replace("T", " ")
    reason = str(override.get("reason") or "").strip()
    said = f": {reason}" if reason and reason != "approved by a person" else ""
    return f"{who} let it pass at {when}{said}"


def _words(value: Any) -> str:
    """A field's words; whatever spells nothing is nothing."""
    if isinstance(value, list):
        return "\n".join(_words(each) for each in value)
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_words(each)}" for name, each in value.items())
    return "" if isinstance(value, bool) else as_text(value)
