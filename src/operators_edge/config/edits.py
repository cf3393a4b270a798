"""Setting one value in a TOML file and leaving everything else in it unchanged.

Owns the text. Does not own which keys there are or what they mean (``config.schema``).
"""

from __future__ import annotations

import os
import tomllib

import tomlkit
from tomlkit.exceptions import TOMLKitError

from operators_edge.errors import StateDamaged
from operators_edge.storage.files import ensure_private_dir, read_bytes, write_durable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def with_value(path: str, keys: Sequence[str], value: str | int) -> tuple[str, dict[str, Any]]:
    """The file's text with the value at ``keys``, and that text parsed; nothing is written.

    Raises StateDamaged if the file is not TOML, or has a value where a table is needed.
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
        raise StateDamaged(
            path, f"it cannot be changed: {error}", hint="correct the file"
        ) from error


def write(path: str, text: str, *, is_private: bool) -> None:
    """Replace the file atomically; a new file in the person's folder is private."""
    if is_private:
        ensure_private_dir(os.path.dirname(path))
    write_durable(path, text.encode(), mode=0o600 if is_private else 0o644)


# end of module
