"""The executor ``opencode``: OpenCode, which may edit files of the project and nothing else.

Its configuration comes from us alone: the project's and the person's own could give it a shell again, start
programs or plugins. What it may do is in its permission table, where the last rule that matches counts. It
gets a home of its own for each task, with a link to the person's keys. Tried with 1.18.33.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from operators_edge.bridge.executors import agent, contained
from operators_edge.bridge.executors.opencode_events import OpenCodeEvents
from operators_edge.bridge.executors.port import NEVER_FILES, NEVER_FOLDERS, Problem
from operators_edge.locations import known_home

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.bridge.executor_settings import ExecutorSettings
    from operators_edge.bridge.executors.port import Edited, Request

_OFF = (
    *("PURE", "DISABLE_PROJECT_CONFIG", "DISABLE_AUTOUPDATE", "DISABLE_MODELS_FETCH"),
    *("DISABLE_LSP_DOWNLOAD", "DISABLE_DEFAULT_PLUGINS", "DISABLE_CLAUDE_CODE"),
    *("DISABLE_EXTERNAL_SKILLS", "DISABLE_SHARE", "DISABLE_TERMINAL_TITLE"),
)
_NEVER = (
    *(each for name in NEVER_FOLDERS for each in (name, f"{name}/*")),
    *(each for name in NEVER_FILES for each in (name, f"*/{name}")),
)
_READ = {"*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow"}


class OpenCode:
    name = "opencode"

    def __init__(self, settings: ExecutorSettings, around: agent.Surroundings) -> None:
        self._settings = settings
        self._containment = around.containment
        self._found = around.built_in(self.name, settings, "opencode-ai")

    @property
    def is_kept_out(self) -> bool:
        return not self._containment.why_not

    def problem(self) -> Problem | None:
        if self._found.problem is not None:
            return self._found.problem
        if "/" not in self._settings.model:
            # Without one OpenCode takes whatever it finds, a free service of others included.
            why = "it has no model: set executors.opencode.model to PROVIDER/MODEL"
            return Problem("not_configured", why)
        return self._containment.problem(self._hosts())

    def _hosts(self) -> tuple[str, ...]:
        """Where its model is."""
        provider = self._settings.model.partition("/")[0]
        options = self._settings.provider.get(provider, {}).get("options", {})
        addresses = [str(options["baseURL"])] if options.get("baseURL") else []
        return (*self._settings.hosts, *contained.hosts_of(provider, addresses))

    def edit(self, request: Request) -> Edited:
        home = agent.home_of(request, self.name)
        try:
            keys = _link_keys(home, request.place.env)
            words = [self._found.path, "run", "--format", "json", "--dir", request.place.root]
            words += ["--model", self._settings.model, "--title", request.task["id"]]
            variables = self._variables(home, request)
            program = agent.Program(words, variables, request.prompt, _is_dropped)
            needs = contained.Needs(home, self._hosts(), keys)
            with self._containment.opened(needs) as box:
                return agent.run(program, request, OpenCodeEvents(self._settings.model), box)
        finally:
            agent.remove_home(home)

    def _variables(self, home: str, request: Request) -> dict[str, str]:
        scope = request.task["scope"] if request.task["enforce_scope"] else ()
        config = configuration(self._settings, scope)
        folders = {
            f"XDG_{kind}_HOME": os.path.join(home, place) for kind, place in _FOLDERS.items()
        }
        return {
            "HOME": home,
            **folders,
            **{f"OPENCODE_{name}": "1" for name in _OFF},
            "OPENCODE_CONFIG_CONTENT": json.dumps(config),
            # It would fetch a package of plugins at its start.
            "npm_config_offline": "true",
        }


def _is_dropped(name: str) -> bool:
    """The person's variables for OpenCode would bring another configuration; keys are kept."""
    return name.startswith("OPENCODE_") and not name.endswith("_KEY")


_FOLDERS = {
    "CONFIG": ".config",
    "DATA": ".local/share",
    "STATE": ".local/state",
    "CACHE": ".cache",
}


def configuration(settings: ExecutorSettings, scope: Sequence[str] = ()) -> dict[str, Any]:
    """OpenCode's whole configuration; only files of ``scope`` may be edited if there is one."""
    plain = [each.removeprefix("./").rstrip("/").replace("**", "*") for each in scope]
    named = [each for one in plain for each in (one, f"{one}/*")]
    allowed = dict.fromkeys(named or ("*",), "allow")
    return {
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "lsp": False,
        "formatter": False,
        "plugin": [],
        "mcp": {},
        "model": settings.model,
        "small_model": settings.model,
        "provider": dict(settings.provider),
        "permission": {
            "*": "deny",
            "read": _READ,
            "edit": {"*": "deny", **allowed, **dict.fromkeys(_NEVER, "deny")},
            **dict.fromkeys(("glob", "grep", "list", "todowrite"), "allow"),
            # Asked headless, these would end the run silently.
            **dict.fromkeys(("bash", "webfetch", "websearch", "task", "skill"), "deny"),
            **dict.fromkeys(("external_directory", "doom_loop"), "deny"),
        },
    }


def keys_of(env: Mapping[str, str]) -> str:
    """Where OpenCode keeps the person's keys."""
    base = env.get("XDG_DATA_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(known_home(env), ".local", "share")
    return os.path.join(base, "opencode", "auth.json")


def _link_keys(home: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """A link, as a login that is renewed must not be lost with the home; returns what it leads to."""
    keys = os.path.realpath(keys_of(env))
    if not os.path.exists(keys):
        return ()
    folder = os.path.join(home, _FOLDERS["DATA"], "opencode")
    os.makedirs(folder)
    os.symlink(keys, os.path.join(folder, "auth.json"))
    return (keys,)
