"""The task file: its fields, and what is wrong with one.

Pure. ``FIELDS`` is the one list of fields: validation, defaults and the published schema (``bridge.schemas``)
come from it. Does not own when a file is read (``bridge.queue``) or what a task's commands may do (``gate``).
"""

from __future__ import annotations

import re
from copy import deepcopy
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, cast

from operators_edge.bridge import ids
from operators_edge.bridge.result import RETRYABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

FREE_PREFIX = "x_"
"""Keys that start so belong to planners: kept, and never read."""


class RetryPolicy(TypedDict):
    max_attempts: int


class Task(TypedDict):
    """One task, valid and with every default filled in; other keys start with ``x_``. See ``FIELDS``."""

    id: str
    bead_title: str
    goal: str
    done_condition: str
    prompt: str
    scope: list[str]
    constraints: list[str]
    commands_to_run: list[str]
    requires_confirmation: bool
    allow_dirty: bool
    allow_no_change: bool
    enforce_scope: bool
    timeout_sec: int
    command_timeout_sec: int
    risk_level: Literal["low", "medium", "high", "critical"]
    retry_policy: RetryPolicy
    retry_on: list[str]
    attempt: int
    base: str
    depends_on: list[str]
    baseline: bool
    protect: list[str]
    repair: int
    executor: str
    patch: str
    max_cost: float


