"""``edge rehearse``: what a command would do, shown before it is done."""

from __future__ import annotations

import os
import shlex
import subprocess

from operators_edge.cli import person
from operators_edge.cli.command import Answer, Args, arg, command, record
from operators_edge.config import effective
from operators_edge.errors import AnswerIsNo, NotHuman, UsageError
from operators_edge.gate import decide, facts
from operators_edge.locations import known_home
from operators_edge.model import Call, Verdict
from operators_edge.project import secrets_of
from operators_edge.rehearsal import changes, service, shown, takeover
from operators_edge.system import subprocesses
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.rehearsal.service import Rehearsal
    from operators_edge.rehearsal.shown import Shown

_TYPED_SECONDS = 40.0
"""Less than a client waits for the answer to a typed line."""

_MAX_SECONDS = 3_600
_READS_SECRETS = ("secret-", "shell-unknown-program", "shell-cannot-analyse", "shell-loads-code")
"""Rules on what reads secrets, or is not known enough to say that it does not."""
_KEYS = {
    **dict.fromkeys(("t", "take"), "take"),
    **dict.fromkeys(("r", "run"), "run"),
}


@command(
    "rehearse",
    arg(
        "[COMMAND...]", "the command, quoted if it is more than words; without one, the pending one"
    ),
    arg("--seconds N", "how long it may take (60)", default=0),
    arg("--whole", "show everything, however long"),
    example="'make clean && make'",
)
def _rehearse(args: Args) -> Answer:
    words = args.command
    if not 0 <= args.seconds <= _MAX_SECONDS:
        raise UsageError(f"--seconds is between 1 and {_MAX_SECONDS}", hint="edge rehearse --help")
    line, folder = (_line(words), args.named or os.getcwd()) if words else _pending(args)
    root = args.location.root or folder
    if not person.is_person() and _reads_secrets(line, folder, root):
        raise NotHuman(
            "only a person rehearses what reads secrets, or may: its output would show them",
            hint="in your own terminal: edge rehearse",
        )
    limits = service.here()
    seconds = args.seconds or (_TYPED_SECONDS if args.asking else limits.seconds)
    limits = limits._replace(seconds=float(seconds))
    if not args.terminal.json_wanted and person.is_at_terminal(args):
        args.terminal.aside(f"Rehearsing, for {seconds:g} seconds at most …")
    with service.Rehearsal(line, folder=folder, project=root, limits=limits) as rehearsal:
        seen = looked_at(rehearsal)
        _record(args, seen)
        if args.terminal.json_wanted or not words or not person.is_at_terminal(args):
            bounds = shown.CLIENT if args.asking else shown.SCREEN
            return Answer(seen.as_data(), seen.lines(shown.WHOLE if args.whole else bounds))
        for each in seen.lines(shown.WHOLE if args.whole else shown.SCREEN):
            args.terminal.aside(each)
        return _decided(args, rehearsal, seen)


def _line(words: list[str]) -> str:
    """One word is a line of the shell, several are a command and its arguments."""
    return words[0] if len(words) == 1 else shlex.join(words)


def looked_at(rehearsal: Rehearsal, env: Mapping[str, str] = os.environ) -> Shown:
    found = changes.found_in(rehearsal)
    return shown.Shown(
        rehearsal.command,
        rehearsal.result,
        found.changes,
        changes.surroundings(rehearsal, env),
        is_whole=found.is_whole,
        home=os.path.realpath(known_home(env)),
        secrets=secrets_of(rehearsal.project, env),
    )


def _reads_secrets(line: str, folder: str, root: str) -> bool:
    found = _verdict(line, folder, root).findings
    return any(each.rule.startswith(_READS_SECRETS) for each in found)


def _verdict(line: str, folder: str, root: str) -> Verdict:
    call = Call("Bash", {"command": line}, folder)
    place = facts.place(root, os.environ)
    return decide.assess(call, place, facts.SystemFacts(), effective.load(root))


def _record(args: Args, seen: Shown) -> None:
    about = {"shown": seen.clean(seen.command)[:600], "code": seen.result.code}
    record(args.location, "rehearsed", {**about, "changes": len(seen.changes)})


