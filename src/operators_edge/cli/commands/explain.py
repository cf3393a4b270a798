"""``edge explain``: how the gate understands a command, and its verdict. Changes no state."""

from __future__ import annotations

import json
import os
import shlex
import sys

from operators_edge.approvals.alternative import service as alternative
from operators_edge.approvals.binding import bound, service as binding_service
from operators_edge.approvals.card import render, service as card_service
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.config import effective
from operators_edge.containment import covers, store
from operators_edge.errors import EdgeError, UsageError
from operators_edge.gate import fingerprint
from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.gate.rules import load
from operators_edge.git import commands as git
from operators_edge.locations import is_within
from operators_edge.model import Call, Verdict
from operators_edge.project import Project, wall_clock
from operators_edge.redaction import redact
from operators_edge.shell.evaluate import parse
from operators_edge.text import outgoing
from operators_edge.text.wording import amount, many, one_line
from operators_edge.undo import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from operators_edge.approvals.card.model import Card
    from operators_edge.cli.terminal import Terminal
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Finding, Place
    from operators_edge.shell.commands import Command
    from operators_edge.system.project_root import ProjectLocation

_COLOURS = {"allow": "green", "warn": "yellow", "junction": "yellow", "block": "red"}
_BAD_LINES = 64
_LINE_LIMIT = 400


@command(
    "explain",
    arg("[COMMAND...]", "the command, quoted if it is more than words"),
    arg(
        "--jsonl",
        'read lines {"command", "cwd"?, "tool"?, "tool_input"?}, print a verdict for each',
    ),
    example="'git push origin main'\nExample: %(prog)s --jsonl < history.jsonl",
)
def _explain(args: Args) -> Answer | int:
    here, found = os.path.abspath(args.named or os.getcwd()), args.location
    ground = place(found.root, os.environ)
    rules = effective.load(found.root)
    if args.jsonl:
        with args.terminal.writing() as out:
            return explain_lines(sys.stdin, out, here, ground, rules)
    if not args.command:
        raise UsageError("there is no command to explain", hint="edge explain 'git push'")
    line = args.command[0] if len(args.command) == 1 else shlex.join(args.command)
    call = Call("Bash", {"command": line}, here)
    verdict = assess(call, ground, SystemFacts(), rules)
    verdict = alternative.filled(verdict, call, ground, SystemFacts(), rules, secrets=args.secrets)
    commands = parse(line, env={"HOME": ground.home}).commands
    card = _card(call, verdict, ground, rules, args) if verdict.findings else None
    data = explained(verdict, commands, rules)
    data["card"] = card
    data["contained"] = _contained(verdict, found)
    data["silenced"] = _silenced(call, ground, rules)
    stake = at_stake(verdict, found.root)
    passes = data["passes_with_snapshot"] = stake is not None and not stake.missing
    data["takes_snapshot"] = bool(verdict.destroys)
    data["read"] = _files_read(verdict, here)
    said = _snapshot_text(verdict, stake)
    head = _headline(verdict, args.terminal, passes=passes)
    text = [_text(head, verdict, commands, card, data["read"]), *filter(None, [said])]
    text += [f"{rule}\n  contained: {why}" for rule, why in data["contained"].items()]
    text += [f"{each['rule']} (allow)\n  {each['note']}" for each in data["silenced"]]
    if not found.is_set_up:
        text.append("Nothing is guarded here yet. This is how it is from `edge init` on.")
    return Answer(data, "\n\n".join(text))


def _card(call: Call, verdict: Verdict, ground: Place, rules: Rules, args: Args) -> Card:
    """The card that a person would see, with what the project's log adds if it can be read."""
    project = state = None
    bound_to, found = card_service.NO_ROWS, args.location
    if found.root is not None and found.is_set_up:
        project = Project(found.root, is_set_up=True)
        try:
            state = project.state.read()
            scope = binding_service.Measuring(
                ground, SystemFacts(), rules, os.environ, git.Budget()
            )
            measured = binding_service.measure(call, verdict, scope)
            bound_to = card_service.BoundRows(bound.address_text(measured))
        except EdgeError:
            project = None  # a damaged state must not keep a command from being explained
    return card_service.collect(
        call,
        verdict,
        place=ground,
        rules=rules,
        env=os.environ,
        now=wall_clock(),
        project=project,
        state=state,
        secrets=args.secrets,
        bound_to=bound_to,
    )


def _contained(verdict: Verdict, found: ProjectLocation) -> dict[str, str]:
    """By rule: why a contained command could not do it anyway; empty where commands are not contained."""
    policy = store.load(found.root) if found.root is not None else None
    if policy is None:
        return {}
    reasons = {
        each.rule: covers.covered(policy, each.rule, dict(each.subject), each.targets)
        for each in verdict.findings
    }
    return {rule: why for rule, why in reasons.items() if why}


def _silenced(call: Call, ground: Place, rules: Rules) -> list[dict[str, str]]:
    """Rules that would have matched, but are configured to allow."""
    if not rules.config:
        return []
    shipped = load()
    asking = {rule["id"] for rule in shipped.rules if rule["effect"] != "allow"}
    allowed = (rule for rule in rules.rules if rule["effect"] == "allow" and rule["id"] in asking)
    quiet = {rule["id"]: rule.get("note", "") for rule in allowed}
    if not quiet:
        return []
    found = assess(call, ground, SystemFacts(), shipped).findings
    names = dict.fromkeys(one.rule for one in found if one.rule in quiet)
    return [{"rule": name, "note": quiet[name]} for name in names]


