"""``edge doctor``: runs every installed hook and says, line by line, what is so."""

from __future__ import annotations

import dataclasses
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from operators_edge.cli import crash_report
from operators_edge.cli.command import Answer, Args, command
from operators_edge.cli.layout import paragraph
from operators_edge.doctor import checks as doctor_checks, resident as doctor_resident
from operators_edge.doctor.checks import Check
from operators_edge.errors import NotSetUp
from operators_edge.gate.facts import home
from operators_edge.hosts.claude import settings_guard

if TYPE_CHECKING:
    from operators_edge.cli.terminal import Terminal

_SIGNS = {"ok": ("ok", "green"), "warning": ("warning", "yellow"), "problem": ("PROBLEM", "red")}
_WIDTH = 100
_INDENT = 23

RECENT = timedelta(days=7)
"""An unexpected error that is older is no longer a warning."""


@command("doctor")
def _doctor(args: Args) -> Answer:
    person_home = home(os.environ)
    found, terminal = args.location, args.terminal
    settings = settings_guard.settings_of(found.root, person_home)
    if not found.is_set_up and not settings_guard.wired(settings):
        reason = f": {found.reason}" if found.reason else f" in {found.root}"
        raise NotSetUp(f"nothing is set up{reason}", hint="edge init")
    doctor_resident.begin(found.root)
    checks = doctor_checks.examine(
        found.root, person_home, is_set_up=found.is_set_up, env=os.environ
    )
    after = max(at for at, check in enumerate(checks) if check.name in ("liveness", "hooks")) + 1
    checks[after:after] = doctor_resident.checks(found.root)
    checks.append(_error_reports(datetime.now(UTC)))
    short = [
        dataclasses.replace(check, what=_shortened(check.what, found.root, person_home))
        for check in checks
    ]
    is_well = not any(check.level == "problem" for check in checks)
    data = {"root": found.root, "checks": [dataclasses.asdict(check) for check in checks]}
    text = _text(terminal, short)
    if found.root is not None:
        text = f"{terminal.paint(found.root, 'bold')}\n\n" + text
    return Answer(data, text, ok=is_well)


def _error_reports(now: datetime) -> Check:
    name = "error reports"
    reports = crash_report.kept(os.environ)
    if not reports:
        return Check(name, "ok", "none")
    newest = crash_report.written_at(reports[0])
    what = f"{len(reports)} kept, the newest from {newest:%Y-%m-%d %H:%M} UTC: {reports[0]}"
    if now - newest > RECENT:
        return Check(name, "ok", what)
    why = "an unexpected error occurred; please attach the report to an issue"
    return Check(name, "warning", what, why)


def _shortened(text: str, root: str | None, person_home: str) -> str:
    """The project's paths from its root on, the home's from ``~`` on: the rows stay short."""
    for base, short in ((root, ""), (person_home, f"~{os.sep}")):
        if base:
            text = text.replace(base + os.sep, short)
    return text


def _text(terminal: Terminal, checks: list[Check]) -> str:
    lines = []
    for check in checks:
        word, colour = _SIGNS[check.level]
        head = f"{terminal.paint(f'{word:<9}', colour)}{check.name:<14}"
        lines += paragraph(head, check.what, _INDENT, _WIDTH)
        if check.why and check.level != "ok":
            lines += paragraph(" " * _INDENT, f"why: {check.why}", _INDENT, _WIDTH)
        if check.run:
            lines += paragraph(" " * _INDENT, f"run: {check.run}", _INDENT, _WIDTH)
    counts = [sum(check.level == level for check in checks) for level in _SIGNS]
    lines += ["", "{} ok, {} to look at, {} to mend".format(*counts)]
    return "\n".join(lines)
