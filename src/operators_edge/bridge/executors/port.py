"""What an executor gets and what it answers.

An executor edits files and does nothing else that lasts: no commit, no branch. Its answer is its own word;
what changed is measured (``bridge.audit``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.bridge.task import Task
    from operators_edge.bridge.verify import Limits, Place

Outcome = Literal["done", "failed", "timed_out", "usage_limited", "cost_exceeded", "interrupted"]


class Request(NamedTuple):
    """One edit: ``prompt`` is the whole text for the agent, ``output`` takes what it prints."""

    task: Task
    prompt: str
    place: Place
    limits: Limits
    output: Callable[[bytes], None]


class Edited(NamedTuple):
    """How an edit ended. ``denied``: tools that the agent asked for in vain; ``cost`` in US dollars."""

    outcome: Outcome
    detail: str = ""
    exit_code: int | None = None
    seconds: float = 0.0
    denied: tuple[str, ...] = ()
    cost: float | None = None
    due: str = ""
    """When a usage limit ends (ISO 8601), if the executor says so."""


class Executor(Protocol):
    """One way to have a task edited."""

    name: str

    def edit(self, request: Request) -> Edited:
        """Have the task edited; never raises for what the program does."""
