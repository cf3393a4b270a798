"""Tasks in TOML: of poe, PDM, Hatch, pixi and mise, in a pyproject.toml or a file of their own.

Pure: text in, commands out; what cannot be known is a HOLE. Does not own other formats
(``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import re
import shlex

from operators_edge.gate.disk.loose_commands import loose
from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Included, Recipe, Wanted, closure
from operators_edge.shell.commands import HOLE
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import strings_in, toml, values_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

_TABLES = (
    "tool.poe.tasks",
    "tool.pdm.scripts",
    "tool.rye.scripts",
    "tool.hatch.envs.*.scripts",
    "envs.*.scripts",
    "scripts",
    "tool.pixi.tasks",
    "tool.pixi.target.*.tasks",
    "tool.pixi.feature.*.tasks",
    "target.*.tasks",
    "feature.*.tasks",
    "tasks",
)
"""Where tasks are named. Which of the programs runs is not asked: one file has tasks for one of them."""
_VARIABLES = (
    *("tool.poe.env", "tool.pdm.scripts._.env", "env"),
    *("tool.hatch.envs.default.env-vars", "envs.default.env-vars"),
    *("tool.pixi.activation.env", "activation.env"),
)
_ALWAYS = (
    "hooks",
    "tool.hatch.envs.*.pre-install-commands",
    "tool.hatch.envs.*.post-install-commands",
    "envs.*.pre-install-commands",
    "envs.*.post-install-commands",
)
"""Commands that run with any task; so do the scripts of ``_SOURCED``, and what a template of mise runs."""
_SOURCED = (
    "activation.scripts",
    "target.*.activation.scripts",
    "feature.*.activation.scripts",
    "tool.pixi.activation.scripts",
    "tool.pixi.feature.*.activation.scripts",
    "env._.source",
    "tool.poe.include_script",
)
_RUN_BY_TEMPLATE = pattern(r"\{\{[^{}]*\bexec\(\s*command\s*=\s*(?:'([^']*)'|\"([^\"]*)\")")
_INCLUDED = ("tool.poe.include", "task_config.includes")
_COMMANDS = frozenset(("cmd", "shell", "run", "run_windows", "interpreter"))
_FUNCTIONS = frozenset(("script", "call"))
_GROUPS = frozenset(("sequence", "parallel", "composite", "switch", "cases", "control"))
_NEEDS = frozenset(
    ("ref", "task", "tasks", "uses", "deps", "depends", "depends-on", "depends_on", "depends_post")
)
_FOLDERS = ("cwd", "working_dir", "dir")
_SHARED_FILES = ("tool.pdm.scripts._.env_file", "tool.poe.envfile")
"""Files of variables that all tasks have."""
_AROUND = ("pre_", "", "post_")
_HERE = pattern(r"\{\{\s*(?:config_root|cwd)\s*\}\}|\{root(?::[^{}]*)?\}|\$\{?POE_ROOT\}?")
_TEMPLATE = pattern(r"\{\{.*?\}\}|(?<!\$)\{[a-z_]+(?::[^{}]*)?\}")
_FUNCTION = pattern(r"([\w.]+):([\w.]+)\s*(\(.*\))?\s*", re.DOTALL)


class _Task:
    """What a task runs itself, and the first words of what may be other tasks."""

    def __init__(self, head: str) -> None:
        self.head = head
        """Lines that its commands run behind: its folder and variables."""
        self.texts: list[str] = []
        self.needs: list[str] = []

    def run(self, text: str) -> None:
        text = text.strip().removeprefix("- ")
        self.needs.append(text.partition(" ")[0])
        plain = _TEMPLATE.sub(HOLE, _HERE.sub(".", text))
        self.texts.append(f"{self.head}{plain}")


def toml_tasks(text: str, wanted: Wanted) -> list[Recipe] | None:
    """What the named tasks run, and those that they need; None for a file that is no TOML."""
    data = toml(text)
    if data is None:
        return None
    if wanted.is_dry:
        return []
    tasks = _tasks(data)
    names = _reached(tasks, wanted.targets)
    found = [Recipe(one, _line_of_text(text, one)) for one in _always(text, data)]
    found += [
        Recipe(each, _line_of(text, name))
        for name in names
        for one in tasks.get(name, ())
        for each in one.texts
    ]
    return list(dict.fromkeys(found))[:MAX_RECIPES]


def _tasks(data: Mapping[str, Any]) -> dict[str, list[_Task]]:
    """The tasks of a file by their names."""
    variables = {
        key: value for at in _VARIABLES for one in _at(data, at) for key, value in one.items()
    }
    given = [
        (name, value) for at in _TABLES for one in _at(data, at) for name, value in one.items()
    ]
    files = "".join(_exports(value) for at in _SHARED_FILES for value in values_at(data, at))
    tasks: dict[str, list[_Task]] = {}
    for name, value in given:
        task = _Task(files + _head(value, variables))
        _read(value, task)
        tasks.setdefault(name, []).append(task)
        for alias in _aliases(value):
            tasks.setdefault(alias, []).append(task)
    return tasks


def _reached(tasks: Mapping[str, Sequence[_Task]], targets: Sequence[str]) -> list[str]:
    """The names of the targets, of what runs around them, and of what may be a task that they need."""
    needs = {
        name: [f"{way}{need}" for one in some for need in one.needs for way in _AROUND]
        for name, some in tasks.items()
    }
    asked = [f"{way}{name.rpartition(':')[2]}" for name in targets for way in _AROUND]
    return closure([*targets, *asked], needs)


def toml_needs(text: str, targets: Sequence[str]) -> list[str]:
    """What may be a task that the named ones need: in another file, or a script of that name."""
    data = toml(text)
    return _reached(_tasks(data), targets) if data else []


def tasks_in_toml(text: str, wanted: Wanted) -> list[Recipe]:
    """What the named tasks of a file run; whatever may be a command in one that is no TOML."""
    found = toml_tasks(text, wanted)
    return loose(text, wanted) if found is None else found


def toml_includes(text: str) -> list[Included]:
    """The files of tasks that such a file includes."""
    data = toml(text) or {}
    return [
        Included(one)
        for at in _INCLUDED
        for value in values_at(data, at)
        for one in strings_in(value)
    ]


def _always(text: str, data: Mapping[str, Any]) -> Iterator[str]:
    for at in _ALWAYS:
        for value in values_at(data, at):
            yield from strings_in(value)
    for at in _SOURCED:
        for value in values_at(data, at):
            yield from (f". {_quoted(one)}" for one in strings_in(value))
    yield from (one or other for one, other in _RUN_BY_TEMPLATE.findall(text))


def _at(data: Mapping[str, Any], place: str) -> list[Mapping[str, Any]]:
    """The tables at a place, ``*`` being any name."""
    return [value for value in values_at(data, place) if isinstance(value, dict)]


def _aliases(value: object) -> list[str]:
    given = value.get("alias", ()) if isinstance(value, dict) else ()
    return [str(one) for one in ([given] if isinstance(given, str) else given)]


def _head(value: object, variables: Mapping[str, Any]) -> str:
    own = value if isinstance(value, dict) else {}
    env = own.get("env")
    known = {**variables, **(env if isinstance(env, dict) else {})}
    lines = [_exports(own[key]) for key in ("env_file", "envfile") if key in own]
    for name, given in known.items():
        one = given.get("default", given.get("value")) if isinstance(given, dict) else given
        if isinstance(one, (str, int)) and re.fullmatch(r"\w+", name):
            lines.append(f"export {name}={_quoted(str(one))}\n")
    folder = next((own[key] for key in _FOLDERS if isinstance(own.get(key), str)), "")
    return "".join(lines) + (f"cd {_quoted(folder)}\n" if folder else "")


def _exports(files: object) -> str:
    """Lines that make the variables of files known."""
    return "".join(f"export $(cat {_quoted(one)} | xargs)\n" for one in strings_in(files))


def _quoted(text: str) -> str:
    """The text as a word, in which variables of the shell and what a template fills in are open."""
    text = _TEMPLATE.sub(HOLE, _HERE.sub(".", text))
    if HOLE in text or "$" in text:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`") + '"'
    return shlex.quote(text)


def _read(value: object, task: _Task) -> None:
    if isinstance(value, str):
        task.run(value)
    elif isinstance(value, list):
        for one in value:
            _read(one, task)
    elif isinstance(value, dict):
        for key, one in value.items():
            _read_key(key, one, task)
        if "python" in str(value.get("interpreter", "")):
            task.run(f"python3 -c {shlex.quote(str(value.get('shell', '')))}")


def _read_key(key: str, value: object, task: _Task) -> None:
    if key in _NEEDS:
        task.needs += [text.partition(" ")[0] for text in strings_in(value)]
    elif key in _FUNCTIONS and isinstance(value, str):
        task.run(_function(value))
    elif key == "expr":
        task.run(f"python3 -c {shlex.quote(str(value))}")
    elif key == "file":
        task.run(_quoted(str(value)))
    elif key in _COMMANDS or key in _GROUPS:
        if key == "cmd" and isinstance(value, list):
            task.run(shlex.join(map(str, value)))
        _read(value, task)


def _function(text: str) -> str:
    """``package.module:function`` or a call of it, as a program of Python; a word is a module."""
    found = _FUNCTION.fullmatch(text)
    if found is None:
        return f"python3 -m {shlex.quote(text.strip())}"
    module, name, call = found.groups("()")
    code = f"from {module} import {name.partition('.')[0]}; {name}{call}"
    return f"python3 -c {shlex.quote(code)}"


def _line_of_text(text: str, found: str) -> int:
    at = text.find(found.removeprefix(". "))
    return line_at(text, max(at, 0))


def _line_of(text: str, name: str) -> int:
    """The line on which a task begins."""
    quoted = rf"[\"']?{re.escape(name)}[\"']?"
    found = re.search(rf"(?m)^[ \t]*(?:\[[^\]\n]*\b{quoted}[ \t]*\]|{quoted}[ \t]*=)", text)
    return line_at(text, found.start()) if found else 1


# end of module
