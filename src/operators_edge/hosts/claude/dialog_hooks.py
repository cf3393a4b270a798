"""What can answer the client's dialogs in the person's place: hooks on PermissionRequest, wherever they are.

Owns where the client finds such hooks: settings, skills, commands, agents, plugins, folders below the
project, and the arguments that it was started with. Does not own what else runs beside the gate
(``hosts.claude.foreign``) or what follows (``sessions.risky_call``). An administrator's own hooks are left
out.

The client runs such a hook when our dialog would be shown, and takes its answer for the person's (observed
with 2.1.329). So where there is one, a decision needs another way.
"""

from __future__ import annotations

import os
from itertools import pairwise

from operators_edge.errors import StateError
from operators_edge.hosts.claude import foreign, wiring
from operators_edge.hosts.claude.settings_files import parsed, settings_of
from operators_edge.locations import known_home
from operators_edge.storage.files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from operators_edge.hosts.claude.foreign import Entry
    from operators_edge.hosts.claude.settings_files import SettingsFile

_MAX_FOLDERS = 5_000
"""Folders below the project in which a ``.claude`` folder is looked for."""
_SKIPPED = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__", "target", "dist"))
_GIVEN = ("--settings", "--agents", "--plugin-dir")
"""Options of the client that bring hooks."""


def find(root: str | None, env: Mapping[str, str]) -> list[Entry]:
    """Everything that can answer for the person now."""
    home = known_home(env)
    roots = list(dict.fromkeys(filter(None, (root, env.get("CLAUDE_PROJECT_DIR")))))
    settings = [*settings_of(None, home)]
    settings += [file for each in roots for file in settings_of(each, "")]
    configured = env.get("CLAUDE_CONFIG_DIR")
    if configured:
        path = os.path.join(configured, "settings.json")
        settings.append(parsed("user", path, _content(path)))
    found = foreign.found(root, home, settings)
    folders = [configured] if configured else []
    for each in roots:
        folders += [os.path.join(each, ".claude"), *_folders_below(each)]
    for folder in folders:
        found += foreign.in_folder(folder)
    found += _in_plugins(settings, configured or os.path.join(home, ".claude"))
    found += _in_arguments(env.get("CLAUDE_PID", ""), roots)
    return [each for each in dict.fromkeys(found) if each.answers]


def _folders_below(root: str) -> Iterator[str]:
    """The ``.claude`` folders below the project: the client loads their skills when it works there."""
    for count, (folder, names, _) in enumerate(os.walk(root)):
        if count >= _MAX_FOLDERS:
            return
        if ".claude" in names and folder != root:
            yield os.path.join(folder, ".claude")
        names[:] = [name for name in names if name not in _SKIPPED and name != ".claude"]


# -- plugins ---------------------------------------------------------------------------------------


def _in_plugins(settings: Iterable[SettingsFile], client: str) -> Iterator[Entry]:
    """The plugins that are switched on: their copies, and those that a local market reads in place."""
    names = {
        name
        for each in settings
        for name, value in _inner(each.value, "enabledPlugins").items()
        if value is not False
    }
    folder = os.path.join(client, "plugins")
    copies = _inner(_table(os.path.join(folder, "installed_plugins.json")), "plugins")
    for name in sorted(names):
        for copy in copies.get(name, ()):
            if isinstance(copy, dict) and isinstance(copy.get("installPath"), str):
                yield from _in_plugin(copy["installPath"])
    for market, about in _table(os.path.join(folder, "known_marketplaces.json")).items():
        if names and isinstance(about, dict):
            yield from _in_market(market, str(about.get("installLocation")), names)


def _in_market(market: str, place: str, names: set[str]) -> Iterator[Entry]:
    path = os.path.join(place, ".claude-plugin", "marketplace.json")
    for listed in _table(path).get("plugins", ()):
        if isinstance(listed, dict) and f"{listed.get('name')}@{market}" in names:
            folder = os.path.normpath(os.path.join(place, str(listed.get("source"))))
            yield from _declared(path, listed, folder)
            yield from _in_plugin(folder)


def _in_plugin(folder: str) -> Iterator[Entry]:
    manifest = os.path.join(folder, ".claude-plugin", "plugin.json")
    usual = os.path.join(folder, "hooks", "hooks.json")
    yield from foreign.in_folder(folder)
    yield from _hooks(usual, _table(usual))
    yield from _declared(manifest, _table(manifest), folder)


def _declared(path: str, about: Mapping[str, Any], folder: str) -> Iterator[Entry]:
    """The hooks that a description of a plugin holds, or names the files of."""
    yield from _hooks(path, about)
    named = about.get("hooks")
    for name in named if isinstance(named, list) else [named]:
        if isinstance(name, str):
            other = os.path.normpath(os.path.join(folder, name))
            yield from _hooks(other, _table(other))


def _hooks(path: str, value: Mapping[str, Any]) -> Iterator[Entry]:
    for event, group, entry in wiring.entries(value):
        yield foreign.hook_entry(path, event, group, entry)


def _inner(value: object, key: str) -> dict[str, Any]:
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _table(path: str) -> dict[str, Any]:
    value = parsed("", path, _content(path)).value
    return value if isinstance(value, dict) else {}


def _content(path: str) -> bytes | None:
    try:
        return read_bytes(path)
    except StateError:
        return None  # the client cannot read it either


# -- the client's own arguments --------------------------------------------------------------------


def _in_arguments(pid: str, roots: list[str]) -> Iterator[Entry]:
    """What the running client was started with; nothing where the system does not show it."""
    data = _content(f"/proc/{pid}/cmdline") if pid.isdigit() else None
    words = [os.fsdecode(word) for word in (data or b"").split(b"\0")]
    for word, following in pairwise(words):
        name, equals, value = word.partition("=")
        if name not in _GIVEN:
            continue
        given = value if equals else following
        path = os.path.join(*roots[-1:], given)
        if name == "--plugin-dir":
            yield from _in_plugin(path)
        elif foreign.ANSWERING in given or foreign.ANSWERING.encode() in (_content(path) or b""):
            what = f"a {foreign.ANSWERING} hook"
            yield foreign.Entry(f"the client's {name}", what, "", answers=True)


# end of module
