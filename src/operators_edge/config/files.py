"""The configuration files of the person and of a project: where they are, their versions, their content.

Owns reading, and what makes a file unusable. Does not own what the keys mean (``config.layers``). Stamps are
taken on every tool call: that imports next to nothing, and opens no file but a ``pyproject.toml``.
"""

from __future__ import annotations

import os
import stat

from operators_edge.locations import known_home
from operators_edge.system import file_cache
from operators_edge.system.user_dirs import config_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.config.layers import Source

OWN = "edge.toml"
SHARED = "pyproject.toml"
SECTION = ("tool", "operators-edge")
MAX_BYTES = 1 << 20
_MENTION = b"operators-edge"


def stamp(root: str | None, env: Mapping[str, str]) -> str:
    """A text that changes with the configuration; "" if there is none at all."""
    paths = [config_file(env)]
    if root is not None:
        paths += [os.path.join(root, OWN), _mentioning(root)]
    stamps = [stamp_of(path) if path else "" for path in paths]
    return " ".join(each or "-" for each in stamps) if any(stamps) else ""


def stamp_of(path: str) -> str:
    """Size, times and inode of a file; "" if it does not exist. New content changes ``ctime``."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return f"?{error.errno}"
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}:{found.st_ino}"


def _mentioning(root: str) -> str:
    """The project's ``pyproject.toml`` if it may have our table; most do not, and need no parser."""
    path = os.path.join(root, SHARED)
    try:
        data = _bytes(path)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        return path  # unusable, which is reported when it is read
    return path if _MENTION in data else ""


def _bytes(path: str) -> bytes:
    """The content of a regular file that is not too large; ValueError or OSError gives the reason."""
    with open(path, "rb", opener=file_cache.open_regular) as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES >> 10} KB")
        return file.read()


class Files:
    """What was read, None for a file that does not exist; ``notes`` say what was ignored."""

    __slots__ = ("notes", "project", "user")

    def __init__(self, user: Source | None, project: Source | None, *notes: str) -> None:
        self.user = user
        self.project = project
        self.notes = notes


def read(root: str | None, env: Mapping[str, str]) -> Files:
    """Both files, if they exist; one that cannot be read has a ``problem``."""
    path = config_file(env)
    user = _source(path, with_tilde(path, env), is_private=True) if path else None
    if root is None:
        return Files(user, None)
    own = _source(os.path.join(root, OWN), OWN)
    mentioning = _mentioning(root)
    shared = _source(mentioning, SHARED, SECTION) if mentioning else None
    if own is not None and shared is not None:
        return Files(user, own, f"{SHARED} [{'.'.join(SECTION)}] is not read: {OWN} is there")
    return Files(user, own or shared)


def read_one(path: str) -> Source | None:
    """Any configuration file, read like a project's; None if it does not exist."""
    section = SECTION if os.path.basename(path) == SHARED else ()
    return _source(path, os.path.basename(path), section)


def with_tilde(path: str, env: Mapping[str, str]) -> str:
    """The path with the person's home as ``~``."""
    home = known_home(env).rstrip("/")
    return f"~{path[len(home) :]}" if home and path.startswith(home + os.sep) else path


def _source(
    path: str, name: str, section: tuple[str, ...] = (), *, is_private: bool = False
) -> Source | None:
    import tomllib  # noqa: PLC0415 - costs a third of the hook's time; read once a version of the file

    from operators_edge.config.layers import Source  # noqa: PLC0415 - see above

    try:
        if is_private and os.name == "posix":
            _check_private(os.stat(path))
        text = _bytes(path).decode("utf-8-sig")
        table = tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        return Source(name, {}, "it is not UTF-8 text")
    except (OSError, ValueError, RecursionError) as error:
        return Source(name, {}, str(getattr(error, "strerror", None) or error))
    for key in section:
        if key not in table:
            return None  # the file only mentions the product, as a dependency
        table = table[key]
        if not isinstance(table, dict):
            return Source(name, {}, f"{'.'.join(section)} is not a table")
    return Source(name, _with_real_folders(table) if is_private else table,
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
    import re  # noqa: PLC0415 - loaded by now, but not by a silent call

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
