"""Looking after the http transport at a session's start, a prompt and a turn's end.

Where the port cannot be had, the project's tool calls go back to processes, and nothing goes on before
the client has taken that up: until then it still asks whoever has the port, and a stranger's silence
would let every call run. A session is never locked: what a person can do about it stands in the text.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import EdgeError
from operators_edge.hosts import rewiring
from operators_edge.resident import held
from operators_edge.store import ledger, transport
from operators_edge.system import root as roots

if TYPE_CHECKING:
    from collections.abc import Mapping

_WHY = {
    "another": "another program listens on its port",
    "hung": "what listens on its port does not answer",
    "nobody": "its process does not start",
    "none": "no port is chosen any more",
    "damaged": "the file that names its port cannot be read",
    "other": "the settings name a port that is not yours any more",
}


_GONE = (
    "Operator's Edge: the process that answers tool calls over http was gone, and is back. A call that "
    "was blocked meanwhile (onFailure) can be repeated."
)


class Looked(NamedTuple):
    """``text``: what the person has to know, "" where all is well.

    ``is_safe``: whether the client's next tool call is asked about by us.
    """

    text: str = ""
    is_safe: bool = True


def look(event: Mapping[str, Any], env: Mapping[str, str] = os.environ) -> Looked:
    """See that the tool calls of this session reach us, by whatever way."""
    session = str(event.get("session_id") or "unknown")
    if event.get("source") in ("startup", "resume"):
        rewiring.taken_up(session, env)  # a client that starts has just read its settings
    root = roots.find(env.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or os.getcwd())).root
    text = ""
    try:
        listener = _listener(env)
        why = _why_back(root, listener, env)
        if not why and listener.was_gone and event.get("hook_event_name") != "SessionStart":
            text = _GONE if rewiring.urls(root, env) else ""
        if why:
            rewiring.expect(session, env)
            written = rewiring.to_process(root, env)
    except EdgeError as error:
        if not transport.is_named(root or "", env):
            return Looked()  # whatever is wrong with the settings, no call goes to a port
        hint = error.hint or "edge init --transport process"
        return Looked(f"{_said('cannot be looked after')} {error.message}. {hint}", is_safe=False)
    if why:
        text = (
            f"{_said('is not there, because ' + _WHY[why])} Each tool call starts a process again "
            f"({', '.join(written)}). To try once more: edge init --transport http"
        )
    if rewiring.is_taken_up(session, env):
        return Looked(text)
    waiting = (
        "The client has not read its settings again, and still asks the port, where nobody of yours "
        "answers. Start the client anew."
    )
    return Looked(f"{text}\n{waiting}".strip(), is_safe=False)


def everywhere(env: Mapping[str, str] = os.environ) -> None:
    """The same for every session whose client lives, between two events of theirs."""
    bound = [each for each in ledger.session_bindings(env=env) if held.is_client_alive(each)]
    if not bound:
        return
    listener = _listener(env)
    lost = set()
    for each in bound:
        root = each.get("first_root") or each.get("root")
        with suppress(EdgeError):  # the next prompt there says what is wrong with its settings
            if _why_back(root, listener, env):
                rewiring.expect(str(each["session"]), env)
                lost.add(root)
    for root in lost:
        with suppress(EdgeError):
            rewiring.to_process(root, env)


class _Listener(NamedTuple):
    """Who has the person's port, after mending; ``was_gone``: before it, nobody of ours had."""

    found: str
    url: str = ""
    was_gone: bool = False


def _listener(env: Mapping[str, str]) -> _Listener:
    try:
        known = transport.wanted(env)
        if known is None:
            return _Listener("none")
        before = held.state(known, env)
        found = before if before == "ours" else held.mend(env) or "none"
    except EdgeError:
        return _Listener("damaged")
    return _Listener(found, known.url, was_gone=before != "ours")


def _why_back(root: str | None, listener: _Listener, env: Mapping[str, str]) -> str:
    """Why this project's calls cannot go over http; "" where they can, or do not."""
    named = rewiring.urls(root, env)
    if not named or (listener.found == "ours" and set(named) == {listener.url}):
        return ""
    return "other" if listener.found == "ours" else listener.found


def _said(what: str) -> str:
    return f"Operator's Edge: the http transport {what}."
