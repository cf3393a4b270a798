"""``edge init``: install the hooks and create the state file; ``--dry-run`` shows the changes."""

from __future__ import annotations

import os
import re

from operators_edge import __version__
from operators_edge.cli import containing, past
from operators_edge.cli.command import DRY_RUN, arg, command
from operators_edge.cli.commands.config import is_offered, offer
from operators_edge.cli.layout import changed_lines, columns, diff_lines, paragraph
from operators_edge.cli.person import choose, is_person
from operators_edge.config import effective
from operators_edge.errors import AnswerIsNo, NotSetUp, UsageError
from operators_edge.gate.facts import home
from operators_edge.hosts.claude import (
    environment as claude_environment,
    rewire,
    settings_files,
    status_line,
    wiring,
    wiring_check,
)
from operators_edge.hosts.claude.install import Change, Installation
from operators_edge.integrity import service as integrity_service
from operators_edge.locations import STATE_FILE
from operators_edge.project import Project
from operators_edge.resident import http_client
from operators_edge.state import document
from operators_edge.storage import transport
from operators_edge.system import project_root
from operators_edge.text.markup import wrapped
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import many, screen_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from operators_edge.cli.command import Args
    from operators_edge.cli.terminal import Terminal
    from operators_edge.containment.policy import Policy
    from operators_edge.hosts.claude.environment import Exclude, Version
    from operators_edge.hosts.claude.install import Plan, Scope
    from operators_edge.hosts.claude.settings_files import SettingsFile
    from operators_edge.hosts.claude.wiring import Form, Hooks
    from operators_edge.state.store import StateStore
    from operators_edge.system.listener import State


_PATIENCE_SECONDS = 12.0
"""Longer than an http server that was switched off takes to notice, and to release the lock."""


SCOPES = [
    arg(
        "--shared",
        "in .claude/settings.json, for the whole repository",
        dest="scope",
        action="store_const",
        const="shared",
        default="local",
    ),
    arg(
        "--user",
        "in your own settings, for every project",
        dest="scope",
        action="store_const",
        const="user",
    ),
]


def root_to_set_up(named: str | None, person_home: str) -> str:
    """The project to set up: the nearest folder with a state file or a repository, else this one."""
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
            "your home folder cannot be a project: it contains all your repositories",
            hint="edge init --user, or edge init in the project",
        )
    return root


def scope_home_root(args: Args) -> tuple[Scope, str, str | None]:
    """The chosen scope, the person's home ("" if unknown), and the project (None for the scope user)."""
    scope: Scope = args.scope
    person_home = home(os.environ)
    if not person_home and scope == "user":
        raise NotSetUp("no home folder is known for this user", hint="set HOME, then repeat")
    root = None if scope == "user" else root_to_set_up(args.named, person_home)
    return scope, person_home, root


