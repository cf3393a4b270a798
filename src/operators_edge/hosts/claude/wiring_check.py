"""Whether a new session in a project would be guarded, as far as Claude Code's settings say.

Reads the settings of any project, also of one in which no session runs. Does not own which projects have to
be guarded (``integrity``).
"""

from __future__ import annotations

import json
import os

from operators_edge.gate.facts import home
from operators_edge.hosts.claude import settings_files, wiring
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


def watched(root: str, env: Mapping[str, str]) -> list[str]:
    """The settings files, and their folders: a file that appears changes its folder."""
    paths = settings_files.settings_paths(root, home(env)).values()
    return [each for path in paths for each in (path, os.path.dirname(path))]


def mark(root: str, env: Mapping[str, str]) -> str:
    """What our entries are in all settings files of the project; "" if there are none."""
    return _mark_of(settings_files.settings_of(root, home(env)))


def _mark_of(settings: Iterable[settings_files.SettingsFile]) -> str:
    found = ((each.scope, wiring.ours(each.value)) for each in settings)
    ours = {scope: entries for scope, entries in found if entries}
    return sha256_hex(json.dumps(ours, sort_keys=True).encode()) if ours else ""


def problem(
    root: str, env: Mapping[str, str], *, recorded: str, packages: Mapping[str, str]
) -> str:
    """Why a new session there would not be guarded; "" if it would.

    ``recorded`` is the mark that the project had when it was set up, ``packages`` are the installations that
    a person set up, each with the Python that it is run by, "" if that is not known.
    """
    settings = settings_files.settings_of(root, home(env))
    for each in settings:
        if why := _switch(each):
            return f"{each.path} {why}"
    found = settings_files.wired(settings)
    if not found:
        broken = [f"{each.path} is {each.problem}" for each in settings if each.problem]
        return broken[0] if broken else "no settings run the gate"
    if "plugin" not in found and not any(_guards(each.value) for each in found.values()):
        return f"{next(iter(found.values())).path} does not run the gate on every tool call"
    if recorded in ("", _mark_of(settings)):
        return ""
    for scope, each in found.items():
        if scope != "plugin" and not _is_known(wiring.as_written(each.value, env), packages):
            return f"{each.path} does not run the gate as it was set up"
    return ""


def _switch(file: settings_files.SettingsFile) -> str:
    """What a settings file says that takes the hooks away, or leads them to another record."""
    value = file.value if isinstance(file.value, dict) else {}
    if value.get("disableAllHooks") is True:
        return "switches all hooks off (disableAllHooks)"
    if file.scope == "managed" and value.get("allowManagedHooksOnly") is True:
        return "" if wiring.ours(value) else "lets no hooks run but its own (allowManagedHooksOnly)"
    given = value.get("env")
    moved = [name for name in _PLACES if isinstance(given, dict) and name in given]
    return f"moves the record of decisions ({', '.join(moved)} in env)" if moved else ""


_PLACES = ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA")
"""Variables that say where a person's own folder is (``locations.known_user_dir``)."""


def _is_known(runner: wiring.Runner | None, packages: Mapping[str, str]) -> bool:
    """Whether it runs an installation that a person set up, by its own Python; or the one by PATH."""
    if runner is None or not runner.hook_file:
        return runner is not None
    target = packages.get(os.path.dirname(os.path.realpath(runner.hook_file)))
    if target:
        return os.path.realpath(runner.interpreter) == target
    return target is not None and os.path.basename(runner.interpreter).startswith("python")


def _guards(settings: object) -> bool:
    return any(
        event == "PreToolUse"
        and wiring.is_ours(entry)
        and not group.keys() - {"hooks", "matcher"}
        and group.get("matcher", "") in ("", "*")
        and not {"if", "async", "asyncRewake", "once"} & entry.keys()
        and _is_there(entry)
        for event, group, entry in wiring.entries(settings)
    )


def _is_there(entry: Mapping[str, Any]) -> bool:
    """Whether the program that the entry names exists; one without a path is found by the client."""
    command = str(entry.get("command") or "")
    return not os.path.isabs(command) or " " in command or os.path.exists(command)


# end of module
