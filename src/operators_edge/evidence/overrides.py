"""Checks of the quality gate that a person overrides, for one session and one objective (JU-3, QG-1).

Pure. Owns the words that name checks, and whether an override holds. Does not own whether a grant is genuine
and live (``project.refusal_reason``) or the checks (``quality.checks``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.evidence.plan_events import objective_hash

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.model import State
    from operators_edge.quality.checks import Check

_WHY = re.compile(r"(?i)(?:^|\s)(?:because\s+|--why(?:\s+|=))")


def lapsed(override: Mapping[str, Any], state: State, session: str) -> str:
    """Why an override holds no longer: "session" or "objective"; "" while it does."""
    if override.get("session_id") != session:
        return "session"
    return "" if override.get("objective_hash") == objective_hash(state) else "objective"


def covers(override: Mapping[str, Any], name: str) -> bool:
    """Whether the check is let pass: every one by a full override, else those it names."""
    if override.get("mode") == "full":
        return True
    named = override.get("approved_checks")
    return isinstance(named, (list, tuple)) and name in named


def split(
    failed: Sequence[Check], overrides: Sequence[Mapping[str, Any]]
) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """The failed checks that stand, and those that an override in force covers; warnings stand."""
    covered = tuple(
        check
        for check in failed
        if check.severity == "error" and any(covers(each, check.name) for each in overrides)
    )
    return tuple(check for check in failed if check not in covered), covered


def spoken(words: str) -> tuple[str, str]:
    """The checks named and the reason in "1,2 because the API is down"; "" for what is not said.

    The terminal's ``--why`` is understood, too.
    """
    checks, *why = _WHY.split(words.strip(), maxsplit=1)
    return checks.strip(), why[0].strip() if why else ""


def named(words: str, names: Sequence[str]) -> list[str]:
    """The checks meant by "1,2" or "steps_have_proof"; numbers count from 1 as displayed.

    Raises ValueError with the word that means none of them.
    """
    chosen: list[str] = []
    for word in words.replace(",", " ").split():
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(names):
            name = names[int(word) - 1]
        elif word in names:
            name = word
        else:
            raise ValueError(word)
        if name not in chosen:
            chosen.append(name)
    return chosen
