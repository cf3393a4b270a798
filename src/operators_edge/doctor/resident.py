"""Checks of the resident and the http transport for ``edge doctor``."""

from __future__ import annotations

import os
from contextlib import suppress

from operators_edge import hook_client
from operators_edge.doctor.check import Check, ok, problem, warning
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import rewire
from operators_edge.resident import control, http_client, lifecycle
from operators_edge.storage import transport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


_HTTP = {
    "nobody": (
        "nothing listens there, and no process of yours could be started",
        "tool calls are blocked",
    ),
    "hung": ("what listens there does not answer", "tool calls wait for it, and are blocked"),
    "another": ("another program listens there", "it could let every call run"),
}


def begin(root: str | None, env: Mapping[str, str] = os.environ) -> None:
    """Start the http server if this project's calls go there, as the start of a session does.

    It ends a minute after the last client, and that is not a problem.
    """
    with suppress(EdgeError):  # `http` reports it
        if rewire.port_urls(root, env):
            http_client.ensure_running(env)


def process(env: Mapping[str, str] = os.environ) -> Check:
    """The resident's state; without one every hook decides on its own, so its absence is not a problem."""
    if os.name != "posix" or not hook_client.socket_path(env):
        return ok("none can run here; every hook decides on its own")
    if env.get(hook_client.RESIDENT_VARIABLE) == "off" or lifecycle.is_switched_off(env):
        return ok("switched off; every hook decides on its own")
    try:
        found = control.query("status", env)
    except OSError as error:
        what = f"it does not answer ({error}); hooks decide without it"
        return warning(what, "calls are slower", "edge resident stop")
    if found is None:
        return ok("none runs now; the next session starts one")
    return ok(f"process {found['pid']} keeps the gate loaded")


def http(root: str | None, env: Mapping[str, str] = os.environ) -> Check | None:
    """Whether the settings name the person's own port, and who listens there; None if http is not used."""
    chosen = transport.load(env)
    named = set(rewire.port_urls(root, env))
    if named - {chosen.url if chosen else ""}:
        why = "a program that listens there could let every call run"
        return problem("the settings name a port that is not yours", why, "edge init")
    if chosen is None:
        return None
    found = http_client.listener_state(chosen, env)
    if found == "ours":
        return ok(f"a process of yours listens on port {chosen.port}")
    if not named:
        return ok(f"port {chosen.port} is yours, but this project does not use it")
    what, why = _HTTP[found]
    return problem(f"port {chosen.port}: {what}", why, "edge init --transport process")


# end of module
