"""YAML text that people wrote, as plain data, with line and column of any error.

Owns the parser (ruamel.yaml, YAML 1.2) and the limits of its cost. Does not own edits (``state.yaml_edit``)
or the machine block (``state.document``).
"""

from __future__ import annotations

import re

from operators_edge.errors import StateDamaged
from operators_edge.state.schema import is_same
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

    from operators_edge.model import State

MAX_VALUES = 200_000
"""More values than this, with aliases expanded, are an alias bomb, not a state."""

HINT = "fix it there, or: edge history, then edge history restore N"
_TAG = "tag:yaml.org,2002:"
_CONFLICT = pattern(r"(?m)^(<{7}|>{7}|\|{7})( |$)|^={7}$")


class Tree:
    """A parsed text: its plain ``values``, and for each top-level key its name and both nodes.

    A key in ``may_repeat`` can occur twice with the same value.
    """

    __slots__ = ("entries", "is_flow", "values")

    def __init__(self, text: str, path: str, *, may_repeat: Container[str] = ()) -> None:
        root = _compose(text, path)
        self.is_flow = False
        self.entries: list[tuple[str, Any, Any]] = []
        self.values: State = {}
        if root is None:
            return
        if root.id != "mapping":
            raise _damage(path, "is a list or a string, not keys with values", root.start_mark)
        self.is_flow = bool(root.flow_style)
        plain = _Plain(path)
        for key, node in root.value:
            name = plain.name(key)
            value = plain.of(node)
            if name in self.values and not (
                name in may_repeat and is_same(value, self.values[name])
            ):
                raise _damage(path, f"has the key {name} twice", key.start_mark)
            self.entries.append((name, key, node))
            self.values[name] = value


def _compose(text: str, path: str) -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - as slow as the whole hook; only to parse YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415
    from ruamel.yaml.reader import ReaderError  # noqa: PLC0415

    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise StateDamaged(path, "has a merge conflict", line=line, column=1, hint=HINT)
    try:
        return YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        raise _damage(path, problem, error.problem_mark or error.context_mark) from error
    except ReaderError as error:
        before = text[: error.position]
        column = len(before) - before.rfind("\n")
        problem = f"has the character U+{ord(text[error.position]):04X}, which YAML does not allow"
        line = before.count("\n") + 1
        raise StateDamaged(path, problem, line=line, column=column, hint=HINT) from error
    except (YAMLError, ValueError) as error:
        raise StateDamaged(path, str(error), hint=HINT) from error
    except RecursionError as error:
        raise StateDamaged(path, "is nested too deeply", hint=HINT) from error


def _damage(path: str, problem: str, mark: Any) -> StateDamaged:
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
    return StateDamaged(path, problem, line=line, column=column, hint=HINT)


class _Plain:
    """Nodes to plain data. Text that looks like a date stays text; keys are strings."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._count = 0
        self._open: set[int] = set()

    def name(self, key: Any) -> str:
        if key.id != "scalar":
            raise _damage(self._path, "has a list or mapping as a key", key.start_mark)
        return str(key.value)

    def of(self, node: Any) -> Any:
        self._count += 1
        if self._count > MAX_VALUES:
            raise _damage(self._path, "has too many values (aliases written out)", None)
        if node.id == "scalar":
            return self._scalar(node)
        if id(node) in self._open:
            raise _damage(self._path, "has an alias inside its own anchor", node.start_mark)
        self._open.add(id(node))
        try:
            if node.id == "sequence":
                return [self.of(each) for each in node.value]
            return self._mapping(node)
        except RecursionError as error:
            raise _damage(self._path, "is nested too deeply", node.start_mark) from error
        finally:
            self._open.discard(id(node))

    def _mapping(self, node: Any) -> State:
        merged: State = {}
        own: State = {}
        for key, value in node.value:
            name = self.name(key)
            if key.tag == _TAG + "merge":
                parts = self.of(value)
                for part in reversed(parts if isinstance(parts, list) else [parts]):
                    if not isinstance(part, dict):
                        raise _damage(self._path, "merges what is not a mapping", key.start_mark)
                    merged.update(part)
            elif name in own:
                raise _damage(self._path, f"has the key {name} twice", key.start_mark)
            else:
                own[name] = self.of(value)
        return merged | own

    def _scalar(self, node: Any) -> Any:
        kind = node.tag.removeprefix(_TAG)
        text = node.value.replace("_", "")
        try:
            if kind == "null":
                return None
            if kind == "bool":
                return node.value.lower() == "true"
            if kind == "int":
                return int(text, 8) if re.match(r"[-+]?0o", text) else _integer(text)
            if kind == "float":
                return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
        except ValueError as error:
            raise _damage(self._path, f"{node.value!r} is not a {kind}", node.start_mark) from error
        return node.value


def _integer(text: str) -> int:
    digits = text.lstrip("+-")
    base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 10)
    return int(text, base)


# end of module
