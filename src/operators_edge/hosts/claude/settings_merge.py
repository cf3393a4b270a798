"""Values that are merged into a settings file beside a person's own, and cut out of it again.

A table is merged member by member, a list item by item; any other value has to be missing or equal.
"""

from __future__ import annotations

from operators_edge.errors import AnswerIsNo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.hosts.claude.settings_edit import SettingsText

Keys = tuple[str, ...]


def holds(current: Any, wanted: Any) -> bool:
    """Whether every wanted value is in the current one."""
    if isinstance(wanted, dict):
        return isinstance(current, dict) and all(
            key in current and holds(current[key], value) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return isinstance(current, list) and all(each in current for each in wanted)
    return bool(current == wanted)


def add(text: SettingsText, wanted: Mapping[str, Any], above: Keys = ()) -> None:
    """Merge the wanted values. AnswerIsNo: the file has another value in the place of one."""
    for key, value in wanted.items():
        keys = (*above, key)
        there = _at(text.value, above)
        current = there.get(key) if isinstance(there, dict) else None
        if current is None:
            text.put(keys, value)
        elif isinstance(value, dict) and isinstance(current, dict):
            add(text, value, keys)
        elif isinstance(value, list) and isinstance(current, list):
            for item in value:
                if item not in current:
                    text.append(keys, item)
        elif current != value:
            raise AnswerIsNo(
                f"{text.path} has a value of its own for {'.'.join(keys)}",
                hint="remove it there, then repeat the command",
            )


def cut(text: SettingsText, added: Mapping[str, Any], known: Any, above: Keys = ()) -> None:
    """Remove what ``add`` merged, but nothing that was in the ``known`` value before."""
    for key, value in added.items():
        keys = (*above, key)
        there = _at(text.value, above)
        if not isinstance(there, dict) or key not in there:
            continue
        before = known.get(key) if isinstance(known, dict) else None
        current = there[key]
        if isinstance(value, dict) and isinstance(current, dict):
            cut(text, value, before, keys)
        elif isinstance(value, list) and isinstance(current, list):
            kept = before if isinstance(before, list) else []
            ours = [n for n, item in enumerate(current) if item in value and item not in kept]
            for number in reversed(ours):
                text.remove((*keys, number))
        elif current == value and before is None:
            text.remove(keys)
            continue
        if _at(text.value, keys) in ({}, []) and before is None:
            text.remove(keys)


def _at(value: Any, keys: Keys) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


# end of module
