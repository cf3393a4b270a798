"""The text that an executor is given for a task, and for a repair round. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.bridge.result import CommandRecord
    from operators_edge.bridge.task import Task

MAX_GUIDE = 32_000
_RULES = (
    "Edit files only. Do not run commands, commit, or change branches: the result is verified and"
    " committed for you."
)
_MAX_OUTPUT = 8_000


def of_task(task: Task, *, guide: str = "") -> str:
    """The whole text; ``guide`` is the project's AGENTS.md."""
    scope = "\n".join(f"- {each}" for each in task["scope"])
    constraints = "\n".join(f"- {each}" for each in task["constraints"])
    parts = (
        ("", task["prompt"]),
        ("Goal", task["goal"]),
        ("Done when", task["done_condition"]),
        ("Change only these files", scope),
        ("Constraints", constraints),
        ("How this project works (AGENTS.md)", guide[:MAX_GUIDE]),
        ("", _RULES),
    )
    return "\n\n".join(f"{title}:\n{text}" if title else text for title, text in parts if text)


def of_repair(task: Task, failed: Sequence[CommandRecord]) -> str:
    """What a repair round gets: what failed, and the task again."""
    lines = []
    for record in failed:
        output = (record.get("stdout", "") + record.get("stderr", ""))[-_MAX_OUTPUT:]
        lines.append(f"$ {record['cmd']}\nexit code {record['exit_code']}\n{output}")
    said = "\n\n".join(lines)
    return f"Your change was verified, and this failed. Fix it.\n\n{said}\n\n{of_task(task)}"


# end of module