@command(
    "init",
    SCOPES,
    DRY_RUN,
    arg(
        "--transport {process,http}",
        "how calls reach the gate: a process for each (default), "
        "or http to one local process that must keep running",
    ),
    [
        arg(
            "--contain",
            "keep commands inside the project (docs/containment.md)",
            dest="contain",
            action="store_true",
            default=None,
        ),
        arg("--no-contain", "end that", dest="contain", action="store_false"),
    ],
    arg(
        "--allow-host HOST...",
        "with --contain: may be reached; also *.example.org",
        dest="hosts",
    ),
    [
        arg(
            "--statusline",
            "show questions and the step in the status line",
            dest="status_line",
            action="store_true",
            default=None,
        ),
        arg("--no-statusline", "end that", dest="status_line", action="store_false"),
    ],
    arg("--no-permissions", "let the client ask about the agent's `edge` commands"),
    example="--dry-run",
)
def _init(args: Args) -> int:
    env, terminal = os.environ, args.terminal
    scope, person_home, root = scope_home_root(args)
    _refuse_bare(root)
    client = claude_environment.client_version(env)
    settings = settings_files.settings_of(root, person_home)
    _refuse_twice(scope, settings_files.wired(settings))
    exclude = claude_environment.exclude_file(root) if root is not None else None
    here = Installation(scope, root, home=person_home, env=env)
    setup = _Setup(args, here, settings, client=client, exclude=exclude)
    asks = not args.dry_run and is_person() and not terminal.json_wanted
    extras = _agreed(setup, terminal) if asks else ""
    plan = setup.planned(extras, is_real=not args.dry_run)
    changes, policy = setup.changes(plan), setup.policy
    data = {
        "scope": scope,
        "root": root,
        "client": str(client) if client else None,
        "is_written": bool(changes) and not args.dry_run,
        "changes": [
            {
                "path": each.path,
                "kind": each.kind,
                "is_new": each.before is None,
                "diff": each.diff(),
            }
            for each in changes
        ],
        "notes": plan.notes,
    }
    lines = [] if asks else _shown_changes(args, changes)
    if not args.dry_run:
        if plan.needed:
            here.apply(plan)
            if policy is not None:
                os.makedirs(policy.relay, mode=0o700, exist_ok=True)
        if setup.port_before and not setup.runner.url:
            forget_unused_port()
        integrity_service.guard(root, mark=wiring_check.mark(root, os.environ) if root else "")
        store = _new_store(root)
        if store is not None:
            store.create(command="edge init")
    is_confirming = not args.dry_run and is_offered(root, terminal)
    profile = effective.load(root, env).profile
    notes = [] if asks and changes else plan.notes
    told = "" if asks and changes else profile
    ending = _ending(root, notes, len(changes), told, is_dry=args.dry_run)
    terminal.show(data, [*lines, *ending])
    if is_confirming and root is not None:
        try:
            offer(project_root.named(root), terminal)
        except AnswerIsNo as no:
            terminal.warn(no.message)  # the hooks are installed anyway
    return 0


class _Setup:
    """What is to be written: made without effects first, to be shown, and again once it is agreed to."""

    def __init__(
        self,
        args: Args,
        here: Installation,
        settings: list[SettingsFile],
        *,
        client: Version | None,
        exclude: Exclude | None,
    ) -> None:
        self.args, self.here, self.settings = args, here, settings
        wired = settings_files.wired(settings)
        self.others = {name: file for name, file in wired.items() if name != here.scope}
        self.client, self.exclude = client, exclude
        self.port_before = here.port_url()
        self.runner = wiring.this_runner()._replace(url="")
        self.policy: Policy | None = None

    def planned(self, extras: str, *, is_real: bool) -> Plan:
        """The changes. ``extras``: what a person adds, ``s`` for the status line, ``c`` for containment."""
        args, here, scope = self.args, self.here, self.here.scope
        self.runner = _runner(args, self.port_before, self.client, is_real=is_real)
        self.policy = containing.policy(args, here, is_accepted="c" in extras)
        line = _status_line(args, here, self.settings, self.runner, is_accepted="s" in extras)
        plan = here.plan(
            _hooks_beside(self.others, scope, self.client, self.runner),
            permissions=() if args.no_permissions else wiring.PERMISSIONS,
            exclude=self.exclude,
            with_command=not {"user", "shared"} & self.others.keys(),
            policy=self.policy,
            status_line=line,
        )
        plan.notes += [
            *_about_others(self.others),
            *_about_scope(scope),
            *_about_client(scope, self.client),
        ]
        plan.notes += containing.notes(here, self.policy)
        plan.notes += _about_transport(args, self.port_before, self.runner, plan)
        if self.exclude is not None and self.exclude.why:
            plan.notes.append(f"No ignore lines were written: {self.exclude.why}.")
        return plan

    def changes(self, plan: Plan) -> list[Change]:
        """The files of the plan, and the state file where there is none."""
        store = _new_store(self.here.root)
        if store is None:
            return list(plan.needed)
        fresh = document.fresh(store.path).encoded()
        return [*plan.needed, Change("state", store.path, None, fresh)]

    def can_add(self) -> str:
        """The extras that are offered: those that nobody has decided, and that work here."""
        args, here = self.args, self.here
        is_first = not here.record().files
        line = args.status_line is None and here.scope != "shared" and is_first
        contain = args.contain is None and here.contained is None and containing.is_possible(here)
        return ("s" if line and not here.status_line() else "") + ("c" if contain else "")


