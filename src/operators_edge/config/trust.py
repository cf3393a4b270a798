"""Which loosenings in a project's configuration a person confirmed (JU-4).

Owns that record: outside the project, and signed like a grant. Does not own what a loosening is
(``config.layers``) or who counts as a person (``cli.person``).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from operators_edge.errors import StateDamaged
from operators_edge.storage.files import failure, json_object, read_bytes, write_durable
from operators_edge.storage.keys import is_genuine, make_user_dir, signed
from operators_edge.system.user_dirs import project_id, user_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NAME = "trust.json"


def path_of(root: str, env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "projects", project_id(root), NAME)


def confirm(
    root: str, loosenings: Iterable[str], *, by: str, at: str, env: Mapping[str, str]
) -> None:
    """Store exactly these ("git-push=warn") as confirmed, instead of what was confirmed before."""
    make_user_dir(env, "projects", project_id(root))
    record = {"kind": "trust", "loosenings": sorted(loosenings), "by": by, "at": at}
    data = json.dumps(signed(root, record, env=env)).encode()
    write_durable(path_of(root, env), data, mode=0o600)


def confirmed(root: str, env: Mapping[str, str]) -> frozenset[str]:
    """What a person confirmed for this project; nothing if the record is not genuine.

    Raises StateError if the record or the key cannot be read.
    """
    path = path_of(root, env)
    data = read_bytes(path)
    if data is None:
        return frozenset()
    hint = f"Remove {path}, then: edge config trust"
    record = json_object(path, data, hint=hint)
    if record.get("kind") != "trust":
        raise StateDamaged(path, "it is not a record of confirmations", hint=hint)
    if not is_genuine(root, record, env=env):
        return frozenset()
    return frozenset(map(str, record["loosenings"]))


def withdraw(root: str, env: Mapping[str, str]) -> bool:
    """Delete all confirmations; False if there were none."""
    path = path_of(root, env)
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise failure("remove", path, error) from error
    return True
