"""What ``edge doctor`` examines: are the hooks installed, do they answer, are the records intact?

Each inspection yields checks; none changes anything. What cannot be inspected is reported as a problem, never
left out. Does not own running a hook (``doctor.probe``) or how the checks are shown.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from operators_edge import __version__
from operators_edge.config import compiled
from operators_edge.doctor import probe
from operators_edge.errors import EdgeError
from operators_edge.hosts import git_exclude
from operators_edge.hosts.claude import environment as claude_environment, settings_guard, wiring
from operators_edge.migration import legacy_settings, migrate
from operators_edge.project import Project
from operators_edge.sessions import status
from operators_edge.state import schema
from operators_edge.storage import verify as log_verify
from operators_edge.storage.files import read_bytes
from operators_edge.storage.keys import seal
from operators_edge.system.user_dirs import user_dir
from operators_edge.text.wording import many
from operators_edge.undo.trash import Trash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from operators_edge.hosts.claude.settings_guard import SettingsFile
    from operators_edge.records import LogEntry

Level = Literal["ok", "warning", "problem"]

SLOW_MULTIPLE = 8.0
"""Multiples of a bare interpreter above which the check of a plain command is worth a warning."""

LARGE_TRASH = 1 << 30
"""Bytes in the trash from which a person is warned: nothing there expires."""

LITTLE_SPACE = 1 << 20
"""Free bytes below which a disk counts as full: rewriting the log and the state needs as much."""

CLOCK_SLACK = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: ``what`` was found, ``why`` it matters and what to ``run``."""

    name: str
    level: Level
    what: str
    why: str = ""
    run: str = ""


def examine(root: str | None, home: str, *, is_set_up: bool, env: Mapping[str, str]) -> list[Check]:
    """Every check, in the order in which a person would read them."""
    settings = settings_guard.settings_of(root, home)
    inspections: list[tuple[str, Callable[[], Iterator[Check]]]] = [
        ("product", lambda: _product(env)),
        ("hooks", lambda: _wiring(settings, env)),
        ("liveness", lambda: _answers(settings, env)),
        ("settings", lambda: _switches(settings)),
        ("your folder", lambda: _user_folder(env)),
        ("disk", lambda: _space([user_dir(env), *([root] if root else [])])),
        ("configuration", lambda: _configuration(root, env)),
    ]
    if root is not None and is_set_up:
        project = Project(root, is_set_up=True)
        inspections += [
            ("older version", lambda: _older(root, home)),
            ("state", lambda: _state(project)),
            ("log", lambda: _log(project, is_wired=bool(settings_guard.wired(settings)))),
            ("git", lambda: _git(root)),
            ("trash", lambda: _trash(project, env)),
        ]
    checks = []
    for name, inspect in inspections:
        try:
            checks += list(inspect())
        except (EdgeError, OSError) as error:
            hint = error.hint if isinstance(error, EdgeError) else ""
            checks.append(Check(name, "problem", f"cannot be inspected: {error}", run=hint))
    return checks


# -- program and client ----------------------------------------------------------------------------


def _product(env: Mapping[str, str]) -> Iterator[Check]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Check("product", "ok", f"Operator's Edge {__version__}, Python {python}")
    version = claude_environment.client_version(env)
    first = ".".join(map(str, wiring.BLOCKS_ON_FAILURE_SINCE))
    if version is None:
        why = "its version determines what happens when a hook fails"
        what = "Claude Code is not on PATH, or does not report its version"
        yield Check("client", "warning", what, why, "claude --version")
    elif version < wiring.BLOCKS_ON_FAILURE_SINCE:
        what = f"Claude Code {'.'.join(map(str, version))} is older than {first}"
        why = "it lets a call run when a hook fails, unless the hook is wrapped"
        yield Check("client", "warning", what, why, "claude update")
    else:
        yield Check("client", "ok", f"Claude Code {'.'.join(map(str, version))}")
    if not (env.get("HOME") or env.get("USERPROFILE")):
        what = "HOME is not set; the user database's home is used"
        yield Check("home", "warning", what, "hooks and your terminal may use different folders")


# -- hooks -----------------------------------------------------------------------------------------


def _wiring(settings: list[SettingsFile], env: Mapping[str, str]) -> Iterator[Check]:
    for each in settings:
        if each.problem:
            why = "the client ignores the file, and any hooks in it"
            yield Check("hooks", "problem", f"{each.path}: {each.problem}", why, "fix the file")
    found = settings_guard.wired(settings)
    if not found:
        yield Check("hooks", "problem", "no settings run the gate", run="edge init")
        return
    for scope, file in found.items():
        if scope != "plugin":
            yield from _entries(scope, file, env)
        else:
            yield Check("hooks", "ok", f"the plugin is enabled in {file.path}")
    if len(found) > 1:
        what = f"the hooks are installed {len(found)} times: {', '.join(found)}"
        why = "every call is checked, asked about and recorded more than once"
        yield Check("hooks", "problem", what, why, "edge uninstall in all scopes but one")