_EXTRAS = {
    "s": "yes, and show what waits for you in the client's status line",
    "c": "yes, and contain the agent's commands: they write only below this\n"
    "         project, and reach only hosts on a list",
    "sc": "yes, with both",
}


def _agreed(setup: _Setup, terminal: Terminal) -> str:
    """Show what would be written and ask once; the extras that the person wants. AnswerIsNo on a no."""
    plan = setup.planned("", is_real=False)
    changes = setup.changes(plan)
    if not changes:
        return ""
    root = setup.here.root
    lines = [f"Operator's Edge {__version__} for {root or 'all your projects'}", ""]
    lines += [*_proposal(terminal, changes, root), ""]
    profile = effective.load(root, os.environ).profile
    lines += [*wrapped(f"Profile {profile}: {_PROFILES[profile]}", screen_width()), ""]
    for note in plan.notes:
        lines += [*paragraph("Note: ", note, 6), ""]
    offered = setup.can_add()
    keys = [each for each in ("s", "c", "sc") if set(each) <= set(offered)]
    answers = {**dict.fromkeys(("y", "yes"), "y"), "d": "d", "diff": "d"}
    answers |= {("b" if each == "sc" else each): each for each in keys}
    rows = [
        "  y      yes",
        *(f"  {'b' if each == 'sc' else each}      {_EXTRAS[each]}" for each in keys),
    ]
    rows += ["  d      show every change first", "  Enter  no"]
    question = "\n".join([*rows, "Write this?"])
    terminal.aside("\n".join(lines))
    answer = choose(question, answers)
    while answer == "d":
        terminal.show({}, [line for each in changes for line in _readable(terminal, each)])
        answer = choose(question, answers)
    if not answer:
        raise AnswerIsNo("nothing was written", hint="edge init")
    return answer.removeprefix("y")


_PROFILES = {
    "contextual": "asks where something can really be lost; what git or a snapshot brings back "
    "goes through. To change it: edge config set profile strict",
    "strict": "denies commands that destroy files, even where they can be brought back. "
    "To change it: edge config set profile contextual",
}

_WHAT = {
    "settings": f"{len(wiring.EVENTS)} hooks",
    "exclude": "what git does not track",
    "state": "objective, plan and notes",
}

_DIFF_LINES = 24
"""A change of a file of yours that is no longer is shown at once."""


def _proposal(terminal: Terminal, changes: Sequence[Change], root: str | None) -> Iterator[str]:
    """A line for each file, one for the slash commands; and short changes of files that are there."""
    commands = [each for each in changes if each.kind == "command"]
    for change in changes:
        name = os.path.relpath(change.path, root) if root else change.path
        what = _WHAT.get(change.kind, "")
        if change in commands:
            if change != commands[0]:
                continue
            name = os.path.join(os.path.dirname(name), "")
            what = f"{many(len(commands), 'slash command')}, /edge first"
        allowed = change.diff().count('"Bash(edge ')
        what += f"; {many(allowed, 'permission')} for `edge`" if allowed else ""
        size = "new" if change.before is None else changed_lines(change.diff())
        yield f"  {terminal.paint(f'{name:<30}', 'bold')} {size:<8} {what}".rstrip()
        diff = change.diff().splitlines()[2:]
        if change.before is not None and len(diff) <= _DIFF_LINES:
            yield from (f"    {line}" for line in diff_lines(terminal, "\n".join(diff), 74))


def _readable(terminal: Terminal, change: Change) -> Iterator[str]:
    """A change for a reader at a terminal: one line for our permissions, and for hooks that are the same."""
    if change.kind == "settings":
        yield from diff_lines(terminal, diff_of_settings(change.diff()), columns())
    else:
        yield from diff_lines(terminal, change.diff())
    yield ""


_PERMISSIONS = pattern(r"(?:^\+ +\"Bash\(edge [a-z -]+:\*\)\",?\n){3,}", re.MULTILINE)
_HOOK = pattern(r"^\+ {4}\"(\w+)\": \[\n((?:\+ {5,}.*\n)*)\+ {4}\],?\n", re.MULTILINE)


