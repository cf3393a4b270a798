"""The configuration files of the person and of a project: what is in them.

Owns reading, and what makes a file unusable. Does not own where they are (``config.stamps``) or what the keys
mean (``config.schema``).
"""

from __future__ import annotations

import os
import re
import stat

from operators_edge.config import schema
from operators_edge.config.stamps import OWN, SHARED, content, mentioning
from operators_edge.locations import known_home
from operators_edge.system.user_dirs import config_file
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.config.schema import Source

SECTION = ("tool", "operators-edge")


class Files(NamedTuple):
    """What was read, None for a file that does not exist; ``notes`` say what was ignored."""

    user: Source | None
    project: Source | None
    notes: tuple[str, ...] = ()


def read(root: str | None, env: Mapping[str, str]) -> Files:
    """Both files, if they exist; one that cannot be read has a ``problem``."""
    path = config_file(env)
    user = _source(path, with_tilde(path, env), is_private=True) if path else None
    if root is None:
        return Files(user, None)
    own = _source(os.path.join(root, OWN), OWN)
    path = mentioning(root)
    shared = _source(path, SHARED, SECTION) if path else None
    if own is not None and shared is not None:
        note = f"{SHARED} [{'.'.join(SECTION)}] is not read: {OWN} is there"
        return Files(user, own, (note,))
    return Files(user, own or shared)


def read_one(path: str) -> Source | None:
    """Any configuration file, read like a project's; None if it does not exist."""
    section = SECTION if os.path.basename(path) == SHARED else ()
    return _source(path, os.path.basename(path), section)


def draft(path: str) -> Source | None:
    """A person's settings in another file, read like their own; None if it does not exist."""
    found = _source(path, os.path.basename(path))
    return found and found._replace(table=_with_real_folders(found.table))


def with_tilde(path: str, env: Mapping[str, str]) -> str:
    """The path with the person's home as ``~``."""
    home = known_home(env).rstrip("/")
    return f"~{path[len(home) :]}" if home and path.startswith(home + os.sep) else path


def _source(
    path: str, name: str, section: tuple[str, ...] = (), *, is_private: bool = False
) -> Source | None:
    try:
        if is_private and os.name == "posix":
            _check_private(os.stat(path))
        text = content(path).decode("utf-8-sig")
        import tomllib  # noqa: PLC0415 - most projects configure nothing

        table = tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        return schema.Source(name, {}, "it is not UTF-8 text")
    except (OSError, ValueError, RecursionError) as error:
        return schema.Source(name, {}, str(getattr(error, "strerror", None) or error))
    for key in section:
        if key not in table:
            return None  # the file only mentions the product, as a dependency
        table = table[key]
        if not isinstance(table, dict):
            return schema.Source(name, {}, f"{'.'.join(section)} is not a table")
    return schema.Source(name, _with_real_folders(table) if is_private else table,
                  lines=lines_of(text), section=".".join(section))  # fmt: skip


def _check_private(found: os.stat_result) -> None:
    """A file that everyone can write does not express the person's will."""
    if found.st_uid not in (os.geteuid(), 0):
        raise ValueError(f"it belongs to user {found.st_uid}, not to you")
    if stat.S_IMODE(found.st_mode) & stat.S_IWOTH:
        raise ValueError("everyone can write it: chmod o-w")


def _with_real_folders(table: dict[str, Any]) -> dict[str, Any]:
    """The person's file with the folders of its projects resolved, as the gate knows them."""
    projects = table.get("project")
    if not isinstance(projects, dict):
        return table
    real = {
        os.path.realpath(os.path.expanduser(folder))
        if os.path.isabs(os.path.expanduser(folder))
        else folder: inner
        for folder, inner in projects.items()
    }
    return {**table, "project": real}


def lines_of(text: str) -> dict[str, int]:
    """The lines of plain keys: "rules.git-push.effect" → the line, counted from 1."""
    found: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$", line)
        if header:
            section = header.group(1).replace(" ", "") + "."
        elif re.match(r"\s*\[\[", line):
            section = "[]."
        elif key := re.match(r"\s*([\w.-]+)\s*=", line):
            found.setdefault(section + key.group(1), number)
    return found


# end of module
