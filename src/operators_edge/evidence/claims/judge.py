"""What the plan claims was done, each claim with a verdict from evidence, never from a model (PR-5).

Pure. A claim is contradicted only by what was observed against its words; without evidence it is unverified.
Owns the order of the verdicts. Does not own what was observed (``evidence.objective_facts``), what words
claim (``check_claims``, ``file_claims``) or how runs compare (``check_history``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.evidence.claims import contradictions, verdict
from operators_edge.evidence.claims.model import Claim, Subject
from operators_edge.text.wording import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.evidence.claims.model import Case
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.evidence.progress import Observed

_CARRIED_WITHIN = 2
"""A step complete within this many log entries of its objective was so before anything was observed."""


def subject_of(
    number: int, key: str, step: Mapping[str, Any], work: ObjectiveFacts, seen: Observed | None
) -> Subject:
    """A completed step of the plan with what was observed during it."""
    facts = work["steps"].get(key)
    since = work["since"]["seq"] if work["since"] else 0
    end = facts["completed_seq"] if facts else None
    is_sudden = (
        facts is not None
        and end is not None
        and end == facts["first_seq"]
        and facts["started_seq"] in (None, end)
    )
    return Subject(
        step=number,
        key=key,
        text=_text(step.get("description")),
        proof=_text(step.get("proof")),
        actual=_text(step.get("actual")),
        verification=_text(step.get("verification")),
        source=_text(step.get("source")),
        seen=seen,
        start=(seen["from"] if seen else 0) or since,
        end=end,
        is_carried=facts is None or (is_sudden and (end or 0) - since <= _CARRIED_WITHIN),
    )


def judge(case: Case, override: Mapping[str, Any] | None = None) -> Claim:
    """The verdict on one completed step; ``override`` is a person's, if there is one."""
    subject = case.subject
    finding = contradictions.contradiction(case) or verdict.from_runs(case)
    result, why = finding.verdict, finding.why
    if override is not None and result in ("CONTRADICTED", "STALE"):
        result, why = "OVERRIDDEN", f"{_overridden_by(override)} ({why})"
    seen: Mapping[str, Any] = subject.seen or {}
    return Claim(
        step=subject.step,
        key=subject.key,
        text=subject.text,
        proof=subject.proof,
        source=subject.source,
        verdict=result,
        why=why,
        files=finding.files,
        command=finding.command,
        check=finding.check,
        evidence={name: seen.get(name) for name in ("files", "commands", "checks", "from", "to")},
        beside=finding.beside,
    )


def _overridden_by(override: Mapping[str, Any]) -> str:
    who = override.get("by") or "a person"
    when = str(override.get("approved_at") or "")[:16].replace("T", " ")
    reason = str(override.get("reason") or "").strip()
    stated = f": {reason}" if reason and reason != "approved by a person" else ""
    return f"{who} overrode it at {when}{stated}"


def _text(value: Any) -> str:
    """A field as text; "" for a value without words."""
    if isinstance(value, list):
        return "\n".join(_text(each) for each in value)
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_text(each)}" for name, each in value.items())
    return "" if isinstance(value, bool) else as_text(value)
