"""The executor ``claude``: Claude Code, which may edit files of the project and nothing else.

No settings of the project or the person are loaded, so no hooks, plugins or permissions of theirs; no MCP
servers, skills or commands. In a project that is gated, our own hook is given back (``gate``): it judges
every call as in a session. Tried with 2.1.329.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from operators_edge.bridge.executors import agent
from operators_edge.bridge.executors.claude_events import ClaudeEvents
from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, STATE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.bridge.executor_settings import ExecutorSettings
    from operators_edge.bridge.executors.port import Edited, Problem, Request

_TOOLS = "Read,Edit,Write,Glob,Grep"
_NO_TOOLS = "Bash,WebFetch,WebSearch,Task,Agent,NotebookEdit,Monitor,CronCreate,Skill"
_NEVER = (
    ".git/**",
    f"{HANDOFF_DIR}/**",
    f"{PROOF_DIR}/**",
    STATE_FILE,
    ".env",
    ".env.*",
    "**/.env",
)
_WRITERS = ("Edit", "Write")
_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
}
_KEYS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"),
)
"""With one of these the client needs nothing of the person's own folder; else the login is in there."""


class ClaudeCode:
    name = "claude"

    def __init__(
        self,
        settings: ExecutorSettings,
        root: str,
        env: Mapping[str, str],
        gate: Callable[[str], Mapping[str, Any]],
    ) -> None:
        self._settings = settings
        self._gate = gate
        self._found = agent.find(
            settings.program or "claude", root, env, key="executors.claude.program"
        )

    def problem(self) -> Problem | None:
        return self._found.problem

    def edit(self, request: Request) -> Edited:
        home = agent.home_of(request, self.name)
        try:
            variables = dict(_QUIET)
            if any(request.place.env.get(name) for name in _KEYS):
                variables["CLAUDE_CONFIG_DIR"] = home
            program = agent.Program(self._words(request), variables, request.prompt)
            return agent.run(program, request, ClaudeEvents())
        finally:
            agent.remove_home(home)

    def _words(self, request: Request) -> list[str]:
        settings = {
            "permissions": {"deny": [f"{tool}({each})" for each in _NEVER for tool in _WRITERS]},
            "hooks": self._gate(request.place.root),
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
        if request.task["max_cost"]:
            words += ["--max-budget-usd", f"{request.task['max_cost']:g}"]
        return words
