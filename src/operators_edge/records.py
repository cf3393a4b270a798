"""The shapes of stored records that packages pass to each other: grants, junctions, entries of the proof log.

For type checking only: import it under ``TYPE_CHECKING``, so that a hook never loads it. The values are
ordinary dictionaries. They are read from files that people and other versions also write, so any key can
be missing; what is checked when a state is read is in ``state.schema``.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

GrantKind = Literal["allowance", "dismissal", "override", "switch", "auto"]


class Grant(TypedDict, total=False):
    """What a person allowed, as the state shows it: an allowance, dismissal, override, off switch, or auto.

    It counts only while the registry lists its ``id`` as live and ``mac`` is a signature with this person's
    key. Times are ISO 8601 in UTC.
    """

    id: str
    kind: GrantKind
    fingerprint: str
    """Of one call (allowance), of a class of calls (dismissal), or ``switch:RULE``."""
    rule: str
    session: str
    """An off switch with "" holds in every session."""
    binding: list[dict[str, Any]]
    """What it is for, as it was when a person decided (``approvals.binding``); of a dismissal, the target."""
    target: str
    """Of a dismissal: where the calls that it covers go, as text."""
    only: dict[str, Any]
    """Of a dismissal of a rule: ``addresses`` or the ``folder`` that it is for; none is the project."""
    junction: str
    """The id of the junction that was answered."""
    shown: str
    """The redacted text of the call."""
    by: str
    granted_at: str
    dismissed_at: str
    approved_at: str
    since: str
    expires_at: str
    consumed: bool
    """Only a view: whether an allowance was used is in the registry."""
    mode: Literal["full", "check_specific"]
    """Of an override; ``approved_checks`` names the checks of the second kind."""
    approved_checks: list[str]
    session_id: str
    objective_hash: str
    reason: str
    mac: str


class LiveGrant(TypedDict):
    """A grant as the registry lists it; the grant itself is in the state."""

    id: str
    kind: GrantKind
    expires_at: str | None
    recorded_at: str


class BlockedCall(TypedDict):
    """Another call that was denied while a junction was pending, and how often."""

    fingerprint: str
    rule: str
    shown: str
    times: int


class Junction(TypedDict, total=False):
    """The decision that is pending: the state's ``junction``."""

    id: str
    type: str
    """One of ``model.JUNCTION_TYPES``."""
    reason: str
    shown: str
    """What it is about, redacted."""
    created_at: str
    session: str
    source: str
    """What opened it: ``gate``, ``quality_gate``, ``modes``, ``ask``, ``legacy`` …"""
    fingerprint: str
    classes: list[str]
    """One fingerprint for each class of calls that a dismissal would cover."""
    binding: list[dict[str, Any]]
    """What an answer is bound to (``approvals.binding``)."""
    rule: str
    subject: dict[str, str]
    agent: str
    tool: str
    instead: str
    offer: dict[str, Any]
    """A scope learnt from approvals, which this question offers; signed (``approvals.learnt``)."""
    also_blocked: list[BlockedCall]
    repeats: int
    payload: dict[str, Any]
    """What answering acts on; its keys depend on ``type``."""
    card: dict[str, Any]
    left_at: str
    """When it was moved to the left questions, because its session had ended."""


class AnsweredJunction(TypedDict, total=False):
    """One entry of the state's ``junction_history``."""

    id: str
    type: str
    decision: str
    """``approve``, ``skip``, ``dismiss``, ``displaced`` or ``withdrawn``."""
    scope: str
    """``session`` if it holds for the whole session: a skip is then ``/edge never``."""
    decided_at: str
    by: str
    rule: str
    shown: str
    fingerprint: str


class LogEntry(TypedDict, total=False):
    """One line of the proof log.

    A caller passes ``event``, ``session``, ``data`` and the other fields that it knows. The log redacts and
    shortens them, and adds ``seq``, ``timestamp`` and ``prev``.
    """

    seq: int
    timestamp: str
    event: str
    session: str | None
    agent: str | None
    tool: str | None
    tool_use_id: str | None
    input_preview: Any
    output_preview: Any
    success: bool | None
    file_touched: str | None
    diff_hash: str | None
    duration_ms: int | None
    exit_code: int | None
    tx: str
    """The id of the transaction that the entry is part of."""
    data: dict[str, Any]
    prev: str
    """The SHA-256 of the line before, in hex."""


# end of module
