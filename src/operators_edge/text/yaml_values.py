"""The values of a YAML file that a program of the project takes its settings from.

A reader of the subset that such files are written in, for where the whole parser is too slow to load:
mappings, lists, texts in every style, flow collections, anchors, aliases and merge keys. Whatever else is in
a text makes it unknown. Owns that subset. Does not own what the values mean. Pure.
"""

from __future__ import annotations

import re
from typing import Any

from operators_edge.text.patterns import pattern

_MAX_TEXT = 256 * 1024
_MAX_DEPTH = 40
_MAX_VALUES = 20_000

_KEY = pattern(
    r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\s\"'\[\]{}#&*!|>%@`,?-][^\n]*?|[?-](?=\S)[^\n]*?)"
    r"[ \t]*:(?=[ \t]|$)"
)
_ANCHOR = pattern(r"&([^\s,\[\]{}]+)[ \t]*")
_ALIAS = pattern(r"\*([^\s,\[\]{}]+)[ \t]*")
_BLOCK = pattern(r"([|>])([+-]?)([1-9]?)([+-]?)[ \t]*(?:#.*)?$")
_COMMENT = pattern(r"(?:^|[ \t])#.*$")
_INT = pattern(r"[-+]?(?:0|[1-9][0-9]*)$")
_FLOAT = pattern(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
_PLAIN = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "on", "On"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "off", "Off"), False),
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "\\": "\\", "/": "/", " ": " "}


