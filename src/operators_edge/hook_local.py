"""The second half of the process hook: one event, answered by this very process.

It runs without site, environment or current directory on the path. Owns the longer times that some
events may take, the cheap first look and failing closed. Does not own any decision, nor reading the
event and asking the resident for the answer, which come first (``hook_client``).

The answer is at most one JSON object. Anything that goes wrong here denies a call that acts, lets
one pass that only reads, and never stands in the way of the end of a turn (GA-6, MO-4).
"""

from __future__ import annotations

import os
import sys

from operators_edge import hook_client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.typed_line import Typed

TYPED_SECONDS = 50.0
"""The deadline of a typed command, which a person waits for: below the 60 s of a prompt's hook."""

SESSION_SECONDS = 25.0
"""The same at the ends of a session and a turn, where no call waits to run: below the client's 30 s."""

REPORT_SECONDS = 2.0
"""What the report of an unexpected error may take after the answer; the client waits longer than that."""

TENDING = ("SessionStart", "UserPromptSubmit", "Stop")
"""The events at which the http transport is looked after: processes in either transport."""

READING_TOOLS = ("Read", "Glob", "Grep", "LS", "NotebookRead", "TodoWrite", "WebSearch")
"""Tools that cannot change anything: they pass when the product itself fails."""


def main(host: str, raw: bytes, event: dict[str, object], out: int, why: str = "") -> int:
    """Answer the event in ``raw`` on ``out``, the real stdout; 0, as a hook ends.

    ``event`` is where it is put, for the deadline to know. ``why`` says what failed already.
    """
    broken: Exception | None = None
    try:
        if why:
            text = failure(_known(raw), why)
        else:
            event.update(_event(raw))
            _give_time(event)
            text = answer(host, event)
    except Exception as error:  # noqa: BLE001 - the hook's edge: nothing may fall open
        broken, text = error, failure(event or _known(raw), f"{type(error).__name__}: {error}")
    if event.get("hook_event_name") in TENDING:
        text = _tended(text, event)
    _set_deadline(0)
    hook_client.write(out, text.encode("ascii", "backslashreplace"))
    try:
        from operators_edge.resident import lifecycle  # noqa: PLC0415 - only where no resident answered

        if broken is not None and event:  # an event that cannot be read says nothing about us
            report(event, broken)
        _note_reload(text, event)
        lifecycle.if_absent()
    except Exception as error:  # noqa: BLE001 - the answer is given, and a hook that fails would undo it
        hook_client.complain(f"operators-edge: after the answer: {error}\n".encode())
    return 0


def stay() -> int:
    """Be the resident: the same answers, from a process that is there already."""
    find_dependencies()
    from operators_edge.resident import server as resident_server  # noqa: PLC0415 - not for a hook

    return resident_server.main(sys.modules[__name__])


def hold() -> int:
    """Be the holder of the http transport."""
    find_dependencies()
    from operators_edge.resident import http_server  # noqa: PLC0415 - not for a hook

    return http_server.main(sys.modules[__name__])


def _event(raw: bytes) -> dict[str, object]:
    import json  # noqa: PLC0415 - only where no resident answered

    if not raw.strip():
        raise ValueError("the event on stdin is empty")
    event = json.loads(raw.decode("utf-8", "surrogatepass"))
    if not isinstance(event, dict):
        raise ValueError("the event on stdin is no JSON object")  # noqa: TRY004 - bad input, not a bug
    return event


def _known(raw: bytes) -> dict[str, object]:
    """The event as far as it can be read: what failed may have failed before it was."""
    try:
        return _event(raw)
    except (ValueError, RecursionError):
        return {}


def answer(host: str, event: dict[str, object]) -> str:
    """The answer to one event as text, decided by this very process."""
    find_dependencies()
    if is_quiet(event):
        return ""
    if host != "claude":
        raise ValueError(f"there is no host {host!r}; there is: claude")
    from operators_edge.hosts.claude import events as claude_events  # noqa: PLC0415 - hot path

    return claude_events.handle(event, _typed)


