"""The alternative to a call: the first text that can be filled from it and passes the gate itself (GA-14).

Owns which text is tried, and that a wrong one is left out. Does not own the fields
(``approvals.alternative.fields``) or the texts (``approvals.alternative.table``; ``instead`` in the packs).
"""

from __future__ import annotations

import os
import re
import shlex
from itertools import islice

from operators_edge.approvals.alternative import fields, table
from operators_edge.approvals.binding import line as call_line
from operators_edge.gate import paths
from operators_edge.gate.decide import assess
from operators_edge.model import GUARDING
from operators_edge.redaction.redact import redact
from operators_edge.shell.wrapper_table import OF_PROJECTS
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Facts, Finding, Place, Verdict

_DROPPED = frozenset(
    [
        "sudo",
        "doas",
        "env",
        "nice",
        "nohup",
        "time",
        "timeout",
        "command",
        "exec",
        "builtin",
        "stdbuf",
        "ionice",
        "setsid",
        "chronic",
        "eval",
        "sh",
        "bash",
        "zsh",
        "dash",
        "ksh",
        "(",
        "{",
    ]
)
"""Wrappers that an alternative does not need."""

_KEPT = OF_PROJECTS | {"python", "python3", "php"}
"""Programs that run another one, which could not be found without them."""

MAX_TRIED = 8


class _Scope(NamedTuple):
    """What every text for one call is filled and judged with."""

    call: Call
    place: Place
    facts: Facts
    rules: Rules
    secrets: tuple[str, ...]


def filled(
    verdict: Verdict,
    call: Call,
    place: Place,
    facts: Facts,
    rules: Rules,
    *,
    secrets: Iterable[str] = (),
) -> Verdict:
    """The verdict with the alternative of its deciding finding, computed for this call; "" if none."""
    if not verdict.findings:
        return verdict
    first, *others = verdict.findings
    instead = _instead(first, _Scope(call, place, facts, rules, tuple(secrets)))
    others = [one._replace(instead="") for one in others]
    return verdict._replace(findings=(first._replace(instead=instead), *others))


def _instead(finding: Finding, scope: _Scope) -> str:
    call = scope.call
    inv = call_line.command_of(finding, scope.rules)
    if inv is None:
        return ""
    here = call._replace(cwd=finding.cwd or call.cwd)
    ground = paths.CallContext(here, scope.place, scope.facts)
    for text in [*islice(_texts(inv, finding), MAX_TRIED), finding.instead]:
        try:
            found = _filled(text, inv, finding, ground, call)
        except fields.Unknown:
            continue
        if _is_safe(found, scope):
            return found
    return ""


def _filled(
    text: str, inv: Invocation, finding: Finding, ground: paths.CallContext, call: Call
) -> str:
    """The text for this command, with what must stand before it; raises Unknown."""
    filled = fields.fill(text, inv, finding, ground)
    command = re.search(r"`([^`]*)`", filled)
    if command is None:
        return filled
    if command[1].startswith("edge trash ") and not _is_in_project(finding, ground.root):
        raise fields.Unknown
    written = os.path.basename(inv.command.argv[0].text) if inv.command.argv else ""
    usual = (inv.program, table.SAME_AS.get(inv.program))
    if written not in usual and command[1].split(" ")[0] in usual:
        raise fields.Unknown  # another program of the same kind, which may have other words for it
    if not (fields.has_fields(text) or command[1].startswith("git ")):
        return filled
    is_itself = re.search(r"`\{(command|program|[^{}\s]+=)", text) is not None
    before = _before(finding, inv, call, is_itself=is_itself)
    return f"{filled[: command.start(1)]}{before}{filled[command.start(1) :]}"


def _is_in_project(finding: Finding, root: str) -> bool:
    """Whether everything that would go is in the project, and is not the project."""
    return bool(finding.targets) and all(paths.is_below(path, root) for path in finding.targets)


