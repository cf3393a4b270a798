"""What git runs from a repository: hooks, aliases, and commands in its configuration.

Owns which of them a subcommand runs. Does not own the format of the configuration (``gate.settings``). Loaded
for programs with hooks.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.search import (
    Piece,
    SearchPart,
    interpreter,
    is_binary,
    settings_in,
)
from operators_edge.shell.commands import quoted
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command, Word

_MAX_CONFIG = 1024 * 1024
_MAX_CONFIGURATIONS = 16
_PERSONAL = (".gitconfig", ".config/git/config")
"""The person's own settings: their aliases count, as the agent can name them."""
_HOOK = pattern(r"/\.git/hooks/[^/]+$")
_PROGRAMS = (
    *("GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS"),
    *("GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER"),
)
"""Variables with a program that git starts."""
_INCLUDES = pattern(r"include(if\..*)?\.path", re.DOTALL)
_OF_EVERY_REPOSITORY = pattern(
    r"(?:\s|\[[^\]]*\]|(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks"
    r"|precomposeunicode|url|fetch|remote|merge|rebase|name|email|vscode-merge-base)\s*=[^\n]*)*"
)
"""The settings of git that every repository has: they run nothing, and most repositories have no others."""


class Hooks(SearchPart):
    """What one command of git runs."""

    def pieces(self) -> Iterator[Piece]:
        """Hooks of the repository that the subcommand runs, and aliases that it is."""
        repository = self.context.facts.repository(self.folder) if self.folder else None
        if repository is None:
            return
        hooks, verb = self.spec["hooks"], self.inv.operands[0].text
        top, shared = repository
        names = ("config", "config.worktree")
        files = [*(os.path.join(shared, name) for name in names), *self._given_files()]
        given = dict((*self._given_settings(), *self._settings_of_the_line()))
        texts = self._configurations(files, given)
        for file, text in texts.items():
            yield from self.search.run_by_settings(file, text, self.spec)
        known = [(one, file) for file, text in texts.items() for one in settings_in(text)]
        settings = {**{one.name: one.value for one, _ in known}, **given}
        named = settings.get("core.hookspath") or os.path.join(shared, "hooks")
        for folder in (named, *self.spec.get("hook_folders", ())):
            yield from self._hooks_in(self.context.resolve(folder, top), hooks.get(verb, ()), top)
        yield from self._programs_of_variables(top)
        places = {one.name: (file, one.line) for one, file in known}
        key = f"alias.{verb.lower()}"
        if key in settings:
            yield from self._alias(settings[key], *places.get(key, (files[0], 1)))
        elif found := self._personal(key):
            yield from self._alias(*found)

    def _personal(self, key: str) -> tuple[str, str, int] | None:
        """An alias from the person's own settings: its value, the file and the line."""
        found = None
        for file in _PERSONAL if self.context.home else ():
            path = os.path.join(self.context.home, file)
            text = self.context.facts.text(path, _MAX_CONFIG) or ""
            if self.inv.operands[0].text in text:
                for one in settings_in(text):
                    found = (one.value, path, one.line) if one.name == key else found
        return found

    def _configurations(self, files: list[str], given: dict[str, str]) -> dict[str, str]:
        """Return the texts of git's configuration that may run something, with those that they include."""
        left = [*files]
        if "include.path" in given:
            left.append(self.search.path(given["include.path"]) or "")
        found: dict[str, str] = {}
        for file in left:
            text = self.context.facts.text(file, _MAX_CONFIG) if file not in found else None
            if text is None or _is_ordinary(text) or len(found) >= _MAX_CONFIGURATIONS:
                continue
            found[file] = text
            for one in settings_in(text):
                if _INCLUDES.fullmatch(one.name):
                    path = self.context.resolve(one.value, os.path.dirname(file))
                    left += [path] if path else []
        return found

    def _hooks_in(self, folder: str | None, names: Sequence[str], top: str) -> Iterator[Piece]:
        for name in names if folder else ():
            path = os.path.join(folder or "", name)
            text = self.follower.read(path, self.context)
            if text is not None and not is_binary(text):
                program = interpreter(text, self.follower.rules) or "sh"
                yield from self.search.parts(Piece(path, text, 1, program, top, is_direct=False))

    def _programs_of_variables(self, top: str) -> Iterator[Piece]:
        """Programs that variables name by a path: git runs them from the top of the repository."""
        for value in self.context.values_of(_PROGRAMS):
            path = self.context.resolve(value, top) if "/" in value else None
            text = self.follower.read(path, self.context) if path else None
            if path and text is not None and not is_binary(text):
                program = interpreter(text, self.follower.rules) or "sh"
                yield from self.search.parts(Piece(path, text, 1, program, top))

    def _given_files(self) -> Iterator[str]:
        """Files of settings that the text puts in the place of the person's."""
        for key in self.spec.get("settings_files", ()):
            yield from self.search.paths_by(key)

    def _given_settings(self) -> Iterator[tuple[str, str]]:
        for word in self.inv.values(("-c",)):
            name, _, value = word.text.partition("=")
            yield name.lower(), value

    def _settings_of_the_line(self) -> Iterator[tuple[str, str]]:
        """Yield what an earlier command of the text sets: ``git config core.hooksPath h``."""
        for command in self.context.commands:
            words = [word.text for word in command.argv]
            if words[:2] == ["git", "config"] and len(words) > 3:
                yield words[-2].lower(), words[-1]

    def _alias(self, alias: str, path: str, line: int) -> Iterator[Piece]:
        if alias:
            words = self.search.words
            rest = quoted(words[words.index(self.inv.operands[0].text, 1) + 1 :])
            text = f"{alias[1:]} {rest}" if alias[:1] == "!" else f"git {alias} {rest}"
            yield Piece(path, text, line, folder=self.folder)


def is_written_once(path: str, context: CallContext) -> bool:
    """Whether it is a hook that the line writes with a known text, which is judged as what will run."""
    if not _HOOK.search(path) or not context.written_texts.get(path):
        return False
    commands = [one for one in context.commands if one.argv or one.redirects]
    writes = [
        redirect.op
        for one in commands
        for redirect in one.redirects
        if ">" in redirect.op and _is_at(redirect.target, one, path, context)
    ]
    named = {
        os.path.basename(one.argv[0].text)
        for one in commands
        if any(_is_at(word, one, path, context) for word in one.argv[1:])
    }
    return writes == [">"] and named <= {"chmod", "cat", "ls"}


def _is_at(word: Word, command: Command, path: str, context: CallContext) -> bool:
    return context.resolve(word.text, context.absolute_folder(command.cwd)) == path


def _is_ordinary(config: str) -> bool:
    return _OF_EVERY_REPOSITORY.fullmatch(config) is not None


# end of module
