"""``edge verify``: whether the work matches the plan: PASS, WARN or FAIL, with each reason.

Owns the list and its verdict; changes nothing. The checks are in ``quality.service`` and ``state.schema``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.cli.command import Answer, Args, command
from operators_edge.memory import mismatches
from operators_edge.quality import service as quality_service
from operators_edge.state import schema
from operators_edge.text.markup import hanging_indent

if TYPE_CHECKING:
    from operators_edge.model import State
    from operators_edge.quality.service import Gate

_COLOURS = {"PASS": "green", "WARN": "yellow", "FAIL": "red"}


@command("verify")
def _verify(args: Args) -> Answer:
    project = args.project
    state = project.state.read()
    found = [
        *_plan(state),
        *_checks(quality_service.gate_of(project, state, project.latest_session())),
    ]
    if not project.log.count():
        found.append(("WARN", "nothing is recorded yet: no session has run with the hooks"))
    verdict = next((each for each in ("FAIL", "WARN") if each in dict(found)), "PASS")
    lines = [args.terminal.paint(verdict, _COLOURS[verdict], "bold")]
    for level, text in found:
        lines += hanging_indent(f"{level}  ", text)
    data = {"verdict": verdict, "found": [{"level": level, "text": text} for level, text in found]}
    return Answer(data, lines, ok=verdict != "FAIL")


def _plan(state: State) -> list[tuple[str, str]]:
    steps = [schema.step_of(each) for each in state.get("plan") or []]
    if not steps:
        return [("FAIL", "there is no plan: edge plan add TEXT")]
    found = []
    for number, step in enumerate(steps, 1):
        if step.get("status") != "completed":
            said = str(step.get("status") or "pending").replace("_", " ")
            found.append(("FAIL", f"step {number} is {said}: {step.get('description')}"))
    found += [
        ("WARN", f"mismatch {number} is open: {mismatches.text_of(each)}")
        for number, each in mismatches.unresolved(state)
    ]
    return found


def _checks(gate: Gate) -> list[tuple[str, str]]:
    found = [("FAIL", f"{each.name}: {each.text}") for each in gate.errors]
    found += [("WARN", f"{each.name}: {each.text}") for each in gate.warnings]
    found += [("WARN", f"{each.name}: let pass by a person: {each.text}") for each in gate.covered]
    return [*found, *(("WARN", each) for each in gate.remarks)]


# end of module