class Problem(NamedTuple):
    """What is wrong with one value: where (``scope[2]``), and why."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class Field(NamedTuple):
    """One field: the JSON Schema of its value, its default (a field without one is required), its meaning."""

    schema: Mapping[str, Any]
    about: str
    default: Any = None
    check: Callable[[Any], str] | None = None
    """What a schema cannot say; returns what is wrong, or ""."""


def _text(most: int, **more: Any) -> dict[str, Any]:
    return {"type": "string", "maxLength": most, **more}


def _texts(most: int, item: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "maxItems": most, "items": item}


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


_FLAG = {"type": "boolean"}
_LINE = _text(2_000, minLength=1)
_PATH = _text(1_000, minLength=1)
_ID = _text(ids.MAX_LENGTH, pattern=f"^{ids.PATTERN}$")
_DAY = 24 * 60 * 60


def _is_inside(path: str) -> str:
    """A path or glob pattern below the repository."""
    parts = path.replace("\\", "/").split("/")
    if path[0] in "/\\~" or re.match(r"[A-Za-z]:", path):
        return "must be relative to the repository"
    if ".." in parts:
        return "must not contain '..'"
    return "must not contain a null character" if "\0" in path else ""


def _is_command(command: str) -> str:
    if not command.strip():
        return "is empty"
    return "contains a null character" if "\0" in command else ""


def _is_base(base: str) -> str:
    kind, colon, ident = base.partition(":")
    if not colon:
        return ""  # git decides whether it is a branch
    if kind != "task":
        return "must be a branch or task:ID"
    return ids.problem_with(ident)


def _is_name(name: str) -> str:
    return "" if re.fullmatch(r"[A-Za-z0-9_-]*", name) else "must be the name of an executor"


FIELDS: Mapping[str, Field] = {
    "id": Field(_ID, "The task's name; the file is called ID.json.", check=ids.problem_with),
    "prompt": Field(_text(200_000, minLength=1), "The instructions for the agent."),
    "bead_title": Field(_text(500), "The title of its bead, and of its commit.", ""),
    "goal": Field(_text(10_000), "What it is for.", ""),
    "done_condition": Field(_text(10_000), "How one sees that it is done.", ""),
    "scope": Field(
        _texts(1_000, _PATH), "Files and glob patterns that may change; empty: all.", [], _is_inside
    ),
    "constraints": Field(_texts(100, _LINE), "What the agent must not do, one line each.", []),
    "commands_to_run": Field(
        _texts(100, _text(10_000, minLength=1)),
        "Shell commands that verify the work; the first that fails decides.",
        [],
        _is_command,
    ),
    "requires_confirmation": Field(_FLAG, "Wait for a person before the agent starts.", False),
    "allow_dirty": Field(_FLAG, "Run in a working tree with uncommitted changes.", False),
    "allow_no_change": Field(_FLAG, "Succeed although the agent changed nothing.", False),
    "enforce_scope": Field(_FLAG, "Fail if a file outside `scope` changed.", False),
    "timeout_sec": Field(
        _whole(1, 7 * _DAY), "Seconds for the agent, and for each command.", 1_800
    ),
    "command_timeout_sec": Field(
        _whole(0, 7 * _DAY), "Seconds for each command, if not `timeout_sec`; 0: the same.", 0
    ),
    "risk_level": Field({"enum": ["low", "medium", "high", "critical"]}, "How risky it is.", "low"),
    "retry_policy": Field(
        {
            "type": "object",
            "properties": {"max_attempts": _whole(1, 100)},
            "additionalProperties": False,
        },
        "How often it may be tried.",
        {"max_attempts": 1},
    ),
    "retry_on": Field(
        _texts(len(RETRYABLE), {"enum": sorted(RETRYABLE)}), "Reasons for another attempt.", []
    ),
    "attempt": Field(_whole(1, 100), "Which attempt this is; the watcher counts it up.", 1),
    "base": Field(_text(300), "What its branch starts from: a branch, or task:ID.", "", _is_base),
    "depends_on": Field(
        _texts(100, _ID), "Tasks that must have succeeded before.", [], ids.problem_with
    ),
    "baseline": Field(_FLAG, "Run the commands before the edit, too.", False),
    "protect": Field(
        _texts(1_000, _PATH), "Files and glob patterns that must not change.", [], _is_inside
    ),
    "repair": Field(_whole(0, 10), "Rounds in which the agent sees failed commands.", 0),
    "executor": Field(
        _text(100, pattern="^[A-Za-z0-9_-]*$"), "Which configured executor edits.", "", _is_name
    ),
    "patch": Field(_text(500_000), "The change itself, for the executor `patch`.", ""),
    "max_cost": Field({"type": "number", "minimum": 0}, "Most US dollars; 0: no limit.", 0),
}
REQUIRED = tuple(name for name, field in FIELDS.items() if field.default is None)
OWN = (*REQUIRED, "bead_title", "executor", "patch", "attempt", "depends_on")
"""What a task says itself, or not at all: the settings have no default for it."""


def problems_with(
    value: Mapping[str, Any], *, stem: str = "", defaults: Mapping[str, Any] = MappingProxyType({})
) -> list[Problem]:
    """All that is wrong with a task; ``stem`` is the file's name without its ending, if it has one."""
    found = [Problem("", f"{name} is missing") for name in REQUIRED if name not in value]
    for name, each in value.items():
        field = FIELDS.get(name)
        if field is not None:
            found += _problems(name, each, field)
        elif not name.startswith(FREE_PREFIX):
            found.append(Problem("", _unknown(name)))
    return found or list(_contradictions(with_defaults(value, defaults), stem))


def problems_with_defaults(value: Mapping[str, Any]) -> Iterator[Problem]:
    """All that is wrong with the defaults that the settings give to tasks."""
    for name, each in value.items():
        where, field = f"defaults.{name}", FIELDS.get(name)
        if field is None:
            yield Problem(where, "there is no such field of a task")
        elif name in OWN:
            yield Problem(where, "only a task itself can say it")
        else:
            yield from _problems(where, each, field)


def with_defaults(
    value: Mapping[str, Any], defaults: Mapping[str, Any] = MappingProxyType({})
) -> Task:
    """A valid task with every field: its own, else that of ``defaults``, else the built-in one."""
    built_in = {name: field.default for name, field in FIELDS.items()}
    filled = deepcopy({**built_in, **defaults, **value})
    for layer in (defaults, built_in):
        filled["retry_policy"] = {**layer.get("retry_policy", {}), **filled["retry_policy"]}
    return cast("Task", filled)