def at_stake(verdict: Verdict, root: str | None) -> kept.Proof | None:
    """What the call destroys, if it needs nobody's decision once a snapshot holds all of it; else None."""
    if root is None or not verdict.recoveries:
        return None
    return kept.at_stake(root, verdict.recoveries, env=os.environ)


def _snapshot_text(verdict: Verdict, stake: kept.Proof | None) -> str:
    if stake is None:
        rules = ", ".join(dict.fromkeys(one.rule for one in verdict.destroys))
        return f"a snapshot of uncommitted work is taken first ({rules})" if rules else ""
    if stake.missing:
        return f"no snapshot would keep {stake.missing[0]}"
    here = f" (here: {many(stake.files, 'file')}, {amount(stake.size)})" if stake.files else ""
    return f"asks, unless a snapshot first keeps all of it{here}"


def explain_lines(lines: TextIO, out: TextIO, here: str, ground: Place, rules: Rules) -> int:
    """Print a verdict for each input line, in order; returns 64 if a line is invalid."""
    root = ground.root
    facts = SystemFacts()
    exit_code = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            call, shown = _call(json.loads(line), here)
        except (ValueError, RecursionError) as problem:
            exit_code = _BAD_LINES
            answer: dict[str, Any] = {"error": f"line {number}: {problem}"}
        else:
            verdict = assess(call, ground, facts, rules)
            stake = at_stake(verdict, root)
            answer = {
                "command": shown,
                "verdict": verdict.effect,
                "rule": verdict.rule,
                "type": verdict.type,
                "reason": verdict.reason,
                "passes_with_snapshot": stake is not None and not stake.missing,
                "takes_snapshot": bool(verdict.destroys),
            }
        print(outgoing.to_program(answer), file=out)
    return exit_code


def _call(given: Any, here: str) -> tuple[Call, Any]:
    if not isinstance(given, dict):
        raise ValueError("it must be a JSON object")  # noqa: TRY004 - one kind of bad line
    tool = given.get("tool", "Bash")
    arguments = given.get("tool_input", {"command": given.get("command")})
    cwd = given.get("cwd") or here
    if not isinstance(tool, str) or not isinstance(cwd, str) or not isinstance(arguments, dict):
        raise ValueError("tool and cwd must be strings, tool_input an object")  # noqa: TRY004
    if "tool_input" not in given and not isinstance(given.get("command"), str):
        raise ValueError("there is no command")
    return Call(tool, arguments, os.path.join(here, cwd)), given.get("command")


def explained(verdict: Verdict, commands: tuple[Command, ...], rules: Rules) -> dict[str, Any]:
    """The whole explanation as data."""
    return {
        "verdict": verdict.effect,
        "rule": verdict.rule,
        "type": verdict.type,
        "reason": verdict.reason,
        "instead": verdict.findings[0].instead if verdict.findings else "",
        "exact": verdict.exact,
        "classes": list(verdict.classes),
        "profile": rules.profile,
        "understood": [
            {
                "through": list(one.through),
                "argv": [_without_nul(word.text) for word in one.argv],
                "cwd": one.cwd,
            }
            for one in commands
        ],
        "findings": [_finding(one) for one in verdict.findings],
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "effect": one.effect,
        "type": one.type,
        "reason": one.reason,
        "instead": one.instead,
        "subject": dict(one.subject),
        "detail": dict(one.detail),
        "spans": [list(span) for span in one.spans],
        "understood": one.understood,
        "source": one.source,
        "note": one.note,
        "class": fingerprint.class_of(one) if fingerprint.needs_decision(one) else "",
    }


def _files_read(verdict: Verdict, here: str) -> list[str]:
    """The files that were followed, from this folder."""
    paths = (one.path for one in verdict.followed if one.path)
    return [os.path.relpath(path, here) if is_within(path, here) else path for path in paths]


def _headline(verdict: Verdict, terminal: Terminal, *, passes: bool) -> str:
    if passes:
        return terminal.paint("allow, once a snapshot holds all of it", "bold", "green")
    return terminal.paint(verdict.effect, "bold", _COLOURS[verdict.effect])


def _text(
    head: str,
    verdict: Verdict,
    commands: tuple[Command, ...],
    card: Card | None,
    read: list[str],
) -> str:
    lines = [head]
    if card is not None:
        lines += ["", *render.lines(card, head="Command")]
    lines += ["", "understood as"]
    for one in commands:
        way = "".join(f"{step} → " for step in one.through)
        words = [f"{name}={value.text}" for name, value in one.assigns]
        words += [word.text for word in one.argv]
        words += [f"{redirect.op} {redirect.target.text}" for redirect in one.redirects]
        lines.append(f"  {way}{_visible(' '.join(words))}")
    if read:
        lines += ["", "what it runs was read in", *(f"  {_visible(path)}" for path in read)]
    for found in verdict.findings:
        lines += ["", f"{found.rule} ({found.effect}, {found.type})"]
        lines += [f"  in       {_visible(found.understood)}"] if found.understood else []
        lines += [f"  found in {found.source}"] if found.source else []
        lines += [f"  {name:8} {_visible(value)}" for name, value in found.subject if value]
    return "\n".join(lines)


def _visible(text: str) -> str:
    return one_line(redact.redact(_without_nul(text)), _LINE_LIMIT)


def _without_nul(text: str) -> str:
    return text.replace("\0", "…")


# end of module
