"""One value set in a person's TOML file, with everything else in it as it was.

Owns the text. Does not own which keys there are or what follows from them (``config.layers``).
"""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from operators_edge.errors import StateDamaged
from operators_edge.storage.files import ensure_private_dir, read_bytes, write_durable

if TYPE_CHECKING:
    from collections.abc import Sequence


def with_value(path: str, keys: Sequence[str], value: str | int) -> tuple[str, dict[str, Any]]:
    """The file's text with the value at ``keys``, and what it says then; nothing is written.

    Raises StateDamaged where the file is no TOML, or has something else in the way.
    """
    try:
        text = (read_bytes(path) or b"").decode("utf-8-sig")
        document = tomlkit.parse(text)
        table: Any = document
        for number, key in enumerate(keys[:-1], 1):
            if key not in table:
                table[key] = tomlkit.table(is_super_table=number < len(keys) - 1)
            table = table[key]
        table[keys[-1]] = value
        changed = tomlkit.dumps(document)
        return changed, tomllib.loads(changed)
    except (ValueError, TOMLKitError, TypeError) as error:
        raise StateDamaged(path, f"it cannot be changed: {error}", hint="mend the file") from error


def write(path: str, text: str, *, is_private: bool) -> None:
    """Replace the file, whole or not at all; a new one of the person's own is for its owner alone."""
    if is_private:
        ensure_private_dir(os.path.dirname(path))
    write_durable(path, text.encode(), mode=0o600 if is_private else 0o644)
