"""What the plan claims was done, each claim with a verdict from evidence, never from a model (PR-5).

Pure. A claim is contradicted only by what was observed against its words; without evidence it is unverified.
Owns the order of the verdicts. Does not own what was observed (``evidence.objective_facts``), what words
claim (``check_claims``, ``file_claims``) or how runs compare (``check_history``).
"""

from __future__ import annotations

import math

from operators_edge.evidence.claims import contradictions, verdict
from operators_edge.evidence.claims.model import Claim, Subject
from operators_edge.evidence.plan_events import AUTO
from operators_edge.text.wording import as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

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
    proof = _text(step.get("proof"))
    fields = {
        name: _text(step.get(name)) for name in ("description", "verification", "proof", "actual")
    }
    return Subject(
        step=number,
        key=key,
        proof=proof,
        source=_text(step.get("source")),
        fields={**fields, "proof": ""} if proof.startswith(AUTO) else fields,
        seen=seen,
        start=(seen["from"] if seen else 0) or since,
        end=math.inf if end is None else end,
        is_carried=facts is None or (is_sudden and (end or 0) - since <= _CARRIED_WITHIN),
    )


def subject_of_message(text: str, work: ObjectiveFacts) -> Subject:
    """What the agent says at the end of a turn, as a step of which all observed work is part."""
    since = work["since"]["seq"] if work["since"] else 0
    seen: Observed = {
        "files": list(work["files"]),
        "files_count": len(work["files"]),
        "tree": [],
        "commands": len(work["commands"]),
        "failed": [],
        "checks": [],
        "actions": work["actions"],
        "from": since,
        "to": since,
    }
    fields = dict.fromkeys(("description", "verification", "actual"), "") | {"proof": text}
    return Subject(0, "", text, "", fields, seen, since, math.inf, is_carried=False)


def judge(case: Case, override: Mapping[str, Any] | None = None) -> Claim:
    """The verdict on one completed step; ``override`` is a person's, if there is one."""
    subject = case.subject
    finding = contradictions.contradiction(case) or verdict.from_runs(case)
    if override is not None and finding.verdict in ("CONTRADICTED", "STALE"):
        why = f"{_overridden_by(override)} ({finding.why})"
        finding = finding._replace(verdict="OVERRIDDEN", why=why)
    seen: Mapping[str, Any] = subject.seen or {}
    return Claim(
        subject.step,
        subject.key,
        subject.fields["description"],
        subject.proof,
        subject.source,
        *finding,
        evidence={name: seen.get(name) for name in ("files", "commands", "checks", "from", "to")},
    )


def _overridden_by(override: Mapping[str, Any]) -> str:
    who = override.get("by") or "a person"
    when = str(override.get("approved_at") or "")[:16].replace("T", " ")
    reason = str(override.get("reason") or "").strip()
    stated = f": {reason}" if reason and reason != "approved by a person" else ""
    return f"{who} overrode it at {when}{stated}"


def _text(value: Any) -> str:
    """A field as text, of a list a line for each."""
    return "\n".join(map(_text, value)) if isinstance(value, list) else as_text(value)


# end of module
