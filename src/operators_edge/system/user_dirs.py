"""Where the person's own files lie, outside every project: records, keys, configuration.

Owns the paths as the environment names them, and how a project and a session are called there. Does
not own what is in the files. On the path of every tool call: it imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from operators_edge.errors import NotSetUp
from operators_edge.locations import NAME, known_home, known_user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PLAIN_SIGNS = frozenset("0123456789abcdef-")


def user_dir(env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """The folder for key and ledgers; it need not exist. NotSetUp where no home can be found."""
    folder = known_user_dir(env, platform)
    if not folder:
        raise NotSetUp("No home folder is known for this user", hint="set HOME, then repeat")
    return folder


def config_file(env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """The person's configuration; it need not exist. "" where no home can be found."""
    home = known_home(env)
    base = env.get("XDG_CONFIG_HOME", "")
    if platform == "win32":
        base = env.get("APPDATA") or (os.path.join(home, "AppData", "Roaming") if home else "")
    elif not os.path.isabs(base) and platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    elif not os.path.isabs(base):
        base = os.path.join(home, ".config")
    return os.path.join(base, NAME, "config.toml") if os.path.isabs(base) else ""


def project_id(root: str) -> str:
    """What a project is called in the user's folder: the start of the hash of its real path."""
    from operators_edge.system.digest import sha256_hex  # noqa: PLC0415 - hook start-up time

    return sha256_hex(os.fsencode(os.path.normcase(os.path.realpath(root))))[:16]


def binding_path(session: str, env: Mapping[str, str]) -> str:
    """The file that says which root a session is bound to.

    A session's id comes from outside: only a UUID is used as a name, all else by its hash.
    """
    name = session
    if len(session) != 36 or not _PLAIN_SIGNS.issuperset(session):
        from operators_edge.system.digest import sha256_hex  # noqa: PLC0415 - hook start-up time

        name = sha256_hex(session.encode("utf-8", "backslashreplace"))
    return os.path.join(user_dir(env), "sessions", f"{name}.json")
