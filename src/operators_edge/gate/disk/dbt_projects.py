"""What dbt does to the database that the profile of a project names.

A run on a production database that is not on this machine replaces its tables; hooks and macros that drop
something do that wherever it is, but for this machine. Owns the profile, the hooks and the macros. Pure but
for ``Facts``. Does not own what the statements mean (the packs).
"""

from __future__ import annotations

import os.path
import re
from typing import Any

from operators_edge.gate.disk import jinja_branches
from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.commands import HOLE
from operators_edge.text import yaml_values
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FILES_HERE = frozenset(["duckdb", "sqlite"])
_PRODUCTION = pattern(r"(?i)(?:^|[-_.])(?:prod|production|prd|live)(?:$|[-_.\d])")
_TELLING = (
    "schema",
    "dataset",
    "database",
    "dbname",
    "project",
    "host",
    "server",
    "user",
    "account",
)
_REPLACES = frozenset(["run", "build", "seed", "snapshot", "retry", "clone"])
_MACRO = pattern(r"(?s)\{%-?\s*macro\s+(\w+)\s*\((.*?)\)\s*-?%\}(.*?)\{%-?\s*endmacro\s*-?%\}")
_HOST = pattern(r"[\w.-]+")
_UNKNOWN = "*unknown"
_CALLED = pattern(r"\b(\w+)\s*\(")
_DISPATCHED = pattern(
    r"\bdispatch\(\s*(?:macro_name\s*=\s*)?['\"](?:\w+\.)?(\w+)['\"][^()]*\)\s*\("
)
_HOOK = pattern(r"(?s)\b(?:pre|post)_hook\s*=\s*(\[.*?\]|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_KINDS = (
    r"(?:table|view|schema|database|dynamic|materialized|external|procedure|function|sequence"
    r"|role|user|warehouse)"
)
_LOSES = pattern(
    rf"(?i)\b(?:drop\s+{_KINDS}|truncate|delete\s+from|alter\s+table\b[^;%}}]*\bdrop\s+column)\b"
    r"|\bdrop\s+(?:['\"]\s*~|\{\{)|['\"]\s*drop\s*['\"]"
    r"|\badapter\.(?:drop_(?:relation|schema)|truncate_relation)\b|\bdrop_(?:relation(?:_if_exists)?|schema)\s*\("
)
"""What drops or empties something, the kind of which may be known only when it runs."""
_OPTIONS = {
    "--target": "target",
    "-t": "target",
    "--profile": "profile",
    "--profiles-dir": "profiles",
    "--project-dir": "project",
    "--args": "args",
}
_MAX_FILES = 200


