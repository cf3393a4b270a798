"""What a new session is told: intent, what waits, and what really happened last time.

Pure. Most important first, within a token budget, and nothing that can be read off the repository
itself. Does not own where it is shown (``hosts``) or how observations come about (``evidence``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from operators_edge.core import modes, schema, tamper
from operators_edge.core.text import many, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.model import State

DEFAULT_BUDGET = 400
"""Tokens (LC-6)."""

CHARACTERS_PER_TOKEN = 4
"""A plain estimate for English and paths; the client's tokenizer is not public."""

_LINE_LIMIT = 240
_DOUBTS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Last:
    """The session before this one, as observed."""

    observations: dict[str, Any]
    ended_cleanly: bool


def tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def build(
    state: State,
    last: Last | None,
    *,
    doubts: Sequence[str] = (),
    budget: int = DEFAULT_BUDGET,
) -> str:
    """The text for the host's context; whole lines are dropped from the end to keep the budget.

    ``doubts`` are completed steps whose claim does not hold any more, in words.
    """
    lines = ["Operator's Edge, from this project's record:"]
    lines += _intent(state)
    lines += _waiting(state)
    lines += [_cut(each) for each in doubts[:_DOUBTS_SHOWN]]
    if len(doubts) > _DOUBTS_SHOWN:
        lines.append(f"and {many(len(doubts) - _DOUBTS_SHOWN, 'step')} more: edge proof ledger")
    if last is not None:
        lines += _happened(last)
    lines += _bounds(state)
    kept: list[str] = []
    for line in lines:
        if tokens("\n".join([*kept, line])) > budget:
            break
        kept.append(line)
    return "\n".join(kept) if len(kept) > 1 else ""


def _intent(state: State) -> list[str]:
    if not state.get("objective"):
        return []
    lines = [_cut(f"Objective: {state['objective']} (mode {modes.current(state)})")]
    plan = state.get("plan") or []
    number = schema.current_step(state)
    if 1 <= number <= len(plan):
        step = plan[number - 1]
        status = step.get("status", "pending")
        lines.append(_cut(f"Step {number} of {len(plan)}, {status}: {step.get('description', '')}"))
        if step.get("expected"):
            lines.append(_cut(f"  expected: {step['expected']}"))
    elif plan:
        lines.append(f"All {len(plan)} steps are marked completed.")
    if state.get("next_action"):
        lines.append(_cut(f"Next: {state['next_action']}"))
    return lines


def _waiting(state: State) -> list[str]:
    junction = state.get("junction")
    if not junction:
        return []
    shown = junction.get("shown") or junction.get("reason", "")
    return [_cut(f"Waits for a person's decision ({junction.get('type', '')}): {shown}")]


def _happened(last: Last) -> list[str]:
    seen = last.observations
    end = (
        "did not end cleanly; this is derived from its log"
        if not last.ended_cleanly
        else "ended cleanly"
    )
    files = list(seen.get("files_modified") or [])
    used = sum((seen.get("tools_used") or {}).values())
    lines = [f"Last session ({end}): {used} tool uses, {many(len(files), 'file')} modified."]
    if files:
        more = f" and {len(files) - 6} more" if len(files) > 6 else ""
        lines.append(_cut(f"  modified: {', '.join(files[:6])}{more}"))
    if seen.get("tests_run"):
        outcome = {True: "passed", False: "failed", None: "outcome unknown"}[
            seen.get("tests_passed")
        ]
        lines.append(f"  tests: run, last run {outcome}")
    elif files:
        lines.append("  tests: no run observed")
    lines += [_cut(f"  checks: {each}") for each in tamper.summary(seen.get("tampering") or [])]
    failed = seen.get("commands_failed") or []
    if failed:
        lines.append(_cut(f"  failed commands: {len(failed)}, last: {_command(failed[-1])}"))
    return lines


def _bounds(state: State) -> list[str]:
    lines = [_cut(f"Constraint: {each}") for each in state.get("constraints") or []]
    lines += [
        _cut(f"Open mismatch: {_mismatch(each)}")
        for each in state.get("mismatches") or []
        if not (isinstance(each, dict) and _is_resolved(each))
    ]
    return lines


def _is_resolved(mismatch: dict[str, Any]) -> bool:
    return mismatch.get("resolved") is True or mismatch.get("status") == "resolved"


def _mismatch(entry: Any) -> str:
    """Old files, and people in a hurry, write a text alone."""
    if not isinstance(entry, dict):
        return str(entry)
    return f"expected {entry.get('expectation')}, saw {entry.get('observation')}"


def _command(failed: Any) -> str:
    return str(failed.get("command", "")) if isinstance(failed, dict) else str(failed)


def _cut(line: str) -> str:
    """One line of bounded length: what people and agents write may hold anything."""
    indent = "  " if line.startswith("  ") else ""
    return indent + one_line(line, _LINE_LIMIT - len(indent))
