"""A verdict and what was decided on it, in words: for the agent, for the person, for the log.

Pure. Does not own what a decision card says (``approvals.card.card``) or a host's own words (``hosts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.model import GUARDING, MACHINE_KEYS, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.approvals.card.card import Card
    from operators_edge.approvals.junction import Resolution
    from operators_edge.model import Call, Verdict

MAX_SHOWN_TEXT = 600
"""Characters of a call that a junction keeps, redacted: enough to decide on, small in the state."""


def resolution_event(
    resolution: Resolution, pending: dict[str, Any] | None, shown: str, *, is_asking: bool
) -> tuple[str, dict[str, Any]]:
    """The event that a resolution is, and what is kept with it."""
    grants = {"grants": list(resolution.grants)}
    if resolution.step == "use":
        return "allowance_used", grants
    if resolution.step == "covered":
        return "dismissal_used", grants
    if resolution.step == "refused":
        return "denied", {"why": "refused"}
    if resolution.step == "raise" and is_asking:
        return "asked", {"shown": shown}
    event = "junction_raised" if resolution.step == "raise" else "denied"
    return event, {"shown": shown, "junction": (pending or {}).get("id")}


def block_event(rule: str, command: str = "") -> str:
    """The product's own rules stand around decisions: what they stop would have forged one (JU-4).

    Not so a folder that our record happens to lie in, nor a shell write to the state which names
    nothing that only the product writes: `sed` on a step's status is a slip, and no accusation.
    """
    if rule == "edge-own-folders":
        return "blocked"
    if rule == "edge-state-by-shell" and not _writes_ours(command):
        return "blocked"
    return "approval_forgery" if rule.startswith(GUARDING) else "blocked"


def _writes_ours(command: str) -> bool:
    """Whether a text gives a key that only the product writes a value, or deletes its line."""
    import re  # noqa: PLC0415 - not for an allow

    keys = "|".join(MACHINE_KEYS)
    return bool(re.search(rf"\b({keys})\b['\"\]]*\s*([:=]|/d)", command))


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """What the log keeps of a verdict."""
    return {
        "rule": verdict.rule,
        "type": verdict.type,
        "fingerprint": verdict.exact,
        "classes": list(verdict.classes),
    }


def redacted_text(call: Call, secrets: Sequence[str]) -> str:
    """A call as a person reads it in a junction: redacted, one paragraph, bounded."""
    from operators_edge.redaction.redact import redact  # noqa: PLC0415 - not for an allow
    from operators_edge.text.wording import cut  # noqa: PLC0415 - see above

    if "command" in call.input:
        text = str(call.input["command"])
    else:
        parts = [f"{key}={value}" for key, value in call.input.items()]
        text = f"{call.tool} {' '.join(parts)}"
    return cut(redact(text[: MAX_SHOWN_TEXT * 8], values=secrets), MAX_SHOWN_TEXT)


def outcome_for(
    verdict: Verdict,
    resolution: Resolution,
    pending: dict[str, Any] | None,
    *,
    is_asking: bool,
    card: Card | None,
) -> Outcome:
    """A recorded resolution in words."""
    step = resolution.step
    if step == "use":
        return Outcome("allow", decided=True, text="Approved by a person, for this one call.")
    if step == "covered":
        return Outcome()
    if step == "refused":
        text = "A person has refused exactly this call in this session. Find another way."
        return Outcome("block", text=f"{denial(verdict)}\n{text}")
    if step == "raise" and is_asking:
        return Outcome("ask", text=prompt(verdict, card))
    return Outcome("block", text=_pending(verdict, pending, card, is_new=step == "raise"))


def denial(verdict: Verdict, card: Card | None = None) -> str:
    """For the agent: short, and nothing that only the person needs."""
    if card is not None:
        from operators_edge.approvals.card import card as cards  # noqa: PLC0415 - where a person decides

        return "\n".join(cards.told(card))
    finding = verdict.findings[0]
    lines = [f"Operator's Edge ({finding.rule}): {finding.why}"]
    if finding.understood:
        lines.append(f"Understood as: {finding.understood}")
    if finding.instead:
        lines.append(f"Instead: {finding.instead}")
    return "\n".join(lines)


def prompt(verdict: Verdict, card: Card | None) -> str:
    """For the person, in the client's dialog, which shows the command and few lines more."""
    if card is None:
        return denial(verdict)
    from operators_edge.approvals.card import card as cards  # noqa: PLC0415 - see above

    width, most = cards.DIALOG
    # The way back from a snapshot is said in one more line.
    return "\n".join(cards.asked(card, size=(width, most - bool(verdict.destroys))))


def _pending(
    verdict: Verdict, pending: dict[str, Any] | None, card: Card | None, *, is_new: bool
) -> str:
    if is_new:
        return (
            f"{denial(verdict, card)}\nThis needs a person's decision, which is now pending. Only a "
            "person can give it: /edge approve (once), /edge skip, or /edge dismiss, typed in this "
            "client, or `edge approve` in their own terminal. Go on with other work or stop and say so."
        )
    waiting = (pending or {}).get("shown") or (pending or {}).get("reason", "")
    return (
        f"{denial(verdict)}\nAnother decision is pending first: {waiting}\n"
        "This call was counted on it."
    )
