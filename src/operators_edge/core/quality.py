"""The quality gate: does what was observed carry what is claimed?

Pure. Each check has a stable public name; a failure says what is missing and what clears it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from operators_edge.core import tamper
from operators_edge.core.digest import sha256_hex
from operators_edge.core.fingerprint import canonical

if TYPE_CHECKING:
    from operators_edge.model import State

FEWEST_ACTIONS = 3
"""Fewer observed tool uses than this are no activity (seed 000, section 6)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One failed check."""

    name: str
    severity: Literal["error", "warning"]
    text: str


def failures(state: State, observations: dict[str, Any]) -> tuple[Check, ...]:
    """Every failed check, in the order in which a person reads them."""
    plan = state.get("plan") or []
    completed = [n for n, step in enumerate(plan, 1) if step.get("status") == "completed"]
    dangling = [n for n, step in enumerate(plan, 1) if step.get("status") == "in_progress"]
    actions = sum((observations.get("tools_used") or {}).values())
    found: list[Check] = []
    if not state.get("objective"):
        found.append(Check("objective_defined", "error", "no objective is set"))
    if not completed:
        found.append(Check("steps_completed", "error", "no step is completed"))
    if dangling:
        steps = ", ".join(str(n) for n in dangling)
        found.append(Check("no_dangling_in_progress", "error", f"still in progress: step {steps}"))
    if actions < FEWEST_ACTIONS:
        text = f"{actions} tool uses observed, at least {FEWEST_ACTIONS} expected"
        found.append(Check("activity_observed", "error", text))
    if completed and not observations.get("files_modified"):
        found.append(
            Check("claims_match_files", "error", "steps are completed, but no file was modified")
        )
    found += [
        Check("checks_untouched", "warning", each)
        for each in tamper.summary(observations.get("tampering") or [])
    ]
    return tuple(found)


def objective_hash(state: State) -> str:
    """What an override is bound to; the same in every process."""
    return sha256_hex(canonical(state.get("objective")))


def remaining(checks: tuple[Check, ...], override: dict[str, Any] | None) -> tuple[Check, ...]:
    """The failed checks that an override in force does not cover."""
    if override is None:
        return checks
    if override.get("mode") == "full":
        return ()
    approved = override.get("approved_checks") or []
    return tuple(check for check in checks if check.name not in approved)


def named(words: str, names: list[str]) -> list[str]:
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
