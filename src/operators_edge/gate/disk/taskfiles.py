"""Taskfiles: what tasks run, which others they depend on or call, and the Taskfiles that they include.

Pure: text in, commands out; what cannot be known is a HOLE. Does not own other formats
(``gate.disk.recipes``).
"""

from __future__ import annotations

import re

from operators_edge.gate.disk.recipe_types import (
    MAX_RECIPES,
    Included,
    Recipe,
    Wanted,
    closure,
    items_of,
)
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_YAML_KEY = pattern(r"( *)(- )?(?:([\w:.-]+|\"[^\"]+\"|'[^']+')\s*:(?:\s+|$))?(.*)")


def taskfile(text: str, wanted: Wanted) -> list[Recipe]:
    """The ``cmds`` of the named tasks and of those they depend on or call."""
    if wanted.is_dry:
        return []
    file = _Taskfile.of(text)
    names = closure(wanted.targets or ["default"], file.needs)
    return [
        one._replace(text=re.sub(r"\{\{.*?\}\}", HOLE, one.text))
        for name in names
        for one in file.bodies.get(name, ())
    ][:MAX_RECIPES]


def task_needs(text: str, targets: Sequence[str]) -> list[str]:
    """The tasks that the named ones depend on or call, in other files, too."""
    return closure(targets or ["default"], _Taskfile.of(text).needs)


class _Taskfile:
    """The tasks of a Taskfile, read line by line: what each runs, and which others it needs."""

    def __init__(self) -> None:
        self.bodies: dict[str, list[Recipe]] = {}
        self.needs: dict[str, list[str]] = {}
        self._is_tasks = False
        self._level = self._inside = -1
        self._name = self._key = ""

    @classmethod
    def of(cls, text: str) -> _Taskfile:
        file = cls()
        for number, line in enumerate(text.split("\n"), 1):
            file.read(number, line)
        return file

    def read(self, number: int, line: str) -> None:
        match = _YAML_KEY.fullmatch(line.rstrip())
        if match is None or not line.strip() or line.lstrip().startswith("#"):
            return
        indent, is_item = len(match[1]), bool(match[2])
        word, rest = (match[3] or "").strip("\"'"), _unquoted(match[4])
        if indent == 0 and not is_item:
            self._is_tasks, self._level = word == "tasks", -1
        elif self._is_tasks and word and not is_item and self._level in (-1, indent):
            self._level, self._name, self._key = indent, word, "cmds"
            self._inside = -1
            is_text = rest[:1] not in ("", "{", "[")
            self.bodies[word] = [Recipe(rest, number)] if is_text else []
            self.needs[word] = []
            if rest[:1] in ("{", "["):
                self._read_flow(rest, number)
        elif self._name:
            is_key = bool(word) and not is_item and self._inside in (-1, indent)
            self._inside = indent if is_key else self._inside
            self._read_inside(word, rest, line, number, is_key=is_key)

    def _read_flow(self, text: str, number: int) -> None:
        """A task on one line: ``{cmds: [a, b], deps: [c]}`` or ``[a, b]``."""
        cmds = re.search(r"\bcmds?\s*:\s*(\[[^\]]*\]|[^,}]+)", text)
        deps = re.search(r"\bdeps\s*:\s*\[([^\]]*)\]", text)
        listed = text if text[0] == "[" else cmds[1] if cmds else ""
        self.bodies[self._name] += [
            Recipe(one, number) for one in items_of(_unquoted(listed.strip())) if one
        ]
        self.needs[self._name] += re.findall(r"[\w:.-]+", deps[1]) if deps else []

    def _read_inside(self, word: str, rest: str, line: str, number: int, *, is_key: bool) -> None:
        """A line of the current task."""
        body, needs = self.bodies[self._name], self.needs[self._name]
        if is_key:
            self._key = word
            if word in ("cmds", "cmd") and rest not in ("", "|", ">", "|-", ">-"):
                body += [Recipe(one, number) for one in items_of(rest)]
            elif word == "deps":
                needs += re.findall(r"[\w:.-]+", rest)
        elif word == "task":
            needs.append(rest)
        elif self._key == "deps":
            needs += re.findall(r"\btask:\s*([\w:.-]+)", line) or [rest]
        elif self._key in ("cmds", "cmd"):
            self._read_command(word, rest, line, number)

    def _read_command(self, word: str, rest: str, line: str, number: int) -> None:
        """A line below ``cmds``: a command, or a key of one."""
        if word in ("cmd", "defer"):
            if called := re.match(r"\{?\s*task:\s*([\w:.-]+)", rest):
                self.needs[self._name].append(called[1])
            elif rest not in ("", "|", ">", "|-", ">-"):
                self.bodies[self._name].append(Recipe(rest, number))
        elif called := re.match(r"\s*-\s*\{\s*task:\s*['\"]?([\w:.-]+)", line):
            self.needs[self._name].append(called[1])
        elif word not in _OF_COMMANDS:
            text = _unquoted(line.strip().removeprefix("- "))
            if text not in ("|", ">", "|-", ">-"):
                self.bodies[self._name].append(Recipe(text, number))


_OF_COMMANDS = frozenset(
    (
        "vars",
        "silent",
        "ignore_error",
        "platforms",
        "for",
        "var",
        "split",
        "set",
        "shopt",
        "if",
        "matrix",
        "sources",
    )
)
"""Keys of a command in a Taskfile that run nothing."""


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return text[1:-1] if is_quoted else text


_INCLUDES = pattern(r"(?m)^includes:[ \t]*\n((?:[ \t]+[^\n]*\n?|\n)+)")
_INCLUDE = pattern(
    r"(?m)^[ \t]+([\w-]+):(?:[ \t]*['\"]?([^\s'\"#]+)"
    r"|[ \t]*\n(?:[ \t]+[^\n]*\n)*?[ \t]+taskfile:[ \t]*['\"]?([^\s'\"]+))"
)


def task_includes(text: str) -> list[Included]:
    """The Taskfiles that a Taskfile includes, each under a name of its own."""
    block = _INCLUDES.search(text)
    found = _INCLUDE.findall(block[1]) if block else []
    return [
        Included(short or long, f"{name}:") for name, short, long in found if name != "taskfile"
    ]


# end of module
