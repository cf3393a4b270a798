"""``edge verify``: whether the work matches the plan: PASS, WARN or FAIL, with each reason.

Owns the list and its verdict; changes nothing. The checks are those of ``edge done`` (``quality.service``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.cli.command import Answer, Args, command
from operators_edge.quality import service as quality_service
from operators_edge.text.markup import hanging_indent

if TYPE_CHECKING:
    from operators_edge.quality.service import Gate

_COLOURS = {"PASS": "green", "WARN": "yellow", "FAIL": "red"}


@command("verify")
def _verify(args: Args) -> Answer:
    project = args.project
    state = project.state.read()
    found = _checks(quality_service.gate_of(project, state, project.latest_session()))
    if not project.log.count():
        found.append(("WARN", "nothing is recorded yet: no session has run with the hooks"))
    verdict = next((each for each in ("FAIL", "WARN") if each in dict(found)), "PASS")
    lines = [args.terminal.paint(verdict, _COLOURS[verdict], "bold")]
    for level, text in found:
        lines += hanging_indent(f"{level}  ", text)
    data = {"verdict": verdict, "found": [{"level": level, "text": text} for level, text in found]}
    return Answer(data, lines, ok=verdict != "FAIL")


def _checks(gate: Gate) -> list[tuple[str, str]]:
    found = [("FAIL", f"{each.name}: {each.text}") for each in gate.errors]
    found += [("WARN", f"{each.name}: {each.text}") for each in gate.warnings]
    found += [("WARN", f"{each.name}: let pass by a person: {each.text}") for each in gate.covered]
    return [*found, *(("WARN", each) for each in gate.remarks)]


# end of module
