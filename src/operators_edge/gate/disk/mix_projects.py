"""Projects of mix: the settings in the environment of a task, and the databases that its aliases drop.

``test: ["ecto.drop", "ecto.create", "test"]`` drops what ``config/test.exs`` names, be it another machine's.
Owns finding these files, and which environment a task runs in. Does not own the settings
(``shell.code.mix_settings``), nor other steps of an alias (``gate.disk.task_aliases``). Pure but for
``Facts``. Loaded for commands of mix.
"""

from __future__ import annotations

import os.path
import re
import textwrap
from itertools import islice

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.gate.disk.task_aliases import mix_steps
from operators_edge.shell.code import mix_settings
from operators_edge.shell.code.addresses import host_of, is_here
from operators_edge.shell.commands import quoted
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CHANGES = frozenset(("ecto.drop", "ecto.reset", "ecto.migrate", "ecto.rollback", "ecto.load"))
_PREFERRED = pattern(r"\bpreferred_(?:cli_)?envs?:\s*\[([^\]]*)\]")
_ENVIRONMENTS = frozenset(("dev", "test", "prod"))
_OF_SERVER = ("hostname", "url")
_IN_QUOTES = pattern(r"\"([^\"#\n]*)")
_VARIABLE = pattern(r"\b(?:System\.(?:get_env|fetch_env!?)|env!)\(\s*\"(\w+)\"")
_LOADS = pattern(r"\bDotenvy\b|\bDotenv\.|\bsource!?\(")
_ENV_FILE = pattern(r"\"((?:[\w.-]*/)*\.env[\w.]*)\"")
_CHANGES_ITSELF = pattern(r"\bdef[ \t]+init\(")
"""How a repository changes its settings as it starts."""
_HOST = pattern(
    r"(?:\"|~[sS][(\[{|/])(?:\w+://(?:[^\"@/\s]*@)?)?((?:[\w-]+\.){2,}[A-Za-z]{2,})(?=[\"/:)\]}|])"
)
"""A host that code has as a text."""
_MAX_FILES = 60
_KEEPS = pattern(r"(?:Swoosh\.Adapters|Bamboo)\.(?:Local|Test|Logger|Sandbox)(?:Adapter)?\s*\Z")
"""What keeps mails where they are made."""
_CONFIG_PATH = pattern(r"\bconfig_path:\s*\"([^\"\n]+)\"")
_NOT_REACHED = pattern(r"(?:^|\.)Endpoint\Z")
"""Modules whose settings say what they are called by others."""


