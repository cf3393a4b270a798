"""The published JSON Schemas of task, result and events: ``docs/schemas`` holds what these return.

Pure. A result's schema is made from its types, so the two cannot differ.
"""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from operators_edge.bridge import task
from operators_edge.bridge.events import EVENTS
from operators_edge.bridge.result import REASONS, Result

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def of_task() -> dict[str, Any]:
    """The schema of a task file."""
    properties = {}
    for name, field in task.FIELDS.items():
        default = {} if field.default is None else {"default": field.default}
        properties[name] = {**field.schema, "description": field.about, **default}
    return {
        "$schema": _DIALECT,
        "title": "A task for the Bridge",
        "type": "object",
        "required": list(task.REQUIRED),
        "properties": properties,
        "patternProperties": {f"^{task.FREE_PREFIX}": {}},
        "additionalProperties": False,
    }


def of_result() -> dict[str, Any]:
    """The schema of a result file; ``reason`` lists every reason, and what it means."""
    schema = {"$schema": _DIALECT, "title": "The result of an attempt", **_of_type(Result)}
    meanings = [{"const": name, "description": each.about} for name, each in REASONS.items()]
    schema["properties"]["reason"] = {"oneOf": [{"type": "null"}, *meanings]}
    schema["required"] = ["id", "status", "exit_path", "reason", "attempt", "timestamp"]
    return schema


def of_event() -> dict[str, Any]:
    """The schema of one line of ``edge bridge watch --json``."""
    every = {
        "event": {"type": "string"},
        "task": {"type": "string", "description": "The task; empty for one of the watcher itself."},
        "at": {"type": "string", "format": "date-time"},
    }
    kinds = []
    for name, each in EVENTS.items():
        fields = {
            key: {"type": [kind, "null"], "description": about}
            for key, (kind, about) in each.fields.items()
        }
        known = {**every, "event": {"const": name}, **fields}
        kinds.append({"description": each.about, "type": "object", "properties": known})
    title = "An event of a watcher"
    return {"$schema": _DIALECT, "title": title, "required": list(every), "oneOf": kinds}


def _of_type(kind: Any) -> dict[str, Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        return {"type": "object", "properties": {name: _of_type(hints[name]) for name in hints}}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": _of_type(inner[0])}
    if origin is dict:
        values = {} if inner[1] is Any else {"additionalProperties": _of_type(inner[1])}
        return {"type": "object", **values}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of_type(each) for each in inner]}
    return {"type": _NAMES[kind]}


# end of module
