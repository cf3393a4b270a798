"""The values of a file of settings in JSON, TOML or YAML, and what stands where in them.

Owns which ending is for which format, and that a file that cannot be read is unknown, not empty. Does not own
settings that are read line by line (``gate.disk.settings``). Pure.
"""

from __future__ import annotations

import json
import os.path
import re
from functools import lru_cache

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

OTHER = object()
"""Stands for a value of YAML that is not a text."""
_MAX_YAML = 65_536
_COMMENT = pattern(r"(\"(?:[^\"\\]|\\.)*\")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])", re.DOTALL)
_JSON = (".json", ".json5", ".jsonc")
_YAML = (".yaml", ".yml")
ENDINGS = (*_JSON, *_YAML, ".toml")


def _subset_of_yaml(text: str) -> Any:
    from operators_edge.text import yaml_values  # noqa: PLC0415 - few commands have such a file

    return yaml_values.read(text)


def json_of(text: str) -> Any:
    """The value of a text in JSON, which may have comments as that of tools has; None if it is none."""
    text = text.removeprefix("\ufeff")
    found = _read(json.loads, text)
    return _read(json.loads, _COMMENT.sub(_kept, text)) if found is None else found


def _kept(found: re.Match[str]) -> str:
    return found[1] or ""


def values_of(name: str, text: str, yaml: Callable[[str], Any] = _subset_of_yaml) -> Any:
    """The values of a file; None if they are not known, or there are none.

    A file without an ending, such as ``.releaserc``, may hold JSON or YAML. ``yaml`` reads the latter
    (``yaml_of``: of what is not certain, nothing).
    """
    ending = os.path.splitext(os.path.basename(name).lstrip("."))[1]
    if ending == ".toml":
        return toml(text)
    found = json_of(text) if ending in ("", *_JSON) else None
    return _read(yaml, text) if found is None and ending in ("", *_YAML) else found


def _read(parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=8)
def toml(text: str) -> dict[str, Any] | None:
    """The tables of a file, which may be asked for several things; None if it is no TOML."""
    import tomllib  # noqa: PLC0415 - few projects have such a file

    found: dict[str, Any] | None = _read(tomllib.loads, text.removeprefix("\ufeff"))
    return found


def values_at(value: object, place: str) -> Iterator[object]:
    """What stands at a place, ``*`` being any name or each item of a list."""
    if not place:
        yield value
        return
    first, _, rest = place.partition(".")
    if isinstance(value, dict):
        for one in value.values() if first == "*" else [value.get(first)]:
            if one is not None:
                yield from values_at(one, rest)
    elif isinstance(value, list) and first == "*":
        for one in value:
            yield from values_at(one, rest)


def strings_in(value: object) -> Iterator[str]:
    """The texts in a value, in lists and tables too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for one in value if isinstance(value, list) else value.values():
            yield from strings_in(one)


def yaml_of(text: str) -> Any:
    """Read a document of maps, lists and texts; what is not certain of it raises ValueError."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - see its cost
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - as above

    if len(text) > _MAX_YAML:
        raise ValueError(len(text))
    try:
        return _texts_of(YAML(typ="safe", pure=True).compose(text))
    except YAMLError as problem:
        raise ValueError(problem) from problem


def _texts_of(node: Any) -> Any:
    if node is None or node.anchor is not None:  # an alias could stand for it somewhere else
        raise ValueError(node)
    if node.id == "sequence":
        return [_texts_of(one) for one in node.value]
    if node.id == "scalar":
        return node.value if node.tag == "tag:yaml.org,2002:str" else OTHER
    found = {key.value: _texts_of(value) for key, value in node.value}
    if len(found) < len(node.value) or "<<" in found:
        raise ValueError(node)
    return found


# end of module
