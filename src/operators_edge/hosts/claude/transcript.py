"""Who answered a dialog, and which typed commands wait, from Claude Code's transcript (JU-4).

Owns reading an undocumented file: what is not understood is ignored. What was asked is in
``evidence.session_facts``.
"""

from __future__ import annotations

import json
import os

from operators_edge.approvals.binding import store as binding_store
from operators_edge.system import file_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.sessions.context import EventContext

TAIL_BYTES = 4 * 1024 * 1024
"""A turn's transcript is read from here to its end; older answers were checked in their own turn."""

BY_A_PERSON = ("user_temporary", "user_permanent", "user_session")


def check_answers(context: EventContext, path: str) -> str:
    """Record who answered the dialogs of this session; returns a warning for the person, or "".

    The client writes an answer some time after the call has run, so this runs at the end of a turn.
    """
    project = context.project
    if project is None:
        return ""
    answers = project.evidence.session(context.session)["answers"]
    unknown = [
        ident
        for ident, answer in answers.items()
        if answer["outcome"] == "approved" and "source" not in answer
    ]
    if not unknown:
        return ""
    alarms = []
    for ident, source in answered_by(path, unknown).items():
        context.record("answer_source", {"answered": ident, "source": source})
        if source not in BY_A_PERSON:
            alarms.append(f"{answers[ident]['shown']} (answered by: {source})")
    if not alarms:
        return ""
    text = "a person was asked, and something else answered: " + "; ".join(alarms)
    binding_store.add_alarm(project, text)
    return f"Operator's Edge: {text}"


def answered_by(path: str, idents: Iterable[str]) -> dict[str, str]:
    """The source, as the client names it, for each call whose answer is in the transcript by now."""
    wanted = set(idents)
    found: dict[str, str] = {}
    for line in _tail(path):
        if b'"permissionDecision"' not in line:
            continue
        try:
            entry = json.loads(line)
            content = entry["message"]["content"]
            source = entry["permissionDecision"]["source"]
            ids = [each["tool_use_id"] for each in content if each.get("type") == "tool_result"]
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        found.update((ident, str(source)) for ident in ids if ident in wanted)
    return found


def command_waits(path: str) -> bool:
    """Whether a person's ``/command`` waits for the turn to end.

    The client shows the agent a plain text at once, but keeps a command until then: ``/edge off`` too.
    """
    waiting: list[str] = []
    for line in _tail(path):
        if b'"queue-operation"' in line or b'"type":"user"' in line:
            _follow_queue(waiting, line)
    return any(text.startswith("/") for text in waiting)


def _follow_queue(waiting: list[str], line: bytes) -> None:
    try:
        entry = json.loads(line)
        what, text = entry.get("operation"), entry.get("content")
        if entry["type"] == "user":
            # A prompt starts only if the queue is empty; the queue of a killed client is lost.
            if isinstance(entry["message"]["content"], str):
                waiting.clear()
        elif what == "enqueue":
            waiting.append(str(text))
        elif what == "dequeue":
            del waiting[:1]
        elif what == "remove" and text in waiting:
            waiting.remove(text)
        else:
            waiting.clear()
    except (ValueError, KeyError, TypeError, AttributeError):
        return


def _tail(path: str) -> list[bytes]:
    try:
        with open(path, "rb", opener=file_cache.open_regular) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            return file.read().splitlines()
    except OSError:
        return []


# end of module
