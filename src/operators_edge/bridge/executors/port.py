"""What an executor gets and what it answers.

An executor edits files and does nothing else that lasts: no commit, no branch. Its answer is its own word;
what changed is measured (``bridge.audit``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, STATE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.bridge.task import Task
    from operators_edge.bridge.verify import Limits, Place

Outcome = Literal[
    "done",
    "failed",
    "crashed",
    "timed_out",
    "interrupted",
    "cost_exceeded",
    "usage_limited",
    "not_installed",
    "not_configured",
    "not_logged_in",
    "no_model",
    "not_contained",
]
"""How an edit ended. ``failed``: the executor says so; ``crashed``: it ended without saying anything."""

NEVER_FOLDERS = (".git", HANDOFF_DIR, PROOF_DIR)
NEVER_FILES = (
    *(STATE_FILE, ".claude/settings.json", ".claude/settings.local.json", ".mcp.json"),
    *(".env", ".env.*"),
)
"""What no agent edits for a task: git's own, the Bridge's and the guard's own, secrets."""

_LEAST = 0.01
"""Of a limit that is used up: what is left of it must not become no limit."""

UNAVAILABLE: frozenset[Outcome] = frozenset(
    {"not_installed", "not_configured", "not_logged_in", "no_model", "not_contained"}
)
"""Those in which no agent worked: not the task is wrong, and a person has to set something up."""


class Request(NamedTuple):
    """One edit: ``prompt`` is the whole text for the agent, ``output`` takes what it prints.

    ``spent`` is what earlier rounds of the same attempt cost.
    """

    task: Task
    prompt: str
    place: Place
    limits: Limits
    output: Callable[[bytes], None]
    spent: float = 0.0

    @property
    def most(self) -> float:
        """US dollars that this edit may cost; 0: no limit."""
        limit = self.task["max_cost"]
        return max(limit - self.spent, _LEAST) if limit else 0.0


class Usage(NamedTuple):
    """What an edit used, as the executor says; None: it did not say. ``cost`` in US dollars.

    ``input_tokens`` include those that were read from a cache.
    """

    cost: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    turns: int | None = None
    model: str = ""

    def plus(self, more: Usage) -> Usage:
        """What both used together; what neither said stays unknown."""
        return Usage(
            _sum(self.cost, more.cost),
            _sum(self.input_tokens, more.input_tokens),
            _sum(self.output_tokens, more.output_tokens),
            _sum(self.turns, more.turns),
            more.model or self.model,
        )


N = TypeVar("N", int, float)


def _sum(one: N | None, other: N | None) -> N | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other


class Edited(NamedTuple):
    """How an edit ended. ``denied``: what the agent asked for in vain, at most some of it."""

    outcome: Outcome
    detail: str = ""
    exit_code: int | None = None
    seconds: float = 0.0
    denied: tuple[str, ...] = ()
    usage: Usage = Usage()
    due: str = ""
    """What the executor says of when a usage limit ends, if that is not in ``detail``."""
    contained: str = ""
    """How the operating system kept it inside, or why not."""


class Problem(NamedTuple):
    """Why an executor cannot be used now, and what a person can do about it."""

    outcome: Outcome
    detail: str


class Executor(Protocol):
    """One way to have a task edited."""

    name: str

    @property
    def is_kept_out(self) -> bool:
        """Whether it cannot write in the Bridge's own folder."""

    def problem(self) -> Problem | None:
        """Why it cannot be used now, as far as that shows without starting it."""

    def edit(self, request: Request) -> Edited:
        """Have the task edited; never raises for what the program does."""


# end of module
