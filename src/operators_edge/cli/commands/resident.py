"""``edge resident``: show the resident's status, stop it, start it again."""

from __future__ import annotations

import os
import time

from operators_edge import hook_client
from operators_edge.cli.command import Answer, Args, command
from operators_edge.errors import AnswerIsNo, EdgeError
from operators_edge.resident import control, lifecycle
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@command(
    "resident status",
    about="show whether it runs, and how many calls it answered",
    is_alone=True,
    description="The resident keeps the gate loaded. Without it each hook decides on its own: "
    "the answers are the same, only slower.",
)
def _status(_args: Args) -> Answer:
    found = _query("status")
    return Answer({"running": found is not None, **(found or {})}, _line(found))


@command("resident stop", about="stop it, until `edge resident start`")
def _stop(_args: Args) -> Answer:
    _require_possible()
    control.switch(is_on=False)
    found = _query("stop")
    text = "No resident was running." if found is None else f"Process {found['pid']} has ended."
    return Answer({"running": False}, f"{text}\nNone starts again until: edge resident start")


@command("resident start", about="start it, and allow hooks to start it again")
def _start(_args: Args) -> Answer:
    _require_possible()
    control.switch(is_on=True)
    if os.environ.get(hook_client.RESIDENT_VARIABLE) == "off":
        text = f"It may start again, but not from here: {hook_client.RESIDENT_VARIABLE}=off is set."
    elif (found := _query("status")) is not None:
        text = f"Process {found['pid']} is already running."
    else:
        # A person's command: an attempt is due, however recent the last one.
        control.spawn(hook_client.RESIDENT_OPTION, os.environ)
        text = "It is starting, and ready in a second: edge resident status"
    return Answer({}, text)


def _require_possible() -> None:
    if os.name != "posix":
        raise AnswerIsNo("There is no resident on this system: each hook decides on its own")
    if not hook_client.socket_path(os.environ):
        raise AnswerIsNo(
            "No resident can run here, and every hook decides on its own: the home folder\n"
            "  is unknown, or its path is too long for a socket",
            hint="set XDG_STATE_HOME to a short path, or work without a resident",
        )


def _query(kind: str) -> dict[str, Any] | None:
    try:
        return control.query(kind)
    except OSError as error:
        raise EdgeError(
            f"The resident does not answer ({error})",
            detail="The next call waits a second for it, kills it, and is decided without it.",
        ) from error


def _line(found: dict[str, Any] | None) -> str:
    if found is None:
        if os.name != "posix" or not hook_client.socket_path(os.environ):
            return "No resident can run here; every hook decides on its own."
        if os.environ.get(hook_client.RESIDENT_VARIABLE) == "off" or lifecycle.is_switched_off():
            return "The resident is switched off; every hook decides on its own.\nOn: edge resident start"
        return "No resident runs now; the next session starts one."
    minutes = int((time.time() - found["since"]) // 60)
    calls = many(found["quiet"] + found["answered"], "call")
    return (
        f"Process {found['pid']} has run for {many(minutes, 'minute')} and answered {calls} "
        f"({found['quiet']} at once).\nIt left {found['declined']} to the hooks."
    )


# end of module
