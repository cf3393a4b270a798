"""How the same call, and calls of its class, were decided before. Pure, from the end of the log.

Owns the counting. Does not own how far back is looked (the caller gives the entries), nor what an
answer in a client's dialog is (``evidence.session_facts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.evidence import session_facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.model import Verdict
    from operators_edge.records import LogEntry


WORDS = {"approve": "approved", "skip": "refused", "dismiss": "dismissed"}
IN_DIALOG = "in the client's dialog"


class Decision:
    """One earlier decision: what it was about, how it went, when and by whom."""

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
    verdict: Verdict, entries: list[LogEntry], kept: Iterable[dict[str, Any]] = ()
) -> dict[str, Any] | None:
    """Counts for exactly this call and for its class, and the last decision; None without any.

    ``entries`` is the end of the log, ``kept`` the state's junction_history.
    """
    decisions = _typed(entries, kept) + _answered(entries)
    same = [one for one in decisions if one.exact and one.exact == verdict.exact]
    wanted = set(verdict.classes)
    alike = [one for one in decisions if one.classes and one.classes <= wanted]
    every = same + [one for one in alike if one not in same]
    if not every:
        return None
    last = max(every, key=lambda one: one.at)
    return {
        "exact": _counted(same),
        "class": _counted(alike),
        "last": {"outcome": last.outcome, "at": last.at, "by": last.by},
    }


def _counted(decisions: list[Decision]) -> dict[str, int]:
    counts = dict.fromkeys(WORDS.values(), 0)
    for one in decisions:
        counts[one.outcome] += 1
    return {word: count for word, count in counts.items() if count}


def _typed(entries: list[LogEntry], kept: Iterable[dict[str, Any]]) -> list[Decision]:
    """Decisions about junctions that were kept; the log knows their class, the state is shorter."""
    raised: dict[str, dict[str, Any]] = {}
    decided: dict[str, Decision] = {}
    for entry in entries:
        data = entry.get("data") or {}
        ident = str(data.get("junction") or "")
        if entry.get("event") == "junction_raised":
            raised[ident] = data
        elif entry.get("event") == "junction_decided" and data.get("decision") in WORDS:
            about = raised.get(ident, {})
            decided[ident] = Decision(
                exact=str(about.get("fingerprint") or ""),
                classes=about.get("classes") or (),
                outcome=WORDS[data["decision"]],
                at=entry.get("timestamp"),
                by=str(data.get("by") or ""),
            )
    for old in kept:
        known = decided.get(str(old.get("id")))
        if known is not None:
            known.exact = known.exact or str(old.get("fingerprint") or "")
        elif old.get("decision") in WORDS:
            decided[str(old.get("id"))] = Decision(
                exact=str(old.get("fingerprint") or ""),
                classes=(),
                outcome=WORDS[old["decision"]],
                at=old.get("decided_at"),
                by=str(old.get("by") or ""),
            )
    return list(decided.values())


def _answered(entries: list[LogEntry]) -> list[Decision]:
    """Answers given in a client's own dialog."""
    asked = {
        str(entry.get("tool_use_id")): entry for entry in entries if entry.get("event") == "asked"
    }
    found = []
    for session in dict.fromkeys(str(entry.get("session")) for entry in asked.values()):
        record = session_facts.new_facts(session, "")
        # What the calls did is of no interest here: without it they cost nothing to fold.
        session_facts.fold(record, ({**entry, "data": _light(entry)} for entry in entries))
        for ident, answer in record["answers"].items():
            data = asked[ident].get("data") or {}
            found.append(
                Decision(
                    exact=answer["exact"],
                    classes=data.get("classes") or (),
                    outcome=answer["outcome"],
                    at=answer["at"],
                    by=IN_DIALOG,
                )
            )
    return found


def _light(entry: LogEntry) -> dict[str, Any]:
    return {} if entry.get("event") == "tool" else entry.get("data") or {}
