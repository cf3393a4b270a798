"""How this call, and calls of its class, were decided before, from the end of the log.

Pure. Owns the counting. The caller chooses how many entries are read; what an answer in a client's dialog is,
is in ``evidence.session_facts``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.evidence import session_facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.approvals.card.model import Precedents
    from operators_edge.model import Verdict
    from operators_edge.records import AnsweredJunction, LogEntry

OUTCOMES = {"approve": "approved", "skip": "refused", "dismiss": "dismissed"}
IN_DIALOG = "in the client's dialog"


class Decision:
    """One earlier decision: its subject, outcome, time, and who made it."""

    __slots__ = ("at", "by", "classes", "exact", "outcome")

    def __init__(
        self, *, exact: str, classes: Iterable[str], outcome: str, at: object, by: str
    ) -> None:
        self.exact = exact
        self.classes = frozenset(classes)
        self.outcome = outcome
        self.at = str(at or "")
        self.by = by


def weigh(
    verdict: Verdict, entries: list[LogEntry], history: Iterable[AnsweredJunction] = ()
) -> Precedents | None:
    """Counts for exactly this call and for its class, and the last decision; None if there is none.

    ``entries`` is the end of the log, ``history`` the state's junction_history.
    """
    decisions = _from_junctions(entries, history) + _from_dialogs(entries)
    same = [each for each in decisions if each.exact and each.exact == verdict.exact]
    wanted = set(verdict.classes)
    same_class = [each for each in decisions if each.classes and each.classes <= wanted]
    every = same + [each for each in same_class if each not in same]
    if not every:
        return None
    last = max(every, key=lambda each: each.at)
    return {
        "exact": _counted(same),
        "class": _counted(same_class),
        "last": {"outcome": last.outcome, "at": last.at, "by": last.by},
    }


def _counted(decisions: list[Decision]) -> dict[str, int]:
    counts = dict.fromkeys(OUTCOMES.values(), 0)
    for each in decisions:
        counts[each.outcome] += 1
    return {word: count for word, count in counts.items() if count}


def _from_junctions(entries: list[LogEntry], history: Iterable[AnsweredJunction]) -> list[Decision]:
    """Decisions on junctions. The log also has their classes, the state's history does not."""
    raised: dict[str, dict[str, Any]] = {}
    decided: dict[str, Decision] = {}
    for entry in entries:
        data = entry.get("data") or {}
        ident = str(data.get("junction") or "")
        if entry.get("event") == "junction_raised":
            raised[ident] = data
        elif entry.get("event") == "junction_decided" and data.get("decision") in OUTCOMES:
            about = raised.get(ident, {})
            decided[ident] = Decision(
                exact=str(about.get("fingerprint") or ""),
                classes=about.get("classes") or (),
                outcome=OUTCOMES[data["decision"]],
                at=entry.get("timestamp"),
                by=str(data.get("by") or ""),
            )
    for old in history:
        known = decided.get(str(old.get("id")))
        if known is not None:
            known.exact = known.exact or str(old.get("fingerprint") or "")
        elif old.get("decision") in OUTCOMES:
            decided[str(old.get("id"))] = Decision(
                exact=str(old.get("fingerprint") or ""),
                classes=(),
                outcome=OUTCOMES[old["decision"]],
                at=old.get("decided_at"),
                by=str(old.get("by") or ""),
            )
    return list(decided.values())


def _from_dialogs(entries: list[LogEntry]) -> list[Decision]:
    """Decisions made in a client's own dialog."""
    asked = {
        str(entry.get("tool_use_id")): entry for entry in entries if entry.get("event") == "asked"
    }
    decisions = []
    for session in dict.fromkeys(str(entry.get("session")) for entry in asked.values()):
        record = session_facts.new_facts(session, "")
        # What the calls did is not needed here, and without it they cost nothing to fold.
        session_facts.fold(record, ({**entry, "data": _light_data(entry)} for entry in entries))
        for ident, answer in record["answers"].items():
            data = asked[ident].get("data") or {}
            decisions.append(
                Decision(
                    exact=answer["exact"],
                    classes=data.get("classes") or (),
                    outcome=answer["outcome"],
                    at=answer["at"],
                    by=IN_DIALOG,
                )
            )
    return decisions


def _light_data(entry: LogEntry) -> dict[str, Any]:
    return {} if entry.get("event") == "tool" else entry.get("data") or {}
