"""``edge init``: shows what it will write, then wires the hooks in and makes the state file."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from operators_edge import __version__
from operators_edge.cli.commands.config import is_offered, offer
from operators_edge.cli.options import common
from operators_edge.errors import AnswerIsNo, NotSetUp, UsageError
from operators_edge.gate.facts import home
from operators_edge.hosts.claude import (
    environment as claude_environment,
    rewire,
    settings_guard,
    wiring,
)
from operators_edge.hosts.claude.install import Change, Installation
from operators_edge.model import STATE_FILE
from operators_edge.project import Project
from operators_edge.resident import http_client
from operators_edge.state import document
from operators_edge.storage import transport
from operators_edge.system import project_root
from operators_edge.text.wording import many

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.hosts.claude.environment import Version
    from operators_edge.hosts.claude.install import Plan, Scope
    from operators_edge.hosts.claude.settings_guard import SettingsFile
    from operators_edge.hosts.claude.wiring import Form, Hooks


_PATIENCE_SECONDS = 12.0
"""Longer than a process that is not wanted any more takes to notice, and to let go of the lock."""


def register(nouns: Any) -> None:
    parser = nouns.add_parser("init", parents=[common()], epilog="edge init --dry-run")
    add_scopes(parser)
    parser.add_argument("--dry-run", action="store_true", help="show it, write nothing")
    parser.add_argument(
        "--transport",
        choices=("process", "http"),
        help="how tool calls are asked about: each starts a process (the default), or all go to "
        "one that listens on this machine: faster, and one more thing that has to run",
    )
    parser.add_argument(
        "--no-permissions",
        action="store_true",
        help="do not let the agent plan and read through `edge` unasked",
    )
    parser.set_defaults(run=_run)


def add_scopes(parser: argparse.ArgumentParser) -> None:
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument(
        "--shared",
        dest="scope",
        action="store_const",
        const="shared",
        default="local",
        help="the project's .claude/settings.json, for everyone who has the repository",
    )
    scope.add_argument(
        "--user",
        dest="scope",
        action="store_const",
        const="user",
        help="your own settings, for every project",
    )


def root_to_set_up(named: str | None, person_home: str) -> str:
    """The project that is meant: the nearest folder with a state file or a repository, else here."""
    start = os.path.realpath(named or os.getcwd())
    if not os.path.isdir(start):
        raise UsageError(f"{named} is not a folder")
    root = start
    while named is None:
        if any(os.path.lexists(os.path.join(root, each)) for each in (STATE_FILE, ".git")):
            break
        above = os.path.dirname(root)
        if above == root:
            root = start
            break
        root = above
    if root == person_home:
        raise UsageError(
            "your home folder is no project: every repository below it would be in doubt",
            hint="edge init --user, or edge init in the project",
        )
    return root


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    scope: Scope = args.scope
    env = os.environ
    person_home = home(env)
    if not person_home and scope == "user":
        raise NotSetUp("no home folder is known for this user", hint="set HOME, then repeat")
    root = None if scope == "user" else root_to_set_up(args.project, person_home)
    client = claude_environment.client_version(env)
    settings = settings_guard.settings_of(root, person_home)
    others = {name: file for name, file in settings_guard.wired(settings).items() if name != scope}
    _refuse_twice(scope, others)
    exclude = claude_environment.exclude_file(root, env) if root is not None else None
    here = Installation(scope, root, home=person_home, env=env)
    before = here.port_url()
    runner = _runner(args, before, client, terminal)
    plan = here.plan(
        _hooks_beside(others, scope, client, runner),
        permissions=() if args.no_permissions else wiring.PERMISSIONS,
        exclude=exclude,
        with_command=not {"user", "shared"} & others.keys(),
    )
    plan.notes += [*_about_others(others), *_about_client(scope, client)]
    plan.notes += _about_transport(args, before, runner, plan)
    if exclude is not None and exclude.why:
        plan.notes.append(f"No ignore lines were written: {exclude.why}.")
    new_state = _new_state(root)
    data = _data(args, root, client, plan, new_state)
    text = (_preview if args.dry_run else _summary)(terminal, plan, new_state)
    if not args.dry_run:
        if plan.needed:
            here.apply(plan)
        if before and not runner.url:
            forget_unused_port()
        if new_state is not None:
            new_state.create(command="edge init")
    asks = not args.dry_run and is_offered(root, terminal)
    terminal.show(data, f"{text}\n\n{_ending(args, root, plan, new_state)}".strip())
    if asks and root is not None:
        try:
            offer(project_root.named(root), terminal)
        except AnswerIsNo as no:
            terminal.warn(no.message)  # the hooks are wired all the same
    return 0


def _runner(
    args: argparse.Namespace, before: str, client: Version | None, terminal: Terminal
) -> wiring.Runner:
    """What the hooks run: with a port where the person says so, or has said so before."""
    runner = wiring.this_runner()
    is_http = args.transport == "http" or (args.transport is None and bool(before))
    if not is_http:
        return replace(runner, url="")
    _require_http(args.scope, client)
    if args.dry_run:
        return replace(runner, url=runner.url or transport.example().url)
    return replace(runner, url=_held_url(terminal))


def _require_http(scope: Scope, client: Version | None) -> None:
    """With http a call that nobody answers must be blocked, and the port is one person's."""
    hint = "edge init --transport process"
    if os.name != "posix":
        raise AnswerIsNo("The http transport needs Linux or macOS", hint=hint)
    if scope == "shared":
        raise AnswerIsNo("Shared settings cannot name a port: each person's is another", hint=hint)
    if client is None or client < wiring.BLOCKS_ON_FAILURE_SINCE:
        first = ".".join(map(str, wiring.BLOCKS_ON_FAILURE_SINCE))
        raise AnswerIsNo(
            f"Before Claude Code {first} a call runs when nobody answers on the port, and "
            f"the version here is {'.'.join(map(str, client)) if client else 'unknown'}",
            hint=hint,
        )


