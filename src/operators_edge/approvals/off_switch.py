"""Switching the gate off for a while: what a switch covers, and what stays on whatever it says (HO-6).

Pure. A switch is a grant among the dismissals, only wider: it names one rule, or none for every question
and warning. Owns its shape and its reach. Does not own who may set one (``approvals.service``) or where it
is kept.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from operators_edge.gate import decide
from operators_edge.model import GUARDING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from operators_edge.model import Finding, Verdict

KIND = "switch"

VARIABLE = "EDGE_DISABLED"

LASTING = ("fs-system-write", "tool-sensitive")
"""What writes start-up files and keys: it would outlive the switch, and could make it permanent."""

UNJUDGED = ("shell-cannot-analyse", "shell-unknown-program", "tool-malformed")
"""What cannot be read may be a catastrophe, or a decision in a person's name."""

Switch = dict[str, Any]


def new_switch(
    *, new_id: str, now: datetime, minutes: int, rule: str, session: str, by: str
) -> Switch:
    """The grant, unsigned. ``rule`` "" is every question and warning, ``session`` "" every session."""
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


def applies_to(switch: Switch, session: str) -> bool:
    """Whether it is for this session: for that one, or for all."""
    return switch.get("session") in ("", session)


def covers(finding: Finding, rules: Sequence[str]) -> bool:
    """Whether switches of these rules ("" is the general one) take the finding away.

    The general one takes questions and warnings, and leaves every block, what cannot be judged and what
    lasts. By name all of them go but the rules that guard decisions: those no switch reaches.
    """
    if finding.rule.startswith(GUARDING):
        return False
    if finding.rule in rules:
        return True
    return "" in rules and finding.effect != "block" and finding.rule not in (*LASTING, *UNJUDGED)


def remaining_verdict(verdict: Verdict, rules: Sequence[str]) -> Verdict:
    """The verdict without what is switched off; what is at risk is still kept before the call."""
    left = [one for one in verdict.findings if not covers(one, rules)]
    if len(left) == len(verdict.findings):
        return verdict
    return decide.verdict_of(left)._replace(destroys=verdict.destroys)


def describe(switch: Switch) -> str:
    """What it takes away, and where, in a few words."""
    what = f"rule {switch['rule']}" if switch.get("rule") else "every question and warning"
    where = "in one session" if switch.get("session") else "in every session of this project"
    return f"{what}, {where}"
