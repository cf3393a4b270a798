"""The executor of a ``command`` in the settings: any program that edits files when it is given a text.

Its words are a template: ``{root}``, ``{id}``, ``{model}``, ``{home}`` and ``{prompt}`` are replaced within a
word. Without ``{prompt}`` the text is its input. ``{home}`` is an empty folder for what the program keeps.
The word ``{scope}`` becomes the paths of the task's scope, written so that none can be an option.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.bridge.executors import agent
from operators_edge.bridge.executors.aider_text import AiderText
from operators_edge.bridge.executors.claude_events import ClaudeEvents
from operators_edge.bridge.executors.codex_events import CodexEvents
from operators_edge.bridge.executors.contained import Needs
from operators_edge.bridge.executors.opencode_events import OpenCodeEvents
from operators_edge.bridge.executors.transcript import PlainText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.bridge.executor_settings import ExecutorSettings
    from operators_edge.bridge.executors.port import Edited, Problem, Request
from operators_edge.bridge.executors.transcript import Transcript


class Command:
    def __init__(self, name: str, settings: ExecutorSettings, around: agent.Surroundings) -> None:
        self.name = name
        self._settings = settings
        self._containment = around.containment
        self._found = around.find(settings.command[0], key=f"executors.{name}.command")

    @property
    def is_kept_out(self) -> bool:
        return not self._containment.why_not

    def problem(self) -> Problem | None:
        return self._found.problem or self._containment.problem(self._settings.hosts)

    def edit(self, request: Request) -> Edited:
        home = agent.home_of(request, self.name)
        try:
            program = self._program(request, home)
            writable = tuple(map(os.path.expanduser, self._settings.writable))
            with self._containment.opened(Needs(home, self._settings.hosts, writable)) as box:
                return agent.run(program, request, self._transcript(), box)
        finally:
            agent.remove_home(home)

    def _program(self, request: Request, home: str) -> agent.Program:
        known = {
            "{root}": request.place.root,
            "{id}": request.task["id"],
            "{model}": self._settings.model,
            "{home}": home,
            "{prompt}": request.prompt,
        }
        scope = [os.path.join(".", each) for each in request.task["scope"]]
        given = self._settings.command[1:]
        words = [each for one in given for each in (scope if one == "{scope}" else (one,))]
        is_in_words = any("{prompt}" in word for word in words)
        return agent.Program(
            [self._found.path, *(_filled(word, known) for word in words)],
            {name: _filled(value, known) for name, value in self._settings.env.items()},
            "" if is_in_words else request.prompt,
        )

    def _transcript(self) -> Transcript:
        match self._settings.reads:
            case "aider":
                return AiderText()
            case "claude":
                return ClaudeEvents()
            case "codex":
                return CodexEvents()
            case "opencode":
                return OpenCodeEvents(self._settings.model)
        return PlainText()


def _filled(word: str, known: Mapping[str, str]) -> str:
    """The word with each name replaced once: a prompt that contains a name stays as it is."""
    found = [(word.find(name), name) for name in known if name in word]
    if not found:
        return word
    at, name = min(found)
    return word[:at] + known[name] + _filled(word[at + len(name) :], known)


# end of module
