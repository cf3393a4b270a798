"""The person's own lessons, shown in each of their projects: a file in the person's folder.

Only a person's command writes them (``cli.commands.lesson``), so no repository can bring one along. Does not
own what a lesson is (``memory.lessons``) or when it is shown (``memory.service``).
"""

from __future__ import annotations

import json
import os

from operators_edge.errors import StateDamaged
from operators_edge.memory.trigger_cache import PERSON_FILE
from operators_edge.storage.files import Lock, json_object, read_bytes, sweep, write_durable
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.user_dirs import user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    T = TypeVar("T")


def path(env: Mapping[str, str] = os.environ) -> str:
    """The file; it may not exist."""
    return os.path.join(user_dir(env), PERSON_FILE)


def read(env: Mapping[str, str] = os.environ) -> list[dict[str, Any]]:
    """The lessons in order. ``from`` of each is the name of the project in which it was learned."""
    file = path(env)
    data = read_bytes(file)
    if data is None:
        return []
    hint = f"Repair or remove {file}: it holds your own lessons."
    listed = json_object(file, data, hint=hint).get("memory")
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise StateDamaged(file, "memory is not a list of lessons", hint=hint)
    return listed


def change(edit: Callable[[dict[str, Any]], T], env: Mapping[str, str] = os.environ) -> T:
    """Apply an edit of ``memory.lessons`` to them; ``edit`` changes ``memory`` of a mapping."""
    folder = make_user_dir(env)
    file = path(env)
    with Lock(os.path.join(folder, "lessons.lock"), command="edit the person's lessons") as lock:
        if lock.is_after_crash:
            sweep(file)
        book: dict[str, Any] = {"memory": read(env)}
        result = edit(book)
        data = json.dumps(book, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        write_durable(file, data, mode=0o600)
    return result


# end of module
