"""The executors that the settings name, by name: the built-in ones are always there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors.agent import Surroundings
from operators_edge.bridge.executors.claude import ClaudeCode
from operators_edge.bridge.executors.command import Command
from operators_edge.bridge.executors.contained import Containment
from operators_edge.bridge.executors.opencode import OpenCode
from operators_edge.bridge.executors.patch import PatchExecutor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.bridge.executors.claude import Gate
    from operators_edge.bridge.executors.port import Executor


def executors(
    settings: Mapping[str, ExecutorSettings],
    root: str,
    env: Mapping[str, str],
    gate: Gate,
    *,
    contain: str,
) -> dict[str, Executor]:
    """``contain``: whether the operating system keeps them inside."""
    around = Surroundings(root, env, Containment(contain, root, env))
    found: dict[str, Executor] = {
        name: Command(name, each, around) for name, each in settings.items() if each.command
    }
    default = ExecutorSettings()
    return {
        "claude": ClaudeCode(settings.get("claude", default), around, gate),
        "opencode": OpenCode(settings.get("opencode", default), around),
        "patch": PatchExecutor(),
        **found,
    }


# end of module
