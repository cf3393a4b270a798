"""The decision card as data: computed from a verdict and what was measured, and made small enough to store.

Pure, and computed: nothing on a card is text that an agent wrote about its own call. Lessons can be
an agent's, and are marked as such. Does not own what is at stake (``approvals.impact.measure``), the lines
(``approvals.card.render``) or the decision (``approvals.junction``).
"""

from __future__ import annotations

from operators_edge import jsons
from operators_edge.approvals.impact.report import BY_SNAPSHOT, has_snapshot
from operators_edge.redaction.redact import redact
from operators_edge.text.markup import GAP, MarkedText, redacted_text, shortened
from operators_edge.text.wording import one_line
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from operators_edge.approvals.card.model import Card, CurrentStep, Precedents, Where
    from operators_edge.approvals.impact.report import ImpactReport, UndoAnswer
    from operators_edge.model import Verdict

MAX_COMMAND = 4000
MAX_TEXT = 600
MAX_LESSON = 160
MAX_STORED_BYTES = 2048
"""Of a card in the state file, as JSON: people read that file, too."""


def build(
    text: str,
    verdict: Verdict,
    *,
    is_marked: bool = True,
    radius: Sequence[ImpactReport] = (),
    step: CurrentStep | None = None,
    history: Precedents | None = None,
    where: Where | None = None,
    target: str = "",
    changed: Sequence[str] = (),
    lessons: Sequence[str] = (),
    machine: str = "",
    offer: str = "",
    values: Iterable[str] = (),
) -> Card:
    """The card for a verdict with at least one finding.

    ``text`` is the call's own text; the findings' spans are positions in it unless ``is_marked`` is False.
    ``values`` are secrets, which are redacted everywhere.
    """
    first = verdict.findings[0]
    secrets = tuple(values)
    spans = [span for finding in verdict.findings for span in finding.spans] if is_marked else []
    command = shortened(redacted_text(text, spans, values=secrets), MAX_COMMAND)
    reports: list[ImpactReport] = [bounded(report, secrets) for report in radius]
    others = dict.fromkeys(
        (finding.rule, f"{finding.reason} ({finding.source})" if finding.source else finding.reason)
        for finding in verdict.findings[1:]
    )
    return {
        "verdict": verdict.effect,
        "command": command.text,
        "marks": [list(mark) for mark in command.marks],
        "understood": bounded(first.understood, secrets),
        "source": bounded(first.source, secrets),
        "rule": first.rule,
        "effect": first.effect,
        "type": first.type,
        "reason": first.why,
        "instead": bounded(first.instead, secrets),
        "lessons": bounded(list(lessons), secrets, MAX_LESSON),
        "also": [
            {"rule": rule, "reason": bounded(reason, secrets)}
            for rule, reason in others
            if rule != first.rule
        ],
        "radius": reports,
        "undo": _undo_incomplete(verdict)
        or (_undo(reports) if reports else _undo_unmeasured(verdict)),
        "step": bounded(step, secrets),
        "history": bounded(history, secrets),
        "where": bounded(dict(where or {}), secrets),
        "machine": bounded(machine, secrets),
        "offer": bounded(offer, secrets),
        "target": bounded(target, secrets),
        "changed": bounded(list(changed), secrets),
    }


_RANK = ("yes", "partly", "unknown", "no")


def _undo_incomplete(verdict: Verdict) -> UndoAnswer | None:
    """What a snapshot that was taken for this very call does not hold, if there is one."""
    lost = next((each.not_kept for each in verdict.findings if each.not_kept), "")
    return {"can": "partly", "how": f"not kept: {lost}"} if lost else None


def _undo(reports: Sequence[ImpactReport]) -> UndoAnswer:
    """Whether all of it can be undone, and how."""
    answers = [report["undo"] for report in reports]
    if len(answers) == 1:
        return answers[0]
    found = {answer["can"] for answer in answers}
    worst = max(found, key=_RANK.index)
    parts = [f"{report['kind']} {undo_text(report['undo'], '{} ({})')}" for report in reports]
    how = "; ".join(dict.fromkeys(parts))
    return {"can": "partly" if worst == "no" and len(found) > 1 else worst, "how": how}


def _undo_unmeasured(verdict: Verdict) -> UndoAnswer:
    if has_snapshot(verdict):
        can, how = BY_SNAPSHOT
        return {"can": can, "how": how}
    return {"can": "unknown", "how": ""}


def undo_text(answer: UndoAnswer, form: str = "{}, {}") -> str:
    can = "not known" if answer["can"] == "unknown" else answer["can"]
    return form.format(can, answer["how"]) if answer["how"] else can


def bounded(value: Any, secrets: tuple[str, ...], limit: int = MAX_TEXT) -> Any:
    """JSON-like data with every string in it redacted, on one line and shortened to ``limit``."""
    if isinstance(value, str):
        return one_line(redact(value, values=secrets), limit)
    if isinstance(value, dict):
        return {key: bounded(each, secrets, limit) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [bounded(each, secrets, limit) for each in value]
    return value


# -- stored in the state -------------------------------------------------------------------------


def compact(card: Card) -> Card:
    """The same card, small enough for the state file."""
    for limit in (600, 300, 150, 80, 40):
        small = _reduced(card, limit)
        if _size(small) <= MAX_STORED_BYTES:
            return small
    return {**small, "command": small["command"][:200] + GAP, "marks": [], "radius": []}


def _reduced(card: Card, limit: int) -> Card:
    command = shortened(marked_command(card), limit)
    small = cast("Card", bounded(card, (), limit))
    small["command"] = command.text
    small["marks"] = [list(mark) for mark in command.marks]
    small["also"] = small["also"][:3]
    small["changed"] = small["changed"][: max(1, limit // 100)]
    for report in small["radius"]:
        report["at_stake"] = report["at_stake"][: max(1, limit // 100)]
    if small["understood"] == small["command"]:
        small["understood"] = ""
    return small


def _size(card: Card) -> int:
    return len(jsons.dumps(card, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def marked_command(card: Card) -> MarkedText:
    """The card's command with its decisive words."""
    return MarkedText(card["command"], tuple((start, end) for start, end in card["marks"]))


# end of module
