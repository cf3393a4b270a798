"""What a shell knows at one point of a text: variables, functions, aliases, directory.

Owns lookup, subshell copies and what is left of the knowledge after a branch. Does not own expansion.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from operators_edge.core.commands import HOLE

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = str | list[str]


@dataclass(slots=True)
class Function:
    """A function's body as text; ``base`` is its position in the whole text, None inside strings."""

    name: str
    body: str
    base: int | None
    span: tuple[int, int]
    is_called: bool = False


@dataclass(slots=True)
class Scope:
    """``doubtful`` names functions that may or may not have been defined."""

    env: Mapping[str, str]
    values: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    arguments: list[str] | None = None
    cwd: str | None = ""
    previous_cwd: str | None = None
    directories: list[str | None] = field(default_factory=list)

    def get(self, name: str) -> str | None:
        """Return the value; None when it is not known whether or to what the variable is set."""
        if not name:
            return HOLE
        value = self.values.get(name)
        if value is not None:
            return value if isinstance(value, str) else (value[0] if value else "")
        if name.isdigit():
            return self._argument(int(name)) if len(name) < 6 else HOLE
        if name in "@*#?$!-":
            if name == "#" and self.arguments is not None:
                return str(max(0, len(self.arguments) - 1))
            return HOLE
        known = self.env.get(name)
        return known if known is not None else self._default(name)

    def _argument(self, number: int) -> str | None:
        if self.arguments is None:
            return None
        return self.arguments[number] if number < len(self.arguments) else ""

    def _default(self, name: str) -> str | None:
        if name == "IFS":
            return " \t\n"
        if name == "HOME":
            return "~"
        if name == "PWD":
            return self.cwd or None
        return self.previous_cwd or None if name == "OLDPWD" else None

    def items(self, name: str) -> list[str] | None:
        """Return all elements of an array, or the positional parameters for ``@`` and ``*``."""
        if name in "@*":
            return None if self.arguments is None else self.arguments[1:]
        value = self.values.get(name)
        if value is None:
            return None
        return [value] if isinstance(value, str) else value

    def set(self, name: str, value: Value) -> None:
        self.values[name] = value

    def copy(self) -> Scope:
        """Return what a subshell starts with; its changes do not come back."""
        return Scope(
            self.env,
            dict(self.values),
            dict(self.functions),
            set(self.doubtful),
            dict(self.aliases),
            self.arguments,
            self.cwd,
            self.previous_cwd,
            list(self.directories),
        )

    def merge(self, other: Scope, *, keeps_cwd: bool) -> None:
        """Keep only what holds whether ``other`` or this scope is what really happened."""
        for name in self.values.keys() | other.values.keys():
            mine, others = self.values.get(name), other.values.get(name)
            if mine != others:
                self.values[name] = HOLE
        self.doubtful |= other.doubtful
        for name in self.functions.keys() | other.functions.keys():
            if self.functions.get(name) is not other.functions.get(name):
                self.doubtful.add(name)
        self.functions = {**other.functions, **self.functions}
        self.aliases = {**other.aliases, **self.aliases}
        if self.cwd != other.cwd and not keeps_cwd:
            self.cwd = None

    def enter(self, directory: str | None) -> None:
        """Change the directory; None is a directory that cannot be known."""
        self.previous_cwd, self.cwd = self.cwd, directory

    def resolve(self, path: str) -> str | None:
        """Return ``path`` as seen from the current directory, relative to the call's or absolute."""
        if not path or HOLE in path:
            return None
        if path.startswith(("/", "~")):
            return posixpath.normpath(path)
        if self.cwd is None:
            return None
        joined = posixpath.normpath(posixpath.join(self.cwd, path))
        return "" if joined == "." else joined
