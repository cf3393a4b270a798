"""``edge verify``: whether the work matches the plan: PASS, WARN or FAIL, with each reason.

Owns the list, its verdict and the annotations for a build server; changes nothing. The checks are those of
``edge done`` (``quality.service``); where only the repository is, they run again (``quality.ci``).
"""

from __future__ import annotations

import os
import secrets

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.locations import BASIS_FILE
from operators_edge.project import Project
from operators_edge.quality import basis_service, ci, service as quality_service
from operators_edge.quality.checks import NAMES
from operators_edge.text.markup import hanging_indent
from operators_edge.text.wording import escaped, many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.cli.terminal import Terminal
    from operators_edge.evidence.checks.places import Place
    from operators_edge.quality.service import Gate

    Found = Sequence[tuple[str, str]]

_COLOURS = {"PASS": "green", "WARN": "yellow", "FAIL": "red"}
_ANNOTATIONS = {"FAIL": "error", "WARN": "warning"}
_COUNTED = (("FAIL", "error"), ("WARN", "warning"))
_MAX_TEXT = 1000


@command(
    "verify",
    arg("--ci", f"in a fresh clone: run the checks in {BASIS_FILE}, and judge by them"),
    arg("--archived", "judge the last objective that was done, as it is now"),
    arg("--file PATH", f"instead of {BASIS_FILE}, with --ci", default=""),
    arg("--allow NAMES", "checks that may fail, with --ci", default=""),
    arg("--timeout S", "seconds for each check (600), with --ci", type=float, default=600.0),
    arg("--total S", "seconds for all checks (1800), with --ci", type=float, default=1800.0),
    example="--ci --allow verifications_tested",
)
def _verify(args: Args) -> Answer:
    if args.ci:
        return _in_clone(args)
    project = args.project
    if args.archived:
        return _archived(args, project)
    gate = quality_service.gate_of(project, project.state.read(), project.latest_session())
    found = _checks(gate)
    if not project.log.count():
        found.append(("WARN", "nothing is recorded yet: no session has run with the hooks"))
    return _answer(args.terminal, found)


def _answer(terminal: Terminal, found: Found, summary: str = "") -> Answer:
    verdict = next((each for each in ("FAIL", "WARN") if each in dict(found)), "PASS")
    levels = [level for level, _ in found]
    counts = [f"{many(levels.count(level), what)}" for level, what in _COUNTED if level in levels]
    head = ": ".join([verdict, *filter(None, [", ".join(counts)])])
    lines = [terminal.paint(head, _COLOURS[verdict], "bold")]
    for level, text in found:
        lines += hanging_indent(f"{level}  ", one_line(text, _MAX_TEXT))
    data = {"verdict": verdict, "found": [{"level": level, "text": text} for level, text in found]}
    return Answer(data, [*lines, *([summary] if summary else [])], ok=verdict != "FAIL")


def _checks(gate: Gate) -> list[tuple[str, str]]:
    found = [("FAIL", f"{each.name}: {each.text}") for each in gate.errors]
    found += [("WARN", f"{each.name}: {each.text}") for each in gate.warnings]
    found += [("WARN", f"{each.name}: let pass by a person: {each.text}") for each in gate.covered]
    return [*found, *(("WARN", each) for each in gate.remarks)]


def _archived(args: Args, project: Project) -> Answer:
    """The last objective that was done: what its recorded checks say of today's tree."""
    kept = basis_service.archived(project)
    if not kept:
        raise AnswerIsNo("no objective was done yet, so the archive holds none", hint="edge verify")
    covered = [str(each.get("name")) for each in kept[-1]["gate"].get("overridden", ())]
    result = ci.judge_recorded(project, kept[-1], allowed=covered)
    return _answer(args.terminal, result.found, f"About: {escaped(str(kept[-1].get('objective')))}")


# -- on a build server -----------------------------------------------------------------------------


def _in_clone(args: Args) -> Answer:
    allowed = [each for each in args.allow.replace(",", " ").split() if each]
    unknown = [each for each in allowed if each not in NAMES]
    if unknown or min(args.timeout, args.total) <= 0:
        what = f"no check is called {unknown[0]}" if unknown else "a time limit must be above 0"
        raise UsageError(what, hint="docs/quality-gate.md lists the names")
    path = args.file or os.path.join(args.location.root or os.getcwd(), BASIS_FILE)
    found = basis_service.read(path)
    root = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    limits = ci.Limits(args.timeout, args.total)
    is_server = os.environ.get("GITHUB_ACTIONS") == "true"
    with _Shown(args.terminal, is_server=is_server) as show:
        project = Project(root, is_set_up=False)
        result = ci.judge(project, found, os.environ, limits=limits, allowed=allowed, show=show)
    answer = _answer(args.terminal, result.found, ci.summary(result))
    lines = [*answer.text]
    if is_server:
        lines += [annotation(level, text) for level, text in result.found]
        lines += [
            annotation("FAIL", place.text or f"{each.command} failed", at(root, place))
            for each in result.ran
            for place in each.places
        ]
    ran = [
        {**each._asdict(), "places": [place._asdict() for place in each.places]}
        for each in result.ran
    ]
    return answer._replace(text=lines, data={**answer.data, "ran": ran})


def annotation(level: str, text: str, at: str = "") -> str:
    """A workflow command that shows the text at the change; nothing in it is another command."""
    return f"::{_ANNOTATIONS[level]} {at}title=Operator's Edge::{_plain(text)}"


def at(root: str, place: Place) -> str:
    """The place of an annotation: the file below the repository's folder on the server."""
    top = os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or root)
    path = os.path.relpath(os.path.join(root, place.path), top).replace(os.sep, "/")
    column = f"col={place.column}," if place.column else ""
    name = _plain(path).replace(":", "%3A").replace(",", "%2C")
    return f"file={name},line={place.line},{column}"


def _plain(text: str) -> str:
    return one_line(text, _MAX_TEXT).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


class _Shown:
    """The output of checks, on stderr; what looks like a workflow command in it is only shown."""

    def __init__(self, terminal: Terminal, *, is_server: bool) -> None:
        self.terminal = terminal
        self.token = secrets.token_hex(16) if is_server else ""

    def __enter__(self) -> Callable[[str], None]:
        if self.token:
            self.terminal.aside(f"::stop-commands::{self.token}")
        return lambda text: self.terminal.aside(text, end="")

    def __exit__(self, *_: object) -> None:
        if self.token:
            self.terminal.aside(f"\n::{self.token}::")


# end of module