def _tended(text: str, event: dict[str, object]) -> str:
    """The answer, after a look whether the http transport works, where the person chose it.

    Where it does not, and the client still asks there, no prompt and no further turn begins: each of
    their calls would be let through or blocked by whoever has the port.
    """
    try:
        from operators_edge.storage import transport  # noqa: PLC0415 - not for a tool call

        folder = os.environ.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or "")
        if not transport.may_be_in_use(folder):
            return text
        _set_deadline(SESSION_SECONDS)
        from operators_edge.resident import http_watch  # noqa: PLC0415 - where http was chosen

        told, is_safe = http_watch.look(event)
    except Exception as error:  # noqa: BLE001 - the hook's edge: nothing may fall open
        what = f"the http transport could not be looked at ({error}). Run: edge doctor"
        told, is_safe = f"Operator's Edge: {what}", False
    if not told:
        return text
    import json  # noqa: PLC0415 - see above

    said = json.loads(text) if text else {}
    if is_safe or event.get("hook_event_name") == "SessionStart":
        said["systemMessage"] = "\n".join(filter(None, [said.get("systemMessage"), told]))
    elif event.get("hook_event_name") == "UserPromptSubmit":
        reason = "\n".join(filter(None, [said.get("reason"), told]))
        said = {"decision": "block", "reason": reason}
    else:  # a turn's end, which the answer may have kept from being one
        said = {"systemMessage": told}
    return json.dumps(said)


def _note_reload(text: str, event: Mapping[str, object]) -> None:
    """The client reads its settings again after this answer: nobody has to wait for it any more."""
    if event.get("hook_event_name") == "ConfigChange" and '"block"' not in text:
        from operators_edge.hosts.claude import rewire  # noqa: PLC0415 - a rare event

        rewire.taken_up(str(event.get("session_id") or "unknown"))


def is_quiet(event: Mapping[str, object], env: Mapping[str, str] = os.environ) -> bool:
    """Whether this is a call of the shell that no rule and no lesson can be about."""
    if event.get("hook_event_name") != "PreToolUse" or event.get("tool_name") != "Bash":
        return False
    given = event.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    if not isinstance(command, str):
        return False
    from operators_edge.config import effective  # noqa: PLC0415 - hot path

    where = (command, str(event.get("session_id") or "unknown"), event.get("cwd"), env)
    return not effective.needs_judgement(*where) and not _may_recall(*where)


def _may_recall(text: str, session: str, cwd: object, env: Mapping[str, str]) -> bool:
    """Whether a lesson could be about a command of this session; False promises that none is."""
    from operators_edge.config import effective  # noqa: PLC0415 - hot path
    from operators_edge.errors import EdgeError  # noqa: PLC0415 - hot path
    from operators_edge.memory import trigger_cache  # noqa: PLC0415 - hot path
    from operators_edge.system import project_root  # noqa: PLC0415 - hot path

    try:
        root = project_root.of_event(effective.bound_root(session, env), cwd, env).root
    except (OSError, ValueError, EdgeError):
        return False  # the gate said that it allows; a lesson is no reason to look closer
    return root is not None and trigger_cache.may_concern(root, f"Bash\n{text}\n")


def is_silent(event: dict[str, object], env: Mapping[str, str]) -> bool:
    """Whether the answer is silence and nothing is written for it; for a process that is warm."""
    from operators_edge.hosts.claude import events as claude_events  # noqa: PLC0415 - hot path

    return claude_events.is_silent(event, env)


def _typed(line: Typed) -> str:
    """What a typed line says as the command of the same name."""
    from operators_edge.cli import typed  # noqa: PLC0415 - a few prompts among many calls

    return typed.run(line)


