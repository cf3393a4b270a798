"""What was shown of calls that may run now, and differences that no person has seen yet; on the disk.

Both are in the person's private folder, outside the project. Does not own what is compared
(``approvals.binding.service``) or who counts as having seen it (``hosts``).
"""

from __future__ import annotations

import os
import time

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.errors import StateDamaged
from operators_edge.storage.files import failure, read_bytes, write_all, write_durable
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import project_id
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.project import Project
    from operators_edge.records import Junction

KEPT_SECONDS = 7 * 24 * 3600.0
"""A call that was shown longer ago and has not run is forgotten: its dialog was answered with No."""

MAX_ALARMS = 20


def call_path(project: Project, call_id: str) -> str:
    """Where the facts of a call are kept until it has run."""
    return os.path.join(project.registry.folder, "calls", sha256_hex(call_id.encode())[:32])


def has_call(project: Project, call_id: str) -> bool:
    return bool(call_id) and os.path.lexists(call_path(project, call_id))


def keep_call(project: Project, call_id: str, data: dict[str, Any]) -> None:
    """Remember what a call that may run now was bound to."""
    if not call_id:
        return
    folder = make_user_dir(project.registry.env, "projects", project_id(project.root), "calls")
    _sweep(folder)
    _write_one(call_path(project, call_id), data)


def _sweep(folder: str) -> None:
    with suppress(OSError):  # leftovers only take space
        for each in os.scandir(folder):
            if time.time() - each.stat(follow_symlinks=False).st_mtime > KEPT_SECONDS:
                os.unlink(each.path)


def take_call(project: Project, call_id: str) -> dict[str, Any] | None:
    """What was kept of a call, once; None if nothing was. Raises StateDamaged, once too."""
    path = call_path(project, call_id)
    try:
        return cast("dict[str, Any] | None", _read(path, dict))
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)


def _question_path(project: Project, session: str) -> str:
    name = sha256_hex(session.encode("utf-8", "backslashreplace"))[:32]
    return os.path.join(project.registry.folder, "questions", name)


def keep_question(project: Project, session: str, question: Junction) -> None:
    """Remember what the client's dialog asks: the person may give a scope for it afterwards."""
    folder = make_user_dir(project.registry.env, "projects", project_id(project.root), "questions")
    _sweep(folder)
    _write_one(_question_path(project, session), question)


def last_question(project: Project, session: str) -> Junction | None:
    """What the client's dialog asked last in the session; None if it asked nothing. Raises StateDamaged."""
    return cast("Junction | None", _read(_question_path(project, session), dict))


def _alarms_path(project: Project) -> str:
    return os.path.join(project.registry.folder, "alarms.json")


def alarms(project: Project) -> list[str]:
    """What no person has seen yet, a text each."""
    try:
        return [str(each) for each in _read(_alarms_path(project), list) or []]
    except StateDamaged as error:
        return [f"alarms may be lost: {error}; the log has them: edge log"]


def add_alarm(project: Project, text: str) -> None:
    make_user_dir(project.registry.env, "projects", project_id(project.root))
    kept = [each for each in alarms(project) if each != text]
    write_durable(_alarms_path(project), jsons.dumps([*kept, text][-MAX_ALARMS:]).encode())


def clear_alarms(project: Project) -> None:
    """A person has seen them."""
    path = _alarms_path(project)
    if os.path.lexists(path):
        os.unlink(path)


def _read(path: str, kind: type) -> Any:
    """The value in a file of ours, None if there is none. Raises StateDamaged if it is no such value."""
    data = read_bytes(path)
    if data is None:
        return None
    try:
        value = jsons.loads(data)
    except ValueError as error:
        raise StateDamaged(path, f"not valid JSON: {error}") from error
    if not isinstance(value, kind):
        raise StateDamaged(path, f"not what was written there: {type(value).__name__}")
    return value


def _write_one(path: str, data: object) -> None:
    """Write a file that nobody else writes: if this process dies in it, the call does not run either."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        fd = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
        try:
            write_all(fd, jsons.dumps(data).encode())
        finally:
            os.close(fd)
    except OSError as error:
        raise failure("write", path, error) from error


# end of module
