"""The second half of the process hook: one event, answered by this process itself.

It runs without site, environment or current folder on the path. Owns the longer deadlines of some
events, the cheap prefilter and failing closed. Does not own any decision, nor reading the event and
asking the resident, which come first (``hook_client``).

The answer is at most one JSON object. Any error here denies a call that acts, lets a call run that
only reads, and never keeps a turn from ending (GA-6, MO-4).
"""

from __future__ import annotations

import gc
import os
import sys

from operators_edge import hook_client, jsons
from operators_edge.errors import EdgeError
from operators_edge.resident import lifecycle
from operators_edge.system import project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.typed_line import Typed

TYPED_SECONDS = 50.0
"""The deadline of a typed command, for which a person waits: below the 60 s of a prompt's hook."""

SESSION_SECONDS = 25.0
"""The deadline at the start or end of a session and the end of a turn, when no call waits: below the
client's 30 s."""

REPORT_SECONDS = 2.0
"""What the report of an unexpected error may take after the answer; the client waits longer than that."""

HTTP_CHECK_EVENTS = ("SessionStart", "UserPromptSubmit", "Stop")
"""The events at which the http transport is checked: their hooks are processes in either transport."""

COLLECT_AFTER = 100_000
"""Objects after which Python looks for garbage. Its own number: twenty times while it loads."""

READING_TOOLS = ("Read", "Glob", "Grep", "LS", "NotebookRead", "TodoWrite", "WebSearch")
"""Tools that cannot change anything: their calls run even if the product itself fails."""


def main(host: str, raw: bytes, event: dict[str, object], out: int, why: str = "") -> int:
    """Answer the event in ``raw`` on ``out``, the real stdout; returns 0, the exit code of a hook.

    ``event`` is filled in, because the deadline's handler needs it. ``why``: what has failed already.
    """
    gc.set_threshold(COLLECT_AFTER)
    broken: Exception | None = None
    try:
        if why:
            text = failure(_parse_or_empty(raw), why)
        else:
            event.update(_parse_event(raw))
            _extend_deadline(event)
            text = answer(host, event)
    except Exception as error:  # noqa: BLE001 - the hook's edge: no error may let a call run
        broken, text = (
            error,
            failure(event or _parse_or_empty(raw), f"{type(error).__name__}: {error}"),
        )
    if event.get("hook_event_name") in HTTP_CHECK_EVENTS:
        text = _with_http_check(text, event)
    _set_deadline(0)
    hook_client.write_all(out, text.encode("ascii", "backslashreplace"))
    try:
        if broken is not None and event:  # an event that cannot be read says nothing about us
            report(event, broken)
        _note_reload(text, event)
        lifecycle.start_if_absent()
    except Exception as error:  # noqa: BLE001 - the answer is written, and a hook that fails would undo it
        hook_client.write_stderr(f"operators-edge: after the answer: {error}\n".encode())
    return 0


def run_resident() -> int:
    """Be the resident: the same answers, from a process that is already running."""
    find_dependencies()
    from operators_edge.resident import server as resident_server  # noqa: PLC0415 - not for a hook

    return resident_server.main(sys.modules[__name__])


def run_http_server() -> int:
    """Be the server of the http transport."""
    find_dependencies()
    from operators_edge.resident import http_server  # noqa: PLC0415 - not for a hook

    return http_server.main(sys.modules[__name__])


def _parse_event(raw: bytes) -> dict[str, object]:
    if not raw.strip():
        raise ValueError("the event on stdin is empty")
    event = jsons.loads(raw.decode("utf-8", "surrogatepass"))
    if not isinstance(event, dict):
        raise ValueError("the event on stdin is not a JSON object")  # noqa: TRY004 - bad input, not a bug
    return event


def _parse_or_empty(raw: bytes) -> dict[str, object]:
    """The event, or an empty one if it cannot be read: what failed may be just that."""
    try:
        return _parse_event(raw)
    except (ValueError, RecursionError):
        return {}


def answer(host: str, event: dict[str, object]) -> str:
    """The answer to one event as text, decided by this process."""
    find_dependencies()
    if is_quiet(event):
        return ""
    if host != "claude":
        raise ValueError(f"unknown host {host!r}; known: claude")
    from operators_edge.hosts.claude import events as claude_events  # noqa: PLC0415 - hot path

    return claude_events.handle(event, _run_typed)


def _with_http_check(text: str, event: dict[str, object]) -> str:
    """The answer, after a check of the http transport, if the person chose it.

    If the transport does not work and the client still uses it, no prompt and no further turn starts:
    whatever program has the port would let each of their calls run, or block it.
    """
    try:
        from operators_edge.storage import transport  # noqa: PLC0415 - not for a tool call

        folder = os.environ.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or "")
        if not transport.may_be_in_use(folder):
            return text
        _set_deadline(SESSION_SECONDS)
        from operators_edge.resident import http_watch  # noqa: PLC0415 - only if http was chosen

        message, is_safe = http_watch.check(event)
    except Exception as error:  # noqa: BLE001 - the hook's edge: no error may let a call run
        what = f"the http transport could not be checked ({error}). Run: edge doctor"
        message, is_safe = f"Operator's Edge: {what}", False
    if not message:
        return text
    result = jsons.loads(text) if text else {}
    if is_safe or event.get("hook_event_name") == "SessionStart":
        result["systemMessage"] = "\n".join(filter(None, [result.get("systemMessage"), message]))
    elif event.get("hook_event_name") == "UserPromptSubmit":
        reason = "\n".join(filter(None, [result.get("reason"), message]))
        result = {"decision": "block", "reason": reason}
    else:  # the end of a turn: the answer may have asked for another one
        result = {"systemMessage": message}
    from operators_edge.text import outgoing  # noqa: PLC0415 - only if there is something to say

    return outgoing.to_client(result)


