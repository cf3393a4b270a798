"""``edge doctor``: runs every installed hook and reports each finding on a line."""

from __future__ import annotations

import os

from operators_edge.cli import crash_report
from operators_edge.cli.command import Answer, Args, arg, command, execute
from operators_edge.cli.layout import columns, paragraph
from operators_edge.cli.person import confirm, is_at_terminal, require_person
from operators_edge.cli.terminal import Terminal
from operators_edge.datetimes import UTC, datetime, timedelta
from operators_edge.doctor import checks as doctor_checks, resident as doctor_resident
from operators_edge.doctor.check import Check
from operators_edge.errors import AnswerIsNo, NotSetUp
from operators_edge.gate.facts import home
from operators_edge.hosts.claude import settings_files
from operators_edge.locations import HANDOFF_DIR
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import many

_SIGNS = {"ok": ("ok", "green"), "warning": ("warning", "yellow"), "problem": ("PROBLEM", "red")}
_WIDEST = 100
_INDENT = 23

RECENT = timedelta(days=7)
"""An unexpected error that is older is no longer a warning."""


_FIXES = pattern(r"(edge (?:init(?: --(?:shared|user))?|resident stop))(?:,.*)?")
"""What is repaired by running a command: writing the hooks again, and ending a process that hangs."""


@command(
    "doctor",
    arg("--fix", "repair what running edge init again repairs; asks first"),
    description="Run each installed hook as the client does, and check settings, state, log and keys. "
    "Exit code 1 if there is a problem.",
    example="--fix",
)
def _doctor(args: Args) -> Answer:
    answer = _examined(args)
    fixes = _fixes(answer)
    if not args.fix:
        if fixes and is_at_terminal(args):
            return answer._replace(text=[*answer.text, "Repair it: edge doctor --fix"])
        return answer
    if not fixes:
        return answer._replace(text=[*answer.text, "There is nothing that --fix repairs."])
    require_person("doctor --fix", args.location.root)
    if not args.terminal.json_wanted:
        args.terminal.show({}, answer.text)
    if not confirm(f"Run {' and '.join(fixes)}?"):
        raise AnswerIsNo("nothing was repaired", hint="edge doctor")
    for line in fixes:
        _run_fix(line, args)
    return _examined(args)


def _fixes(answer: Answer) -> list[str]:
    """The commands that repair what was found, each once."""
    found = (
        _FIXES.fullmatch(each["run"]) for each in answer.data["checks"] if each["level"] != "ok"
    )
    return list(dict.fromkeys(each[1] for each in found if each))


def _run_fix(line: str, args: Args) -> None:
    """Run one command with yes to its question; what it prints goes to stderr."""
    from operators_edge.cli.parsers import parser_of  # noqa: PLC0415 - it imports the commands

    words = line.split()[1:] + (["--project", args.named] if args.named else [])
    given = parser_of(words).parse_args([*words, "--yes"])
    terminal = Terminal(out=args.terminal.err, err=args.terminal.err)
    terminal.set_up(given)
    execute(given, terminal)


def _examined(args: Args) -> Answer:
    person_home = home(os.environ)
    found, terminal = args.location, args.terminal
    settings = settings_files.settings_of(found.root, person_home)
    if not found.is_set_up and not settings_files.wired(settings):
        reason = f": {found.reason}" if found.reason else f" in {found.root}"
        raise NotSetUp(f"nothing is set up{reason}", hint="edge init")
    doctor_resident.begin(found.root)
    checks = doctor_checks.examine(
        found.root, person_home, is_set_up=found.is_set_up, env=os.environ
    )
    checks.append(_error_reports(datetime.now(UTC)))
    checks += _executors(found.root)
    lines = [terminal.paint(found.root, "bold"), ""] if found.root is not None else []
    for check in checks:
        what = _shortened(check.what, found.root, person_home)
        lines += _lines(terminal, check._replace(what=what))
    ok, warnings, problems = (sum(check.level == level for check in checks) for level in _SIGNS)
    lines += ["", f"{ok} ok, {many(warnings, 'warning')}, {many(problems, 'problem')}"]
    data = {"root": found.root, "checks": [check._asdict() for check in checks]}
    return Answer(data, lines, ok=not any(check.level == "problem" for check in checks))


def _error_reports(now: datetime) -> Check:
    reports = crash_report.kept(os.environ)
    if not reports:
        return Check("ok", "none", name="error reports")
    newest = crash_report.written_at(reports[0])
    what = f"{len(reports)} kept, the newest from {newest:%Y-%m-%d %H:%M} UTC: {reports[0]}"
    why = "an unexpected error occurred; please attach the report to an issue"
    return Check("ok" if now - newest > RECENT else "warning", what, why, name="error reports")


def _executors(root: str | None) -> list[Check]:
    """Which executors the project's Bridge can use, and whether they are kept inside; [] without a Bridge."""
    if root is None or not os.path.isdir(os.path.join(root, HANDOFF_DIR)):
        return []
    from operators_edge.cli import executors  # noqa: PLC0415 - few projects have a Bridge

    return executors.examined(executors.bridge_of(root))


def _shortened(text: str, root: str | None, person_home: str) -> str:
    """The project's paths from its root on, the home's from ``~`` on: the rows stay short."""
    for base, short in ((root, ""), (person_home, f"~{os.sep}")):
        if base:
            text = text.replace(base + os.sep, short)
    return text


def _lines(terminal: Terminal, check: Check) -> list[str]:
    word, colour = _SIGNS[check.level]
    head = f"{terminal.paint(f'{word:<9}', colour)}{check.name:<14}"
    width = min(columns(), _WIDEST)
    lines = paragraph(head, check.what, _INDENT, width)
    if check.why and check.level != "ok":
        lines += paragraph(" " * _INDENT, f"why: {check.why}", _INDENT, width)
    if check.run:
        lines += paragraph(" " * _INDENT, f"run: {check.run}", _INDENT, width)
    return lines


# end of module
