"""Which text of a repository's settings a person trusted: signed, in the person's own folder.

Kept by digest, for one project: any change of the text has to be trusted again.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from operators_edge.errors import StateDamaged
from operators_edge.storage.files import failure, json_object, read_bytes, write_durable
from operators_edge.storage.keys import is_genuine, make_user_dir, signed
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import project_id, user_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

_KIND = "bridge-trust"


def path_of(root: str, env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "projects", project_id(root), "bridge-trust.json")


def confirm(root: str, text: str, *, by: str, at: str, env: Mapping[str, str]) -> None:
    """Store exactly this text as trusted, instead of what was trusted before."""
    make_user_dir(env, "projects", project_id(root))
    record = {"kind": _KIND, "digest": sha256_hex(text.encode()), "by": by, "at": at}
    data = json.dumps(signed(root, record, env=env)).encode()
    write_durable(path_of(root, env), data, mode=0o600)


def is_confirmed(root: str, text: str, env: Mapping[str, str]) -> bool:
    """Whether a person trusted exactly this text. StateError: the record or the key cannot be read."""
    path = path_of(root, env)
    data = read_bytes(path)
    if data is None:
        return False
    hint = f"Remove {path}, then: edge config trust"
    record = json_object(path, data, hint=hint)
    if record.get("kind") != _KIND:
        raise StateDamaged(path, "it is not a record of trust", hint=hint)
    is_same = record.get("digest") == sha256_hex(text.encode())
    return is_same and is_genuine(root, record, env=env)


def withdraw(root: str, env: Mapping[str, str]) -> bool:
    """Trust nothing; False if nothing was trusted."""
    path = path_of(root, env)
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise failure("remove", path, error) from error
    return True
