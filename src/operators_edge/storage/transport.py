"""The person's http transport: which port, and the word that others do not know.

Owns the file that keeps them in the person's folder, and the proof by which the listener is known. Does
not own listening or mending (``resident``).

Whoever listens on the port can let calls run, so nobody is believed who does not know the person's key.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import EdgeError, StateDamaged
from operators_edge.locations import known_home
from operators_edge.storage import files, keys
from operators_edge.system.user_dirs import user_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

PORTS = range(20_000, 30_000)
"""Below the ports that systems give to outgoing connections (Linux from 32768, others from 49152)."""


_BY_PORT = b'"http://127.0.0.1:'


class Wanted(NamedTuple):
    """The person's port and the word in the address that others do not know."""

    port: int
    token: str

    @property
    def url(self) -> str:
        """It says whose it is: the client shows it with a call that nobody answered."""
        return f"http://127.0.0.1:{self.port}/operators-edge/{self.token}/claude"


def path(env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "http.json")


def wanted(env: Mapping[str, str] = os.environ) -> Wanted | None:
    """The person's http transport; None where none was chosen."""
    data = files.read_bytes(path(env))
    if data is None:
        return None
    try:
        kept = json.loads(data)
        found = Wanted(int(kept["port"]), str(kept["token"]))
    except (ValueError, KeyError, TypeError) as error:
        hint = "Remove it, then: edge init --transport http"
        raise StateDamaged(path(env), f"it names no port ({error})", hint=hint) from error
    return found


def may_be_in_use(root: str, env: Mapping[str, str] = os.environ) -> bool:
    """A cheap look: whether a port was chosen, or settings of this project still name one."""
    try:
        is_chosen = os.path.lexists(path(env))
    except EdgeError:
        is_chosen = False  # no home, so no choice either
    return is_chosen or is_named(root, env)


def is_named(root: str, env: Mapping[str, str] = os.environ) -> bool:
    """Whether settings that hold for this project have a port of a person's in them, in whatever shape.

    Those that we cannot read are no hooks of the client's either.
    """
    for base, name in ((root, "settings.local.json"), (known_home(env), "settings.json")):
        if not base:
            continue
        try:
            with open(os.path.join(base, ".claude", name), "rb") as file:
                if _BY_PORT in file.read():
                    return True
        except OSError:
            continue
    return False


def want(env: Mapping[str, str] = os.environ) -> Wanted:
    """Choose a port and a word, once for a person."""
    known = wanted(env)
    if known is not None:
        return known
    import secrets  # noqa: PLC0415 - every prompt looks whether a port was chosen

    chosen = Wanted(_free_port(), secrets.token_urlsafe(18))
    keys.make_user_dir(env)
    files.write_durable(path(env), json.dumps(chosen._asdict()).encode(), mode=0o600)
    return chosen


def _free_port() -> int:
    """A port that nobody listens on, tried from one that differs from user to user."""
    import socket  # noqa: PLC0415 - see want

    first = (os.getuid() * 7919) % len(PORTS)
    for step in range(len(PORTS)):
        port = PORTS[(first + step) % len(PORTS)]
        with socket.socket() as end:
            try:
                end.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")


def example() -> Wanted:
    """What a dry run shows where nothing was chosen yet."""
    return Wanted(PORTS[0], "…")


def forget(env: Mapping[str, str] = os.environ) -> None:
    """No http any more: who holds the port notices, and ends."""
    if os.path.lexists(path(env)):
        os.unlink(path(env))


def proof(known: Wanted, nonce: str, env: Mapping[str, str]) -> bytes:
    """What only a process of this person can say to the nonce."""
    return keys.seal(f"http {known.port} {nonce}", env=env).encode()
