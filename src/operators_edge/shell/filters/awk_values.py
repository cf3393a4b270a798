"""What a program of awk works with: the record, its fields and variables, and what operators make of them.

Owns values, and comparing and changing them as every awk does; where they differ, it raises ValueError. Does
not own the language (``shell.filters.awk``).
"""

from __future__ import annotations

import operator
import re

from operators_edge.shell.filters.text_lines import LinePattern, line_pattern
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[["Record"], "Value"]
    """A part of a program: what it is for a record."""
    Place = Callable[["Record"], tuple[str, str | int]]
    """A field by its number, or a variable by its name and key."""

MAX_STEPS = 200_000
"""Statements and expressions of one run."""
_PLAIN_FIELD_MARKS = ",:;=@#%&!~-\t|"

Value = str | int | None
"""A text, a number, or nothing yet."""


class Field(str):
    """A text from the input, which is compared as a number if it looks like one."""

    __slots__ = ()


def text_of(value: Value) -> str:
    return "" if value is None else str(value)


def _looks_like_number(text: str) -> bool:
    if re.fullmatch(r"\s*[+-]?\d{1,9}\s*", text):
        return True
    if _OTHER_NUMBER.match(text):
        raise ValueError(text)
    return False


_OTHER_NUMBER = pattern(r"(?i)\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*\Z|0x[\da-f]|inf|nan)")
"""A number that is not read here, or what some take for one."""


def number_of(value: Value) -> int:
    if not isinstance(value, str):
        return value or 0
    found = re.match(r"\s*([+-]?\d{1,9})(?![\d.eExX])", value)
    if found is None and (re.match(r"\s*[+-]?[.\d]", value) or _OTHER_NUMBER.match(value)):
        raise ValueError(value)
    return int(found[1]) if found else 0


def is_true(value: Value) -> bool:
    if isinstance(value, Field):
        return int(value) != 0 if _looks_like_number(value) else value != ""
    return bool(value)


def is_equal(one: Value, other: Value) -> bool:
    both = (one, other)
    if any(isinstance(value, str) and not isinstance(value, Field) for value in both):
        return text_of(one) == text_of(other)
    numbers = [not isinstance(value, str) or _looks_like_number(value) for value in both]
    return number_of(one) == number_of(other) if all(numbers) else text_of(one) == text_of(other)


class Record:
    """The record that is read, and all that the program keeps."""

    def __init__(self) -> None:
        self.variables: dict[tuple[str, str], Value] = {
            ("FS", ""): " ",
            ("OFS", ""): " ",
            ("ORS", ""): "\n",
        }
        self.printed: list[str] = []
        self.number = 0
        self.whole = ""
        self.fields: list[str] = []
        self.work = 0

    def read(self, line: str, number: int) -> None:
        self.number = number
        self.set_whole(line)

    def set_whole(self, line: str) -> None:
        self.whole = line
        self.fields = _split(line, text_of(self.variables["FS", ""]))

    def field(self, at: int) -> Value:
        if at < 0:
            raise ValueError(at)
        if at == 0:
            return Field(self.whole)
        return Field(self.fields[at - 1]) if at <= len(self.fields) else None

    def set_field(self, at: int, text: str) -> None:
        if at == 0:
            self.set_whole(text)
            return
        if not 0 < at <= len(self.fields):
            raise ValueError(at)
        self.fields[at - 1] = text
        self.whole = text_of(self.variables["OFS", ""]).join(self.fields)

    @property
    def is_respaced(self) -> bool:
        """Whether the fields, joined again, are another line."""
        return text_of(self.variables["OFS", ""]).join(self.fields) != self.whole

    def spend(self) -> None:
        self.work += 1
        if self.work > MAX_STEPS:
            raise ValueError(self.work)


def _split(line: str, mark: str) -> list[str]:
    if mark == " ":
        return re.findall(r"[^ \t\n]+", line)
    if not line:
        return []
    if len(mark) == 1:
        if mark not in _PLAIN_FIELD_MARKS:
            raise ValueError(mark)
        return line.split(mark)
    found = line_pattern(mark, is_extended=True)
    if not found.is_extent_known or mark.startswith("^") or found.compiled.match(""):
        raise ValueError(mark)
    found.search(line)
    return re.split(re.sub(r"\((?!\?)", "(?:", found.compiled.pattern), line)


def print_whole(record: Record) -> Value:
    record.printed.append(record.whole + text_of(record.variables["ORS", ""]))
    return None


def print_formatted(record: Record, given: list[Value]) -> None:
    form, *values = [*map(text_of, given)]
    pieces = re.split(r"%([sd%])", form)
    for at in range(1, len(pieces), 2):
        if pieces[at] == "%":
            continue
        value = values.pop(0)
        pieces[at] = str(number_of(value)) if pieces[at] == "d" else value
    if any("%" in one for one in pieces[::2]) or values:
        raise ValueError(form)
    record.printed.append("".join(pieces))


def value_at(record: Record, place: tuple[str, str | int]) -> Value:
    name, key = place
    if isinstance(key, int):
        return record.field(key)
    return record.variables.get((name, key))


def assign(record: Record, place: tuple[str, str | int], sign: str, value: Value) -> Value:
    name, key = place
    if sign == "+=":
        value = number_of(value_at(record, place)) + number_of(value)
    if isinstance(key, int):
        record.set_field(key, text_of(value))
    elif name == "FS" and record.number:  # when the next record is split is not the same everywhere
        raise ValueError(name)
    else:
        record.variables[name, key] = value
    return value


def either(left: Run, right: Run) -> Run:
    return lambda record: int(is_true(left(record)) or is_true(right(record)))


def both(left: Run, right: Run) -> Run:
    return lambda record: int(is_true(left(record)) and is_true(right(record)))


def finds(left: Run, *, wanted: bool, found: LinePattern) -> Run:
    return lambda record: int(found.finds(text_of(left(record))) == wanted)


_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SUMS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
}


def compare(sign: str, left: Run, right: Run) -> Run:
    def run(record: Record) -> Value:
        one, other = left(record), right(record)
        if sign in ("==", "!="):
            return int(is_equal(one, other) == (sign == "=="))
        for value in (one, other):
            is_field = isinstance(value, Field) and _looks_like_number(value)
            if isinstance(value, str) and not is_field:
                raise ValueError(value)  # the order of texts depends on the language
        return int(_ORDERS[sign](number_of(one), number_of(other)))

    return run


def computed(sign: str, left: Run, right: Run) -> Run:
    def run(record: Record) -> Value:
        one, other = number_of(left(record)), number_of(right(record))
        if sign == "%" and (one < 0 or other <= 0):
            raise ValueError(sign)
        return _SUMS[sign](one, other)

    return run


def concatenated(left: Run, right: Run) -> Run:
    return lambda record: text_of(left(record)) + text_of(right(record))


def _ascii(value: Value) -> str:
    text = text_of(value)
    if not text.isascii():
        raise ValueError(text)
    return text


def _substr(given: list[Value]) -> Value:
    text, first = _ascii(given[0]), number_of(given[1])
    last = first + number_of(given[2]) if len(given) > 2 else len(text) + 1
    return text[max(first, 1) - 1 : max(last - 1, 0)]


FUNCTIONS: dict[str, Callable[[list[Value]], Value]] = {
    "substr": _substr,
    "length": lambda given: len(_ascii(given[0])),
    "index": lambda given: _ascii(given[0]).find(text_of(given[1])) + 1,
    "tolower": lambda given: _ascii(given[0]).lower(),
    "toupper": lambda given: _ascii(given[0]).upper(),
}


# end of module
