"""What ``edge doctor`` examines: are the hooks installed, do they answer, are the records intact?

Each inspection yields checks; none changes anything. What cannot be inspected is reported as a problem, never
left out. Does not own running a hook (``doctor.probe``) or how the checks are shown.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys

from operators_edge import __version__
from operators_edge.config import compiled
from operators_edge.datetimes import datetime, timedelta
from operators_edge.doctor import contained, probe, resident
from operators_edge.doctor.check import Check, ok, problem, warning
from operators_edge.errors import EdgeError
from operators_edge.hosts import git_exclude
from operators_edge.hosts.claude import (
    dialog_hooks,
    environment as claude_environment,
    settings_files,
    wiring,
    wiring_check,
)
from operators_edge.integrity import service as integrity_service, store as integrity_store
from operators_edge.migration import legacy_settings, migrate
from operators_edge.project import Project
from operators_edge.sessions import notify_service, status
from operators_edge.state import schema
from operators_edge.storage import verify as log_verify
from operators_edge.storage.files import read_bytes
from operators_edge.storage.keys import seal
from operators_edge.system import installation
from operators_edge.system.project_root import top_of
from operators_edge.system.user_dirs import user_dir
from operators_edge.text.wording import amount, many
from operators_edge.undo.restore import Undo
from operators_edge.undo.trash import Trash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from operators_edge.hosts.claude.settings_files import SettingsFile

SLOW_MULTIPLE = 8.0
"""Multiples of a bare interpreter above which the check of a plain command is worth a warning."""

LARGE_TRASH = 1 << 30
"""Bytes in the trash from which a person is warned."""

LITTLE_SPACE = 1 << 20
"""Free bytes below which a disk counts as full: rewriting the log and the state needs as much."""

CLOCK_SLACK = timedelta(minutes=2)


def examine(root: str | None, home: str, *, is_set_up: bool, env: Mapping[str, str]) -> list[Check]:
    """Every check, in the order in which a person would read them."""
    settings = settings_files.settings_of(root, home)
    inspections: dict[str, Callable[[], Iterable[Check]]] = {
        "product": _product,
        "client": lambda: _client(env),
        "integrity": lambda: _integrity(env),
        "home": lambda: _home(env),
        "hooks": lambda: _hooks(settings, env),
        "liveness": lambda: _answers(settings, env),
        "resident": lambda: [resident.process(env)],
        "http": lambda: filter(None, [resident.http(root, env)]),
        "settings": lambda: [*_switches(settings), *_foreign(root, env)],
        "your folder": lambda: _user_folder(env),
        "disk": lambda: _space([user_dir(env), *([root] if root else [])]),
        "configuration": lambda: _configuration(root, env),
        "notifications": lambda: _notifications(env),
    }
    if root is not None and is_set_up:
        project = Project(root, is_set_up=True)
        inspections |= {
            "older version": lambda: _older(root, home),
            "state": lambda: _state(project),
            "log": lambda: _log(project, is_wired=bool(settings_files.wired(settings))),
            "clock": lambda: _clock(project),
            "git": lambda: _git(root),
            "containment": lambda: contained.checks(root, home, env),
            "trash": lambda: _trash(project, env),
            "undo": lambda: _undo(project, env),
        }
    return [
        check if check.name else check._replace(name=name)
        for name, inspect in inspections.items()
        for check in _inspected(inspect)
    ]


def _inspected(inspect: Callable[[], Iterable[Check]]) -> Iterator[Check]:
    try:
        yield from inspect()
    except (EdgeError, OSError) as error:
        hint = error.hint if isinstance(error, EdgeError) else ""
        yield problem(f"cannot be inspected: {error}", run=hint)


# -- program and client ----------------------------------------------------------------------------


def _product() -> Iterator[Check]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield ok(f"Operator's Edge {__version__}, Python {python}")


def _integrity(env: Mapping[str, str]) -> Iterator[Check]:
    """Is what is installed and guarded as it was recorded outside the projects?"""
    record = integrity_store.read(env)
    if record is None:
        yield ok("nothing is recorded yet; the first session or edge init does it")
        return
    found = integrity_service.look(wiring_check, env)
    for each in found:
        yield problem(each.what, run=each.run)
    if not found:
        ours = record["installations"].get(installation.PACKAGE)
        counted = many(len(ours["files"]), "file") if ours and ours["files"] else ""
        what = (
            f"{counted} as installed"
            if counted
            else "a development installation: git tells what changed"
        )
        yield ok(f"{what}; {many(len(record['projects']), 'guarded project')}")


def _client(env: Mapping[str, str]) -> Iterator[Check]:
    version, first = claude_environment.client_version(env), wiring.BLOCKS_ON_FAILURE_SINCE
    if version is None:
        why = "its version determines what happens when a hook fails"
        what = "Claude Code is not on PATH, or does not report its version"
        yield warning(what, why, "claude --version")
    elif version < first:
        why = "it lets a call run when a hook fails, unless the hook is wrapped"
        yield warning(f"Claude Code {version} is older than {first}", why, "claude update")
    else:
        yield ok(f"Claude Code {version}")


def _home(env: Mapping[str, str]) -> Iterator[Check]:
    if not (env.get("HOME") or env.get("USERPROFILE")):
        what = "HOME is not set; the user database's home is used"
        yield warning(what, "hooks and your terminal may use different folders")


# -- hooks -----------------------------------------------------------------------------------------


def _hooks(settings: list[SettingsFile], env: Mapping[str, str]) -> Iterator[Check]:
    for each in settings:
        if each.problem:
            why = "the client ignores the file, and any hooks in it"
            yield problem(f"{each.path}: {each.problem}", why, "fix the file")
    found = settings_files.wired(settings)
    if not found:
        yield problem("no settings run the gate", run="edge init")
    for scope, file in found.items():
        if scope != "plugin":
            yield from _entries(scope, file, env)
        else:
            yield ok(f"the plugin is enabled in {file.path}")
    if len(found) > 1:
        what = f"the hooks are installed {len(found)} times: {', '.join(found)}"
        why = "every call is checked, asked about and recorded more than once"
        yield problem(what, why, "edge uninstall in all scopes but one")


def _older(root: str, home: str) -> Iterator[Check]:
    """Hooks of versions before 4: a second gate, which writes the same log in another format."""
    found = migrate.detect(root)
    events = dict.fromkeys(each.event for each in legacy_settings.entries(root, home))
    if events:
        what = f"hooks of an older version run next to the gate, on {', '.join(events)}"
        why = "every call is judged twice, and they replace the log with their own"
        yield problem(what, why, "edge migrate")
    left = [*(each.path for each in found.sides), *found.hooks]
    if left and not events:
        what = f"{many(len(left), 'file')} of an older version: {', '.join(left[:3])}"
        what += " …" if len(left) > 3 else ""
        yield warning(what, "they are not used any more", "edge migrate")


def _entries(scope: str, file: SettingsFile, env: Mapping[str, str]) -> Iterator[Check]:
    """The hooks of one scope: is none missing, are they ours, and do they block when they fail?"""
    mine, where = wiring.ours(file.value), f"{scope} settings, {file.path}"
    repair = _init(scope)
    missing = [event.name for event in wiring.EVENTS if event.name not in mine]
    if missing:
        what = f"{where}: no hook for {', '.join(missing)}"
        yield problem(what, "these events are not seen", repair)
    else:
        yield ok(f"{where}: {len(mine)} events")
    if "PreToolUse" not in mine:
        return
    runner = wiring.this_runner()
    if not wiring.is_guarding(file.value, runner):
        what = f"{where}: the hook on tool calls is not this installation's"
        yield warning(what, "another version, another Python, or a manual change", repair)
    elif not wiring.is_current(file.value, runner):
        what = f"{where}: the hooks are not written as this version writes them"
        yield warning(what, "a damaged installation may let calls run, or hold prompts up", repair)
    version = claude_environment.client_version(env)
    is_bare = any("args" in entry for group in mine["PreToolUse"] for entry in group["hooks"])
    if version is not None and version < wiring.BLOCKS_ON_FAILURE_SINCE and is_bare:
        what = f"{where}: a hook that fails would let the call run"
        yield problem(what, "this client does not support onFailure", repair)


def _init(scope: str) -> str:
    return "edge init" if scope == "local" else f"edge init --{scope}"


def _answers(settings: list[SettingsFile], env: Mapping[str, str]) -> Iterator[Check]:
    with probe.bench(env) as bench:
        bare = bench.bare_seconds(sys.executable)
        for scope, file in settings_files.wired(settings).items():
            is_plugin = scope == "plugin"
            table = wiring.plugin_hooks()["hooks"] if is_plugin else wiring.ours(file.value)
            runs = [
                bench.run(event, group["hooks"][0])
                for event, groups in table.items()
                for group in groups
            ]
            wrong: dict[str, list[str]] = {}
            for run in runs:
                if run.problem:
                    wrong.setdefault(run.problem, []).append(run.event)
            repair = _init(scope)
            if scope in ("plugin", "shared"):
                repair = "pipx install operators-edge (`edge` must be on PATH)"
            for text, events in wrong.items():
                what = f"{scope} {', '.join(events)}: {text}"
                yield problem(what, "the client gets the same", repair)
            if not wrong:
                yield _latency(scope, runs, bare)


def _latency(scope: str, runs: list[probe.Run], bare: float) -> Check:
    calls = [run.seconds for run in runs if run.event == "PreToolUse"]
    if not calls:
        return ok(f"{scope}: {len(runs)} hooks answer")
    plain, risky = calls[0]
    what = (
        f"{scope}: {len(runs)} hooks answer; they add {plain * 1000:.0f} ms to a plain command "
        f"({plain / bare:.1f} x a bare Python), {risky * 1000:.0f} ms to a risky one "
        f"({risky / bare:.1f} x)"
    )
    if plain <= SLOW_MULTIPLE * bare:
        return ok(what)
    return warning(what, "every tool call waits for it", "edge doctor again")


def _switches(settings: list[SettingsFile]) -> Iterator[Check]:
    for file in settings:
        if isinstance(file.value, dict) and file.value.get("disableAllHooks") is True:
            what = f"{file.path} has disableAllHooks"
            yield problem(what, "no hook runs at all", "remove the line")
        if wiring.enabled_plugin(file.value) is False:
            yield warning(f"{file.path} disables the plugin")


def _foreign(root: str | None, env: Mapping[str, str]) -> Iterator[Check]:
    """What the client runs beside us, if it can answer for the person."""
    for each in dialog_hooks.find(root, env):
        why = "it could answer dialogs in your place, so the gate does not ask in one"
        yield warning(f"{each} of another tool", why, 'remove it, or give it "async": true')


# -- records ---------------------------------------------------------------------------------------


def _user_folder(env: Mapping[str, str]) -> Iterator[Check]:
    folder = user_dir(env)
    key = os.path.join(folder, "key")
    if not os.path.isdir(folder):
        yield ok(f"{folder} does not exist yet; the first session creates it")
        return
    is_open = [path for path in (folder, key) if _others_can_read(path)]
    for path in is_open:
        why = "signatures with the key prove nothing then"
        yield problem(f"other users can read {path}", why, f"chmod go= {path}")
    if os.path.exists(key):
        seal("edge doctor", env=env)  # raises if the key is invalid
    if not is_open:
        yield ok(f"{folder}, accessible only to you")


def _others_can_read(path: str) -> bool:
    if os.name != "posix" or not os.path.exists(path):
        return False
    return bool(stat.S_IMODE(os.stat(path).st_mode) & 0o077)


def _space(folders: list[str]) -> Iterator[Check]:
    """A check only for a disk that is full, or that cannot be written."""
    why = "neither records nor decisions can be written; calls are still checked"
    for folder in filter(os.path.isdir, folders):
        if not os.access(folder, os.W_OK):
            yield problem(f"{folder} cannot be written", why, f"findmnt -T {folder}")
        elif shutil.disk_usage(folder).free < LITTLE_SPACE:
            yield problem(f"no space is left for {folder}", why, f"df -h {folder}")


def _configuration(root: str | None, env: Mapping[str, str]) -> Iterator[Check]:
    config = compiled.load(root, env).config
    said = problem if config["problems"] or config["left_out"] else warning
    for remark in config["remarks"]:
        why = "until then the stricter rule applies"
        yield said(remark, why, "edge config show --origin")
    if not config["remarks"]:
        yield ok(f"profile {config['profile']}, junctions: {config['junction_style']}")


def _notifications(env: Mapping[str, str]) -> Iterator[Check]:
    """Nothing where a person has set up none."""
    settings = notify_service.load(env)
    if settings is None or not settings.urls:
        return
    trouble = notify_service.trouble(env)
    if trouble:
        yield warning(trouble, "pending decisions are not announced", "edge notify test")
    else:
        yield ok(f"{many(len(settings.urls), 'address')} for decisions that wait")


def _state(project: Project) -> Iterator[Check]:
    try:
        state = project.state.read()
    except EdgeError as error:
        why = "the gate is at its strictest until it can be read"
        yield problem(error.message, why, error.hint or "edge history")
        return
    if project.state.unfinished:
        what = f"an interrupted change is unfinished: {project.state.unfinished}"
        why = "nothing else can be changed before it is finished"
        run = "fix that; any edge command finishes it"
        yield problem(what, why, run)._replace(name="transaction")
    notes = schema.violations(state)
    for note in notes:
        why = "nothing can be written until it is fixed"
        yield problem(f"{note.name}: {note.text}", why, project.state.path)
    if notes:
        return
    steps = many(len(state.get("plan") or []), "step")
    yield ok(f"{project.state.path}: {steps}")
    for note in status.state_warnings(project, state):
        yield warning(f"{note.name}: {note.text}")


def _log(project: Project, *, is_wired: bool) -> Iterator[Check]:
    # Without a recorded end the log never existed; with one, a missing log was deleted.
    if project.log.count() == 0 and project.registry.head() is None:
        if is_wired:
            what = "the hooks are configured, but none has run here yet"
            run = "start a session, then edge doctor"
            yield warning(what, "nothing shows that a client runs them", run)
        else:
            yield ok("no session recorded yet")
        return
    report = log_verify.verify(project.log)
    if not report.ok:
        broken = report.first_broken
        first = f"{broken[0]}:{broken[1]}: {broken[2]}" if broken else report.problems[0]
        yield problem(first, "the log is damaged", "edge log verify")
    elif not report.head_known:
        what = f"{report.entries} entries, chain intact, but its end is not anchored"
        yield warning(what, "a truncated end would not be noticed", "edge log verify")
    else:
        yield ok(f"{report.entries} entries, chain intact, end anchored")


def _clock(project: Project) -> Iterator[Check]:
    for entry in project.log.tail(1):
        try:
            when = datetime.fromisoformat(str(entry.get("timestamp") or entry.get("time")))
            ahead = when - project.clock()
        except (ValueError, TypeError):
            yield problem("the last entry has no readable time", run="edge log verify")
            return
        if ahead > CLOCK_SLACK:
            what = f"the last entry is {ahead} in the future"
            yield warning(what, "grants expire by the clock", "date")
        else:
            yield ok(f"last entry {when.isoformat(timespec='seconds')}")


def _git(root: str) -> Iterator[Check]:
    exclude = claude_environment.exclude_file(root)
    if not exclude.path:
        yield ok(f"no ignore lines: {exclude.why}")
        return
    missing = git_exclude.missing(
        read_bytes(exclude.path) or b"", git_exclude.place(exclude.prefix)
    )
    if missing:
        what = f"{exclude.path} does not list {', '.join(missing)}"
        yield warning(what, "they may be committed by accident", "edge init")
    else:
        yield ok(f"{exclude.path} keeps our files out of git")


def _undo(project: Project, env: Mapping[str, str]) -> Iterator[Check]:
    if not top_of(project.root):
        return
    space = Undo(project.root, root=project.root, env=env).space()
    if space.snapshots:
        what = f"{many(space.snapshots, 'snapshot')}, {amount(space.size)}"
        removed = (
            f"; {len(space.removed)} removed to keep within the limit" if space.removed else ""
        )
        yield ok(f"{what} of at most {amount(project.undo_megabytes << 20)}{removed}")


def _trash(project: Project, env: Mapping[str, str]) -> Iterator[Check]:
    found = Trash(project.root, clock=project.clock, env=env).entries()
    size = sum(each.size for each in found)
    if size > LARGE_TRASH:
        what = f"{len(found)} items, {size / 1e9:.1f} GB"
        yield warning(
            what,
            f"kept for {project.keep_days['trash'] or 'any number of'} days",
            "edge trash list",
        )


# end of module