def taken(value: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults of the settings that count for a task: it does not say them itself."""
    return {name: each for name, each in defaults.items() if name not in value}


def _unknown(name: str) -> str:
    near = get_close_matches(name, FIELDS, n=1, cutoff=0.6)
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    return f"unknown key {name!r}{meant}; your own keys start with {FREE_PREFIX}"


def _contradictions(task: Task, stem: str) -> Iterator[Problem]:
    """What no field says alone."""
    if stem and stem != task["id"]:
        yield Problem("id", f"is {task['id']!r}, and the file is called {stem!r}")
    most = task["retry_policy"]["max_attempts"]
    if task["attempt"] > most:
        yield Problem("attempt", f"is {task['attempt']}, with at most {most} attempts allowed")
    if task["id"] in task["depends_on"] or task["base"] == f"task:{task['id']}":
        yield Problem("depends_on", "names the task itself")


def circle(waits: Mapping[str, Sequence[str]]) -> list[str]:
    """Names of tasks of which each waits for the next, and the last for the first; [] if there are none.

    ``waits``: for each task that waits, those that it depends on.
    """
    over: set[str] = set()
    for start in waits:
        way: list[str] = []
        stack = [(start, 0)]
        while stack:
            name, depth = stack.pop()
            del way[depth:]
            if name in way:
                return way[way.index(name) :]
            if name in over:
                continue
            over.add(name)
            way.append(name)
            stack += [(each, depth + 1) for each in waits.get(name, ())]
    return []


# -- one value against its schema ----------------------------------------------------------------


def _problems(where: str, value: Any, field: Field) -> Iterator[Problem]:
    found = list(_against(where, value, field.schema))
    yield from found
    if found or field.check is None:
        return
    for at, each in enumerate(value) if isinstance(value, list) else [(None, value)]:
        what = field.check(each)
        if what:
            yield Problem(where if at is None else f"{where}[{at}]", what)


_TYPES: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "string": (str, "a text"),
    "boolean": (bool, "true or false"),
    "integer": (int, "a whole number"),
    "number": ((int, float), "a number"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


def _against(where: str, value: Any, schema: Mapping[str, Any]) -> Iterator[Problem]:
    """The problems of a value by the keywords of JSON Schema that ``FIELDS`` uses.

    But for ``pattern``: the field's ``check`` says as text what it says.
    """
    if "enum" in schema:
        if value not in schema["enum"]:
            yield Problem(where, f"must be one of {', '.join(schema['enum'])}")
        return
    types, name = _TYPES[schema["type"]]
    if not isinstance(value, types) or (isinstance(value, bool) and types is not bool):
        yield Problem(where, f"must be {name}, not {_short(value)}")
    elif isinstance(value, str):
        yield from _text_problems(where, value, schema)
    elif isinstance(value, list):
        if len(value) > schema["maxItems"]:
            yield Problem(where, f"has more than {schema['maxItems']:,} entries")
        for at, each in enumerate(value[: schema["maxItems"]]):
            yield from _against(f"{where}[{at}]", each, schema["items"])
    elif isinstance(value, dict):
        yield from _object_problems(where, value, schema["properties"])
    elif "minimum" in schema:
        yield from _number_problems(where, value, schema)


def _number_problems(where: str, value: Any, schema: Mapping[str, Any]) -> Iterator[Problem]:
    least, most = schema["minimum"], schema.get("maximum", float("inf"))
    if not least <= value <= most:
        limits = f"from {least:,} to {most:,}" if "maximum" in schema else f"at least {least}"
        yield Problem(where, f"must be {limits}, not {_short(value)}")


def _text_problems(where: str, text: str, schema: Mapping[str, Any]) -> Iterator[Problem]:
    if len(text) > schema["maxLength"]:
        yield Problem(where, f"is longer than {schema['maxLength']:,} characters")
    elif len(text.strip()) < schema.get("minLength", 0):
        yield Problem(where, "is empty")


def _object_problems(
    where: str, value: Mapping[str, Any], properties: Mapping[str, Any]
) -> Iterator[Problem]:
    for name, each in value.items():
        if name in properties:
            yield from _against(f"{where}.{name}", each, properties[name])
        else:
            yield Problem(where, f"unknown key {name!r}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


# end of module