# -- the pending call ------------------------------------------------------------------------------


def _pending(args: Args) -> tuple[str, str]:
    """The command that the pending question is about, and its folder."""
    project = args.project
    return command_of(project.state.read().get("junction") or {}, project.root)


def command_of(pending: Mapping[str, Any], root: str) -> tuple[str, str]:
    """The command of a question, and its folder; AnswerIsNo unless they surely are the ones asked about.

    A question keeps its command redacted: what the gate makes of it now must be what it was asked for.
    """
    if not pending:
        raise AnswerIsNo("nothing is pending", hint="edge rehearse 'make clean'")
    if pending.get("source") != "gate" or pending.get("tool") != "Bash":
        raise AnswerIsNo("the pending question is about no command", hint="edge status")
    line = str(pending.get("shown", ""))
    where = (pending.get("card") or {}).get("where") or {}
    is_kept = "[REDACTED" not in line and not line.endswith("…")
    named = os.path.normpath(os.path.join(root, str(where.get("cwd") or ".")))
    for folder in filter(os.path.isdir, (named, root) if is_kept else ()):
        if _verdict(line, folder, root).exact == pending.get("fingerprint"):
            return line, folder
    raise AnswerIsNo(
        "the pending command is not kept whole, because it is long or holds a secret",
        hint="edge rehearse 'COMMAND'",
    )


def can_rehearse(pending: Mapping[str, Any]) -> bool:
    """Whether there is a command to rehearse, on a system that may do it."""
    is_command = pending.get("source") == "gate" and pending.get("tool") == "Bash"
    return is_command and not service.why_not()


def attempted(pending: Mapping[str, Any], root: str) -> list[str]:
    """What the pending command would do, or why that cannot be shown, for the person who decides on it."""
    try:
        line, folder = command_of(pending, root)
        with service.Rehearsal(line, folder=folder, project=root, limits=service.here()) as one:
            return looked_at(one).lines()
    except AnswerIsNo as error:
        return [f"It cannot be rehearsed: {error.message}"]


# -- a person's decision ------------------------------------------------------------------------------


def _decided(args: Args, rehearsal: Rehearsal, seen: Shown) -> Answer:
    """Ask the person what is to come of it."""
    refusal = takeover.why_not(
        seen.changes, seen.around, cut=seen.result.cut, is_whole=seen.is_whole
    )
    if refusal:
        return Answer(None, f"\nThis cannot be taken over: {refusal}.")
    keys = ["", "  t      take over these changes", "  r      run it for real", "  Enter  leave it"]
    said = person.choose("\n".join([*keys, "What now?"]), _KEYS)
    if said == "run":
        return _run(rehearsal, _verdict(rehearsal.command, rehearsal.folder, rehearsal.project))
    if said != "take":
        return Answer(None, "Nothing was done.")
    person.require_person("rehearse", args.location.root)
    taken = takeover.take_over(rehearsal, seen.changes, seen.around)
    about = {"files": len(taken.done), "saved": taken.saved.id}
    record(args.location, "rehearsal_taken", {**about, "shown": seen.clean(seen.command)[:600]})
    lines = [f"{many(len(taken.done), 'change')} taken over"]
    if taken.saved.id:
        lines.append(f"To take this back: edge undo apply {taken.saved.id} --exact")
    return Answer(about, lines)


def _run(rehearsal: Rehearsal, verdict: Verdict) -> Answer:
    """Run it for real, as the gate would have it."""
    if verdict.effect == "block":
        raise AnswerIsNo(f"not run: {verdict.reason}", hint="run it yourself, if you must")
    if verdict.effect == "junction" and not person.confirm(
        f"{verdict.rule}: {verdict.reason}\nRun it?"
    ):
        raise AnswerIsNo("not run", hint="edge rehearse")
    done = subprocess.run(
        [subprocesses.shell(), "-c", rehearsal.command], cwd=rehearsal.folder, check=False
    )
    return Answer({"code": done.returncode}, f"exit code {done.returncode}", ok=not done.returncode)


# end of module