def _older(root: str, home: str) -> Iterator[Check]:
    """Hooks of versions before 4: a second gate, which writes the same log in another format."""
    found = migrate.detect(root)
    events = dict.fromkeys(each.event for each in legacy_settings.entries(root, home))
    if events:
        what = f"hooks of an older version run next to the gate, on {', '.join(events)}"
        why = "every call is judged twice, and they replace the log with their own"
        yield Check("older version", "problem", what, why, "edge migrate")
    left = [*(each.path for each in found.sides), *found.hooks]
    if left and not events:
        what = f"{many(len(left), 'file')} of an older version: {', '.join(left[:3])}"
        what += " …" if len(left) > 3 else ""
        yield Check("older version", "warning", what, "they are not used any more", "edge migrate")


def _entries(scope: str, file: SettingsFile, env: Mapping[str, str]) -> Iterator[Check]:
    mine = wiring.ours(file.value)
    missing = [event.name for event in wiring.EVENTS if event.name not in mine]
    flag = "" if scope == "local" else f" --{scope}"
    where = f"{scope} settings, {file.path}"
    if missing:
        what = f"{where}: no hook for {', '.join(missing)}"
        yield Check("hooks", "problem", what, "these events are not seen", f"edge init{flag}")
    else:
        yield Check("hooks", "ok", f"{where}: {len(mine)} events")
    if "PreToolUse" in mine and not wiring.is_guarding(file.value, wiring.this_runner()):
        what = f"{where}: the hook on tool calls is not this installation's"
        why = "another version, another Python, or a manual change"
        yield Check("hooks", "warning", what, why, f"edge init{flag}")
    version = claude_environment.client_version(env)
    is_bare = any("args" in e for group in mine.get("PreToolUse", []) for e in group["hooks"])
    if version is not None and version < wiring.BLOCKS_ON_FAILURE_SINCE and is_bare:
        what = f"{where}: a hook that fails would let the call run"
        yield Check(
            "hooks", "problem", what, "this client does not support onFailure", f"edge init{flag}"
        )


def _answers(settings: list[SettingsFile], env: Mapping[str, str]) -> Iterator[Check]:
    tables = {
        scope: wiring.plugin_hooks()["hooks"] if scope == "plugin" else wiring.ours(file.value)
        for scope, file in settings_guard.wired(settings).items()
    }
    with probe.bench(env) as bench:
        bare = bench.bare_seconds(sys.executable)
        for scope, table in tables.items():
            runs = [
                bench.run(event, group["hooks"][0])
                for event, groups in table.items()
                for group in groups
            ]
            wrong: dict[str, list[str]] = {}
            for run in runs:
                if run.problem:
                    wrong.setdefault(run.problem, []).append(run.event)
            remedy = "edge init" if scope == "local" else f"edge init --{scope}"
            if scope in ("plugin", "shared"):
                remedy = "pipx install operators-edge (`edge` must be on PATH)"
            for problem, events in wrong.items():
                what = f"{scope} {', '.join(events)}: {problem}"
                yield Check("liveness", "problem", what, "the client gets the same", remedy)
            if not wrong:
                yield _latency(scope, runs, bare)


def _latency(scope: str, runs: list[probe.Run], bare: float) -> Check:
    calls = [run.seconds for run in runs if run.event == "PreToolUse"]
    if not calls:
        return Check("liveness", "ok", f"{scope}: {len(runs)} hooks answer")
    plain, risky = calls[0]
    what = (
        f"{scope}: {len(runs)} hooks answer; they add {plain * 1000:.0f} ms to a plain command "
        f"({plain / bare:.1f} x a bare Python), {risky * 1000:.0f} ms to a risky one "
        f"({risky / bare:.1f} x)"
    )
    if plain <= SLOW_MULTIPLE * bare:
        return Check("liveness", "ok", what)
    return Check("liveness", "warning", what, "every tool call waits for it", "edge doctor again")


def _switches(settings: list[SettingsFile]) -> Iterator[Check]:
    for file in settings:
        if isinstance(file.value, dict) and file.value.get("disableAllHooks") is True:
            what = f"{file.path} has disableAllHooks"
            yield Check("settings", "problem", what, "no hook runs at all", "remove the line")
        if wiring.enabled_plugin(file.value) is False:
            yield Check("settings", "warning", f"{file.path} disables the plugin")
        others = wiring.auto_answering(file.value)
        if others:
            what = f"{file.path} has {len(others)} PermissionRequest hook(s) of other tools"
            why = "they can answer the gate's question in your place"
            yield Check("settings", "warning", what, why, "review or remove them")


# -- records ---------------------------------------------------------------------------------------


