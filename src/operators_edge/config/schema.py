"""What a file of configuration may say: the keys, their values, and whose file may have which table.

Owns reading a file's table into validated layers. Pure. Does not own files (``config.files``), which layer
may change what (``config.layers``) or a file's own rules (``config.own_rules``).
"""

from __future__ import annotations

import os.path
import re

from operators_edge.errors import EdgeError
from operators_edge.gate.pack_schema import EFFECTS, describe_unknown_key
from operators_edge.gate.rules import DEFAULT_PROFILE
from operators_edge.model import CONTEXT_TOKENS, KEEP_DAYS, UNDO_MEGABYTES
from operators_edge.redaction import own_patterns
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any

    Table = dict[str, Any]


LADDERS = {"junction_style": ("ask", "deny"), "profile": ("contextual", "strict")}
"""Every setting with ordered values, the loosest first."""

DEFAULTS = {"junction_style": "ask", "profile": DEFAULT_PROFILE}

NUMBERS = {
    "context_tokens": (CONTEXT_TOKENS, (100, 2000)),
    "undo_megabytes": (UNDO_MEGABYTES, (200, 1_000_000)),
}
"""Every setting that is a number: its default, the least and the most."""

KEYS = (*LADDERS, *NUMBERS, "checks", "redaction", "retention", "rules", "rule", "program")
REDACTION_KEYS = ("patterns", "allow")
BRIDGE = "bridge"
"""The table with the settings of the Bridge, which reads and checks it."""
MAX_CHECKS = 50
# Their exit code says nothing about the work, whatever their arguments are.
_NOT_A_CHECK = frozenset(
    {"true", ":", "echo", "printf", "exit", "return", "test", "["}
    | {"cd", "ls", "cat", "pwd", "sleep", "git"}
)
OVERRIDE_KEYS = ("effect",)
USERS, PROJECTS = "user", "project"
"""The kinds of layers: whose file it is."""


class ConfigError(EdgeError):
    """A configuration cannot be used: the file, the key and the problem."""

    exit_code = 64
    code = "config"


class Source(NamedTuple):
    """One file as it was read. ``name`` is its displayed name; ``problem`` says why it could not be read.

    ``lines``: "profile" or "rules.git-push.effect" → its line, if known.
    """

    name: str
    table: Table
    problem: str = ""
    lines: Mapping[str, int] = {}
    section: str = ""


class Layer(NamedTuple):
    """One validated table of a file. ``kind`` says whose file it is."""

    kind: str
    source: Source
    table: Table
    path: str = ""

    @property
    def label(self) -> str:
        return f"{self.source.name} [{self.path}]" if self.path else self.source.name

    def origin(self, *key: str) -> str:
        """The file and line of a key, or the file and table."""
        section, last = ".".join(key[:-1]), key[-1]
        parts = [part for part in (self.path or self.source.section, section) if part]
        line = self.source.lines.get(".".join([*parts, last]))
        if line is not None:
            return f"{self.source.name}:{line}"
        return f"{self.source.name} [{'.'.join(parts)}]" if parts else self.source.name


def layers_of(source: Source, kind: str, root: str | None) -> list[Layer]:
    """The validated layers of one file: the person's can have another one for the project at ``root``."""
    if source.problem:
        raise ConfigError(f"{source.name}: {source.problem}")
    table = dict(source.table)
    own = table.pop("project", {}) if kind == USERS else {}
    if not isinstance(own, dict):
        raise ConfigError(f"{source.name}: project: it must have a table for each project")
    keys = (*KEYS, BRIDGE)
    _check(table, source.name, (*keys, "project") if kind == USERS else keys)
    found = [Layer(kind, source, table)]
    for folder, inner in own.items():
        if not os.path.isabs(folder):
            raise ConfigError(f"{source.name}: project {folder!r}: it must be an absolute path")
        _check(inner, f"{source.name}: project {folder!r}", KEYS)
        if root is not None and os.path.normpath(folder) == root:
            found.append(Layer(kind, source, inner, f'project."{folder}"'))
    return found


def _check(table: Any, where: str, keys: Collection[str]) -> None:
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: it must be a table")
    for key in table:
        known(key, keys, where)
    for key, ladder in LADDERS.items():
        if table.get(key, ladder[0]) not in ladder:
            wanted = " or ".join(ladder)
            raise ConfigError(f"{where}: {key} is {quoted(table[key])}, it can be {wanted}")
    _check_numbers(table, where)
    _check_checks(table.get("checks", []), f"{where}: checks")
    _check_retention(table.get("retention", {}), f"{where}: retention")
    _check_redaction(table.get("redaction", {}), f"{where}: redaction")
    for ident, override in _tables(table.get("rules", {}), f"{where}: rules"):
        for key in override:
            known(key, OVERRIDE_KEYS, f"{where}: rules.{ident}")
        if override.get("effect") not in EFFECTS:
            effect = quoted(override.get("effect"))
            raise ConfigError(
                f"{where}: rules.{ident}: effect is {effect}, it can be {', '.join(EFFECTS)}"
            )
    for _ in _tables(table.get("program", {}), f"{where}: program"):
        pass
    rules = table.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise ConfigError(f"{where}: rule: own rules are written as [[rule]]")


def _check_numbers(table: Table, where: str) -> None:
    for key, (default, (least, most)) in NUMBERS.items():
        number = table.get(key, default)
        if type(number) is not int or not least <= number <= most:
            wanted = f"it can be {least} to {most}"
            raise ConfigError(f"{where}: {key} is {quoted(number)}, {wanted}")


def _check_checks(listed: Any, where: str) -> None:
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise ConfigError(f'{where}: it must be a list of commands: ["./verify.sh", "make ci"]')
    if len(listed) > MAX_CHECKS:
        raise ConfigError(f"{where}: these are {len(listed)}, at most {MAX_CHECKS} are allowed")
    for command in listed:
        words = command.split()
        if not words or re.search(r"[|&;<>()$`\n\"'\\]", command):
            raise ConfigError(f"{where}: {quoted(command)}: it must be one plain command")
        if words[0] in _NOT_A_CHECK:
            raise ConfigError(f"{where}: {quoted(command)} judges nothing: it is not a check")


def _check_retention(table: Any, where: str) -> None:
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: it must be a table")
    for key, days in table.items():
        known(key, KEEP_DAYS, where)
        if days != "forever" and (type(days) is not int or days < 1):
            raise ConfigError(f'{where}.{key} is {quoted(days)}, it can be days or "forever"')


def known(key: str, keys: Collection[str], where: str) -> None:
    """Raise ConfigError for a key that is not one of ``keys``, naming the most similar one."""
    if key in keys:
        return
    raise ConfigError(
        f"{where}: {describe_unknown_key(key, keys)}", hint=f"known: {', '.join(keys)}"
    )


def _check_redaction(table: Any, where: str) -> None:
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: it must be a table")
    for key, patterns in table.items():
        known(key, REDACTION_KEYS, where)
        for problem in own_patterns.problems(f"{where}.{key}", patterns):
            raise ConfigError(problem)


def _tables(value: Any, where: str) -> Iterator[tuple[str, Table]]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: it must be a table")
    for name, inner in value.items():
        if not isinstance(inner, dict):
            raise ConfigError(f"{where}.{name}: it must be a table")
        yield name, inner


def texts(value: object) -> list[str]:
    """One string or a list of strings; anything else is reported when the pack is compiled."""
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str)]


def quoted(value: object) -> str:
    return one_line(repr(value), 60)


# end of module