def diff_of_settings(diff: str) -> str:
    """The diff with our permissions on a few lines, and each hook's entry once."""
    seen: dict[str, str] = {}

    def of_hook(found: re.Match[str]) -> str:
        body = re.sub(r"\"timeout\": \d+", "", found[2])
        first = seen.setdefault(body, found[1])
        same = f'+    "{found[1]}": [ … as for {first} … ],\n'
        return found[0] if first == found[1] else same

    def of_permissions(found: re.Match[str]) -> str:
        verbs = re.findall(r"\(edge (.+):\*", found[0])
        text = f'{len(verbs)} entries "Bash(edge …:*)", for: {", ".join(verbs)}'
        return "".join(f"+      {line}\n" for line in wrapped(text, screen_width() - 7))

    return _PERMISSIONS.sub(of_permissions, _HOOK.sub(of_hook, diff))


def _shown_changes(args: Args, changes: Sequence[Change]) -> list[str]:
    if not changes:
        return []
    if args.dry_run:
        if args.terminal.out.isatty():
            cut = "Shortened. In full: edge init --dry-run | cat"
            return [*(line for each in changes for line in _readable(args.terminal, each)), cut]
        return [line for each in changes for line in (*diff_lines(args.terminal, each.diff()), "")]
    return [*_summary(args.terminal, changes), ""]


def _runner(args: Args, before: str, client: Version | None, *, is_real: bool) -> wiring.Runner:
    """What the hooks run: with a port if the person chooses http, or has chosen it before.

    ``is_real``: the http server is started.
    """
    runner = wiring.this_runner()
    is_http = args.transport == "http" or (args.transport is None and bool(before))
    if not is_http:
        return runner._replace(url="")
    _require_http(args.scope, client)
    if not is_real:
        return runner._replace(url=runner.url or transport.example().url)
    return runner._replace(url=_server_url(args.terminal))


def _status_line(
    args: Args,
    here: Installation,
    settings: Sequence[SettingsFile],
    runner: wiring.Runner,
    *,
    is_accepted: bool,
) -> dict[str, Any] | None:
    """Our status line, around the one that is shown now; None for none of ours."""
    if here.scope == "shared":
        if args.status_line is not None:
            raise UsageError(
                "the status line names a path of your machine, so it is not for --shared",
                hint="edge init --statusline",
            )
        return None
    wanted = args.status_line
    if wanted is None:
        wanted = is_accepted or bool(here.status_line())
    before = [each for each in settings if each.scope != "managed"]
    return status_line.entry(runner, status_line.effective(before)) if wanted else None


def _require_http(scope: Scope, client: Version | None) -> None:
    """Http requires a client that blocks unanswered calls, and settings of one person."""
    hint = "edge init --transport process"
    if os.name != "posix":
        raise AnswerIsNo("The http transport needs Linux or macOS", hint=hint)
    if scope == "shared":
        raise AnswerIsNo("Shared settings cannot name a port: each person has another", hint=hint)
    first = wiring.BLOCKS_ON_FAILURE_SINCE
    if client is None or client < first:
        raise AnswerIsNo(
            f"Before Claude Code {first} a call runs if nothing answers on the port; "
            f"the version here is {client or 'unknown'}",
            hint=hint,
        )


def _hooks_beside(
    others: dict[str, SettingsFile], scope: Scope, client: Version | None, runner: wiring.Runner
) -> Hooks | None:
    """None if another scope's settings contain everything; {} if they cannot contain permissions."""
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


def _refuse_bare(root: str | None) -> None:
    if root is not None and project_root.is_bare(root):
        raise UsageError(
            f"{root} is a bare repository: there are no files that an agent could work on",
            hint="edge init in a clone or a worktree of it",
        )


def _refuse_twice(scope: Scope, wired: dict[str, SettingsFile]) -> None:
    """Two different sets of hooks would check, ask and record every call twice."""
    others = {name: file for name, file in wired.items() if name != scope}
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