def _hooks_beside(
    others: dict[str, SettingsFile], scope: Scope, client: Version | None, runner: wiring.Runner
) -> Hooks | None:
    """None where another scope's settings say everything; {} where they hold no permissions."""
    if not others:
        return hooks_for(scope, client, runner)
    return {} if others.keys() <= {"plugin", "managed"} else None


def hooks_for(scope: Scope, client: Version | None, runner: wiring.Runner) -> Hooks:
    """The hooks in the form that this scope and this client need."""
    form: Form = "http" if runner.url else "exec"
    if scope == "shared":
        form = "portable"
    elif (client is None or client < wiring.BLOCKS_ON_FAILURE_SINCE) and os.name == "posix":
        form = "wrapped"
    return wiring.hooks(form, runner)


def _refuse_twice(scope: Scope, others: dict[str, SettingsFile]) -> None:
    """Two different sets of hooks would check, ask and record every call twice."""
    if scope == "local" or not others:
        return
    name, file = next(iter(others.items()))
    flag = "" if name == "local" else f" --{name}"
    raise AnswerIsNo(
        f"{file.path} runs the hooks already; a second set would check every call twice",
        hint=f"edge uninstall{flag}" if name in ("local", "shared", "user") else "edge doctor",
    )


def _about_others(others: dict[str, SettingsFile]) -> list[str]:
    return [
        f"The hooks come from {file.path} ({name}); no second set was added."
        for name, file in others.items()
    ]


def _about_client(scope: Scope, client: Version | None) -> list[str]:
    first = ".".join(map(str, wiring.BLOCKS_ON_FAILURE_SINCE))
    if client is not None and client >= wiring.BLOCKS_ON_FAILURE_SINCE:
        return []
    seen = ".".join(map(str, client)) if client else "not found here"
    if scope == "shared" or os.name != "posix":
        why = f"before {first} it lets a call run when a hook cannot start"
        return [f"Claude Code is {seen}: {why}. Update it."]
    return [f"Claude Code is {seen}: for versions before {first} the check is wrapped in a shell."]


def _new_state(root: str | None) -> Any:
    """The store that will make the state file; None where there is one, or no project."""
    if root is None:
        return None
    store = Project(root, is_set_up=False).state
    return None if store.exists() else store


def _held_url(terminal: Terminal) -> str:
    """The address at which a process of the person's answers, started where there is none.

    Nothing is wired to a port on which another program answers: then another one is chosen.
    """
    chosen, found = transport.want(), _mended(terminal)
    if found in ("another", "hung"):
        transport.forget()
        chosen, found = transport.want(), _mended(terminal)
    if found != "ours":
        raise AnswerIsNo(
            f"No process of yours answers on port {chosen.port} ({found}); nothing was changed",
            hint="edge init --transport process",
        )
    return chosen.url