def _texts(inv: Invocation, finding: Finding) -> Iterator[str]:
    """The texts for this command: of its longest key for the rule and for any rule; then its dry runs."""
    program = table.SAME_AS.get(inv.program, inv.program or "@none")
    words = [program, *(word.text for word in inv.operands[: table.MAX_WORDS - 1])]
    if finding.rule.startswith(GUARDING):
        words = []  # around them, no way leads but the person's
    keys = [" ".join(words[:count]) for count in range(len(words), 0, -1)]
    for texts in (table.BY_RULE.get(finding.rule, {}), table.BY_PROGRAM):
        yield from next((texts[key] for key in keys if key in texts), ())
    yield from _dry_runs(inv, finding) if words else ()


def _dry_runs(inv: Invocation, finding: Finding) -> Iterator[str]:
    """The command with what makes it a dry run according to its table in the packs, long options first.

    Of a program with many subcommands only what the table says of this one: the others may not know it.
    """
    given = " ".join(word.text for word in inv.operands)
    has_verbs = "verb" in dict(finding.subject) or finding.radius == "tables"
    for each in sorted(inv.spec.get("dry_run", ()), key=lambda each: "--" not in each):
        path, _, word = each.rpartition(" ")
        if (path or not has_verbs) and f"{given} ".startswith(f"{path} ".lstrip()):
            yield f"See what it would do: `{{command}} {word}`"


def _before(finding: Finding, inv: Invocation, call: Call, *, is_itself: bool) -> str:
    """What must stand before the alternative: its folder, its variables, and what runs the program.

    ``is_itself``: it is the same command with other words. Raises Unknown if that cannot be said: nothing
    is known about other machines, and no secret is repeated.
    """
    detail = dict(finding.detail)
    folder = finding.cwd
    if is_itself and inv.values(inv.spec.get("folder", ())):
        # The command itself names the folder, from where the line is.
        folder = call.cwd if detail.get("cwd") == "." else ""
    if not folder:
        raise fields.Unknown
    runner = _runner(detail.get("through", ""), inv)
    words = [*_assigned(inv), *(runner if is_itself else ())]
    if folder != call.cwd:
        relative = os.path.relpath(folder, call.cwd)
        folder = folder if relative.startswith("..") else relative
        words = ["cd", shlex.quote(folder), "&&", *words]
    return "".join(f"{word} " for word in words)


def _runner(through: str, inv: Invocation) -> list[str]:
    """The words that run the program, as in ``npx`` and ``uv run``."""
    runner: list[str] = []
    for word in through.split():
        if word in _KEPT or (runner and word in _VERBS):
            runner.append(word)
        elif word not in _DROPPED and not word.startswith("-"):
            raise fields.Unknown
    if runner and runner[-1].startswith("python"):
        name = inv.command.argv[0].text
        runner += [] if "/" in name or name.endswith(".py") else ["-m"]
    return runner


def _assigned(inv: Invocation) -> list[str]:
    for name, value in inv.command.assigns:
        if not value.is_known or fields.UNKNOWN in value.text or _SECRET.search(name):
            raise fields.Unknown
    return [f"{name}={shlex.quote(value.text)}" for name, value in inv.command.assigns]


_VERBS = frozenset(("run", "exec", "x", "dlx"))
_SECRET = pattern(r"(?i)pass|secret|token|key|auth|pwd|credential")


def _is_safe(text: str, scope: _Scope) -> bool:
    """Whether every command in the text passes the gate, and none repeats a secret."""
    if redact(text, values=scope.secrets) != text:
        return False
    call, tools = scope.call, scope.rules.tools["shell"]
    tool = call.tool if call.tool in tools else next(iter(tools))
    return all(
        assess(
            call._replace(tool=tool, input={tools[tool]: command}),
            scope.place,
            scope.facts,
            scope.rules,
        ).effect
        == "allow"
        for command in re.findall(r"`([^`]+)`", text)
    )


# end of module