class MixProject(SearchPart):
    """The project that one command of mix works in."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        """Yield what the task, or a step of its alias, changes in a database on another machine."""
        asked = [word.text for word in self.inv.operands]
        steps = {verb: line for verb, _, line in mix_steps(text, asked)}
        named = [verb for verb in (*steps, *asked[:1]) if verb in _CHANGES]
        if not named:
            return
        for address in self._elsewhere():
            for verb in dict.fromkeys(named):
                run = f"DATABASE_URL={quoted([address])} mix {verb}"
                line = steps.get(verb, 1)
                yield Piece(path, run, line, folder=self.folder, is_direct=False, is_loose=True)

    def _elsewhere(self) -> Iterator[str]:
        """The addresses of the databases that are on other machines.

        Where what a repository has cannot be read, that is each one that its files name.
        """
        texts = self.texts()
        known = [value for one in self._of_repositories() for value in self._values(one, texts)]
        code = [text for path, text in self._repositories() if _CHANGES_ITSELF.search(text)]
        if any(one is None for one in known):
            code += [mix_settings.held(one, self.environment()) for one in texts]
        named = (host for text in code for host in _HOST.findall(mix_settings.joined(text)))
        given = (host_of(text, key) for text, key in filter(None, known))
        for host in dict.fromkeys((*given, *named)):
            if host and not is_here(host):
                yield f"ecto://{host}/x"

    def _of_repositories(self) -> Iterator[mix_settings.Setting]:
        """The settings in force that may say where a database is."""
        in_force = self.in_force()
        named = " ".join(one.value for one in in_force if one.key == "ecto_repos")
        modules = {"Repo", *re.findall(r"[A-Z][\w.]*", named)}
        for one in in_force:
            is_of = one.place.endswith("Repo") or one.place.rpartition(" ")[2] in modules
            is_list = one.key in (mix_settings.UNKNOWN, "") and (
                is_of or any(re.search(rf"\b{re.escape(each)}\b", one.value) for each in modules)
            )
            if is_list or (is_of and one.key in _OF_SERVER):
                yield one

    def _values(
        self, one: mix_settings.Setting, texts: list[str]
    ) -> Iterator[tuple[str, str] | None]:
        """What a setting may be, with its key; None for what cannot be read."""
        values = mix_settings.known_values(one.value, texts) if one.key in _OF_SERVER else None
        if values is None:
            yield None
        given = {**self._loaded(texts), **dict(self.search.variables())}
        for value in values or ():
            known = [given[name] for name in _VARIABLE.findall(value) if name in given]
            for text in known or _IN_QUOTES.findall(value):
                if one.key != "url" or "://" in text:
                    yield text, one.key

    def _loaded(self, texts: list[str]) -> dict[str, str]:
        """The variables of the files that the settings load."""
        loads = [text for text in texts if _LOADS.search(text)]
        names = [name for text in loads for name in _ENV_FILE.findall(text)]
        folders = [self.folder or self.context.root]
        return self.search.variables_of(names or [".env"], folders) if loads else {}

    def _repositories(self) -> Iterator[tuple[str, str]]:
        """The files with what may change the settings of a repository as it starts."""
        for path in islice(self.search.files_below(self._path("lib"), "**/*.ex"), _MAX_FILES):
            if re.search(r"repo|store|database|db", os.path.basename(path)):
                text = self.follower.read(path, self.context) or ""
                if "Ecto.Repo" in text:
                    yield path, text

    def environment(self) -> str:
        """The environment of the task: by the line, by what the project prefers for it, or the usual one."""
        named = [value for name, value in self.search.variables() if name == "MIX_ENV"]
        verb = self.inv.first_operands()
        project = self._text("mix.exs")
        preferred = dict(
            pair
            for listed in _PREFERRED.findall(project)
            for pair in re.findall(r"\"?([\w.]+)\"?:\s*:(\w+)", listed)
        )
        usual = "test" if verb == "test" else "dev"
        return named[-1] if named else preferred.get(verb, usual)

    def texts(self) -> list[str]:
        """The files of settings in their order, each with those that it imports."""
        environment, files = self.environment(), self._files()
        begun = mix_settings.imported("config.exs", files, environment)
        if begun is None:  # what it imports is not known: all may hold
            begun = "\n".join(map(_as_doubtful, files.values()))
        elif "import_config" not in files.get("config.exs", ""):
            begun += _as_doubtful(files.get(f"{environment}.exs", ""))
        return [begun, files.get("runtime.exs", "")]

    def in_force(self) -> list[mix_settings.Setting]:
        """The settings of all that the project reaches, as they hold for this task."""
        found = mix_settings.in_force(self.texts(), self.environment())
        adapters = {
            (one.place, bool(_KEEPS.match(one.value))) for one in found if one.key == "adapter"
        }
        quiet = {place for place, keeps in adapters if keeps and (place, False) not in adapters}
        return [
            one for one in found if not _NOT_REACHED.search(one.place) and one.place not in quiet
        ]

    def settings(self) -> dict[str, str]:
        """The same as a text, by the files that they are from: it stands for the first of them."""
        own = self.environment()
        names = [one for one in self._files() if one[:-4] not in _ENVIRONMENTS - {own}]
        lines = [f"config {one.place}, {one.key}: {one.value}" for one in self.in_force()]
        texts = ["\n".join(lines), *[""] * len(names)]
        return {
            os.path.join(self._config(), one): text for one, text in zip(names, texts, strict=False)
        }

    def _files(self) -> dict[str, str]:
        folder = self._config()
        names = self.follower.names(folder, self.context)
        paths = {one: os.path.join(folder, one) for one in names if one.endswith(".exs")}
        return {one: self.follower.read(path, self.context) or "" for one, path in paths.items()}

    def _config(self) -> str:
        """The folder of its settings: that of the umbrella project, for one of its applications."""
        named = _CONFIG_PATH.search(self._text("mix.exs"))
        folder = os.path.dirname(named[1]) if named else "config"
        return os.path.normpath(self._path(folder))

    def _path(self, name: str) -> str:
        return os.path.join(self.folder or self.context.root, name)

    def _text(self, name: str) -> str:
        return self.follower.read(self._path(name), self.context) or ""


def _as_doubtful(text: str) -> str:
    """Settings as they are in a block of which nobody knows whether it holds."""
    return "\n" + textwrap.indent(text, "  ")


# end of module
