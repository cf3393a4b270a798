"""The signed record, in the person's folder: installations, guarded projects, and what was noticed.

Owns the file. Does not own what is compared with it (``integrity.service``).
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.errors import StateDamaged
from operators_edge.integrity import seen
from operators_edge.storage import files, keys
from operators_edge.system.user_dirs import user_dir
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NotRequired, TypedDict, TypeVar

    from operators_edge.integrity.seen import Seen

    T = TypeVar("T")

    class RecordedInstallation(TypedDict):
        """``files``: path in the package → size and SHA-256; empty for a development installation.

        ``around``: the same for files beside the package that the interpreter runs when it starts; which ones
        count depends on ``is_shared``.
        """

        version: str
        interpreter: str
        files: dict[str, list[Any]]
        around: dict[str, list[Any]]
        is_shared: bool
        recorded_at: str

    class GuardedProject(TypedDict):
        """``wiring``: the mark of its settings at the set-up; ``gone_at``: since when its folder is gone."""

        host: str
        since: str
        wiring: NotRequired[str]
        gone_at: NotRequired[str]

    class Notice(TypedDict):
        """Something that a process noticed and could not tell anyone."""

        at: str
        text: str

    class Record(TypedDict):
        """The content of the file; projects by root, installations by the folder of the package."""

        installations: dict[str, RecordedInstallation]
        projects: dict[str, GuardedProject]
        notices: list[Notice]


def path(env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "integrity.json")


def lock_path(env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "integrity.lock")


def read(env: Mapping[str, str]) -> Record | None:
    """The record; None if there is none. StateDamaged: it cannot be read."""
    where = path(env)
    data = files.read_bytes(where)
    if data is None:
        return None
    found = files.json_object(where, data, hint=_hint(where))
    for part, kind in (("installations", dict), ("projects", dict), ("notices", list)):
        if not isinstance(found.get(part), kind):
            raise StateDamaged(where, f"it has no {part}", hint=_hint(where))
    return cast("Record", found)


def is_genuine(record: Record, env: Mapping[str, str]) -> bool:
    """Whether the person's key signed it, also one of before their folder got another place."""
    return any(keys.is_genuine(place, record, env=env) for place in ("", user_dir(env)))


def change(env: Mapping[str, str], edit: Callable[[Record], T]) -> T:
    """Edit the record under its lock; one that cannot be trusted is begun again."""
    keys.make_user_dir(env)
    with files.Lock(lock_path(env), command="record what is installed"):
        try:
            record = read(env)
        except StateDamaged:
            record = None
        if record is None or not is_genuine(record, env):
            record = {"installations": {}, "projects": {}, "notices": []}
        before = jsons.dumps(record, sort_keys=True)
        result = edit(record)
        if jsons.dumps(record, sort_keys=True) != before:
            signed = keys.signed("", cast("Any", record), env=env)
            files.write_durable(path(env), jsons.dumps(signed).encode(), mode=0o600)
    return result


def write_seen(found: Seen, env: Mapping[str, str]) -> None:
    """Keep what a comparison found, for the next prompt."""
    keys.make_user_dir(env)
    where = seen.path(env)
    files.replace_file(where, seen.encoded(found), temp=f"{where}.{os.getpid()}")


def _hint(where: str) -> str:
    return f"A person removes {where}, then in each project: edge init"


# end of module
