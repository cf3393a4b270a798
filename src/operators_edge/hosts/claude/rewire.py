"""Going back to process hooks if the http transport fails, so that no session stays blocked.

Owns finding settings that name a port, changing nothing else in them, and whether a running client has
reloaded them: until then it asks whatever program has the port. Whether our server has the port is in
``resident.http_client``.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from operators_edge.errors import EdgeError
from operators_edge.gate.facts import home
from operators_edge.hosts.claude import wiring
from operators_edge.hosts.claude.install import Installation
from operators_edge.hosts.claude.install_record import records
from operators_edge.storage import bindings
from operators_edge.storage.files import Lock
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.hosts.claude.install import Scope

RELOAD_SECONDS = 8.0
"""For a client to reload its settings; up to 2.3 s were observed."""

_SETTLED_SECONDS = 0.2
"""What the client needs at most after the hook that saw the change has ended."""

_SCOPES: tuple[Scope, ...] = ("local", "user")


def port_urls(root: str | None, env: Mapping[str, str] = os.environ) -> list[str]:
    """The http addresses to which tool calls of this project go; empty if they start processes."""
    return [url for url in (each.port_url() for each in _installations(root, env)) if url]


def use_processes(root: str | None, env: Mapping[str, str] = os.environ) -> list[str]:
    """Make tool calls of this project start processes again; returns the changed settings files."""
    hooks = wiring.hooks("exec", wiring.this_runner(env)._replace(url=""))
    written = []
    for here in _installations(root, env):
        if here.port_url():
            kept = here.permissions()
            here.apply(here.plan(hooks, permissions=kept, exclude=None, with_command=False))
            written.append(here.settings)
    return written


def is_http_used(env: Mapping[str, str] = os.environ) -> bool:
    """Whether the settings of any set-up project, or the person's own, name a port."""
    roots = [record.root for _, record in records(env) if record.root]
    for root in [None, *roots]:
        try:
            if port_urls(root, env):
                return True
        except EdgeError:
            return True  # it cannot be read, so it may name the port
    return False


def _installations(root: str | None, env: Mapping[str, str]) -> Iterator[Installation]:
    person = home(env)
    for scope in _SCOPES:
        if person if scope == "user" else root:
            yield Installation(scope, None if scope == "user" else root, home=person, env=env)


# -- whether the client knows ----------------------------------------------------------------------


def lock(env: Mapping[str, str] = os.environ) -> Lock:
    """Held while settings are changed and their reload is noted: one process at a time."""
    folder = make_user_dir(env, "run")
    return Lock(os.path.join(folder, "rewire.lock"), command="change the http transport")


def expect_reload(session: str, env: Mapping[str, str] = os.environ) -> None:
    """Note that the session's client must reload its settings."""
    make_user_dir(env, "run")
    os.close(os.open(_notes(session, env)[-1], os.O_WRONLY | os.O_CREAT, 0o600))


def mark_reloaded(session: str, env: Mapping[str, str] = os.environ) -> None:
    """Note that the client has read its settings, again or for the first time."""
    for path in _notes(session, env):
        with suppress(FileNotFoundError):
            os.unlink(path)


def wait_until_reloaded(session: str, env: Mapping[str, str] = os.environ) -> bool:
    """Wait until the client has reloaded its settings, if it must; whether it has."""
    if not _must_reload(session, env):
        return True
    until = time.monotonic() + RELOAD_SECONDS
    while time.monotonic() < until:
        time.sleep(0.02)
        if not _must_reload(session, env):
            time.sleep(_SETTLED_SECONDS)
            return True
    return False


def _must_reload(session: str, env: Mapping[str, str]) -> bool:
    return any(map(os.path.exists, _notes(session, env)))


def _notes(session: str, env: Mapping[str, str]) -> list[str]:
    """The files of the note: by session, and by client once the session is bound to one.

    /clear begins another session of the same client. A note made before the session was bound still counts.
    """
    owners = [session]
    bound = bindings.session_binding(session, env=env) or {}
    if bound.get("pid"):
        owners.append(f"{bound['pid']} {bound.get('started')}")
    names = [sha256_hex(each.encode("utf-8", "surrogatepass"))[:16] for each in owners]
    return [os.path.join(user_dir(env), "run", f"reload-{name}") for name in names]


# end of module
