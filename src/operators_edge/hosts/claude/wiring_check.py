"""Whether a new session in a project would be guarded, as far as Claude Code's settings say.

Reads the settings of any project, also of one in which no session runs. Does not own which projects have to
be guarded (``integrity``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.gate.facts import home
from operators_edge.hosts.claude import settings_files, wiring

if TYPE_CHECKING:
    from collections.abc import Mapping


def watched(root: str, env: Mapping[str, str]) -> list[str]:
    """The settings files, and their folders: a file that appears changes its folder."""
    paths = settings_files.settings_paths(root, home(env)).values()
    return [each for path in paths for each in (path, os.path.dirname(path))]


def problem(root: str, env: Mapping[str, str]) -> str:
    """Why a new session there would not be guarded; "" if it would."""
    settings = settings_files.settings_of(root, home(env))
    for each in settings:
        if isinstance(each.value, dict) and each.value.get("disableAllHooks") is True:
            return f"{each.path} switches all hooks off (disableAllHooks)"
    found = settings_files.wired(settings)
    if not found:
        broken = [f"{each.path} is {each.problem}" for each in settings if each.problem]
        return broken[0] if broken else "no settings run the gate"
    if "plugin" in found or any(_guards(each.value) for each in found.values()):
        return ""
    return f"{next(iter(found.values())).path} does not run the gate on every tool call"


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
