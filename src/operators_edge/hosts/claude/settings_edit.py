"""A settings file as text: values are added and removed, every other byte is kept.

A JSON library would rewrite the whole file and lose the person's layout. Here each change is one splice
into the text. Owns the layout; the values are in ``hosts.claude.wiring``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from operators_edge.errors import StateDamaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

_BLANK = " \t\n\r"
_HINT = "Fix the file by hand (JSON without comments); nothing was written."


@dataclass(slots=True)
class Node:
    """One value of the text, from ``start`` to ``end``.

    ``children`` are its members or items, each from where it begins (a member: at its key) to where
    its value ends.
    """

    kind: Literal["object", "array", "plain"]
    start: int
    end: int
    children: list[Child] = field(default_factory=list)


@dataclass(slots=True)
class Child:
    key: str
    start: int
    node: Node


class SettingsText:
    """A settings file's text. ``value`` is its content. StateDamaged: it is not a JSON object."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self._load(text)

    def _load(self, text: str) -> None:
        self.text = text
        self.value: dict[str, Any] = _loaded(text, self.path)
        self._root = _node(text, _past_blanks(text, 0))

    def append(self, keys: tuple[str, ...], item: Any) -> None:
        """Add an item at the end of the array at ``keys``; missing containers are created."""
        node = self._root
        for depth, key in enumerate(keys):
            child = self._member(node, key, keys[:depth])
            if child is None:
                value: Any = [item]
                for missing in reversed(keys[depth + 1 :]):
                    value = {missing: value}
                self._insert(node, key, value)
                return
            node = child.node
        if node.kind != "array":
            raise self._odd(node, keys, "a list")
        self._insert(node, "", item)

    def put(self, keys: tuple[str, ...], value: Any) -> None:
        """Add a member that is not there; missing containers are created."""
        node = self._root
        for depth, key in enumerate(keys):
            child = self._member(node, key, keys[:depth])
            if child is None:
                for missing in reversed(keys[depth + 1 :]):
                    value = {missing: value}
                self._insert(node, key, value)
                return
            node = child.node
        raise self._odd(node, keys, "free")

    def remove(self, keys: tuple[str | int, ...]) -> None:
        """Remove the member or item at ``keys``, with its comma."""
        parent = self._at(keys[:-1])
        index = self._index(parent, keys[-1])
        children = parent.children
        if index > 0:
            cut = (children[index - 1].node.end, children[index].node.end)
        elif len(children) > 1:
            cut = (children[0].start, children[1].start)
        else:
            cut = (parent.start + 1, parent.end - 1)
        self._load(self.text[: cut[0]] + self.text[cut[1] :])

    def remove_hooks(self, event: str, is_wanted: Callable[[Any], bool]) -> None:
        """Remove these hooks of an event, and each group that has no others."""
        for index, group in reversed([*enumerate(self.value["hooks"][event])]):
            inner = group.get("hooks") if isinstance(group, dict) else None
            hooks = inner if isinstance(inner, list) else []
            found = [number for number, hook in enumerate(hooks) if is_wanted(hook)]
            if found and len(found) == len(hooks):
                self.remove(("hooks", event, index))
                continue
            for number in reversed(found):
                self.remove(("hooks", event, index, "hooks", number))

    def _at(self, keys: tuple[str | int, ...]) -> Node:
        node = self._root
        for key in keys:
            node = node.children[self._index(node, key)].node
        return node

    @staticmethod
    def _index(node: Node, key: str | int) -> int:
        if isinstance(key, int):
            return key
        return [child.key for child in node.children].index(key)

    def _member(self, node: Node, key: str, above: tuple[str, ...]) -> Child | None:
        if node.kind != "object":
            raise self._odd(node, above, "an object")
        found = [child for child in node.children if child.key == key]
        if len(found) > 1:
            # JSON readers use the last one; a person may see only the first.
            line, column = _where(self.text, found[1].start)
            problem = f'"{key}" occurs a second time here'
            raise StateDamaged(self.path, problem, line=line, column=column, hint=_HINT)
        return found[0] if found else None

    def _odd(self, node: Node, keys: tuple[str, ...], wanted: str) -> StateDamaged:
        line, column = _where(self.text, node.start)
        problem = f"{'.'.join(keys)} is not {wanted}"
        return StateDamaged(self.path, problem, line=line, column=column, hint=_HINT)

    def _insert(self, node: Node, key: str, value: Any) -> None:
        """Add a child at the end of ``node``, in the layout of its siblings."""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        unit = self._unit()
        if node.children:
            last = node.children[-1]
            indent = _indent(self.text, last.start)
            start = end = last.node.end
            if indent is None:
                text = ", " + _rendered(key, value)
            else:
                text = f",{newline}{indent}{_rendered(key, value, unit, indent, newline)}"
        else:
            start, end = node.start + 1, node.end - 1
            if unit is None:
                text = _rendered(key, value)
            else:
                outer = _line_indent(self.text, node.start)
                indent = outer + unit
                inner = _rendered(key, value, unit, indent, newline)
                text = f"{newline}{indent}{inner}{newline}{outer}"
        self._load(self.text[:start] + text + self.text[end:])

    def _unit(self) -> str | None:
        """One level of the file's indentation; None for a file on one line."""
        if not self._root.children:
            return "  "
        indent = _indent(self.text, self._root.children[0].start)
        if indent:
            return indent
        return "  " if "\n" in self.text[self._root.start : self._root.end] else None


