"""Edits of YAML text that leave unchanged parts as they were written, comments included.

An edit is spliced into the text at the positions that the parser gives, then the result is parsed: it is
used only if it means exactly what was intended. If splicing is not possible, that one key is rewritten.
Does not own parsing (``state.yaml_read``) or which keys there are (``state.document``).
"""

from __future__ import annotations

import re

from operators_edge import jsons
from operators_edge.errors import StateDamaged, StateError
from operators_edge.state.schema import is_same
from operators_edge.state.yaml_read import Tree
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.model import State

_SIGNS = str.maketrans("", "", "_ ,./()'\"%+;&*!?=<>@$^~|-:")
"""What a plain value may hold beside letters and digits; after a colon comes no space."""
_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
_UNSAFE = pattern("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_ANCHOR = pattern(r"(?<![^\s,\[{])[&*]\S")
_CONTROL = pattern("[\x00-\x08\x0b-\x1f]")


def to_json(value: Any) -> str:
    """JSON on one line that is also YAML with the same meaning, and can always be encoded."""
    text = jsons.dumps(value, ensure_ascii=False, allow_nan=False)
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def to_block(state: State) -> str:
    """The keys and values as block YAML, each line ended."""
    return _mapping(state, 0) + "\n" if state else ""


def edit(text: str, path: str, base: State, wanted: State) -> str:
    """``text``, which means ``base``, changed so that it means ``wanted``.

    Raises StateError if an anchor connects the changed key with others.
    """
    for key in base:
        if key not in wanted or not is_same(base[key], wanted[key]):
            text = _edit_key(text, path, base, key, wanted)
            base = _with(base, key, wanted)
    added = {key: wanted[key] for key in wanted if key not in base}
    return text + to_block(added).replace("\n", newline_of(text))


def newline_of(text: str) -> str:
    """The line end that the text uses."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def rename_key(text: str, path: str, old: str, new: str) -> str:
    """The top-level key under its new name, its value untouched."""
    for name, key, _value in Tree(text, path).entries:
        if name == old:
            return text[: key.start_mark.index] + new + text[key.end_mark.index :]
    return text


def _with(base: State, key: str, wanted: State) -> State:
    changed = {each: base[each] for each in base if each != key}
    return changed | {key: wanted[key]} if key in wanted else changed


def _edit_key(text: str, path: str, base: State, key: str, wanted: State) -> str:
    # Parsing costs 2 ms per kilobyte, and as long as a command to begin with: first only the key's own lines,
    # which need none if they are as they would be written here; then, if that fails, everything.
    lines = _lines_of(text, key)
    if lines is not None:
        start, end = lines
        piece = _as_written_here(text[start:end], key, base, wanted)
        if piece is None and not _ANCHOR.search(text, start, end):
            piece = _edited(text[start:end], path, {key: base[key]}, key, wanted)
        if piece is not None:
            return text[:start] + piece + text[end:]
    whole = _edited(text, path, base, key, wanted)
    if whole is None:
        raise StateError(
            f"{path}: {key} cannot be changed in place, an anchor connects it with other keys",
            hint="Write the aliases out by hand, then repeat.",
        )
    return whole


def _as_written_here(lines: str, key: str, base: State, wanted: State) -> str | None:
    """The lines of a key with its new value, if ``to_block`` wrote the old one; a comment may follow it."""
    old = to_block({key: base[key]})
    rest = lines.removeprefix(old)
    if len(lines) != len(old) + len(rest) or rest[:1] not in ("", "#"):
        return None
    return (to_block({key: wanted[key]}) if key in wanted else "") + rest


def _lines_of(text: str, key: str) -> tuple[int, int] | None:
    """Where the key's lines seem to be; the caller verifies this by parsing them."""
    begin, start, end = 0, -1, len(text)
    for line in text.split("\n"):  # keys begin lines that nothing but a line feed ends
        if line.startswith(key) and line[len(key) :].lstrip(" ").startswith(":"):
            if start >= 0:
                return None
            start, end = begin, len(text)
        elif start >= 0 and end == len(text) and line.lstrip()[:1] == line[:1] not in "#-":
            end = begin
        begin += len(line) + 1
    return None if start < 0 else (start, end)


def _edited(text: str, path: str, base: State, key: str, wanted: State) -> str | None:
    try:
        tree = Tree(text, path)
    except StateDamaged:
        return None
    if not is_same(tree.values, base):
        return None
    target = _with(base, key, wanted)
    for way in (_spliced, _rewritten):
        try:
            result = way(text, tree, key, base[key], wanted)
            if is_same(Tree(result, path).values, target):
                return result
        except (_NotInPlace, StateDamaged):
            continue
    return None


def _rewritten(text: str, tree: Tree, key: str, _old: Any, wanted: State) -> str:
    """The key rewritten; comments inside its value are lost."""
    starts = [_line_start(text, node.start_mark.index) for _, node, _ in tree.entries]
    index = [name for name, _, _ in tree.entries].index(key)
    start, end = starts[index], [*starts, len(text)][index + 1]
    lines = text[start:end].splitlines(keepends=True)
    while len(lines) > 1 and (lines[-1].startswith("#") or not lines[-1].strip()):
        end -= len(lines.pop())
    new = to_block({key: wanted[key]}) if key in wanted else ""
    return text[:start] + new.replace("\n", newline_of(text)) + text[end:]


def _spliced(text: str, tree: Tree, key: str, old: Any, wanted: State) -> str:
    splice = _Splice(text)
    for name, node, value in tree.entries:
        if name == key and key in wanted:
            splice.value(node, value, old, wanted[key])
        elif name == key:
            splice.remove(node, value)
    return splice.result()


class _NotInPlace(Exception):
    """The value cannot be edited in place."""


class _Splice:
    """Replacements collected while the old value, its nodes and the new value are walked together."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._newline = newline_of(text)
        self._patches: list[tuple[int, int, str]] = []

    def result(self) -> str:
        parts, done = [], 0
        for start, end, new in sorted(self._patches, key=lambda patch: patch[:2]):
            if start < done:
                raise _NotInPlace
            parts += [self._text[done:start], new.replace("\n", self._newline)]
            done = end
        return "".join([*parts, self._text[done:]])

    def value(self, key: Any, node: Any, old: Any, new: Any) -> None:
        """The value of a key in a block mapping."""
        if is_same(old, new):
            return
        column = key.start_mark.column
        colon = self._colon(key)
        if self._descends(node, old, new):
            return
        start, end = node.start_mark.index, self._end(node, column, colon)
        follow = _follow(new, column + 2)
        if start > colon and "#" in self._text[colon:start]:  # a comment on the key's own line
            lines = _line_start(self._text, start)
            if follow.startswith("\n"):
                self._patches.append((lines, end, follow[1:]))
            else:
                self._patches += [(colon, colon, follow), (lines, self._below(end), "")]
        elif node.id == "scalar" and end > colon and not follow.startswith(("\n", " |")):
            self._patches.append((start, end, _scalar_like(node, new)))
        else:
            self._patches.append((colon, end, follow))

    def remove(self, key: Any, node: Any) -> None:
        start = _line_start(self._text, key.start_mark.index)
        if self._text[start : key.start_mark.index].strip():
            raise _NotInPlace
        end = self._end(node, key.start_mark.column, self._colon(key))
        self._patches.append((start, self._below(end), ""))

    def _descends(self, node: Any, old: Any, new: Any) -> bool:
        """Edit inside the collection; False where the value has to be replaced as one."""
        if node.anchor is not None:
            raise _NotInPlace
        if not old or not new or type(old) is not type(new):
            return False
        if node.id == "mapping":
            if any(key.value not in old for key, _ in node.value):  # a merge key
                raise _NotInPlace
            return self._flow(node, old, new) if node.flow_style else self._map(node, old, new)
        if node.id == "sequence":
            return self._flow(node, old, new) if node.flow_style else self._list(node, old, new)
        return False

    def _flow(self, node: Any, old: Any, new: Any) -> bool:
        if len(old) != len(new) or (isinstance(old, dict) and old.keys() != new.keys()):
            self._patches.append((node.start_mark.index, node.end_mark.index, _flow_text(new)))
            return True
        pairs = (
            [(value, old[key.value], new[key.value]) for key, value in node.value]
            if isinstance(old, dict)
            else list(zip(node.value, old, new, strict=True))
        )
        for child, before, after in pairs:
            if not is_same(before, after) and not self._descends(child, before, after):
                self._replace_in_flow(child, after)
        return True

    def _replace_in_flow(self, node: Any, new: Any) -> None:
        start, end = node.start_mark.index, node.end_mark.index
        if start == end or node.anchor is not None:
            raise _NotInPlace
        is_quoted = node.id == "scalar" and node.style and isinstance(new, str)
        self._patches.append(
            (start, end, _scalar_like(node, new) if is_quoted else _flow_text(new))
        )

    def _map(self, node: Any, old: State, new: State) -> bool:
        entries = node.value
        kept = [key for key, _ in entries if key.value in new]
        if not kept:
            return False
        first = entries[0][0].start_mark.index
        if self._text[_line_start(self._text, first) : first].strip():  # after a dash
            start = kept[0].start_mark.index
            self._patches.append((first, start, ""))
            entries = [entry for entry in entries if entry[0].start_mark.index >= start]
        for key, value in entries:
            if key.value in new:
                self.value(key, value, old[key.value], new[key.value])
            else:
                self.remove(key, value)
        self._add(entries[-1], {key: new[key] for key in new if key not in old})
        return True

    def _add(self, last: tuple[Any, Any], added: State) -> None:
        """Add keys after the last one of a block mapping."""
        if added:
            key, value = last
            column = key.start_mark.column
            end = self._below(self._end(value, column, self._colon(key)))
            self._patches.append((end, end, _mapping(added, column) + "\n"))

    def _list(self, node: Any, old: list[Any], new: list[Any]) -> bool:
        from difflib import SequenceMatcher  # noqa: PLC0415 - only if a list is edited

        column = node.start_mark.column
        items = list(self._items(node, column))
        before, after = [to_key(each) for each in old], [to_key(each) for each in new]
        steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        as_written: dict[str, str] = {}
        for _, i, j, p, q in steps:
            for removed in range(i + min(j - i, q - p), j):
                start, _, end = items[removed]
                as_written[before[removed]] = self._text[start:end]
        for name, i, j, p, q in steps:
            if name == "equal":
                continue
            both = min(j - i, q - p)
            for k in range(both):
                self._item(node.value[i + k], items[i + k][1], column, old[i + k], new[p + k])
            for start, dash, end in items[i + both : j]:
                self._require_own_line(start, dash)
                self._patches.append((start, end, ""))
            for k in range(p + both, q):
                at = items[i + both - 1][2] if i + both else items[0][0]
                self._require_own_line(*items[0][:2])
                written = as_written.get(after[k], "").replace("\r\n", "\n")
                self._patches.append((at, at, written or _sequence([new[k]], column) + "\n"))
        return True

    def _require_own_line(self, start: int, dash: int) -> None:
        if self._text[start:dash].strip():
            raise _NotInPlace

    def _items(self, node: Any, column: int) -> Any:
        """Of each item: the start of its line, its dash, and the start of the line below it."""
        dash_at = re.compile(rf"^ {{{column}}}-(?=\s)", re.MULTILINE)
        dash = node.start_mark.index
        for index, item in enumerate(node.value):
            if index:
                found = dash_at.search(self._text, dash)
                if found is None:
                    raise _NotInPlace
                dash = found.end() - 1
            start = _line_start(self._text, dash)
            below = self._below(self._end(item, column, dash + 1))
            yield start, dash, below
            dash = below

    def _item(self, node: Any, dash: int, column: int, old: Any, new: Any) -> None:
        if self._descends(node, old, new):
            return
        end = self._end(node, column, dash + 1)
        if node.id == "scalar" and end > dash + 1 and _is_scalar(new) and not _is_literal(new):
            self._patches.append((node.start_mark.index, end, _scalar_like(node, new)))
        else:
            self._patches.append((dash + 1, end, _sequence([new], column)[column + 1 :]))

    def _colon(self, key: Any) -> int:
        found = re.compile(r"[ \t]*:").match(self._text, key.end_mark.index)
        if found is None or key.anchor is not None:
            raise _NotInPlace
        return found.end()

    def _below(self, index: int) -> int:
        """The start of the line after the one that ``index`` is in."""
        end = self._text.find("\n", index)
        if end < 0:
            raise _NotInPlace
        return end + 1

    def _end(self, node: Any, column: int, least: int) -> int:
        """Where the value's text ends; ``column`` is its parent's, ``least`` where it can begin."""
        if node.anchor is not None:  # may be an alias, whose marks are the anchor's
            raise _NotInPlace
        if node.id == "scalar":
            if node.style in ("|", ">"):
                return self._literal_end(node, column)
            return max(least, node.end_mark.index) if node.value or node.style else least
        if node.flow_style or not node.value:
            return int(node.end_mark.index)
        if node.id == "sequence":
            *_, last = self._items(node, node.start_mark.column)
            return self._end(node.value[-1], node.start_mark.column, last[1] + 1)
        key, value = node.value[-1]
        return self._end(value, key.start_mark.column, self._colon(key))

    def _literal_end(self, node: Any, column: int) -> int:
        """A block scalar ends before the first line that is neither blank nor further in."""
        start = node.start_mark.index
        end = self._text.index("\n", start)
        keeps = "+" in self._text[start:end].partition("#")[0]
        for line in re.compile(r"(.*)\n?").finditer(self._text, end + 1):
            content = line[1].strip()
            if content and len(line[1]) - len(line[1].lstrip(" ")) <= column:
                break
            if (content or keeps) and line[0]:
                end = line.end(1)
        return end - 1 if self._text[end - 1] == "\r" else end


def _flow_text(value: Any) -> str:
    try:
        return to_json(value)
    except ValueError as error:  # an infinity, which JSON cannot say
        raise _NotInPlace from error


def to_key(value: Any) -> str:
    return jsons.dumps(value, sort_keys=True)


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, (dict, list)) or not value


def _is_literal(value: Any) -> bool:
    """Text of several lines that a block scalar can contain unchanged."""
    return (
        isinstance(value, str)
        and "\n" in value.rstrip("\n")
        and not value.startswith((" ", "\n", "\t"))
        and not value.endswith("\n\n")
        and not _UNSAFE.search(value)
        and not _CONTROL.search(value)
    )


def _scalar_like(node: Any, value: Any) -> str:
    """The new scalar in the old one's quotes if possible."""
    if isinstance(value, str) and node.style == '"':
        return to_json(value)
    text = value if isinstance(value, str) else "\n"
    if node.style == "'" and not (_UNSAFE.search(text) or _CONTROL.search(text) or "\n" in text):
        return "'" + text.replace("'", "''") + "'"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        is_word = value.lower() in _WORDS or " #" in value
        return value if _is_plain(value) and not is_word else to_json(value)
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):  # noqa: PLR0124 - NaN
        return ".nan" if value != value else (".inf" if value > 0 else "-.inf")  # noqa: PLR0124
    return to_json(value)


def _is_plain(text: str) -> bool:
    """Whether text needs no quotes. Without patterns: a command that adds a note needs no other."""
    first = text[:1]
    return (
        first.isalnum()
        and not first.isdecimal()
        and (text.translate(_SIGNS) or "a").isalnum()
        and text[-1] not in " :"
        and not any(part[:1].isspace() for part in text.split(":")[1:])
    )


def _follow(value: Any, column: int) -> str:
    """What follows ``key:``; a nested collection stands at ``column``."""
    if isinstance(value, dict) and value:
        return "\n" + _mapping(value, column)
    if isinstance(value, list) and value:
        return "\n" + _sequence(value, column)
    if _is_literal(value):
        pad = " " * column
        lines = [pad + line if line else "" for line in value.removesuffix("\n").split("\n")]
        return (" |\n" if value.endswith("\n") else " |-\n") + "\n".join(lines)
    return " " + _scalar(value)


def _mapping(value: State, column: int) -> str:
    pad = " " * column
    return "\n".join(
        f"{pad}{_scalar(key)}:{_follow(each, column + 2)}" for key, each in value.items()
    )


def _sequence(value: list[Any], column: int) -> str:
    pad = " " * column
    lines = []
    for each in value:
        if isinstance(each, dict) and each:
            lines.append(f"{pad}- {_mapping(each, column + 2)[column + 2 :]}")
        elif isinstance(each, list) and each:
            lines.append(f"{pad}- {_sequence(each, column + 2)[column + 2 :]}")
        else:
            lines.append(f"{pad}-{_follow(each, column + 2)}")
    return "\n".join(lines)


# end of module
