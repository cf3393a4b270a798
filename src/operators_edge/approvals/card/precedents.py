"""How this call, and calls of its class, were decided before, from the end of the log.

Pure. Owns the counting, and the sentence about it. The caller chooses how many entries are read; what an
answer in a client's dialog is, is in ``evidence.session_facts``.
"""

from __future__ import annotations

from operators_edge.approvals import learnt
from operators_edge.datetimes import datetime
from operators_edge.evidence import session_facts
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from operators_edge.approvals.card.model import LastDecision, Precedents
    from operators_edge.approvals.learnt import Shape
    from operators_edge.model import Verdict
    from operators_edge.records import AnsweredJunction, LogEntry

OUTCOMES = {"approve": "approved", "skip": "refused", "dismiss": "dismissed"}
IN_DIALOG = "in the client's dialog"


class _Decision(NamedTuple):
    """One earlier decision: its subject, outcome, time, and who made it."""

    exact: str
    classes: frozenset[str]
    outcome: str
    at: str
    by: str
    shape: Shape | None = None


def approved_shapes(entries: list[LogEntry]) -> list[Shape]:
    """The shapes of the calls that a person approved, once or for longer."""
    decisions = _from_junctions(entries, ()) + _from_dialogs(entries)
    approved = (OUTCOMES["approve"], OUTCOMES["dismiss"])
    return [each.shape for each in decisions if each.shape and each.outcome in approved]


def weigh(
    verdict: Verdict,
    entries: list[LogEntry],
    history: Iterable[AnsweredJunction] = (),
    *,
    now: datetime | None = None,
) -> Precedents | None:
    """Counts for exactly this call and for its class, and the last decision; None if there is none.

    ``entries`` is the end of the log, ``history`` the state's junction_history. With ``now``, a recent last
    decision also says how long ago it was.
    """
    decisions = _from_junctions(entries, history) + _from_dialogs(entries)
    same = [each for each in decisions if each.exact and each.exact == verdict.exact]
    wanted = set(verdict.classes)
    same_class = [each for each in decisions if each.classes and each.classes <= wanted]
    every = same + [each for each in same_class if each not in same]
    if not every:
        return None
    last = max(every, key=lambda each: each.at)
    latest: LastDecision = {"outcome": last.outcome, "at": last.at, "by": last.by}
    if ago := _ago(last.at, now):
        latest |= {"ago": ago, "is_same": last in same}
    return {"exact": _counted(same), "class": _counted(same_class), "last": latest}


def _ago(at: str, now: datetime | None) -> str:
    """How long ago, as text; "" for longer than a day, or an unknown time."""
    try:
        minutes = int((now - datetime.fromisoformat(at)).total_seconds() // 60) if now else -1
    except (ValueError, TypeError):
        return ""
    if not 0 <= minutes < 24 * 60:
        return ""
    if minutes < 1:
        return "just now"
    return f"{minutes} min ago" if minutes < 100 else f"{round(minutes / 60)} h ago"


def _counted(decisions: list[_Decision]) -> dict[str, int]:
    counts = dict.fromkeys(OUTCOMES.values(), 0)
    for each in decisions:
        counts[each.outcome] += 1
    return {word: count for word, count in counts.items() if count}


def _from_junctions(
    entries: list[LogEntry], history: Iterable[AnsweredJunction]
) -> list[_Decision]:
    """Decisions on junctions. The log also has their classes, the state's history does not."""
    raised: dict[str, dict[str, Any]] = {}
    decided: dict[str, _Decision] = {}
    for entry in entries:
        data = entry.get("data") or {}
        ident = str(data.get("junction") or "")
        if entry.get("event") == "junction_raised":
            raised[ident] = data
        elif entry.get("event") == "junction_decided" and data.get("decision") in OUTCOMES:
            about = raised.get(ident, {})
            decided[ident] = _Decision(
                str(about.get("fingerprint") or ""),
                frozenset(about.get("classes") or ()),
                OUTCOMES[data["decision"]],
                str(entry.get("timestamp") or ""),
                str(data.get("by") or ""),
                learnt.of_data(about.get("rule"), about.get("shape")),
            )
    for old in history:
        ident, exact = str(old.get("id")), str(old.get("fingerprint") or "")
        if ident in decided:
            known = decided[ident]
            decided[ident] = known._replace(exact=known.exact or exact)
        elif old.get("decision") in OUTCOMES:
            outcome, at = OUTCOMES[old["decision"]], str(old.get("decided_at") or "")
            decided[ident] = _Decision(exact, frozenset(), outcome, at, str(old.get("by") or ""))
    return list(decided.values())


def _from_dialogs(entries: list[LogEntry]) -> list[_Decision]:
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
            about = asked[ident].get("data") or {}
            classes = about.get("classes") or ()
            shape = learnt.of_data(about.get("rule"), about.get("shape"))
            exact, outcome, at = answer["exact"], answer["outcome"], str(answer["at"])
            decisions.append(_Decision(exact, frozenset(classes), outcome, at, IN_DIALOG, shape))
    return decisions


def _light_data(entry: LogEntry) -> dict[str, Any]:
    return {} if entry.get("event") == "tool" else entry.get("data") or {}


def history_text(history: Precedents | None) -> str:
    if not history:
        return "nothing like it was decided here recently"
    parts = []
    if history["exact"]:
        parts.append(f"this call {_counts(history['exact'])}")
    if history["class"] != history["exact"]:
        parts.append(f"such calls {_counts(history['class'])}")
    last = history["last"]
    if last["outcome"] == "refused" and last.get("ago"):
        what = "this" if last.get("is_same") else "such a call"
        if history["class"] in ({}, {"refused": 1}):  # that one
            parts = []
        return "; ".join([f"you refused {what} {last['ago']}", *parts])
    who = str(last.get("by") or "")
    who = f" {who}" if who == IN_DIALOG else f" by {who}" if who else ""
    return f"{'; '.join(parts)}; last {last['outcome']} on {str(last['at'])[:10]}{who}"


def _counts(counts: Mapping[str, int]) -> str:
    times = {word: "once" if count == 1 else f"{count} times" for word, count in counts.items()}
    return ", ".join(f"{word} {text}" for word, text in times.items())


# end of module