def _note_reload(text: str, event: Mapping[str, object]) -> None:
    """The client reads its settings again after this answer, so nothing has to wait for that any more."""
    if event.get("hook_event_name") == "ConfigChange" and '"block"' not in text:
        from operators_edge.hosts.claude import rewire  # noqa: PLC0415 - a rare event

        rewire.mark_reloaded(str(event.get("session_id") or "unknown"))


def is_quiet(event: Mapping[str, object], env: Mapping[str, str] = os.environ) -> bool:
    """Whether this is a shell call that no rule and no lesson can match."""
    if event.get("hook_event_name") != "PreToolUse" or event.get("tool_name") != "Bash":
        return False
    tool_input = event.get("tool_input")
    command = tool_input.get("command") if isinstance(tool_input, dict) else None
    if not isinstance(command, str):
        return False
    from operators_edge.config import effective  # noqa: PLC0415 - if it cannot be loaded, `failure` says so
    from operators_edge.memory import trigger_cache  # noqa: PLC0415 - see above

    if "cd" in command or "pushd" in command or "popd" in command:
        from operators_edge.hosts.claude import call_folder  # noqa: PLC0415 - for few commands

        if call_folder.may_move(command):
            return False  # where it begins is noted

    session, cwd = str(event.get("session_id") or "unknown"), event.get("cwd")
    if effective.needs_judgement(command, session, cwd, env) is not False:
        return False  # None is what a function says that was cut
    try:
        root = project_root.of_event(effective.bound_root(session, env), cwd, env).root
    except (OSError, ValueError, EdgeError):
        return True  # the gate allows the call; a lesson is no reason to examine it further
    return root is None or not trigger_cache.may_concern(root, f"Bash\n{command}\n", env)


def _run_typed(line: Typed) -> str:
    """Run a typed line as the command of the same name; returns its output."""
    from operators_edge.cli import typed  # noqa: PLC0415 - a few prompts among many calls

    return typed.run(line)


def find_dependencies() -> None:
    """Put the dependencies on the path that ``-I -S`` leaves empty.

    They are next to the package, whose folder is on the path by now, or, if it is installed for editing,
    in the interpreter's own environment.
    """
    if not sys.flags.no_site:
        return
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    if os.name == "nt":
        environment = os.path.join(prefix, "Lib", "site-packages")
    else:
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        environment = os.path.join(prefix, "lib", version, "site-packages")
    if environment not in sys.path:
        sys.path.append(environment)


def failure(event: dict[str, object], why: str) -> str:
    """The answer when the product itself failed: closed for what acts, open for what reads."""
    name = event.get("hook_event_name", "PreToolUse")
    what = "".join(c if c.isprintable() else " " for c in why)[:400]
    hook_client.write_stderr(f"operators-edge: {what}\n".encode("utf-8", "replace"))
    if name == "PreToolUse" and event.get("tool_name") not in READING_TOOLS:
        reason = (
            f"Operator's Edge could not check this call, so it was not run ({what}). "
            "A person runs: edge doctor"
        )
        return jsons.dumps(
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": reason,
                }
            }
        )
    if name == "UserPromptSubmit" and str(event.get("prompt", "")).lstrip().startswith("/edge"):
        return jsons.dumps(
            {"decision": "block", "reason": f"Operator's Edge failed: {what}. Run: edge doctor"}
        )
    if name == "SessionStart":
        rest = "at the start of this session; calls are checked anyway. Run: edge doctor"
        return jsons.dumps({"systemMessage": f"Operator's Edge failed ({what}) {rest}"})
    if name == "ConfigChange":
        return jsons.dumps({"decision": "block", "reason": f"Operator's Edge failed: {what}"})
    return ""


def report(event: Mapping[str, object], error: Exception) -> None:
    """Write a report of an unexpected error, which ``edge doctor`` shows. Call it after the answer."""
    from operators_edge import hook_report  # noqa: PLC0415 - only where something broke

    hook_report.write(event, error, REPORT_SECONDS)


def _extend_deadline(event: dict[str, object]) -> None:
    """A typed command may scan the project or run checks; a session's start may read a large state."""
    name, seconds = event.get("hook_event_name"), 0.0
    if name in ("SessionStart", "Stop", "SessionEnd"):
        seconds = SESSION_SECONDS
    elif name == "UserPromptSubmit" and str(event.get("prompt", "")).lstrip().startswith("/edge"):
        seconds = TYPED_SECONDS
    if seconds:
        _set_deadline(seconds)


def _set_deadline(seconds: float) -> None:
    """Set the running timer to this many seconds from now; 0 stops it."""
    if hook_client.HAS_ALARM:
        hook_client.set_alarm(seconds)
        return
    from operators_edge import hook_timer  # noqa: PLC0415 - Windows only

    hook_timer.set_to(seconds)


def start_timer(answer: int, event: dict[str, object], raw: bytearray, seconds: float) -> None:
    """The deadline without signals (Windows)."""
    from operators_edge import hook_timer  # noqa: PLC0415 - Windows only

    hook_timer.start(seconds, lambda: expire(answer, event, raw))


def expire(answer: int, event: dict[str, object], raw: bytearray) -> None:
    """The deadline has passed: answer now, and end the process.

    ``event`` is empty while the resident is asked; ``raw`` is what was read of it until now.
    """
    text = failure(event or _parse_or_empty(bytes(raw)), "no answer in time")
    hook_client.write_all(answer, text.encode("ascii", "backslashreplace"))
    os._exit(0)


# end of module
