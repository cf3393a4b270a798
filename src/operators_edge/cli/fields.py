"""``--json=FIELD,…``: some fields of an answer. A dot goes into an object, lists are gone through."""

from __future__ import annotations

from operators_edge.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def chosen(data: Any, names: Sequence[str]) -> Any:
    """The data with these fields only, in their order; UsageError if one is nowhere."""
    known = list(dict.fromkeys(_known(data)))
    for name in names if known else ():
        if not any(each == name or each.startswith(f"{name}.") for each in known):
            tops = sorted({each.split(".")[0] for each in known})
            there = f"; there are: {', '.join(tops)}" if tops else ""
            raise UsageError(f"the answer has no field {name}{there}", hint="edge help json")
    return _picked(data, names)


def _picked(data: Any, names: Sequence[str]) -> Any:
    if isinstance(data, list | tuple):
        return [_picked(each, names) for each in data]
    if not isinstance(data, dict):
        return data
    found: dict[str, Any] = {}
    for name in names:
        head, _, rest = name.partition(".")
        if head in data:
            below = [each.partition(".")[2] for each in names if each.startswith(f"{head}.")]
            found[head] = _picked(data[head], below) if rest else data[head]
    return found


def _known(data: Any, before: str = "") -> list[str]:
    """The names of all fields, those in objects with a dot."""
    if isinstance(data, list | tuple):
        return [name for each in data for name in _known(each, before)]
    if not isinstance(data, dict):
        return []
    found = []
    for name, value in data.items():
        found += [f"{before}{name}", *_known(value, f"{before}{name}.")]
    return found


# end of module
