"""The report of an unexpected error in a hook. Does not own what a report says (``cli.crash_report``)."""

from __future__ import annotations

import threading

from operators_edge import hook_client
from operators_edge.cli import crash_report
from operators_edge.errors import EdgeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def write(event: Mapping[str, object], error: Exception, seconds: float) -> None:
    """Write a report, unless the error itself says what is wrong and what to run.

    It is written in a thread, so that a slow disk keeps the client waiting for so many seconds at most; a
    report that takes longer may be lost.
    """
    if isinstance(error, EdgeError):
        return
    worker = threading.Thread(target=_write, args=(event, error), daemon=True)
    worker.start()
    worker.join(seconds)


def _write(event: Mapping[str, object], error: Exception) -> None:
    left = crash_report.of_event(error, event)
    hook_client.write_stderr(f"operators-edge: report: {left.path or left.problem}\n".encode())


# end of module
