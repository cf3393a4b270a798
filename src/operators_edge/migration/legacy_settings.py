"""Settings entries that run hooks of older versions: finding them, and removing them from the text.

Writes no file: the new text is returned, with every other byte unchanged.
"""

from __future__ import annotations

import os

from operators_edge.errors import StateDamaged
from operators_edge.hosts.claude import wiring
from operators_edge.hosts.claude.settings_edit import SettingsText
from operators_edge.hosts.claude.settings_files import settings_paths
from operators_edge.migration import legacy_files
from operators_edge.storage.files import read_bytes
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Entry(NamedTuple):
    """One hook entry: its settings file, its event, and the hook file it runs."""

    path: str
    event: str
    file: str


def entries(root: str, home: str) -> list[Entry]:
    """Every entry that runs a hook of an older version in this project.

    Unreadable settings files are skipped: ``doctor`` reports them.
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
        found += [Entry(path, event, file) for event, file in _legacy_entries(text.value, root)]
    return found


def _legacy_entries(value: object, root: str) -> Iterator[tuple[str, str]]:
    for event, _, entry in wiring.entries(value):
        if file := _legacy_file(root, entry):
            yield event, file


def _legacy_file(root: str, entry: object) -> str:
    """The hook of an older version that an entry runs; "" for any other entry.

    By the content of the file; by its name if the file is missing, as such an entry can only fail.
    """
    name = legacy_files.hook_run_by(entry)
    data = read_bytes(os.path.join(root, ".claude", "hooks", name)) if name else None
    if data is None:
        return name if legacy_files.is_known_hook(name) else ""
    return name if legacy_files.is_hook_file(name, data.decode("utf-8", "replace")) else ""


def editable_paths(root: str) -> tuple[str, ...]:
    """The settings files of the project: only these are changed."""
    folder = os.path.join(root, ".claude")
    return tuple(os.path.join(folder, name) for name in ("settings.json", "settings.local.json"))


def without_entries(root: str, path: str) -> tuple[bytes, bytes] | None:
    """The content of the settings file, and the content without such entries; None if there are none.

    Groups, events and the table that become empty are removed. Raises StateDamaged if it is not a settings
    file.
    """
    before = read_bytes(path)
    if before is None or not before.strip():
        return None
    try:
        text = SettingsText(before.decode(), path)
    except UnicodeDecodeError as error:
        raise StateDamaged(path, "is not UTF-8", hint="Save it as UTF-8.") from error
    touched = list(dict.fromkeys(event for event, _ in _legacy_entries(text.value, root)))
    for event in touched:
        text.remove_hooks(event, lambda entry: _legacy_file(root, entry) != "")
        if not text.value["hooks"][event]:
            text.remove(("hooks", event))
    if touched and not text.value["hooks"]:
        text.remove(("hooks",))
    after = text.text.encode()
    return (before, after) if after != before else None


# end of module
