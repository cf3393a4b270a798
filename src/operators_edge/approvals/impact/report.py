"""What one command would destroy, lose or publish: sentences, and whether it can be undone.

Owns the shapes of these answers. Does not own how they are found (``approvals.impact.measure``).
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from operators_edge.model import Verdict

    class UndoAnswer(TypedDict):
        can: str
        """``yes``, ``partly``, ``no`` or ``unknown``."""
        how: str

    class ImpactReport(TypedDict):
        """The impact of one finding, as a card stores it."""

        kind: str
        """What the rule says to measure: ``files``, ``commits``, ``tables`` or ``request``."""
        at_stake: list[str]
        """Sentences, the most important first; never empty."""
        undo: UndoAnswer


BY_SNAPSHOT = "partly", "files: edge undo (a snapshot is taken first)"
"""The undo of a call that could not be measured, but runs after a snapshot."""


class Impact(NamedTuple):
    """What was found out about one command; the fields are those of ``ImpactReport``."""

    at_stake: list[str]
    can: str
    how: str = ""


class Unmeasurable(Exception):
    """Something cannot be measured; the message says why."""


def has_snapshot(verdict: Verdict) -> bool:
    """Whether a snapshot of the working tree is taken before the call runs."""
    return bool(verdict.destroys) and verdict.effect != "block"


# end of module
