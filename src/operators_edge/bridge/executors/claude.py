"""The executor ``claude``: Claude Code, which may edit files of the project and nothing else.

No settings of the project or the person are loaded, so no hooks, plugins or permissions of theirs; no MCP
servers, skills or commands. In a project that is gated, our own hook is given back (``gate``): it judges
every call as in a session. Tried with 2.1.329.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
from typing import TYPE_CHECKING, Any, TypeAlias

from operators_edge.bridge.executors import agent, contained
from operators_edge.bridge.executors.claude_events import ClaudeEvents
from operators_edge.bridge.executors.contained import Needs
from operators_edge.bridge.executors.port import NEVER_FILES, NEVER_FOLDERS
from operators_edge.bridge.executors.transcript import table
from operators_edge.containment import network
from operators_edge.locations import known_home

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.bridge.executor_settings import ExecutorSettings
    from operators_edge.bridge.executors.port import Edited, Problem, Request

_TOOLS = "Read,Edit,Write,Glob,Grep"
_NO_TOOLS = "Bash,WebFetch,WebSearch,Task,Agent,NotebookEdit,Monitor,CronCreate,Skill"
_NEVER = (
    *(f"{name}/**" for name in NEVER_FOLDERS),
    *(each for name in NEVER_FILES for each in (name, f"**/{name}")),
)
_WRITERS = ("Edit", "Write")
_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
}

_PROVIDERS = {
    "CLAUDE_CODE_USE_BEDROCK": "amazon-bedrock",
    "CLAUDE_CODE_USE_VERTEX": "google-vertex",
    "CLAUDE_CODE_USE_FOUNDRY": "azure",
}
_KEYS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
    *_PROVIDERS,
)
"""With one of these the client needs nothing of the person's own folder; else the login is in there."""

_ADDRESSES = (
    *("ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL"),
    "ANTHROPIC_FOUNDRY_BASE_URL",
)
_RENEWED = (".credentials.json", "projects", "sessions", "statsig", "backups", "shell-snapshots")
"""What the client writes in its own folder at work."""

_HOOK_SECONDS = 20.0

Gate: TypeAlias = "Callable[[str], Mapping[str, Any]]"
"""Returns the hooks that a client gets in the project at a root: {} if that is not gated."""


class ClaudeCode:
    name = "claude"

    def __init__(self, settings: ExecutorSettings, around: agent.Surroundings, gate: Gate) -> None:
        self._settings = settings
        self._env = around.env
        self._containment = around.containment
        self._gate = gate
        self._found = around.built_in(self.name, settings, "@anthropic-ai/claude-code")

    @property
    def is_kept_out(self) -> bool:
        return not self._containment.why_not

    def problem(self) -> Problem | None:
        return self._found.problem or self._containment.problem(self._hosts())

    def _hosts(self) -> tuple[str, ...]:
        """Where its model is."""
        named = [each for name, each in _PROVIDERS.items() if self._env.get(name)]
        addresses = [self._env[name] for name in _ADDRESSES if self._env.get(name)]
        known = contained.hosts_of((named or ["anthropic"])[0], addresses)
        return (*self._settings.hosts, *known)

    def edit(self, request: Request) -> Edited:
        home = agent.home_of(request, self.name)
        variables, own = dict(_QUIET), Needs(home, self._hosts())
        if any(self._env.get(name) for name in _KEYS):
            variables["CLAUDE_CONFIG_DIR"] = home
        else:
            own = _with_login(own, self._env)
        hooks = self._gate(request.place.root)
        gate = functools.partial(_judged, _commands(hooks), request)
        try:
            with self._containment.opened(own._replace(services={"gate": gate})) as box:
                hooks = hooks if box.door is None else _outside(hooks, box.door)
                words = self._words(request, hooks)
                program = agent.Program(words, variables, request.prompt)
                return agent.run(program, request, ClaudeEvents(), box)
        finally:
            agent.remove_home(home)

    def _words(self, request: Request, hooks: Mapping[str, Any]) -> list[str]:
        settings = {
            "permissions": {"deny": [f"{tool}({each})" for each in _NEVER for tool in _WRITERS]},
            "hooks": hooks,
            "disableAllHooks": False,
        }
        words = [
            *(self._found.path, "-p", "--output-format", "stream-json", "--verbose"),
            *("--permission-mode", "acceptEdits", "--permission-prompts", "none"),
            *("--tools", _TOOLS, "--disallowedTools", _NO_TOOLS, "--disable-slash-commands"),
            *("--strict-mcp-config", "--setting-sources", "", "--no-session-persistence"),
            *("--settings", json.dumps(settings)),
        ]
        words += ["--model", self._settings.model] if self._settings.model else []
        if self._settings.max_turns:
            words += ["--max-turns", str(self._settings.max_turns)]
        if request.most:
            words += ["--max-budget-usd", f"{request.most:g}"]
        return words


def _with_login(needs: Needs, env: Mapping[str, str]) -> Needs:
    """And the client's own folder, where a login is kept and renewed; its settings cannot be written."""
    folder = env.get("CLAUDE_CONFIG_DIR") or os.path.join(known_home(env), ".claude")
    if not os.path.isdir(folder):
        return needs
    kept = [os.path.join(folder, name) for name in os.listdir(folder) if name not in _RENEWED]
    return needs._replace(writable=(folder,), read_only=tuple(kept))


# -- the gate outside ------------------------------------------------------------------------------


def _commands(hooks: Mapping[str, Any]) -> dict[str, list[str]]:
    """By event the words of its hook; there is one for each."""
    return {
        event: [entry["command"], *entry.get("args", ())]
        for event, groups in hooks.items()
        for group in groups
        for entry in group["hooks"]
    }


def _outside(hooks: Mapping[str, Any], door: network.Door) -> dict[str, Any]:
    """The same hooks for a client that is kept inside, where ours cannot reach the record: asked outside."""
    program, *words = network.asking(door, "gate", interpreter=contained.INTERPRETER)
    return {
        event: [
            {"hooks": [{**entry, "command": program, "args": words} for entry in group["hooks"]]}
            for group in groups
        ]
        for event, groups in hooks.items()
    }


def _judged(commands: Mapping[str, list[str]], request: Request, event: bytes) -> bytes:
    """What our hook says of an event that a contained client sent."""
    name = str(table(json.loads(event)).get("hook_event_name"))
    place = request.place
    try:
        done = subprocess.run(
            commands[name],
            input=event,
            cwd=place.root,
            env=dict(place.env),
            capture_output=True,
            timeout=_HOOK_SECONDS,
            check=False,
        )
    except (KeyError, OSError, subprocess.TimeoutExpired) as error:
        return json.dumps({"code": 2, "out": "", "err": f"no hook answered: {error}"}).encode()
    out, err = (each.decode("utf-8", "replace") for each in (done.stdout, done.stderr))
    return json.dumps({"code": done.returncode, "out": out, "err": err}).encode()


# end of module
