"""Checks of the resident and the http transport for ``edge doctor``."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from operators_edge import hook_client
from operators_edge.doctor.checks import Check
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import rewire
from operators_edge.resident import control, http_client, lifecycle
from operators_edge.storage import transport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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
    with suppress(EdgeError):  # `checks` reports it
        if rewire.port_urls(root, env):
            http_client.ensure_running(env)


def checks(root: str | None, env: Mapping[str, str] = os.environ) -> Iterator[Check]:
    """The resident's state; without one every hook decides on its own, so its absence is not a problem."""
    yield _resident(env)
    try:
        chosen = transport.load(env)
        named = set(rewire.port_urls(root, env))
    except EdgeError as error:
        yield Check("http", "problem", error.message, run=error.hint)
        return
    if named - {chosen.url if chosen else ""}:
        why = "a program that listens there could let every call run"
        yield Check(
            "http", "problem", "the settings name a port that is not yours", why, "edge init"
        )
    elif chosen is not None:
        yield _http(chosen, env, is_used=bool(named))


def _resident(env: Mapping[str, str]) -> Check:
    if os.name != "posix" or not hook_client.socket_path(env):
        return Check("resident", "ok", "none can run here; every hook decides on its own")
    if env.get(hook_client.RESIDENT_VARIABLE) == "off" or lifecycle.is_switched_off(env):
        return Check("resident", "ok", "switched off; every hook decides on its own")
    try:
        found = control.query("status", env)
    except OSError as error:
        what = f"it does not answer ({error}); hooks decide without it"
        return Check("resident", "warning", what, "calls are slower", "edge resident stop")
    if found is None:
        return Check("resident", "ok", "none runs now; the next session starts one")
    return Check("resident", "ok", f"process {found['pid']} keeps the gate loaded")


def _http(chosen: transport.Endpoint, env: Mapping[str, str], *, is_used: bool) -> Check:
    found = http_client.listener_state(chosen, env)
    if found == "ours":
        return Check("http", "ok", f"a process of yours listens on port {chosen.port}")
    if not is_used:
        what = f"port {chosen.port} is yours, but this project does not use it"
        return Check("http", "ok", what)
    what, why = _HTTP[found]
    run = "edge init --transport process"
    return Check("http", "problem", f"port {chosen.port}: {what}", why, run)
