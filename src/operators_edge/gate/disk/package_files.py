"""Commands in package.json, composer.json and the like: scripts, and what tools take from them.

Owns how such a file says what a script runs, with the line of each command. Pure: text in, commands out. Does
not own other formats (``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import json
import re
from fnmatch import translate

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, MAX_TARGETS, Recipe, Wanted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern
from operators_edge.text.settings_files import json_of, values_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def package_scripts(text: str, wanted: Wanted) -> list[Recipe]:
    """Named scripts of a package.json or devbox.json, or tasks of a deno.json, with their pre and post."""
    data = json_of(text)
    places = ("scripts", "tasks", "shell.scripts")
    scripts = next((one for each in places for one in values_at(data, each)), None)
    if not isinstance(data, dict) or not isinstance(scripts, dict):
        return []
    found = []
    patterns = [re.compile(translate(name)) for name in wanted.targets if "*" in name]
    matching = [key for key in scripts if any(one.match(key) for one in patterns)]
    left = [*wanted.targets, *matching]
    asked: set[str] = set()
    while left and len(asked) < MAX_TARGETS:
        name = left.pop(0)
        if name in asked:
            continue
        asked.add(name)
        for key in (f"pre{name}", name, f"post{name}"):
            script = scripts.get(key)
            lines = script if isinstance(script, list) else [script]
            texts = [one for one in lines if isinstance(one, str)]
            others = [one[1:].split()[0] for one in texts if _OTHER_SCRIPT.match(one)]
            left += [one for one in others if one in scripts]
            texts = [_php_script(one, data) for one in texts]
            is_sure = wanted.targets == (name,) and isinstance(script, str)
            is_sure &= key == name or wanted.runs_hooks
            found += [Recipe(one, _line_of_key(text, key), is_sure=is_sure) for one in texts]
    return found


_OTHER_SCRIPT = pattern(r"@(?!php\b|composer\b|putenv\b)[\w:-]")
"""A script of composer that another one runs: ``@lint``."""
_PHP_CLASS = pattern(r"\\?([A-Z]\w*(?:\\\w+)*)(?:::\w+)?\s*")


def _php_script(text: str, data: Mapping[str, object]) -> str:
    r"""Return a script of composer as a command: ``@php x.php``, ``@lint``, ``Tasks\Clean::run``."""
    if text[:1] == "@":
        words = text[1:]
        head = words.partition(" ")[0]
        return words if head in ("php", "composer") else f"composer run {words}"
    named = _PHP_CLASS.fullmatch(text) if "::" in text else None
    if named is None:
        return text
    name = named[1].replace("\\", "/")
    for start, folder in _php_folders(data):
        if name.startswith(start):
            return f"php {folder}{name[len(start) :]}.php"
    return f"php {name}.php"


def _php_folders(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """The folders of classes by the beginnings of their names, longest first."""
    found: list[tuple[str, str]] = []
    for key in ("autoload", "autoload-dev"):
        part = data.get(key)
        named = part.get("psr-4") if isinstance(part, dict) else None
        for start, folder in named.items() if isinstance(named, dict) else ():
            place = folder[0] if isinstance(folder, list) and folder else folder
            if isinstance(place, str):
                found.append((start.replace("\\", "/"), f"{place.rstrip('/')}/" if place else ""))
    return sorted(found, key=lambda one: -len(one[0]))


def _line_of_key(text: str, key: str) -> int:
    """Return the line of a script's name; the last one, as an earlier one may be a dependency."""
    at = [match.start() for match in re.finditer(re.escape(json.dumps(key)) + r"\s*:", text)]
    return line_at(text, at[-1]) if at else 1


_TOOLS = (
    "lint-staged",
    "simple-git-hooks",
    "husky",
    "nodemonConfig",
    "pre-commit",
    "prisma",
    "exec",
    "execMap",
    "events",
)


def package_tools(text: str, _: Wanted) -> list[Recipe]:
    """Every command that a package.json holds for a tool: ``lint-staged``, hooks of git."""
    data = json_of(text)
    left = [data[key] for key in _TOOLS if key in data] if isinstance(data, dict) else []
    found: list[Recipe] = []
    while left and len(found) < MAX_RECIPES:
        one = left.pop()
        if isinstance(one, str):
            at = text.find(json.dumps(one))
            found.append(Recipe(one, line_at(text, max(at, 0))))
        elif isinstance(one, (list, dict)):
            left += one if isinstance(one, list) else one.values()
    return found


_SETUP = pattern(
    r"['\"]?(?:globalSetup|globalTeardown|setupFiles|setupFilesAfterEnv|testEnvironment|runner|reporters|require"
    r"|plugins|parser|processors?|presets|extends|formatter|customSyntax|customRules|jsPlugins)['\"]?"
    r"\s*:\s*(\[[^\]]*\]|['\"][^'\"]*['\"])"
)


def setup_files(text: str, _: Wanted) -> list[Recipe]:
    """The files that a test runner's settings have it run first, as commands of node."""
    text = _without_exports(text)
    return [
        Recipe(f"node {name.removeprefix('<rootDir>/')}", line_at(text, one.start()))
        for one in _SETUP.finditer(text)
        for name in re.findall(r"['\"]((?:<rootDir>|\.{1,2})?/[^'\"]+)['\"]", one[1])
    ][:MAX_RECIPES]


_EXPORTS = pattern(r"\"exports\"\s*:\s*")


def _without_exports(text: str) -> str:
    """A package.json without what it exports, where ``require`` says for whom a file is."""
    named = list(_EXPORTS.finditer(text))
    if len(named) != 1:
        return text
    start = named[0].end()
    try:
        json.loads(text)
        _, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return text
    return text[:start] + blanked(text[start:end]) + text[end:]


# end of module
