"""The settings files that the client reads, and which of them run the gate.

Owns reading them. Does not own writing them (``hosts.claude.install``), their entries
(``hosts.claude.wiring``) or what a change means (``hosts.claude.settings_guard``).
"""

from __future__ import annotations

import json
import os
import sys

from operators_edge.hosts.claude import wiring
from operators_edge.storage.files import read_bytes
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "win32": r"C:\Program Files\ClaudeCode\managed-settings.json",
}


class SettingsFile(NamedTuple):
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


# end of module
