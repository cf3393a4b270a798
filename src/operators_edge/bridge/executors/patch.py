"""The executor ``patch``: applies the diff that the task carries. Deterministic: for demos and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.bridge import supervised
from operators_edge.bridge.executors.port import Edited

if TYPE_CHECKING:
    from operators_edge.bridge.executors.port import Request

# Git refuses paths outside the tree, below links and in .git by itself.
_WORDS = ("git", "-c", "core.hooksPath=/dev/null", "apply", "--whitespace=nowarn", "-")


class PatchExecutor:
    name = "patch"

    def edit(self, request: Request) -> Edited:
        text = request.task["patch"]
        if not text.strip():
            return Edited("failed", "the task has no patch")
        ended = supervised.run(
            _WORDS,
            cwd=request.place.root,
            env=request.place.env,
            seconds=request.limits.seconds,
            output=request.output,
            errors=request.output,
            given=text if text.endswith("\n") else text + "\n",
            stall_seconds=request.limits.stall,
            stop=request.place.stop,
        )
        return edited_by(ended)


def edited_by(ended: supervised.Ended) -> Edited:
    """The answer of an executor whose exit code says everything."""
    if ended.why == "timed_out":
        return Edited("timed_out", "it ran out of time", seconds=ended.seconds)
    if ended.why == "watcher_ended":
        return Edited("interrupted", "it was stopped", seconds=ended.seconds)
    if not ended.is_success:
        detail = ended.detail or f"it ended with {ended.code}"
        return Edited("failed", detail, ended.code, ended.seconds)
    return Edited("done", exit_code=0, seconds=ended.seconds)
