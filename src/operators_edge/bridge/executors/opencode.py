"""The executor ``opencode``: OpenCode, which may edit files of the project and nothing else.

Its configuration comes from us alone: the project's and the person's own could give it a shell again, start
programs or plugins. What it may do is in its permission table, where the last rule that matches counts. It
gets a home of its own for each task, with a link to the person's keys. As an option a server has it done
(``opencode_server``), in a session for each edit with the same permissions. Tried with 1.18.33.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from operators_edge.bridge.executors import agent, contained
from operators_edge.bridge.executors.contained import Box
from operators_edge.bridge.executors.opencode_events import OpenCodeEvents
from operators_edge.bridge.executors.opencode_server import PORT, Address, Refused, Session, Started
from operators_edge.bridge.executors.port import (
    NEVER_FILES,
    NEVER_FOLDERS,
    Edited,
    Problem,
)
from operators_edge.locations import known_home

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.bridge.executor_settings import ExecutorSettings
    from operators_edge.bridge.executors.port import Request
    from operators_edge.bridge.supervised import Ended

_OFF = (
    *("PURE", "DISABLE_PROJECT_CONFIG", "DISABLE_AUTOUPDATE", "DISABLE_MODELS_FETCH"),
    *("DISABLE_LSP_DOWNLOAD", "DISABLE_DEFAULT_PLUGINS", "DISABLE_CLAUDE_CODE"),
    *("DISABLE_EXTERNAL_SKILLS", "DISABLE_SHARE", "DISABLE_TERMINAL_TITLE"),
)
_NEVER = (
    *(each for name in NEVER_FOLDERS for each in (name, f"{name}/*")),
    *(each for name in NEVER_FILES for each in (name, f"*/{name}")),
)
_PATIENCE = 10.0
"""Seconds for a server that a person runs to end a session; one of ours is ended with it."""

_READ = {"*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow"}


class OpenCode:
    name = "opencode"

    def __init__(self, settings: ExecutorSettings, around: agent.Surroundings) -> None:
        self._settings = settings
        self._env = around.env
        self._containment = around.containment
        self._started: Started | None = None
        self._found = around.built_in(self.name, settings, "opencode-ai")

    @property
    def is_kept_out(self) -> bool:
        return not self._is_persons_own and not self._containment.why_not

    @property
    def _is_persons_own(self) -> bool:
        """Whether a person runs the server."""
        return self._settings.server not in ("", "start")

    def problem(self) -> Problem | None:
        if self._found.problem is not None and not self._is_persons_own:
            return self._found.problem
        if "/" not in self._settings.model:
            # Without one OpenCode takes whatever it finds, a free service of others included.
            why = "it has no model: set executors.opencode.model to PROVIDER/MODEL"
            return Problem("not_configured", why)
        if self._is_persons_own:
            return self._problem_of_server()
        return self._containment.problem(self._hosts())

    def _problem_of_server(self) -> Problem | None:
        if self._containment.is_required:
            why = "contain is require, and a server that you run is not contained by us"
            return Problem("not_contained", why)
        try:
            Address.of(self._settings.server, self._env).check()
        except Refused as error:
            return Problem("not_configured", str(error))
        return None

    def _hosts(self) -> tuple[str, ...]:
        """Where its model is."""
        provider = self._settings.model.partition("/")[0]
        options = self._settings.provider.get(provider, {}).get("options", {})
        addresses = [str(options["baseURL"])] if options.get("baseURL") else []
        return (*self._settings.hosts, *contained.hosts_of(provider, addresses))

    def edit(self, request: Request) -> Edited:
        if self._settings.server:
            return self._edit_by_server(request)
        home = agent.home_of(request, self.name)
        try:
            keys = _link_keys(home, request.place.env)
            words = [self._found.path, "run", "--format", "json", "--dir", request.place.root]
            words += ["--model", self._settings.model, "--title", request.task["id"]]
            words += ["--print-logs", "--log-level", "ERROR"]  # else it waits silently
            variables = self._variables(home, self._configuration(request))
            program = agent.Program(words, variables, request.prompt, _is_dropped)
            needs = contained.Needs(home, self._hosts(), keys)
            with self._containment.opened(needs) as box:
                return agent.run(program, request, OpenCodeEvents(self._settings.model), box)
        finally:
            agent.remove_home(home)

    # -- by a server -----------------------------------------------------------------------------

    def _edit_by_server(self, request: Request) -> Edited:
        model, limits = self._settings.model, request.limits
        rules = session_rules(self._configuration(request))
        try:
            address, box = self._server(request)
            session = Session(
                address,
                request.place.root,
                title=request.task["id"],
                rules=rules,
                patience=_PATIENCE if self._is_persons_own else 0.0,
            )
        except Refused as error:
            self.close()
            return Edited("crashed", str(error))

        def work(output: agent.Output) -> Ended:
            return session.run(model, request.prompt, limits.seconds, output)

        edited = agent.follow(work, request, OpenCodeEvents(model), box)
        if edited.outcome != "done":
            self.close()  # whatever it began ends with it
        if not session.has_ended and self._is_persons_own:
            why = "the server did not say that the session is over: look there"
            edited = edited._replace(detail=f"{edited.detail}; {why}")
        return edited

    def _server(self, request: Request) -> tuple[Address, Box]:
        """The server for an edit; one of ours is kept for the next. Raises Refused."""
        if self._is_persons_own:
            how = "no: the server is one that you run"
            return Address.of(self._settings.server, self._env), Box(list, how)
        if self._started is None or self._started.ended is not None:
            self.close()
            home = agent.new_home(request.place, f"server.{self.name}")
            keys = _link_keys(home, request.place.env)
            variables = self._variables(home, configuration(self._settings))
            program = agent.Program([self._found.path, "serve"], variables, dropped=_is_dropped)
            self._started = Started(program, request.place, request.limits, home)
            writable = (*keys, self._started.folder)
            inward = (self._started.socket, PORT)
            needs = contained.Needs(home, self._hosts(), writable, inward=inward)
            self._started.start(self._containment, needs)
        address, box = self._started.address, self._started.box
        assert address is not None and box is not None  # noqa: S101, PT018 - it has started
        return address, box

    def close(self) -> None:
        """End the server; a new one is started when it is needed."""
        if self._started is not None:
            self._started.end()
            self._started = None

    # -- what it gets ----------------------------------------------------------------------------

    def _configuration(self, request: Request) -> dict[str, Any]:
        scope = request.task["scope"] if request.task["enforce_scope"] else ()
        return configuration(self._settings, scope)

    def _variables(self, home: str, config: Mapping[str, Any]) -> dict[str, str]:
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


def session_rules(config: Mapping[str, Any]) -> list[dict[str, str]]:
    """The permissions of a configuration as a session takes them; the last that matches counts."""
    return [
        {"permission": name, "pattern": pattern, "action": action}
        for name, value in config["permission"].items()
        for pattern, action in (value if isinstance(value, dict) else {"*": value}).items()
    ]


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


# end of module
