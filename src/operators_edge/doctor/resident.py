"""What ``edge doctor`` says of the resident and of the http transport."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from operators_edge import hook_client
from operators_edge.doctor.checks import Check
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import rewire
from operators_edge.resident import http_client, lifecycle
from operators_edge.storage import transport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_HTTP = {
    "nobody": (
        "nobody listens there, and no process of yours could be started",
        "tool calls are blocked",
    ),
    "hung": ("what listens there does not answer", "tool calls wait for it, and are blocked"),
    "another": ("another program listens there", "it could let every call run"),
}


def begin(root: str | None, env: Mapping[str, str] = os.environ) -> None:
    """See that somebody listens where calls of this project go, as the start of a session does.

    A minute after the last client nobody does, and nothing is wrong then.
    """
    with suppress(EdgeError):  # `checks` says what is wrong
        if rewire.port_urls(root, env):
            http_client.ensure_running(env)


def checks(root: str | None, env: Mapping[str, str] = os.environ) -> Iterator[Check]:
    """The resident's state; without one every hook decides by itself, so nothing here is a hole."""
    yield _resident(env)
    try:
        chosen = transport.wanted(env)
        named = set(rewire.port_urls(root, env))
    except EdgeError as error:
        yield Check("http", "problem", error.message, run=error.hint)
        return
    if named - {chosen.url if chosen else ""}:
        why = "whoever listens there could let every call run"
        yield Check(
            "http", "problem", "the settings name a port that is not yours", why, "edge init"
        )
    elif chosen is not None:
        yield _http(chosen, env, is_used=bool(named))


def _resident(env: Mapping[str, str]) -> Check:
    if os.name != "posix" or not hook_client.socket_path(env):
        return Check("resident", "ok", "none can run here; every hook decides by itself")
    if env.get(hook_client.RESIDENT_VARIABLE) == "off" or lifecycle.is_switched_off(env):
        return Check("resident", "ok", "switched off; every hook decides by itself")
    try:
        found = lifecycle.query("status", env)
    except OSError as error:
        what = f"it does not answer ({error}); hooks pass it over"
        return Check("resident", "warning", what, "calls are slower", "edge resident stop")
    if found is None:
        return Check("resident", "ok", "none runs now; the next session starts one")
    return Check("resident", "ok", f"process {found['pid']} keeps the gate warm")


def _http(chosen: transport.Wanted, env: Mapping[str, str], *, is_used: bool) -> Check:
    found = http_client.listener_state(chosen, env)
    if found == "ours":
        return Check("http", "ok", f"port {chosen.port} is held by a process of yours")
    if not is_used:
        what = f"port {chosen.port} is yours, and no call of this project goes there"
        return Check("http", "ok", what)
    what, why = _HTTP[found]
    run = "edge init --transport process"
    return Check("http", "problem", f"port {chosen.port}: {what}", why, run)