def _mended(terminal: Terminal) -> http_client.State | None:
    found = http_client.ensure_running()
    if found == "nobody":
        terminal.aside(
            "Nobody answers yet: what held your port before may have to end; a few seconds"
        )
        found = http_client.ensure_running(patience=_PATIENCE_SECONDS)
    return found


def forget_unused_port() -> None:
    """Where no settings name the person's port any more, the process that holds it goes."""
    if not rewire.is_http_used():
        transport.forget()


def _about_transport(
    args: argparse.Namespace, before: str, runner: wiring.Runner, plan: Plan
) -> list[str]:
    """What http adds, where it is asked for or put in; and where it is taken back."""
    if runner.url and (args.transport or plan.needed):
        note = (
            "Tool calls go over http to a process of yours that stays, on 127.0.0.1: none is started "
            "for a call. While it is gone, calls are blocked; it is started again within seconds, "
            "and at the next prompt. Prompts and sessions start processes as before. "
            "Back: edge init --transport process"
        )
        return [note]
    if before and not runner.url:
        return ["Each tool call starts a process again; clients that run take it up in seconds."]
    return []


def _preview(terminal: Terminal, plan: Plan, new_state: Any) -> str:
    parts = [_painted(terminal, change.diff()) for change in plan.needed]
    if new_state is not None:
        parts.append(_painted(terminal, _state_change(new_state).diff()))
    return "\n\n".join(parts)


def _summary(terminal: Terminal, plan: Plan, new_state: Any) -> str:
    """One line a file; ``--dry-run`` shows every line of them beforehand."""
    changes = [*plan.needed, *([_state_change(new_state)] if new_state is not None else [])]
    lines = []
    for change in changes:
        body = [line for line in change.diff().splitlines() if not line.startswith(("---", "+++"))]
        added, removed = (sum(line.startswith(sign) for line in body) for sign in "+-")
        what = "new" if change.before is None else f"+{added} -{removed} lines"
        lines.append(f"{terminal.paint(change.path, 'bold')} ({what})")
    others = [n for n, change in enumerate(changes) if change.kind == "command"][1:]
    if len(others) > 1:  # all alike: what one of them says, says it of each
        lines[others[0]] = f"  and beside it {len(others)} more, /edge-plan to /edge-eval"
        lines = [line for n, line in enumerate(lines) if n not in others[1:]]
    return "\n".join(lines)


def _state_change(new_state: Any) -> Change:
    return Change("state", new_state.path, None, document.fresh(new_state.path).encoded())


def _painted(terminal: Terminal, diff: str) -> str:
    colours = {"+": "green", "-": "red", "@": "cyan"}
    lines = []
    for line in diff.splitlines():
        is_head = line.startswith(("---", "+++"))
        style = "bold" if is_head else colours.get(line[:1])
        lines.append(terminal.paint(line, style) if style else line)
    return "\n".join(lines)


def _ending(args: argparse.Namespace, root: str | None, plan: Plan, new_state: Any) -> str:
    where = root or "every project of yours"
    notes = [_wrapped(f"Note: {note}") for note in plan.notes]
    if not plan.needed and new_state is None:
        return "\n".join([*notes, f"Nothing to do: Operator's Edge {__version__} guards {where}."])
    if args.dry_run:
        return "\n".join([*notes, "Nothing was written (--dry-run)."])
    count = len(plan.needed) + (new_state is not None)
    done = f"Operator's Edge {__version__} guards {where} ({many(count, 'file')} written)."
    after = "Start your agent as always. `edge doctor` shows whether the gate answers."
    return "\n".join([*notes, done, after])


def _wrapped(note: str) -> str:
    import textwrap  # noqa: PLC0415 - where there is something to note

    return textwrap.fill(
        note, 80, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False
    )


def _data(
    args: argparse.Namespace,
    root: str | None,
    client: Version | None,
    plan: Plan,
    new_state: Any,
) -> dict[str, Any]:
    needed = [*plan.needed, *([_state_change(new_state)] if new_state is not None else [])]
    changes = [
        {
            "path": change.path,
            "kind": change.kind,
            "is_new": change.before is None,
            "diff": change.diff(),
        }
        for change in needed
    ]
    return {
        "scope": args.scope,
        "root": root,
        "client": ".".join(map(str, client)) if client else None,
        "is_written": bool(changes) and not args.dry_run,
        "changes": changes,
        "notes": plan.notes,
    }
