"""What a finished call told of the work: the check that it ran, its outcome, and the tree it judged (PR-5).

Owns when a check is looked at and what the log keeps of it. Does not own which commands are checks nor
what their outcome is (``core.checks``), nor how the tree is looked at (``system.git``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from operators_edge.model import Call
    from operators_edge.project import Project


def observed(
    project: Project,
    call: Call,
    *,
    output: str,
    error: str | None,
    duration_ms: int | None,
) -> dict[str, Any] | None:
    """``data["check"]`` for a call that ran a recognised check; None for every other call.

    ``{"kind", "name", "passed": true|false|null, "counts": {…}|null, "scope": [paths and selectors],
    "look": Look.as_data()|null, "look_why": str, "elsewhere": true where another tree was judged,
    "also": [{"kind", "name", "passed", "counts", "scope"}, …] the line's other checks}``
    """
    del project, call, output, error, duration_ms
    return None
