"""Paths outside of the project, and buckets, that a program's files of settings name.

Owns reading such a file whatever its format, and which values count. Does not own finding the files
(``gate.disk.whole_programs``), nor what a program does with them (``shell.code.path_flow``). Pure.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk import settings
from operators_edge.locations import is_within
from operators_edge.shell.code.path_flow import plain
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import ENDINGS, values_of, yaml_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

_MAY_COUNT = pattern(r"(?<![\w:/.])/\w|~/|\bHOME\b|\.\./|://")
_HOME = pattern(r"\A(?:~|\$\{?(?:HOME|user\.home)\}?|%USERPROFILE%)(?=/|\Z)")
_PLACE = pattern(r"(?:~|/)?[\w.@+ /-]+")
_BUCKET = pattern(r"(?:s3[an]?|gs|hdfs|abfss?|wasbs?|oss|cosn?)://[\w.@-]+(?:/[\w.=*/-]*)?")
_NO_FOLDER = ("/dev", "/proc", "/sys", "/bin", "/usr/bin", "/usr/local/bin")
_MAX_VALUES = 2_000


def named_paths(
    texts: Mapping[str, str], root: str, temp: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return such values by the ends of the names that they have in the files of settings."""
    found: dict[str, list[str]] = {}
    for name, text in texts.items():
        if not _MAY_COUNT.search(text):
            continue
        for path, value in _values(name, text):
            outside = _outside(value.strip(), root, temp)
            names = [plain(one) for one in path]
            for start in range(len(names)) if outside else ():
                key = "".join(names[start:])
                if key and outside not in found.setdefault(key, []):
                    found[key].append(outside)
    return {key: tuple(values) for key, values in found.items()}


def _outside(value: str, root: str, temp: Sequence[str]) -> str:
    """A value as a place outside of the project; "" for any other."""
    if _BUCKET.fullmatch(value):
        return value
    path = _HOME.sub("~", value)
    if not _PLACE.fullmatch(path) or path.strip("/") in ("", "~"):
        return ""
    if path[:2] == "~/":
        return path
    whole = os.path.normpath(os.path.join(root, path))
    if any(is_within(whole, one) for one in (root, *temp, *_NO_FOLDER)):
        return ""
    is_named = path[:1] == "/" or path[:3] == "../"
    return whole if is_named else ""


def _values(name: str, text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The texts of a file of settings, each with the names that lead to it."""
    data = values_of(name, text, yaml_of) if name.endswith(ENDINGS) else None
    if data is None:  # a name and its value on one line are read anyway
        for one in settings.read(text):
            yield tuple(re.split(r"[.:]", one.name)), one.value
        return
    left: list[tuple[tuple[str, ...], Any]] = [((), data)]
    count = 0
    while left and count < _MAX_VALUES:
        names, value = left.pop()
        count += 1
        if isinstance(value, str):
            yield names, value
        elif isinstance(value, (dict, list)):
            left += [(one, each) for one, each in _inner(names, value)]


def _inner(
    names: tuple[str, ...], value: dict[Any, Any] | list[Any]
) -> Iterable[tuple[tuple[str, ...], Any]]:
    if isinstance(value, list):
        return [(names, one) for one in value]
    return [((*names, *re.split(r"[.:]", str(key))), one) for key, one in value.items()]


# end of module