def _about_scope(scope: Scope) -> list[str]:
    """What settings that everybody gets mean for those who do not have the product."""
    if scope != "shared":
        return []
    blocked = "Anyone who has Operator's Edge is guarded here; if it is broken, their tool calls are blocked."
    unguarded = (
        "Anyone who never installed it works on unguarded; each session says so at its start."
    )
    return [blocked, unguarded]


def _about_client(scope: Scope, client: Version | None) -> list[str]:
    first = wiring.BLOCKS_ON_FAILURE_SINCE
    if client is not None and client >= first:
        return []
    seen = f"Claude Code is {client}" if client else "`claude` is not on PATH here"
    why = f"before version {first} it runs a call whose hook fails to start"
    if scope == "shared" or os.name != "posix":
        return [f"{seen}: {why}. Update it."]
    return [f"{seen}: {why}, so the hook is started by a shell line that blocks the call instead."]


def _new_store(root: str | None) -> StateStore | None:
    """The store that will create the state file; None if it exists, or there is no project."""
    store = None if root is None else Project(root, is_set_up=False).state
    return None if store is None or store.exists() else store


def _server_url(terminal: Terminal) -> str:
    """The address at which the person's http server answers; it is started if it does not run.

    A port on which another program answers is not used: another one is chosen.
    """
    chosen, found = transport.ensure(), _ensure_server(terminal)
    if found in ("another", "hung"):
        transport.remove()
        chosen, found = transport.ensure(), _ensure_server(terminal)
    if found != "ours":
        raise AnswerIsNo(
            f"No process of yours answers on port {chosen.port} ({found}); nothing was changed",
            hint="edge init --transport process",
        )
    return chosen.url


def _ensure_server(terminal: Terminal) -> State | None:
    found = http_client.ensure_running()
    if found == "nobody":
        terminal.aside(
            "No answer yet: an older process may still be leaving the port; waiting a few seconds"
        )
        found = http_client.ensure_running(patience=_PATIENCE_SECONDS)
    return found


def forget_unused_port() -> None:
    """Give up the person's port if no settings name it any more; the http server then ends."""
    if not rewire.is_http_used():
        transport.remove()


def _about_transport(args: Args, before: str, runner: wiring.Runner, plan: Plan) -> list[str]:
    """What a change to http, or back to processes, means."""
    if runner.url and (args.transport or plan.needed):
        note = (
            "Tool calls go over http to one process of yours on 127.0.0.1; no process is started for "
            "a call. If it ends, calls are blocked until it is restarted: within seconds, or at the "
            "next prompt. Prompts and sessions start processes as before. "
            "To go back: edge init --transport process"
        )
        return [note]
    if before and not runner.url:
        return ["Each tool call starts a process again; running clients notice within seconds."]
    return []


def _summary(terminal: Terminal, changes: Sequence[Change]) -> Iterator[str]:
    """One line per file, and one for the slash commands; ``--dry-run`` shows the whole changes."""
    commands = [each for each in changes if each.kind == "command"]
    for change in changes:
        if len(commands) < 3 or change not in commands[1:]:
            what = "new" if change.before is None else f"{changed_lines(change.diff())} lines"
            yield f"{terminal.paint(change.path, 'bold')} ({what})"
        elif change == commands[1]:
            yield f"  and {len(commands) - 1} more next to it, /edge-plan to /edge-eval"


def _ending(
    root: str | None, notes: Sequence[str], count: int, profile: str, *, is_dry: bool
) -> Iterator[str]:
    for note in notes:
        yield from paragraph("Note: ", note, 6)
    guards = f"Operator's Edge {__version__} guards {root or 'all your projects'}"
    if not count:
        yield f"Nothing to do: {guards}."
    elif is_dry:
        yield "Nothing was written (--dry-run)."
    else:
        yield f"{guards} ({many(count, 'file')} written)."
        yield "Start your agent as always. `edge doctor` shows whether the gate answers."
        if profile:
            yield from wrapped(f"Profile {profile}: {_PROFILES[profile]}", screen_width())
        yield from past.at_the_end_of_init(root)


# end of module
