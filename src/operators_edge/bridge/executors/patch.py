"""The executor ``patch``: applies the diff that the task carries. Deterministic: for demos and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.bridge.executors import agent
from operators_edge.bridge.executors.port import Edited
from operators_edge.bridge.executors.transcript import PlainText

if TYPE_CHECKING:
    from operators_edge.bridge.executors.port import Problem, Request

# Git refuses paths outside the tree, below links and in .git by itself.
_WORDS = ("git", "-c", "core.hooksPath=/dev/null", "apply", "--whitespace=nowarn", "-")


class PatchExecutor:
    name = "patch"

    def problem(self) -> Problem | None:
        return None

    def edit(self, request: Request) -> Edited:
        text = request.task["patch"]
        if not text.strip():
            return Edited("failed", "the task has no patch")
        given = text if text.endswith("\n") else text + "\n"
        return agent.run(agent.Program(_WORDS, {}, given), request, PlainText())
