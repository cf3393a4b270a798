"""The events that a watcher tells: their names and fields, which ``edge bridge watch --json`` prints.

Pure. ``EVENTS`` is the one list; the published schema (``bridge.schemas``) comes from it. Does not own how a
person is shown them (``cli.queue_view``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Event(NamedTuple):
    """What an event says, and its fields beside ``event``, ``task`` and ``at``: JSON type and meaning."""

    about: str
    fields: Mapping[str, tuple[str, str]]


_ATTEMPT = {"attempt": ("integer", "Which attempt of the task it is.")}
_COMMAND = {
    "cmd": ("string", "The command, redacted."),
    "number": ("integer", "Which of the commands it is."),
    "of": ("integer", "How many there are."),
}

EVENTS: Mapping[str, Event] = {
    "started": Event("An attempt of a task begins.", _ATTEMPT),
    "editing": Event("The executor begins to edit.", {"executor": ("string", "Its name.")}),
    "edited": Event(
        "The executor has ended.",
        {
            "outcome": ("string", "How it ended, as in the result."),
            "seconds": ("number", "How long it took."),
        },
    ),
    "repairing": Event(
        "A repair round begins.",
        {"round": ("integer", "Which one."), "of": ("integer", "At most.")},
    ),
    "command": Event("A command to run begins.", _COMMAND),
    "command_ended": Event(
        "A command to run has ended.",
        _COMMAND
        | {
            "exit_code": ("integer", "Null if it did not end by itself."),
            "seconds": ("number", "How long it took."),
        },
    ),
    "ended": Event(
        "The result of an attempt is written.",
        _ATTEMPT
        | {
            "status": ("string", "As in the result."),
            "reason": ("string", "As in the result; null for success."),
            "detail": ("string", "One sentence for a person."),
            "due": ("string", "When a blocked task is tried again, if that is known."),
            "follows": ("string", "What it means for the plan, if it is for a step."),
        },
    ),
    "locked": Event("Somebody else works on the task; it is tried again later.", {}),
    "idle": Event("No task can run now; the watcher waits.", {}),
    "finished": Event(
        "The watcher has ended; the last line, and the answer of the command.",
        {
            "ok": ("boolean", "Whether the exit code is 0."),
            "data": ("object", "The `reasons` of all results, and whether a failure `stopped` it."),
            "warnings": ("array", "What else a person should know."),
        },
    ),
}

# end of module
