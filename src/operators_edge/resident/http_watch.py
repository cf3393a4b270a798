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
from operators_edge.hosts.claude import rewire
from operators_edge.resident import http_client
from operators_edge.storage import bindings, transport
from operators_edge.system import project_root

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
    if event.get("source") == "startup":
        rewire.taken_up(session, env)  # a client that starts has just read its settings
    root = project_root.find(
        env.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or os.getcwd())
    ).root
    text = why = ""
    try:
        listener = _listener(env)
        why = _why_back(root, listener, env)
        if why:
            written = _send_back({**_others(env), session: root}, listener, env).get(root, [])
            if isinstance(written, EdgeError):
                raise written
            where = f" ({', '.join(written)})" if written else ""
            text = (
                f"{_said('is not there, because ' + _WHY[why])} Each tool call starts a process "
                f"again{where}. To try once more: edge init --transport http"
            )
        elif listener.was_gone and event.get("hook_event_name") != "SessionStart":
            text = _GONE if rewire.urls(root, env) else ""
    except EdgeError as error:
        if transport.is_named(root or "", env):
            hint = error.hint or "edge init --transport process"
            told = f"{_said('cannot be looked after')} {error.message}. {hint}"
            return Looked(told, is_safe=False)
        # Nothing goes to a port. Where another one has just seen to that, the client may not know yet.
    if rewire.is_taken_up(session, env):
        return Looked(text)
    waiting = (
        "Operator's Edge: the client has not read its settings again, and still asks the port, where "
        "nobody of yours answers. Start the client anew (`claude --continue` goes on where you are)."
    )
    return Looked(f"{text}\n{waiting}".strip(), is_safe=False)


def everywhere(env: Mapping[str, str] = os.environ) -> None:
    """The same for every session whose client lives, between two events of theirs."""
    bound = _live(env)
    if bound:
        _send_back(bound, _listener(env), env)  # what fails is said at the next prompt there


def _live(env: Mapping[str, str]) -> dict[str, str | None]:
    """The sessions whose client lives, each with the root of its settings."""
    return {
        str(each["session"]): each.get("first_root") or each.get("root")
        for each in bindings.session_bindings(env=env)
        if http_client.is_client_alive(each)
    }


def _others(env: Mapping[str, str]) -> dict[str, str | None]:
    """The same where one of them, which cannot be read, must not matter to this one."""
    try:
        return _live(env)
    except EdgeError:
        return {}


def _send_back(
    calls: Mapping[str, str | None], listener: _Listener, env: Mapping[str, str]
) -> dict[str | None, list[str] | EdgeError]:
    """Let calls of these sessions start processes, where they have to; the files written, by root.

    Several may be at it, for a session each and for all of them. Who comes late expects of no client
    that it reads anything: it may have done so already.
    """
    lost = {}
    for session, root in calls.items():
        with suppress(EdgeError):
            if _why_back(root, listener, env):
                lost[session] = root
    fresh = [session for session in lost if rewire.expect(session, env)]
    done: dict[str | None, list[str] | EdgeError] = {}
    for root in set(lost.values()):
        try:
            done[root] = rewire.to_process(root, env)
        except EdgeError as error:
            done[root] = error
    if not any(done.values()):
        for session in fresh:
            rewire.taken_up(session, env)
    return done


class _Listener(NamedTuple):
    """Who has the person's port, after mending; ``was_gone``: before it, nobody of ours had."""

    found: str
    url: str = ""
    was_gone: bool = False


def _listener(env: Mapping[str, str]) -> _Listener:
    try:
        known = transport.load(env)
        if known is None:
            return _Listener("none")
        before = http_client.state(known, env)
        found = before if before == "ours" else http_client.mend(env) or "none"
    except EdgeError:
        return _Listener("damaged")
    return _Listener(found, known.url, was_gone=before != "ours")


def _why_back(root: str | None, listener: _Listener, env: Mapping[str, str]) -> str:
    """Why this project's calls cannot go over http; "" where they can, or do not."""
    named = rewire.urls(root, env)
    if not named or (listener.found == "ours" and set(named) == {listener.url}):
        return ""
    return "other" if listener.found == "ours" else listener.found


def _said(what: str) -> str:
    return f"Operator's Edge: the http transport {what}."