def _user_folder(env: Mapping[str, str]) -> Iterator[Check]:
    folder = user_dir(env)
    if not os.path.isdir(folder):
        what = f"{folder} does not exist yet"
        yield Check("your folder", "ok", f"{what}; the first session creates it")
        return
    is_private = True
    if os.name == "posix":
        for path in (folder, os.path.join(folder, "key")):
            if os.path.exists(path) and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
                is_private = False
                what = f"other users can read {path}"
                why = "signatures with the key prove nothing then"
                yield Check("your folder", "problem", what, why, f"chmod go= {path}")
    if os.path.exists(os.path.join(folder, "key")):
        seal("edge doctor", env=env)  # raises if the key is invalid
    if is_private:
        yield Check("your folder", "ok", f"{folder}, accessible only to you")


def _space(folders: list[str]) -> Iterator[Check]:
    """A check only for a disk that is full."""
    for folder in filter(os.path.isdir, folders):
        if shutil.disk_usage(folder).free < LITTLE_SPACE:
            why = "neither records nor decisions can be written; calls are still checked"
            yield Check("disk", "problem", f"no space is left for {folder}", why, f"df -h {folder}")


def _configuration(root: str | None, env: Mapping[str, str]) -> Iterator[Check]:
    config = compiled.load(root, env).config
    level: Level = "problem" if config["problems"] else "warning"
    for remark in config["remarks"]:
        why = "until then the stricter rule applies"
        yield Check("configuration", level, remark, why, "edge config show --origin")
    if not config["remarks"]:
        what = f"profile {config['profile']}, junctions: {config['junction_style']}"
        yield Check("configuration", "ok", what)


def _state(project: Project) -> Iterator[Check]:
    try:
        state = project.state.read()
    except EdgeError as error:
        why = "the gate is at its strictest until it can be read"
        yield Check("state", "problem", error.message, why, error.hint or "edge state history")
        return
    if project.state.unfinished:
        what = f"an interrupted change is unfinished: {project.state.unfinished}"
        why = "nothing else can be changed before it is finished"
        yield Check("transaction", "problem", what, why, "fix that; any edge command finishes it")
    notes = schema.violations(state)
    for note in notes:
        why = "nothing can be written until it is fixed"
        yield Check("state", "problem", f"{note.name}: {note.text}", why, project.state.path)
    if notes:
        return
    steps = many(len(state.get("plan") or []), "step")
    yield Check("state", "ok", f"{project.state.path}: {steps}")
    for note in status.state_warnings(project, state):
        yield Check("state", "warning", f"{note.name}: {note.text}")


def _log(project: Project, *, is_wired: bool) -> Iterator[Check]:
    # Without a recorded end the log never existed; with one, a missing log was deleted.
    is_new = project.log.count() == 0 and project.registry.head() is None
    if is_new:
        what = "no session recorded yet"
        if is_wired:
            what = "the hooks are configured, but none has run here yet"
            yield Check("log", "warning", what, "nothing shows that a client runs them",
                        "start a session, then edge doctor")  # fmt: skip
        else:
            yield Check("log", "ok", what)
        return
    report = log_verify.verify(project.log)
    if not report.ok:
        broken = report.first_broken
        first = f"{broken[0]}:{broken[1]}: {broken[2]}" if broken else report.problems[0]
        yield Check("log", "problem", first, "the log is damaged", "edge proof verify")
    elif not report.head_known:
        what = f"{report.entries} entries, chain intact, but its end is not anchored"
        yield Check(
            "log", "warning", what, "a truncated end would not be noticed", "edge proof verify"
        )
    else:
        yield Check("log", "ok", f"{report.entries} entries, chain intact, end anchored")
    for entry in project.log.tail(1):
        yield from _last_entry(project, entry)


def _last_entry(project: Project, entry: LogEntry) -> Iterator[Check]:
    try:
        when = datetime.fromisoformat(str(entry.get("timestamp") or entry.get("time")))
        ahead = when - project.clock()
    except (ValueError, TypeError):
        yield Check("clock", "problem", "the last entry has no readable time",
                    run="edge proof verify")  # fmt: skip
        return
    if ahead > CLOCK_SLACK:
        what = f"the last entry is {ahead} in the future"
        yield Check("clock", "warning", what, "grants expire by the clock", "date")
    else:
        yield Check("clock", "ok", f"last entry {when.isoformat(timespec='seconds')}")


def _git(root: str) -> Iterator[Check]:
    exclude = claude_environment.exclude_file(root)
    if not exclude.path:
        yield Check("git", "ok", f"no ignore lines: {exclude.why}")
        return
    missing = git_exclude.missing(
        read_bytes(exclude.path) or b"", git_exclude.place(exclude.prefix)
    )
    if missing:
        what = f"{exclude.path} does not list {', '.join(missing)}"
        yield Check("git", "warning", what, "they may be committed by accident", "edge init")
    else:
        yield Check("git", "ok", f"{exclude.path} keeps our files out of git")


def _trash(project: Project, env: Mapping[str, str]) -> Iterator[Check]:
    found = Trash(project.root, clock=project.clock, env=env).entries()
    size = sum(each.size for each in found)
    if size > LARGE_TRASH:
        what = f"{len(found)} items, {size / 1e9:.1f} GB"
        yield Check("trash", "warning", what, "nothing there expires", "edge trash list")
