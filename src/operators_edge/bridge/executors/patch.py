"""The executor ``patch``: applies the diff that the task carries. Deterministic: for demos and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.bridge.executors import agent
from operators_edge.bridge.executors.port import Edited
from operators_edge.bridge.executors.transcript import PlainText
from operators_edge.locations import HANDOFF_DIR

if TYPE_CHECKING:
    from operators_edge.bridge.executors.port import Problem, Request

_OWN = "".join(f"[{each}{each.upper()}]" if each.isalpha() else each for each in HANDOFF_DIR)
# Git refuses paths outside the tree, below links and in .git by itself; what it leaves out it says.
_WORDS = (
    *("git", "-c", "core.hooksPath=/dev/null", "apply", "--whitespace=nowarn"),
    *("--verbose", f"--exclude={_OWN}/*", "-"),
)


class PatchExecutor:
    name = "patch"
    is_kept_out = True

    def problem(self) -> Problem | None:
        return None

    def edit(self, request: Request) -> Edited:
        text = request.task["patch"]
        if not text.strip():
            return Edited("failed", "the task has no patch")
        given = text if text.endswith("\n") else text + "\n"
        return agent.run(agent.Program(_WORDS, {}, given), request, PlainText())


# end of module
