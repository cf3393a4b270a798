"""Which project and process each session belongs to: one file a session, in the person's folder.

Owns these files. Does not own what a binding means (``hosts.claude.identity``).
"""

from __future__ import annotations

import os
import time

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.errors import StateDamaged
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir
from operators_edge.system import file_cache, processes
from operators_edge.system.user_dirs import binding_path, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

KEPT_DAYS = 30


def bind_session(
    session: str, record: Mapping[str, Any], *, env: Mapping[str, str] = os.environ
) -> None:
    """Store a session's binding; bindings that were not written for 30 days are deleted."""
    folder = make_user_dir(env, "sessions")
    data = jsons.dumps({**record, "session": session}).encode()
    files.write_durable(binding_path(session, env), data, mode=0o600)
    _prune(folder)


def session_binding(
    session: str, *, env: Mapping[str, str] = os.environ
) -> Mapping[str, Any] | None:
    """What ``bind_session`` stored; None for a session that was never bound."""
    path = binding_path(session, env)
    hint = f"Remove {path} and start the session again."
    try:
        record = file_cache.read_cached(path, lambda data: files.json_object(path, data, hint=hint))
    except files.ABSENT:
        return None
    except OSError as error:
        raise files.failure("read", path, error) from error
    if record.get("session") != session:
        raise StateDamaged(path, "it belongs to another session", hint=f"Remove {path}.")
    return record


def known_server(session: str, env: Mapping[str, str] = os.environ) -> str | None:
    """The process of the http transport that the session was last known to use; None if no one is known."""
    data = files.read_bytes(_server_path(session, env))
    return None if data is None else data.decode("ascii", "replace")


def note_server(session: str, server: str, env: Mapping[str, str] = os.environ) -> None:
    """Store it. It is deleted with the session's binding."""
    files.write_cache(_server_path(session, env), server.encode())


def _server_path(session: str, env: Mapping[str, str]) -> str:
    return binding_path(session, env).removesuffix(".json") + ".server"


def session_bindings(*, env: Mapping[str, str] = os.environ) -> list[dict[str, Any]]:
    """All bindings."""
    folder = os.path.join(user_dir(env), "sessions")
    try:
        names = sorted(os.listdir(folder))
    except files.ABSENT:
        return []
    except OSError as error:
        raise files.failure("read", folder, error) from error
    found = []
    for name in names:
        path = os.path.join(folder, name)
        data = files.read_bytes(path) if name.endswith(".json") else None
        if data is not None:  # deleted meanwhile, or a file that is being written
            found.append(files.json_object(path, data, hint=f"Remove {path}."))
    return found


def is_below_a_client(pid: int, env: Mapping[str, str]) -> bool:
    """Whether the client of any session is among the process's ancestors."""
    return _is_any_client(processes.parents(pid), env)


def is_at_or_below_a_client(pid: int, env: Mapping[str, str]) -> bool:
    """Whether the process or one of its ancestors is the client of any session."""
    own = processes.identity(pid)
    return _is_any_client([*([own] if own else []), *processes.parents(pid)], env)


def _is_any_client(known: list[processes.Identity], env: Mapping[str, str]) -> bool:
    return any(processes.recorded(each) in known for each in session_bindings(env=env))


def _prune(folder: str) -> None:
    oldest = time.time() - KEPT_DAYS * 86400
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):  # another process deletes it too
            if entry.stat(follow_symlinks=False).st_mtime < oldest:
                os.unlink(entry.path)


# end of module
