"""Checks of the http transport at a session's start, a prompt and the end of a turn.

If our server cannot get the port, the project's tool calls go back to process hooks, and nothing continues
before the client has read the changed settings: until then it asks whatever program has the port, whose
silence would let every call run. No session is locked: the message says what a person can do.
"""

from __future__ import annotations

import os
from contextlib import suppress

from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import rewire
from operators_edge.resident import http_client
from operators_edge.storage import bindings, transport
from operators_edge.system import project_root
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_REASONS = {
    "another": "another program listens on its port",
    "hung": "what listens on its port does not answer",
    "nobody": "its process does not start",
    "none": "no port is configured any more",
    "damaged": "the file that names its port cannot be read",
    "other": "the settings name a port that is not yours any more",
}


_RESTARTED = (
    "Operator's Edge: the process that answers tool calls over http had ended, and was restarted. A call "
    "that was blocked meanwhile (onFailure) can be repeated."
)


class CheckResult(NamedTuple):
    """``text``: what the person must know, "" if all is well.

    ``is_safe``: whether we are asked about the client's next tool call.
    """

    text: str = ""
    is_safe: bool = True


def check(event: Mapping[str, Any], env: Mapping[str, str] = os.environ) -> CheckResult:
    """Make sure that the tool calls of this session reach us, over either transport."""
    session = str(event.get("session_id") or "unknown")
    if event.get("source") == "startup":
        rewire.mark_reloaded(session, env)  # a client that starts has just read its settings
    root = project_root.find(
        env.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or os.getcwd())
    ).root
    text = why = ""
    try:
        listener = _listener(env)
        why = _revert_reason(root, listener, env)
        if why:
            written = _revert_to_processes(
                {**_live_if_readable(env), session: root}, listener, env
            ).get(root, [])
            if isinstance(written, EdgeError):
                raise written
            where = f" ({', '.join(written)})" if written else ""
            text = (
                f"{_message('does not work: ' + _REASONS[why])} Each tool call starts a process "
                f"again{where}. To try again: edge init --transport http"
            )
        elif rewire.port_urls(root, env) and _is_restarted(session, listener, env):
            text = "" if event.get("hook_event_name") == "SessionStart" else _RESTARTED
    except EdgeError as error:
        if transport.is_named(root or "", env):
            hint = error.hint or "edge init --transport process"
            problem = f"{_message('cannot be checked')} {error.message}. {hint}"
            return CheckResult(problem, is_safe=False)
        # No settings name a port. If another process has just changed them, the client may not know yet.
    if rewire.wait_until_reloaded(session, env):
        return CheckResult(text)
    waiting = (
        "Operator's Edge: the client has not reloaded its settings and still asks the port, where no "
        "process of yours answers. Restart the client (`claude --continue` resumes this session)."
    )
    return CheckResult(f"{text}\n{waiting}".strip(), is_safe=False)


def _is_restarted(session: str, listener: _Listener, env: Mapping[str, str]) -> bool:
    """Whether the server is another one than at the last check of the session, no matter who restarted it."""
    server, known = str(http_client.server_pid(env)), bindings.known_server(session, env)
    if server == known:
        return False
    bindings.note_server(session, server, env)
    return known is not None or listener.was_gone


def check_all_sessions(env: Mapping[str, str] = os.environ) -> None:
    """Make sure of the same for every session whose client runs, between two of its events."""
    bound = _live_sessions(env)
    if bound:
        listener = _listener(env)
        with suppress(EdgeError):  # reported at the next prompt there
            if _cut_off(bound, listener, env):
                _revert_to_processes(bound, listener, env)


def _live_sessions(env: Mapping[str, str]) -> dict[str, str | None]:
    """The sessions whose client runs, each with the root of its settings."""
    return {
        str(each["session"]): each.get("first_root") or each.get("root")
        for each in bindings.session_bindings(env=env)
        if http_client.is_client_alive(each)
    }


def _live_if_readable(env: Mapping[str, str]) -> dict[str, str | None]:
    """The live sessions; none if their records cannot be read, which must not fail this session's check."""
    try:
        return _live_sessions(env)
    except EdgeError:
        return {}


def _revert_to_processes(
    calls: Mapping[str, str | None], listener: _Listener, env: Mapping[str, str]
) -> dict[str | None, list[str] | EdgeError]:
    """Switch these sessions back to process hooks, if they must be; the files written, by root.

    Several processes may do this at once, for one session or for all. Under the lock only one of them finds
    the port still named; the others see the note it left, and wait for the client as it does.
    """
    done: dict[str | None, list[str] | EdgeError] = {}
    with rewire.lock(env):
        cut_off = _cut_off(calls, listener, env)
        for session in cut_off:
            rewire.expect_reload(session, env)
        for root in set(cut_off.values()):
            try:
                done[root] = rewire.use_processes(root, env)
            except EdgeError as error:
                done[root] = error
    return done


def _cut_off(
    calls: Mapping[str, str | None], listener: _Listener, env: Mapping[str, str]
) -> dict[str, str | None]:
    """Those of the sessions whose calls go to a port where we do not answer."""
    found = {}
    for session, root in calls.items():
        with suppress(EdgeError):
            if _revert_reason(root, listener, env):
                found[session] = root
    return found


class _Listener(NamedTuple):
    """What has the person's port after ``ensure_running``; ``was_gone``: our server had not."""

    found: str
    url: str = ""
    was_gone: bool = False


def _listener(env: Mapping[str, str]) -> _Listener:
    try:
        known = transport.load(env)
        if known is None:
            return _Listener("none")
        before = http_client.listener_state(known, env)
        found = before if before == "ours" else http_client.ensure_running(env) or "none"
    except EdgeError:
        return _Listener("damaged")
    return _Listener(found, known.url, was_gone=before != "ours")


def _revert_reason(root: str | None, listener: _Listener, env: Mapping[str, str]) -> str:
    """Why this project's calls cannot go over http; "" if they can, or do not."""
    named = rewire.port_urls(root, env)
    if not named or (listener.found == "ours" and set(named) == {listener.url}):
        return ""
    return "other" if listener.found == "ours" else listener.found


def _message(what: str) -> str:
    return f"Operator's Edge: the http transport {what}."


# end of module