def _loaded(text: str, path: str) -> dict[str, Any]:
    if text.startswith("\ufeff"):
        problem = "it begins with a byte order mark"
        raise StateDamaged(path, problem, line=1, column=1, hint="Save it as UTF-8 without one.")
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        at = _comment(text, error.pos)
        problem = "comments are not allowed in JSON" if at else f"not valid JSON: {error.msg}"
        raise StateDamaged(
            path, problem, line=error.lineno, column=error.colno, hint=_HINT
        ) from error
    except RecursionError as error:
        raise StateDamaged(path, "it is nested too deeply", hint=_HINT) from error
    if not isinstance(value, dict):
        raise StateDamaged(path, "it is not a JSON object", line=1, column=1, hint=_HINT)
    return value


def _comment(text: str, position: int) -> bool:
    return text[position : position + 2] in ("//", "/*") or text[position : position + 1] == "#"


def _node(text: str, at: int) -> Node:
    """The value at ``at`` of a text that is known to be valid JSON."""
    if text[at] not in "{[":
        _, end = _DECODER.raw_decode(text, at)
        return Node("plain", at, end)
    node = Node("object" if text[at] == "{" else "array", at, 0)
    at = _past_blanks(text, at + 1)
    while text[at] not in "}]":
        start, key = at, ""
        if node.kind == "object":
            key, at = _DECODER.raw_decode(text, at)
            at = _past_blanks(text, _past_blanks(text, at) + 1)
        child = _node(text, at)
        node.children.append(Child(key, start, child))
        at = _past_blanks(text, child.end)
        if text[at] == ",":
            at = _past_blanks(text, at + 1)
    node.end = at + 1
    return node


_DECODER = json.JSONDecoder()


def _past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _rendered(
    key: str, value: Any, unit: str | None = None, indent: str = "", newline: str = "\n"
) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=unit)
    if unit is not None:
        text = text.replace("\n", newline + indent)
    return f"{json.dumps(key, ensure_ascii=False)}: {text}" if key else text


def _indent(text: str, position: int) -> str | None:
    """The spaces before ``position`` on its line; None if there is other text before it."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    on_own_line = "\n" in text[:position] and not line.strip(_BLANK)
    return line if on_own_line else None


def _line_indent(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _where(text: str, position: int) -> tuple[int, int]:
    before = text[:position]
    return before.count("\n") + 1, position - before.rfind("\n")


# end of module
