"""The person's key, the signatures that it makes, and the private folder that it is in.

A grant in a project's state carries a MAC made with this key. Does not own where the folder is
(``system.user_dirs``) or which grants are live (``storage.registry``).
"""

from __future__ import annotations

import os
import stat

from operators_edge.contexts import suppress
from operators_edge.errors import StateDamaged, StateError
from operators_edge.gate.fingerprint import canonical
from operators_edge.locations import INSTALLED
from operators_edge.storage.files import (
    Lock,
    ensure_private_dir,
    failure,
    read_bytes,
    sweep,
    write_durable,
)
from operators_edge.system.digest import hmac_hex, is_same
from operators_edge.system.user_dirs import project_id, user_dir
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    G = TypeVar("G", bound=Mapping[str, Any])

KEY_BYTES = 32


def make_user_dir(env: Mapping[str, str], *below: str) -> str:
    """Create the person's folder and the folders below it, all private; returns the last."""
    folder = user_dir(env)
    for name in ("", *below):
        folder = os.path.join(folder, name) if name else folder
        if not os.path.isdir(folder):
            ensure_private_dir(folder)
    return folder


def mark_installed(env: Mapping[str, str], *, is_so: bool = True) -> None:
    """Note in the person's folder that they have the product, or no longer (``locations.INSTALLED``)."""
    path = os.path.join(user_dir(env), INSTALLED)
    if os.path.exists(path) == is_so:
        return
    if not is_so:
        os.unlink(path)
        return
    make_user_dir(env)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def mac(root: str, grant: Mapping[str, Any], *, env: Mapping[str, str] = os.environ) -> str:
    """The signature of a grant of the project at ``root``; creates the key if there is none."""
    return _code(_existing_key(env) or _new_key(env), root, grant)


def signed(root: str, grant: G, *, env: Mapping[str, str] = os.environ) -> G:
    """The grant with its ``mac``; ``root`` is "" for what belongs to no project."""
    return cast("G", {**grant, "mac": mac(root, grant, env=env)})


def is_genuine(root: str, grant: Mapping[str, Any], *, env: Mapping[str, str] = os.environ) -> bool:
    """True if this person's key signed exactly this grant for this project.

    A StateError means that the key cannot be read or trusted: then nothing is genuine.
    """
    given = grant.get("mac")
    key = _existing_key(env)
    if key is None or not isinstance(given, str) or not given.isascii():
        return False
    return is_same(_code(key, root, grant), given)


def seal(text: str, *, env: Mapping[str, str] = os.environ) -> str:
    """A keyed hash of a short secret, to store it without being able to read it back."""
    return hmac_hex(_existing_key(env) or _new_key(env), b"seal\0" + text.encode())


def _code(key: bytes, root: str, grant: Mapping[str, Any]) -> str:
    what = {name: value for name, value in grant.items() if name not in _UNSIGNED}
    return hmac_hex(
        key, b"grant\0" + canonical({"project": project_id(root) if root else "", "grant": what})
    )


_UNSIGNED = ("mac", "consumed", "consumed_at")
"""``consumed`` is set in the state after signing; only the registry determines whether it was used."""


def _existing_key(env: Mapping[str, str]) -> bytes | None:
    """The key; None only if there is no such file."""
    path = os.path.join(user_dir(env), "key")
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failure("read", path, error) from error
    _check(path, status)
    key = read_bytes(path)
    if key is not None and len(key) != KEY_BYTES:
        raise StateDamaged(
            path, f"the key has {len(key)} bytes, not {KEY_BYTES}", hint=_replace_hint(path)
        )
    return key


def _check(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise StateError(f"{path} is not an ordinary file", hint=_replace_hint(path))
    if os.name != "posix":
        return  # the folder below LOCALAPPDATA is private
    if status.st_uid != os.geteuid():
        raise StateError(
            f"{path} belongs to user {status.st_uid}, not to you", hint=_replace_hint(path)
        )
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise StateError(
            f"Others can read {path}, so what it signed proves nothing", hint=_replace_hint(path)
        )


def _replace_hint(path: str) -> str:
    return f"Remove {path}: a new key is created, and no earlier grant counts any more."


def _new_key(env: Mapping[str, str]) -> bytes:
    """Create the key once: of several processes at the same time one creates it for all."""
    folder = make_user_dir(env)
    path = os.path.join(folder, "key")
    with Lock(os.path.join(folder, "key.lock"), command="make the key") as lock:
        if lock.is_after_crash:
            sweep(path)
        key = _existing_key(env)
        if key is None:
            key = os.urandom(KEY_BYTES)
            write_durable(path, key, mode=0o600)
    return key


def tidy_key(env: Mapping[str, str]) -> None:
    """Delete what a killed writer of the key left; not while another process makes one."""
    folder = user_dir(env)
    with (
        suppress(StateError),
        Lock(os.path.join(folder, "key.lock"), command="tidy", limit=0),
    ):
        sweep(os.path.join(folder, "key"))


# end of module