class Keys(dict[str, Any]):
    """A mapping, with the number of the line of each key."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


def read(text: str) -> Any:
    """Return the values of the first document; None if there are none, or the text is not understood."""
    if len(text) > _MAX_TEXT or "\t" in re.sub(r"(?m)(?<=\S)[^\n]*", "", text):
        return None
    try:
        reader = _Reader(text)
        found = reader.block(-1, 0)
        return None if reader.peek() is not None else found
    except (_UnknownError, RecursionError):
        return None


class _UnknownError(Exception):
    """The text is not of the subset that is read."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        self.at = 0
        self.anchors: dict[str, Any] = {}
        self.count = 0
        self._start()

    def _start(self) -> None:
        """Skip what comes before the first document, and leave out what comes after it."""
        while self.at < len(self.lines) and not self._is_content(self.lines[self.at]):
            self.at += 1
        if self.at < len(self.lines) and self.lines[self.at].rstrip() == "---":
            self.at += 1
        for number in range(self.at, len(self.lines)):
            if self.lines[number].rstrip() in ("---", "..."):
                del self.lines[number:]
                break

    @staticmethod
    def _is_content(line: str) -> bool:
        return line.strip() != "" and line.lstrip()[0] != "#"

    def peek(self) -> tuple[int, str] | None:
        """The next line with something on it: how far it is indented, and the rest."""
        while self.at < len(self.lines) and not self._is_content(self.lines[self.at]):
            self.at += 1
        if self.at >= len(self.lines):
            return None
        line = self.lines[self.at].rstrip()
        rest = line.lstrip(" ")
        return len(line) - len(rest), rest

    def noted(self, value: Any) -> Any:
        self.count += 1
        if self.count > _MAX_VALUES:
            raise _UnknownError
        return value

    def block(self, parent: int, depth: int) -> Any:
        """What is indented by more than ``parent``."""
        found = self.peek()
        if found is None or found[0] <= parent:
            return None
        if depth > _MAX_DEPTH:
            raise _UnknownError
        indent, rest = found
        if rest == "-" or rest.startswith("- "):
            return self.sequence(indent, depth)
        if _KEY.match(rest):
            return self.mapping(indent, depth)
        self.at += 1
        return self.value(rest, parent, depth)

    def sequence(self, indent: int, depth: int) -> list[Any]:
        items: list[Any] = []
        while (found := self.peek()) is not None and found[0] == indent:
            rest = found[1]
            if rest != "-" and not rest.startswith("- "):
                break
            inner = rest[1:].lstrip(" ")
            if inner and (_KEY.match(inner) or inner == "-" or inner.startswith("- ")):
                # What begins beside the dash goes on below it.
                width = len(rest) - len(inner)
                self.lines[self.at] = " " * (indent + width) + inner
                items.append(self.noted(self.block(indent, depth + 1)))
            else:
                self.at += 1
                items.append(self.noted(self.value(inner, indent, depth + 1)))
        found = self.peek()
        if found is not None and found[0] > indent:
            raise _UnknownError
        return items

    def mapping(self, indent: int, depth: int) -> Keys:
        made = Keys()
        merged: list[Any] = []
        while (found := self.peek()) is not None and found[0] == indent:
            key = _KEY.match(found[1])
            if key is None:
                break
            name = _unquoted(key[1])
            self.at += 1
            number = self.at
            rest = found[1][key.end() :].strip(" ")
            value = self.noted(self.value(rest, indent, depth + 1, in_mapping=True))
            if name == "<<":
                merged += value if isinstance(value, list) else [value]
            elif name in made:
                raise _UnknownError
            else:
                made[name] = value
                made.lines[name] = number
        found = self.peek()
        if found is not None and found[0] > indent:
            raise _UnknownError
        for one in merged:
            if not isinstance(one, Keys):
                raise _UnknownError
            for each, value in one.items():
                if each not in made:
                    made[each] = value
                    made.lines[each] = one.lines.get(each, 1)
        return made

    def value(self, rest: str, indent: int, depth: int, *, in_mapping: bool = False) -> Any:
        """The value that begins with ``rest``; what belongs to it is indented by more than ``indent``."""
        if anchor := _ANCHOR.match(rest):
            value = self.value(rest[anchor.end() :], indent, depth, in_mapping=in_mapping)
            self.anchors[anchor[1]] = value
            return value
        first = rest[:1]
        if first in ("", "#"):
            found = self.peek()
            is_list = found is not None and (found[1] == "-" or found[1].startswith("- "))
            if in_mapping and is_list and found is not None and found[0] == indent:
                return self.sequence(indent, depth)
            return self.block(indent, depth)
        if first == "*":
            return self.alias(rest)
        if first in "|>" and (style := _BLOCK.match(rest)):
            return self.literal(style, indent)
        if first in "!%@`?" or rest.startswith("- "):
            raise _UnknownError
        return self.flow(rest, indent) if first in "\"'[{" else self.plain(rest, indent)

    def plain(self, rest: str, indent: int) -> Any:
        """A value without quotes, which may go on on the next lines."""
        text = _COMMENT.sub("", rest).strip()
        while (found := self.peek()) is not None and found[0] > indent:
            if _KEY.match(found[1]) or _COMMENT.search(rest):
                raise _UnknownError
            rest = found[1]
            self.at += 1
            text += " " + _COMMENT.sub("", rest).strip()
        return _plain(text)

    def alias(self, rest: str) -> Any:
        alias = _ALIAS.match(rest)
        after = rest[alias.end() :] if alias else rest
        if alias is None or alias[1] not in self.anchors or after[:1] not in ("", "#"):
            raise _UnknownError
        return self.anchors[alias[1]]

    def literal(self, style: re.Match[str], indent: int) -> str:
        """A text of several lines as it is written, or folded into one."""
        kept: list[str] = []
        width = int(style[3]) + max(indent, 0) if style[3] else 0
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip():
                depth = len(line) - len(line.lstrip(" "))
                width = width or depth
                if depth <= indent or depth < width:
                    break
            kept.append(line[width:].rstrip() if not line.strip() else line[width:])
            self.at += 1
        ending = style[2] or style[4]
        text = "\n".join(kept)
        if style[1] == ">":
            text = re.sub(r"(?<=\S)\n(?=\S)", " ", text)
            text = re.sub(r"\n\n", "\n", text)
        if ending == "+":
            return text + "\n"
        text = text.rstrip("\n")
        return text if ending == "-" or not text else text + "\n"

    def flow(self, rest: str, indent: int) -> Any:
        """A quoted text or a collection in brackets, which may go on on the next lines."""
        text = rest
        while True:
            flow = _Flow(self, text)
            try:
                value = flow.value(0)
            except _OpenError:
                found = self.peek()
                if found is None or (found[0] <= indent and found[1][:1] not in "]}"):
                    raise _UnknownError from None
                self.at += 1
                text += " " + found[1]
                continue
            if flow.left().strip()[:1] not in ("", "#"):
                raise _UnknownError
            return value