def find_dependencies() -> None:
    """Put the dependencies on the path that ``-I -S`` leaves empty.

    They lie beside the package, which is there by now, or, where it is installed for editing, in the
    interpreter's own environment.
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
    hook_client.complain(f"operators-edge: {what}\n".encode("utf-8", "replace"))
    if name == "PreToolUse" and event.get("tool_name") not in READING_TOOLS:
        reason = (
            f"Operator's Edge could not check this call, so it was not run ({what}). "
            "A person runs: edge doctor"
        )
        return _json(
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": reason,
                }
            }
        )
    if name == "UserPromptSubmit" and str(event.get("prompt", "")).lstrip().startswith("/edge"):
        return _json(
            {"decision": "block", "reason": f"Operator's Edge failed: {what}. Run: edge doctor"}
        )
    if name == "SessionStart":
        told = "at the start of this session; calls are checked all the same. Run: edge doctor"
        return _json({"systemMessage": f"Operator's Edge failed ({what}) {told}"})
    if name == "ConfigChange":
        return _json({"decision": "block", "reason": f"Operator's Edge failed: {what}"})
    return ""


def report(event: Mapping[str, object], error: Exception) -> None:
    """Write a report of an unexpected error, which ``edge doctor`` shows. Call it after the answer.

    It is written in a thread, so that a slow disk keeps the client waiting for ``REPORT_SECONDS`` at most;
    a report that takes longer may be lost.
    """
    import threading  # noqa: PLC0415 - only where something broke

    def leave() -> None:
        from operators_edge.cli import crash_report  # noqa: PLC0415 - see above
        from operators_edge.errors import EdgeError  # noqa: PLC0415

        if not isinstance(error, EdgeError):  # which says itself what is wrong, and what to run
            left = crash_report.of_event(error, event)
            hook_client.complain(f"operators-edge: report: {left.path or left.problem}\n".encode())

    worker = threading.Thread(target=leave, daemon=True)
    worker.start()
    worker.join(REPORT_SECONDS)


def _json(value: dict[str, object]) -> str:
    import json  # noqa: PLC0415 - may be what failed; then the deadline's plain text answers

    return json.dumps(value)


def _give_time(event: dict[str, object]) -> None:
    """A typed command may scan the project or run checks; a session's ends may read a large state anew."""
    name, seconds = event.get("hook_event_name"), 0.0
    if name in ("SessionStart", "Stop", "SessionEnd"):
        seconds = SESSION_SECONDS
    elif name == "UserPromptSubmit" and str(event.get("prompt", "")).lstrip().startswith("/edge"):
        seconds = TYPED_SECONDS
    if seconds:
        _set_deadline(seconds)


def _set_deadline(seconds: float) -> None:
    """End the wait that has begun so many seconds from now; 0: never."""
    if hook_client.HAS_ALARM:
        import _signal  # type: ignore[import-not-found]  # noqa: PLC0415 - see asking

        _signal.setitimer(_signal.ITIMER_REAL, seconds)
        return
    import threading  # noqa: PLC0415 - Windows only

    for each in threading.enumerate():
        if isinstance(each, threading.Timer):
            each.cancel()
            if seconds:
                answer, event, raw = each.args
                start_timer(answer, event, raw, seconds)


def start_timer(answer: int, event: dict[str, object], raw: bytearray, seconds: float) -> None:
    """Where there are no signals (Windows): a thread that dies with the process."""
    import threading  # noqa: PLC0415 - Windows only

    timer = threading.Timer(seconds, expire, (answer, event, raw))
    timer.daemon = True
    timer.start()


def expire(answer: int, event: dict[str, object], raw: bytearray) -> None:
    """The deadline: what has not been answered is answered now, and the process ends.

    ``event`` is empty while somebody else is asked; ``raw`` is what was read of it until now.
    """
    text = failure(event or _known(bytes(raw)), "no answer in time")
    hook_client.write(answer, text.encode("ascii", "backslashreplace"))
    os._exit(0)
