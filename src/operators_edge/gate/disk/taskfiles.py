"""Taskfiles: what tasks run, which others they depend on or call, and the Taskfiles that they include.

Pure: text in, commands out; what cannot be known is a HOLE. Does not own other formats
(``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import os.path
import re
import shlex

from operators_edge.gate.disk.recipe_types import (
    MAX_RECIPES,
    MAX_TARGETS,
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
    from collections.abc import Mapping, Sequence

_YAML_KEY = pattern(r"( *)(- )?(?:([\w:.-]+|\"[^\"]+\"|'[^']+')\s*:(?:\s+|$))?(.*)")


def taskfile(text: str, wanted: Wanted) -> list[Recipe]:
    """The ``cmds`` of the named tasks and of those they depend on or call."""
    if wanted.is_dry:
        return []
    file = _Taskfile.of(text)
    templates = _Templates(text, wanted)
    steps, is_in_order = _steps(wanted.targets or ["default"], file)
    computed = [
        Recipe(_unquoted(one["run"]), text.count("\n", 0, one.start("run")) + 1)
        for one in _COMPUTED.finditer(text)
    ]
    is_sure = is_in_order and _DEPENDS.search(text) is None
    return (
        computed[:MAX_RECIPES]
        + [
            one._replace(
                text=_in_folder(file.folders.get(name, ""), templates.filled(one.text), wanted),
                is_sure=is_sure,
                environment=(found := templates.environment(file.given.get(name, {}))),
                doubtful=frozenset(name for name, _ in found),  # what the shell has goes first
            )
            for name, one in steps
        ][:MAX_RECIPES]
    )


_COMPUTED = pattern(r"(?m)^[ \t]+sh:[ \t]+(?P<run>[^|>\s#][^\n]*?)[ \t]*$")
"""A variable that has what a command prints."""
_DEPENDS = pattern(r"\b(?:status|sources|generates|if|platforms|run|for|watch|defer)['\"]?[ \t]*:")
"""Keys of a task or a command that may not run, or not once."""


def _steps(names: Sequence[str], file: _Taskfile) -> tuple[list[tuple[str, Recipe]], bool]:
    """The commands of tasks, each task once; and whether they surely run so, one after the other."""
    found: list[tuple[str, Recipe]] = []
    begun: set[str] = set()
    is_in_order = len(names) == 1 and file.is_called_once
    left: list[tuple[str, Recipe | None]] = [(name, None) for name in reversed(names)]
    while left:
        name, command = left.pop()
        if command is not None:
            found.append((name, command))
            continue
        if name in begun or len(begun) >= MAX_TARGETS:
            is_in_order = False
            continue
        begun.add(name)
        calls = file.calls.get(name, {})
        first = [one for one in file.needs.get(name, ()) if one not in calls]
        is_in_order &= len(first) < 2  # those run at the same time
        steps: list[tuple[str, Recipe | None]] = [(one, None) for one in first]
        body = file.bodies.get(name, [])
        for at in range(len(body) + 1):
            steps += [(one, None) for one, place in calls.items() if place == at]
            steps += [(name, one) for one in body[at : at + 1]]
        left += reversed(steps)
    return found, is_in_order


_MAX_DEPTH = 4
"""Variables with variables in them."""
_OWN_FOLDERS = frozenset(("ROOT_DIR", "TASKFILE_DIR"))
_TEMPLATE = pattern(r"\{\{-?((?:(?!\{\{).)*?)-?\}\}")
_NAMED = pattern(
    r"\s*(?:\.(\w+)(?:\s*\|\s*default\s+['\"]([^'\"{}]*)['\"])?"
    r"|default\s+['\"]([^'\"{}]*)['\"]\s+\.(\w+))\s*"
)
_PLAIN = pattern(r"[\w./:@%+,=?-]*")
"""A value that is the same in a shell as it is in the file."""
_INSIDE = pattern(r"(?:\./)?[\w-][\w.-]*(?:/[\w.-]+)+/?")
"""A path below the folder of the Taskfile."""
_VARIABLES = pattern(r"(?m)^vars:[ \t]*\n((?:[ \t]+[^\n]*\n?|\n)+)")
_ENVIRONMENT = pattern(r"(?m)^env:[ \t]*\n((?:[ \t]+[^\n]*\n?|\n)+)")
_VARIABLE = pattern(r"(?m)^([ \t]+)(\w+):[ \t]+(\S[^\n]*?)[ \t]*$")
_DOTENV = pattern(r"(?m)^(\s*)dotenv:[ \t]*(?:(\[[^\]\n]*\])|((?:\n[ \t]+-[^\n]*)+))")


def dotenv_files(text: str) -> list[str]:
    """The files that a Taskfile has variables from, the first before the others; none if one is not known."""
    found = _DOTENV.findall(text)
    if len(found) != 1 or found[0][0].strip("\n"):
        return []
    _, listed, below = found[0]
    names = items_of(listed) if listed else re.findall(r"-[ \t]*['\"]?([^\s'\"#]+)", below)
    return names if all(map(_PLAIN.fullmatch, names)) else []


class _Templates:
    """What the variables of a Taskfile stand for in its commands, as far as only one place sets them."""

    def __init__(self, text: str, wanted: Wanted) -> None:
        self.text = text
        self.wanted = wanted
        self.is_alone = not wanted.is_included and _INCLUDES.search(text) is None
        self.own = _block(_VARIABLES, text)

    def environment(self, own: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """What the file gives to all that a task runs, with the task's own variables."""
        given = {**_block(_ENVIRONMENT, self.text), **own}
        return tuple((name, self.filled(value)) for name, value in given.items())

    def filled(self, text: str, depth: int = 0) -> str:
        """A command with the values of its variables; what is not known is a HOLE."""

        def value(match: re.Match[str]) -> str:
            is_quoted = text.count("'", 0, match.start()) % 2 == 1
            return self._value(match[1], depth, is_quoted=is_quoted)

        return _TEMPLATE.sub(value, text)

    def _value(self, inside: str, depth: int, *, is_quoted: bool) -> str:
        named = _NAMED.fullmatch(inside)
        if named is None or depth > _MAX_DEPTH:
            return HOLE
        name = named[1] or named[4]
        if name in _OWN_FOLDERS and self.is_alone and not re.search(r"\bdir:", self.text):
            return "."
        sets = rf"(?m)^[ \t-]*{name}[ \t]*:|\bas:[ \t]*{name}\b|[{{,][ \t]*{name}[ \t]*:"
        times = len(re.findall(sets, self.text))
        if not self.is_alone or times > (name in self.own):
            return HOLE
        found = self.wanted.variables.get(name, self.own.get(name))
        if found is not None:
            found = self.filled(found, depth + 1)
            return found if _PLAIN.fullmatch(found) else HOLE
        default = self.wanted.environment.get(name, named[2] or named[3])
        if default is None or not _PLAIN.fullmatch(default):
            return HOLE
        if _INSIDE.fullmatch(default) and ".." not in default:
            return default
        return HOLE if is_quoted else f"${{{name}:-{default}}}"  # the shell's own value goes first


