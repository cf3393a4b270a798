"""JSON that somebody else wrote: read strictly, with an error that says where.

Pure. Python's own reader takes duplicate keys, ``NaN`` and lone surrogates; a task that means two things is
no task.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from operators_edge import jsons

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 20
_MAX_DIGITS = 400
"""More than any number that a float can hold has."""
_HALF = re.compile("[\ud800-\udfff]")
_BOM = b"\xef\xbb\xbf"


class NotJson(ValueError):
    """Not a JSON object; the message says why, for a person."""


def read_object(raw: bytes) -> dict[str, Any]:
    """The object in ``raw``. Raises NotJson."""
    if len(raw) > MAX_BYTES:
        raise NotJson(f"larger than {MAX_BYTES:,} bytes")
    try:
        text = raw.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 at byte {error.start}") from error
    try:
        value = json.loads(
            text,
            object_pairs_hook=jsons.without_repeats,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        raise NotJson(
            f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from error
    except RecursionError as error:
        raise NotJson(f"nested deeper than {MAX_DEPTH} levels") from error
    except jsons.RepeatedKeyError as error:
        raise NotJson(str(error)) from error
    except ValueError as error:  # an integer of thousands of digits, too
        raise error if isinstance(error, NotJson) else NotJson(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise NotJson("not a JSON object")
    _check_texts(value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not JSON")


def _whole(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise NotJson(f"{text[:40]}… is too large for a number")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise NotJson(f"{text[:40]} is too large for a number")
    return value


def legible(text: str) -> str:
    """The text with a mark for each half of a surrogate pair, as a name has that is not UTF-8."""
    return _HALF.sub("\ufffd", text)


def _check_texts(value: object) -> None:
    """Every text must be writable as UTF-8, and nothing nested too deep."""
    level = [value]
    for _ in range(MAX_DEPTH):
        inner: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inner += [*each, *each.values()]
            elif isinstance(each, list):
                inner += each
            elif isinstance(each, str):
                _check_text(each)
        if not inner:
            return
        level = inner
    raise NotJson(f"nested deeper than {MAX_DEPTH} levels")


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotJson("contains half of a surrogate pair") from error


# end of module
