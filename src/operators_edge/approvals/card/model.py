"""The shape of a decision card, as it is computed, stored and shown.

Types only. The values are ordinary dictionaries: a card is stored as JSON, and what is read back may be
damaged (``approvals.card.render.stored_lines``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from operators_edge.approvals.impact.report import ImpactReport, UndoAnswer


class OtherFinding(TypedDict):
    rule: str
    reason: str


class CurrentStep(TypedDict):
    """The plan's step in progress; ``of`` is how many there are."""

    number: int
    of: int
    description: str


class LastDecision(TypedDict):
    """``ago``: how long before the question it was, within a day; ``is_same``: this very call."""

    outcome: str
    at: str
    by: str
    ago: NotRequired[str]
    is_same: NotRequired[bool]


# ``class`` is a key, so the functional form is needed.
Precedents = TypedDict(
    "Precedents", {"exact": dict[str, int], "class": dict[str, int], "last": LastDecision}
)
"""How often this call, and calls of its class, were approved, refused or dismissed before."""


class Where(TypedDict, total=False):
    """Where the call runs; "" for what is not known."""

    cwd: str
    branch: str
    session: str
    agent: str


class Card(TypedDict):
    """Everything that a person needs to decide on one call."""

    verdict: str
    """The verdict's effect."""
    command: str
    """The call's own text, redacted; ``marks`` are the ranges of its decisive words."""
    marks: list[list[int]]
    understood: str
    """How the gate read the command."""
    source: NotRequired[str]
    """The line of a file that decided, as FILE:LINE; "" if the command itself did."""
    rule: str
    effect: str
    type: str
    reason: str
    instead: str
    lessons: NotRequired[list[str]]
    """Lessons of the project about such calls; people and agents wrote them, before this call."""
    also: list[OtherFinding]
    """Findings of other rules."""
    radius: list[ImpactReport]
    """What the call would destroy, lose or publish, the decisive report first."""
    undo: UndoAnswer
    step: CurrentStep | None
    history: Precedents | None
    where: Where
    machine: NotRequired[str]
    """For a call that changes the machine: which one it is."""
    offer: NotRequired[str]
    """A scope learnt from approvals, which the question offers."""
    target: str
    """Where the call goes: the address and repository that an answer is bound to."""
    changed: list[str]
    """What is no longer as it was when a person last approved it."""
    changed_since: NotRequired[list[str]]
    """What is no longer as it was when the person was asked; the rest of the card is from that time."""


# end of module
