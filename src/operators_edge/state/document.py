"""The state file's text: the part that people write, then the block that only the product writes.

Owns the split of both, the format of the block, and the change from one text to the next. Does not own the
file on the disk (``state.store``).
"""

from __future__ import annotations

import re

from operators_edge import jsons
from operators_edge.errors import StateDamaged, StateInvalid
from operators_edge.locations import STATE_MARK
from operators_edge.model import MACHINE_KEYS
from operators_edge.state import schema, yaml_edit, yaml_read
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from operators_edge.model import State

MARK = STATE_MARK
TITLE = "# What this project is about and how far it is. docs/state-format.md names every key.\n"
MAX_BYTES = 1 << 20
"""The parser reads about 400 KB per second; a larger file would hold the lock too long."""

_HINT = "fix it there, or: edge history, then edge history restore N"
_OBJECTIVE = b"\nobjective: "
_PLAIN_SIGNS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,;/()-"


class Document(NamedTuple):
    """``human`` is the upper part, ending with a newline, without byte order mark; ``values`` is its content.

    ``machine`` has the machine keys that are present.
    """

    path: str
    human: str
    values: State
    machine: State
    has_bom: bool = False

    def state(self) -> State:
        """The whole state in the current schema; the values are shared with this document."""
        return schema.lifted(self.values | self.machine)

    def encoded(self) -> bytes:
        """The file's bytes; StateInvalid if they are more than could be read again."""
        newline = "\r\n" if "\r\n" in self.human[: self.human.find("\n") + 1] else "\n"
        block = block_text(self.machine).replace("\n", newline)
        data = (("\ufeff" if self.has_bom else "") + self.human + block).encode()
        if len(data) > MAX_BYTES:
            raise StateInvalid(
                f"the state would have {len(data):,} bytes, and {MAX_BYTES:,} is the most",
                hint="Remove what is no longer needed (edge prune, edge lesson rm, edge note rm). "
                "Nothing was written.",
            )
        return data


def block_text(machine: State) -> str:
    """The marking line and one line per machine key, in the fixed order; empty for no keys."""
    lines = [
        f"{key}: {yaml_edit.to_json(machine[key])}\n" for key in MACHINE_KEYS if key in machine
    ]
    return f"{MARK}\n{''.join(lines)}" if lines else ""


def decode(data: bytes, path: str) -> str:
    """The file's text; StateDamaged if it cannot be the text of a state."""
    if len(data) > MAX_BYTES:
        size = f"has {len(data):,} bytes, more than {MAX_BYTES:,}"
        raise StateDamaged(path, size, hint=_HINT)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - before.rfind(b"\n")
        line = before.count(b"\n") + 1
        raise StateDamaged(path, "is not UTF-8", line=line, column=column, hint=_HINT) from error
    if not text.strip("\ufeff \t\r\n"):
        problem = "is empty; a project without a state has no file"
        raise StateDamaged(path, problem, hint=f"{_HINT}; or remove the file")
    return text


def parse(
    text: str, path: str, *, known: Callable[[str], State | None] = lambda _: None
) -> Document:
    """Parse a text. ``known`` gives the values of a human part that was parsed before.

    Raises StateDamaged with line and column. A text without any value is damaged, not empty.
    """
    has_bom = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    human, machine = _split(text)
    if machine is not None:
        values = known(human)
        if values is None:
            values = _tree(human, path).values
            if not values.keys().isdisjoint(MACHINE_KEYS):
                return _gathered(text, path, has_bom=has_bom)
        if values or machine:
            return Document(path, human, values, machine, has_bom)
    elif (values := known(text)) is not None:
        return Document(path, text, values, {}, has_bom)
    return _gathered(text, path, has_bom=has_bom)


def plain_objective(data: bytes) -> str | None:
    """The objective of a text that is a state, "" where it has none; None if that has to be parsed: 10 ms.

    A line of several words without anything that YAML could mean by them, or of no value, and no other such
    key.
    """
    data = b"\n" + data
    _, key, rest = data.partition(_OBJECTIVE)
    value, end, rest = rest.partition(b"\n")
    is_ended = rest[:1].isalnum() or rest[:1] == b"_"
    if not (key and end and is_ended) or data.count(_OBJECTIVE.rstrip()) != 1:
        return None
    if value == b"null":
        return ""
    first, *words = value.split(b" ")
    is_plain = (
        first.isalpha()
        and words
        and all(words)
        and not b"".join(words).translate(None, _PLAIN_SIGNS)
    )
    return value.decode() if is_plain else None


def malformed(document: Document, note: schema.Check) -> StateDamaged:
    """The error for a known key with a value of the wrong type, with its line."""
    text = document.human + block_text(document.machine)
    found = re.search(rf"^[ ]*['\"]?{note.name}['\"]?[ ]*:", text, re.MULTILINE)
    line = text.count("\n", 0, found.start()) + 1 if found else 0
    return StateDamaged(document.path, note.text, line=line, column=1 if line else 0, hint=_HINT)


def block_of(text: str) -> State:
    """The machine keys of a text whose human part may be damaged; {} where the block is, too."""
    return _split(text.removeprefix("\ufeff"))[1] or {}