def _block(head: re.Pattern[str], text: str) -> dict[str, str]:
    """The plain values below a key of the file."""
    block = head.search(text)
    lines = _VARIABLE.findall(block[1]) if block else []
    return {name: _unquoted(value) for indent, name, value in lines if indent == lines[0][0]}


_PLACE = pattern(r"\{\{[ \t]*\.(ROOT_DIR|TASKFILE_DIR|USER_WORKING_DIR)[ \t]*\}\}")


def _in_folder(folder: str, text: str, wanted: Wanted) -> str:
    """A command in the folder of its task; where that is not known, it stays as it is."""
    known = _PLACE.sub(lambda one: wanted.variables.get(one[1], one[0]), folder)
    if not known or "{{" in known or HOLE in known:
        return text
    place = os.path.normpath(os.path.join(wanted.variables.get("TASKFILE_DIR", ""), known))
    return f"cd {shlex.quote(place)} && {text}"


def task_needs(text: str, targets: Sequence[str]) -> list[str]:
    """The tasks that the named ones depend on or call, in other files, too."""
    return closure(targets or ["default"], _Taskfile.of(text).needs)


class _Taskfile:
    """The tasks of a Taskfile, read line by line: what each runs, and which others it needs."""

    def __init__(self) -> None:
        self.bodies: dict[str, list[Recipe]] = {}
        self.needs: dict[str, list[str]] = {}
        self.calls: dict[str, dict[str, int]] = {}
        """Which of them are called by a command of the task, and how many commands come before that."""
        self.folders: dict[str, str] = {}
        self.given: dict[str, dict[str, str]] = {}
        """The variables that all that a task runs gets."""
        self.is_called_once = True
        self._is_tasks = False
        self._level = self._inside = -1
        self._name = self._key = ""
        self._block: _Block | None = None

    @classmethod
    def of(cls, text: str) -> _Taskfile:
        file = cls()
        for number, line in enumerate(text.split("\n"), 1):
            file.read(number, line)
        file._close()
        return file

    def _close(self) -> None:
        if self._block is not None:
            self._block.close()
        self._block = None

    def read(self, number: int, line: str) -> None:
        if self._block is not None and self._block.takes(line):
            return
        self._close()
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
            self.bodies[word], self.needs[word], self.calls[word] = [], [], {}
            if rest[:1] not in ("", "{", "["):
                self._run(rest, number, line)
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
        needs = self.needs[self._name]
        if is_key:
            self._key = word
            self._read_key(word, rest, line, number)
        elif self._key == "env" and word:
            self.given.setdefault(self._name, {})[word] = rest
        elif self._key == "deps":
            needs += (
                [rest] if word == "task" else re.findall(r"\btask:\s*([\w:.-]+)", line) or [rest]
            )
        elif word == "task":
            self._call(rest)
        elif self._key in ("cmds", "cmd"):
            self._read_command(word, rest, line, number)

    def _read_key(self, word: str, rest: str, line: str, number: int) -> None:
        """A line with a key of the current task."""
        if word in ("cmds", "cmd") and _BLOCK.fullmatch(rest):
            self._run(rest, number, line)
        elif word in ("cmds", "cmd") and rest:
            self.bodies[self._name] += [Recipe(one, number) for one in items_of(rest)]
        elif word == "dir":
            self.folders[self._name] = rest
        elif word == "env" and rest[:1] == "{":
            pairs = re.findall(r"(\w+):\s*('[^']*'|\"[^\"]*\"|[^,}\s]+)", rest)
            self.given[self._name] = {name: _unquoted(value) for name, value in pairs}
        elif word == "deps":
            self.needs[self._name] += re.findall(r"[\w:.-]+", rest)

    def _read_command(self, word: str, rest: str, line: str, number: int) -> None:
        """A line below ``cmds``: a command, or a key of one."""
        if word in ("cmd", "defer"):
            if called := re.match(r"\{?\s*task:\s*([\w:.-]+)", rest):
                self._call(called[1])
            elif rest:
                self._run(rest, number, line)
        elif called := re.match(r"\s*-\s*\{\s*task:\s*['\"]?([\w:.-]+)", line):
            self._call(called[1])
        elif word not in _OF_COMMANDS:
            self._run(_unquoted(line.strip().removeprefix("- ")), number, line)

    def _call(self, name: str) -> None:
        """Note another task that a command of the task runs."""
        self.is_called_once &= name not in self.calls[self._name]
        self.calls[self._name].setdefault(name, len(self.bodies[self._name]))
        self.needs[self._name].append(name)

    def _run(self, text: str, number: int, line: str) -> None:
        """Note a command of the task, or the one that the lines below are."""
        body = self.bodies[self._name]
        if head := _BLOCK.fullmatch(text):
            indent = len(line) - len(line.lstrip())
            self._block = _Block(body, indent, number + 1, is_folded=head[1] == ">")
        else:
            body.append(Recipe(text, number))


