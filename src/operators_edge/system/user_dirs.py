"""Paths of the person's own files, outside every project: registry, keys, configuration.

Owns these paths, the variables that lead to them, and the names of projects and sessions in them. Does not
own what is in the files. On the hook path: it imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from operators_edge.errors import NotSetUp
from operators_edge.locations import NAME, known_home, known_user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_UUID_CHARACTERS = frozenset("0123456789abcdef-")


def user_dir(env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """The folder of keys and registries; it may not exist. NotSetUp if no home folder is known."""
    folder = known_user_dir(env, platform)
    if not folder:
        raise NotSetUp("No home folder is known for this user", hint="set HOME, then repeat")
    return folder


def config_file(env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """The person's configuration file; it may not exist. "" if no home folder is known."""
    home = known_home(env)
    base = env.get("XDG_CONFIG_HOME", "")
    if platform == "win32":
        base = env.get("APPDATA") or (os.path.join(home, "AppData", "Roaming") if home else "")
    elif not os.path.isabs(base) and platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    elif not os.path.isabs(base):
        base = os.path.join(home, ".config")
    return os.path.join(base, NAME, "config.toml") if os.path.isabs(base) else ""


_OF_BACKGROUND = (
    *("HOME", "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "TMPDIR", "TZ"),
    *("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"),
    *("USERPROFILE", "LOCALAPPDATA", "APPDATA"),
)


def background_env(env: Mapping[str, str], more: tuple[str, ...] = ()) -> dict[str, str]:
    """The environment of a process in the background: the person's folders, ``more``, nothing of a shell."""
    return {name: env[name] for name in (*_OF_BACKGROUND, *more) if name in env}


def project_id(root: str) -> str:
    """A project's name in the person's folder: the start of the hash of its real path."""
    return _hash(os.fsencode(os.path.normcase(os.path.realpath(root))))[:16]


def undo_dir(common: str, env: Mapping[str, str], top: str = "") -> str:
    """What undo keeps of a repository, or of one working tree; ``common`` is the git folder of them all."""
    folder = os.path.join(user_dir(env), "undo", project_id(common))
    return os.path.join(folder, project_id(top)) if top else folder


def binding_path(session: str, env: Mapping[str, str]) -> str:
    """The file with the root that a session is bound to.

    A session's id comes from outside: only a UUID is used as a file name, anything else is hashed.
    """
    name = session
    if len(session) != 36 or not _UUID_CHARACTERS.issuperset(session):
        name = _hash(session.encode("utf-8", "backslashreplace"))
    return os.path.join(user_dir(env), "sessions", f"{name}.json")


def _hash(data: bytes) -> str:
    from operators_edge.system.digest import sha256_hex  # noqa: PLC0415 - hook start-up time

    return sha256_hex(data)


# end of module
