"""Which settings files run the gate, whether a changed one still does, and which paths are protected.

Reads every settings file that the client reads. Writing them is in ``hosts.claude.install``, their entries
in ``hosts.claude.wiring``.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import operators_edge
from operators_edge.hosts.claude import slash_commands, wiring
from operators_edge.storage.files import read_bytes
from operators_edge.system.user_dirs import user_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    found = []
    for scope, path in settings_paths(root, home).items():
        data = read_bytes(path)
        if data is None:
            found.append(SettingsFile(scope, path))
            continue
        try:
            value = json.loads(data) if data.strip() else {}
        except (ValueError, RecursionError) as error:
            found.append(SettingsFile(scope, path, problem=f"not valid JSON: {error}"))
            continue
        found.append(SettingsFile(scope, path, value))
    return found


def wired(settings: list[SettingsFile]) -> dict[str, SettingsFile]:
    """The files whose settings run us, by scope; "plugin" where they switch our plugin on."""
    found = {each.scope: each for each in settings if wiring.ours(each.value)}
    for each in settings:
        if wiring.enabled_plugin(each.value) is True:
            found["plugin"] = each
        elif wiring.enabled_plugin(each.value) is False:
            found.pop("plugin", None)  # the file with precedence disables it
    return found


def settings_still_guarded(path: str, text: str, env: Mapping[str, str] = os.environ) -> str:
    """Why this session would lose the gate if the changed settings took effect; "" if it would not.

    For the client's ConfigChange event: ``text`` is what ``path`` holds now.
    """
    root = env.get("CLAUDE_PROJECT_DIR") or os.path.dirname(os.path.dirname(path))
    home = env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
    found = {}
    for each in settings_paths(root, home).values():
        data = read_bytes(each)
        if data is not None:
            found[each] = data.decode("utf-8", "replace")
    same = [each for each in found if os.path.realpath(each) == os.path.realpath(path)]
    changed = same[0] if same else path
    found[changed] = text
    is_plugin = bool(env.get("CLAUDE_PLUGIN_ROOT"))
    return wiring.why_unguarded(changed, found, wiring.this_runner(), is_plugin=is_plugin)


def protected_paths(
    root: str | None, home: str, env: Mapping[str, str] = os.environ
) -> tuple[str, ...]:
    """What an agent may not write: settings with our hooks, slash commands, our program and records.

    Also the client's scheduled prompts: it sends them as if a person had typed them.
    """
    paths = [*settings_paths(root, home).values(), user_dir(env)]
    paths.append(os.path.dirname(os.path.abspath(operators_edge.__file__)))
    for base in (root, home):
        if base:
            folder = os.path.join(base, ".claude")
            paths += [
                os.path.join(folder, "commands", f"{each.name}.md")
                for each in slash_commands.COMMANDS
            ]
            paths.append(os.path.join(folder, "scheduled_tasks.json"))
    return tuple(sorted({os.path.realpath(each) for each in paths} | set(paths)))
