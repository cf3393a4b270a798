"""``json.loads`` and ``json.dumps`` without the package, an eighth of the interpreter's start to import.

The compiled parts that the package itself uses do the work. Whatever they do not take (another encoding, an
error) goes to the package, which also says what is wrong.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Pairs = Callable[[list[tuple[str, Any]]], Any]
    compiled: Any
else:
    try:
        import _json as compiled  # only CPython has it
    except ImportError:
        compiled = None

_BLANKS = " \t\n\r"


class RepeatedKeyError(ValueError):
    """A key appears twice in one object."""


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """One object, for ``object_pairs_hook``; raises ``RepeatedKeyError``, or a value would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RepeatedKeyError(f"the key {twice[:40]!r} appears twice")
    return found


def loads(text: str | bytes, *, object_pairs_hook: Pairs | None = None) -> Any:
    """The value in a JSON text; raises ``json.JSONDecodeError``, a ``ValueError``, if it is none."""
    read = _reader(object_pairs_hook) if object_pairs_hook else _read
    if read is not None and not (isinstance(text, bytes) and b"\0" in text[:4]):  # UTF-16, UTF-32
        whole = text if isinstance(text, str) else text.decode("utf-8", "surrogatepass")
        start = len(whole) - len(whole.lstrip(_BLANKS)) if whole[:1] in _BLANKS else 0
        try:
            value, end = read(whole, start)
        except (StopIteration, SystemError):  # up to 3.11 it can name no error without the package
            end = -1
        if end == len(whole) or (end >= 0 and not whole[end:].strip(_BLANKS)):
            return value
    import json  # noqa: PLC0415 - see above

    return json.loads(text, object_pairs_hook=object_pairs_hook)


def dumps(
    value: object,
    *,
    ensure_ascii: bool = True,
    separators: tuple[str, str] = (", ", ": "),
    sort_keys: bool = False,
    allow_nan: bool = True,
) -> str:
    """The value as a JSON text on one line; raises ``TypeError`` or ``ValueError`` if it has none."""
    if compiled is None:
        import json  # noqa: PLC0415 - see above

        return json.dumps(
            value,
            ensure_ascii=ensure_ascii,
            separators=separators,
            sort_keys=sort_keys,
            allow_nan=allow_nan,
        )
    quoted = compiled.encode_basestring_ascii if ensure_ascii else compiled.encode_basestring
    comma, colon = separators
    around: dict[int, object] = {}  # values within themselves are refused
    skips_keys = False
    encode = compiled.make_encoder(
        around, _refuse, quoted, None, colon, comma, sort_keys, skips_keys, allow_nan
    )
    return "".join(encode(value, 0))


def _refuse(value: object) -> Any:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _reader(pairs: Pairs | None) -> Callable[[str, int], tuple[Any, int]] | None:
    if compiled is None:
        return None
    constants = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
    namespace: Any = type(sys.implementation)  # of any attributes, and there already
    settings = namespace(
        strict=True,
        object_hook=None,
        object_pairs_hook=pairs,
        parse_float=float,
        parse_int=int,
        parse_constant=constants.__getitem__,
    )
    found: Callable[[str, int], tuple[Any, int]] = compiled.make_scanner(settings)
    return found


_read = _reader(None)

# end of module
