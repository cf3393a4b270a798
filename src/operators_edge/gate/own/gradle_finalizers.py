"""Whether the tasks that end others in a Gradle build are its own, or such as publish: ``finalizedBy(sums)``.

Owns which names of tasks a build file makes without a plugin's type. Pure. Does not own what they do
(``gate.disk.gradle_tasks``), nor where the build publishes to (``gate.own.build_repositories``).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

_ENDS = pattern(r"\bfinalizedBy\b[ \t]*(?:=[ \t]*)?([^\n{};]*)")
_NAME = pattern(r"(?P<mark>['\"])(?P<quoted>[^'\"\n]*)(?P=mark)|(?P<word>[A-Za-z_]\w*)")
_MADE = pattern(
    r"\btasks\s*\.\s*(?:register|create)\s*(?:<(?P<type>[\w.]+)>)?\s*\(\s*(?P<mark>['\"])(?P<name>\w+)(?P=mark)"
    r"\s*(?:,\s*(?P<kind>\w+)(?:::class(?:\.java)?|\.class)?)?\s*\)"
    r"|\b(?:val|def)\s+(?P<by>\w+)\s+by\s+tasks\s*\.\s*(?:registering|creating)\b\s*(?:\(\s*(?P<of>\w+)(?:::class)?\s*\))?"
    r"|(?m:^[ \t]*)task\s+(?P<task>\w+)\s*(?:\(\s*type\s*:\s*(?P<typed>\w+)[^()\n]*\)\s*)?\{"
)
_HELD = pattern(
    r"\b(?:val|def)\s+(\w+)\s*=\s*tasks\s*\.\s*(?:register|create)\s*(?:<[\w.]+>)?\s*\(\s*['\"](\w+)['\"]"
)
_PLAIN_TYPES = frozenset(("Copy", "Sync", "Zip", "Tar", "Jar", "Delete", "DefaultTask", "Task"))
"""Types of Gradle itself that reach nobody."""
_USUAL = frozenset(("assemble", "build", "check", "classes", "jar", "javadoc", "test"))
_AROUND = frozenset(("tasks", "named", "getByName", "provider", "get"))


def are_own(text: str) -> bool:
    """Whether all that ends a task is known; ``text`` is without comments."""
    ends = [one[1] for one in _ENDS.finditer(text)]
    return not ends or {name for one in ends for name in _named(one)} <= _known(text)


def _named(given: str) -> list[str]:
    """The names of tasks in an expression; one that is nobody's if it may hold others."""
    if re.search(r"[$+\[\]?>]", given) or given.strip() in ("", "("):
        return [""]
    found = [one["quoted"] if one["mark"] else one["word"] for one in _NAME.finditer(given)]
    names = [one for one in found if one not in _AROUND]
    return [one for one in names if not re.fullmatch(r"publish\w*", one)] if names else [""]


def _known(text: str) -> set[str]:
    made: dict[str, bool] = {}
    for one in _MADE.finditer(text):
        name = one["name"] or one["by"] or one["task"]
        types = {one[group] for group in ("type", "kind", "of", "typed")} - {None}
        made[name] = made.get(name, True) and types <= _PLAIN_TYPES
    for variable, name in _HELD.findall(text):
        made[variable] = made.get(variable, True) and made.get(name, False)
    return {*_USUAL, *(name for name, is_plain in made.items() if is_plain)}


# end of module
