"""Settings entries that run the hooks of older versions: found, and cut out of the text.

Owns no file: the text after a cut is given back, every other byte as it was.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import StateDamaged
from operators_edge.hosts.claude import wiring
from operators_edge.hosts.claude.settings_edit import SettingsText
from operators_edge.hosts.claude.settings_guard import settings_paths
from operators_edge.migration import legacy_files
from operators_edge.storage.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator


class Entry(NamedTuple):
    """One hook entry: the settings file it stands in, for which event, and the hook file it runs."""

    path: str
    event: str
    file: str


def entries(root: str, home: str) -> list[Entry]:
    """Every entry that runs a hook of an older version in this project; whoever reads it is told once.

    A settings file that cannot be read as one is not this one's to tell: ``doctor`` does.
    """
    found = []
    for path in settings_paths(root, home).values():
        data = read_bytes(path)
        if data is None or not data.strip():
            continue
        try:
            text = SettingsText(data.decode("utf-8", "replace"), path)
        except StateDamaged:
            continue
        found += [Entry(path, event, file) for event, file in _runs(text.value, root)]
    return found


def _runs(value: object, root: str) -> Iterator[tuple[str, str]]:
    for event, _, entry in wiring.entries(value):
        file = legacy_files.hook_run_by(entry)
        if file and _is_ancestors(root, file):
            yield event, file


def _is_ancestors(root: str, name: str) -> bool:
    """By the file's text; by its name alone where the file is gone, for then the entry only fails."""
    data = read_bytes(os.path.join(root, ".claude", "hooks", name))
    if data is None:
        return legacy_files.is_known_hook(name)
    return legacy_files.is_hook_file(name, data.decode("utf-8", "replace"))


def cut_from(root: str) -> tuple[str, ...]:
    """The settings files that are the project's: only those are changed."""
    folder = os.path.join(root, ".claude")
    return tuple(os.path.join(folder, name) for name in ("settings.json", "settings.local.json"))


def without(root: str, path: str) -> tuple[bytes, bytes] | None:
    """The settings file's bytes, and those without such entries; None where there is nothing to cut.

    Groups, events and the table that this empties go, too. Raises StateDamaged for what is no settings file.
    """
    before = read_bytes(path)
    if before is None or not before.strip():
        return None
    try:
        text = SettingsText(before.decode(), path)
    except UnicodeDecodeError as error:
        raise StateDamaged(path, "is not UTF-8", hint="Save it as UTF-8.") from error
    touched = list(dict.fromkeys(event for event, _ in _runs(text.value, root)))
    for event in touched:
        _cut(text, root, event)
    if touched and not text.value["hooks"]:
        text.remove(("hooks",))
    after = text.text.encode()
    return (before, after) if after != before else None


def _cut(text: SettingsText, root: str, event: str) -> None:
    groups = text.value["hooks"][event]
    for number in reversed(range(len(groups))):
        inner = groups[number].get("hooks") if isinstance(groups[number], dict) else None
        ours = [
            index
            for index, entry in enumerate(inner if isinstance(inner, list) else [])
            if (file := legacy_files.hook_run_by(entry)) and _is_ancestors(root, file)
        ]
        if inner and len(ours) == len(inner):
            text.remove(("hooks", event, number))
            continue
        for index in reversed(ours):
            text.remove(("hooks", event, number, "hooks", index))
    if not text.value["hooks"][event]:
        text.remove(("hooks", event))
