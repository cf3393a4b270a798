"""Off switches: which findings one covers, and which it never does (HO-6).

Pure. A switch is a grant, stored among the dismissals: it names one rule, or none for every question and
warning. Does not own who may set one (``approvals.service``) or where it is stored.
"""

from __future__ import annotations

from operators_edge.datetimes import timedelta
from operators_edge.model import GUARDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any, Literal

    from operators_edge.model import Finding, Verdict
    from operators_edge.records import Grant

KIND: Literal["switch"] = "switch"

VARIABLE = "EDGE_DISABLED"

LASTING = ("fs-system-write", "tool-sensitive")
"""Rules about start-up files and keys: such a write outlasts the switch, and could make it permanent."""

UNJUDGED = ("shell-cannot-analyse", "shell-unknown-program", "tool-malformed")
"""Rules about what cannot be analysed: it may destroy anything, or forge a person's decision."""


def new_switch(
    *, new_id: str, now: datetime, minutes: int, rule: str, session: str, by: str
) -> Grant:
    """The grant, unsigned. ``rule`` "" means every question and warning, ``session`` "" every session."""
    return {
        "id": new_id,
        "kind": KIND,
        "fingerprint": f"{KIND}:{rule or '*'}",
        "rule": rule,
        "session": session,
        "dismissed_at": now.isoformat(),
        "expires_at": (now + timedelta(minutes=minutes)).isoformat(),
        "by": by,
    }


def is_switch(grant: object) -> bool:
    return isinstance(grant, dict) and grant.get("kind") == KIND


def applies_to(switch: Grant, session: str) -> bool:
    """Whether the switch is for this session or for all."""
    return switch.get("session") in ("", session)


def covers(finding: Finding, rules: Sequence[str]) -> bool:
    """Whether switches of these rules cover the finding; "" is the general switch.

    The general one covers questions and warnings, but no block, and neither ``LASTING`` nor ``UNJUDGED``. A
    switch that names a rule covers all its findings. The rules that guard decisions cannot be switched off.
    """
    if finding.rule.startswith(GUARDING):
        return False
    if finding.rule in rules:
        return True
    return "" in rules and finding.effect != "block" and finding.rule not in (*LASTING, *UNJUDGED)


def remaining_verdict(verdict: Verdict, rules: Sequence[str]) -> Verdict:
    """The verdict without what is switched off. What the call can destroy is still kept before it runs."""
    left = [each for each in verdict.findings if not covers(each, rules)]
    if len(left) == len(verdict.findings):
        return verdict
    from operators_edge.gate import decide  # noqa: PLC0415 - loaded where a verdict is made; not to tell what is off

    return decide.verdict_of(left)._replace(destroys=verdict.destroys)


def describe(switch: Mapping[str, Any]) -> str:
    """What is off, and where, in a few words."""
    what = f"rule {switch['rule']}" if switch.get("rule") else "every question and warning"
    where = "in one session" if switch.get("session") else "in every session of this project"
    return f"{what}, {where}"


# end of module