class _OpenError(Exception):
    """A collection or a text in quotes is not closed yet."""


class _Flow:
    """A value in brackets or quotes."""

    def __init__(self, reader: _Reader, text: str) -> None:
        self.reader = reader
        self.text = text
        self.at = 0

    def left(self) -> str:
        return self.text[self.at :]

    def _skip(self) -> str:
        while self.at < len(self.text):
            if self.text[self.at] in " \n":
                self.at += 1
            else:
                return self.text[self.at]
        raise _OpenError

    def value(self, depth: int) -> Any:
        first = self._skip()
        if depth > _MAX_DEPTH:
            raise _UnknownError
        if first == "[":
            return self._list(depth)
        if first == "{":
            return self._mapping(depth)
        if first in "\"'":
            return self._quoted(first)
        if first == "*" and (alias := _ALIAS.match(self.text, self.at)):
            self.at = alias.end()
            if alias[1] not in self.reader.anchors:
                raise _UnknownError
            return self.reader.anchors[alias[1]]
        if first in "&!%@`|>#":
            raise _UnknownError
        word = re.compile(r"(?:[^,\[\]{}:#]|:(?![\s,\]}]|$)|(?<!\s)#)+").match(self.text, self.at)
        if word is None:
            raise _UnknownError
        self.at = word.end()
        return _plain(word[0].strip())

    def _list(self, depth: int) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        while self._skip() != "]":
            items.append(self.reader.noted(self.value(depth + 1)))
            if self._skip() == ",":
                self.at += 1
            elif self._skip() != "]":
                raise _UnknownError
        self.at += 1
        return items

    def _mapping(self, depth: int) -> Keys:
        self.at += 1
        made = Keys()
        while (first := self._skip()) != "}":
            if first in "\"'":
                name = str(self._quoted(first))
            else:
                word = re.compile(r"[^,\[\]{}:\"']+").match(self.text, self.at)
                if word is None:
                    raise _UnknownError
                self.at, name = word.end(), word[0].strip()
            value = None
            if self._skip() == ":":
                self.at += 1
                value = None if self._skip() in ",}" else self.value(depth + 1)
            if name in made or name == "<<":
                raise _UnknownError
            made[name] = self.reader.noted(value)
            made.lines[name] = self.reader.at
            if self._skip() == ",":
                self.at += 1
            elif self._skip() != "}":
                raise _UnknownError
        self.at += 1
        return made

    def _quoted(self, quote: str) -> str:
        closed = re.compile(
            r"\"((?:[^\"\\]|\\.)*)\"" if quote == '"' else r"'((?:[^']|'')*)'(?!')", re.DOTALL
        ).match(self.text, self.at)
        if closed is None:
            raise _OpenError
        self.at = closed.end()
        return _unquoted(closed[0])


def _unquoted(text: str) -> str:
    if text[:1] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[:1] == '"' and len(text) > 1:

        def escaped(match: re.Match[str]) -> str:
            if match[1] not in _ESCAPES:
                raise _UnknownError
            return _ESCAPES[match[1]]

        return re.sub(r"\\(.)", escaped, text[1:-1], flags=re.DOTALL)
    return text


def _plain(text: str) -> Any:
    if text in _PLAIN:
        return _PLAIN[text]
    if _INT.match(text) and len(text) < 20:
        return int(text)
    return float(text) if _FLOAT.match(text) else text


# end of module
