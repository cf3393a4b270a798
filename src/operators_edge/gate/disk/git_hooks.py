"""What git runs from a repository: hooks, aliases, and commands in its configuration.

Owns which of them a subcommand runs. Does not own the format of the configuration (``gate.disk.settings``).
Loaded for programs with hooks.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import (
    Piece,
    SearchPart,
    interpreter,
    is_binary,
    settings_in,
)
from operators_edge.gate.own.git_settings import NAMED_BY, is_set_by_git_alone
from operators_edge.shell.commands import HOLE, OWN_PATH, quoted
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command, Word

_MAX_CONFIG = 1024 * 1024
_MAX_CONFIGURATIONS = 16
_PERSONAL = (".config/git/config", ".gitconfig")
"""The person's own settings: their aliases count, as the agent can name them."""
_PERSONAL_OF = {"HOME": _PERSONAL, "XDG_CONFIG_HOME": ("git/config",)}
"""Where git looks for them, by the variable that names a folder."""
_NO_ALIASES = frozenset(
    (
        *(
            "add",
            "am",
            "apply",
            "bisect",
            "blame",
            "branch",
            "checkout",
            "cherry-pick",
            "clean",
            "clone",
        ),
        *(
            "commit",
            "config",
            "describe",
            "diff",
            "fetch",
            "grep",
            "init",
            "log",
            "ls-files",
            "merge",
        ),
        *("mv", "pull", "push", "rebase", "reflog", "remote", "reset", "restore", "rev-list"),
        *("rev-parse", "revert", "rm", "show", "stash", "status", "submodule", "switch", "tag"),
        "worktree",
    )
)
"""Usual subcommands: an alias of such a name is none."""
_HOOK = pattern(r"/\.git/hooks/[^/]+$")
_PROGRAMS = (
    *("GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS"),
    *("GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER"),
)
"""Variables with a program that git starts."""
_OPEN_SETTINGS = quoted(["git", "-c", f"include.path={HOLE}", "status"])
"""What a file of settings amounts to whose text is not known."""
_KEY, _VALUE = "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"
_FIRST_HANDED_ON = 1000
"""Beyond the numbers that lines give such variables."""
"""Variables with the name of a setting and its value; a number follows."""
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
        top, shared = repository or (self.folder, None)
        own = (
            [os.path.join(shared, name) for name in ("config", "config.worktree")] if shared else []
        )
        texts = self._configurations([*own, *self._given_files()])
        files = [*self._files_of_the_line()]
        named = [one for one in files if one is not None]
        more = self._configurations(named, are_named=True)
        if repository is not None:
            for file, text in texts.items():
                yield from self.search.run_by_settings(file, text, self.spec)
            yield from self._hooks(repository, {**texts, **more})
        if len(named) < len(files):
            yield Piece(top or "", _OPEN_SETTINGS, 1)
        yield from self._as_options(named, more)
        if self.inv.operands[0].text not in _NO_ALIASES:
            yield from self._aliases({**texts, **more}, top)

    def _hooks(self, repository: tuple[str, str], texts: dict[str, str]) -> Iterator[Piece]:
        """The hooks that the subcommand runs, and what variables have it start."""
        top, shared = repository
        named = os.path.join(shared, "hooks")
        hooks = self.spec["hooks"].get(self.inv.operands[0].text, ())
        texts = {**self._configurations(self._personal()), **texts} if hooks else texts
        for name, value in (*_settings_of(texts), *self._given_settings()):
            named = value if name == "core.hookspath" else named
        for folder in (named, *self.spec.get("hook_folders", ())):
            yield from self._hooks_in(self.context.resolve(folder, top), hooks, top)
        yield from self._programs_of_variables(top)

    def _aliases(self, texts: dict[str, str], top: str | None) -> Iterator[Piece]:
        """What the subcommand may be an alias of: of which file the last word is, is not asked."""
        key = f"alias.{self.inv.operands[0].text.lower()}"
        for file, text in {**texts, **self._configurations(self._personal())}.items():
            for one in settings_in(text):
                if one.name.lower() in (key, f"{key}.command"):
                    yield from self._alias(one.value, file, one.line, top)
        for name, value in self._given_settings():
            if name in (key, f"{key}.command"):
                yield from self._alias(value, os.path.join(top or "", ".git/config"), 1, top)

    def _personal(self) -> list[str]:
        return [os.path.join(self.context.home, one) for one in _PERSONAL]

    def _configurations(self, files: Iterable[str], *, are_named: bool = False) -> dict[str, str]:
        """Return the texts of git's configuration that may run something, with those that they include."""
        left = [*files]
        found: dict[str, str] = {}
        for file in left:
            text = self._text_of(file, is_named=are_named) if file not in found else None
            if text is None or _is_ordinary(text) or len(found) >= _MAX_CONFIGURATIONS:
                continue
            found[file] = text
            for one in settings_in(text):
                if _INCLUDES.fullmatch(one.name):
                    path = self.context.resolve(one.value, os.path.dirname(file))
                    left += [path] if path else []
        return found

    def _text_of(self, file: str, *, is_named: bool) -> str | None:
        """The text of a file of settings, as the line leaves it if the line names it; None if unknown."""
        if not is_named:
            return self.context.facts.text(file, _MAX_CONFIG)
        is_unknown = self.context.written_texts.get(file, "") is None
        if is_unknown or self.follower.unseen(file, self.context):
            return None
        text = self.follower.read(file, self.context)
        is_new = file == OWN_PATH and is_set_by_git_alone(self.context.commands)
        return "" if text is None and is_new else text

    def _files_of_the_line(self) -> Iterator[str | None]:
        """Files of settings that the line has git read, beside those that it always does; None if unknown."""
        named = [value for name, value in self._given_settings() if _INCLUDES.fullmatch(name)]
        environment = self.inv.command.environment
        if any(HOLE in environment.get(name, "") for name in NAMED_BY):
            yield None
        named += [environment[name] for name in NAMED_BY if name in environment]
        placed = {**self.context.written_texts, **self.context.copies}
        own = [
            os.path.join(folder, file)
            for name, files in _PERSONAL_OF.items()
            for file in files
            if (folder := environment.get(name))
        ]
        named += [one for one in own if self.search.path(one) in placed]
        yield from (self.search.path(one) for one in named if one and one != HOLE)

    def _as_options(self, files: Iterable[str], texts: dict[str, str]) -> Iterator[Piece]:
        """What files that the line names set, as if the line set it, but for aliases: they run by name."""
        for file in files:
            if file not in texts and self._text_of(file, is_named=True) is None:
                yield Piece(file, _OPEN_SETTINGS, 1)
        for file, text in texts.items():
            for one in settings_in(text):
                if not one.name.startswith("alias.") and not _INCLUDES.fullmatch(one.name):
                    setting = f"{one.name}={one.value}"
                    yield Piece(file, quoted(["git", "-c", setting, "status"]), one.line)

    def _hooks_in(self, folder: str | None, names: Sequence[str], top: str) -> Iterator[Piece]:
        for name in names if folder else ():
            path = os.path.join(folder or "", name)
            text = self.follower.read(path, self.context)
            unseen = self.search.unseen_piece(path, "sh", top)
            if unseen is not None:
                yield unseen
            elif text is not None and not is_binary(text):
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
        """What the line sets: by options and variables of the command, or with an earlier command."""
        for command in self.context.commands:
            words = [word.text for word in command.argv]
            if words[:2] == ["git", "config"] and len(words) > 3:
                yield words[-2].lower(), words[-1]
        for word in self.inv.values(("-c", "--config")):
            name, _, value = word.text.partition("=")
            yield name.lower(), value

    def _alias(self, alias: str, path: str, line: int, top: str | None) -> Iterator[Piece]:
        """A shell text of an alias runs at the top of the repository, another one where git does."""
        if alias:
            words = self.search.words
            rest = words[words.index(self.inv.operands[0].text, 1) + 1 :]
            is_shell = alias[:1] == "!"
            folder = top if is_shell else self.folder
            # Git joins what is quoted to what is around it.
            for one in (alias,) if is_shell else dict.fromkeys((alias, alias.replace('"', ""))):
                yield Piece(
                    path,
                    f"{one[1:] if is_shell else f'git {one}'} {quoted(rest)}",
                    line,
                    folder=folder,
                    arguments=("git", *rest),
                    assigned=(*self.search.environment(), *self._handed_on()),
                )

    def _handed_on(self) -> Iterator[tuple[str, str]]:
        """The settings of the command as the variables by which git hands them to what an alias runs."""
        for number, word in enumerate(self.inv.values(("-c", "--config")), _FIRST_HANDED_ON):
            name, _, value = word.text.partition("=")
            yield f"{_KEY}{number}", name
            yield f"{_VALUE}{number}", value


def with_settings(command: Command) -> Command | None:
    """Return a command of git with the settings of its variables as options; None if it has none."""
    given = command.environment
    numbers = sorted(one.removeprefix(_KEY) for one in given if one.startswith(_KEY))
    if not numbers:
        return None
    program, *rest = command.argv
    options: list[Word] = []
    for number in numbers:
        setting = f"{given[_KEY + number]}={given.get(_VALUE + number, HOLE)}"
        options += [program._replace(text="-c"), program._replace(text=setting)]
    return command._replace(
        argv=(program, *options, *rest),
        assigns=tuple(one for one in command.assigns if not one[0].startswith(_KEY)),
        exported=tuple(one for one in command.exported if not one[0].startswith(_KEY)),
    )


def _settings_of(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    for text in texts.values():
        for one in settings_in(text):
            yield one.name, one.value


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
