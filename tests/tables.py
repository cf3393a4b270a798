"""Tables of cases: one test goes through all rows of one, and names each row that fails.

For rows that judge a value and touch nothing: their fixtures are made once for all. A test of pytest's own
costs some milliseconds, and memory that every forked process pays for; most rows take a tenth of one.
``--rows WORDS`` runs only the rows with these words in their name.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_SHOWN = 10
"""So many failures are shown with what they say; the others by name."""

_LONGEST = 100
"""So much of a value stands in a row's name."""

wanted_rows = ""
"""Of ``--rows``."""


def for_each(
    names: str | tuple[str, ...],
    rows: Iterable[Any],
    ids: Callable[[Any], str] | Iterable[str] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The test with every row of the table; written as ``pytest.mark.parametrize`` is."""
    keys = (names,) if isinstance(names, str) else names
    table = [_named(keys, row, ids if callable(ids) else _text_of) for row in rows]
    if ids is not None and not callable(ids):
        table = [(name, given) for name, (_, given) in zip(ids, table, strict=True)]
    assert table, "a table without rows would show nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            chosen = [(name, given) for name, given in table if wanted_rows in name]
            if not chosen:
                pytest.skip("no row of this name")
            failures = []
            for name, given in chosen:
                try:
                    test(**given, **fixtures)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001 - reported below
                    failures.append((name, error))
            if failures:
                raise AssertionError(_report(failures, len(chosen))) from failures[0][1]

        rest = [
            parameter
            for name, parameter in inspect.signature(test).parameters.items()
            if name not in table[0][1]
        ]
        run.__signature__ = inspect.Signature(rest)  # type: ignore[attr-defined]  # what pytest reads
        return run

    return decorate


def _named(
    keys: tuple[str, ...], row: Any, text_of: Callable[[Any], str]
) -> tuple[str, dict[str, Any]]:
    """The row's name, and what it gives for each key."""
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "a row with marks is a test of its own"
        values: tuple[Any, ...] = tuple(row.values)
    else:
        row, values = None, tuple(row) if len(keys) > 1 else (row,)
    name = (row and row.id) or "-".join(map(text_of, values))
    return str(name), dict(zip(keys, values, strict=True))


def _text_of(value: Any) -> str:
    text = value if isinstance(value, str) else getattr(value, "__name__", repr(value))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _report(failures: list[tuple[str, BaseException]], rows: int) -> str:
    lines = [f"{len(failures)} of {rows} rows fail:"]
    for number, (name, error) in enumerate(failures):
        lines.append(f"[{name}]")
        if number < _SHOWN:
            said = str(error) or type(error).__name__
            kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
            lines += [f"    {line}" for line in f"{kind}{said}".splitlines()]
    return "\n".join(lines)
