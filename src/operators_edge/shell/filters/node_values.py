"""The values that a small program of Node works with: texts, lists and objects, and what their methods make.

Owns what is the same for every run; anything else raises ValueError. Does not own the language
(``shell.filters.node_texts``).
"""

from __future__ import annotations

from operators_edge.shell.filters.jq import text_of
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

MAX_TEXT = 65_536
_MAX_VALUES = 2_000
_MAX_NUMBER = 2**53


class _Undefined:
    """The value of what is not there."""


UNDEFINED = _Undefined()


class Search(NamedTuple):
    """An expression of plain letters: the text that it finds."""

    text: str
    is_global: bool


def as_text(value: Any) -> str:
    """A value as text of a template."""
    return "undefined" if value is UNDEFINED else text_of(value)


def is_true(value: Any) -> bool:
    return value is not UNDEFINED and (isinstance(value, (list, dict)) or bool(value))


def text_in(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - what it prints is unknown
    return value


def list_in(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(value)  # noqa: TRY004 - as above
    return value


def entries(value: Any) -> list[list[Any]]:
    """Numbers among the names of an object would come first."""
    if not isinstance(value, dict) or any(one.isdigit() for one in value):
        raise ValueError(value)
    return [[key, one] for key, one in value.items()]


def _same(one: Any, other: Any) -> bool:
    if any(isinstance(value, (list, dict, float)) or callable(value) for value in (one, other)):
        raise ValueError(one)
    return type(one) is type(other) and one == other


def number_in(value: Any) -> int:
    if type(value) is not int or abs(value) >= _MAX_NUMBER:
        raise ValueError(value)
    return value


def total(one: Any, other: Any) -> Any:
    if isinstance(one, str) or isinstance(other, str):
        return bounded(as_text(one) + as_text(other))
    return number_in(one) + number_in(other)


def _replaced(value: str, old: Any, new: Any, *, is_all: bool) -> str:
    if isinstance(old, Search):
        old, is_all = old.text, old.is_global
    if "$" in text_in(new) or not text_in(old) or value.count(old) * len(new) > MAX_TEXT:
        raise ValueError(new)
    return value.replace(old, new) if is_all else value.replace(old, new, 1)


def _joined(values: list[Any], mark: Any = ",") -> str:
    is_there = (one is not None and one is not UNDEFINED for one in values)
    return text_in(mark).join(
        as_text(one) if there else "" for one, there in zip(values, is_there, strict=True)
    )


def _pushed(values: list[Any], *more: Any) -> int:
    values.extend(more)
    return len(bounded(values))


def _sorted(values: list[Any]) -> list[Any]:
    if not all(isinstance(one, str) and one.isascii() for one in values):
        raise ValueError(values)
    values.sort()
    return values


def _flat(values: Iterable[Any]) -> list[Any]:
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def _part(value: Any, *bounds: int) -> Any:
    first, last = (*map(number_in, bounds), None)[:2] if bounds else (0, None)
    return value[first:last]


def _ascii(value: str) -> str:
    if not value.isascii():
        raise ValueError(value)
    return value


def _each(values: list[Any], run: Callable[..., Any]) -> Iterator[tuple[Any, Any]]:
    """Each value of a list with what a function makes of it, its place and the list."""
    for at, one in enumerate([*values]):
        yield one, run(one, at, values)


def bounded(value: Any) -> Any:
    """A value, if it is not too long: a text or a list can double at each step."""
    if isinstance(value, (str, list)) and len(value) > (
        MAX_TEXT if isinstance(value, str) else _MAX_VALUES
    ):
        raise ValueError(len(value))
    return value


_OF_LISTS: dict[str, Callable[..., Any]] = {
    "push": _pushed,
    "join": _joined,
    "map": lambda values, run: [value for _, value in _each(values, run)],
    "filter": lambda values, run: [one for one, said in _each(values, run) if is_true(said)],
    "forEach": lambda values, run: [*_each(values, run)] and UNDEFINED,
    "flatMap": lambda values, run: _flat(value for _, value in _each(values, run)),
    "some": lambda values, run: any(is_true(said) for _, said in _each(values, run)),
    "every": lambda values, run: all(is_true(said) for _, said in _each(values, run)),
    "find": lambda values, run: next(
        (one for one, said in _each(values, run) if is_true(said)), UNDEFINED
    ),
    "concat": lambda values, *more: [*values, *_flat(more)],
    "includes": lambda values, one: any(_same(one, other) for other in values),
    "slice": _part,
    "sort": _sorted,
    "reverse": lambda values: values.reverse() or values,
}
_OF_TEXTS: dict[str, Callable[..., Any]] = {
    "split": lambda value, mark: value.split(text_in(mark)),
    "trim": lambda value: _ascii(value).strip(" \t\n\r\v\f"),
    "replace": lambda value, old, new: _replaced(value, old, new, is_all=False),
    "replaceAll": lambda value, old, new: _replaced(value, old, new, is_all=True),
    "startsWith": lambda value, other: value.startswith(text_in(other)),
    "endsWith": lambda value, other: value.endswith(text_in(other)),
    "includes": lambda value, other: text_in(other) in value,
    "toUpperCase": lambda value: _ascii(value).upper(),
    "toLowerCase": lambda value: _ascii(value).lower(),
    "slice": lambda value, *bounds: _part(_ascii(value), *bounds),
    "toString": lambda value: value,
}


COMPUTES: dict[str, Callable[[Any, Any], Any]] = {
    "===": _same,
    "!==": lambda one, other: not _same(one, other),
    "<": lambda one, other: number_in(one) < number_in(other),
    "<=": lambda one, other: number_in(one) <= number_in(other),
    ">": lambda one, other: number_in(one) > number_in(other),
    ">=": lambda one, other: number_in(one) >= number_in(other),
    "+": total,
    "-": lambda one, other: number_in(one) - number_in(other),
    "*": lambda one, other: number_in(one) * number_in(other),
}


def member(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        if name in value:
            return value[name]
        if name.startswith("_") or name in _OF_OBJECTS:
            raise ValueError(name)
        return UNDEFINED
    if name == "length" and isinstance(value, (str, list)):
        return len(_ascii(value)) if isinstance(value, str) else len(value)
    table = _OF_LISTS if isinstance(value, list) else _OF_TEXTS
    if not isinstance(value, (str, list)):
        raise ValueError(value)  # noqa: TRY004 - as above
    method = table[name]
    return lambda *given: bounded(method(value, *given))


_INHERITED = (
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf"
)
_OF_OBJECTS = frozenset(_INHERITED.split())


# end of module
