"""Where the configuration files of the person and of a project are, and their versions.

Stamps are taken on every tool call: that imports next to nothing, and opens no file but a ``pyproject.toml``.
Does not own what is in the files (``config.files``).
"""

from __future__ import annotations

import os

from operators_edge.system import file_cache
from operators_edge.system.user_dirs import config_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

OWN = "edge.toml"
SHARED = "pyproject.toml"
MAX_BYTES = 1 << 20
_MENTION = b"operators-edge"


def stamp(root: str | None, env: Mapping[str, str]) -> str:
    """A text that changes with the configuration; "" if there is none at all."""
    paths = [config_file(env)]
    if root is not None:
        paths += [os.path.join(root, OWN), mentioning(root)]
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


def mentioning(root: str) -> str:
    """The project's ``pyproject.toml`` if it may have our table; most do not, and need no parser."""
    path = os.path.join(root, SHARED)
    try:
        data = content(path)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        return path  # unusable, which is reported when it is read
    return path if _MENTION in data else ""


def content(path: str) -> bytes:
    """The content of a regular file that is not too large; ValueError or OSError gives the reason."""
    with open(path, "rb", opener=file_cache.open_regular) as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES >> 10} KB")
        return file.read()


# end of module
