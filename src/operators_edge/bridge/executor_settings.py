"""What the settings say of executors, and which part of a repository's file a person has to trust. Pure.

A person's own file may name any program. A repository's file comes with the repository: it chooses among
executors that are known, and what it says of programs, models and addresses counts only when the person
trusted exactly that text.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONTAIN = ("off", "auto", "require")
"""The loosest first."""

BUILT_IN = ("claude", "opencode", "patch")
_SWITCH = frozenset({"stop_on_failure", "continue_on_failure"})
_SERVER = re.compile(r"|start|http://(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}/?")
"""On this machine: another program there would get the prompt, and edit nothing here."""

READERS = ("text", "aider", "claude", "codex", "opencode")


class ExecutorSettings(NamedTuple):
    """One executor. ``command`` makes it a program of the person's own; without it the name says which.

    ``server`` is OpenCode's: "start" has one started, an address names one that runs.

    A contained one reaches ``hosts``, besides those of its model, and writes ``writable``. ``reads`` says
    what a command's output is. ``provider`` is OpenCode's own table of providers.
    """

    program: str = ""
    server: str = ""
    command: tuple[str, ...] = ()
    reads: Literal["text", "aider", "claude", "codex", "opencode"] = "text"
    env: Mapping[str, str] = {}
    model: str = ""
    provider: Mapping[str, Any] = {}
    hosts: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    max_turns: int = 0


def read(value: object) -> tuple[dict[str, ExecutorSettings], list[str]]:
    """The executors by name, and what is wrong with the value."""
    if not isinstance(value, dict):
        return {}, ["executors must be an object"]
    found: dict[str, ExecutorSettings] = {}
    problems: list[str] = []
    for name, each in value.items():
        wrong = list(_problems(name, each))
        problems += wrong
        if not wrong:
            lists = {key: tuple(item) for key, item in each.items() if isinstance(item, list)}
            found[name] = ExecutorSettings(**{**each, **lists})
    return found, problems


def _problems(name: str, value: object) -> list[str]:
    where = f"executors.{name}"
    if not isinstance(value, dict):
        return [f"{where} must be an object"]
    problems = []
    for key, each in value.items():
        default = ExecutorSettings._field_defaults.get(key)
        if default is None:
            problems.append(f"unknown key {where}.{key}")
        elif not _is_like(each, default):
            problems.append(f"{where}.{key} must be {_KINDS[type(default)]}")
    if problems:
        return problems
    return [f"{where}{each}" for each in _wrong_values(name, value)]


def _wrong_values(name: str, value: Mapping[str, Any]) -> Iterator[str]:
    if name == "patch":
        yield ": nothing can be set for it"
    elif value.get("command") == [] or (name not in BUILT_IN and "command" not in value):
        yield ".command is missing: the program and its words"
    elif name in BUILT_IN and "command" in value:
        yield f".command: {name} is built in; use program, or another name"
    if "server" in value and name != "opencode":
        yield ".server: only opencode has one"
    elif not _SERVER.fullmatch(value.get("server", "")):
        yield ".server must be start, or http://127.0.0.1:PORT"
    if value.get("reads", "text") not in READERS:
        yield f".reads must be one of {', '.join(READERS)}"


_KINDS = {
    str: "a text",
    tuple: "a list of texts",
    dict: "an object",
    int: "a whole number",
}


def _is_like(value: object, default: object) -> bool:
    if isinstance(default, tuple):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return type(value) is type(default)


# -- what a repository says ------------------------------------------------------------------------


def needs_trust(project: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """The text of a repository's settings that a person has to trust; "" if there is none.

    Its executors, what it runs in new working trees, and a containment that is looser than the person's own.
    """
    asked = {name: project[name] for name in ("executors", "worktree_setup") if project.get(name)}
    if _is_looser(project.get("contain"), own.get("contain", "auto")):
        asked["contain"] = project["contain"]
    return json.dumps(asked, indent=2, sort_keys=True, ensure_ascii=True) if asked else ""


def _is_looser(value: object, than: object) -> bool:
    levels: tuple[object, ...] = CONTAIN
    return value in levels and than in levels and levels.index(value) < levels.index(than)


def merged(project: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Both files' values: the repository's first, key by key in ``executors`` and ``defaults``."""
    if _SWITCH.intersection(project):
        own = {name: each for name, each in own.items() if name not in _SWITCH}
    value = {**own, **project}
    for name in ("executors", "defaults"):
        if name in own and name in project:
            value[name] = {**own[name], **project[name]}
    return value


# end of module
