"""Which settings files run the gate, and whether a changed one still does.

Reads every settings file that the client reads. Writing them is in ``hosts.claude.install``, their entries
in ``hosts.claude.wiring``.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from operators_edge.containment import store as containment_store
from operators_edge.hosts.claude import sandbox, wiring
from operators_edge.hosts.claude.event import context_of
from operators_edge.storage.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.claude.event import Event

_MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "win32": r"C:\Program Files\ClaudeCode\managed-settings.json",
}


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One settings file. ``value`` is None if it does not exist; ``problem``: why it cannot be read."""

    scope: str
    path: str
    value: Any = None
    problem: str = ""


def managed_path(platform: str = sys.platform) -> str:
    """The file of an administrator's settings."""
    return _MANAGED.get(platform, "/etc/claude-code/managed-settings.json")


def settings_paths(root: str | None, home: str) -> dict[str, str]:
    """Every settings file that the client reads for a project, by scope; the strongest last."""
    paths = {"user": os.path.join(home, ".claude", "settings.json")} if home else {}
    if root is not None:
        paths["shared"] = os.path.join(root, ".claude", "settings.json")
        paths["local"] = os.path.join(root, ".claude", "settings.local.json")
    return {**paths, "managed": managed_path()}


def settings_of(root: str | None, home: str) -> list[SettingsFile]:
    paths = settings_paths(root, home).items()
    return [parsed(scope, path, read_bytes(path)) for scope, path in paths]


def parsed(scope: str, path: str, data: bytes | None) -> SettingsFile:
    """A settings file with this content; None if it does not exist."""
    if data is None:
        return SettingsFile(scope, path)
    try:
        # Not the bytes: JSON libraries would recognise UTF-16, which the client does not read.
        return SettingsFile(scope, path, json.loads(data.decode("utf-8-sig").strip() or "{}"))
    except (ValueError, RecursionError) as error:
        return SettingsFile(scope, path, problem=f"not valid JSON: {error}")


def wired(settings: list[SettingsFile]) -> dict[str, SettingsFile]:
    """The files whose settings run us, by scope; "plugin" where they switch our plugin on."""
    found = {each.scope: each for each in settings if wiring.ours(each.value)}
    for each in settings:
        if wiring.enabled_plugin(each.value) is True:
            found["plugin"] = each
        elif wiring.enabled_plugin(each.value) is False:
            found.pop("plugin", None)  # the file with precedence disables it
    return found


def changed(event: Event, env: Mapping[str, str]) -> Event:
    """Answer ConfigChange: a changed settings file must not switch the gate off in this session."""
    path = str(event.get("file_path") or "")
    if not path.endswith(".json"):
        return {}
    why = why_unguarded(path, read_bytes(path) or b"{}", env)
    if not why:
        return {}
    context_of(event, env).record("settings_refused", {"file": path, "why": why})
    return {
        "decision": "block",
        "reason": f"Operator's Edge keeps its hooks in this session: {why}",
    }


def why_unguarded(path: str, data: bytes, env: Mapping[str, str]) -> str:
    """Why this session would lose the gate if the changed settings took effect; "" if it would not.

    ``data`` is what ``path`` holds now. Every settings file that the client reads counts: reloading one also
    applies an earlier, refused change of another.
    """
    root = env.get("CLAUDE_PROJECT_DIR") or os.path.dirname(os.path.dirname(path))
    home = env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
    files = {each.path: each for each in settings_of(root, home)}
    same = [each for each in files if os.path.realpath(each) == os.path.realpath(path)]
    path = same[0] if same else path
    files[path] = parsed("", path, data)
    if files[path].problem:
        return f"{path} is {files[path].problem}"
    if wiring.auto_answering(files[path].value):
        return f"{path} has a PermissionRequest hook, which can answer in your place"
    is_plugin = bool(env.get("CLAUDE_PLUGIN_ROOT"))
    is_guarding = is_plugin
    runner = wiring.this_runner()
    for each in files.values():
        if isinstance(each.value, dict) and each.value.get("disableAllHooks") is True:
            return f"{each.path} switches all hooks off (disableAllHooks)"
        if is_plugin and wiring.enabled_plugin(each.value) is False:
            return f"{each.path} switches the plugin off (enabledPlugins)"
        is_guarding = is_guarding or wiring.is_guarding(each.value, runner)
    policy = containment_store.load(root, env)
    weaker = sandbox.weaknesses([*files.values()], policy) if policy is not None else []
    if weaker:
        return f"commands would not be contained as set up: {weaker[0]}"
    return "" if is_guarding else f"with the current {path}, nothing runs the gate any more"
