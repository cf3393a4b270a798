"""Whether a value fits ``docs/schemas/cli-answer.json``: the few words of JSON Schema that are in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ANSWER: Mapping[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "schemas" / "cli-answer.json").read_text("utf-8")
)
_TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}
_KNOWN = {
    *("$schema", "title", "description", "type", "enum", "const", "oneOf"),
    *("required", "properties", "additionalProperties", "items"),
}


def misfits(value: Any, schema: Mapping[str, Any] = ANSWER, at: str = "answer") -> Iterator[str]:
    """What does not fit, one text each. A word that this does not know is an error of the test."""
    assert schema.keys() <= _KNOWN, schema.keys() - _KNOWN
    if "type" in schema and not isinstance(value, _TYPES[schema["type"]]):
        yield f"{at} is no {schema['type']}: {value!r}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is none of {schema['enum']}: {value!r}"
    if "const" in schema and value != schema["const"]:
        yield f"{at} is not {schema['const']!r}: {value!r}"
    yield from (f"{at} has no {each}" for each in schema.get("required", ()) if each not in value)
    inner = schema.get("properties", {})
    if schema.get("additionalProperties") is False:
        yield from (f"{at} has {each}, too" for each in value if each not in inner)
    for name, each in inner.items():
        if name in value:
            yield from misfits(value[name], each, f"{at}.{name}")
    for number, each in enumerate(value if "items" in schema else ()):
        yield from misfits(each, schema["items"], f"{at}[{number}]")
    if "oneOf" in schema and sum(not [*misfits(value, each)] for each in schema["oneOf"]) != 1:
        yield f"{at} fits not exactly one of {schema['oneOf']}"


# end of module
