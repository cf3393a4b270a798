"""The person's http transport: its port, and the secret token in its address.

Owns their file in the person's folder, and the proof that identifies the listener. Does not own listening or
repair (``resident``).

The process that listens on the port can allow calls, so it is trusted only if it knows the person's key.
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.errors import EdgeError, StateDamaged
from operators_edge.locations import known_home
from operators_edge.storage import files, keys
from operators_edge.system import file_cache
from operators_edge.system.user_dirs import user_dir
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PORTS = range(20_000, 30_000)
"""Below the ports that systems use for outgoing connections (Linux from 32768, others from 49152)."""


_BY_PORT = b'"http://127.0.0.1:'


class Endpoint(NamedTuple):
    """The person's port and the secret token in the address."""

    port: int
    token: str

    @property
    def url(self) -> str:
        """It names the product: the client shows it if a call was not answered."""
        return f"http://127.0.0.1:{self.port}/operators-edge/{self.token}/claude"


def path(env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "http.json")


def load(env: Mapping[str, str] = os.environ) -> Endpoint | None:
    """The person's http transport; None if none was chosen."""
    data = files.read_bytes(path(env))
    if data is None:
        return None
    try:
        kept = jsons.loads(data)
        found = Endpoint(int(kept["port"]), str(kept["token"]))
    except (ValueError, KeyError, TypeError) as error:
        hint = "Remove it, then: edge init --transport http"
        raise StateDamaged(path(env), f"it has no port ({error})", hint=hint) from error
    return found


def may_be_in_use(root: str, env: Mapping[str, str] = os.environ) -> bool:
    """A cheap test: whether a port was chosen, or settings for this project still have one."""
    try:
        is_chosen = os.path.lexists(path(env))
    except EdgeError:
        is_chosen = False  # no home folder, so no choice either
    return is_chosen or is_named(root, env)


def is_named(root: str, env: Mapping[str, str] = os.environ) -> bool:
    """Whether the client's settings for this project contain a port of a person, in any form.

    Settings that we cannot read, the client cannot read either.
    """
    for base, name in ((root, "settings.local.json"), (known_home(env), "settings.json")):
        if not base:
            continue
        try:
            with open(
                os.path.join(base, ".claude", name), "rb", opener=file_cache.open_regular
            ) as file:
                if _BY_PORT in file.read():
                    return True
        except OSError:
            continue
    return False


def ensure(env: Mapping[str, str] = os.environ) -> Endpoint:
    """Choose a port and a token, once per person."""
    known = load(env)
    if known is not None:
        return known
    chosen = Endpoint(_free_port(), os.urandom(18).hex())
    keys.make_user_dir(env)
    files.write_durable(path(env), jsons.dumps(chosen._asdict()).encode(), mode=0o600)
    return chosen


def _free_port() -> int:
    """A free port; the search starts anywhere, so that two who choose at once rarely meet."""
    import socket  # noqa: PLC0415 - needed once per person

    first = int.from_bytes(os.urandom(4)) % len(PORTS)
    for step in range(len(PORTS)):
        port = PORTS[(first + step) % len(PORTS)]
        with socket.socket() as end:
            try:
                end.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")


def example() -> Endpoint:
    """What a dry run shows before a port is chosen."""
    return Endpoint(PORTS[0], "…")


def remove(env: Mapping[str, str] = os.environ) -> None:
    """Stop using http: the listener notices it and exits."""
    if os.path.lexists(path(env)):
        os.unlink(path(env))


def proof(known: Endpoint, nonce: str, env: Mapping[str, str]) -> bytes:
    """The answer to the nonce that only a process of this person can compute."""
    return keys.seal(f"http {known.port} {nonce}", env=env).encode()


# end of module
