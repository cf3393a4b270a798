"""Tasks of cargo-make, in a ``Makefile.toml``.

Pure: text in, commands out. Does not own other tasks in TOML (``gate.disk.toml_tasks``).
"""

from __future__ import annotations

import re
import shlex

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Included, Recipe, Wanted, closure
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import toml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_SYSTEMS = ("linux", "mac", "windows")
_HERE = pattern(r"\$\{CARGO_MAKE_(?:WORKING_DIRECTORY|CURRENT_TASK_INITIAL_MAKEFILE_DIRECTORY)\}")
_SHELLS = frozenset(("", "shell", "sh", "bash", "zsh", "dash", "duckscript"))


def cargo_make(text: str, wanted: Wanted) -> list[Recipe]:
    """What the named tasks run, with those that they need, for each system."""
    data = toml(text) or {}
    tasks = {
        name: task for name, task in _table(data.get("tasks")).items() if isinstance(task, dict)
    }
    if wanted.is_dry:
        return []
    head = _exports(data.get("env"))
    needs = {name: list(_needs(task)) for name, task in tasks.items()}
    asked = [one for one in wanted.targets if one in tasks][:1] or ["default"]
    found = []
    for name in closure(["init", *asked, "end"], needs):
        key = re.search(rf"(?m)^\s*\[tasks\.[\"']?{re.escape(name)}\b", text)
        line = line_at(text, key.start()) + key[0].count("\n") if key else 1
        found += [Recipe(head + one, line) for one in _runs(tasks.get(name, {}))]
    return found[:MAX_RECIPES]


def cargo_make_includes(text: str) -> list[Included]:
    """The files that such a file extends."""
    given = (toml(text) or {}).get("extend", ())
    listed = given if isinstance(given, list) else [given]
    paths = [one.get("path") if isinstance(one, dict) else one for one in listed]
    return [Included(one) for one in paths if isinstance(one, str)]


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _exports(env: object) -> str:
    given = ((name, one) for name, one in _table(env).items() if isinstance(one, (str, int)))
    return "".join(f'export {name}="{one}"\n' for name, one in given if re.fullmatch(r"\w+", name))


def _needs(task: Mapping[str, Any]) -> Iterator[str]:
    for each in (task, *(_table(task.get(system)) for system in _SYSTEMS)):
        for key in ("dependencies", "run_task", "extend", "alias"):
            yield from _names(each.get(key))
    for system in _SYSTEMS:
        yield from _names(task.get(f"{system}_alias"))


def _names(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _names(one)
    elif isinstance(value, dict):
        yield from _names(value.get("name"))


def _runs(task: Mapping[str, Any]) -> Iterator[str]:
    own = [{**task, **one} for system in _SYSTEMS if (one := _table(task.get(system)))]
    for each in (task, *own):
        folder = each.get("cwd")
        head = _exports(each.get("env"))
        head += f'cd "{_HERE.sub(".", folder)}"\n' if isinstance(folder, str) else ""
        yield from (head + _HERE.sub(".", one) for one in _commands(each))


def _commands(task: Mapping[str, Any]) -> Iterator[str]:
    command, script = task.get("command"), task.get("script")
    if isinstance(command, str):
        words = [command, *map(str, task.get("args") or ())]
        yield " ".join(map(_word, words))
    if isinstance(script, dict):
        file = script.get("file")
        script = script.get("content") if file is None else f'. "{file}"'
    text = "\n".join(map(str, script)) if isinstance(script, list) else script
    if not isinstance(text, str):
        return
    runner = str(task.get("script_runner") or "").removeprefix("@").rpartition("/")[2]
    if runner in _SHELLS:
        yield text
    else:
        yield f"{runner} {'-e' if runner in ('node', 'ruby', 'perl') else '-c'} {shlex.quote(text)}"


def _word(text: str) -> str:
    """A word of a command, in which only variables have a value."""
    escaped = re.sub(r"([\"`\\])", r"\\\1", text)
    return text if re.fullmatch(r"[\w./-]+", text) else f'"{escaped}"'


# end of module
