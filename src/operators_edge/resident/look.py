"""What ``edge doctor`` says of the resident and of the http transport."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge import asking
from operators_edge.errors import EdgeError
from operators_edge.hosts.checkup import Check
from operators_edge.resident import held, start
from operators_edge.store import transport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.hosts.checkup import Level

_HTTP = {
    "nobody": "nobody listens there now; the next prompt starts it",
    "hung": "what listens there does not answer",
    "another": "another program listens there, which could let every call run",
}


def checks(env: Mapping[str, str] = os.environ) -> Iterator[Check]:
    """The resident's state; without one every hook decides by itself, so nothing here is a hole."""
    yield _resident(env)
    try:
        chosen = transport.wanted(env)
    except EdgeError as error:
        yield Check("http", "problem", error.message, run=error.hint)
        return
    if chosen is not None:
        yield _http(chosen, env)


def _resident(env: Mapping[str, str]) -> Check:
    if os.name != "posix" or not asking.socket_path(env):
        return Check("resident", "ok", "none can run here; every hook decides by itself")
    if env.get(asking.OFF) == "off" or start.is_switched_off(env):
        return Check("resident", "ok", "switched off; every hook decides by itself")
    try:
        found = start.said("status", env)
    except OSError as error:
        what = f"it does not answer ({error}); hooks pass it over"
        return Check("resident", "warning", what, "calls are slower", "edge resident stop")
    if found is None:
        return Check("resident", "ok", "none runs now; the next session starts one")
    return Check("resident", "ok", f"process {found['pid']} keeps the gate warm")


def _http(chosen: transport.Wanted, env: Mapping[str, str]) -> Check:
    found = held.state(chosen, env)
    if found == "ours":
        return Check("http", "ok", f"port {chosen.port} is held by a process of yours")
    level: Level = "warning" if found == "nobody" else "problem"
    what = f"port {chosen.port}: {_HTTP[found]}"
    return Check("http", level, what, "tool calls wait for it", "edge init --transport process")
