"""What a verdict and its resolution are as text, for the agent and the person, and as data for the log.

Pure. Does not own the decision card (``approvals.card``) or how a host words its answers (``hosts``).
"""

from __future__ import annotations

import re

from operators_edge.model import GUARDING, MACHINE_KEYS, Outcome
from operators_edge.redaction.redact import preview, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from operators_edge.approvals.junction import Resolution
    from operators_edge.model import Call, Verdict
    from operators_edge.records import Junction

MAX_SHOWN_TEXT = 600
"""Characters of a redacted call that a junction stores: enough to decide on, small in the state."""


def resolution_event(
    resolution: Resolution, pending: Junction | None, shown: str, *, is_asking: bool
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
    """The log event of a block. What the product's own rules block would have forged a decision (JU-4).

    Except a folder that contains our record, and a shell write to the state that touches nothing that only
    the product writes: `sed` on a step's status is a mistake, and no forgery.
    """
    if rule == "edge-own-folders":
        return "blocked"
    if rule == "edge-state-by-shell" and not _writes_ours(command):
        return "blocked"
    return "approval_forgery" if rule.startswith(GUARDING) else "blocked"


def _writes_ours(command: str) -> bool:
    """Whether a command sets a key that only the product writes, or deletes its line."""
    keys = "|".join(MACHINE_KEYS)
    return bool(re.search(rf"\b({keys})\b['\"\]]*\s*([:=]|/d)", command))


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as data for the log; ``source`` is the FILE:LINE that decided, if a file was followed."""
    data = {
        "rule": verdict.rule,
        "type": verdict.type,
        "fingerprint": verdict.exact,
        "classes": list(verdict.classes),
    }
    source = verdict.findings[0].source if verdict.findings else ""
    return {**data, "source": source} if source else data


def redacted_text(call: Call, secrets: Sequence[str]) -> str:
    """A call as a person reads it in a junction: redacted, one paragraph, bounded."""
    if "command" in call.input:
        text = str(call.input["command"])
    else:
        parts = [f"{key}={value}" for key, value in call.input.items()]
        text = f"{call.tool} {' '.join(parts)}"
    return preview(text, MAX_SHOWN_TEXT, values=secrets)


def outcome_for(
    verdict: Verdict,
    resolution: Resolution,
    pending: Junction | None,
    *,
    is_asking: bool,
    card_text: str = "",
    not_compared: Sequence[str] = (),
    who_answers: str = "",
) -> Outcome:
    """The answer for a recorded resolution.

    ``not_compared`` is what an approval is not bound to; ``who_answers`` would answer the host's dialog.
    """
    step = resolution.step
    if step == "use":
        unknown = f" Not compared: {'; '.join(not_compared)}." if not_compared else ""
        text = f"Approved by a person, for this one call.{unknown}"
        return Outcome("allow", decided=True, text=text)
    if step == "covered":
        return Outcome()
    if step == "refused":
        until = "for this session" if resolution.is_for_session else "until their next prompt"
        text = (
            f"A person has refused this, and it holds {until}. Do not work around it: "
            "tell them what you need it for, ask how to go on, and stop or do other work."
        )
        return Outcome("block", text=f"{denial(verdict)}\n{text}")
    if step == "raise" and is_asking:
        return Outcome("ask", text=card_text or denial(verdict))
    if step == "raise":
        told = filter(None, [card_text or denial(verdict), no_dialog(who_answers), _PENDING])
        return Outcome("block", text="\n".join(told))
    return Outcome("block", text=f"{denial(verdict)}\n{_waits_for(verdict, pending or {})}")


def _waits_for(verdict: Verdict, pending: Mapping[str, Any]) -> str:
    if pending.get("fingerprint") == verdict.exact:
        return "This very call waits for a person's decision already. Go on with other work."
    waiting = pending.get("shown") or pending.get("reason", "")
    return f"Another decision is pending first: {waiting}\nThis call was denied too."


_PENDING = (
    "This needs a person's decision, which is now pending. Only a "
    "person can give it: /edge approve (once), /edge skip, or /edge dismiss, typed in this "
    "client, or `edge approve` in their own terminal. Go on with other work or stop and say so."
)


def no_dialog(who_answers: str) -> str:
    """Why the host's dialog is not used; "" if nothing answers it but the person."""
    return (
        who_answers and f"Not asked in a dialog, which could be answered for them: {who_answers}."
    )


def denial(verdict: Verdict) -> str:
    """For the agent: short, and nothing that only the person needs."""
    finding = verdict.findings[0]
    lines = [f"Operator's Edge ({finding.rule}): {finding.why}"]
    if finding.understood:
        lines.append(f"Understood as: {redact(finding.understood)}")
    if finding.source:
        lines.append(f"Found in: {finding.source}")
    if finding.instead:
        lines.append(f"Instead: {finding.instead}")
    return "\n".join(lines)


# end of module