_BLOCK = pattern(r"([|>])[+-]?\d?[+-]?[ \t]*(?:#.*)?")
"""How a text begins that the lines below hold."""


class _Block:
    """A command on several lines: with ``|`` as they are, with ``>`` joined to one."""

    def __init__(self, body: list[Recipe], indent: int, number: int, *, is_folded: bool) -> None:
        self.body, self.indent, self.number, self.is_folded = body, indent, number, is_folded
        self.margin = 0
        self.lines: list[str] = []

    def takes(self, line: str) -> bool:
        """Take a line if it is a part of the command."""
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= self.indent:
            return False
        if self.lines or line.strip():
            self.margin = self.margin or indent
            self.lines.append(line[self.margin :].rstrip())
        else:
            self.number += 1
        return True

    def close(self) -> None:
        """Give the command to its task."""
        text = "\n".join(self.lines)
        if self.is_folded:
            text = re.sub(r" ?\n+ ?", "\n", " ".join(one or "\n" for one in self.lines))
        if self.lines:
            self.body.append(Recipe(text.rstrip("\n"), self.number))


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
    r"(?m)^([ \t]+)([\w-]+):(?:[ \t]*['\"]?(?P<short>[^\s'\"#]+)"
    r"|(?P<keys>[ \t]*\n(?:\1[ \t]+[^\n]*(?:\n|\Z))+))"
)
_INCLUDE_KEY = pattern(r"(?m)^[ \t]+(taskfile|dir):[ \t]*['\"]?([^\s'\"#]+)")


def task_includes(text: str) -> list[Included]:
    """The Taskfiles that a Taskfile includes, each under a name of its own."""
    block = _INCLUDES.search(text)
    found = []
    for one in _INCLUDE.finditer(block[1]) if block else ():
        keys = dict(_INCLUDE_KEY.findall(one["keys"] or ""))
        path = one["short"] or keys.get("taskfile", "")
        found += [Included(path, f"{one[2]}:", keys.get("dir", "."))] if path else []
    return found


# end of module