def _split(text: str) -> tuple[str, State | None]:
    """The human part and the block; None for a block that is missing or not in the expected format."""
    at = text.rfind(MARK)
    if at < 0 or (at and text[at - 1] != "\n"):
        return text, None
    machine: State = {}
    for line in text[at + len(MARK) :].splitlines():
        if not line:
            continue
        name, _, value = line.partition(": ")
        if name not in MACHINE_KEYS or name in machine:
            return text, None
        try:
            machine[name] = jsons.loads(value, object_pairs_hook=jsons.without_repeats)
        except (ValueError, RecursionError):
            return text, None
    return text[:at], machine


def _tree(text: str, path: str) -> Any:
    return yaml_read.Tree(text, path, may_repeat=MACHINE_KEYS)


def _gathered(text: str, path: str, *, has_bom: bool) -> Document:
    """Parse everything as YAML and take out the machine keys, wherever they are.

    For files that the product has not written yet, or that someone edited at the end. A machine key that
    occurs twice with the same value counts once; with two values the file is damaged.
    """
    tree = _tree(text, path)
    if not tree.values:
        raise StateDamaged(path, "holds no keys", hint=f"{_HINT}; or remove the file")
    machine = {key: tree.values[key] for key in MACHINE_KEYS if key in tree.values}
    values = {key: tree.values[key] for key in tree.values if key not in MACHINE_KEYS}
    human = _without_block(text, tree, values)
    if not schema.is_same(_tree(human, path).values, values):
        problem = "has an anchor in one of the keys that edge writes; expand its aliases"
        raise StateDamaged(path, problem, hint=_HINT)
    return Document(path, human, values, machine, has_bom)


def _without_block(text: str, tree: Any, values: State) -> str:
    """The text as a human part: without machine keys, marks, document ends; at the left margin."""
    if tree.is_flow:  # {a: 1} cannot be followed by more keys
        return yaml_edit.to_block(values)
    lines = _lines(text, yaml_edit.newline_of(text))
    starts = [key.start_mark.line for _, key, _ in tree.entries] + [len(lines)]
    for index, (name, _key, _value) in enumerate(tree.entries):
        if name in MACHINE_KEYS:
            _clear_lines(lines, starts[index], starts[index + 1])
    margin = tree.entries[0][1].start_mark.column
    kept = (line for line in lines if line.rstrip() != MARK and not re.match(r"\.\.\.\s*$", line))
    return "".join(re.sub(rf"^ {{1,{margin}}}", "", line) if margin else line for line in kept)


def _lines(text: str, newline: str) -> list[str]:
    """The lines of a text, each with its end."""
    if "\n" not in text:
        text = text.replace("\r", "\r\n")
    *whole, rest = text.split("\n")
    return [line + "\n" for line in whole] + ([rest + newline] if rest else [])


def _clear_lines(lines: list[str], first: int, last: int) -> None:
    """Empty the lines of a key up to the comments and blank lines before the next one."""
    while last > first + 1 and _is_filler(lines[last - 1]):
        last -= 1
    lines[first:last] = [""] * (last - first)


def _is_filler(line: str) -> bool:
    return line.lstrip().startswith("#") or not line.strip() or line.rstrip() == "..."


def changed(document: Document, before: State, after: State) -> Document:
    """The document whose state is ``after``; the human part changes only as far as necessary."""
    wanted = _wanted_values(document.values, before, after)
    human, values = document.human, document.values
    machine = {key: after[key] for key in MACHINE_KEYS if key in after}
    if not schema.is_same(wanted, values):
        wanted["current_step"] = after["current_step"]  # the text may have none, or a wrong one
        human, wanted = _edited(document, wanted, after)
    return Document(document.path, human, wanted, machine, document.has_bom)


def _wanted_values(values: State, before: State, after: State) -> State:
    """The values of the human part with what differs between both states."""
    wanted = dict(values)
    for key in before.keys() | after.keys():
        if key in MACHINE_KEYS:
            continue
        if key not in after:
            wanted.pop(key, None)
        elif key not in before or not schema.is_same(before[key], after[key]):
            wanted[key] = after[key]
    for key in schema.REQUIRED_KEYS:
        wanted.setdefault(key, after[key])
    if isinstance(wanted["plan"], list) and isinstance(values.get("plan"), list):
        wanted["plan"] = schema.as_written(wanted["plan"], values["plan"])
    return wanted


def _edited(document: Document, wanted: State, after: State) -> tuple[str, State]:
    """The text of the human part with the wanted values; ``lessons`` of old files becomes ``memory``."""
    human, values = document.human, document.values
    if "lessons" in values and "lessons" not in after and "memory" in after:
        if "memory" not in values:
            human = yaml_edit.rename_key(human, document.path, "lessons", "memory")
            values = {"memory" if key == "lessons" else key: values[key] for key in values}
        wanted["memory"] = after["memory"]
        wanted.pop("lessons", None)
    wanted = {key: wanted[key] for key in _ordered(wanted)}
    return yaml_edit.edit(human, document.path, values, wanted), wanted


def _ordered(state: State) -> list[str]:
    known = [key for key in schema.HUMAN_KEYS if key in state]
    return known + [key for key in state if key not in schema.HUMAN_KEYS]


def fresh(path: str, machine: State | None = None) -> Document:
    """The document of a project that has no state file."""
    values = schema.fresh()
    return Document(path, TITLE + yaml_edit.to_block(values), values, machine or {})


# end of module
