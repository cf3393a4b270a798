"""Verification: the task's commands, run by the watcher, each with a time limit, and what each one said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators_edge.bridge import supervised
from operators_edge.bridge.capture import Capture, Keep
from operators_edge.redaction.redact import redact
from operators_edge.system.subprocesses import shell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.bridge.capture import AttemptLog
    from operators_edge.bridge.result import CommandRecord
    from operators_edge.bridge.supervised import Ended, Stop


class Limits(NamedTuple):
    """``seconds`` for each command; ``stall`` of the watcher; what is kept of each stream."""

    seconds: float
    stall: float
    keep: Keep = Keep()


class Place(NamedTuple):
    """Where commands run, and what may end them early."""

    root: str
    env: Mapping[str, str]
    stop: Stop


def passed(record: CommandRecord) -> bool:
    return record.get("exit_code") == 0


def is_cut_off(record: CommandRecord) -> bool:
    """Whether it was ended for the watcher's sake, not for its own."""
    return record.get("ended") in supervised.CUT_OFF


def run(
    command: str, place: Place, limits: Limits, log: AttemptLog, log_name: str
) -> CommandRecord:
    """Run one command in a shell; what it said is redacted, and in the log."""
    log.heading(f"$ {command}")
    out, errors = Capture(log, limits.keep), Capture(log, limits.keep)
    ended = supervised.run(
        [shell(), "-c", command],
        cwd=place.root,
        env=place.env,
        seconds=limits.seconds,
        output=out.feed,
        errors=errors.feed,
        stall_seconds=limits.stall,
        stop=place.stop,
    )
    record: CommandRecord = {
        "cmd": redact(command, values=log.values),
        "exit_code": _exit_code(ended),
        "stdout": out.end(log_name),
        "stderr": errors.end(log_name),
        "seconds": ended.seconds,
    }
    if ended.why != "ended":
        record["ended"] = ended.why
    log.heading(f"exit {record['exit_code']} after {ended.seconds:.1f} s")
    return record


def _exit_code(ended: Ended) -> int | None:
    """As a shell counts: 128 and the signal's number; None unless it ended by itself."""
    if ended.code is not None and ended.code < 0:
        return 128 - ended.code
    return ended.code


# end of module