class Project(SearchPart):
    """The project that one command of dbt works on."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        words = self.search.words
        verb = next(
            (word for word in words[1:] if word in _REPLACES | {"run-operation", "test"}), ""
        )
        settings = yaml_values.read(text)
        if not verb or not isinstance(settings, dict):
            return
        base = os.path.dirname(path)
        found = self._output(base, settings)
        if found is None and verb == "run-operation":
            found = "", 1, "", {}  # some database: the macro says what happens to it
        if found is None:
            return
        place, line, target, output = found
        if _is_here(output):
            return
        told = [target, *(str(output.get(key, "")) for key in _TELLING)]
        if verb in _REPLACES and any(_PRODUCTION.search(one) for one in told):
            run = f"dbt {verb} --full-refresh --target prod"
            yield Piece(place, run, line, folder=self.folder, is_direct=False)
        for file, number in self._losses(base, settings, verb):
            yield Piece(file, _statement(output), number, folder=self.folder, is_direct=False)

    # -- the profile ------------------------------------------------------------------------------

    def _given(self, kind: str) -> str:
        words, found = self.search.words, ""
        for at, word in enumerate(words):
            name, equals, value = word.partition("=")
            if _OPTIONS.get(name) == kind:
                found = value if equals else (words[at + 1] if at + 1 < len(words) else "")
            elif _OPTIONS.get(word[:2]) == kind and word[:2] != "--":
                found = word[2:]
        return found

    def _output(
        self, base: str, settings: dict[str, Any]
    ) -> tuple[str, int, str, dict[str, Any]] | None:
        """The file of the profile, the line of its target, its name and what is said of it."""
        name = self._given("profile") or str(settings.get("profile", ""))
        given = self._given("profiles")
        folders = [given] if given else []
        folders += [*self.context.values_of(("DBT_PROFILES_DIR",)), base]
        folders += [f"{self.context.home}/.dbt"]
        for folder in folders:
            path = self.search.path(os.path.join(folder, "profiles.yml"))
            profiles = yaml_values.read(self.follower.read(path or "", self.context) or "")
            profile = profiles.get(name) if isinstance(profiles, dict) else None
            outputs = profile.get("outputs") if isinstance(profile, dict) else None
            if path is None or not isinstance(profile, dict) or not isinstance(outputs, dict):
                continue
            target = self._given("target") or self._default(str(profile.get("target", "default")))
            output = outputs.get(target)
            if isinstance(output, dict):
                line = getattr(outputs, "lines", {}).get(target, 1)
                return path, line, target, output
        return None

    def _default(self, text: str) -> str:
        """``{{ env_var('DBT_TARGET', 'dev') }}`` without the variable."""
        found = re.search(r"env_var\(\s*['\"](\w+)['\"]\s*(?:,\s*['\"](\w+)['\"])?", text)
        if found is None:
            return text
        given = {**dict(self.search.variables()), **dict(self.search.environment())}
        return given.get(found[1]) or found[2] or text

    # -- what is dropped --------------------------------------------------------------------------

    def _losses(self, base: str, settings: dict[str, Any], verb: str) -> Iterator[tuple[str, int]]:
        """Yield where the hooks of a run, or the macro that is asked for, drop or empty something."""
        macros: _Macros = {}
        is_renamed = False
        for path, text in self._sources(base, settings.get("macro-paths"), "macros"):
            for one in _MACRO.finditer(text):
                line = line_at(text, one.start(3))
                macros[one[1]] = _Macro(path, line, one[2], one[3])
            is_renamed |= jinja_branches.renames_sayings(text)
        is_renamed |= not macros.keys().isdisjoint(("log", "print"))
        for hook in self._hooks(base, settings, verb):
            yield from _losses_in(hook, macros, is_renamed=is_renamed)

    def _operation(self) -> str:
        """The call of the macro that is asked for."""
        names = [one.text for one in self.inv.operands if one.text != "run-operation"]
        name = names[0].rpartition(".")[2] if names else ""
        text = self._given("args")
        args = yaml_values.read(text or "{}")
        is_known = isinstance(args, dict) and self.search.words.count("--args") < 2
        if not is_known or HOLE in text or not text.isprintable():
            return f"{name}({_UNKNOWN})"
        return f"{name}({', '.join(f'{key}={value}' for key, value in args.items())})"

    def _hooks(
        self, base: str, settings: dict[str, Any], verb: str
    ) -> Iterator[tuple[str, int, str]]:
        path = os.path.join(base, "dbt_project.yml")
        if verb == "run-operation":
            yield path, 1, self._operation()
            return
        for key in ("on-run-start", "on-run-end"):
            for one in _listed(settings.get(key)):
                yield path, getattr(settings, "lines", {}).get(key, 1), one
        for key in ("models", "seeds", "snapshots"):
            for one in _hooks_below(settings.get(key)):
                yield path, getattr(settings, "lines", {}).get(key, 1), one
        for file, text in self._sources(base, settings.get("model-paths"), "models"):
            for found in _HOOK.finditer(text):
                yield file, line_at(text, found.start()), found[1]

    def _sources(self, base: str, given: Any, usual: str) -> Iterator[tuple[str, str]]:
        folders = [str(one) for one in given] if isinstance(given, list) else [usual]
        for folder in folders:
            for below in ("*.sql", "*/*.sql", "*/*/*.sql"):
                for path in list(self.search.files_below(os.path.join(base, folder), below))[
                    :_MAX_FILES
                ]:
                    text = self.follower.read(path, self.context)
                    if text is not None:
                        yield path, text


def _is_here(output: dict[str, Any]) -> bool:
    """Whether the database is in a file of this machine, or is a server on it."""
    kind = str(output.get("type", ""))
    if kind in _FILES_HERE:
        return not str(output.get("path", "")).startswith(("md:", "motherduck:", "s3:"))
    host = str(output.get("host", output.get("server", "")))
    return bool(host) and "{{" not in host and not is_elsewhere(host, "host")


def _statement(output: dict[str, Any]) -> str:
    kind, host = str(output.get("type", "")), str(output.get("host", ""))
    if kind in ("postgres", "redshift"):
        server = host if _HOST.fullmatch(host) else "server"
        return f"psql -h {server} -c 'DROP TABLE tables'"
    return "snowsql -q 'DROP TABLE tables'"


class _Macro(NamedTuple):
    """The file of a macro, the line that its text begins on, its parameters and the text."""

    path: str
    line: int
    parameters: str
    text: str


_Macros = dict[str, _Macro]


def _losses_in(
    start: tuple[str, int, str], macros: _Macros, *, is_renamed: bool
) -> Iterator[tuple[str, int]]:
    """Yield where a hook and the macros that it calls drop or empty something."""
    left: list[tuple[str, int, str, jinja_branches.Values]] = [(*start, {})]
    seen: set[tuple[str, frozenset[tuple[str, bool | None]]]] = set()
    while left and len(seen) < _MAX_FILES:
        path, number, text, known = left.pop(0)
        known = jinja_branches.sure(text, known)
        text = jinja_branches.taken(text, known)
        text = text if is_renamed else jinja_branches.without_sayings(text)
        for one in _LOSES.finditer(text):
            yield path, number + text.count("\n", 0, one.start())
        for name, at in _calls(text, macros):
            macro = macros[name]
            words = upto(text, ")", at)
            values = jinja_branches.given(macro.parameters, words, known)
            if (name, frozenset(values.items())) not in seen:
                seen.add((name, frozenset(values.items())))
                left.append((macro.path, macro.line, macro.text, values))


def _calls(text: str, macros: _Macros) -> Iterator[tuple[str, int]]:
    """Yield the macros that a text calls, and where their arguments begin; those of each adapter, too."""
    for call in _CALLED.finditer(text):
        if call[1] in macros:
            yield call[1], call.end()
    for call in _DISPATCHED.finditer(text):
        for name in macros:
            if name.endswith(f"__{call[1]}"):
                yield name, call.end()


def _listed(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = value.get("sql")
    return [str(one) for one in value] if isinstance(value, list) else [str(value or "")]


def _hooks_below(value: Any) -> Iterator[str]:
    """The hooks that the settings of models have at any level."""
    for key, one in value.items() if isinstance(value, dict) else ():
        if str(key).lstrip("+").replace("_", "-") in ("pre-hook", "post-hook"):
            yield from _listed(one)
        else:
            yield from _hooks_below(one)


# end of module
